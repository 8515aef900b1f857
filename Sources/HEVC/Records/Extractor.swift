// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What follows the header of an extractor: a NAL unit of a sample that stands for bytes of other samples.
/// ISO/IEC 14496-15, A.3
public struct Extractor: FieldLayout {
  /// What the bytes are put together from, in order.
  public var constructors: [Constructor] = []
  /// How many bytes lengths and offsets take: those of the track's NAL unit lengths. Set before coding.
  public var lengthSize = 4

  public init() {}

  /// An extractor of a track whose NAL unit lengths take `lengthSize` bytes, to be read.
  public init(lengthSize: Int) { self.lengthSize = min(max(lengthSize, 1), 4) }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.arrayWhileBitsLeft(
      "constructors", &constructors, minimumBits: 16, new: Constructor(lengthSize: lengthSize))
  }

  /// One piece of what an extractor stands for.
  public struct Constructor: FieldLayout {
    /// Where the piece comes from.
    public var type = ConstructorType.sample
    /// The track, by its place among the references of type `scal`, from 1.
    public var trackReferenceIndex: UInt8 = 1
    /// The sample: 0 is the one that is decoded at the time of the extractor's, -1 the one before it.
    public var sampleOffset: Int8 = 0
    /// The first byte in that sample.
    public var dataOffset: UInt32 = 0
    /// How many bytes; 0 is the one NAL unit that begins there, with its length.
    public var dataLength: UInt32 = 0
    /// Bytes that are in the extractor itself.
    public var inlineData = ByteView()
    var lengthSize = 4

    public init() {}

    /// A constructor of a track whose NAL unit lengths take `lengthSize` bytes.
    public init(lengthSize: Int) { self.lengthSize = min(max(lengthSize, 1), 4) }

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.code("constructor_type", &type, bits: 8, .named(ConstructorType.name(of:)))
      switch type {
      case .sample:
        try c.u8("track_ref_index", &trackReferenceIndex)
        try c.signed("sample_offset", &sampleOffset, bits: 8, in: nil, .decimal)
        try c.u("data_offset", &dataOffset, lengthSize * 8)
        try c.u("data_length", &dataLength, lengthSize * 8)
      case .inline:
        var length = UInt8(clamping: inlineData.count)
        try c.u8("length", &length)
        try c.bytes("inline_data", &inlineData, count: Int(length))
      default:
        throw c.failure(.invalid("is a constructor that is not known"), "constructor_type")
      }
    }
  }

  /// Where a piece of what an extractor stands for comes from.
  public struct ConstructorType: RawRepresentable, Hashable, Sendable {
    /// The code.
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A sample of another track.
    public static let sample = ConstructorType(rawValue: 0)
    /// The extractor itself.
    public static let inline = ConstructorType(rawValue: 2)

    @Sendable static func name(of value: Int64) -> String? {
      switch value {
      case 0: "sample"
      case 2: "inline"
      default: nil
      }
    }
  }
}
