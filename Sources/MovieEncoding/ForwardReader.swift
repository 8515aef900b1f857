// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess

/// Reads a source once, from beginning to end.
struct ForwardReader {
  private let source: any ByteSource
  private var position: UInt64 = 0
  /// Bytes that were read and not taken.
  private var pending = ByteView()
  /// How many bytes are read at a time: what a pipe gives without a copy.
  private static let piece = 1 << 20

  init(_ source: any ByteSource) { self.source = source }

  /// The name of the source in errors.
  var name: String { source.name ?? "the source" }

  /// How many bytes there are; `nil` of a pipe.
  var size: UInt64? { source.size }

  /// Where the next byte is in the source.
  var offset: UInt64 { position - UInt64(pending.count) }

  /// The next bytes without taking them; fewer at the end.
  mutating func peek(_ count: Int) throws(SourceError) -> ByteView {
    guard pending.count < count else { return pending.prefix(count) }
    var pieces = [pending]
    var missing = count - pending.count
    while missing > 0 {
      let next = try source.read(position..<(position + UInt64(min(missing, Self.piece))))
      guard !next.isEmpty else { break }
      pieces.append(next)
      position += UInt64(next.count)
      missing -= next.count
    }
    pending = pieces.count == 2 && pieces[0].isEmpty ? pieces[1] : ByteView(joining: pieces, fileOffset: 0)
    return pending.prefix(count)
  }

  /// Takes bytes; fewer at the end.
  mutating func take(_ count: Int) throws(SourceError) -> ByteView {
    let bytes = try peek(count)
    pending = pending.suffix(from: bytes.count)
    return bytes
  }

  /// Takes a line without its line feed; `nil` if it does not end within `limit` bytes.
  mutating func line(limit: Int) throws(SourceError) -> String? {
    let start = try peek(limit)
    guard let end = (0..<start.count).first(where: { start[$0] == 0x0A }) else { return nil }
    let text = String(decoding: start.prefix(end).array, as: UTF8.self)
    pending = pending.suffix(from: end + 1)
    return text
  }
}
