// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// Names and values of movies and their tracks.
enum MetadataComparison {
  static func compare(
    _ first: MovieFile, _ second: MovieFile, _ pairs: [TrackPair], _ budget: ComparisonBudget,
    _ found: inout FoundDifferences
  ) throws(SourceError) {
    let values = (
      MetadataValues(first.source, budget.reading), MetadataValues(second.source, budget.reading)
    )
    guard !first.tracks.contains(where: \.isRawStream), !second.tracks.contains(where: \.isRawStream) else {
      return
    }
    try compare(first.metadata.items, second.metadata.items, values, nil, &found)
    for pair in pairs {
      guard let left = pair.first, let right = pair.second else { continue }
      try compare(left.metadata.items, right.metadata.items, values, left.id, &found)
      compareTimedKeys(left, right, &found)
    }
    if let refusal = budget.refusal { found.noteOmission("not all metadata are compared: \(refusal)") }
    compareDates(first, second, pairs, &found)
    compareDurations(first, second, pairs, &found)
  }

  /// Dates of creation. Those of tracks are mostly that of the movie, and then said once. Dates of media and of
  /// modification are not compared: every program that writes a movie sets them.
  private static func compareDates(
    _ first: MovieFile, _ second: MovieFile, _ pairs: [TrackPair], _ found: inout FoundDifferences
  ) {
    let subject = "date of creation in the header"
    let old = date(first), new = date(second)
    found.add(.metadata, subject, old.flatMap(text), new.flatMap(text))
    for pair in pairs {
      guard let left = pair.first?.header?.creationTime, let right = pair.second?.header?.creationTime,
        left != old ?? 0 || right != new ?? 0
      else { continue }
      found.add(.metadata, subject, text(left), text(right), pair.first?.id)
    }
  }

  /// Durations in headers, which players take the timeline from: those that follow from the samples are compared
  /// with them. Headers of fragmented movies do not include the fragments.
  private static func compareDurations(
    _ first: MovieFile, _ second: MovieFile, _ pairs: [TrackPair], _ found: inout FoundDifferences
  ) {
    guard !first.container.isFragmented, !second.container.isFragmented else { return }
    let left = HeaderDurations(first).items, right = HeaderDurations(second).items
    func text(_ item: HeaderDurations.Item) -> String {
      item.isRight ? "that of the samples" : HeaderDurations.Item.words(item.stated, item.timescale)
    }
    func compare(_ type: FourCC, _ name: String, _ old: Int?, _ new: Int?, _ id: UInt32?) {
      guard let before = left.first(where: { $0.type == type && $0.track == old }),
        let after = right.first(where: { $0.type == type && $0.track == new })
      else { return }
      found.add(.times, "duration in the header of the \(name)", text(before), text(after), id)
    }
    compare("mvhd", "movie", nil, nil, nil)
    for pair in pairs {
      guard let old = pair.first, let new = pair.second else { continue }
      compare("tkhd", "track", old.index, new.index, old.id)
      compare("mdhd", "media", old.index, new.index, old.id)
    }
  }

  private static func text(_ date: UInt64) -> String? { date == 0 ? nil : macintoshDate(date) }

  /// Several items may have one name: they are the same where their values are, in any order.
  private static func compare(
    _ left: [MetadataItem], _ right: [MetadataItem],
    _ values: (first: MetadataValues, second: MetadataValues),
    _ trackID: UInt32?, _ found: inout FoundDifferences
  ) throws(SourceError) {
    let before = try values.first.texts(of: left), after = try values.second.texts(of: right)
    for name in Set(before.keys).union(after.keys).sorted() {
      func joined(_ values: [String]?) -> String? { values?.sorted().joined(separator: "; ") }
      found.add(.metadata, name, joined(before[name]), joined(after[name]), trackID)
    }
  }

  private static func compareTimedKeys(_ left: Track, _ right: Track, _ found: inout FoundDifferences) {
    func names(_ track: Track) -> String? {
      track.allTimedMetadataKeys.map { $0.map(\.identifier).sorted().joined(separator: ", ") }
    }
    found.add(.metadata, "timed metadata", names(left), names(right), left.id)
  }

  private static func date(_ movie: MovieFile) -> UInt64? {
    guard let header = movie.tree?.movieHeader, header.creationTime != 0 else {
      return nil
    }
    return header.creationTime
  }
}
