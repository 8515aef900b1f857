// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// Restores dates, metadata and edits from the movie that another one was made from. Those of a movie with
/// other pictures would not be correct.
struct DonorRestoration {
  let movie: MovieFile
  let original: MovieFile
  /// The tracks that are repaired, and nothing else; `nil` for the whole movie.
  let chosen: Set<UInt32>?
  /// The changes of boxes of tracks.
  private(set) var steps: [RepairStep] = []

  /// Compares a movie with the original; `nil` if that has other pictures.
  init?(_ movie: MovieFile, from original: MovieFile, trackIDs: Set<UInt32>?) throws(EditError) {
    guard original.tree != nil, try Self.hasSamePictures(movie, original) else { return nil }
    self.movie = movie
    self.original = original
    chosen = trackIDs
    for (mine, _) in lostEdits {
      steps.append(
        RepairStep(mine.path + "/edts", "edit list", old: "absent", new: "as in the original", track: mine.id)
      )
    }
    for (mine, _) in lostMetadata {
      steps.append(
        RepairStep(
          mine.path + "/meta", "metadata of the track", old: "absent", new: "as in the original",
          track: mine.id))
    }
    for (number, track) in lostTracks.enumerated() {
      steps.append(
        RepairStep(
          "moov/trak[\(movie.tracks.count + number)]", "track of timed metadata", old: "absent",
          new: track.sampleCount == 1 ? "1 sample" : "\(track.sampleCount) samples"))
    }
  }

  /// Whether nothing is lost.
  var isEmpty: Bool { steps.isEmpty && lostDate == nil && lostKeys.isEmpty }

  /// Whether boxes of tracks, or whole tracks, are restored.
  var changesTracks: Bool { !steps.isEmpty }

  /// Restores the boxes of tracks.
  func apply(to tree: inout BoxTree) throws(ParseError) {
    for (mine, other) in lostEdits {
      guard let path = BoxPath(mine.path), let edits = restored(other) else { continue }
      try tree.edit(path) { (trak: inout Box) throws(ParseError) in
        // A track that was rewritten may have a list already.
        trak.children.removeAll { $0.type == "edts" }
        trak.children.insert(edits, at: trak.children.firstIndex { $0.type == "mdia" } ?? 0)
      }
    }
    for (mine, other) in lostMetadata {
      guard let path = BoxPath(mine.path), let meta = other.box?.first("meta") else { continue }
      let whole = original.tree?.whole(meta) ?? meta
      try tree.edit(path) { (trak: inout Box) throws(ParseError) in trak.children.append(whole) }
    }
  }

  /// Gives headers the durations that follow from the edits and tracks that were restored.
  func withDurations(_ made: MovieFile) throws -> MovieFile {
    guard var tree = made.tree else { return made }
    let restored = Set(lostEdits.map(\.mine.id))
    var isChanged = false
    for item in HeaderDurations(made).items where !item.isRight && item.type != "mdhd" {
      if let track = item.track, !restored.contains(made.tracks[track].id) { continue }
      if try tree.setDuration(item) { isChanged = true }
    }
    return isChanged ? try MovieFile(edited: tree) : made
  }

  /// Restores the metadata and dates of the movie.
  func apply(to editor: inout MovieEditor) {
    if chosen == nil { editor.metadata.copyMissingKeys(from: original) }
    if let lostDate { editor.restoreCreationTime(lostDate) }
  }

  /// Returns the step that reports a change of the editor; `nil` for a change that this did not ask for.
  ///
  /// Steps are made of what the editor is about to write, so that a report cannot differ from it.
  func step(for change: TagChange) -> RepairStep? {
    guard change.trackID == nil else { return nil }
    let old = change.old ?? "absent", new = change.new ?? "absent"
    if change.name == "creation-date", lostDate != nil {
      return RepairStep("moov/mvhd", "date", old: old, new: new)
    }
    guard lostKeys.contains(where: { $0.key.rawValue == change.name }) else { return nil }
    return RepairStep("moov/meta", "metadata \(change.name)", old: old, new: new)
  }

