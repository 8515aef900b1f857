// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess
import ISOBMFF
import Multiview

extension MovieEditor {
  /// Changes the movie in place, without moving a media byte: the new `moov` is appended and flushed, then the
  /// type of the old one becomes `free`, and is flushed. After a crash, the file is the old movie or the new
  /// one. ``undo(path:)`` restores the old one.
  ///
  /// If personal data are removed, the old boxes and all free space are then overwritten: no byte of them stays, and
  /// nothing can be restored.
  ///
  /// - Throws: ``EditError`` if the movie cannot be changed in place, with the reason. Write a new file instead.
  @discardableResult
  public func writeInPlace() throws(EditError) -> MovieWriteReport { try writeInPlace(RealOutputSystem()) }

  /// Throws the error that ``writeInPlace()`` would throw before it changes anything; nothing is changed.
  package func checkInPlace() throws(EditError) { _ = try changeInPlace() }

  @discardableResult
  package func writeInPlace(_ system: any OutputSystem) throws(EditError) -> MovieWriteReport {
    let change = try changeInPlace()
    var size = change.size
    guard change.moov != nil || !change.erasure.isEmpty else {
      return MovieWriteReport(size: size, bytesWritten: 0)
    }
    let erasure = change.erasure
    do throws(SourceError) {
      let output = try InPlaceOutput(changing: change.file, system: system)
      if let moov = change.moov {
        try output.append(moov.plan, thenOverwriteAt: moov.flip, with: InPlaceChange.free.array)
        size += moov.plan.byteCount
      }
      try output.erase(erasure.ranges, patching: erasure.patches.map { ($0.offset, $0.bytes) })
      return MovieWriteReport(size: size, bytesWritten: output.bytesWritten)
    } catch { throw EditError(.failed, error) }
  }

  /// A change in place of which nothing is written yet.
  private struct InPlaceChange {
    static let free = ByteView(Array("free".utf8))

    let file: FileBytes
    let size: UInt64
    /// The new movie box, which is appended, and where the type of the old one is; `nil` if it does not change.
    var moov: (plan: WritePlan, flip: UInt64)?
    let erasure: Erasure

    /// The file as it will be; `nil` if nothing changes.
    func planned() throws(ParseError) -> WritePlan? {
      var pieces: [WritePlan.Piece] = [.range(0..<size, of: file)]
      if let moov {
        pieces = [
          .range(0..<moov.flip, of: file), .bytes(Self.free), .range((moov.flip + 4)..<size, of: file),
          .range(0..<moov.plan.byteCount, of: moov.plan),
        ]
      } else if erasure.isEmpty {
        return nil
      }
      return try erasure.applied(to: WritePlan(pieces: pieces))
    }
  }

  /// Plans the change in place, and refuses what the movie does not allow.
  private func changeInPlace() throws(EditError) -> InPlaceChange {
    let (file, size) = try Self.changeableFile(of: unpatched)
    guard let tree = movie.tree else { throw .lacksMovie }
    let edited = try editedTree()
    let old = tree.first("moov")
    let new = edited.first("moov").flatMap { $0.isEdited ? $0 : nil }
    var change = InPlaceChange(
      file: file, size: size, erasure: try erasure(tree, edited, movesMovie: new != nil))
    if new != nil || !erasesFormerBoxes { try checkAppending(tree, size) }
    let plan: WritePlan?
    do {
      if let old, let new {
        let moov = try new.plan()
        change.moov = (
          try erasesFormerBoxes ? moov.blanking(FreeSpace(in: BoxTree(moov).boxes).ranges) : moov,
          UInt64(old.offset) + 4
        )
      }
      plan = try change.planned()
    } catch { throw EditError(.unreadable, because: error, of: "the edited movie cannot be read") }
    if let plan { try check(try opened(plan)) }
    return change
  }

  /// The bytes that are overwritten once the new boxes are in effect.
  private struct Erasure {
    /// The ranges that become zeros, in order.
    var ranges: [Range<UInt64>] = []
    /// The bytes that replace others, in order, apart from ``ranges``.
    var patches: [BytePatch] = []

    var isEmpty: Bool { ranges.isEmpty && patches.isEmpty }

    /// The plan with the new bytes.
    func applied(to plan: WritePlan) throws(ParseError) -> WritePlan {
      let patched = try patches.isEmpty ? plan : plan.patched(patches)
      return try patched.blanking(ranges)
    }
  }

  /// What has to be overwritten: personal data outside the movie box, the former movie box with them, and free
  /// space, in which earlier changes in place may have left them. Nothing if no personal data are removed.
  private func erasure(_ tree: BoxTree, _ edited: BoxTree, movesMovie: Bool) throws(EditError) -> Erasure {
    guard erasesFormerBoxes else { return Erasure() }
    var erasure = Erasure()
    var others = edited
    let old = tree.first("moov")
    if let old, let place = others.boxes.firstIndex(where: { $0.type == "moov" }) {
      others.boxes[place] = old
    }
    let free = FreeSpace(movie).ranges
    let former = old.map { UInt64($0.offset + $0.headerSize)..<UInt64($0.fileRange.upperBound) }
    do throws(ParseError) {
      erasure.patches = patches.replaced(by: try tree.patches(to: others)).ordered.filter { patch in
        !(movesMovie && former.map { $0.overlaps(patch.range) } ?? false)
          && !free.contains { $0.lowerBound <= patch.offset && patch.range.upperBound <= $0.upperBound }
      }
    } catch {
      throw EditError(
        .notInPlace, "\(error): in place, nothing can move", advice: "Write another file\(.writeAnother).",
        parseError: error)
    }
    // Free space inside the former movie box goes with it.
    erasure.ranges = free.filter { range in !(movesMovie && former.map { $0.overlaps(range) } ?? false) }
    if movesMovie, let former { erasure.ranges.append(former) }
    erasure.ranges.sort { $0.lowerBound < $1.lowerBound }
    return erasure
  }

