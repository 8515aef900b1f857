// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

extension TrackFacts {
  /// The sequence parameter set of the base layer.
  var baseSPS: SequenceParameterSet? { analysis.layers.first { $0.layerID == 0 }?.sps }

  /// Whether the samples of this track hold the base layer, as far as that is known.
  var carriesBaseLayer: Bool {
    description?.isEnhancementOnly == false
      && analysis.layers.first { $0.layerID == 0 }?.isInSamples != false
  }

  /// Whether a message names the views of the eyes, in a record or in the first sample.
  var hasReferenceDisplays: Bool {
    analysis.eyeAssignment.evidence.contains { $0.source == .referenceDisplays }
  }

  /// The first sample that is decoded earlier than the sample that precedes it.
  var backwardStep: (sample: Int, time: Int64, previous: Int64)? {
    do {
      var last: Int64?
      for sample in try track.samples() {
        if let last, sample.decodeTime < last { return (sample.index, sample.decodeTime, last) }
        last = sample.decodeTime
      }
    } catch { return nil }
    return nil
  }
}

extension RuleContext {
  /// Pairs of tracks that hold the two views: one depends on the other, or each signals one eye. A track is paired once
  /// in each way, because a movie may have thousands of tracks.
  var eyeTracks: [(TrackFacts, TrackFacts)] {
    let tracks = Dictionary(videoTracks.map { ($0.track.id, $0) }, uniquingKeysWith: { first, _ in first })
    let left = videoTracks.first { $0.stereo.stereoView == .leftEye }
    var pairs: [(TrackFacts, TrackFacts)] = []
    for second in videoTracks {
      let needed = second.track.references("sbas") + second.track.references("scal")
      let base = needed.first { $0 != second.track.id && tracks[$0] != nil }.flatMap { tracks[$0] }
      if let base { pairs.append((base, second)) }
      guard let left, second.stereo.stereoView == .rightEye else { continue }
      if left.track.id != second.track.id, left.track.id != base?.track.id { pairs.append((left, second)) }
    }
    return pairs
  }
}

extension EditList {
  /// The first edits in words.
  var entriesText: String {
    guard !isIdentity else { return "no edits" }
    let shown = 8
    let more = edits.count > shown ? ["and \(edits.count - shown) more"] : []
    return (edits.prefix(shown).map { Self.words(of: $0) } + more).joined(separator: ", ")
  }

  /// Whether both edit lists present the same media at the same times.
  func tellsTheSame(as other: EditList) -> Bool {
    if isIdentity || other.isIdentity { return isIdentity && other.isIdentity }
    return edits.count == other.edits.count
      && zip(edits, other.edits).allSatisfy { Self.words(of: $0) == Self.words(of: $1) }
  }

  private static func words(of edit: Edit) -> String {
    let from =
      switch edit.content {
      case .empty: "nothing"
      case .dwell(let time): "the picture at \(time)"
      case .media(let time, _): "media from \(time)"
      }
    return "\(edit.start): \(from)"
  }
}

extension Track {
  /// Whether the edit list skips the beginning of the media, or begins with an empty edit.
  var shiftsMedia: Bool {
    guard let first = edits.edits.first else { return false }
    switch first.content {
    case .empty: return true
    case .dwell: return false
    case .media(let time, _): return time > 0
    }
  }
}
