// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FieldOutput
import HEVC
import Multiview

/// A track as the samples of one of its sample descriptions show it.
struct TrackVariant {
  let track: Track
  let used: UsedDescription

  /// How many are shown of a track: each part of a joined movie may have its own.
  private static let maximumShown = 16

  fileprivate init(_ track: Track, _ used: UsedDescription) {
    self.track = track.described(for: used.firstSample)
    self.used = used
  }

  /// The variants of a track other than that of its first sample; empty for most tracks.
  static func others(of track: Track) -> [TrackVariant] {
    track.usedDescriptions.dropFirst().prefix(maximumShown).map { TrackVariant(track, $0) }
  }

  /// The samples: `samples 75 to 112`.
  var words: String {
    let first = used.firstSample.index, last = used.endIndex - 1
    if used.sampleCount == 1 { return "sample \(first)" }
    if used.sampleCount == used.endIndex - first { return "samples \(first) to \(last)" }
    return "\(used.sampleCount) of samples \(first) to \(last)"
  }

  /// Which samples these are, for programs.
  var samplesJSON: JSONObject {
    [
      "description": used.number, "firstSample": used.firstSample.index, "sampleCount": used.sampleCount,
    ]
  }
}

/// Which eye sees each layer of each sample of a track.
final class SampleEyes {
  private let track: Track
  private let samples: TrackSamples?
  private let first: [UInt8: StereoEye]
  private var last: (numbers: [UInt32], eyes: [UInt8: StereoEye])?

  /// - Parameter samples: those of the track; `nil` for a raw stream.
  init(_ track: Track, _ samples: TrackSamples?) {
    self.track = track
    self.samples = track.hasSeveralDescriptions ? samples : nil
    first = track.eyeAssignment.eyes
  }

  /// The eye that sees a layer of a sample; `nil` if it is not known.
  func eye(ofLayer layer: UInt8, sample index: Int) -> StereoEye? { eyes(ofSample: index)[layer] }

  /// The layers of a sample that an eye sees.
  func layers(ofSample index: Int) -> LayerIDSet {
    var layers = LayerIDSet()
    for layer in eyes(ofSample: index).keys { layers.insert(layer) }
    return layers
  }

  /// The eyes that see layers of a sample, as far as they are known.
  func eyes(ofSample index: Int) -> [UInt8: StereoEye] {
    guard let sample = samples?.sample(at: index) else { return first }
    let numbers = track.descriptionNumbers(of: sample)
    if last?.numbers != numbers {
      last = (numbers, track.described(for: sample).eyeAssignment.eyes)
    }
    return last?.eyes ?? [:]
  }
}

extension Track {
  /// The eye that sees a layer in all samples; `nil` if it is not known, or not the same in all.
  func eyeInAllSamples(ofLayer layer: UInt8) -> StereoEye? {
    guard let eye = eyeAssignment.eyes[layer] else { return nil }
    let others = TrackVariant.others(of: self)
    // Where the layer is not there, nothing else is said.
    let isSame = others.allSatisfy { other in
      !other.track.layers.contains { $0.layerID == layer } || other.track.eyeAssignment.eyes[layer] == eye
    }
    return isSame ? eye : nil
  }

  /// What a layer shows in the samples of each description: `left eye, in samples 75 to 112 right eye`.
  func showsInAllSamples(_ layer: UInt8) -> String {
    var words = shows(layer)
    for other in TrackVariant.others(of: self)
    where other.track.layers.contains(where: { $0.layerID == layer }) {
      let shown = other.track.shows(layer)
      if shown != shows(layer) { words += ", in \(other.words) \(shown.isEmpty ? "not known" : shown)" }
    }
    return words
  }
}
