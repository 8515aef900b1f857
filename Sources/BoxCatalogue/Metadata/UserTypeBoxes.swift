// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// The known `uuid` boxes, by their user type in hexadecimal. The user type belongs to the header of the box.
let userTypeBoxes: [(uuid: String, registration: BoxRegistration)] = [
  ("6d1d9b0542d544e680e2141daff757b2", BoxRegistration(rare: FragmentTimeBox.self)),
  ("d4807ef2ca3946958e5426cb9e46a79f", BoxRegistration(rare: FragmentLookAheadBox.self)),
  ("a2394f525a9b4f14a2446c427c648df4", BoxRegistration(rare: PIFFSampleEncryptionBox.self)),
  ("8974dbce7be74c5184f97148f9882554", BoxRegistration(rare: PIFFTrackEncryptionBox.self)),
  ("d08a4f1810f34a82b6c832d8aba183d3", BoxRegistration(rare: PIFFProtectionSystemBox.self)),
  ("be7acfcb97a942e89c71999491e3afac", BoxRegistration(rare: XMPBox.self)),
  ("ffcc8263f8554a938814587a02521fdd", BoxRegistration(rare: SphericalVideoV1Box.self)),
  ("6b6840f25f244fc5ba39a51bcf0323f3", BoxRegistration(rare: IPodBox.self)),
]

/// `tfxd`: the start and the duration of a Smooth Streaming fragment.
public struct FragmentTimeBox: VersionedFullBox {
  public static let info = BoxInfo(
    [], name: "fragment time", "Smooth Streaming Protocol, 2.2.4.4",
    "The start and the duration of a Smooth Streaming fragment.", versions: 0...1)

  public var version: UInt8 = 1
  public var flags: UInt32 = 0
  /// The start of the fragment, in units of the track's timescale.
  public var absoluteTime: UInt64 = 0
  /// The duration of the fragment, in units of the track's timescale.
  public var duration: UInt64 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.u32or64("fragment_absolute_time", &absoluteTime, wide: version == 1)
    try c.u32or64("fragment_duration", &duration, wide: version == 1)
  }
}

/// `tfrf`: the start and the duration of each of the following fragments.
public struct FragmentLookAheadBox: VersionedFullBox {
  public static let info = BoxInfo(
    [], name: "fragment look ahead", "Smooth Streaming Protocol, 2.2.4.5",
    "The start and the duration of each of the following fragments.", versions: 0...1)

  /// One fragment.
  public struct Fragment: Hashable, Sendable {
    /// The start of the fragment, in units of the track's timescale.
    public var absoluteTime: UInt64 = 0
    /// The duration of the fragment, in units of the track's timescale.
    public var duration: UInt64 = 0
    /// Makes a fragment.
    public init(absoluteTime: UInt64 = 0, duration: UInt64 = 0) {
      self.absoluteTime = absoluteTime
      self.duration = duration
    }
  }

  public var version: UInt8 = 1
  public var flags: UInt32 = 0
  /// The fragments.
  public var fragments: [Fragment] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    let isWide = version == 1
    var count = UInt8(clamping: fragments.count)
    try c.u8("fragment_count", &count)
    try c.array(
      "fragments", &fragments, count: count, minimumBits: isWide ? 128 : 64, new: Fragment()
    ) { c, fragment throws(ParseError) in
      c.beginStructure("fragment")
      try c.u32or64("fragment_absolute_time", &fragment.absoluteTime, wide: isWide)
      try c.u32or64("fragment_duration", &fragment.duration, wide: isWide)
      c.endScope()
    }
  }
}

/// The sample encryption box of PIFF: how each sample is encrypted, optionally with a key other than the track's.
/// Otherwise it is like `senc`.
public struct PIFFSampleEncryptionBox: FullBox {
  public static let info = BoxInfo(
    [], name: "PIFF sample encryption", "Portable encoding of audio-video objects (PIFF), 5.3.2",
    "How each sample is encrypted, optionally with a key other than the track's.", versions: 0...0)

  /// Values that replace the defaults of the track.
  public struct Override: FieldLayout {
    /// The algorithm: 0 none, 1 AES-CTR, 2 AES-CBC.
    public var algorithmID: UInt32 = 1
    /// The size of an initialisation vector in bytes.
    public var initializationVectorSize: UInt8 = 8
    /// The ID of the key.
    public var keyID = ByteView.sixteenZeros
    /// Makes values with a key ID of zeros.
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u24("AlgorithmID", &algorithmID)
      try c.u8("IV_size", &initializationVectorSize)
      try c.bytes("KID", &keyID, count: 16, .uuid)
    }
  }

  /// A sum of 1 for values that replace the defaults, and 2 for sub-samples.
  public var flags: UInt32 = 2
  /// The values that replace the defaults; `nil` if there are none.
  public var override: Override?
  /// The number of samples.
  public var sampleCount: UInt32 = 0
  /// The entries of the samples, as bytes: the size of an initialisation vector is unknown here.
  public var entries = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.group("override", &override, if: flags & 1 != 0)
    try c.u32("sample_count", &sampleCount)
    try c.remainder("samples", &entries)
  }

  /// The samples, decoded with this size of initialisation vectors; `nil` if the bytes do not match it.
  public func samples(initializationVectorSize size: Int) -> [SampleEncryptionEntry]? {
    SampleEncryptionEntry.read(
      entries, count: sampleCount, initializationVectorSize: size, hasSubsamples: flags & 2 != 0)
  }
}

/// The track encryption box of PIFF: the defaults of a track's encryption.
public struct PIFFTrackEncryptionBox: FullBox {
  public static let info = BoxInfo(
    [], name: "PIFF track encryption", "Portable encoding of audio-video objects (PIFF), 5.3.3",
    "The defaults of a track's encryption.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The defaults.
  public var defaults = PIFFSampleEncryptionBox.Override()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.group("default", &defaults)
  }
}

/// The protection system box of PIFF: the data that a protection system needs to obtain the keys. It is like `pssh`.
public struct PIFFProtectionSystemBox: FullBox {
  public static let info = BoxInfo(
    [], name: "PIFF protection system", "Portable encoding of audio-video objects (PIFF), 5.3.1",
    "The data that a protection system needs to obtain the keys.", versions: 0...0)

  public var flags: UInt32 = 0
  /// The ID of the protection system.
  public var systemID = ByteView.sixteenZeros
  /// The data of the protection system.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.bytes("SystemID", &systemID, count: 16, .uuid)
    var size = UInt32(clamping: data.count)
    try c.u32("DataSize", &size)
    try c.bytes("Data", &data, count: Int(clamping: size))
  }
}

/// An XMP packet.
public struct XMPBox: BoxPayload {
  public static let info = BoxInfo([], name: "XMP", "XMP Specification Part 3, MPEG-4", "An XMP packet.")

  /// The packet, in XML.
  public var packet = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.remainder("packet", &packet, .text)
  }
}

/// Spherical video metadata, version 1: how a spherical video is projected and how its views are packed, as XML.
public struct SphericalVideoV1Box: BoxPayload {
  public static let info = BoxInfo(
    [], name: "Spherical Video V1", "Spherical Video RFC, version 1",
    "How a spherical video is projected and how its views are packed, as XML.")

  /// The document.
  public var xml = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.remainder("xml", &xml, .text)
  }
}

/// A marker that early iPods require in streams of higher levels.
public struct IPodBox: BoxPayload {
  public static let info = BoxInfo(
    [], name: "iPod", "Apple, as found in files",
    "A marker that early iPods require in streams of higher levels.")

  /// A number that is always 0.
  public var value: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.u32("value", &value) }
}
