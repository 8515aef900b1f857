// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What follows the header of an extractor: a NAL unit in a sample that is replaced by bytes of other samples.
/// ISO/IEC 14496-15, A.3
public struct Extractor: FieldLayout {
  /// The pieces that replace the extractor, in order.
  public var constructors: [Constructor] = []
  /// How many bytes lengths and offsets take: as many as the track's NAL unit lengths. Set before coding.
  public var lengthSize = 4

  public init() {}

  /// An extractor to be read from a track whose NAL unit lengths take `lengthSize` bytes.
  public init(lengthSize: Int) { self.lengthSize = min(max(lengthSize, 1), 4) }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.arrayWhileBitsLeft(
      "constructors", &constructors, minimumBits: 16, new: Constructor(lengthSize: lengthSize))
  }

  /// One piece of the bytes that replace an extractor.
  public struct Constructor: FieldLayout {
    /// Where the piece comes from.
    public var type = ConstructorType.sample
    /// The track, as a 1-based index into the references of type `scal`.
    public var trackReferenceIndex: UInt8 = 1
    /// The sample: 0 for the one with the same decoding time as the extractor's sample, -1 for the previous one.
    public var sampleOffset: Int8 = 0
    /// The offset of the first byte in that sample.
    public var dataOffset: UInt32 = 0
    /// The number of bytes; 0 for the one NAL unit that begins there, with its length.
    public var dataLength: UInt32 = 0
    /// The bytes, if they are in the extractor itself.
    public var inlineData = ByteView()
    var lengthSize = 4

    public init() {}

    /// A constructor in a track whose NAL unit lengths take `lengthSize` bytes.
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
        throw c.failure(.invalid("is not a known constructor"), "constructor_type")
      }
    }
  }

  /// Where a piece of the bytes that replace an extractor comes from.
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
