// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Where a movie is written to: a file, memory, or a destination of a program's choice. Bytes arrive in order,
/// each once.
public protocol ByteOutput {
  /// Writes bytes after those written before.
  mutating func write(_ bytes: ByteView) throws(SourceError)

  /// Writes a range of a source unchanged. An output that can copy without reading, as between two files of one
  /// file system, does so here; the default implementation reads and writes pieces of at most 1 MiB.
  mutating func copy(_ range: Range<UInt64>, of source: any ByteSource) throws(SourceError)
}

extension ByteOutput {
  /// Reads pieces of at most 1 MiB and writes them.
  public mutating func copy(_ range: Range<UInt64>, of source: any ByteSource) throws(SourceError) {
    var position = range.lowerBound
    while position < range.upperBound {
      let count = Int(clamping: min(range.upperBound - position, 1 << 20))
      let bytes = try source.read(at: position, count: count)
      guard bytes.count == count else {
        throw SourceError(
          .other("the source ends \(count - bytes.count) bytes early"),
          offset: position &+ UInt64(bytes.count),
          advice: "It has become shorter since it was opened.")
      }
      try write(bytes)
      position &+= UInt64(count)
    }
  }
}

/// An output that keeps everything written to it in memory.
public struct MemoryOutput: ByteOutput {
  /// What has been written.
  public private(set) var bytes: [UInt8] = []

  /// Starts empty.
  public init() {}

  /// Starts empty, with room for `count` bytes.
  package init(reserving count: Int) { bytes.reserveCapacity(count) }

  public mutating func write(_ bytes: ByteView) throws(SourceError) { self.bytes.append(contentsOf: bytes) }
}
