// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

// Rules about decoder configuration: `hvcC`, `lhvC`, and the layers they configure.

extension Rule {
  package static let recordProfile = Rule(
    "MV017", .error, "hvcC promises less than the base layer needs",
    source: "ISO/IEC 14496-15, 8.3.3.1.3", for: .all,
    why: "Profile, tier and level in hvcC decide whether a player accepts the track, and the CODECS string "
      + "is made from them. Values below those in the SPS promise too little.",
    fix: "Copy general_profile_idc, tier and level from the SPS of the base layer into hvcC.",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let record = track.description?.hevcConfiguration, let needed = track.baseSPS?.profileTierLevel,
      let general = needed.general
    else { return }
    let place = track.place(of: "hvcC")
    if record.generalProfileIdc != general.profileIdc, !general.isCompatible(with: record.generalProfileIdc) {
      findings.add(
        "hvcC has profile \(record.generalProfileIdc.rawValue), the SPS \(general.profileIdc.rawValue)",
        at: place,
        found: "\(record.generalProfileIdc.rawValue)", wanted: "\(general.profileIdc.rawValue)")
    }
    if record.generalLevelIdc.rawValue < needed.generalLevelIdc.rawValue {
      findings.add(
        "hvcC has level \(record.generalLevelIdc.rawValue), the SPS needs \(needed.generalLevelIdc.rawValue)",
        at: place, found: "\(record.generalLevelIdc.rawValue)", wanted: "\(needed.generalLevelIdc.rawValue)")
    }
    if !record.generalTierFlag, general.tierFlag {
      findings.add("hvcC has the main tier, the SPS the high tier", at: place, found: "main", wanted: "high")
    }
  }

  package static let recordSampleFormat = Rule(
    "MV018", .error, "The sample format in hvcC differs from that in the SPS",
    source: "ISO/IEC 14496-15, 8.3.3.1.3", for: .all,
    why: "Players set up their decoder from the chroma format and bit depth in hvcC, before they see a "
      + "picture: with wrong values they refuse the track or show wrong colours.",
    fix: "Copy chroma_format_idc and both bit depths from the SPS of the base layer.",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let record = track.description?.hevcConfiguration, let format = track.baseSPS?.format else {
      return
    }
    let pairs: [(String, Int, Int)] = [
      ("chroma_format_idc", Int(record.chromaFormat), Int(format.chromaFormatIdc)),
      ("the luma bit depth", Int(record.bitDepthLumaMinus8) + 8, format.bitDepthLuma),
      ("the chroma bit depth", Int(record.bitDepthChromaMinus8) + 8, format.bitDepthChroma),
    ]
    for (name, found, wanted) in pairs where found != wanted {
      // The chroma bit depth of monochrome video has no meaning.
      if format.chromaFormatIdc == 0, name == "the chroma bit depth" { continue }
      findings.add(
        "\(name) is \(found) in hvcC, \(wanted) in the SPS", at: track.place(of: "hvcC"), found: "\(found)",
        wanted: "\(wanted)")
    }
  }

  package static let operatingPointsAbsent = Rule(
    "MV019", .note, "Operating points are not described (oinf)",
    source: "ISO/IEC 14496-15, 9.6.2; absent from all files from Apple", for: [.iso],
    why: "The standard asks for the sample group oinf in tracks with several layers. Apple writes neither "
      + "oinf nor linf, and its players do not look for them: this is normal.",
    fix: "Nothing needs to be done for Apple platforms. Other readers of L-HEVC may need oinf and linf."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview, let table = track.track.box?["mdia/minf/stbl"] else { return }
    let groups = table.all("sgpd").compactMap { $0.body.fourCC(at: 4) }
    let others = track.track.references("oref")
    guard !groups.contains("oinf"), others.isEmpty else { return }
    findings.add("the track has several layers, but no oinf", at: track.place, wanted: "oinf")
  }

