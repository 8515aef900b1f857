// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// A file that is already in memory.
public struct MemoryBytes: ByteSource, Hashable {
  /// All of it, from offset 0 on.
  public let bytes: ByteView

  /// A file of these bytes, from offset 0 on, whatever their file offset was before.
  public init(_ bytes: ByteView) {
    self.bytes = bytes.fileRange == 0..<bytes.count ? bytes : bytes.copy(at: 0)
  }

  /// A file of these bytes.
  public init(_ bytes: some Collection<UInt8>) { self.bytes = ByteView(bytes) }

  public var size: UInt64? { UInt64(bytes.count) }

  public func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    let end = Int(clamping: min(range.upperBound, UInt64(bytes.count)))
    guard range.lowerBound < UInt64(end) else { return .empty(at: range.lowerBound) }
    return bytes.slice(Int(range.lowerBound)..<end) ?? .empty(at: range.lowerBound)
  }
}
