// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// How deep a structure is nested in others of its kind: it limits recursion, and is not part of a value.
package struct NestingDepth: Hashable, Sendable {
  var value: UInt8 = 0
  var deeper: NestingDepth { NestingDepth(value: value &+ 1) }
  package init() {}
  private init(value: UInt8) { self.value = value }
  package static func == (left: NestingDepth, right: NestingDepth) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

/// A descriptor of MPEG-4 systems: a tag, a length of one to four bytes, and a content that may contain
/// descriptors. ISO/IEC 14496-1, 8.3.3
public struct Descriptor: FieldLayout {
  /// The contents of descriptors, by their tags. Larger contents are stored indirectly: a descriptor may take two
  /// bytes of a file, and otherwise each would be as large as the largest.
  public enum Content: Hashable, Sendable {
    /// A stream (tag 3).
    indirect case elementaryStream(ElementaryStreamDescriptor)
    /// A decoder (tag 4).
    indirect case decoderConfig(DecoderConfigDescriptor)
    /// The configuration of the decoder (tag 5), such as an AudioSpecificConfig.
    case decoderSpecificInfo(ByteView)
    /// How access units are packed (tag 6).
    indirect case syncLayer(SyncLayerConfigDescriptor)
    /// An object or a presentation (tags 1, 2, 16 and 17).
    indirect case objectDescriptor(ObjectDescriptor)
    /// Any other content.
    case other(ByteView)
  }

  /// The kind of descriptor.
  public var tag = Tag.elementaryStream
  /// How many bytes the length takes, at least; many writers use four.
  public var lengthByteCount: UInt8 = 1
  /// How deep it is nested in others. Not in the file.
  var depth = NestingDepth()
  /// The content of the descriptor.
  public var content = Content.other(ByteView())
  /// Bytes between the known content and the end of the descriptor.
  public var rest: ByteView {
    get { if case .some(let bytes) = remains { bytes } else { ByteView() } }
    set { remains = newValue.isEmpty ? .none : .some(newValue) }
  }
  private var remains = Remains.none

  /// Bytes that are rarely present: without any, they take no more than a word.
  private enum Remains: Hashable, Sendable {
    case none
    indirect case some(ByteView)
  }

  /// Makes an empty descriptor.
  public init() {}

  /// Makes a descriptor.
  public init(_ tag: Tag, _ content: Content, lengthByteCount: UInt8 = 1) {
    self.tag = tag
    self.content = content
    self.lengthByteCount = lengthByteCount
  }

  /// The kinds of descriptors.
  public struct Tag: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// ES_Descriptor.
    public static let elementaryStream = Tag(rawValue: 3)
    /// DecoderConfigDescriptor.
    public static let decoderConfig = Tag(rawValue: 4)
    /// DecoderSpecificInfo.
    public static let decoderSpecificInfo = Tag(rawValue: 5)
    /// SLConfigDescriptor.
    public static let syncLayer = Tag(rawValue: 6)
    /// ObjectDescriptor.
    public static let object = Tag(rawValue: 1)
    /// InitialObjectDescriptor.
    public static let initialObject = Tag(rawValue: 2)
    /// MP4_IOD.
    public static let movieInitialObject = Tag(rawValue: 16)
    /// MP4_OD.
    public static let movieObject = Tag(rawValue: 17)
    static let objects: Set<Tag> = [.object, .initialObject, .movieInitialObject, .movieObject]

    /// The name in the specification; `nil` for an unknown tag.
    public var name: String? {
      switch rawValue {
      case 1: "ObjectDescriptor"
      case 2: "InitialObjectDescriptor"
      case 3: "ES_Descriptor"
      case 4: "DecoderConfigDescriptor"
      case 5: "DecoderSpecificInfo"
      case 6: "SLConfigDescriptor"
      case 9: "IPI_DescrPointer"
      case 10: "IPMP_DescriptorPointer"
      case 11: "IPMP_Descriptor"
      case 12: "QoS_Descriptor"
      case 14: "ES_ID_Inc"
      case 15: "ES_ID_Ref"
      case 16: "MP4_IOD"
      case 17: "MP4_OD"
      case 20: "ProfileLevelIndicationIndexDescriptor"
      default: nil
      }
    }
  }

  /// How deep descriptors may be nested; deeper ones are kept as bytes. Useful ones are at most three deep.
  static let maximumDepth: UInt8 = 8

  /// How many bytes the content takes.
  private var contentByteCount: Int {
    let count: Int?
    switch content {
    case .elementaryStream(let value): count = try? value.encoded().count
    case .decoderConfig(let value): count = try? value.encoded().count
    case .decoderSpecificInfo(let value), .other(let value): count = value.count
    case .syncLayer(let value): count = try? value.encoded().count
    case .objectDescriptor(let value): count = try? value.encoded().count
    }
    return (count ?? 0) + rest.count
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.code("tag", &tag, bits: 8, .named { Tag(rawValue: UInt8(clamping: $0)).name })
    let length = try layoutLength(&c)
    let outer = try c.beginLimit(bytes: length, "descriptor")
    switch tag {
    case .elementaryStream where depth.value < Self.maximumDepth:
      var value = ElementaryStreamDescriptor()
      if case .elementaryStream(let present) = content { value = present }
      value.depth = depth.deeper
      defer { content = .elementaryStream(value) }
      try value.layout(&c)
    case .decoderConfig where depth.value < Self.maximumDepth:
      var value = DecoderConfigDescriptor()
      if case .decoderConfig(let present) = content { value = present }
      value.depth = depth.deeper
      defer { content = .decoderConfig(value) }
      try value.layout(&c)
    case .decoderSpecificInfo:
      var value = ByteView()
      if case .decoderSpecificInfo(let present) = content { value = present }
      try c.remainder("data", &value)
      content = .decoderSpecificInfo(value)
    case .syncLayer:
      var value = SyncLayerConfigDescriptor()
      if case .syncLayer(let present) = content { value = present }
      try value.layout(&c)
      content = .syncLayer(value)
    case _ where Tag.objects.contains(tag) && depth.value < Self.maximumDepth:
      var value = ObjectDescriptor()
      if case .objectDescriptor(let present) = content { value = present }
      value.isInitial = tag == .initialObject || tag == .movieInitialObject
      value.depth = depth.deeper
      defer { content = .objectDescriptor(value) }
      try value.layout(&c)
    default:
      var value = ByteView()
      if case .other(let present) = content { value = present }
      try c.remainder("data", &value)
      content = .other(value)
    }
    try c.leftovers(&rest)
    c.endLimit(outer)
  }

  /// The length: seven bits in each byte, whose highest bit indicates that another byte follows.
  /// ISO/IEC 14496-1, 8.3.3
  private mutating func layoutLength(_ c: inout some Coder) throws(ParseError) -> Int {
    let size = UInt32(clamping: contentByteCount)
    let needed = max(1, (38 - size.leadingZeroBitCount) / 7)
    let wanted = max(needed, Int(lengthByteCount))
    var value: UInt32 = 0
    var read = 0
    var isLast = false
    c.beginArray("sizeOfInstance", count: 0)
    while !isLast {
      guard read < 4 else { throw c.failure(.invalid("has more than four bytes"), "sizeOfInstance") }
      let shift = UInt32(clamping: 7 * (wanted - 1 - read))
      var byte = UInt8(truncatingIfNeeded: size >> shift & 0x7F)
      if read < wanted - 1 { byte |= 0x80 }
      try c.u8("sizeByte", &byte)
      value = value << 7 | UInt32(byte & 0x7F)
      isLast = byte & 0x80 == 0
      read += 1
    }
    c.endScope()
    lengthByteCount = UInt8(clamping: read)
    return Int(value)
  }
}