  /// Restores the `moov` that the last ``writeInPlace()`` replaced, if its bytes are still present. The file is
  /// then as it was before.
  @discardableResult
  public static func undo(path: String) throws(EditError) -> MovieWriteReport {
    try undo(path: path, RealOutputSystem())
  }

  @discardableResult
  package static func undo(path: String, _ system: any OutputSystem) throws(EditError) -> MovieWriteReport {
    let editor = try MovieEditor(path: path)
    let (file, size) = try changeableFile(of: editor.movie)
    let tree = editor.movie.tree
    guard let tree, let current = tree.boxes.last, current.type == "moov", tree.trailingRange.isEmpty,
      UInt64(current.fileRange.upperBound) == size,
      let old = tree.boxes.last(where: { $0.type == "free" && isFormerMovie($0, in: tree) })
    else {
      throw EditError(
        .nothingToDo, "the file has no former movie box to restore",
        advice:
          "Only a change in place\(.changeInPlace) can be undone, if the old boxes were not overwritten since."
      )
    }
    do throws(SourceError) {
      let output = try InPlaceOutput(changing: file, system: system)
      try output.overwrite(
        at: UInt64(old.offset) + 4, with: Array("moov".utf8), thenCutTo: UInt64(current.offset))
      return MovieWriteReport(size: UInt64(current.offset), bytesWritten: output.bytesWritten)
    } catch { throw EditError(.failed, error) }
  }

  /// Returns whether a `free` box has the contents of a `moov`: boxes that fill it, with a movie header.
  private static func isFormerMovie(_ box: Box, in tree: BoxTree) -> Bool {
    guard box.size >= 16, box.size <= tree.limits.maximumBoxBytes else { return false }
    do {
      var bytes = try tree.source.read(UInt64(box.offset)..<UInt64(box.fileRange.upperBound)).array
      guard bytes.count == box.size else { return false }
      bytes.replaceSubrange(4..<8, with: Array("moov".utf8))
      let read = BoxTree(ByteView(bytes), registry: tree.registry, limits: tree.limits)
      return read.diagnostics.isEmpty && read.boxes.count == 1
        && read.boxes[0].first(MovieHeaderBox.self) != nil
    } catch { return false }
  }

  /// Returns the file of the movie, and its size.
  private static func changeableFile(of movie: MovieFile) throws(EditError) -> (FileBytes, UInt64) {
    guard let file = movie.source as? FileBytes, let size = file.size else {
      throw EditError(
        .notInPlace, "only a file can be changed in place", advice: "Write another file\(.writeAnother).")
    }
    return (file, size)
  }

  /// Refuses movies to which no `moov` can be appended.
  private func checkAppending(_ tree: BoxTree, _ size: UInt64) throws(EditError) {
    let advice: Advice = "Write another file\(.writeAnother)."
    if movie.container.isFragmented {
      throw EditError(
        .notInPlace, "a fragmented movie cannot be changed in place: its boxes must keep their order",
        advice: advice)
    }
    guard let last = tree.boxes.last, last.sizeForm != .toEnd else {
      throw EditError(
        .notInPlace, "the last box has no size: appended boxes would be part of it", advice: advice)
    }
    guard last.structuralProblem == nil, tree.trailingRange.isEmpty, UInt64(last.fileRange.upperBound) == size
    else {
      throw EditError(.notInPlace, "bytes that belong to no box follow the last one", advice: advice)
    }
    guard last.type != "sefd" else {
      throw EditError(
        .notInPlace, "the last box (sefd) is one that readers look for at the end of the file", advice: advice
      )
    }
    guard tree.boxes.count(where: { $0.type == "moov" }) == 1 else {
      throw EditError(.notInPlace, "there are several movie boxes (moov)", advice: advice)
    }
    for track in movie.tracks where track.externalMedia.isEmpty {
      guard try !hasSamples(track, beyond: size) else {
        throw EditError(
          .notInPlace,
          "track \(track.id) has samples beyond the end of the file: appended boxes would be treated as their data",
          advice: advice)
      }
    }
  }

  /// Returns whether samples of a track are not inside the file. The tables are read in windows.
  private func hasSamples(_ track: Track, beyond size: UInt64) throws(EditError) -> Bool {
    guard let path = BoxPath(track.path + "/mdia/minf/stbl"), let table = movie.tree?[path] else {
      return false
    }
    var isSuspect = false
    do throws(SourceError) {
      guard var chunks = try ChunkExtents(table) else { return false }
      while !isSuspect, let chunk = try chunks.nextChunk() {
        let (end, overflow) = chunk.offset.addingReportingOverflow(chunk.size ?? 0)
        isSuspect = overflow || end > size
      }
    } catch { throw EditError(.unreadable, error) }
    guard isSuspect else { return false }
    // The last chunk may have fewer samples than its table says, or none.
    defer { movie.releaseSamples() }
    do { return try track.samples().contains { $0.range.upperBound > size } } catch { return false }
  }
}
