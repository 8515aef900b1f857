// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

// Rules about the boxes of stereo and projected video: `vexu` and what is in it, and their older relatives.

extension Rule {
  package static let oneEyeForTwoLayers = Rule(
    "MV031", .error, "stri does not claim both eyes, but the track has a layer for each",
    source: formatAdditions + "; Apple HEVC Stereo Video Interoperability Profile",
    for: [.spatial, .stereo, .hls], traits: [.contradictsTags],
    why: "If stri names only one eye, or none, players show one view, whatever layers the track has.",
    fix: "Set both has_left_eye_view and has_right_eye_view: the byte of stri is 3, or 11 with the order "
      + "reversed.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview, let eyes = track.stereo.stereoView, eyes != [.leftEye, .rightEye],
      let bits = track.stereo.viewInformation?.flagBits
    else { return }
    findings.add(
      "stri claims \(eyes.isEmpty ? "no eye" : "only \(eyes)"), but the track has \(track.views.count) views",
      at: track.stereo.place(of: \.viewInformation), found: "\(bits)", wanted: "3",
      cure: .tag([.set(.eyes, "left,right")]))
  }

  package static let requiredBoxUnknown = Rule(
    "MV032", .warning, "The must box names an unknown box type",
    source: formatAdditions, for: [.spatial, .stereo, .immersive],
    why:
      "must lists the boxes that a reader has to understand. A reader that does not know all of them must ignore "
      + "vexu, and shows the movie flat. Players may know a box that this library does not, so the verdicts do not "
      + "ignore vexu.",
    fix: "Remove the name from must unless the box is really needed. If that leaves the list empty, remove "
      + "must."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for type in track.stereo.unknownRequiredBoxTypes {
      findings.add(
        "must requires '\(type)'", at: track.stereo.place(of: \.requiredBoxTypes), found: "\(type)",
        wanted: "a known type")
    }
  }

