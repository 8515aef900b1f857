// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import ISOBMFF

/// How boxes and messages other than Apple's signal two views in one picture.
struct StereoPacking: Sendable {
  /// Two views in one picture.
  struct Arrangement: Hashable, Sendable {
    let packing: ViewPacking
    /// Whether the right view comes first; `nil` if nothing says which does.
    var isReversed: Bool?
    /// Whether the views are halves of the picture as they are: neither mirrored nor interleaved.
    var isPlain = true

    /// The arrangement in words: `side by side, the right eye first`.
    var description: String {
      "\(packing)" + (isReversed == true ? ", the right eye first" : "")
        + (isPlain ? "" : ", mirrored or in a checkerboard")
    }
  }

  /// What signals it.
  let source: String
  /// How the views are arranged.
  let arrangement: Arrangement
  /// The location of the source; `nil` for the bitstream.
  let place: BoxPlace?

  private init(_ source: String, _ arrangement: Arrangement, _ place: BoxPlace?) {
    self.source = source
    self.arrangement = arrangement
    self.place = place
  }

  /// Everything that signals two views in one picture: a box, a message in the bitstream.
  static func all(_ track: TrackFacts) -> [StereoPacking] {
    var found: [StereoPacking] = []
    if let box = track.description?.box.first("st3d"),
      let arrangement = arrangement(ofMode: box.payload(Stereoscopic3DBox.self)?.stereoMode)
    {
      found.append(
        StereoPacking("st3d", arrangement, BoxPlace(path: "\(track.path)/st3d", offset: box.offset)))
    }
    if let packing = track.sphericalText?.packing {
      found.append(
        StereoPacking(
          "the spherical metadata", Arrangement(packing: packing, isReversed: false), track.sphericalTextPlace
        ))
    }
    if let arrangement = arrangement(track.analysis) {
      found.append(StereoPacking("the frame packing message (SEI 45)", arrangement, nil))
    }
    return found
  }

  private static func arrangement(ofMode mode: UInt8?) -> Arrangement? {
    switch mode {
    case 1: Arrangement(packing: .overUnder, isReversed: false)
    case 2: Arrangement(packing: .sideBySide, isReversed: false)
    case 4: Arrangement(packing: .sideBySide, isReversed: true)
    default: nil
    }
  }

  /// The arrangement that messages in the bitstream signal; `nil` if they signal none.
  static func arrangement(_ analysis: LayerAnalysis) -> Arrangement? {
    guard analysis.hasMessage(FramePackingArrangement.self) else { return nil }
    for located in analysis.units where located.unit.type.isSEI && located.unit.layerID == 0 {
      for message in located.unit.seiMessages().messages
      where message.payloadType == FramePackingArrangement.payloadType {
        let (value, _, error) = message.payload.decode(FramePackingArrangement())
        guard error == nil, let arrangement = value.arrangement else { continue }
        // Table D.8: 3 side by side, 4 one above the other; 5 shows the views in turn.
        guard let packing: ViewPacking = [3: .sideBySide, 4: .overUnder][arrangement.type] else { continue }
        return Arrangement(
          packing: packing, isReversed: [1: false, 2: true][arrangement.contentInterpretation],
          isPlain: !arrangement.isQuincunx && !arrangement.isFlipped)
      }
    }
    return nil
  }
}
