// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess

/// An output for the media data of a movie whose tables are not known yet.
protocol MediaOutput: AnyObject {
  /// The number of bytes so far.
  var position: UInt64 { get }
  /// Appends bytes.
  func write(_ bytes: ByteView) throws(SourceError)
  /// Appends bytes that are replaced later.
  func writePiece(_ bytes: ByteView) throws(SourceError)
  /// Replaces bytes that ``writePiece(_:)`` wrote.
  func replacePiece(at offset: UInt64, with bytes: ByteView) throws(SourceError)
  /// Returns a source of the bytes so far.
  func soFar() throws(SourceError) -> any ByteSource
  /// Returns a source of the bytes so far, followed by other bytes.
  func complete(with bytes: ByteView) throws(SourceError) -> any ByteSource
}

extension SafeOutput: MediaOutput {
  func soFar() throws(SourceError) -> any ByteSource { try reader() }

  func complete(with bytes: ByteView) throws(SourceError) -> any ByteSource {
    try write(bytes)
    return try reader()
  }
}

/// An output in memory: it keeps the beginning of the data, and only the number of further bytes.
final class DraftOutput: MediaOutput {
  /// The position of the first byte.
  private let start: UInt64
  private let keptBytes: Int
  private var kept: [UInt8] = []
  private(set) var position: UInt64

  /// Makes an output whose data begin at a position.
  ///
  /// - Parameters:
  ///   - start: the position of the first byte.
  ///   - keptBytes: how many bytes are kept at most; by default what a dry run needs.
  init(at start: UInt64 = 0, keeping keptBytes: Int = 1 << 24) {
    (self.start, self.keptBytes) = (start, keptBytes)
    position = start
  }

  /// Whether all bytes are kept.
  var isComplete: Bool { UInt64(kept.count) == position - start }

  func write(_ bytes: ByteView) throws(SourceError) {
    kept += bytes.prefix(keptBytes - kept.count).array
    position &+= UInt64(bytes.count)
  }

  func writePiece(_ bytes: ByteView) throws(SourceError) { try write(bytes) }

  func replacePiece(at offset: UInt64, with bytes: ByteView) throws(SourceError) {
    let first = Int(clamping: offset - start)
    guard first + bytes.count <= kept.count else { return }
    kept.replaceSubrange(first..<(first + bytes.count), with: bytes.array)
  }

  func soFar() throws(SourceError) -> any ByteSource {
    try ConcatenatedBytes([
      MemoryBytes(ByteView(kept)), ZeroBytes(count: position - start - UInt64(kept.count)),
    ])
  }

  func complete(with bytes: ByteView) throws(SourceError) -> any ByteSource {
    try ConcatenatedBytes([try soFar(), MemoryBytes(bytes)])
  }
}
