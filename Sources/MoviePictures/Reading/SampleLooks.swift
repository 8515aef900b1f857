// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF
import Multiview

/// How the pictures of a sample are shown, and by whom.
struct SampleLook: Sendable {
  let look: PictureLook
  let eyes: [UInt8: StereoEye]
  let alpha: AlphaLayers
  /// The layers that samples of the description may have; `nil` if that is not known.
  let layers: Set<UInt8>?

  init(_ track: Track) {
    look = PictureLook(track)
    eyes = track.eyeAssignment.eyes
    alpha = AlphaLayers(track)
    let analysis = track.layerAnalysis
    layers =
      analysis.knowsFirstSample
      ? Set(analysis.layers.map(\.layerID)).union(analysis.missingLayers) : nil
  }
}

/// How the pictures of each sample of a track are shown: by the sample description of the sample.
final class SampleLooks {
  /// The look of the first sample.
  private let first: SampleLook
  /// The looks of other samples, by the numbers of their descriptions.
  private var others: [[UInt32]: SampleLook] = [:]
  private let track: Track
  /// `nil` if all samples have the same.
  private let samples: TrackSamples?

  /// - Parameter samples: those of the track; `nil` for a raw stream.
  init(_ track: Track, _ samples: TrackSamples?) {
    self.track = track
    first = SampleLook(track)
    self.samples = track.hasSeveralDescriptions ? samples : nil
  }

  /// How the pictures of a sample are shown.
  subscript(sample index: Int) -> SampleLook {
    guard let samples, let sample = samples.sample(at: index) else { return first }
    let numbers = track.descriptionNumbers(of: sample)
    if let known = others[numbers] { return known }
    let look = SampleLook(track.described(for: sample))
    others[numbers] = look
    return look
  }

  /// The looks of all descriptions that samples have.
  private var all: [SampleLook] {
    track.hasSeveralDescriptions
      ? track.usedDescriptions.map { self[sample: $0.firstSample.index] } : [first]
  }

  /// Whether not all samples have the same.
  var differ: Bool { samples != nil }
  /// Whether two samples have different descriptions.
  func differ(_ first: Int, _ second: Int) -> Bool {
    guard let first = samples?.sample(at: first), let second = samples?.sample(at: second) else {
      return false
    }
    return track.descriptionNumbers(of: first) != track.descriptionNumbers(of: second)
  }
  /// Whether a sample has a description, other than that of further samples, without any of the layers.
  func lacks(_ wanted: Set<UInt8>?, atSample index: Int) -> Bool {
    guard differ, let wanted, let layers = self[sample: index].layers else { return false }
    return layers.isDisjoint(with: wanted)
  }
  /// Whether ``neededLayers(for:)`` has named layers.
  private(set) var areLayersChosen = false

  /// The layers to decode so that `wanted` (`nil` for all output layers) can be shown with alpha; `nil` for
  /// exactly the output layers.
  func neededLayers(for wanted: Set<UInt8>?) -> Set<UInt8>? {
    let all = all
    guard all.contains(where: { !$0.alpha.isEmpty }) else {
      areLayersChosen = wanted != nil
      return wanted
    }
    areLayersChosen = true
    return all.reduce(into: []) { $0.formUnion($1.alpha.needed(for: wanted)) }
  }
}
