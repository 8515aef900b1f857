// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `svcC` and `mvcC`: the parameter sets of a scalable or multiview AVC stream.
public struct ScalableConfigurationBox: BoxPayload {
  public static let info = BoxInfo(
    ["svcC", "mvcC"], name: "scalable configuration", in: [.visualSampleEntry],
    "ISO/IEC 14496-15, 6.5.3, 7.5.3", "The parameter sets of a scalable or multiview AVC stream.")

  /// The version of the record; 1.
  public var configurationVersion: UInt8 = 1
  /// The profile, as in a sequence parameter set.
  public var profileIndication: UInt8 = 118
  /// The constraint flags, as in a sequence parameter set.
  public var profileCompatibility: UInt8 = 0
  /// The level, as in a sequence parameter set.
  public var levelIndication: UInt8 = 40
  /// Whether the track contains everything that its operating points need.
  public var isComplete = true
  /// For multiview, whether access units are complete in the track; for scalable streams, a bit that should be 1.
  public var isExplicitAccessUnitTrack = true
  /// Four bits that should be 1.
  public var reserved: UInt8 = 15
  /// How many bytes the length of a NAL unit takes, less 1.
  public var lengthSizeMinusOne: UInt8 = 3
  /// A bit that should be 0.
  public var reservedBit: UInt8 = 0
  /// The sequence parameter sets, and subset sequence parameter sets.
  public var sequenceParameterSets: [ByteView] = []
  /// The picture parameter sets.
  public var pictureParameterSets: [ByteView] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("configurationVersion", &configurationVersion)
    try c.u8("AVCProfileIndication", &profileIndication)
    try c.u8("profile_compatibility", &profileCompatibility, .hexadecimal)
    try c.u8("AVCLevelIndication", &levelIndication)
    try c.flag("complete_representation", &isComplete)
    try c.flag("explicit_au_track", &isExplicitAccessUnitTrack)
    try c.reserved("reserved", &reserved, bits: 4, expecting: 15)
    try c.u("lengthSizeMinusOne", &lengthSizeMinusOne, 2)
    try c.reserved("reserved2", &reservedBit, bits: 1, expecting: 0)
    var sequenceCount = UInt8(clamping: sequenceParameterSets.count)
    try c.u("numOfSequenceParameterSets", &sequenceCount, 7)
    try Self.sets("sequenceParameterSets", &sequenceParameterSets, count: sequenceCount, &c)
    var pictureCount = UInt8(clamping: pictureParameterSets.count)
    try c.u8("numOfPictureParameterSets", &pictureCount)
    try Self.sets("pictureParameterSets", &pictureParameterSets, count: pictureCount, &c)
  }

  private static func sets(
    _ name: StaticString, _ sets: inout [ByteView], count: UInt8, _ c: inout some Coder
  ) throws(ParseError) {
    try c.array(name, &sets, count: count, minimumBits: 16, new: ByteView()) { c, set throws(ParseError) in
      c.beginStructure("parameterSet")
      var length = UInt16(clamping: set.count)
      try c.u16("parameterSetLength", &length)
      try c.bytes("parameterSetNALUnit", &set, count: Int(length))
      c.endScope()
    }
  }
}

/// `seib`, `vsib`, `3sib`, `hvtC`, `evcC`, `evsC`: a decoder configuration or SEI messages, kept as bytes.
public struct OpaqueScalableConfigurationBox: BoxPayload {
  public static let info = BoxInfo(
    ["seib", "vsib", "3sib", "hvtC", "evcC", "evsC"], name: "opaque scalable configuration",
    in: [.visualSampleEntry, .box("ipco")], "ISO/IEC 14496-15",
    "A decoder configuration or SEI messages, kept as bytes.")

  /// The record or message.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("data", &data) }
}

/// `svcP` and `mvcP`: the methods by which priorities were assigned.
public struct PriorityAssignmentBox: BoxPayload {
  public static let info = BoxInfo(
    ["svcP", "mvcP"], name: "priority assignment", in: [.visualSampleEntry, .otherSampleEntry],
    "ISO/IEC 14496-15, 6.5.3.5, 7.5.3.5", "The methods by which priorities were assigned.")

  /// The URIs of the methods.
  public var uris: [TerminatedString] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var count = UInt8(clamping: uris.count)
    try c.u8("method_count", &count)
    try c.array("PriorityAssignmentURI", &uris, count: count, minimumBits: 8, new: TerminatedString()) {
      c, uri throws(ParseError) in
      try c.terminatedString("PriorityAssignmentURI", &uri)
    }
  }
}

