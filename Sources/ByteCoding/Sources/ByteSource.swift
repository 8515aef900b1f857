// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Why bytes could not be fetched.
public struct SourceError: Error, Hashable, Sendable {
  /// What happened.
  public var reason: String
}

/// Somewhere bytes can be read from by their position.
public protocol ByteSource: Sendable {
  /// How many bytes there are, where that is known.
  var size: UInt64? { get }
  /// The bytes at `range`, fewer only at the end of the data.
  func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView
}

/// Bytes that are in memory.
public struct MemoryBytes: ByteSource {
  let bytes: ByteView
  /// Serves `bytes`.
  public init(_ bytes: ByteView) { self.bytes = bytes }
  public var size: UInt64? { UInt64(bytes.count) }
  public func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    bytes.suffix(from: Int(clamping: range.lowerBound)).prefix(range.count)
  }
}
