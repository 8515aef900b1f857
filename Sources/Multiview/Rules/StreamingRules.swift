// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

// Rules about fragmented movies and what HLS asks of them.

extension Rule {
  package static let trackExtendsAbsent = Rule(
    "MV065", .error, "A fragmented movie has no trex for a track",
    source: "ISO/IEC 14496-12, 8.8.3", for: [.hls, .iso], traits: [.fixedInBoxes],
    why: "trex holds the defaults for what fragments leave out. Without it players refuse the segments of "
      + "the track.",
    fix: "Add mvex with a trex for each track to moov.",
    possibleCures: [.repair]
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let moov = context.movie.tree?.first("moov"), context.isFragmented else { return }
    let known = Set(
      (moov.first("mvex")?.all("trex") ?? []).compactMap { $0.payload(TrackExtendsBox.self)?.trackID })
    let tracks = context.movie.tracks.filter { !known.contains($0.id) }
    let needDefaults = tracks.isEmpty ? [] : context.tracksThatNeedDefaults()
    for track in tracks {
      findings.trackID = track.id
      findings.add(
        "track \(track.id) has no trex", path: "moov/mvex", offset: moov.first("mvex")?.offset ?? moov.offset,
        wanted: "trex", cure: needDefaults.contains(track.id) ? nil : .repair)
    }
  }

  package static let samplesInInitSegment = Rule(
    "MV066", .warning, "The movie box of a fragmented movie lists samples",
    source: "ISO/IEC 23000-19, 7.3.1; RFC 8216, 3.3", for: [.hls],
    why: "An init segment carries the sample descriptions. Samples that it lists are not part of any "
      + "segment, and HLS players do not show them.",
    fix: "Fragment the movie from its first sample on.",
    cure: .fragment
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.movie.container.isFragmented, let table = track.track.box?["mdia/minf/stbl"],
      let count = table.first(TimeToSampleBox.self)?.entries.count, count > 0
    else { return }
    findings.add(
      "stts of moov has \(count) rows", at: track.place(below: "mdia/minf/stbl/stts"), found: "\(count)",
      wanted: "0")
  }

  package static let streamingLimits = Rule(
    "MV067", .warning, "The video exceeds what HLS allows on Apple devices",
    source: "HLS authoring specification for Apple devices, 1.5 to 1.9 and 16", for: [.hls],
    why: "HLS on Apple devices allows HEVC up to Main 10, level 5.1, high tier, and 60 pictures per second "
      + "(level 6.1 and 90 for video with a projection). More may be refused.",
    fix: "Encode a variant within the limits."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let record = track.description?.hevcConfiguration else { return }
    let place = track.place(of: "hvcC")
    // Apple's examples of immersive video have level 6.1.
    let highest: UInt8 = track.isProjectionAttempt ? 183 : 153
    if record.generalLevelIdc.rawValue > highest {
      findings.add(
        "the level is \(record.generalLevelIdc.rawValue)", at: place,
        found: "\(record.generalLevelIdc.rawValue)",
        wanted: "at most \(highest)")
    }
    if record.generalProfileIdc.rawValue > 2 {
      findings.add(
        "the profile of the base layer is \(record.generalProfileIdc.rawValue)", at: place,
        found: "\(record.generalProfileIdc.rawValue)", wanted: "1 or 2")
    }
    let limit = track.isProjectionAttempt ? 90.5 : 60.5
    if let rate = track.pictureRate, rate > limit {
      findings.add(
        "the rate is \(PlaylistAttributes.thousandths(rate)) pictures per second", at: track.place,
        found: PlaylistAttributes.thousandths(rate),
        wanted: track.isProjectionAttempt ? "at most 90" : "at most 60")
    }
  }

  package static let streamingSampleEntry = Rule(
    "MV068", .warning, "The sample entry is not one that HLS prefers for HEVC",
    source: "HLS authoring specification for Apple devices, 1.10", for: [.hls], traits: [.fixedFromSamples],
    why: "The authoring rules ask for hvc1 or dvh1 rather than hev1 or dvhe, and Safari is reported to "
      + "refuse the others.",
    fix: "Put all parameter sets into hvcC and lhvC, remove them from the samples, and name the entry hvc1, "
      + "for dvhe dvh1.",
    possibleCures: [.repair, .restore]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let description = track.description, track.isHEVC, !description.isEnhancementOnly,
      description.codec != "hvc1", description.codec != "dvh1"
    else { return }
    findings.add(
      "the sample entry is '\(description.codec)'", at: track.place, found: "\(description.codec)",
      wanted: track.entryTypeWithSets, cure: track.cureOfEntryType)
  }

  package static let fragmentDecodeTime = Rule(
    "MV069", .error, "A track fragment has no decode time (tfdt)",
    source: "RFC 8216, 3.3; ISO/IEC 14496-12, 8.8.12", for: [.hls],
    why: "An HLS player can start at any segment. Without tfdt it does not know when to show the samples of "
      + "the segment, and cannot synchronize sound and picture.",
    fix: "Write a tfdt into each traf: fragment the movie with a program that makes CMAF or DASH segments.",
    cure: .fragment
  ) { (context: RuleContext, findings: inout FindingSink) in
    let faults = context.fragmentFaults { fragment, _, _ in
      fragment.first("tfdt") == nil ? "no tfdt" : nil
    }
    for fault in faults {
      findings.trackID = fault.trackID
      findings.add(
        "\(fault.subject) \(fault.count == 1 ? "has" : "have") no tfdt", path: fault.path,
        offset: fault.offset, wanted: "tfdt")
    }
  }

