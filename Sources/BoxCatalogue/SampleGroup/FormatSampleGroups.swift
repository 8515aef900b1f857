// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
import ISOBMFF

/// `seig`: the encryption of the samples of a group, if it differs from that of the track.
public struct EncryptionInformationEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["seig"], name: "encryption information", "ISO/IEC 23001-7, 6",
    "The encryption of the samples of a group, if it differs from that of the track.")

  /// A byte that should be 0.
  public var reserved: UInt8 = 0
  /// How many 16-byte blocks of a pattern are encrypted.
  public var cryptByteBlock: UInt8 = 0
  /// How many blocks of a pattern are not encrypted.
  public var skipByteBlock: UInt8 = 0
  /// Whether the samples are encrypted.
  public var isProtected: UInt8 = 1
  /// The size in bytes of a sample's initialisation vector; 0 means the constant one.
  public var perSampleIVSize: UInt8 = 8
  /// The ID of the key.
  public var keyID = ByteView.sixteenZeros
  /// The initialisation vector of all samples; `nil` if each has its own.
  public var constantIV: ByteView?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.reserved("reserved", &reserved, bits: 8, expecting: 0)
    try c.u("crypt_byte_block", &cryptByteBlock, 4)
    try c.u("skip_byte_block", &skipByteBlock, 4)
    try c.u8("isProtected", &isProtected)
    try c.u8("Per_Sample_IV_Size", &perSampleIVSize)
    try c.bytes("KID", &keyID, count: 16, .uuid)
    if isProtected == 1, perSampleIVSize == 0 {
      var iv = constantIV ?? ByteView()
      var size = UInt8(clamping: iv.count)
      try c.u8("constant_IV_size", &size)
      try c.bytes("constant_IV", &iv, count: Int(size))
      constantIV = iv
    }
  }
}

/// `stmi`: metadata items that describe the samples.
public struct SampleToMetadataItemEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["stmi"], name: "sample to metadata item", "ISO/IEC 14496-12, 10.12",
    "Metadata items that describe the samples.")

  /// The handler of the `meta` that contains the items.
  public var handlerType: FourCC = "pict"
  /// The IDs of the items.
  public var itemIDs: [UInt32] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fourCC("meta_box_handler_type", &handlerType)
    try c.array("item_id", &itemIDs, countedBy: "num_items", UInt32.self, bits: 32)
  }
}

/// `pasr`: the aspect ratio of pixels, if it changes within a track.
public struct PixelAspectRatioEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["pasr"], name: "pixel aspect ratio", "ISO/IEC 14496-12, 10.13",
    "The aspect ratio of pixels, if it changes within a track.")

  /// The relative width of a pixel.
  public var hSpacing: UInt32 = 1
  /// The relative height of a pixel.
  public var vSpacing: UInt32 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("hSpacing", &hSpacing)
    try c.u32("vSpacing", &vSpacing)
  }
}

/// `casg`: the part of the pictures that is meant to be shown, if it changes within a track.
public struct CleanApertureEntry: SampleGroupEntry {
  public static let info = SampleGroupInfo(
    ["casg"], name: "clean aperture", "ISO/IEC 14496-12, 10.14",
    "The part of the pictures that is meant to be shown, if it changes within a track.")

  /// The numerator of the width.
  public var widthNumerator: UInt32 = 0
  /// The denominator of the width.
  public var widthDenominator: UInt32 = 1
  /// The numerator of the height.
  public var heightNumerator: UInt32 = 0
  /// The denominator of the height.
  public var heightDenominator: UInt32 = 1
  /// The numerator of the horizontal offset of the centre.
  public var horizontalOffsetNumerator: Int32 = 0
  /// The denominator of the horizontal offset of the centre.
  public var horizontalOffsetDenominator: UInt32 = 1
  /// The numerator of the vertical offset of the centre.
  public var verticalOffsetNumerator: Int32 = 0
  /// The denominator of the vertical offset of the centre.
  public var verticalOffsetDenominator: UInt32 = 1

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u32("cleanApertureWidthN", &widthNumerator)
    try c.u32("cleanApertureWidthD", &widthDenominator)
    try c.u32("cleanApertureHeightN", &heightNumerator)
    try c.u32("cleanApertureHeightD", &heightDenominator)
    try c.i32("horizOffN", &horizontalOffsetNumerator)
    try c.u32("horizOffD", &horizontalOffsetDenominator)
    try c.i32("vertOffN", &verticalOffsetNumerator)
    try c.u32("vertOffD", &verticalOffsetDenominator)
  }
}
