// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

// Rules about the boxes of stereo and projected video: `vexu` and what is in it, and their older relatives.

extension Rule {
  package static let oneEyeForTwoLayers = Rule(
    "MV031", .error, "stri does not claim both eyes, and the track has a layer for each",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8; Apple HEVC Stereo Video "
      + "Interoperability Profile", for: [.spatial, .stereo, .hls],
    why: "A track whose stri names one eye, or none, is shown as one view, whatever layers it has.",
    fix: "Set both has_left_eye_view and has_right_eye_view: the byte of stri is 3, or 11 with the order "
      + "reversed.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview, let eyes = track.stereo.stereoView, eyes != [.leftEye, .rightEye],
      let bits = track.stereo.viewInformation?.flagBits
    else { return }
    findings.add(
      "stri claims \(eyes.isEmpty ? "no eye" : "only \(eyes)"), the track has \(track.views.count) views",
      at: track.stereo.place(of: \.viewInformation), found: "\(bits)", wanted: "3",
      cure: .tag([.set(.eyes, "left,right")]))
  }

  package static let requiredBoxUnknown = Rule(
    "MV032", .warning, "must names a box that is not known",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "must lists what a reader has to understand to take the signalling for what it means. One that "
      + "does not know the box has to leave vexu aside: the movie is flat.",
    fix: "Take the name out of must unless the box is really needed, or the whole of must if the list is "
      + "empty then."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for type in track.stereo.unknownRequiredBoxTypes {
      findings.add(
        "must asks for '\(type)'", at: track.stereo.place(of: \.requiredBoxTypes), found: "\(type)",
        wanted: "a known type")
    }
  }