  package static let boxSizes = Rule(
    "MV033", .warning, "A stereo box does not have the size that some readers require",
    source: "FFmpeg, mov_read_vexu and its like; GPAC", .observed,
    for: [.spatial, .stereo, .immersive], traits: [.fixedInBoxes],
    why: "FFmpeg rejects hero, cams, cmfy and hfov of other sizes, and GPAC reads eyes only if stri has "
      + "13 bytes and comes first. Padding or other boxes inside them make the movie unreadable there.",
    fix: "Write stri and hero with 13 bytes, blin and dadj with 16, cams and cmfy with 24, hfov with 12; "
      + "put other boxes elsewhere.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for box in track.description?.box.children ?? [] where box.type == "hfov" || box.type == "vexu" {
      compareSizes(of: box, { "\(track.path)/\(box.type)" }, &findings)
    }
    for item in track.stereo.diagnostics where item.code == "size-zero" { findings.add(item) }
  }

  /// Compares the sizes of a box and of the boxes in it.
  private static func compareSizes(of box: Box, _ path: () -> String, _ findings: inout FindingSink) {
    if let size = StereoBoxHome.sizes[box.type], box.size != size, box.registration != nil, !box.isLens {
      findings.add(
        "'\(box.type)' has \(box.size) bytes", path: path(), offset: box.offset, found: "\(box.size)",
        wanted: "\(size)", cure: box.hasOnlyPadding(beyond: size) ? .repair : nil)
    }
    let children = box.children
    for index in children.indices {
      compareSizes(of: children[index], { "\(path())/\(children[index].type)" }, &findings)
    }
  }

  package static let misplacedBox = Rule(
    "MV034", .error, "A stereo box is in the wrong place",
    source: formatAdditions, for: [.spatial, .stereo, .immersive], traits: [.hidesTags, .fixedInBoxes],
    why: "Readers find these boxes by their place. vexu and hfov belong in the sample entry, side by "
      + "side; eyes, proj and pack in vexu; blin in cams, dadj in cmfy, prji in proj, pkin in pack.",
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
    source: formatAdditions, for: [.spatial, .stereo, .immersive], traits: [.hidesTags, .fixedInBoxes],
    why: "In vexu, eyes, cams, cmfy, proj and pack, the child boxes start at the ninth byte. Four bytes of "
      + "version and flags in front of them are read as the size of a box, and no child is found. In hfov "
      + "they are read as the angle.",
    fix: "Write the box without version and flags.",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "full-box-header" {
      findings.add(aboutStereoBox: item)
    }
    if let box = track.fullBoxFieldOfView {
      findings.add(
        "hfov begins with a version and flags, which are not part of this box", path: "\(track.path)/hfov",
        offset: box.offset, found: "\(box.size) bytes", wanted: "12 bytes",
        targets: StereoBoxNeed(path: "hfov").targets)
    }
  }

  package static let boxVersion = Rule(
    "MV036", .error, "A stereo box has an unknown version",
    source: formatAdditions, for: [.spatial, .stereo, .immersive], traits: [.hidesTags, .fixedInBoxes],
    why: "All boxes of this family have version 0. Readers ignore a box of another version, or reject the "
      + "track, as FFmpeg does with prji.",
    fix: "Write version 0.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "unsupported-version" {
      findings.add(aboutStereoBox: item, wanted: "version 0", cure: track.cureOfVersion(item.path))
    }
  }

  package static let duplicateBox = Rule(
    "MV037", .warning, "A stereo box occurs twice",
    source: formatAdditions, for: [.spatial, .stereo, .immersive], traits: [.fixedInBoxes],
    why: "If there are two boxes of one type, some readers use the first and some the last: the movie is not "
      + "the same everywhere.",
    fix: "Remove the wrong one.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "duplicate-box" {
      findings.add(item, cure: track.description?.box.hasOnlyRepetitions == true ? .repair : nil)
    }
  }

  package static let striUnreadable = Rule(
    "MV038", .error, "A stereo box lacks a required child box",
    source: formatAdditions, for: [.spatial, .stereo, .immersive], traits: [.hidesTags, .fixedInBoxes],
    why: "eyes without stri, proj without prji and pack without pkin have no meaning: readers reject them, "
      + "or show the movie flat.",
    fix: "Write the missing box, or remove its container.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.stereo.diagnostics where item.code == "missing-box" {
      findings.add(item.message, path: item.path, offset: item.offset, cure: track.cureOfEmptyBox(item.path))
    }
  }

  package static let unknownCode = Rule(
    "MV039", .warning, "The projection or packing code is unknown",
    source: formatAdditions,
    for: [.spatial, .stereo, .immersive], traits: [.contradictsTags, .explainsVerdict],
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
    "MV040", .error, "A layer that is not a picture is signalled for an eye",
    source: "ISO/IEC 23008-2, F.7.4.3.1.1 (AuxId); Apple, Spatial and Immersive Media – Format additions "
      + "1.9.8", for: [.spatial, .stereo], traits: [.contradictsTags],
    why: "The second layer is an alpha plane or a depth map. Shown to an eye, it is a grey picture.",
    fix: "Remove eyes, or code the second view as a layer whose AuxId is 0.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.claimsBothEyes, !track.isFramePacked,
      !track.track.classificationFacts.hasSecondViewInAnotherTrack, track.views.count < 2,
      let layer = track.auxiliaryLayer
    else { return }
    findings.add(
      "stri claims both eyes, but layer \(layer.layerID) is \(layer.role)",
      at: track.stereo.place(of: \.viewInformation),
      found: "AuxId \(layer.auxiliaryID)", wanted: "AuxId 0", cure: .tag([.remove(.eyes)]))
  }

  package static let packedWithoutPacking = Rule(
    "MV041", .error, "stri claims both eyes, but only one view is coded and no packing is signalled",
    source: formatAdditions, for: [.spatial, .stereo], traits: [.contradictsTags],
    why: "Either the picture holds both views, but the packing is not signalled and both eyes see the two "
      + "halves side by side; or the second layer was lost by an encoder that supports only one.",
    fix: "If the picture holds both views, add pack with pkin: side or over. If it holds one, remove "
      + "eyes.",
    cure: .askForTag(.packing)
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.claimsBothEyes, !track.isFramePacked, !track.hasViewElsewhere,
      !track.describesSecondView, !track.carriesSecondView,
      track.analysis.layers.allSatisfy(\.isTexture), !track.isHEVC || track.baseSPS != nil
    else { return }
    findings.add(
      "stri claims both eyes, but only one view is coded and pkin is missing",
      at: track.stereo.place(of: \.viewInformation),
      wanted: "pack/pkin, or a second layer")
  }
}