  /// The date in the movie header of the original, if the movie has none; otherwise `nil`.
  private var lostDate: UInt64? {
    guard chosen == nil, movie.creationTime ?? 0 == 0, let date = original.creationTime, date > 0,
      CreationDate(secondsSince1904: date) != nil
    else { return nil }
    return date
  }

  private var lostKeys: [(key: MetadataKey, value: MetadataItem.Value)] {
    guard chosen == nil else { return [] }
    let (own, other) = (EditedMetadata(movie), EditedMetadata(original))
    return other.items.filter { own[$0.key] == nil }
  }

  /// The tracks without edits whose originals have edits that apply to the same samples.
  private var lostEdits: [(mine: Track, other: Track)] {
    twins.filter { mine, other in
      mine.box?.first("edts") == nil && !other.edits.isIdentity && Self.hasSameTimes(mine, other)
        && restored(other) != nil
    }
  }

  /// The tracks without metadata whose originals have some, which do not refer to anything else in their file.
  private var lostMetadata: [(mine: Track, other: Track)] {
    twins.filter { mine, other in
      guard mine.box?.first("meta") == nil, let meta = other.box?.first("meta") else { return false }
      return meta.hasOnlyItems
    }
  }

  /// The tracks that may be changed, with their originals, as far as these are known.
  private var twins: [(mine: Track, other: Track)] {
    movie.tracks.compactMap { mine in
      guard chosen?.contains(mine.id) != false else { return nil }
      let twins = original.tracks.filter { $0.mediaType == mine.mediaType && $0.timescale == mine.timescale }
      guard twins.count == 1, movie.tracks.count(where: { $0.mediaType == mine.mediaType }) == 1 else {
        return nil
      }
      return (mine, twins[0])
    }
  }

  /// The edits of a track of the original, in the timescale of the movie; `nil` if it has none, or they do not fit.
  private func restored(_ other: Track) -> Box? {
    guard var edits = other.box?.first("edts") else { return nil }
    let (new, old) = (movie.movieTimescale, original.movieTimescale)
    guard new != old else { return edits }
    guard new > 0, old > 0, var list = edits.first(EditListBox.self),
      let place = edits.children.firstIndex(where: { $0.type == "elst" })
    else { return nil }
    for index in list.entries.indices {
      guard let value = list.entries[index].editDuration.converted(from: old, to: new) else { return nil }
      list.entries[index].editDuration = value
    }
    list.widen()
    edits.children[place].replacePayload(list)
    return edits
  }

  private static func hasSameTimes(_ mine: Track, _ other: Track) -> Bool {
    do throws(SourceError) {
      let (left, right) = (try mine.samples(), try other.samples())
      return left.count == right.count
        && zip(left, right).allSatisfy {
          $0.decodeTime == $1.decodeTime && $0.compositionOffset == $1.compositionOffset
        }
    } catch { return false }
  }

  /// Returns whether the pictures of the base layer of both movies are the same, byte for byte.
  private static func hasSamePictures(_ movie: MovieFile, _ original: MovieFile) throws(EditError) -> Bool {
    guard let mine = movie.tracks.first(where: \.isHEVC), let other = original.tracks.first(where: \.isHEVC)
    else { return false }
    var readers = (
      try TrackUnitReader(mine, of: movie, adding: []), try TrackUnitReader(other, of: original, adding: [])
    )
    var count = 0
    while true {
      let units = (try readers.0.nextBasePicture(), try readers.1.nextBasePicture())
      guard units.0?.withoutTrailingZeros == units.1?.withoutTrailingZeros else { return false }
      if units.0 == nil { return count > 0 }
      count += 1
    }
  }
}

extension TrackUnitReader {
  /// Returns the next slice segment of the base layer.
  fileprivate mutating func nextBasePicture() throws(EditError) -> NALUnit? {
    while let unit = try nextUnit() {
      if unit.type.isSliceSegment, unit.layerID == 0 { return unit }
    }
    return nil
  }
}
