// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import ISOBMFF

/// How boxes and messages other than Apple's signal two views in one picture.
struct StereoPacking {
  /// What signals it.
  let source: String
  /// How the views are arranged.
  let packing: ViewPacking
  /// The location of the source; `nil` for the bitstream.
  let place: BoxPlace?

  /// `nil` if nothing signals it.
  init?(_ track: TrackFacts) {
    if let box = track.description?.box.first("st3d"),
      let packing = Self.packing(ofMode: box.payload(Stereoscopic3DBox.self)?.stereoMode)
    {
      self.init("st3d", packing, BoxPlace(path: "\(track.path)/st3d", offset: box.offset))
    } else if let packing = track.framePacking {
      self.init("the frame packing message (SEI 45)", packing, nil)
    } else {
      return nil
    }
  }

  private init(_ source: String, _ packing: ViewPacking, _ place: BoxPlace?) {
    self.source = source
    self.packing = packing
    self.place = place
  }

  private static func packing(ofMode mode: UInt8?) -> ViewPacking? {
    switch mode {
    case 1: .overUnder
    case 2: .sideBySide
    default: nil
    }
  }

  /// The packing that messages in the bitstream signal; `nil` if they signal none.
  static func arrangement(_ analysis: LayerAnalysis) -> ViewPacking? {
    for located in analysis.units where located.unit.type.isSEI && located.unit.layerID == 0 {
      for message in located.unit.seiMessages().messages
      where message.payloadType == FramePackingArrangement.payloadType {
        let (value, _, error) = message.payload.decode(FramePackingArrangement())
        guard error == nil, let arrangement = value.arrangement else { continue }
        // Table D.8: 3 side by side, 4 one above the other; 5 shows the views in turn.
        if arrangement.type == 3 { return .sideBySide }
        if arrangement.type == 4 { return .overUnder }
      }
    }
    return nil
  }
}
