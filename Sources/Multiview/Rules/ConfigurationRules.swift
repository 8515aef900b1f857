// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

// Rules about decoder configuration: `hvcC`, `lhvC`, and the layers they configure.

extension Rule {
  package static let sampleEntryType = Rule(
    "MV005", .error, "Apple players do not accept this sample entry for HEVC",
    source: "reports from users of QuickTime, Photos and Safari; HLS authoring specification for Apple "
      + "devices, 1.10",
    .observed, for: [.spatial, .stereo, .immersive], traits: [.fixedFromSamples, .losesContent],
    why: "With hev1, hev2, hvc2 or dvhe QuickTime Player, Photos, Quick Look and Safari refuse the movie: "
      + "they need all parameter sets in the sample entry, which hvc1 and dvh1 promise.",
    fix: "Put all parameter sets into hvcC and lhvC, remove them from the samples, and rename the entry "
      + "to hvc1, dvhe to dvh1. Renaming alone is enough only if the records are complete.",
    possibleCures: [.repair, .restore]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let description = track.description, track.isHEVC, !description.isEnhancementOnly else { return }
    let accepted: Set<FourCC> = ["hvc1", "dvh1"]
    guard !accepted.contains(description.codec) else { return }
    findings.add(
      "the sample entry is '\(description.codec)'", at: track.place, found: "\(description.codec)",
      wanted: track.entryTypeWithSets, cure: track.cureOfEntryType)
  }

  package static let recordLacksParameterSets = Rule(
    "MV006", .error, "hvcC lacks parameter sets",
    source: "ISO/IEC 14496-15, 8.4.3", for: .all, traits: [.fixedFromSamples, .losesContent],
    why: "hvc1 promises that every parameter set is in hvcC. Without them AVFoundation creates no format "
      + "description, and the track is not shown at all.",
    fix: "Put VPS, SPS and PPS of the base layer into hvcC, each in an array marked complete.",
    possibleCures: [.repair, .restore]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let description = track.description, track.promisesSetsInRecord else { return }
    guard let record = description.hevcConfiguration else {
      if description.box.first("hvcC") == nil {
        findings.add(
          "hvcC is missing", at: track.place, wanted: "hvcC",
          cure: track.cureOfSets(
            lacking: [.videoParameterSet, .sequenceParameterSet, .pictureParameterSet]))
      }
      return
    }
    let lacking = TrackFacts.kindsOfBaseSets(lackingIn: record)
    guard !lacking.isEmpty else { return }
    let names = lacking.map(\.name).joined(separator: ", ")
    findings.add(
      "hvcC has no \(names)", at: track.place(of: "hvcC"),
      found: record.arrays.isEmpty ? "no arrays" : "\(record.arrays.count) arrays", wanted: names,
      cure: track.cureOfSets(lacking: lacking))
  }

  package static let enhancementSetsInBaseRecord = Rule(
    "MV007", .error, "Parameter sets of the second layer are in hvcC",
    source: "ISO/IEC 14496-15, 9.5.3; reports of x265 streams remuxed by FFmpeg",
    .observed, for: [.spatial, .stereo], traits: [.fixedFromSamples, .losesContent],
    why: "hvcC configures the base layer. A base layer decoder that is given sets of another layer may "
      + "treat them as its own, and the layer that needs them is configured by lhvC only.",
    fix: "Move the units whose nuh_layer_id is above 0 from hvcC to lhvC, and keep the VPS in hvcC.",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let record = track.description?.hevcConfiguration else { return }
    let strays = record.nalUnits.filter { $0.layerID > 0 && $0.type.isParameterSet }
    guard let first = strays.first else { return }
    findings.add(
      "hvcC holds \(strays.listed { "\($0.type.name) of layer \($0.layerID)" })",
      path: track.place(of: "hvcC")?.path ?? track.path, offset: first.bytes.fileOffset,
      found: "layer \(first.layerID)", wanted: "layer 0")
  }