/// A stream and how to decode it. ISO/IEC 14496-1, 7.2.6.5
public struct ElementaryStreamDescriptor: FieldLayout {
  /// The identifier; 0 in the sample entries of a file.
  public var streamID: UInt16 = 0
  /// The stream it depends on; `nil` if it is independent.
  public var dependsOnStreamID: UInt16?
  /// The address of the stream if it is elsewhere; otherwise `nil`.
  public var url: ByteView?
  /// The stream that carries its clock; `nil` if none is named.
  public var clockStreamID: UInt16?
  /// The priority of the stream.
  public var priority: UInt8 = 0
  /// The descriptors of its decoder and of its sync layer.
  public var descriptors: [Descriptor] = []
  /// How deep it is nested in others. Not in the file.
  var depth = NestingDepth()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("ES_ID", &streamID)
    var dependsOnStream = dependsOnStreamID != nil, hasURL = url != nil, hasClock = clockStreamID != nil
    try c.flag("streamDependenceFlag", &dependsOnStream)
    try c.flag("URL_Flag", &hasURL)
    try c.flag("OCRstreamFlag", &hasClock)
    try c.u("streamPriority", &priority, 5)
    try c.u("dependsOn_ES_ID", &dependsOnStreamID, 16, if: dependsOnStream)
    if hasURL {
      var text = url ?? ByteView()
      var length = UInt8(clamping: text.count)
      try c.u8("URLlength", &length)
      try c.bytes("URLstring", &text, count: Int(length), .text)
      url = text
    }
    try c.u("OCR_ES_Id", &clockStreamID, 16, if: hasClock)
    try c.descriptorsToEnd(&descriptors, depth: depth)
  }
}

