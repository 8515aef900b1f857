// swift-multiview · SPDX-License-Identifier: Apache-2.0

import BoxCatalogue
import ByteCoding
import HEVC
import ISOBMFF

/// How boxes and messages other than Apple's signal two views.
struct StereoSignals: Sendable {
  /// Two views in one picture, as halves of it.
  private(set) var packings: [StereoPacking] = []
  /// Two views in another form.
  private(set) var others: [StereoSignal] = []
}

/// Two views in a form for which `pkin` has no value.
struct StereoSignal: Sendable {
  /// Its source, and what that signals.
  let words: String
  /// The location of the source; `nil` for the bitstream.
  let place: BoxPlace?
}

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

  fileprivate init(_ source: String, _ arrangement: Arrangement, _ place: BoxPlace?) {
    self.source = source
    self.arrangement = arrangement
    self.place = place
  }
}

extension StereoSignals {
  /// Everything that signals two views: boxes, and messages in the bitstream.
  init(_ track: TrackFacts) {
    if let box = track.description?.box.first("st3d") {
      let place = BoxPlace(path: "\(track.path)/st3d", offset: box.offset)
      let mode = box.payload(Stereoscopic3DBox.self)?.stereoMode
      if let arrangement = Self.arrangement(ofMode: mode) {
        packings.append(StereoPacking("st3d", arrangement, place))
      } else if mode == 3 {
        others.append(
          StereoSignal(
            words: "st3d signals two views, where the mesh of the projection has them", place: place))
      }
    }
    if let packing = track.sphericalText?.packing {
      packings.append(
        StereoPacking(
          "the spherical metadata", .init(packing: packing, isReversed: false), track.sphericalTextPlace))
    }
    takeRestriction(track)
    if let box = track.track.box?["trgr/ster"], let group = box.payload(StereoVideoGroupBox.self) {
      others.append(
        StereoSignal(
          words: "the track group ster signals the \(group.isLeftView ? "left" : "right") of two views",
          place: BoxPlace(path: "\(track.track.path)/trgr/ster", offset: box.offset)))
    }
    takeMessages(track)
  }

  private static func arrangement(ofMode mode: UInt8?) -> StereoPacking.Arrangement? {
    switch mode {
    case 1: .init(packing: .overUnder, isReversed: false)
    case 2: .init(packing: .sideBySide, isReversed: false)
    case 4: .init(packing: .sideBySide, isReversed: true)
    default: nil
    }
  }

  /// Restricted video: the first two schemes have the same numbers for halves. ISO/IEC 14496-12, 8.15.4.2
  private mutating func takeRestriction(_ track: TrackFacts) {
    guard let box = track.description?.box["rinf/schi/stvi"],
      let restriction = box.payload(StereoVideoBox.self)
    else { return }
    let place = BoxPlace(path: "\(track.path)/rinf/schi/stvi", offset: box.offset)
    let isKnown = (1...2).contains(restriction.stereoScheme) && restriction.stereoIndicationType.count == 4
    let type = isKnown ? restriction.stereoIndicationType.bigEndian(at: 0, width: 4) : nil
    if let packing = type.flatMap(Self.packing) {
      packings.append(StereoPacking("stvi", .init(packing: packing), place))
    } else {
      others.append(StereoSignal(words: "stvi signals two views in another form", place: place))
    }
  }

  private mutating func takeMessages(_ track: TrackFacts) {
    let isHEVC = track.isHEVC
    let messages =
      isHEVC ? Self.framePackings(track.analysis) : Self.framePackings(in: track.track.messagesOfAVC)
    let source = "the frame packing message (SEI 45)"
    for arrangement in messages {
      if let packing = Self.packing(UInt64(arrangement.type)) {
        let arrangement = StereoPacking.Arrangement(
          packing: packing, isReversed: [1: false, 2: true][arrangement.contentInterpretation],
          isPlain: !arrangement.isQuincunx && !arrangement.isFlipped)
        packings.append(StereoPacking(source, arrangement, nil))
        return
      }
      // Of HEVC only this is left; H.264 has views in columns, rows and tiles, too, and 6 for one view.
      guard arrangement.type == 5 || !isHEVC && [0, 1, 2, 7].contains(arrangement.type) else { continue }
      others.append(
        StereoSignal(
          words: source
            + (arrangement.type == 5 ? " signals two views in turn" : " signals two views in parts"),
          place: nil))
      return
    }
  }

  /// The packing with a number of the frame packing message. ISO/IEC 23008-2, table D.8
  private static func packing(_ type: UInt64) -> ViewPacking? { [3: .sideBySide, 4: .overUnder][type] }

  /// The arrangements in messages of the base layer.
  private static func framePackings(_ analysis: LayerAnalysis) -> [FramePackingArrangement.Arrangement] {
    guard analysis.hasMessage(FramePackingArrangement.self) else { return [] }
    return framePackings(
      in: analysis.units.lazy.map(\.unit).filter { $0.type.isSEI && $0.layerID == 0 }
        .flatMap { $0.seiMessages().messages })
  }

  private static func framePackings(
    in messages: some Sequence<SEIMessage>
  ) -> [FramePackingArrangement.Arrangement] {
    messages.compactMap { message in
      guard message.payloadType == FramePackingArrangement.payloadType else { return nil }
      let (value, _, error) = message.payload.decode(FramePackingArrangement())
      return error == nil ? value.arrangement : nil
    }
  }
}
