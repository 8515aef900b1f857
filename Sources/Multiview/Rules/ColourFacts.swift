// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

/// The colours of a track, as the box and the bitstream specify them.
struct ColourFacts {
  /// The code points of `colr`; `nil` without one, or where it holds an ICC profile.
  let box: ColourInformationBox?
  /// Where that box is.
  let place: BoxPlace?
  /// What the VUI of the base layer says.
  let signal: VideoSignalType?

  init(_ track: TrackFacts) {
    let found = track.description?.colourBox
    box = found?.payload
    place = found.map { BoxPlace(path: "\(track.path)/colr", offset: $0.box.offset) }
    signal = track.track.codedColour
  }

  /// Whether the bitstream says that it is HDR.
  var bitstreamIsHDR: Bool {
    signal?.colour.map { $0.transferCharacteristics == 16 || $0.transferCharacteristics == 18 } ?? false
  }
}
