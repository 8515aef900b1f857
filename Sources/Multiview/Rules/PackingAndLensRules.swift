// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

// Rules about the boxes of stereo and projected video: `vexu` and what is in it, and their older relatives.

extension Rule {
  package static let packingNotSignalled = Rule(
    "MV042", .warning, "Two views are signalled, but not for Apple platforms",
    source: formatAdditions
      + "; ISO/IEC 23008-2, D.2.16; ISO/IEC 14496-12, 8.3.4.4 and 8.15.4.2; Spherical Video V2",
    for: [.stereo], traits: [.explainsVerdict],
    why:
      "The bitstream, or a box that is not Apple's, signals two views: usually in one picture. Apple platforms "
      + "read only vexu and show the picture as it is, the two halves side by side.",
    fix:
      "Add vexu with eyes/stri for both eyes and pack/pkin: side or over. Views in two tracks need an eye in "
      + "the vexu of each; views in another form must be re-encoded.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard !track.stereo.hasEyes else { return }
    guard let packing = track.packings.first else {
      if let other = track.stereoSignals.others.first {
        findings.add(other.words, at: other.place ?? track.place, found: "no eyes")
      }
      return
    }
    findings.add(
      "\(packing.source) signals that the picture holds two views, \(packing.arrangement.description)",
      at: packing.place ?? track.place,
      found: "no pkin", wanted: packing.arrangement.isPlain ? "\(packing.arrangement.packing.rawValue)" : nil,
      cure: Set(track.packings.map(\.arrangement)).count == 1 ? Rule.cure(packing.arrangement) : nil)
  }

  /// The tags for two views in one picture; `nil` if `pkin` has no value for their arrangement.
  private static func cure(_ arrangement: StereoPacking.Arrangement) -> Cure? {
    guard arrangement.isPlain else { return nil }
    var changes: [StereoTag.Change] = [.set(.eyes, "left,right")]
    if arrangement.isReversed == true { changes.append(.set(.reversed, "yes")) }
    return .tag(changes + [.set(.packing, "\(arrangement.packing.rawValue)")])
  }

  package static let googleDisagrees = Rule(
    "MV043", .warning, "The Google boxes or the bitstream contradict vexu",
    source:
      "Spherical Video V2; ISO/IEC 23008-2, D.3.16; Apple, Spatial and Immersive Media – Format additions "
      + "1.9.8",
    for: [.stereo, .immersive],
    why:
      "Players that use st3d and sv3d, or the frame packing message of the bitstream (SEI 45), show a different "
      + "picture from those that use vexu.",
    fix: "Make all agree, or remove the wrong ones."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let entry = track.description?.box, track.stereo.hasVideoExtendedUsage else { return }
    let packing = track.isFramePacked ? track.stereo.packing ?? .oneView : .oneView
    let isReversed = track.stereo.eyeViewsReversed == true
    // What is not signalled in vexu at all is another rule's subject.
    for other in track.packings where other.place != nil || track.stereo.hasEyes {
      let said = other.arrangement
      if said.packing != packing {
        findings.add(
          "\(other.source) signals \(said.packing), vexu \(packing)", at: other.place ?? track.place,
          found: "\(said.packing)", wanted: "\(packing)")
      } else if let first = said.isReversed, track.claimsBothEyes, first != isReversed {
        findings.add(
          "\(other.source) signals the \(first ? "right" : "left") eye first, vexu the "
            + "\(isReversed ? "right" : "left") eye", at: other.place ?? track.place,
          found: "\(first ? "right" : "left") eye first", wanted: "\(isReversed ? "right" : "left") eye first"
        )
      }
    }
    if let box = entry.first("st3d"), box.payload(Stereoscopic3DBox.self)?.stereoMode == 0,
      packing != .oneView
    {
      findings.add(
        "st3d signals \(ViewPacking.oneView), vexu \(packing)", path: "\(track.path)/st3d",
        offset: box.offset,
        found: "0", wanted: "\(packing)")
    }
    guard let box = entry.first("sv3d"),
      let kind = box.first("proj")?.children.first(where: { $0.type != "prhd" })
    else { return }
    let projection = track.stereo.projection ?? .rectilinear
    if track.stereo.isRectilinear {
      findings.add(
        "sv3d signals a sphere, vexu a flat picture", path: "\(track.path)/sv3d", offset: box.offset,
        found: "\(kind.type)",
        wanted: "the projection of prji")
    } else if let said = track.googleProjection,
      [.equirectangular, .halfEquirectangular].contains(projection),
      said != projection
    {
      findings.add(
        "sv3d signals \(said), vexu \(projection)", path: "\(track.path)/sv3d", offset: box.offset,
        found: "\(said)", wanted: "\(projection)")
    }
  }