extension Box {
  /// Whether a camera system also describes its lenses, which makes it longer.
  fileprivate var isLens: Bool { type == "cams" && first("lnsc") != nil }
}

extension TrackFacts {
  /// Passes boxes of the family that are outside the sample entry, or in it without a `vexu` around them.
  fileprivate func forEachBoxOutside(_ body: (Box, _ pathAround: String) -> Void) {
    // By position: a box that is skipped is not copied.
    let entry = description?.box.children ?? []
    for index in entry.indices where StereoBoxHome.typesInUsage.contains(entry[index].type) {
      body(entry[index], path)
    }
    // What is around the sample entries belongs to that of the first sample.
    guard track.describing == nil else { return }
    for (steps, place) in Self.surroundings {
      let boxes = (place.map { track.box?[$0] } ?? track.box)?.children ?? []
      for index in boxes.indices where Self.misplacedTypes.contains(boxes[index].type) {
        body(boxes[index], "\(track.path)\(steps)")
      }
    }
  }

  /// The wrong places in which writers have put stereo boxes of the sample entry.
  private static let surroundings = ["", "/mdia", "/mdia/minf", "/mdia/minf/stbl"].map { steps in
    (steps, steps.isEmpty ? nil : BoxPath(steps))
  }
  private static let misplacedTypes: [FourCC] = ["vexu", "hfov", "eyes"]
}

extension TrackFacts {
  /// The `hfov` box if it is written as a full box, with four more zero bytes in front.
  var fullBoxFieldOfView: Box? {
    guard let box = description?.box.first("hfov"), box.body.count == 8,
      box.body.bigEndian(at: 0, width: 4) == 0
    else { return nil }
    return box
  }
}

/// What a fault in a box of the stereo family affects: the box is the last one in the path of the finding.
private struct StereoBoxNeed {
  /// The targets that need the box.
  let targets: [CheckTarget]
  /// The greatest severity of a fault in it; a rule may be less severe.
  let severity: Diagnostic.Severity

  init(path: String) {
    let type = path.split(separator: "/").last?.prefix(4) ?? ""
    targets =
      switch type {
      // Camera values are required only for spatial video: without them the movie is still stereo.
      case "cams", "blin", "cmfy", "dadj": [.spatial]
      // Without a projection, or with one that readers do not find, stereo is shown as flat stereo.
      case "hfov", "proj", "prji": [.spatial, .immersive]
      case "hero": [.spatial, .stereo]
      default: [.spatial, .stereo, .immersive]
      }
    // Nothing depends on which eye is shown in 2D.
    severity = type == "hero" ? .warning : .error
  }
}

extension FindingSink {
  /// Adds what reading found wrong in a box of the stereo family.
  fileprivate mutating func add(
    aboutStereoBox item: Diagnostic, found: String? = nil, wanted: String? = nil, cure: Cure? = nil
  ) {
    let need = StereoBoxNeed(path: item.path)
    add(
      item.message, path: item.path, offset: item.offset, found: found, wanted: wanted,
      severity: need.severity,
      targets: need.targets, cure: cure)
  }
}

extension TrackFacts {
  /// A layer of the bitstream that is no view, in this track or in another.
  fileprivate var auxiliaryLayer: VideoLayer? {
    if let own = analysis.layers.first(where: { !$0.isTexture }) { return own }
    guard hasViewElsewhere, let described = analysis.structure?.layers.first(where: { !$0.isTexture }) else {
      return nil
    }
    var layer = VideoLayer(layerID: described.id)
    (layer.auxiliaryID, layer.isDepth) = (Int(described.auxID), described.depthLayerFlag)
    return layer
  }
}