  package static let layeredRecordFirst = Rule(
    "MV008", .warning, "lhvC precedes hvcC",
    source: "order seen in all files of AVFoundation", .observed,
    for: [.spatial, .stereo], traits: [.fixedInBoxes],
    why: "The standard leaves the order open, but readers that walk the sample entry once configure the "
      + "base layer first and drop an lhvC that comes too early.",
    fix: "Write hvcC first, lhvC directly after it.",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let children = track.description?.box.children,
      let base = children.firstIndex(where: { $0.type == "hvcC" }),
      let layered = children.firstIndex(where: { $0.type == "lhvC" }), layered < base
    else { return }
    findings.add(
      "lhvC precedes hvcC", at: track.place(of: "lhvC"), found: "lhvC, hvcC", wanted: "hvcC, lhvC")
  }

  package static let lengthSizesDiffer = Rule(
    "MV009", .error, "hvcC and lhvC specify different NAL unit length sizes",
    source: "ISO/IEC 14496-15, 9.5.3.1.2", for: [.spatial, .stereo, .hls, .iso], traits: [.fixedInBoxes],
    why: "All layers of a sample use one length size. A reader that uses the wrong record splits NAL "
      + "units in the wrong places and decodes nothing.",
    fix: "Set lengthSizeMinusOne of lhvC to the value in hvcC, if the samples use that size.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let base = track.description?.hevcConfiguration,
      let layered = track.description?.layeredConfiguration,
      base.lengthSize != layered.lengthSize
    else { return }
    findings.add(
      "hvcC specifies lengths of \(base.lengthSize) bytes, lhvC of \(layered.lengthSize)",
      at: track.place(of: "lhvC"), found: "\(layered.lengthSize)", wanted: "\(base.lengthSize)",
      cure: track.census.unframed == nil ? .repair : nil)
  }