  package static let layersInTwoTracks = Rule(
    "MV020", .error, "The layers are in two tracks",
    source: "Apple HEVC Stereo Video Interoperability Profile; files from Apple",
    .observed, for: [.spatial, .stereo],
    why: "Apple platforms read two views only from one track, with both layers in each sample. If the second "
      + "layer is in a track of its own, they show only the first track, flat.",
    fix: "Merge the tracks: each sample holds the units of layer 0, then those of layer 1; the sample entry "
      + "is hvc1 with hvcC, lhvC and vexu.",
    cure: .merge
  ) { (track: TrackFacts, findings: inout FindingSink) in
    // Alpha and depth in a track of their own are no views.
    guard track.isHEVC, track.track.classificationFacts.hasSecondViewInAnotherTrack, !track.isMultiview else {
      return
    }
    let isSecond = track.description?.isEnhancementOnly == true || track.views.allSatisfy { $0.layerID > 0 }
    guard !isSecond || track.views.isEmpty else { return }
    findings.add(
      "the second layer of this stream is in another track", at: track.place, found: "two tracks",
      wanted: "one track")
  }

  package static let moreThanTwoViews = Rule(
    "MV021", .warning, "The track has more than two views",
    source: "Apple HEVC Stereo Video Interoperability Profile", .observed, for: [.spatial, .stereo],
    why: "Apple's stereo video has two layers, one for each eye. With more, it is not specified which are "
      + "shown.",
    fix: "Extract the two layers for the eyes into a movie of their own."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let views = track.views
    guard views.count > 2 else { return }
    findings.add(
      "the track carries \(views.count) views, in layers \(views.map { "\($0.layerID)" }.joined(separator: ", "))",
      at: track.place, found: "\(views.count)", wanted: "2")
  }

  package static let layerUnknown = Rule(
    "MV073", .warning, "Samples hold pictures of a layer that is not described",
    source: "ISO/IEC 23008-2, F.7.4.3.1.1; ISO/IEC 14496-15, 9.5.3", .inferred, for: [.spatial, .stereo],
    why: "The layer is not in the VPS and has no parameter sets: its pictures cannot be decoded. Units "
      + "with a wrong nuh_layer_id look the same, and then a view is missing.",
    fix: "Remove the units of that layer, or write the nuh_layer_id that the VPS and lhvC have."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.hasLayeredConfiguration, let structure = track.analysis.structure else { return }
    let configured = Set(track.analysis.layers.filter(\.hasParameterSets).map(\.layerID))
    for (id, layer) in track.census.layers.sorted(by: { $0.key < $1.key })
    where structure.layer(id) == nil && !configured.contains(id) {
      let described = structure.layers.map { "\($0.id)" }.joined(separator: ", ")
      findings.add(
        "\(layer.samples) samples hold pictures of layer \(id)", path: track.path,
        offset: layer.first?.offset, sample: layer.first?.sample, found: "layer \(id)",
        wanted: "layers \(described)")
    }
  }

  package static let enhancementAlone = Rule(
    "MV074", .error, "A track of enhancement layers has no base layer to build on",
    source: "ISO/IEC 14496-15, 9.5.3 and 9.6", for: [.spatial, .stereo, .iso], traits: [.fixedFromSamples],
    why: "Entries lhv1 and lhe1 have only lhvC, and their layers build on another track, which a reference "
      + "sbas names. Without that track nothing can be decoded; Apple platforms do not accept these entries "
      + "at all.",
    fix:
      "If the samples also hold the base layer, rename the entry to hvc1, with hvcC and lhvC. Otherwise add "
      + "the track of the base layer, and a tref with sbas that points to it.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let description = track.description, description.isEnhancementOnly else { return }
    let bases = (track.track.references("sbas") + track.track.references("scal"))
      .filter { $0 != track.track.id && track.movie.track(id: $0) != nil }
    guard bases.isEmpty else { return }
    let holdsBase = track.analysis.layers.contains { $0.layerID == 0 && $0.isInSamples == true }
    findings.add(
      "the sample entry is '\(description.codec)', but no reference leads to a base layer"
        + (holdsBase ? "; the samples hold the base layer" : ""),
      at: track.place, found: "\(description.codec)", wanted: holdsBase ? "hvc1" : "tref/sbas",
      cure: holdsBase && track.census.withoutSets.isEmpty ? .repair : nil)
  }

