// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

// Rules about colour and picture size.

extension Rule {
  package static let colourOfHDRAbsent = Rule(
    "MV062", .warning, "HDR video has no colr",
    source: "ISO/IEC 14496-12, 12.1.5; HLS authoring specification for Apple devices, 1.29",
    for: [.spatial, .stereo, .immersive, .hls], traits: [.fixedInBoxes],
    why: "The VUI signals PQ or HLG. Players that decide by the sample entry whether to switch to HDR treat "
      + "the movie as SDR, and it looks grey.",
    fix: "Add colr nclx (in QuickTime nclc) with the code points of the VUI.",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let colour = ColourFacts(track)
    guard colour.bitstreamIsHDR, colour.box == nil, let signal = colour.signal?.colour else { return }
    findings.add(
      "the VUI has transfer characteristics \(signal.transferCharacteristics), but the sample entry has no colr",
      at: track.place,
      wanted: "colr \(signal.colourPrimaries), \(signal.transferCharacteristics), \(signal.matrixCoeffs)")
  }

  package static let colourContradicts = Rule(
    "MV063", .warning, "colr contradicts the VUI of the bitstream",
    source: "ISO/IEC 14496-12, 12.1.5", for: [.iso, .spatial, .stereo, .immersive, .hls],
    why: "Some players use the box and some the bitstream: colours, or the switch to HDR, depend on the "
      + "player.",
    fix: "Make colr and the VUI of the SPS agree. By the standard, colr takes precedence."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let colour = ColourFacts(track)
    guard let box = colour.box, let signal = colour.signal else { return }
    if let isFull = box.isFullRange, isFull != signal.videoFullRangeFlag {
      let (found, wanted) = isFull ? ("1", "0") : ("0", "1")
      findings.add(
        "full_range_flag is \(found) in colr, \(wanted) in the VUI", at: colour.place, found: found,
        wanted: wanted)
    }
    guard let signal = signal.colour else { return }
    let pairs: [(String, Int, Int)] = [
      ("colour_primaries", Int(box.colourPrimaries), Int(signal.colourPrimaries)),
      ("transfer_characteristics", Int(box.transferCharacteristics), Int(signal.transferCharacteristics)),
      ("matrix_coefficients", Int(box.matrixCoefficients), Int(signal.matrixCoeffs)),
    ]
    for (name, found, wanted) in pairs where found != wanted && found != 2 && wanted != 2 {
      if name == "transfer_characteristics", VideoColour.ordinaryCurves.contains(wanted) {
        // The same curve, or the one that a message prefers to it: broadcasts in HLG have it in colr.
        if VideoColour.ordinaryCurves.contains(found) || found == track.track.preferredTransfer { continue }
      }
      // So are the primaries 6 and 7, and the coefficients 5 and 6.
      if name == "colour_primaries", [found, wanted].allSatisfy((6...7).contains) { continue }
      if name == "matrix_coefficients", [found, wanted].allSatisfy((5...6).contains) { continue }
      findings.add(
        "\(name) is \(found) in colr, \(wanted) in the VUI", at: colour.place, found: "\(found)",
        wanted: "\(wanted)")
    }
  }

  package static let entrySize = Rule(
    "MV064", .warning, "The size in the sample entry differs from that of the pictures",
    source: "ISO/IEC 14496-15, 8.4.2; ISO/IEC 14496-12, 12.1.3", for: .all, traits: [.fixedInBoxes],
    why: "Players use the width and height of the sample entry for their layout before they decode. With the "
      + "coded size instead of the cropped one, a border is shown, or the picture is squeezed.",
    fix: "Write the size inside the conformance window of the SPS into the sample entry.",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let visual = track.description?.visual, let size = track.baseSPS?.croppedSize, visual.width > 0,
      visual.height > 0, track.carriesBaseLayer
    else { return }
    let found = PictureSize(width: Int(visual.width), height: Int(visual.height))
    guard found != size else { return }
    findings.add(
      "the sample entry has \(found), the SPS \(size)", at: track.place, found: "\(found)", wanted: "\(size)"
    )
  }
}

/// The colours of a track, as the box and the bitstream specify them.
private struct ColourFacts {
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
