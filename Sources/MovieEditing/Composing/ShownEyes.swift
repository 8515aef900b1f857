// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

/// Which eye each part of the pictures of a track shows, over all of its sample entries.
struct ShownEyes {
  /// The eyes that something shows.
  enum Shown: Hashable {
    case left, right
    /// Some sample entries have one eye, some the other.
    case both

    init(_ eye: StereoEye) { self = eye == .left ? .left : .right }

    /// The eyes in words.
    var words: String {
      switch self {
      case .left: "the left eye"
      case .right: "the right eye"
      case .both: "now one eye, now the other"
      }
    }
  }

  /// The eyes by what shows them: `layer 0`, `the first half`.
  private(set) var eyes: [String: Shown] = [:]

  init(_ track: Track) {
    for (index, description) in track.formatDescriptions.enumerated() {
      let analysis =
        track.formatDescriptions.count > 1
        ? track.layerAnalysis(ofDescription: UInt32(index + 1)) : track.layerAnalysis
      for (layer, eye) in analysis.eyeAssignment.eyes where analysis.eyeAssignment.eyes.count > 1 {
        add("layer \(layer)", Shown(eye))
      }
      let stereo = description.stereo
      if stereo.packing != nil, stereo.hasBothEyeViews {
        add("the first half", stereo.eyeViewsReversed == true ? .right : .left)
      }
    }
  }

  private mutating func add(_ place: String, _ eye: Shown) {
    eyes[place] = eyes[place].map { $0 == eye ? eye : .both } ?? eye
  }
}
