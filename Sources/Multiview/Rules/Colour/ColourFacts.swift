// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

/// What a track says of its colours, in the box and in the bitstream.
struct ColourFacts {
  /// The code points of `colr`; `nil` without one, or where it holds an ICC profile.
  let box: ColourInformationBox?
  /// Where that box stands.
  let place: BoxPlace?
  /// What the VUI of the base layer says.
  let signal: VideoSignalType?

  init(_ track: TrackFacts) {
    var found: (Box, ColourInformationBox)?
    for child in track.description?.box.children ?? [] where child.type == "colr" && found == nil {
      if let payload = child.payload(ColourInformationBox.self), payload.colourType.hasCodePoints {
        found = (child, payload)
      }
    }
    box = found?.1
    place = found.map { BoxPlace(path: "\(track.path)/colr", offset: $0.0.offset) }
    signal = track.analysis.layers.first { $0.layerID == 0 }?.sps?.vui?.videoSignalType
  }

  /// The transfer function: by the box, or where it leaves it open by the VUI.
  var transfer: Int? {
    let known = [
      box.map { Int($0.transferCharacteristics) }, signal?.colour.map { Int($0.transferCharacteristics) },
    ]
    return known.compactMap { $0 }.first { $0 != 2 }
  }

  /// Whether the bitstream says that it is HDR.
  var bitstreamIsHDR: Bool {
    signal?.colour.map { $0.transferCharacteristics == 16 || $0.transferCharacteristics == 18 } ?? false
  }

  /// `VIDEO-RANGE`
  var videoRange: String? {
    switch transfer {
    case 16: "PQ"
    case 18: "HLG"
    case nil: nil
    default: "SDR"
    }
  }
}

extension FourCC {
  /// Whether a `colr` of this kind has code points.
  fileprivate var hasCodePoints: Bool { self == "nclx" || self == "nclc" }
}
