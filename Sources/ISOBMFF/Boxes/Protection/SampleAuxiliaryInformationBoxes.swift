// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `saiz`: the size of the auxiliary information of each sample.
public struct SampleAuxiliaryInformationSizesBox: FullBox {
  public static let info = BoxInfo(
    ["saiz"], name: "sample auxiliary information sizes", in: [.box("stbl"), .box("traf")],
    "ISO/IEC 14496-12, 8.7.8", "The size of the auxiliary information of each sample.", versions: 0...0)

  /// 1 means that the type is given.
  public var flags: UInt32 = 0
  /// The kind of information: the scheme of the encryption, or another type; `nil` if not given.
  public var auxInfoType: FourCC?
  /// A number that distinguishes information of the same type; `nil` if not given.
  public var auxInfoTypeParameter: UInt32?
  /// The size for all samples in bytes; 0 if each has its own.
  public var defaultSampleInfoSize: UInt8 = 8
  /// The number of samples that have a size.
  public var sampleCount: UInt32 = 0
  /// The sizes, one byte per sample; `nil` if there is a default.
  public var sampleInfoSizes: ByteView?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCC("aux_info_type", &auxInfoType, if: flags & 1 != 0)
    try c.u("aux_info_type_parameter", &auxInfoTypeParameter, 32, if: flags & 1 != 0)
    try c.u8("default_sample_info_size", &defaultSampleInfoSize)
    try c.u32("sample_count", &sampleCount)
    if defaultSampleInfoSize == 0 {
      var sizes = sampleInfoSizes ?? ByteView()
      try c.bytes("sample_info_size", &sizes, count: Int(clamping: sampleCount))
      sampleInfoSizes = sizes
    }
  }

  /// The size of the information of the sample at `index`; `nil` outside.
  public func size(ofSample index: Int) -> Int? {
    guard index >= 0, index < Int(clamping: sampleCount) else { return nil }
    guard defaultSampleInfoSize == 0 else { return Int(defaultSampleInfoSize) }
    return sampleInfoSizes?[index].map { Int($0) }
  }
}

/// `saio`: the location of the auxiliary information of the samples.
public struct SampleAuxiliaryInformationOffsetsBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["saio"], name: "sample auxiliary information offsets", in: [.box("stbl"), .box("traf")],
    "ISO/IEC 14496-12, 8.7.9", "The location of the auxiliary information of the samples.", versions: 0...1)

  public var version: UInt8 = 0
  /// 1 means that the type is given.
  public var flags: UInt32 = 0
  /// The kind of information; `nil` if not given.
  public var auxInfoType: FourCC?
  /// A number that distinguishes information of the same type; `nil` if not given.
  public var auxInfoTypeParameter: UInt32?
  /// One offset for all samples, or one per chunk or run: in a fragment relative to its base, otherwise to the
  /// start of the file.
  public var offsets: [UInt64] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.fourCC("aux_info_type", &auxInfoType, if: flags & 1 != 0)
    try c.u("aux_info_type_parameter", &auxInfoTypeParameter, 32, if: flags & 1 != 0)
    try c.array("offset", &offsets, countedBy: "entry_count", UInt32.self, bits: version == 0 ? 32 : 64)
  }
}
