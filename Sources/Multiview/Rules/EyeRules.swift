// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

// Rules about which layer is for which eye.

extension Rule {
  package static let referenceDisplaysAbsent = Rule(
    "MV046", .warning, "The bitstream does not signal which view is for which eye",
    source: "Apple HEVC Stereo Video Interoperability Profile, Annex A; GPAC pull request 2864",
    .observed, for: [.spatial, .stereo], traits: [.fixedFromSamples],
    why: "The SEI message on 3D reference displays (176) assigns the views to the eyes. Without it the first "
      + "view is treated as the left eye, which may be wrong; Vision Pro is reported to need the message.",
    fix: "Encode with the message, or add it to the SEI array of hvcC: left_view_id and right_view_id are "
      + "view_id_val values of the VPS."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview, track.claimsBothEyes, !track.hasReferenceDisplays,
      track.analysis.firstSampleGap == nil, track.analysis.damagedEyeMessage == nil
    else { return }
    findings.add(
      "neither hvcC nor the first sample has a 3D reference displays message",
      at: track.place(of: "hvcC"), wanted: "SEI 176")
  }

  package static let eyeViewUnknown = Rule(
    "MV047", .error, "An eye is assigned a view that does not exist",
    source: "ISO/IEC 23008-2, G.14.2.3 and F.7.4.3.1.1", for: [.spatial, .stereo, .hls, .iso],
    why: "left_view_id and right_view_id have to be view_id_val values of the VPS. Otherwise that eye has no "
      + "layer.",
    fix: "Write view identifiers of the VPS extension into the message."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.analysis.eyeAssignment.contradictions where item.code == "eye-view-missing" {
      findings.add(item.message, at: track.place(of: "hvcC"))
    }
  }

  package static let eyesContradict = Rule(
    "MV048", .warning, "Eye assignments contradict each other",
    source: formatAdditions + "; ISO/IEC 23008-2, G.14.2.3",
    for: [.spatial, .stereo], traits: [.contradictsTags],
    why: "Left and right are signalled by the SEI message, by stri and by hero. If they cannot all be true, "
      + "players that use different ones swap the eyes, which hurts.",
    fix:
      "Look at the chain of evidence\(.showEyes), and correct the assignment that is wrong; the SEI message "
      + "is the one that names layers."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.analysis.eyeAssignment.contradictions
    where item.severity > .note && item.code != "eye-view-missing" && item.code != "stri-one-eye"
      && item.code != "eyes-share-view"
    {
      let isHero = item.code == "hero-absent" || item.code == "hero-reserved"
      guard track.views.count > 1 || track.isFramePacked && isHero else { continue }
      let place = isHero ? track.stereo.place(of: \.heroEye) : track.stereo.place(of: \.viewInformation)
      findings.add(item.message, at: place ?? track.place(of: "hvcC"))
    }
  }

  package static let layerSizesDiffer = Rule(
    "MV049", .error, "The views have different sizes",
    source: "Apple HEVC Stereo Video Interoperability Profile", for: [.spatial, .stereo, .hls],
    why: "Both eyes see pictures of the same size; stereo decoders are set up for one size.",
    fix: "Encode both views in the same size."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let sized = track.views.compactMap { view in view.croppedSize.map { (view.layerID, $0) } }
    guard track.claimsBothEyes || track.isMultiview, let first = sized.first else { return }
    for (layer, size) in sized.dropFirst() where size != first.1 {
      findings.add(
        "layer \(first.0) is \(first.1), layer \(layer) is \(size)", at: track.place(of: "lhvC"),
        found: "\(size)",
        wanted: "\(first.1)")
    }
  }

  package static let tracksOfEyesDiffer = Rule(
    "MV127", .warning, "The tracks of the two eyes do not match",
    source: formatAdditions, .inferred, for: [.spatial, .stereo],
    why:
      "Each picture of one eye is shown with one of the other, in the same size. If the tracks differ in size, "
      + "number of pictures or length, pictures have no partner.",
    fix:
      "Encode both eyes in the same size and at the same times, or remove stri from a track that is not an eye."
  ) { (context: RuleContext, findings: inout FindingSink) in
    let lefts = context.videoTracks.filter { $0.stereo.onlyEye == .left }.prefix(16)
    for right in context.videoTracks where right.stereo.onlyEye == .right {
      // Of several movies in one each has its own left eye.
      let all = lefts.filter { $0.track.id != right.track.id }.map { ($0, $0.differences(from: right)) }
      guard let (left, differences) = all.first, all.allSatisfy({ !$0.1.isEmpty }) else { continue }
      findings.trackID = right.track.id
      for (found, wanted) in differences {
        findings.add(
          "track \(left.track.id), the left eye, has \(wanted), track \(right.track.id), the right eye, \(found)",
          at: right.stereo.place(of: \.viewInformation), found: found, wanted: wanted)
      }
    }
  }

