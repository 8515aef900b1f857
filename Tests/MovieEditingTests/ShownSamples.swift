// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import Testing

/// What a track presents when, worked out from its edit list and the times of its samples in the plainest way: every sample with
/// every edit. An independent model of what cutting and joining must keep.
struct ShownSamples {
  /// Samples that are presented with these bytes, in seconds.
  struct Span {
    var start: Double
    var end: Double
    var bytes: ByteView
  }

  var spans: [Span] = []

  init() {}

  init(_ track: Track, of movie: MovieFile) throws {
    let scale = Double(track.timescale)
    let movieScale = Double(movie.tree?["moov/mvhd"]?.payload(MovieHeaderBox.self)?.timescale ?? 1)
    let samples = Array(try track.samples()).filter { !$0.isNeverComposed }
    let order = samples.indices.sorted {
      (samples[$0].compositionTime, $0) < (samples[$1].compositionTime, $1)
    }
    guard !order.isEmpty else { return }
    let mediaEnd = Double(samples.map { $0.compositionTime + max(1, $0.duration) }.max() ?? 0)
    var edits: [(length: Double?, media: Double)] = [(nil, 0)]
    if let list = track.box?["edts/elst"].map({ movie.tree?.whole($0) ?? $0 })?.payload(EditListBox.self) {
      let isOpen = movie.container.isFragmented || list.entries.allSatisfy { $0.editDuration == 0 }
      edits = list.entries.enumerated().map { index, entry in
        let isEndless = isOpen && entry.editDuration == 0 && index == list.entries.count - 1
        return (isEndless ? nil : Double(entry.editDuration) / movieScale, Double(entry.mediaTime))
      }
    }
    var start = 0.0
    for edit in edits {
      let length = edit.length ?? max(0, (mediaEnd - edit.media) / scale)
      defer { start += length }
      guard edit.media >= 0 else { continue }
      let low = edit.media, high = edit.media + length * scale
      for (rank, index) in order.enumerated() {
        let begins = Double(samples[index].compositionTime)
        let ends = rank + 1 < order.count ? Double(samples[order[rank + 1]].compositionTime) : mediaEnd
        let (from, to) = (max(begins, low), min(ends, high))
        guard from < to else { continue }
        add(
          Span(
            start: start + (from - low) / scale, end: start + (to - low) / scale,
            bytes: try movie.source.read(samples[index].range)))
      }
    }
  }

  /// Adds a span, which joins the one before where the same bytes go on.
  mutating func add(_ span: Span) {
    if let last = spans.indices.last, abs(spans[last].end - span.start) < 1e-6,
      spans[last].bytes == span.bytes
    {
      spans[last].end = span.end
    } else {
      spans.append(span)
    }
  }

  /// What is presented in a part.
  func part(_ from: Double, _ to: Double) -> ShownSamples {
    var part = ShownSamples()
    for span in spans {
      let (start, end) = (max(span.start, from), min(span.end, to))
      if end - start > 1e-9 { part.add(Span(start: start - from, end: end - from, bytes: span.bytes)) }
    }
    return part
  }

  /// Whether bytes are those of a sample. Where two movies meet, the last sample may say that its sequence ends, and in the first one a
  /// random access picture becomes a broken link: type 16 instead of 21 in the first byte of a unit.
  private static func isSame(_ new: ByteView, _ old: ByteView) -> Bool {
    if new == old || new.prefix(old.count) == old { return true }
    return new.count == old.count
      && zip(new.array, old.array).allSatisfy { $0 == $1 || ($0 == 16 << 1 && $1 == 21 << 1) }
  }

  /// What is different; `nil` where nothing is but times by so much.
  ///
  /// Times of sound and metadata are rounded to their own units, so that a last or first span may be missing that is that short.
  func difference(_ other: ShownSamples, within tolerance: Double) -> String? {
    let mine = spans.filter { $0.end - $0.start > 2 * tolerance }
    let others = other.spans.filter { $0.end - $0.start > 2 * tolerance }
    guard mine.count == others.count else { return "\(mine.count) samples are shown, not \(others.count)" }
    for (index, pair) in zip(mine, others).enumerated() {
      guard Self.isSame(pair.0.bytes, pair.1.bytes) else { return "sample \(index) has other bytes" }
      guard abs(pair.0.start - pair.1.start) <= tolerance, abs(pair.0.end - pair.1.end) <= tolerance else {
        return
          "sample \(index) is shown from \(pair.0.start) to \(pair.0.end), not from \(pair.1.start) to \(pair.1.end)"
      }
    }
    return nil
  }
}