/// `m4ds`: MPEG-4 Systems descriptors for a video track.
public struct MPEG4ExtensionDescriptorsBox: BoxPayload {
  public static let info = BoxInfo(
    ["m4ds"], name: "MPEG-4 extension descriptors", in: [.visualSampleEntry], "ISO/IEC 14496-15, 5.4.2",
    "MPEG-4 Systems descriptors for a video track.")

  /// The descriptors.
  public var descriptors: [Descriptor] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.descriptorsToEnd(&descriptors, depth: NestingDepth())
  }
}

/// `qlif`: the bit rates of the layers of a scalable stream.
public struct PriorityLayerInfoBox: BoxPayload {
  public static let info = BoxInfo(
    ["qlif"], name: "priority layer info", in: [.otherSampleEntry], "ISO/IEC 14496-15, C.5",
    "The bit rates of the layers of a scalable stream.")

  /// A layer.
  public struct Layer: PackedRecord {
    /// The layer.
    public var priorityLayer: UInt8 = 0
    /// Its profile and level.
    public var profileLevelIDC: UInt32 = 0
    /// The highest bit rate, in bits per second.
    public var maximumBitrate: UInt32 = 0
    /// The average bit rate, in bits per second.
    public var averageBitrate: UInt32 = 0
    @inlinable
    public static var stride: Int { 12 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("pr_layer", &priorityLayer)
      try c.u24("profile_level_idc", &profileLevelIDC, .hexadecimal)
      try c.u32("max_bitrate", &maximumBitrate)
      try c.u32("avg_bitrate", &averageBitrate)
    }
  }

  /// The layers.
  public var layers: [Layer] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.array("layers", &layers, countedBy: "pr_layer_num", UInt8.self, minimumBits: 96)
  }
}

/// `svmC`: the statements about a scalable stream that the samples of a metadata track contain.
public struct SVCMetadataConfigBox: FullBox {
  public static let info = BoxInfo(
    ["svmC"], name: "SVC metadata config", in: [.otherSampleEntry], "ISO/IEC 14496-15, C.5",
    "The statements about a scalable stream that the samples of a metadata track contain.", versions: 0...0)

  /// A statement that the standard does not define.
  public struct Statement: FieldLayout {
    /// The number of the statement.
    public var statementType: UInt8 = 128
    /// The namespace that defines it.
    public var namespace = TerminatedString()
    /// Makes a statement with default values.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("statement_type", &statementType)
      try c.terminatedString("statement_namespace", &namespace)
    }
  }

  public var flags: UInt32 = 0
  /// The type of the statement in a sample.
  public var sampleStatementType: UInt8 = 1
  /// The default type of other statements.
  public var defaultStatementType: UInt8 = 0
  /// The default length of other statements.
  public var defaultStatementLength: UInt8 = 0
  /// The statements that the standard does not define.
  public var statements: [Statement] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u8("sample_statement_type", &sampleStatementType)
    try c.u8("default_statement_type", &defaultStatementType)
    try c.u8("default_statement_length", &defaultStatementLength)
    try c.array("statements", &statements, countedBy: "entry_count", UInt8.self, minimumBits: 8)
  }
}

/// `vvnC`: the size of NAL unit lengths in a track of VVC subpictures.
public struct VVCNALUnitConfigBox: FullBox {
  public static let info = BoxInfo(
    ["vvnC"], name: "VVC NAL unit configuration", in: [.visualSampleEntry], "ISO/IEC 14496-15, 11.3.5",
    "The size of NAL unit lengths in a track of VVC subpictures.", versions: 0...0)

  /// 1 means that the samples are not meant to be presented.
  public var flags: UInt32 = 0
  /// Six bits that should be 0.
  public var reserved: UInt8 = 0
  /// How many bytes a length takes, less 1.
  public var lengthSizeMinusOne: UInt8 = 3

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.reserved("reserved", &reserved, bits: 6, expecting: 0)
    try c.u("LengthSizeMinusOne", &lengthSizeMinusOne, 2)
  }
}

/// `dhec`: the default extractors, for samples that have none.
public struct DefaultExtractorConstructorBox: FullBox {
  public static let info = BoxInfo(
    ["dhec"], name: "default extractor constructor", in: [.visualSampleEntry], "ISO/IEC 14496-15, 10.5",
    "The default extractors, for samples that have none.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The number of constructors.
  public var entryCount: UInt32 = 0
  /// The constructors, as bytes: the size of some depends on that of NAL unit lengths.
  public var constructors = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("num_entries", &entryCount)
    try c.remainder("constructors", &constructors)
  }
}