  package static let representationFormat = Rule(
    "MV050", .warning, "The VPS and the SPS describe different picture sizes or formats",
    source: "ISO/IEC 23008-2, F.7.4.3.2.1", for: [.spatial, .stereo, .iso],
    why: "rep_format() of the VPS extension tells a decoder what to allocate for a layer before its SPS "
      + "arrives. x265 is known to leave out the cropping.",
    fix: "Copy pic_width, pic_height, conformance window, chroma format and bit depths from the SPS to "
      + "rep_format()."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let vps = track.analysis.vps else { return }
    for layer in track.analysis.layers {
      guard let sps = layer.sps, !sps.isMultilayerForm, let format = sps.format,
        let index = vps.layerIndex(of: layer.layerID), let promised = vps.pictureFormat(at: index)
      else { continue }
      let found = Rule.described(promised), wanted = Rule.described(format)
      guard found != wanted else { continue }
      findings.add(
        "layer \(layer.layerID) is \(found) according to the VPS, \(wanted) according to the SPS",
        at: track.place(of: "hvcC"), found: found,
        wanted: wanted)
    }
  }

  /// Cropped size, chroma format and bit depths in words.
  fileprivate static func described(_ format: PictureFormat) -> String {
    "\(format.croppedSize ?? format.codedSize) \(format.chromaFormatName ?? "") "
      + "\(format.bitDepthLuma)/\(format.bitDepthChroma) bit"
  }

  package static let eyesShareView = Rule(
    "MV087", .error, "Both eyes are assigned the same view",
    source: "ISO/IEC 23008-2, G.14.2.3", for: [.spatial, .stereo],
    why: "The message on 3D reference displays decides which view an eye sees. With one view for both, the "
      + "picture is flat, and the other layer is decoded in vain.",
    fix: "Set left_view_id and right_view_id to the two views: view_id_val values of the VPS extension."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.claimsBothEyes, track.isMultiview else { return }
    for item in track.analysis.eyeAssignment.contradictions where item.code == "eyes-share-view" {
      findings.add(item.message, at: track.place(of: "hvcC"))
    }
  }

  package static let displaysDiffer = Rule(
    "MV098", .warning, "Messages assign different views to the eyes",
    source: "ISO/IEC 23008-2, G.14.2.3; ISO/IEC 14496-15, 8.3.3.1.3", for: [.spatial, .stereo],
    traits: [.contradictsTags],
    why:
      "The messages on 3D reference displays in hvcC and in the samples assign different views to the eyes. "
      + "Players that use one of them show the eyes swapped, compared with players that use the other.",
    fix:
      "Make both the same. A message in the samples applies from its picture on, so it is the one that a "
      + "decoder ends up with."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview else { return }
    guard let (first, other) = track.analysis.differentDisplays else { return }
    findings.add(
      "\(first.source) has left \(first.left), right \(first.right); "
        + "\(other.source) has left \(other.left), right \(other.right)",
      path: track.path, offset: other.offset, found: "left \(other.left), right \(other.right)",
      wanted: "left \(first.left), right \(first.right)")
  }
}

extension TrackFacts {
  /// The properties that must be equal for both eyes but differ between these tracks: those of the other track, and
  /// those of this one.
  fileprivate func differences(from other: TrackFacts) -> [(found: String, wanted: String)] {
    var differences: [(found: String, wanted: String)] = []
    if let size = track.displaySize, let otherSize = other.track.displaySize, size != otherSize {
      differences.append(("pictures of \(otherSize)", "pictures of \(size)"))
    }
    let count = track.sampleCount, otherCount = other.track.sampleCount
    if count != otherCount {
      differences.append(("\(otherCount) pictures", "\(count) pictures"))
    } else if let seconds = track.duration?.seconds, let otherSeconds = other.track.duration?.seconds,
      abs(seconds - otherSeconds) > seconds / Double(max(1, count))
    {
      // Less than a picture is rounding.
      differences.append(("\(otherSeconds) s", "\(seconds) s"))
    }
    return differences
  }
}
