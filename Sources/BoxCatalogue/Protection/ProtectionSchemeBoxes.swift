// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `frma`: the original type of a protected or restricted sample entry, or the codec of a QuickTime sound track.
public struct OriginalFormatBox: BoxPayload {
  public static let info = BoxInfo(
    ["frma"], name: "original format", "ISO/IEC 14496-12, 8.12.3; QuickTime File Format, Sound",
    "The original type of a protected or restricted sample entry, or the codec of a QuickTime sound track.")

  /// The type.
  public var dataFormat: FourCC = "hvc1"

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fourCC("data_format", &dataFormat)
  }
}

/// `schm` and `csch`: the scheme by which the samples are protected or restricted. `csch` names another compatible
/// one.
public struct SchemeTypeBox: FullBox {
  public static let info = BoxInfo(
    ["schm", "csch"], name: "scheme type", "ISO/IEC 14496-12, 8.12.6, 8.15.5",
    "The scheme by which the samples are protected or restricted.", versions: 0...0)

  /// 1 means that a URI follows.
  public var flags: UInt32 = 0
  /// The scheme: `cenc`, `cbcs`, `stvi`, …
  public var schemeType: FourCC = "cenc"
  /// The version of the scheme.
  public var schemeVersion: UInt32 = 0x0001_0000
  /// Where to find out more about the scheme; `nil` if not given.
  public var schemeURI: TerminatedString?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.fourCC("scheme_type", &schemeType)
    try c.u32("scheme_version", &schemeVersion, .hexadecimal)
    try c.terminatedString("scheme_uri", &schemeURI, if: flags & 1 != 0)
  }
}

/// `tenc`: the defaults of a track's encryption.
public struct TrackEncryptionBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["tenc"], name: "track encryption", in: [.box("schi")], "ISO/IEC 23001-7, 8.2",
    "The defaults of a track's encryption.", versions: 0...1)

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// A byte that should be 0.
  public var reserved: UInt8 = 0
  /// The second byte of version 0, which should be 0.
  public var reservedPattern: UInt8 = 0
  /// How many 16-byte blocks of a pattern are encrypted, in version 1.
  public var cryptByteBlock: UInt8 = 0
  /// How many blocks of a pattern are not encrypted, in version 1.
  public var skipByteBlock: UInt8 = 0
  /// Whether samples are encrypted unless a sample group specifies otherwise.
  public var isProtected: UInt8 = 1
  /// The size in bytes of a sample's initialisation vector; 0 means the constant one.
  public var perSampleIVSize: UInt8 = 8
  /// The ID of the key.
  public var keyID = ByteView.sixteenZeros
  /// The initialisation vector of all samples; `nil` if each has its own.
  public var constantIV: ByteView?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.reserved("reserved", &reserved, bits: 8, expecting: 0)
    if version == 0 {
      try c.reserved("reserved2", &reservedPattern, bits: 8, expecting: 0)
    } else {
      try c.u("default_crypt_byte_block", &cryptByteBlock, 4)
      try c.u("default_skip_byte_block", &skipByteBlock, 4)
    }
    try c.u8("default_isProtected", &isProtected)
    try c.u8("default_Per_Sample_IV_Size", &perSampleIVSize)
    try c.bytes("default_KID", &keyID, count: 16, .uuid)
    if isProtected == 1, perSampleIVSize == 0 {
      var iv = constantIV ?? ByteView()
      var size = UInt8(clamping: iv.count)
      try c.u8("default_constant_IV_size", &size)
      try c.bytes("default_constant_IV", &iv, count: Int(size))
      constantIV = iv
    }
  }
}

/// `pssh`: the data that a protection system needs to obtain the keys.
public struct ProtectionSystemSpecificHeaderBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["pssh"], name: "protection system specific header", "ISO/IEC 23001-7, 8.1",
    "The data that a protection system needs to obtain the keys.", versions: 0...1)

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The ID of the protection system.
  public var systemID = ByteView.sixteenZeros
  /// The IDs of the keys that it applies to, in version 1.
  public var keyIDs: [ByteView] = []
  /// The data of the protection system.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.bytes("SystemID", &systemID, count: 16, .uuid)
    if version == 1 {
      var count = UInt32(clamping: keyIDs.count)
      try c.u32("KID_count", &count)
      try c.array("KID", &keyIDs, count: count, minimumBits: 128, new: ByteView()) {
        c, key throws(ParseError) in
        try c.bytes("KID", &key, count: 16, .uuid)
      }
    }
    var size = UInt32(clamping: data.count)
    try c.u32("DataSize", &size)
    try c.bytes("Data", &data, count: Int(clamping: size))
  }
}

/// `stvi`: how the two views are packed into each frame of a stereoscopic video.
public struct StereoVideoBox: FullBox {
  public static let info = BoxInfo(
    ["stvi"], name: "stereo video", in: [.box("schi")], "ISO/IEC 14496-12, 8.15.4.2",
    "How the two views are packed into each frame of a stereoscopic video.",
    versions: 0...0, childrenFollow: true)

  public var flags: UInt32 = 0
  /// Thirty bits that should be 0.
  public var reserved: UInt32 = 0
  /// Which views may be shown alone: bit 0 the right one, bit 1 the left one.
  public var singleViewAllowed: UInt8 = 0
  /// The scheme: 1 that of the frame packing SEI message, 2 ISO/IEC 13818-2, 3 ISO/IEC 23000-11.
  public var stereoScheme: UInt32 = 1
  /// The arrangement, in the coding of the scheme.
  public var stereoIndicationType = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.reserved("reserved", &reserved, bits: 30, expecting: 0)
    try c.u("single_view_allowed", &singleViewAllowed, 2)
    try c.u32("stereo_scheme", &stereoScheme)
    var length = UInt32(clamping: stereoIndicationType.count)
    try c.u32("length", &length)
    try c.bytes("stereo_indication_type", &stereoIndicationType, count: Int(clamping: length))
  }
}

/// `seii`: which SEI messages a player must support to show a restricted video, and which it may ignore.
public struct SEIInformationBox: BoxPayload {
  public static let info = BoxInfo(
    ["seii"], name: "SEI information", in: [.box("schi"), .visualSampleEntry], "ISO/IEC 14496-15, 4.9",
    "Which SEI messages a player must support to show a restricted video, and which it may ignore.")

  /// The payload types of messages that must be supported.
  public var requiredSEI: [UInt16] = []
  /// The payload types of messages that need not be supported.
  public var notRequiredSEI: [UInt16] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var required = UInt16(clamping: requiredSEI.count)
    try c.u16("numRequiredSEIs", &required)
    try c.array("requiredSEI_ID", &requiredSEI, count: required, bits: 16)
    var others = UInt16(clamping: notRequiredSEI.count)
    try c.u16("numNotRequiredSEIs", &others)
    try c.array("notrequiredSEI_ID", &notRequiredSEI, count: others, bits: 16)
  }
}