  package static let googleOnly = Rule(
    "MV044", .note, "The projection is signalled only by Google boxes or the bitstream",
    source:
      "Apple, AVURLAssetShouldParseExternalSphericalTagsKey; Spherical Video V2; ISO/IEC 23008-2, D.2.41",
    for: [.immersive], traits: [.explainsVerdict],
    why:
      "Apple platforms ignore st3d, sv3d and their uuid box unless an app asks for the conversion, and the "
      + "messages of the bitstream: the movie is shown flat.",
    fix: "For Apple platforms add vexu with proj/prji, and hfov.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.projection == nil else { return }
    guard track.isGoogleSpherical else {
      if track.isSphereInBitstream {
        findings.add(
          "a message in the bitstream signals a sphere, but vexu has no proj", at: track.place,
          wanted: "vexu/proj/prji")
      }
      return
    }
    findings.add(
      "the movie has Google spherical metadata, but no proj in vexu", at: track.googleSphericalPlace,
      wanted: "vexu/proj/prji",
      cure: track.googleProjection.map { .tag([.set(.projection, "\($0.rawValue)")]) })
  }

  package static let lensesAbsent = Rule(
    "MV045", .error, "The projection is parametric, but no lens is described",
    source: formatAdditions + "; FormatDescriptionUtilities in the source of WebKit",
    .observed, for: [.immersive],
    why: "With prim the picture is computed from the lenses. Without lnsc there is nothing to compute it "
      + "from.",
    fix: "Add lnsc with a lens for each view, or write another projection."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.projection == .parametricImmersive, !track.stereo.hasLensCollection else { return }
    findings.add(
      "prji is prim, but lnsc is missing", at: track.stereo.place(of: \.projection), wanted: "vexu/lnsc")
  }

  package static let packedLayers = Rule(
    "MV075", .warning, "The layers are the two views, but pkin signals two views in each picture",
    source: formatAdditions, .inferred, for: [.spatial, .stereo], traits: [.contradictsTags],
    why: "Views are packed into one picture, or coded as layers. With both, a player may cut the pictures of "
      + "each eye in half.",
    fix: "Remove pack, unless each layer really holds two views, side by side or one above the other.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview, track.claimsBothEyes, let packing = track.stereo.packing, packing.isFramePacked
    else { return }
    findings.add(
      "the track has \(track.views.count) views as layers, but pkin is \(packing)",
      at: track.stereo.place(of: \.packing),
      found: "\(packing.rawValue)", wanted: "no pack", cure: .tag([.remove(.packing)]))
  }

  package static let otherEyeAbsent = Rule(
    "MV076", .error, "stri does not claim both eyes, and no other track has the missing eye",
    source: formatAdditions, for: [.spatial, .stereo],
    why: "A track for one eye is half of a movie: the other eye needs a track whose stri claims it. If that "
      + "track is missing, or both tracks claim the same eye, the movie is shown flat.",
    fix:
      "Make stri of one track claim the left eye (1), and stri of the other the right eye (2). If there is "
      + "only one view, remove eyes."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let eyes = track.stereo.stereoView, !track.claimsBothEyes, track.report.stereoKind == .notStereo,
      !track.isMultiview, !track.isFramePacked, !track.hasViewElsewhere,
      !eyes.isEmpty || track.stereo.baseline != nil || track.stereo.disparityAdjustment != nil
    else { return }
    let isShared = track.shared.isClaimed(eyes, otherThanBy: track.track.id)
    findings.add(
      eyes.isEmpty
        ? "stri claims no eye, but the cameras of two are described"
        : "stri claims only \(eyes)" + (isShared ? ", and so does another track" : ""),
      at: track.stereo.place(of: \.viewInformation), found: "\(track.stereo.viewInformation?.flagBits ?? 0)",
      wanted: "tracks with 1 and 2")
  }

  package static let packedEyes = Rule(
    "MV077", .error, "The picture holds two packed views, but stri does not claim both eyes",
    source: formatAdditions, for: [.spatial, .stereo], traits: [.contradictsTags],
    why: "pkin signals how two views are packed; stri signals which eyes they are for. If stri does not "
      + "claim both eyes, the picture is shown as it is coded, the views side by side or one above the other.",
    fix: "Write eyes with stri for both eyes: the byte is 3, or 11 with the order reversed.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let packing = track.stereo.packing, packing.isFramePacked, !track.claimsBothEyes,
      !track.isMultiview,
      !track.stereo.unreadableBoxes.contains("stri")
    else { return }
    findings.add(
      "pkin is \(packing), but "
        + (track.stereo.viewInformation == nil ? "stri is missing" : "stri does not claim both eyes"),
      at: track.stereo.place(of: \.viewInformation) ?? track.stereo.place(of: \.packing),
      found: track.stereo.viewInformation.map { "\($0.flagBits)" }, wanted: "3",
      cure: .tag([.set(.eyes, "left,right")]))
  }

