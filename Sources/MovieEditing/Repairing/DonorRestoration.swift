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
  /// The changes of boxes of tracks.
  private(set) var steps: [RepairStep] = []

  /// Compares a movie with the original; `nil` if that has other pictures.
  init?(_ movie: MovieFile, from original: MovieFile) throws(EditError) {
    guard original.tree != nil, try Self.hasSamePictures(movie, original) else { return nil }
    self.movie = movie
    self.original = original
    for (mine, _) in lostEdits {
      steps.append(
        RepairStep(
          rule: nil, trackID: mine.id, place: mine.path + "/edts", name: "edit list", old: "absent",
          new: "as in the original"))
    }
    for (number, track) in lostTracks.enumerated() {
      steps.append(
        RepairStep(
          rule: nil, trackID: nil, place: "moov/trak[\(movie.tracks.count + number)]",
          name: "track of timed metadata", old: "absent",
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
      guard let path = BoxPath(mine.path), let edits = other.box?.first("edts") else { continue }
      try tree.edit(path) { (trak: inout Box) throws(ParseError) in
        // A track that was rewritten may have a list already.
        trak.children.removeAll { $0.type == "edts" }
        trak.children.insert(edits, at: trak.children.firstIndex { $0.type == "mdia" } ?? 0)
      }
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
    for item in lostKeys { editor.metadata[item.key] = item.value }
    if let lostDate { editor.restoreCreationTime(lostDate) }
  }

  /// Returns the step that reports a change of the editor; `nil` for a change that this did not ask for.
  ///
  /// Steps are made of what the editor is about to write, so that a report cannot differ from it.
  func step(for change: TagChange) -> RepairStep? {
    guard change.trackID == nil else { return nil }
    let old = change.old ?? "absent", new = change.new ?? "absent"
    if change.name == "creation-date", lostDate != nil {
      return RepairStep(rule: nil, trackID: nil, place: "moov/mvhd", name: "date", old: old, new: new)
    }
    guard lostKeys.contains(where: { $0.key.rawValue == change.name }) else { return nil }
    return RepairStep(
      rule: nil, trackID: nil, place: "moov/meta", name: "metadata \(change.name)", old: old, new: new)
  }

  /// The date in the movie header of the original, if the movie has none; otherwise `nil`.
  private var lostDate: UInt64? {
    guard movie.creationTime ?? 0 == 0, let date = original.creationTime, date > 0,
      CreationDate(secondsSince1904: date) != nil
    else { return nil }
    return date
  }

  private var lostKeys: [(key: MetadataKey, value: MetadataItem.Value)] {
    let (own, other) = (EditedMetadata(movie), EditedMetadata(original))
    return other.items.filter { own[$0.key] == nil }
  }

  /// The tracks without edits whose originals have edits that apply to the same samples.
  private var lostEdits: [(mine: Track, other: Track)] {
    let scales = [movie, original].map(\.movieTimescale)
    guard scales[0] == scales[1] else { return [] }
    return movie.tracks.compactMap { mine in
      let twins = original.tracks.filter { $0.mediaType == mine.mediaType && $0.timescale == mine.timescale }
      guard twins.count == 1, mine.box?.first("edts") == nil, twins[0].box?.first("edts") != nil,
        !twins[0].edits.isIdentity, Self.hasSameTimes(mine, twins[0])
      else { return nil }
      return (mine, twins[0])
    }
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
      guard units.0?.bytes == units.1?.bytes else { return false }
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
