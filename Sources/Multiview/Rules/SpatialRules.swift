// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

// Rules about what makes a stereo movie spatial: field of view, baseline, disparity.

extension Rule {
  /// The source of the rule that spatial video needs all three values, and the consequence if one is missing.
  private static let sourceOfNeeds =
    "Apple, Creating spatial photos and videos with spatial metadata; FormatDescriptionUtilities in the source of WebKit"
  private static let withoutNeeds =
    "WebKit treats video as spatial only if hfov, blin and dadj are all present; otherwise it is 3D video, shown flat in "
    + "its frame, and is not listed with the spatial videos in Photos."

  package static let fieldOfViewAbsent = Rule(
    "MV022", .error, "hfov is missing",
    source: sourceOfNeeds, for: [.spatial],
    why: "The movie describes its cameras, but not their field of view. " + withoutNeeds,
    fix: "Add hfov beside vexu, with the horizontal field of view of one eye in thousandths of a degree: "
      + "63400 for the cameras of an iPhone. Do not write 0.",
    cure: .askForTag(.fieldOfView)
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isSpatialCandidate, !track.cameraValues.isEmpty, track.stereo.horizontalFieldOfView == nil
    else { return }
    findings.add(
      "hfov is missing; the sample entry has \(track.cameraValues.joined(separator: " and "))",
      at: track.place, wanted: "hfov")
  }

  package static let baselineAbsent = Rule(
    "MV023", .error, "blin is missing",
    source: sourceOfNeeds, for: [.spatial],
    why: "The movie describes its cameras, but not the distance between them. " + withoutNeeds,
    fix: "Add cams with blin to eyes, with the distance between the lenses in micrometres: 19240 for an "
      + "iPhone, 63000 for most stereo cameras.",
    cure: .askForTag(.baseline)
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isSpatialCandidate, !track.cameraValues.isEmpty, track.stereo.baseline == nil else { return }
    findings.add(
      "blin is missing; the sample entry has \(track.cameraValues.joined(separator: " and "))",
      at: track.stereo.place(of: \.hasEyes) ?? track.place, wanted: "vexu/eyes/cams/blin")
  }

  package static let disparityAbsent = Rule(
    "MV024", .error, "dadj is missing",
    source: sourceOfNeeds, .observed, for: [.spatial],
    why: "The movie describes its cameras, but not how far to shift the views. " + withoutNeeds,
    fix: "Add cmfy with dadj to eyes, in ten-thousandths of the picture width: 200 for an iPhone, 0 for no "
      + "shift.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isSpatialCandidate, !track.cameraValues.isEmpty, track.stereo.disparityAdjustment == nil
    else { return }
    findings.add(
      "dadj is missing; the sample entry has \(track.cameraValues.joined(separator: " and "))",
      at: track.stereo.place(of: \.hasEyes) ?? track.place, wanted: "vexu/eyes/cmfy/dadj",
      cure: .tag([.set(.disparity, "0")]))
  }

  package static let noCameraValues = Rule(
    "MV025", .note, "Stereo without camera values: 3D, not spatial",
    source: sourceOfNeeds, for: [.spatial],
    why: "Without hfov, blin and dadj the movie is a 3D movie. That is right for films; camera "
      + "footage with these values would be shown as spatial video.",
    fix: "If the cameras are known, add hfov, cams/blin and cmfy/dadj. If not, leave them out: invented "
      + "values look wrong."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isSpatialCandidate, track.cameraValues.isEmpty else { return }
    findings.add(
      "hfov, blin and dadj are all missing", at: track.stereo.place(of: \.hasEyes) ?? track.place,
      wanted: "hfov, blin, dadj")
  }

  package static let fieldOfViewZero = Rule(
    "MV026", .warning, "hfov is 0",
    source: formatAdditions, .inferred, for: [.spatial, .stereo, .immersive], traits: [.contradictsTags],
    why: "A value of 0 counts as present: the movie is treated as spatial, with a picture of zero width. No "
      + "camera has that.",
    fix: "Write the field of view of the camera in thousandths of a degree, or leave the box out.",
    possibleCures: [.tag([]), .askForTag(.fieldOfView)]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.horizontalFieldOfView?.rawValue == 0, track.fullBoxFieldOfView == nil else { return }
    findings.add(
      "hfov is present, but 0", at: track.stereo.place(of: \.horizontalFieldOfView), found: "0",
      wanted: "1 to 360000",
      cure: track.cureOfZero(.fieldOfView, among: "hfov"))
  }

  package static let baselineZero = Rule(
    "MV027", .warning, "blin is 0",
    source: formatAdditions, .inferred, for: [.spatial, .stereo], traits: [.contradictsTags],
    why: "A value of 0 counts as present: two cameras in the same place see no depth, and anything computed "
      + "from the distance is wrong.",
    fix: "Write the distance between the lenses in micrometres, or leave the box out.",
    possibleCures: [.tag([]), .askForTag(.baseline)]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.baseline?.rawValue == 0 else { return }
    findings.add(
      "blin is present, but 0", at: track.stereo.place(of: \.baseline), found: "0", wanted: "more than 0",
      cure: track.cureOfZero(.baseline, among: "blin"))
  }