  package static let fisheyeUndescribed = Rule(
    "MV078", .error, "The projection is fisheye, but the lenses are not described",
    source: "Apple, Immersive Media Support: aime-data; CMTag projections", .inferred, for: [.immersive],
    why:
      "fish stands for the lenses of Apple Immersive Video, which the metadata item "
      + "com.apple.quicktime.aime-data describes. Without it there is nothing to compute the picture from.",
    fix:
      "Add aime-data to the metadata of the movie, or, in a stream, name it with EXT-X-SESSION-DATA "
      + "(com.apple.hls.venue-description); or describe the lenses in lnsc and write prim; or write hequ if the "
      + "picture was converted to it."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.projection == .fisheye, !track.track.classificationFacts.hasImmersiveVenue else {
      return
    }
    findings.add(
      "prji is fish, but the movie has no aime-data", at: track.stereo.place(of: \.projection), found: "fish",
      wanted: "com.apple.quicktime.aime-data")
  }

  package static let lensesUnused = Rule(
    "MV079", .warning, "Lenses are described, but the projection is flat",
    source: formatAdditions, .inferred, for: [.immersive], traits: [.explainsVerdict],
    why:
      "lnsc belongs to the parametric projection. If prji is missing, or is rect, the picture is treated as "
      + "flat, whatever the lenses are.",
    fix:
      "If the picture needs the lenses, write proj with prji prim. Otherwise remove lnsc."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.hasLensCollection, track.isKnownFlat else { return }
    findings.add(
      "lnsc is present, but " + (track.stereo.projection == nil ? "prji is missing" : "prji is rect"),
      at: track.stereo.place(of: \.hasLensCollection),
      found: track.stereo.projection.map { "\($0.rawValue)" },
      wanted: "prim")
  }

  package static let lensIncomplete = Rule(
    "MV088", .error, "The description of a lens is incomplete or impossible",
    source: "FormatDescriptionUtilities in the source of WebKit; Apple, Spatial and Immersive Media – Format "
      + "additions 1.9.8",
    .observed, for: [.immersive],
    why:
      "A parametric projection is computed from the whole description: WebKit accepts a lens only if none of "
      + "its values is missing. Without a focal length, a reference size and a rotation nothing can be computed. "
      + "Each eye needs a lens, and lenses that are placed by the baseline need blin.",
    fix:
      "Write lnhd, rdim, lnin with the projection offset, ldst with the limit of the radial angle, lfad, and "
      + "lnex with corg and cxfm/uqua into each lens; for two eyes a lens with the role left and one with rght."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.stereo.projection == .parametricImmersive else { return }
    for lens in track.stereo.lenses where !lens.missing.isEmpty {
      findings.add(
        "the lens lacks \(lens.missing.joined(separator: ", "))", at: lens.place,
        wanted: lens.missing.joined(separator: ", "))
    }
    var known: Set<UInt32> = []
    for lens in track.stereo.lenses {
      for problem in lens.impossibleValues { findings.add(problem, at: lens.place) }
      if let header = lens.header, !known.insert(header.lensIdentifier).inserted {
        findings.add("another lens has the identifier \(header.lensIdentifier), too", at: lens.place)
      }
      if lens.origin == "blin", track.stereo.baseline == nil, track.claimsBothEyes {
        findings.add(
          "the lens is placed by the baseline, but blin is missing", at: lens.place,
          wanted: "vexu/eyes/cams/blin")
      }
    }
    let roles = Set(track.stereo.lenses.compactMap { $0.header?.lensRole })
    guard track.claimsBothEyes, !roles.isEmpty, !roles.contains("mono") else { return }
    for (role, eye) in [("left", "left"), ("rght", "right")] as [(FourCC, String)] where !roles.contains(role)
    {
      findings.add(
        "stri claims both eyes, but no lens has the role of the \(eye) one",
        at: track.stereo.place(of: \.hasLensCollection), found: roles.sorted().listed { "\($0)" },
        wanted: "\(role)")
    }
  }

  package static let additionalViews = Rule(
    "MV093", .warning, "stri claims more than two views, but the track has two",
    source: formatAdditions, for: [.spatial, .stereo], traits: [.contradictsTags],
    why:
      "has_additional_views promises more views than those of the eyes. A player that looks for them finds "
      + "none.",
    fix: "Clear has_additional_views: the byte of stri is 3, or 11 with the order reversed.",
    possibleCures: [.tag([])]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview, track.views.count == 2, track.stereo.hasAdditionalViews == true,
      !track.hasViewElsewhere, let bits = track.stereo.viewInformation?.flagBits
    else { return }
    findings.add(
      "stri claims additional views, but the track has two", at: track.stereo.place(of: \.viewInformation),
      found: "\(bits)",
      wanted: "\(bits & ~4)", cure: .tag([.set(.additionalViews, "no")]))
  }
}