  package static let lengthSizeThree = Rule(
    "MV010", .error, "NAL unit lengths have three bytes",
    source: "ISO/IEC 14496-15, 8.3.3.1.2", for: .all, traits: [.fixedFromSamples],
    why: "Lengths have one, two or four bytes. The value 2 of lengthSizeMinusOne is not allowed, and "
      + "readers reject the record.",
    fix: "Write the samples with lengths of four bytes, and signal that size in hvcC and lhvC.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let widths: [(FourCC, Int?)] = [
      ("hvcC", track.description?.hevcConfiguration?.lengthSize),
      ("lhvC", track.description?.layeredConfiguration?.lengthSize),
    ]
    for (type, width) in widths where width == 3 {
      findings.add(
        "\(type) specifies lengths of 3 bytes", at: track.place(of: type), found: "3", wanted: "1, 2 or 4",
        cure: track.census.unframed == nil ? .repair : nil)
    }
  }

  package static let arraysHoldTheirType = Rule(
    "MV011", .error, "An array of a configuration record holds units of another type",
    source: "ISO/IEC 14496-15, 8.3.3.1.3", for: .all, traits: [.fixedInBoxes],
    why: "Readers look for parameter sets by the type of the array. A unit in the wrong array is not "
      + "found, or is treated as another type.",
    fix: "Sort the units into arrays of their own types: 32 VPS, 33 SPS, 34 PPS, 39 and 40 SEI.",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let records: [(FourCC, [NALUnitArray])] = [
      ("hvcC", track.description?.hevcConfiguration?.arrays ?? []),
      ("lhvC", track.description?.layeredConfiguration?.arrays ?? []),
    ]
    for (type, arrays) in records {
      for array in arrays {
        for unit in array.nalUnits where unit.type != array.nalUnitType {
          findings.add(
            "an array of \(array.nalUnitType.name) in \(type) holds \(unit.type.name)",
            path: track.place(of: type)?.path ?? track.path, offset: unit.bytes.fileOffset,
            found: unit.type.name, wanted: array.nalUnitType.name)
        }
      }
    }
  }

  package static let layerNotInSamples = Rule(
    "MV012", .error, "A configured layer is missing from all samples",
    source: "ISO/IEC 14496-15, 9.6; Apple HEVC Stereo Video Interoperability Profile",
    for: [.spatial, .stereo, .hls, .iso],
    why: "The configuration promises two views, and the samples never deliver one of them: the decoder waits "
      + "for it, or shows one eye, or none.",
    fix: "Mux again from a stream that has both layers. If the second is missing, lhvC, eyes and "
      + "pack can be removed instead: the movie is then signalled as 2D video, with its projection.",
    possibleCures: [.strip]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.hasLayeredConfiguration, track.description?.isEnhancementOnly == false,
      !track.hasViewElsewhere
    else { return }
    let census = track.census
    guard census.lookedAt > 0, !census.layers.isEmpty else { return }
    let found = census.layers.keys.sorted(), configured = track.configuredLayers
    guard census.layers[0] != nil else {
      findings.add(
        "none of \(census.lookedAt) samples holds a picture of layer 0, from which the others are predicted",
        at: track.place(of: "hvcC"), found: Rule.names(found), wanted: Rule.names([0] + configured.sorted()))
      return
    }
    guard found.allSatisfy({ $0 == 0 }) || !configured.isEmpty && configured.isDisjoint(with: found) else {
      return
    }
    let wanted = configured.isEmpty ? [1] : configured.sorted()
    findings.add(
      "none of \(census.lookedAt) samples holds a picture of "
        + (configured.isEmpty ? "a layer above 0" : Rule.names(wanted)),
      at: track.place(of: "lhvC"), found: Rule.names(found), wanted: Rule.names([0] + wanted),
      cure: found.allSatisfy { $0 == 0 } ? .strip : nil)
  }

  fileprivate static func names(_ layers: [UInt8]) -> String {
    "layer\(layers.count == 1 ? "" : "s") " + layers.map(String.init).joined(separator: " and ")
  }

  package static let layerInSomeSamples = Rule(
    "MV013", .error, "Some samples lack a layer that others have",
    source: "ISO/IEC 14496-15, 9.6; Apple HEVC Stereo Video Interoperability Profile",
    for: [.spatial, .stereo, .hls], traits: [.fixedFromSamples, .losesContent],
    why: "Each sample has to hold a picture of each layer; otherwise one eye freezes or the decoder loses "
      + "the reference it predicts from.",
    fix: "Mux again from the elementary stream, so that each access unit becomes one sample. Trimming "
      + "tools that do not support layers cause this.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.carriesSecondView, !track.hasViewElsewhere, track.description?.isEnhancementOnly != true
    else { return }
    let census = track.census
    for layer in track.views.map(\.layerID) {
      guard let gap = census.withoutLayer[layer] else { continue }
      findings.add(
        "\(gap.count) of \(census.lookedAt) samples lack layer \(layer); the first is sample \(gap.sample)",
        path: track.path, offset: gap.offset, sample: gap.sample, found: gap.detail, wanted: "layer \(layer)",
        cure: track.hasHalvedAccessUnits ? .repair : nil)
    }
  }

  package static let layerNotConfigured = Rule(
    "MV014", .error, "Samples hold a second layer, but lhvC is missing",
    source: "ISO/IEC 14496-15, 9.5.3; reports of streams copied by programs that support one layer",
    .observed, for: [.spatial, .stereo, .hls], traits: [.fixedFromSamples],
    why: "Without lhvC players ignore the second layer, or show its pictures as extra frames of the "
      + "first: the movie is flat, or stutters.",
    fix: "Write lhvC with the parameter sets of the layer. Adding vexu alone does not help.",
    possibleCures: [.repair, .restore]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.description != nil, !track.hasLayeredConfiguration, !track.isFramePacked else { return }
    let census = track.census
    for layer in track.analysis.layers where layer.isTexture && layer.layerID > 0 {
      guard let first = census.layers[layer.layerID]?.first else { continue }
      findings.add(
        "samples hold pictures of layer \(layer.layerID)", path: track.path, offset: first.offset,
        sample: first.sample, wanted: "lhvC", cure: track.cureOfSets)
    }
  }

  package static let secondViewLost = Rule(
    "MV015", .error, "stri claims both eyes, but the second layer has no lhvC",
    source: formatAdditions + "; Apple HEVC Stereo Video Interoperability Profile",
    for: [.spatial, .stereo, .hls], traits: [.fixedFromSamples],
    why: "vexu promises an eye that cannot be decoded: the VPS describes the layer, but its SPS and PPS are "
      + "missing. A remux by a program that keeps vexu and drops lhvC causes this.",
    fix: "Go back to the original and mux it with a program that keeps lhvC. If the original is gone, the "
      + "second view is lost: remove eyes.",
    possibleCures: [.repair, .restore, .strip]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.claimsBothEyes, track.isHEVC, !track.hasLayeredConfiguration, !track.isFramePacked,
      !track.hasViewElsewhere, track.describesSecondView || track.carriesSecondView
    else { return }
    findings.add(
      "stri claims both eyes, but the sample entry has no lhvC",
      at: track.stereo.place(of: \.viewInformation),
      found: "no lhvC", wanted: "lhvC", cure: track.cureOfLostView)
  }

  package static let viewsNotSignalled = Rule(
    "MV016", .error, "Two views are coded, but nothing signals that they are for two eyes",
    source: formatAdditions + "; HLS authoring specification for Apple devices, 16.2",
    for: [.spatial, .stereo, .hls], traits: [.fixedFromSamples],
    why: "Without vexu/eyes/stri, Apple platforms show only the base layer: the movie is flat, although the "
      + "second view is present.",
    fix: "Add vexu with eyes and stri for both eyes to the sample entry; for spatial video also cams/blin, "
      + "cmfy/dadj and hfov.",
    possibleCures: [.tag([]), .merge]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.description != nil, !track.stereo.hasEyes, !track.isFramePacked, track.isHEVC,
      track.carriesSecondView || track.describesSecondView && track.hasViewElsewhere,
      track.description?.isEnhancementOnly == false
    else { return }
    let what =
      track.carriesSecondView
      ? "the track carries \(track.views.count) views" : "another track has a second view"
    findings.add(
      "\(what), but \(track.stereo.hasVideoExtendedUsage ? "vexu has no eyes" : "vexu is missing")",
      at: track.stereo.place(of: \.hasVideoExtendedUsage) ?? track.place, wanted: "vexu/eyes/stri",
      cure: track.carriesSecondView ? .tag([.set(.eyes, "left,right")]) : .merge)
  }
}

extension TrackFacts {
  fileprivate var promisesSetsInRecord: Bool {
    description.map { ["hvc1", "hvc2", "dvh1"].contains($0.codec) } ?? false
  }

  /// Whether the record lacks a type of base layer parameter set although it should have all of them.
  var lacksBaseSets: Bool {
    guard promisesSetsInRecord else { return false }
    return description?.hevcConfiguration.map { !Self.kindsOfBaseSets(lackingIn: $0).isEmpty } ?? true
  }

  fileprivate static func kindsOfBaseSets(lackingIn record: DecoderConfigurationRecord) -> [NALUnitType] {
    let types = Set(record.nalUnits.filter { $0.layerID == 0 }.map(\.type))
    return [.videoParameterSet, .sequenceParameterSet, .pictureParameterSet].filter { !types.contains($0) }
  }
}

extension TrackFacts {
  /// The layers above 0 that have parameter sets in `lhvC`. One that uses the sequence parameter set of a lower layer has only
  /// a picture parameter set.
  fileprivate var configuredLayers: Set<UInt8> {
    let units = description?.layeredConfiguration?.nalUnits ?? []
    return Set(units.filter { $0.type.isParameterSet && $0.layerID > 0 }.map(\.layerID))
  }
}