  package static let fieldOfViewRange = Rule(
    "MV028", .error, "hfov is out of range",
    source: formatAdditions, .inferred, for: [.spatial, .immersive], traits: [.contradictsTags],
    why: "No picture is wider than a full circle, and a flat picture covers less than half of one. The usual "
      + "cause is a value in degrees or radians instead of thousandths of a degree.",
    fix: "Write thousandths of a degree: 63.4° is 63400.",
    cure: .askForTag(.fieldOfView)
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let value = track.stereo.horizontalFieldOfView, value.rawValue > 0 else { return }
    let place = track.stereo.place(of: \.horizontalFieldOfView)
    if value.rawValue > 360_000 {
      findings.add("hfov is \(value.rawValue)", at: place, found: "\(value.rawValue)", wanted: "1 to 360000")
    } else if track.isKnownFlat, value.rawValue >= 180_000 {
      findings.add(
        "hfov is \(value.rawValue), but the picture is flat", at: place, found: "\(value.rawValue)",
        wanted: "less than 180000")
    } else if value.rawValue < 1_000 {
      findings.add(
        "hfov is \(value.rawValue): less than one degree", at: place, found: "\(value.rawValue)",
        wanted: "thousandths of a degree")
    }
  }

  package static let disparityRange = Rule(
    "MV029", .error, "dadj is out of range",
    source: "Apple, HorizontalDisparityAdjustment: −10000 to 10000", for: [.spatial],
    traits: [.contradictsTags],
    why: "The shift is a fraction of the picture width, up to the whole of it. Readers clip larger values or "
      + "reject them.",
    fix: "Write ten-thousandths of the width, signed: 2 % is 200.",
    cure: .askForTag(.disparity)
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let value = track.stereo.disparityAdjustment, !value.isLegal else { return }
    findings.add(
      "dadj is \(value.rawValue)", at: track.stereo.place(of: \.disparityAdjustment),
      found: "\(value.rawValue)",
      wanted: "-10000 to 10000")
  }

  package static let projectionAgainstSpatial = Rule(
    "MV030", .warning, "The projection contradicts the field of view, or camera values for flat video",
    source: formatAdditions + "; Apple Projected Media Profile", .inferred, for: [.spatial, .immersive],
    why:
      "Spatial video is rectilinear. With a projection the movie is treated as 180 or 360 video. A field of "
      + "view of a flat camera, or of another part of the sphere, does not match it: one of them is wrong.",
    fix: "For spatial video, remove proj or write rect. For 180 write hfov 180000, for 360 write 360000, "
      + "or leave hfov out."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let projection = track.stereo.projection else { return }
    let value = track.stereo.horizontalFieldOfView
    if projection == .halfEquirectangular, let value, value.rawValue > 180_000 {
      findings.add(
        "the projection is \(projection), half a sphere, but the field of view is \(value)",
        at: track.stereo.place(of: \.projection), found: "\(projection.rawValue)",
        wanted: "equi, or hfov 180000")
    } else if projection == .equirectangular, let value, (120_000...180_000).contains(value.rawValue) {
      findings.add(
        "the projection is \(projection), a whole sphere, but the field of view is \(value)",
        at: track.stereo.place(of: \.projection), found: "\(projection.rawValue)",
        wanted: "hequ, or hfov 360000")
    } else if projection == .halfEquirectangular || projection == .equirectangular, let value,
      (1..<120_000).contains(value.rawValue)
    {
      findings.add(
        "the projection is \(projection), but the field of view is \(value)",
        at: track.stereo.place(of: \.projection),
        found: "\(projection.rawValue)", wanted: "rect, or no proj")
    } else if !track.stereo.isRectilinear, track.shared.isSpatialCapture {
      findings.add(
        "the projection is \(projection), but the metadata marks a spatial capture",
        at: track.stereo.place(of: \.projection),
        found: "\(projection.rawValue)", wanted: "rect, or no proj")
    }
  }

  package static let notLayers = Rule(
    "MV080", .note, "The views are not coded as layers: stereo, not spatial",
    source: sourceOfNeeds, for: [.spatial],
    why: "Spatial video is MV-HEVC: two layers in one track. Views that share a picture, or are in two "
      + "tracks, are shown as stereo at best, even if the cameras are described.",
    fix: "For spatial video encode the views as MV-HEVC. For stereo nothing needs to be done."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let kind = track.report.stereoKind
    let isPacked = kind == .packed || kind == .notStereo && !track.packings.isEmpty
    guard isPacked || kind == .twoTrack else { return }
    findings.add(
      isPacked ? "the two views share a picture" : "the two views are in two tracks",
      at: track.stereo.place(of: \.packing) ?? track.stereo.place(of: \.viewInformation) ?? track.place,
      found: isPacked ? "one layer" : "two tracks", wanted: "two layers")
  }

  package static let baselineRange = Rule(
    "MV092", .warning, "blin is larger than on any camera",
    source: formatAdditions, .inferred, for: [.spatial], traits: [.contradictsTags],
    why:
      "The distance between the lenses is in micrometres. With tens of metres, the unit is wrong or the "
      + "value was never set, and depth computed from it is wrong.",
    fix: "Write the distance in micrometres: 19.24 mm is 19240.",
    cure: .askForTag(.baseline)
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let value = track.stereo.baseline, value.rawValue > 10_000_000 else { return }
    findings.add(
      "blin is \(value.millimeters) mm", at: track.stereo.place(of: \.baseline), found: "\(value.rawValue)",
      wanted: "micrometres, below 10000000")
  }
}
