// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview

/// Finds the samples of a track that are needed to present parts of it.
struct NeededSamples {
  private let track: Track
  private let samples: TrackSamples
  /// Whether samples do not depend on each other: text, timecode, timed metadata.
  let holdByThemselves: Bool
  /// Whether the first picture of a part needs samples that the track does not have.
  private(set) var lacksStart = false

  init(_ track: Track, _ samples: TrackSamples) {
    (self.track, self.samples) = (track, samples)
    holdByThemselves = Self.holdByThemselves(track, samples)
  }

  /// The composition time at which the last sample ends.
  var end: Int64 { samples.compositionEnd }

  /// A part of an edit.
  struct Segment {
    var duration: Int64
    /// The range of media times that it presents; `nil` if it presents nothing.
    var media: Range<Int64>?
    var isHeld = false
    var rate = TrackCut.Edit.normalRate
    /// Whether it presents less than a unit of the track more than that, because the track has no unit for its end.
    var hasRest = false
    /// The samples that it needs.
    var samples = 0..<0

    /// The media time up to which it presents samples, in whole units.
    var shownEnd: Int64 { (media?.upperBound ?? 0) + (hasRest ? 1 : 0) }
  }

  private static func holdByThemselves(_ track: Track, _ samples: TrackSamples) -> Bool {
    let isCoded = track.mediaType.isVisual || track.mediaType == .audio
    return !isCoded && samples.allSatisfy { $0.isSync && $0.compositionOffset == 0 && $0.duration >= 0 }
  }

  /// Finds the samples that a segment needs. If the segment begins before the first of them is composed, that time
  /// becomes an empty segment: in the new track, the media before may be of another part.
  mutating func found(_ segment: Segment, _ timescale: UInt32) -> [Segment] {
    guard let media = segment.media else { return [segment] }
    /// Returns the number of samples that are composed before a time.
    func count(before time: Int64) -> Int {
      samples.index(atCompositionTime: time - 1).map { samples.compositionRank(of: $0) + 1 } ?? 0
    }
    var low = count(before: media.lowerBound)
    let high = count(before: media.upperBound)
    let next = samples.index(atCompositionRank: low).map { samples.compositionTime(at: $0) }
    var isHeld = false
    // The preceding sample in composition order, which lasts until here.
    if next != media.lowerBound, low > 0, next != nil || media.lowerBound < samples.compositionEnd {
      isHeld = true
      low -= 1
    }
    guard let bounds = samples.bounds(ofCompositionRanks: low..<max(low, high)) else {
      return [Segment(duration: segment.duration)]
    }
    let (first, last) = (bounds.lowerBound, bounds.upperBound)
    var segment = segment
    segment.samples = (holdByThemselves ? first : decodingStart(first, rank: low))..<(last + 1)
    guard !isHeld, !segment.isHeld, let begins = next, begins > media.lowerBound,
      begins - media.lowerBound < 1 << 60
    else { return [segment] }
    let gap = MediaTime(value: begins - media.lowerBound, timescale: track.timescale)
    var ticks = gap.converted(to: timescale)
    if ticks > gap { ticks.value -= 1 }
    if segment.rate != TrackCut.Edit.normalRate {
      ticks.value = ticks.value.multipliedReportingOverflow(by: 1 << 16).partialValue / Int64(segment.rate)
    }
    guard ticks.value < segment.duration else { return [Segment(duration: segment.duration)] }
    segment.duration -= ticks.value
    // Less than a tick of the movie stays media, so that the samples are presented when they were.
    let wait = MediaTime(value: ticks.value, timescale: timescale).atRate(segment.rate)
    let from = media.lowerBound + wait.converted(to: track.timescale).value
    segment.media = min(begins, from, media.upperBound)..<media.upperBound
    return ticks.value > 0 ? [Segment(duration: ticks.value), segment] : [segment]
  }

  func start(of index: Int) -> Int64 { samples.sample(at: index)?.decodeTime ?? 0 }

  /// The sample at which decoding has to begin for the sample `first` and all that are composed from `rank` on.
  private mutating func decodingStart(_ first: Int, rank: Int) -> Int {
    let wanted = max(0, first - soundBefore(first))
    guard var start = track.accessPoint(atOrBefore: wanted, in: samples) else {
      lacksStart = true
      return 0
    }
    // Samples that are decoded after an access point and composed before it may need preceding samples (open
    // groups of pictures).
    while samples.compositionRank(of: start) > rank {
      guard start > 0, let before = track.accessPoint(atOrBefore: start - 1, in: samples) else {
        lacksStart = start > 0
        return 0
      }
      start = before
    }
    return start
  }

  /// The sample from which a later part of the new track has to be decoded: the access point, or one before it.
  ///
  /// Pictures of AVC refer to others by numbers (`frame_num`) that count on from those before, except from an IDR picture on:
  /// after an access point that is none, they would find pictures of the part before. ISO/IEC 14496-10, 7.4.3
  ///
  /// - Parameters:
  ///   - first: the access point.
  ///   - start: the first sample of the part before, if that is of the same track; then the two parts may become one.
  ///   - passed: the access points between the result and `first`, and that one, are added to it.
  func restart(
    atOrBefore first: Int, from start: Int?, passing passed: inout Set<Int>
  ) throws(EditError) -> Int {
    guard track.isAVC else { return first }
    var candidate: Int? = first, unfit: Set<Int> = []
    while let index = candidate {
      if let start, index <= start {
        passed.formUnion(unfit)
        return start
      }
      // If no slice is found, the picture is taken for one that is no IDR picture.
      if let sample = samples.sample(at: index),
        try reading(track.firstUnitsOfAVC(in: sample)).last?.type == 5
      {
        passed.formUnion(unfit)
        return index
      }
      unfit.insert(index)
      candidate = index > 0 ? samples.syncSample(atOrBefore: index - 1) : nil
    }
    return first
  }

  /// The number of preceding packets that an audio decoder needs for the correct output of a packet.
  private func soundBefore(_ first: Int) -> Int {
    guard track.mediaType == .audio, let packet = samples.sample(at: first), packet.duration > 1 else {
      return 0
    }
    switch track.codec {
    case "Opus":
      // 80 milliseconds. RFC 7845, 4.6
      let needed = Int64(track.timescale) / 12
      return Int(clamping: (needed + packet.duration - 1) / packet.duration)
    case "alac", "fLaC", "twos", "sowt", "lpcm", "ipcm", "fpcm", "in24", "in32", "raw ", "alaw", "ulaw":
      return 0
    case ".mp3": return 10
    // Packets overlap with the preceding one; the data of MP3 in `mp4a` may begin nine frames earlier.
    case "mp4a" where packet.duration == 1_152 || packet.duration == 576: return 10
    default: return 3
    }
  }
}