  package static let arrayIncomplete = Rule(
    "MV089", .warning, "The entry promises all parameter sets, but an array is not marked complete",
    source: "ISO/IEC 14496-15, 8.3.3.1.3 and 8.4.3", for: .all, traits: [.fixedFromSamples],
    why:
      "With hvc1, array_completeness has to be 1 for parameter sets. If it is 0, a player may look for sets "
      + "in the samples, or treat the track as hev1.",
    fix:
      "Set array_completeness to 1, if no sample holds parameter sets; otherwise move them into the records.",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let description = track.description, ["hvc1", "dvh1"].contains(description.codec) else { return }
    let records: [(FourCC, [NALUnitArray])] = [
      ("hvcC", description.hevcConfiguration?.arrays ?? []),
      ("lhvC", description.layeredConfiguration?.arrays ?? []),
    ]
    for (type, arrays) in records {
      let open = arrays.filter { !$0.arrayCompleteness && $0.nalUnitType.isParameterSet && !$0.units.isEmpty }
      guard !open.isEmpty else { continue }
      findings.add(
        "\(type) does not mark its \(open.map(\.nalUnitType.name).joined(separator: ", ")) as complete",
        at: track.place(of: type), found: "array_completeness 0", wanted: "1")
    }
  }

  package static let secondRecord = Rule(
    "MV090", .warning, "A configuration record occurs twice",
    source: "ISO/IEC 14496-15, 8.4.3 and 9.5.3", for: .all,
    why:
      "Some readers use the first record and some the last: they decode with different parameter sets.",
    fix: "Remove the wrong one.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let description = track.description else { return }
    for type: FourCC in ["hvcC", "lhvC"] {
      let records = description.box.all(type)
      guard records.count > 1 else { continue }
      findings.add(
        "the sample entry has \(records.count) \(type) boxes", path: "\(description.path)/\(type)[1]",
        offset: records[1].offset,
        found: "\(records.count)", wanted: "1",
        cure: records.dropFirst().allSatisfy { $0.isRepetition(of: records[0]) } ? .repair : nil)
    }
  }

  package static let layerSetsAbsent = Rule(
    "MV094", .error, "lhvC lacks parameter sets of the second layer",
    source: "ISO/IEC 14496-15, 8.4.3 and 9.5.3; ISO/IEC 23008-2, 7.4.7.1",
    for: [.spatial, .stereo, .hls, .iso], traits: [.fixedFromSamples],
    why:
      "The pictures of the layer refer to a PPS, and the PPS to an SPS, and one of them is missing. The layer "
      + "cannot be decoded: the movie is flat, or is refused.",
    fix:
      "Put SPS and PPS of the layer into lhvC: mux again from the elementary stream with a program that "
      + "supports layers, such as MP4Box.",
    cure: .restore
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.hasLayeredConfiguration, !track.hasViewElsewhere,
      track.description?.isEnhancementOnly == false
    else { return }
    let named = track.census.withoutSets.filter { $0.key > 0 }.sorted { $0.key < $1.key }
    for (layer, gap) in named {
      findings.add(
        "\(gap.count) pictures of layer \(layer) refer to parameter sets that are missing",
        at: track.place(of: "lhvC"),
        sample: gap.sample, found: gap.detail, wanted: "SPS and PPS of layer \(layer)")
    }
    // Without pictures to examine: no parameter sets for any layer above 0 that the VPS describes. Those of some sample entries
    // may be in samples.
    if named.isEmpty, track.describesSecondView,
      track.description?.allowsSetsInSamples == false || track.analysis.knowsFirstSample,
      !track.analysis.layers.contains(where: { $0.layerID > 0 && $0.hasParameterSets })
    {
      findings.add(
        "lhvC has no SPS of a second view", at: track.place(of: "lhvC"),
        wanted: "SPS and PPS of the second layer")
    }
  }

  /// The size from which messages in a record are reported: players were seen to accept a few, and to refuse 2.3 kB.
  private static let largeMessageBytes = 1_024

