// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// The durations in the headers of a movie, beside those that follow from its samples and edits.
///
/// Players take the length of the timeline from headers. The samples are still there, but nobody can seek to what
/// is after the end of the timeline.
package struct HeaderDurations: Sendable {
  /// A duration in a header.
  package struct Item: Sendable, Hashable {
    /// The kind of header: `mvhd`, `tkhd` or `mdhd`.
    package var type: FourCC
    /// The position of the track; `nil` for the movie header.
    package var track: Int?
    /// The path of the header.
    package var path: String
    /// The duration in the header, in units of ``timescale``; `nil` if the header says that it is unknown.
    package var stated: UInt64?
    /// The duration that follows from samples and edits, in the same units.
    package var actual: UInt64
    /// The number of units in a second.
    package var timescale: UInt32

    /// The largest difference that comes from rounding: a unit, or that of the timescale of another header.
    private var rounding: UInt64 { 1 + UInt64(timescale) / 300 }

    /// Whether the header agrees with the samples, except for rounding.
    package var isRight: Bool { stated.map { Self.distance($0, actual) <= rounding } ?? false }

    /// Whether a player would show another timeline: the duration is 0 or unknown, or wrong by more than a second and
    /// more than a tenth. Many writers are wrong by a picture, which hardly anybody notices.
    package var isAbsurd: Bool {
      guard actual > 0 else { return false }
      guard let stated, stated > 0 else { return true }
      let distance = Self.distance(stated, actual)
      return distance > UInt64(timescale) && distance > actual / 10
    }

    private static func distance(_ first: UInt64, _ second: UInt64) -> UInt64 {
      first > second ? first - second : second - first
    }

    /// A duration in seconds, for reports.
    package static func words(_ ticks: UInt64?, _ timescale: UInt32) -> String {
      guard let ticks else { return "unknown" }
      return MediaTime(value: Int64(clamping: ticks), timescale: timescale).words
    }
  }

  /// The headers whose durations follow from what can be read.
  package private(set) var items: [Item] = []

  /// Compares the headers of a movie with its samples; nothing of a fragmented movie, whose headers do not include
  /// its fragments.
  package init(_ movie: MovieFile) {
    guard let moov = movie.tree?.first("moov"), !movie.container.isFragmented,
      let header = moov.first(MovieHeaderBox.self), header.timescale > 0
    else { return }
    var longest: UInt64? = 0
    for track in movie.tracks {
      guard let media = track.mediaHeader, media.timescale > 0, let end = Self.end(of: track) else {
        longest = nil
        continue
      }
      items.append(
        Item(
          type: "mdhd", track: track.index, path: track.path + "/mdia/mdhd",
          stated: media.knownDuration, actual: end, timescale: media.timescale))
      guard let shown = Self.presented(track, end, media.timescale, in: header.timescale),
        let trackHeader = track.header
      else {
        longest = nil
        continue
      }
      longest = longest.map { max($0, shown) }
      items.append(
        Item(
          type: "tkhd", track: track.index, path: track.path + "/tkhd",
          stated: trackHeader.knownDuration, actual: shown,
          timescale: header.timescale))
    }
    guard let longest, !movie.tracks.isEmpty else { return }
    items.append(
      Item(
        type: "mvhd", track: nil, path: "moov/mvhd",
        stated: header.knownDuration, actual: longest,
        timescale: header.timescale))
  }

  /// When the last sample ends, in the timescale of the media; `nil` if the tables cannot be read.
  private static func end(of track: Track) -> UInt64? {
    do throws(SourceError) {
      let samples = try track.samples()
      // Of tables that disagree, nobody knows which is right.
      guard !samples.table.diagnostics().contains(where: { $0.severity == .error }) else { return nil }
      return samples.count == 0 ? 0 : UInt64(exactly: samples.endTime)
    } catch { return nil }
  }

  /// How long a track is presented, in the timescale of the movie; `nil` if its edits do not say.
  private static func presented(_ track: Track, _ end: UInt64, _ scale: UInt32, in movie: UInt32) -> UInt64? {
    guard let box = track.box?["edts/elst"] else {
      return end.converted(from: scale, to: movie, roundingUp: true)
    }
    guard let list = (track.context.tree?.whole(box) ?? box).payload(EditListBox.self) else { return nil }
    guard !list.entries.isEmpty else { return end.converted(from: scale, to: movie, roundingUp: true) }
    var sum: UInt64 = 0
    for entry in list.entries {
      guard entry.editDuration > 0, entry.editDuration < 1 << 60 else { return nil }
      let (next, overflow) = sum.addingReportingOverflow(entry.editDuration)
      guard !overflow else { return nil }
      sum = next
    }
    return sum
  }
}
