// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess

/// Checks for chunks whose bytes would not stay contiguous or unchanged.
///
/// A table gives the offset of a chunk, and its bytes are contiguous: if a chunk extends from one box into
/// another, something may be inserted between them, or one of them may change.
struct ChunkCheck {
  private let tracks: [(path: String, box: Box)]
  /// The positions of bytes that are written unchanged.
  private let kept: OffsetMap
  private let origin: BoxOrigin
  private let file: Range<Int>
  private let isIdentity: Bool

  /// - Parameters:
  ///   - boxes: the boxes at the top level.
  ///   - nodes: the parts of the output that they are written as, with their positions.
  ///   - file: the bytes of the file that they come from.
  init(
    _ boxes: [Box], _ nodes: [LayoutNode], _ origin: BoxOrigin, _ file: Range<Int>
  ) throws(ParseError) {
    self.origin = origin
    self.file = file
    var kept = OffsetMap()
    for node in nodes { try node.mapKept(into: &kept) }
    kept.finish(origin, size: file.upperBound, newSize: file.upperBound)
    self.kept = kept
    isIdentity = kept.isIdentity(origin, from: file.lowerBound, size: file.count)
    var tracks: [(path: String, box: Box)] = []
    for movie in boxes where movie.type == "moov" {
      BoxPath.forEachSibling(movie.children) { track, name, _ in
        if track.type == "trak" { tracks.append(("moov/\(name)", track)) }
      }
    }
    self.tracks = tracks
  }

  /// Throws if the bytes of a chunk would change.
  func refuseTornChunks() throws(ParseError) {
    guard !isIdentity else { return }
    for (path, track) in tracks {
      guard let minf = track.first("mdia")?.first("minf"), let table = minf.first("stbl"),
        PlanBuilder.dataPlace(minf) == .thisFile
      else { continue }
      do {
        guard var chunks = try ChunkExtents(table) else { continue }
        var number = 0
        while let (offset, size) = try chunks.nextChunk() {
          number += 1
          guard let size, !isKept(offset, size) else { continue }
          throw ParseError(
            .invalid(
              "chunk \(number) (\(size) bytes) overlaps boxes that move apart or change, so its data would change"
            ), offset: Int(clamping: offset), path: path + "/mdia/minf/stbl")
        }
      } catch let error as ParseError { throw error } catch {
        throw ParseError(.invalid("cannot be read: \(error)"), offset: table.offset, path: path)
      }
    }
  }

  /// Whether bytes are written unchanged and contiguously. Bytes beyond the end of the file are ignored.
  private func isKept(_ offset: UInt64, _ size: UInt64) -> Bool {
    guard let start = Int(exactly: offset), start < file.upperBound else { return true }
    let (sum, overflow) = start.addingReportingOverflow(Int(clamping: size))
    let end = overflow ? file.upperBound : min(sum, file.upperBound)
    var position = start
    var new: Int?
    while position < end {
      guard let stretch = kept.stretch(containing: UInt64(position), of: origin) else { return false }
      let here = stretch.new + (position - stretch.old.lowerBound)
      guard new == nil || new == here else { return false }
      new = here + (stretch.old.upperBound - position)
      position = stretch.old.upperBound
    }
    return true
  }
}
