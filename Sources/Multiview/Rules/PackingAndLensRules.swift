// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

// Rules about the boxes of stereo and projected video: `vexu` and what is in it, and their older relatives.

extension Rule {
  package static let packingNotSignalled = Rule(
    "MV042", .warning, "The picture holds two views, and nothing that Apple platforms read says so",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8; ISO/IEC 23008-2, D.2.16; Spherical "
      + "Video V2", for: [.stereo],
    why: "The bitstream, or a box of Google, says that the picture holds two views. Apple platforms read "
      + "vexu only and show the two halves side by side.",
    fix: "Add vexu with eyes/stri for both eyes and pack/pkin: side or over.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard !track.stereo.hasEyes, let packing = StereoPacking(track) else { return }
    findings.add(
      "\(packing.source) says that the picture holds two views, \(packing.packing)",
      at: packing.place ?? track.place,
      found: "no pkin", wanted: packing.packing.rawValue.description, cure: Self.cure(packing.packing))
  }

  private static func cure(_ packing: ViewPacking) -> Cure? {
    switch packing {
    case .sideBySide: .tag([.set(.eyes, "left,right"), .set(.packing, "side")])
    case .overUnder: .tag([.set(.eyes, "left,right"), .set(.packing, "over")])
    default: nil
    }
  }

  package static let googleDisagrees = Rule(
    "MV043", .warning, "The boxes of Google say something else than vexu",
    source: "Spherical Video V2; Apple, Spatial and Immersive Media – Format additions 1.9.8",
    for: [.stereo, .immersive],
    why: "Players that go by st3d and sv3d show another picture than those that go by vexu.",
    fix: "Make both say the same, or remove the wrong ones."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let entry = track.description?.box, track.stereo.hasVideoExtendedUsage else { return }
    if let box = entry.first("st3d"), let mode = box.payload(Stereoscopic3DBox.self)?.stereoMode {
      let said: ViewPacking = mode == 1 ? .overUnder : mode == 2 ? .sideBySide : .oneView
      let packing = track.isFramePacked ? track.stereo.packing ?? .oneView : .oneView
      if mode <= 2, said != packing {
        findings.add(
          "st3d says \(said), vexu \(packing)", path: "\(track.path)/st3d", offset: box.offset,
          found: "\(mode)",
          wanted: packing.description)
      }
    }
    if let box = entry.first("sv3d"), track.stereo.isRectilinear,
      let kind = box.first("proj")?.children.first(where: { $0.type != "prhd" })
    {
      findings.add(
        "sv3d says a sphere, vexu a flat picture", path: "\(track.path)/sv3d", offset: box.offset,
        found: "\(kind.type)",
        wanted: "the projection of prji")
    }
  }

  package static let googleOnly = Rule(
    "MV044", .note, "The projection is given by boxes of Google only",
    source: "Apple, AVURLAssetShouldParseExternalSphericalTagsKey; Spherical Video V2", for: [.immersive],
    why: "Apple platforms pass st3d, sv3d and their uuid over, unless an app asks for the conversion: the "
      + "movie is shown flat.",
    fix: "For Apple platforms add vexu with proj/prji, and hfov.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.projection == nil, track.isGoogleSpherical else { return }
    let place = track.stereo.googleSphericalBoxes.first { $0.path.hasSuffix("sv3d") } ?? track.place
    findings.add(
      "there is spherical metadata of Google, and no proj in vexu", at: place, wanted: "vexu/proj/prji",
      cure: track.cureOfGoogleProjection)
  }

  package static let lensesAbsent = Rule(
    "MV045", .error, "The projection is parametric, and no lens is described",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8; FormatDescriptionUtilities in the "
      + "source of WebKit",
    .observed, for: [.immersive],
    why: "prim means: as the lenses say. Without lnsc there is nothing to compute the picture from.",
    fix: "Add lnsc with a lens for each view, or write another projection."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.projection == .parametricImmersive, !track.stereo.hasLensCollection else { return }
    findings.add(
      "prji is prim, but there is no lnsc", at: track.stereo.place(of: \.projection), wanted: "vexu/lnsc")
  }

  package static let packedLayers = Rule(
    "MV075", .warning, "The layers are the two views, and pkin says that each picture holds two",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    .inferred, for: [.spatial, .stereo],
    why: "Views are packed into one picture, or coded as layers. With both a player may cut the pictures of "
      + "each eye in half.",
    fix: "Take pack away, unless every layer really is two views beside or above one another.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview, track.claimsBothEyes, let packing = track.stereo.packing, packing.isFramePacked
    else { return }
    findings.add(
      "the track has \(track.views.count) views as layers, and pkin is \(packing)",
      at: track.stereo.place(of: \.packing),
      found: "\(packing.rawValue)", wanted: "no pack", cure: .tag([.remove(.packing)]))
  }