  package static let messagesInRecord = Rule(
    "MV123", .warning, "hvcC holds large messages that are not needed to set up a decoder",
    source:
      "ISO/IEC 14496-15, 8.3.3.1.3; reports of hardware players that refuse hvcC with 2.3 kB of user data of x265",
    .observed, for: [.spatial, .stereo, .hls], traits: [.fixedFromSamples],
    why:
      "Players pass hvcC to their decoder before the first picture. Some hardware decoders refuse a large one: the "
      + "movie has no video there, while other players show it.",
    fix: "Keep messages 137, 144, 147 and 176 in hvcC, and put the others into the first sample.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let record = track.description?.hevcConfiguration else { return }
    var size = 0, types: Set<UInt32> = []
    for array in record.arrays {
      // By index, here and in `cureOfSets(lacking:)`: without optimisation an iterator allocates for each of thousands of units.
      for index in array.units.indices {
        guard let unit = NALUnit(array.units[index]), unit.type.isSEI else { continue }
        for message in unit.seiMessages().messages where !message.payloadType.belongsInRecord {
          size += message.payload.count
          types.insert(message.payloadType.rawValue)
        }
      }
    }
    guard size >= largeMessageBytes else { return }
    let list = types.sorted().map { "\($0)" }.joined(separator: ", ")
    findings.add(
      "hvcC has \(size) bytes of messages of type \(list)", at: track.place(of: "hvcC"),
      found: "\(size) bytes",
      wanted: "in the first sample", cure: track.track.sampleCount > 0 ? .repair : nil)
  }

  package static let dolbyVisionAbsent = Rule(
    "MV099", .warning, "The Dolby Vision sample entry has no configuration box",
    source:
      "Dolby Vision Streams within the ISO Base Media File Format, 3.1; HLS authoring specification for "
      + "Apple devices, 1.10", for: [.spatial, .stereo, .immersive, .hls],
    why:
      "dvh1 and dvhe promise Dolby Vision, whose profile and level are in dvcC, dvvC or dvwC. Without the box "
      + "a player cannot choose its decoder, and CODECS cannot be written.",
    fix:
      "Add the configuration box, or rename the entry to hvc1 if the base layer looks right without Dolby "
      + "Vision."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let records: [FourCC] = ["dvcC", "dvvC", "dvwC"]
    guard let description = track.description, ["dvh1", "dvhe"].contains(description.codec),
      records.allSatisfy({ description.box.first($0) == nil })
    else { return }
    findings.add(
      "the entry is '\(description.codec)', but has none of dvcC, dvvC and dvwC", at: track.place,
      found: "\(description.codec)", wanted: "dvvC or dvwC")
  }

  package static let pictureSetsAbsent = Rule(
    "MV101", .error, "Pictures refer to parameter sets that are missing",
    source: "ISO/IEC 23008-2, 7.4.2.4.2 and 7.4.7.1; ISO/IEC 14496-15, 8.4.3",
    for: .all, traits: [.fixedFromSamples],
    why: "Each picture refers to a PPS, and the PPS to an SPS. If one of them is missing, the picture cannot "
      + "be decoded.",
    fix: "Put the parameter sets that the pictures were coded with into hvcC, or in front of the stream: "
      + "encode or mux again from the source.",
    cure: .restore
  ) { (track: TrackFacts, findings: inout FindingSink) in
    // They may be in a track that this one builds on.
    let withoutSets = track.census.withoutSets
    guard !withoutSets.isEmpty, ["sbas", "tbas", "scal"].allSatisfy({ track.track.references($0).isEmpty })
    else { return }
    for (layer, gap) in withoutSets.sorted(by: { $0.key < $1.key }) {
      // Other rules report a record without sets of some kind, and the other layers of a movie.
      guard layer == 0 ? !track.lacksBaseSets : track.track.isRawStream else { continue }
      findings.add(
        "\(gap.count) pictures of layer \(layer), the first in sample \(gap.sample): \(gap.detail)",
        path: track.path, offset: gap.offset, sample: gap.sample, found: gap.detail,
        wanted: "SPS and PPS of layer \(layer)")
    }
  }
}

extension ProfileTier {
  /// Whether a decoder of a profile can decode the stream. ISO/IEC 23008-2, A.3
  fileprivate func isCompatible(with profile: ProfileIdc) -> Bool {
    profile.rawValue < 32 && compatibilityFlags &<< UInt32(profile.rawValue) & 0x8000_0000 != 0
  }
}
