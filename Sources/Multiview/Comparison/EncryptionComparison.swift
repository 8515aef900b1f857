// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// Compares what is needed to decrypt the samples of two tracks, apart from the key: initialization vectors, and which parts of
/// samples are encrypted (`senc`). It does not matter into how many boxes they are divided.
enum EncryptionComparison {
  static func compare(
    _ first: Track, _ second: Track, _ budget: WorkBudget, _ found: inout FoundDifferences
  ) throws(SourceError) {
    guard first.isProtected, second.isProtected else { return }
    guard let old = try text(of: first, budget), let new = try text(of: second, budget) else {
      return found.note(
        "track \(first.id) is encrypted, and has initialization vectors outside of senc boxes, which are not compared"
      )
    }
    found.add(.samples, "initialization vectors and encrypted parts", old, new, first.id)
  }

  /// A text that identifies the contents of the boxes of a track; `nil` if they are incomplete, or the budget is exhausted.
  private static func text(of track: Track, _ budget: WorkBudget) throws(SourceError) -> String? {
    var stream = BlockHash()
    var described = 0
    let source = track.context.source
    for (container, samples) in try SampleContainers(track) where !samples.isEmpty {
      guard let box = container.first("senc") else {
        // Sizes and places without a box: what they point to is elsewhere in the file.
        if container.first("saiz") != nil || container.first("saio") != nil { return nil }
        continue
      }
      let end = UInt64(clamping: box.fileRange.upperBound)
      // Version and flags say how the rest is written; then comes the number of samples.
      let start = UInt64(clamping: box.offset + box.headerSize)
      guard budget.admits(.bytes(box.size), at: start), end >= start + 8 else { return nil }
      let head = try source.read(start..<start + 8)
      guard let flags = head.bigEndian(at: 0, width: 4), let count = head.bigEndian(at: 4, width: 4) else {
        return nil
      }
      if described == 0 { stream.add(head.prefix(4)) }
      if stream.flags != nil, stream.flags != flags { stream.add(head.prefix(4)) }
      stream.flags = flags
      described += Int(count)
      var position = start + 8
      while position < end {
        let piece = try source.read(position..<min(end, position + 1 << 20))
        guard !piece.isEmpty else { break }
        stream.add(piece)
        position += UInt64(piece.count)
      }
    }
    return described == 0 ? "none" : "for \(described) samples (\(stream.hash))"
  }
}

/// A hash of bytes that come in pieces, which does not depend on where those are cut.
private struct BlockHash {
  private var finished = ContentHash()
  private var rest: [UInt8] = []
  /// What the last box said of its form.
  var flags: UInt64?

  private static let blockBytes = 4_096

  mutating func add(_ bytes: ByteView) {
    var bytes = bytes
    while !bytes.isEmpty {
      let part = bytes.prefix(Self.blockBytes - rest.count)
      rest += part.array
      bytes = bytes.suffix(from: part.count)
      guard rest.count == Self.blockBytes else { continue }
      finished.add(ByteView(rest))
      rest.removeAll(keepingCapacity: true)
    }
  }

  var hash: ContentHash {
    var hash = finished
    hash.add(ByteView(rest))
    return hash
  }
}