  package static let otherEyeAbsent = Rule(
    "MV076", .error, "stri does not claim both eyes, and no other track has the missing one",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8", for: [.spatial, .stereo],
    why: "A track that is for one eye is half of a movie: the other eye needs a track whose stri claims it. "
      + "Where it is missing, or both tracks claim the same eye, the movie is shown flat.",
    fix:
      "Let stri of one track claim the left eye (1), that of the other the right (2). If there is but one "
      + "view, take vexu away."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let eyes = track.stereo.stereoView, !track.claimsBothEyes, track.report.stereoKind == .notStereo,
      !track.isMultiview, !track.isFramePacked, !track.hasViewElsewhere,
      !eyes.isEmpty || track.stereo.baseline != nil || track.stereo.disparityAdjustment != nil
    else { return }
    let isShared = track.shared.isClaimed(eyes, otherThanBy: track.track.id)
    findings.add(
      eyes.isEmpty
        ? "stri claims no eye, and the cameras of two are described"
        : "stri claims only \(eyes)" + (isShared ? ", and so does another track" : ""),
      at: track.stereo.place(of: \.viewInformation), found: "\(track.stereo.viewInformation?.flagBits ?? 0)",
      wanted: "tracks with 1 and 2")
  }

  package static let packedEyes = Rule(
    "MV077", .error, "The picture is packed from two views, and stri does not claim both eyes",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8", for: [.spatial, .stereo],
    why: "pkin tells how two views are in a picture; for whom they are stri tells. Without both eyes in it "
      + "the picture is shown as it is coded, the two views beside or above one another.",
    fix: "Write eyes with stri for both eyes: the byte is 3, or 11 with the order reversed.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let packing = track.stereo.packing, packing.isFramePacked, !track.claimsBothEyes,
      !track.isMultiview,
      !track.stereo.unreadableBoxes.contains("stri")
    else { return }
    findings.add(
      "pkin is \(packing), and "
        + (track.stereo.viewInformation == nil ? "there is no stri" : "stri does not claim both eyes"),
      at: track.stereo.place(of: \.viewInformation) ?? track.stereo.place(of: \.packing),
      found: track.stereo.viewInformation.map { "\($0.flagBits)" }, wanted: "3",
      cure: .tag([.set(.eyes, "left,right")]))
  }

  package static let fisheyeUndescribed = Rule(
    "MV078", .error, "The projection is a fisheye, and nothing describes it",
    source: "Apple, Immersive Media Support: aime-data; CMTag projections",
    .inferred, for: [.immersive],
    why:
      "fish stands for the lenses of Apple Immersive Video, and how they see is given by the metadata item "
      + "com.apple.quicktime.aime-data. Without it there is nothing to compute the picture from.",
    fix:
      "Add aime-data to the metadata of the movie; or describe the lenses by lnsc and write prim; or write "
      + "hequ where the picture was converted to it."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.projection == .fisheye, !track.track.classificationFacts.hasImmersiveVenue else {
      return
    }
    findings.add(
      "prji is fish; the movie has no aime-data", at: track.stereo.place(of: \.projection), found: "fish",
      wanted: "com.apple.quicktime.aime-data")
  }

  package static let lensesUnused = Rule(
    "MV079", .warning, "Lenses are described, and the projection is flat",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8",
    .inferred, for: [.immersive],
    why:
      "lnsc belongs to the parametric projection. Where prji is absent, or is rect, the picture is taken for "
      + "flat, whatever the lenses are.",
    fix:
      "Write proj with prji: prim if the picture is to be seen through the lenses. Otherwise take lnsc away."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.hasLensCollection, track.isKnownFlat else { return }
    findings.add(
      "there is lnsc, and " + (track.stereo.projection == nil ? "no prji" : "prji is rect"),
      at: track.stereo.place(of: \.hasLensCollection),
      found: track.stereo.projection.map { "\($0.rawValue)" },
      wanted: "prim")
  }

  package static let lensIncomplete = Rule(
    "MV088", .error, "The description of a lens is incomplete",
    source: "FormatDescriptionUtilities in the source of WebKit; Apple, Spatial and Immersive Media – Format "
      + "additions 1.9.8",
    .observed, for: [.immersive],
    why:
      "A parametric projection is computed from the whole description: WebKit takes a lens only where none "
      + "of its values is missing.",
    fix:
      "Write lnhd, rdim, lnin with the projection offset, ldst with the limit of the radial angle, lfad, and "
      + "lnex with corg and cxfm/uqua into each lens."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.projection == .parametricImmersive else { return }
    for lens in track.stereo.lenses where !lens.missing.isEmpty {
      findings.add(
        "the lens lacks \(lens.missing.joined(separator: ", "))", at: lens.place,
        wanted: lens.missing.joined(separator: ", "))
    }
  }

  package static let additionalViews = Rule(
    "MV093", .warning, "stri claims more than two views, and there are two",
    source: "Apple, Spatial and Immersive Media – Format additions 1.9.8", for: [.spatial, .stereo],
    why:
      "has_additional_views promises views beside those of the eyes. A player that looks for them finds none.",
    fix: "Clear has_additional_views: the byte of stri is 3, or 11 with the order reversed.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview, track.views.count == 2, track.stereo.hasAdditionalViews == true,
      !track.hasViewElsewhere, let bits = track.stereo.viewInformation?.flagBits
    else { return }
    findings.add(
      "stri claims additional views, the track has two", at: track.stereo.place(of: \.viewInformation),
      found: "\(bits)",
      wanted: "\(bits & ~4)", cure: .tag([.set(.additionalViews, "no")]))
  }
}