  package static let boxSizes = Rule(
    "MV033", .warning, "A stereo box has another size than some readers insist on",
    source: "FFmpeg, mov_read_vexu and its like; GPAC",
    .observed, for: [.spatial, .stereo, .immersive],
    why: "FFmpeg rejects hero, cams, cmfy and hfov of other sizes, and GPAC reads eyes only where stri has "
      + "13 bytes and comes first. Padding or further boxes in them make the movie unreadable there.",
    fix: "Write stri and hero with 13 bytes, blin and dadj with 16, cams and cmfy with 24, hfov with 12; "
      + "put further boxes elsewhere.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for box in track.description?.box.children ?? [] where box.type == "hfov" || box.type == "vexu" {
      compareSizes(of: box, "\(track.path)/\(box.type)", &findings)
    }
  }

  /// Looks at a box and those in it.
  private static func compareSizes(of box: Box, _ path: String, _ findings: inout FindingSink) {
    if let size = StereoBoxHome.sizes[box.type], box.size != size, box.registration != nil, !box.isLens {
      findings.add(
        "'\(box.type)' has \(box.size) bytes", path: path, offset: box.offset, found: "\(box.size)",
        wanted: "\(size)", cure: box.hasOnlyPadding(beyond: size) ? .repair : nil)
    }
    for child in box.children { compareSizes(of: child, "\(path)/\(child.type)", &findings) }
  }

  package static let misplacedBox = Rule(
    "MV034", .error, "A stereo box is where readers do not look for it",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "Readers find these boxes by their place. vexu and hfov belong into the sample entry, beside one "
      + "another; eyes, proj and pack into vexu; blin into cams, dadj into cmfy, prji into proj, pkin into pack.",
    fix: "Move the box to its place.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "misplaced-box" {
      let type = item.path.split(separator: "/").last.flatMap { FourCC($0.prefix(4)) }
      findings.add(aboutStereoBox: item, cure: type.flatMap { track.cureOfPlace(of: $0) })
    }
    track.forEachBoxOutside { box, path in
      let need = StereoBoxNeed(path: "\(box.type)")
      findings.add(
        "'\(box.type)' is where readers will not find it", path: "\(path)/\(box.type)",
        offset: box.offset,
        severity: need.severity, targets: need.targets, cure: track.cureOfPlace(of: box.type))
    }
  }

  package static let fullBoxHeader = Rule(
    "MV035", .error, "A plain box is written with version and flags",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "vexu, eyes, cams, cmfy, proj and pack hold boxes from their ninth byte on. Four bytes of version "
      + "and flags in front of them are read as the size of a box, and nothing in it is found. In hfov they "
      + "are read as the angle.",
    fix: "Write the box without version and flags.",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "full-box-header" {
      findings.add(aboutStereoBox: item)
    }
    if let box = track.fullBoxFieldOfView {
      findings.add(
        "hfov begins with version and flags, which it does not have", path: "\(track.path)/hfov",
        offset: box.offset, found: "\(box.size) bytes", wanted: "12 bytes",
        targets: StereoBoxNeed(path: "hfov").targets)
    }
  }

  package static let boxVersion = Rule(
    "MV036", .error, "A stereo box has a version that is not known",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "All boxes of the family have version 0. Readers leave one of another version aside, or reject "
      + "the track: FFmpeg does so with prji.",
    fix: "Write version 0.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "unsupported-version" {
      findings.add(aboutStereoBox: item, wanted: "version 0", cure: track.cureOfVersion(item.path))
    }
  }

  package static let duplicateBox = Rule(
    "MV037", .warning, "A stereo box is there twice",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "Of two boxes of a type some readers take the first and some the last: the movie is not the same "
      + "everywhere.",
    fix: "Remove the one that is wrong.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "duplicate-box" {
      findings.add(item, cure: track.description?.box.hasOnlyRepetitions == true ? .repair : nil)
    }
  }

  package static let striUnreadable = Rule(
    "MV038", .error, "A box that stereo boxes need is missing",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "eyes without stri, proj without prji and pack without pkin say nothing: readers reject them, or "
      + "show the movie flat.",
    fix: "Write the box that is missing, or take its container away.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "missing-box" {
      findings.add(item.message, path: item.path, offset: item.offset, cure: track.cureOfEmptyBox(item.path))
    }
  }

  package static let unknownCode = Rule(
    "MV039", .warning, "The projection or the packing has a code that is not known",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.spatial, .stereo, .immersive],
    why: "Players that do not know the code show the picture flat, or as it is coded.",
    fix: "Write one of rect, equi, hequ, prim, fish for the projection; side or over for the packing.",
    possibleCures: [.askForTag(.projection), .askForTag(.packing)]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    if let projection = track.stereo.projection, !projection.isKnown {
      findings.add(
        "prji is '\(projection.rawValue)'", at: track.stereo.place(of: \.projection),
        found: "\(projection.rawValue)",
        wanted: "rect, equi, hequ, prim or fish", cure: .askForTag(.projection))
    }
    if let packing = track.stereo.packing, !packing.isKnown {
      findings.add(
        "pkin is '\(packing.rawValue)'", at: track.stereo.place(of: \.packing), found: "\(packing.rawValue)",
        wanted: "side or over", cure: .askForTag(.packing))
    }
  }

  package static let auxiliaryLayerAsEye = Rule(
    "MV040", .error, "A layer that is not a picture is claimed for an eye",
    source: "ISO/IEC 23008-2, F.7.4.3.1.1 (AuxId); Apple, Spatial and Immersive Media – Format additions "
      + "1.9.8", for: [.spatial, .stereo],
    why: "The second layer is an alpha plane or a depth map. Shown to an eye it is a grey picture.",
    fix: "Take vexu away, or code the second view as a layer whose AuxId is 0.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.claimsBothEyes, !track.isFramePacked, !track.hasViewElsewhere, track.views.count < 2,
      let layer = track.analysis.layers.first(where: { !$0.isTexture })
    else { return }
    findings.add(
      "stri claims both eyes; layer \(layer.layerID) is \(layer.role)",
      at: track.stereo.place(of: \.viewInformation),
      found: "AuxId \(layer.auxiliaryID)", wanted: "AuxId 0", cure: .tag([.remove(.eyes)]))
  }

  package static let packedWithoutPacking = Rule(
    "MV041", .error, "Two eyes are claimed, one view is coded, and no packing is named",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8", for: [.spatial, .stereo],
    why: "Either the picture holds both views and nothing says how, so that both eyes see the two halves "
      + "side by side; or the second layer was lost in an encoding that knows one.",
    fix: "If the picture holds both views, add pack with pkin: side or over. If it holds one, take vexu "
      + "away.",
    cure: .askForTag(.packing)
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.claimsBothEyes, !track.isFramePacked, !track.hasViewElsewhere,
      !track.describesSecondView, !track.carriesSecondView,
      track.analysis.layers.allSatisfy(\.isTexture), !track.isHEVC || track.baseSPS != nil
    else { return }
    findings.add(
      "stri claims both eyes, but only one view is coded and there is no pkin",
      at: track.stereo.place(of: \.viewInformation),
      wanted: "pack/pkin, or a second layer")
  }
}

extension Box {
  /// Whether a camera system is described by its lenses too, which makes it longer by right.
  fileprivate var isLens: Bool { type == "cams" && first("lnsc") != nil }
}

extension TrackFacts {
  /// Boxes of the family that surround the sample entry, or in it where `vexu` should be around them.
  fileprivate func forEachBoxOutside(_ body: (Box, _ pathAround: String) -> Void) {
    for box in description?.box.children ?? [] where StereoBoxHome.typesInUsage.contains(box.type) {
      body(box, path)
    }
    for steps in ["", "/mdia", "/mdia/minf", "/mdia/minf/stbl"] {
      let surrounding = steps.isEmpty ? track.box : BoxPath(steps).flatMap { track.box?[$0] }
      for box in surrounding?.children ?? [] where ["vexu", "hfov", "eyes"].contains(box.type) {
        body(box, "\(track.path)\(steps)")
      }
    }
  }
}

extension TrackFacts {
  /// The box of the field of view, where it is written as a full box: longer by four zeros in front.
  var fullBoxFieldOfView: Box? {
    guard let box = description?.box.first("hfov"), box.body.count == 8,
      box.body.bigEndian(at: 0, width: 4) == 0
    else { return nil }
    return box
  }
}