/// A decoder and the capabilities it must have. ISO/IEC 14496-1, 7.2.6.6
public struct DecoderConfigDescriptor: FieldLayout {
  /// The coding format: 0x40 is MPEG-4 audio.
  public var objectType = ObjectType(rawValue: 0x40)
  /// The kind of stream: 4 visual, 5 audio.
  public var streamType: UInt8 = 5
  /// Whether it is an upstream.
  public var isUpStream = false
  /// A bit that should be 1.
  public var reserved: UInt8 = 1
  /// The size of the decoder's buffer in bytes.
  public var bufferSize: UInt32 = 0
  /// The highest bit rate over any second, in bits per second.
  public var maximumBitrate: UInt32 = 0
  /// The average bit rate in bits per second; 0 if it varies.
  public var averageBitrate: UInt32 = 0
  /// The configuration of the decoder.
  public var descriptors: [Descriptor] = []
  /// How deep it is nested in others. Not in the file.
  var depth = NestingDepth()

  public init() {}

  /// Coding formats. ISO/IEC 14496-1, table 5; mp4ra.org
  public struct ObjectType: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The coding format in words; `nil` if it is unknown.
    public var name: String? {
      switch rawValue {
      case 0x01, 0x02: "MPEG-4 systems"
      case 0x20: "MPEG-4 visual"
      case 0x21: "AVC"
      case 0x23: "HEVC"
      case 0x40: "MPEG-4 audio"
      case 0x60...0x65: "MPEG-2 video"
      case 0x66...0x68: "MPEG-2 AAC"
      case 0x69: "MPEG-2 audio"
      case 0x6A: "MPEG-1 video"
      case 0x6B: "MPEG-1 audio"
      case 0x6C: "JPEG"
      case 0x6D: "PNG"
      case 0x6E: "JPEG 2000"
      case 0xA0: "EVRC"
      case 0xA1: "SMV"
      case 0xA3: "VC-1"
      case 0xA4: "Dirac"
      case 0xA5: "AC-3"
      case 0xA6: "Enhanced AC-3"
      case 0xA9: "DTS"
      case 0xAD: "Opus"
      case 0xB1: "VP9"
      case 0xDD: "Vorbis"
      case 0xE1: "QCELP"
      default: nil
      }
    }
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.code(
      "objectTypeIndication", &objectType, bits: 8,
      .named { ObjectType(rawValue: UInt8(clamping: $0)).name })
    try c.u("streamType", &streamType, 6)
    try c.flag("upStream", &isUpStream)
    try c.reserved("reserved", &reserved, bits: 1, expecting: 1)
    try c.u24("bufferSizeDB", &bufferSize)
    try c.u32("maxBitrate", &maximumBitrate)
    try c.u32("avgBitrate", &averageBitrate)
    try c.descriptorsToEnd(&descriptors, depth: depth)
  }
}

/// How access units are packed; in files, always in the way predefined as 2. ISO/IEC 14496-1, 7.3.2.3
public struct SyncLayerConfigDescriptor: FieldLayout {
  /// The predefined packing: 2 for files, 1 for none, 0 for the fields that follow.
  public var predefined: UInt8 = 2
  /// The fields of a packing that is not predefined.
  public var fields = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u8("predefined", &predefined)
    if predefined == 0 { try c.remainder("fields", &fields) }
  }
}

extension FieldCoder where Self: ~Escapable {
  /// Descriptors up to the end of the structure.
  package mutating func descriptorsToEnd(_ list: inout [Descriptor], depth: NestingDepth) throws(ParseError) {
    var new = Descriptor()
    new.depth = depth
    try arrayWhileBitsLeft("descriptors", &list, minimumBits: 16, new: new)
  }
}

extension Descriptor {
  /// The first descriptor with this tag: itself, or one inside it.
  public func first(_ wanted: Tag) -> Descriptor? {
    if tag == wanted { return self }
    let children: [Descriptor]
    switch content {
    case .elementaryStream(let value): children = value.descriptors
    case .decoderConfig(let value): children = value.descriptors
    case .objectDescriptor(let value): children = value.descriptors
    default: return nil
    }
    for child in children {
      if let found = child.first(wanted) { return found }
    }
    return nil
  }
}
