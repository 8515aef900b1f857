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

/// An output for dry runs, which keeps the beginning of the data and only the number of further bytes.
final class DraftOutput: MediaOutput {
  private static let keptBytes = 1 << 24

  private var pieces: [ByteView] = []
  private var kept = 0
  private(set) var position: UInt64 = 0

  /// Whether all bytes are kept.
  var isComplete: Bool { UInt64(kept) == position }

  func write(_ bytes: ByteView) throws(SourceError) {
    let room = bytes.prefix(Self.keptBytes - kept)
    if !room.isEmpty { pieces.append(room.copy()) }
    kept += room.count
    position &+= UInt64(bytes.count)
  }

  func writePiece(_ bytes: ByteView) throws(SourceError) { try write(bytes) }

  func replacePiece(at offset: UInt64, with bytes: ByteView) throws(SourceError) {
    var all = ByteView(joining: pieces, fileOffset: 0).array
    let start = Int(clamping: offset)
    guard start + bytes.count <= all.count else { return }
    all.replaceSubrange(start..<(start + bytes.count), with: bytes.array)
    pieces = [ByteView(all)]
  }

  func soFar() throws(SourceError) -> any ByteSource {
    try ConcatenatedBytes([
      MemoryBytes(ByteView(joining: pieces, fileOffset: 0)), ZeroBytes(count: position - UInt64(kept)),
    ])
  }

  func complete(with bytes: ByteView) throws(SourceError) -> any ByteSource {
    try ConcatenatedBytes([try soFar(), MemoryBytes(bytes)])
  }
}