  package static let fragmentAddressing = Rule(
    "MV070", .error, "Fragments do not address their samples relative to themselves",
    source: "RFC 8216, 3.3; ISO/IEC 14496-12, 8.8.7", for: [.hls],
    why: "A segment is loaded by itself. Offsets that count from the beginning of the file, or from the data "
      + "of another track, point nowhere in it; Media Source Extensions also refuse it.",
    fix: "Omit base_data_offset from tfhd and set default-base-is-moof (0x020000), with data_offset of trun "
      + "counted from moof. FFmpeg does so with -movflags cmaf.",
    cure: .fragment
  ) { (context: RuleContext, findings: inout FindingSink) in
    let faults = context.fragmentFaults { _, header, isFirst in
      if let base = header.baseDataOffset { return "base_data_offset \(base)" }
      // If nothing is specified, the first fragment counts from its moof all the same.
      return isFirst || header.isDefaultBaseMoof ? nil : "no default-base-is-moof"
    }
    for fault in faults {
      findings.trackID = fault.trackID
      let isAbsolute = fault.found.hasPrefix("base_data_offset")
      let origin = isAbsolute ? "the beginning of the file" : "the data of the track before"
      findings.add(
        "\(fault.subject) \(fault.count == 1 ? "counts" : "count") from \(origin)",
        path: fault.path + "/tfhd",
        offset: fault.headerOffset, found: fault.found, wanted: "default-base-is-moof")
    }
  }

  package static let stereoStreamNotLayered = Rule(
    "MV128", .warning, "The stream is stereo, but not MV-HEVC",
    source: "HLS authoring specification for Apple devices, 16.6", for: [.hls],
    why:
      "On visionOS stereo in HLS has to be MV-HEVC, with a projection or without one. A stream whose two eyes "
      + "share a picture, or are in two tracks, may be refused or shown flat.",
    fix: "Encode the two views as layers of MV-HEVC."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let kind = track.report.stereoKind
    guard track.movie.container.isFragmented, kind == .packed || kind == .twoTrack else { return }
    findings.add(
      kind == .packed ? "both eyes share a picture" : "the eyes are in two tracks",
      at: track.stereo.place(of: \.packing) ?? track.stereo.place(of: \.viewInformation) ?? track.place,
      found: "\(kind)", wanted: "two layers")
  }

  package static let streamingBrand = Rule(
    "MV071", .warning, "No brand is iso6 or later",
    source: "RFC 8216, 3.3", for: [.hls],
    why: "What HLS requires of segments came with iso6: movies of older brands need not have decode times in "
      + "their fragments, and a strict player refuses them. Most players look only at the boxes.",
    fix: "Add iso6, or cmfc if the movie is CMAF, to the compatible brands, if the fragments conform to it.",
    cure: .fragment
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard context.isFragmented, let box = context.movie.tree?.first("ftyp"),
      context.movie.tree?.first("moov") != nil
    else { return }
    let container = context.movie.container
    let brands = [container.majorBrand].compactMap { $0 } + container.compatibleBrands
    guard !brands.contains(where: FourCC.isStreamingBrand) else { return }
    findings.add(
      "no brand is iso6 or later", at: BoxPlace(path: "ftyp", offset: box.offset),
      found: Set(brands).sorted().listed { "\($0)" }, wanted: "iso6 or later")
  }

  package static let movieExtendsFirst = Rule(
    "MV072", .warning, "mvex precedes a track",
    source: "RFC 8216, 3.3", for: [.hls],
    why: "HLS requires mvex after the last trak. A parser that reads moov in one pass finds the defaults of "
      + "tracks that it has not read yet. Many parsers accept that.",
    fix: "Write mvex after all tracks.",
    cure: .fragment
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let moov = context.movie.tree?.first("moov"),
      let defaults = moov.children.firstIndex(where: { $0.type == "mvex" }),
      let track = moov.children.lastIndex(where: { $0.type == "trak" }), defaults < track
    else { return }
    findings.add(
      "mvex precedes a trak", path: "moov/mvex", offset: moov.children[defaults].offset,
      found: "mvex, trak", wanted: "trak, mvex")
  }
}

extension FourCC {
  /// Whether the rules of a brand contain those of `iso6`: later ones of the family, CMAF, and the brand that Apple's
  /// own segmenter writes.
  fileprivate static func isStreamingBrand(_ brand: FourCC) -> Bool {
    if streamingBrands.contains(brand) { return true }
    // iso6 to iso9, isoa to isol
    return ("iso6"..."iso9").contains(brand) || ("isoa"..."isol").contains(brand)
  }

  private static let streamingBrands: Set<FourCC> = ["hlsf", "cmfc", "cmf2", "cmff", "cmfl", "cmfs"]
}
