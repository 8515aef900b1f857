// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview

/// The samples of a span, in order, as they are in the new track. Use one in one task.
///
/// It is a class because its properties are costly to copy, and no copy is needed.
final class SpanSamples {
  /// A sample of the span.
  struct Element {
    /// The sample, with its duration, composition offset, bytes and sample entry in the new track. Its index
    /// and decoding time are those in the old track; if its beginning is cut, the decoding time is where it
    /// then begins.
    var sample: Sample
    /// Whether nothing of it is kept: the new track does not have the sample, and the preceding one lasts until
    /// the next.
    var isLeftOut = false
  }

  private let span: ComposedSpan
  private let trackID: UInt32
  private let layout: MediaLayout
  private let kept: KeptUnits?
  private let notSync: Set<Int>
  private let descriptions: [UInt32]
  /// The samples of the old track if none are in fragments; otherwise `nil`, because each then lasts until the next.
  private var table: SampleTable.Iterator?
  private var samples: TrackSamples.Iterator
  private var following: Sample?
  /// The range of the old movie that was looked up last, and its offset in the new one.
  private var piece: (old: Range<UInt64>, new: UInt64) = (0..<0, 0)

  /// - Parameter index: the index of the first sample in the old track.
  init(
    _ span: ComposedSpan, of inserted: InsertedCut, _ layout: MediaLayout, _ samples: TrackSamples,
    at index: Int
  ) {
    (self.span, self.layout, trackID) = (span, layout, inserted.cut.track.id)
    (kept, notSync, descriptions) = (inserted.cut.kept, inserted.cut.notSync, inserted.descriptions)
    self.samples = samples.makeIterator(at: index)
    if samples.fragments.isEmpty {
      table = samples.table.makeIterator(at: index)
    } else {
      following = self.samples.next()
    }
  }

  /// Whether samples may be left out.
  var leavesOut: Bool { kept != nil }

  /// Returns the next sample; `nil` after the last one of the span.
  func next() throws(EditError) -> Element? {
    guard var sample = table == nil ? following : table?.next(), span.samples.contains(sample.index) else {
      return nil
    }
    if table == nil { following = samples.next() }
    let isLast = sample.index == span.samples.upperBound - 1
    setTimes(&sample, isLast: isLast)
    if !descriptions.isEmpty {
      let index = Int(sample.descriptionIndex) - 1
      guard descriptions.indices.contains(index) else {
        throw .refused("\(name(sample)) has no sample entry")
      }
      sample.descriptionIndex = descriptions[index]
    }
    if !notSync.isEmpty, notSync.contains(sample.index) { sample.flags.rawValue |= 0x1_0000 }
    var isComposed = false
    if let kept {
      // Its parts are consecutive in the new movie: they are placed like that, or nothing between them is kept.
      let parts = kept.parts(of: sample.index)
      let size = parts.reduce(UInt64(0)) { $0 &+ ($1.upperBound - $1.lowerBound) }
      guard let size = UInt32(exactly: size) else {
        throw .refused("\(name(sample)) has more bytes than a sample can")
      }
      let anchor = parts.count > 1 ? kept.anchor(of: parts) : parts.first
      (sample.offset, sample.size) = (anchor?.lowerBound ?? 0, size)
      // The first sample is always kept, because media begin with it.
      if size == 0, sample.index > span.samples.lowerBound { return Element(sample: sample, isLeftOut: true) }
      isComposed = parts.count > 1
    }
    if sample.index == span.samples.lowerBound, let own = span.firstPlace {
      sample.offset = own
    } else if isLast, let own = span.lastPlace {
      (sample.offset, sample.size) = (own.lowerBound, UInt32(clamping: own.count))
    } else if isComposed, let place = layout.place(ofComposed: sample.index, at: sample.offset) {
      sample.offset = place
    } else if sample.size > 0 {
      sample.offset = try place(of: sample)
    }
    return Element(sample: sample)
  }

  private func setTimes(_ sample: inout Sample, isLast: Bool) {
    // If a fragment begins later than the preceding one ends, the last sample is held. ISO/IEC 14496-12, 8.8.12.1
    var end = sample.decodeTime &+ sample.duration
    if !isLast, let following { end = following.decodeTime }
    if let clip = span.old.clip {
      sample.decodeTime = max(sample.decodeTime, span.start)
      end = max(sample.decodeTime, min(end, clip.upperBound))
    }
    sample.duration = (end &- sample.decodeTime) &* span.units
    if !sample.isNeverComposed { sample.compositionOffset = sample.compositionOffset &* span.units }
    if isLast, let duration = span.lastDuration { sample.duration = duration }
  }

  private func place(of sample: Sample) throws(EditError) -> UInt64 {
    if piece.old.contains(sample.offset) {
      return piece.new + (sample.offset - piece.old.lowerBound)
    }
    if let found = layout.piece(containing: sample.offset) {
      piece = found
      return found.new + (sample.offset - found.old.lowerBound)
    }
    throw .refused("\(name(sample)) is beyond all that can be copied")
  }

  private func name(_ sample: Sample) -> String { "sample \(sample.index) of track \(trackID)" }
}
