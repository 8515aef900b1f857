// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// Names and values of movies and their tracks.
enum MetadataComparison {
  static func compare(
    _ first: MovieFile, _ second: MovieFile, _ pairs: [TrackPair], _ found: inout FoundDifferences
  ) {
    guard !first.tracks.contains(where: \.isRawStream), !second.tracks.contains(where: \.isRawStream) else {
      return
    }
    compare(first.metadata.items, second.metadata.items, nil, &found)
    for pair in pairs {
      guard let left = pair.first, let right = pair.second else { continue }
      compare(left.metadata.items, right.metadata.items, left.id, &found)
      compareTimedKeys(left, right, &found)
    }
    // Tools that write a movie set their own dates. That it had one and has none now is a loss.
    compareDates(date(first), date(second), nil, &found)
    for pair in pairs where date(first) == nil || date(second) != nil {
      guard let left = pair.first, let right = pair.second else { continue }
      compareDates(left.header?.creationTime, right.header?.creationTime, left.id, &found)
    }
  }

  private static func compareDates(
    _ before: UInt64?, _ after: UInt64?, _ trackID: UInt32?, _ found: inout FoundDifferences
  ) {
    let old = before.flatMap(text), new = after.flatMap(text)
    if (old == nil) != (new == nil) {
      found.add(.metadata, "date of creation in the header", old, new, trackID)
    }
  }

  private static func text(_ date: UInt64) -> String? { date == 0 ? nil : macintoshDate(date) }

  /// Several items may have one name: they are the same where their values are, in any order.
  private static func compare(
    _ left: [MetadataItem], _ right: [MetadataItem], _ trackID: UInt32?, _ found: inout FoundDifferences
  ) {
    func values(_ items: [MetadataItem]) -> [String: [String]] {
      Dictionary(grouping: items, by: \.identifier).mapValues { $0.map(text).sorted() }
    }
    let before = values(left), after = values(right)
    for name in Set(before.keys).union(after.keys).sorted() {
      func joined(_ values: [String]?) -> String? { values?.joined(separator: "; ") }
      found.add(.metadata, name, joined(before[name]), joined(after[name]), trackID)
    }
  }

  private static func text(_ item: MetadataItem) -> String {
    if let text = item.stringValue { return text }
    let hash = item.isLoaded ? ContentHash(item.data).description : "not loaded"
    return "\(item.dataRange.count) bytes (\(hash))"
  }

  private static func compareTimedKeys(_ left: Track, _ right: Track, _ found: inout FoundDifferences) {
    func names(_ track: Track) -> String? {
      track.timedMetadataKeys.map { $0.keys.map(\.identifier).sorted().joined(separator: ", ") }
    }
    found.add(.metadata, "timed metadata", names(left), names(right), left.id)
  }

  private static func date(_ movie: MovieFile) -> UInt64? {
    guard let header = movie.tree?["moov/mvhd"]?.payload(MovieHeaderBox.self), header.creationTime != 0 else {
      return nil
    }
    return header.creationTime
  }
}
