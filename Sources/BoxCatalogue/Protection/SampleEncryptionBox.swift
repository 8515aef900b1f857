// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `senc`: the initialisation vector of each sample, and which of its bytes are encrypted.
///
/// The size of the vectors is specified elsewhere (`tenc`, `seig`), so the entries are kept as bytes until
/// ``samples(initializationVectorSize:)`` is called.
public struct SampleEncryptionBox: FullBox {
  public static let info = BoxInfo(
    ["senc"], name: "sample encryption", in: [.box("traf"), .box("stbl"), .box("trak")],
    "ISO/IEC 23001-7, 7.2", "The initialisation vector of each sample, and which of its bytes are encrypted.",
    versions: 0...0)

  /// 2 means that sub-samples are listed.
  public var flags: UInt32 = 2
  /// The number of samples.
  public var sampleCount: UInt32 = 0
  /// The entries of the samples, as bytes.
  public var entries = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.u32("sample_count", &sampleCount)
    try c.remainder("samples", &entries)
  }

  /// The samples, decoded with this size of initialisation vectors; `nil` if the bytes do not match it.
  public func samples(initializationVectorSize size: Int) -> [SampleEncryptionEntry]? {
    SampleEncryptionEntry.read(
      entries, count: sampleCount, initializationVectorSize: size, hasSubsamples: flags & 2 != 0)
  }
}

/// How one sample is encrypted. ISO/IEC 23001-7, 7.2
public struct SampleEncryptionEntry: Hashable, Sendable {
  /// A range of clear bytes, followed by encrypted ones.
  public struct Subsample: PackedRecord {
    /// The number of clear bytes.
    public var bytesOfClearData: UInt16 = 0
    /// The number of encrypted bytes that follow.
    public var bytesOfProtectedData: UInt32 = 0
    @inlinable
    public static var stride: Int { 6 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("BytesOfClearData", &bytesOfClearData)
      try c.u32("BytesOfProtectedData", &bytesOfProtectedData)
    }
  }

  /// The initialisation vector; empty if it is constant.
  public var initializationVector: ByteView
  /// The sub-samples; `nil` if the whole sample is encrypted.
  public var subsamples: PackedTable<Subsample>?

  /// Reads `count` entries; `nil` if the number of bytes does not match exactly.
  static func read(
    _ bytes: ByteView, count: UInt32, initializationVectorSize size: Int, hasSubsamples: Bool
  ) -> [SampleEncryptionEntry]? {
    guard size >= 0, size <= 16 else { return nil }
    let least = size + (hasSubsamples ? 2 : 0)
    // Nothing is stored for each sample: the count may be any number, but no entry is worth keeping.
    if least == 0 { return bytes.isEmpty ? [] : nil }
    guard Int(clamping: count) <= bytes.count / least else { return nil }
    var entries: [SampleEncryptionEntry] = []
    entries.reserveCapacity(Int(clamping: count))
    var position = 0
    for _ in 0..<count {
      guard let vector = bytes.slice(position..<(position &+ size)) else { return nil }
      position &+= size
      var entry = SampleEncryptionEntry(initializationVector: vector, subsamples: nil)
      if hasSubsamples {
        guard let parts = bytes.bigEndian(at: position, width: 2) else { return nil }
        position &+= 2
        let length = Int(truncatingIfNeeded: parts) &* Subsample.stride
        guard let rows = bytes.slice(position..<(position &+ length)) else { return nil }
        position &+= length
        entry.subsamples = PackedTable(rows)
      }
      entries.append(entry)
    }
    return position == bytes.count ? entries : nil
  }
}
