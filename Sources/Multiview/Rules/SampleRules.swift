// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

// Rules about samples: their layers, order, times and places.

extension Rule {
  package static let setsBetweenLayers = Rule(
    "MV051", .warning, "Parameter sets are between the layers of a sample",
    source: "ISO/IEC 23008-2, F.7.4.2.4.4; FFmpeg loses the second layer of such streams",
    .observed, for: [.spatial, .stereo], traits: [.fixedFromSamples],
    why: "If parameter sets of the second layer precede its pictures, decoders that treat them as the start "
      + "of a new access unit split the access unit: the second view is lost.",
    fix: "Move the sets into lhvC and remove them from the samples. In x265, turn the repetition of headers "
      + "off (repeat-headers).",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview || track.carriesSecondView, let found = track.census.setsBetweenLayers else {
      return
    }
    findings.add(
      "in \(found.count) samples, the first is sample \(found.sample): \(found.detail)", path: track.path,
      offset: found.offset, sample: found.sample, found: found.detail)
  }

  package static let layerOrder = Rule(
    "MV052", .error, "Layers are in the wrong order in a sample",
    source: "ISO/IEC 23008-2, F.7.4.2.4.5; ISO/IEC 14496-15, 9.6", for: [.spatial, .stereo, .hls, .iso],
    traits: [.fixedFromSamples],
    why: "The second layer is predicted from the first, which has to be decoded before it.",
    fix: "Write the units of a sample in the order of nuh_layer_id.",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let found = track.census.layersOutOfOrder else { return }
    findings.add(
      "in \(found.count) samples, the first is sample \(found.sample): \(found.detail)", path: track.path,
      offset: found.offset, sample: found.sample, found: found.detail, wanted: "ascending layers")
  }

  package static let sampleFraming = Rule(
    "MV053", .error, "Samples are not length-prefixed NAL units",
    source: "ISO/IEC 14496-15, 4.3.2 and 8.3.2", for: .all, traits: [.hidesFaults, .fixedFromSamples],
    why: "Each NAL unit follows its length, and together they fill the sample. Leftover start codes of a "
      + "byte stream, a wrong lengthSizeMinusOne or damaged data make all later pictures undecodable.",
    fix: "Mux again from the elementary stream. If only lengthSizeMinusOne is wrong, correct it in hvcC "
      + "and lhvC.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let census = track.census
    guard let found = census.unframed ?? census.startCodes else { return }
    let hint = census.startCodes == nil ? "" : "; they begin with start codes"
    findings.add(
      "\(found.count) of \(census.lookedAt) samples, the first is sample \(found.sample): \(found.detail)\(hint)",
      path: track.path, offset: found.offset, sample: found.sample, cure: track.cureOfFraming)
  }

  package static let displayOrder = Rule(
    "MV054", .error, "Pictures are shown in a different order than the stream specifies",
    source: "ISO/IEC 14496-12, 8.6.1.3; ISO/IEC 23008-2, 8.3.1",
    for: [.iso, .hls, .spatial, .stereo, .immersive], traits: [.fixedFromSamples, .losesContent],
    why: "Composition times have to follow the order counts of the pictures. Muxers that write no ctts for "
      + "a stream with reordered pictures make them jump back and forth.",
    fix: "Derive composition times from the order counts of the pictures, and write them to ctts.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let found = track.census.disorder else { return }
    findings.add(
      "\(found.count) pictures are out of order, the first in sample \(found.sample): \(found.detail)",
      at: track.place(below: "mdia/minf/stbl/ctts") ?? track.place, sample: found.sample,
      cure: track.hasOneDuration ? .repair : nil)
  }

  package static let orderCountsDiffer = Rule(
    "MV055", .error, "The layers of a sample hold pictures of different times",
    source: "ISO/IEC 23008-2, F.8.3.1", for: [.spatial, .stereo, .hls, .iso], traits: [.blocksRewriting],
    why: "All pictures of an access unit have the same order count. If they differ, the eyes see different "
      + "moments, and prediction between the layers uses the wrong picture.",
    fix: "Mux again: the samples of the layers were joined with an offset."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let found = track.census.unequalOrderCounts else { return }
    findings.add(
      "in \(found.count) samples, the first is sample \(found.sample): \(found.detail)", path: track.path,
      offset: found.offset, sample: found.sample, found: found.detail)
  }

  package static let syncSample = Rule(
    "MV056", .warning, "A sync sample is not a random access point",
    source: "ISO/IEC 14496-15, 8.4.3", for: [.hls, .iso],
    why: "Players start decoding at sync samples. One whose base layer depends on earlier pictures shows "
      + "garbage after each seek.",
    fix: "Correct stss, or the flags of the fragments: list samples whose base layer is IDR, CRA or BLA "
      + "only.",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let found = track.census.syncWithoutAccess else { return }
    findings.add(
      "\(found.count) sync samples, the first is sample \(found.sample): \(found.detail)", path: track.path,
      offset: found.offset, sample: found.sample, found: found.detail, wanted: "IDR, CRA or BLA")
  }

  package static let sampleTables = Rule(
    "MV057", .error, "The sample tables disagree",
    source: "ISO/IEC 14496-12, 8.6.1 and 8.7", for: .all, traits: [.hidesFaults],
    why: "Times, sizes and places of samples are in tables that have to agree on the number of samples. "
      + "Readers stop at the shortest, or refuse the track.",
    fix: "Mux the movie again to get valid tables.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.tableDiagnostics where item.severity == .error && Rule.tableCodes.contains(item.code) {
      findings.add(item, cure: track.cureOfTables)
    }
    guard let table = track.track.sampleTableBox, let other = table.first("co64"), table.first("stco") != nil
    else { return }
    findings.add(
      "stco and co64 both list the places of chunks, and a reader uses either",
      path: "\(track.track.path)/mdia/minf/stbl/co64", offset: other.offset, found: "stco and co64",
      wanted: "one of them", severity: .warning)
  }

  fileprivate static let tableCodes: Set<Diagnostic.Code> = [
    "missing-sample-table", "sample-count-mismatch", "chunk-run-order", "chunk-out-of-range",
    "sample-description-out-of-range",
  ]

  package static let samplesOutsideFile = Rule(
    "MV058", .error, "Samples are outside the file",
    source: "ISO/IEC 14496-12, 8.7.5", for: .all, traits: [.hidesFaults, .blocksRewriting, .fixedInBoxes],
    why: "The file was cut short, or chunk offsets were not corrected when boxes in front of the media "
      + "were changed: what is read there is not the video.",
    fix: "Copy the file again; or add the number of bytes by which moov grew to each offset in stco or "
      + "co64.",
    possibleCures: [.repair]
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.tableDiagnostics where item.code == "sample-outside-file" {
      findings.add(item, cure: track.cureOfFraming)
    }
    guard let found = track.census.outsideFile, track.track.context.hasFragments else { return }
    findings.add(
      "\(found.count) samples of fragments reach beyond the end of the file, the first is sample \(found.sample): "
        + found.detail, path: track.path, offset: found.offset, sample: found.sample)
  }

  package static let decodeTimes = Rule(
    "MV059", .error, "Decode times run backwards",
    source: "ISO/IEC 14496-12, 8.6.1.2 and 8.8.12", for: .all,
    why: "Samples are in decoding order, and their times may not go back. Players drop what comes too late, "
      + "or stop.",
    fix: "Correct the deltas of stts, or tfdt of the fragments: deltas are not negative."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    for item in track.tableDiagnostics
    where item.code == "negative-sample-delta" || item.code == "time-overflow" {
      findings.add(item)
    }
    guard track.track.context.hasFragments, let back = track.backwardStep else { return }
    findings.add(
      "sample \(back.sample) is decoded at \(back.time), the one before at \(back.previous)",
      path: track.path,
      offset: nil, sample: back.sample, found: "\(back.time)", wanted: "at least \(back.previous)")
  }

  package static let editsOfEyesDiffer = Rule(
    "MV060", .error, "The tracks of the two views have different edit lists",
    source: "ISO/IEC 14496-12, 8.6.6", for: [.spatial, .stereo, .iso],
    why: "The samples of the tracks belong together by their decode times, and edits shift when they are "
      + "shown: if the edits differ, the eyes see different moments.",
    fix: "Give both tracks the same elst.",
    possibleCures: [.merge]
  ) { (context: RuleContext, findings: inout FindingSink) in
    for (first, second) in context.eyeTracks {
      let lists = [first, second].map(\.track.edits)
      guard !lists[0].tellsTheSame(as: lists[1]) else { continue }
      findings.trackID = second.track.id
      findings.add(
        "track \(first.track.id) and track \(second.track.id) are shifted differently",
        at: second.place(below: "edts/elst"), found: lists[1].entriesText,
        wanted: lists[0].entriesText)
    }
  }

  package static let unevenShift = Rule(
    "MV061", .warning, "Some tracks are shifted by an edit list, but the video is not",
    source: "ISO/IEC 14496-12, 8.6.6", .inferred,
    for: [.iso, .hls, .spatial, .stereo, .immersive], traits: [.fixedInBoxes],
    why: "The first picture is composed late because pictures are reordered. Other tracks of the movie have "
      + "edit lists that remove such a delay, but the video has none: sound and picture are out of sync by "
      + "that delay.",
    fix: "Give the video an edit whose media_time is its first composition time.",
    cure: .repair
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.track.edits.isIdentity, track.shared.someTrackIsShifted,
      let delay = track.track.compositionDelay, delay > 0
    else { return }
    findings.add(
      "the first picture is composed \(delay)/\(track.track.timescale) s after its decode time, and no edit list "
        + "removes that delay",
      at: track.place(below: "edts/elst"), found: "no elst", wanted: "media_time \(delay)")
  }

  package static let externalMedia = Rule(
    "MV086", .error, "The samples are in another file",
    source: "RFC 8216, 3.3; ISO/IEC 14496-12, 8.7.2", for: [.spatial, .stereo, .immersive, .hls],
    traits: [.hidesFaults, .fixedInBoxes],
    why: "The data reference of the track names another file. HLS forbids it, and elsewhere the movie plays "
      + "only if that file is found; what is reported about the samples here is read from the wrong file.",
    fix: "Make the movie self-contained: save it again with its media. If the samples are in this file, "
      + "write the entry of dref with flag 1 and no location.",
    possibleCures: [.repair]
  ) { (context: RuleContext, findings: inout FindingSink) in
    for track in context.movie.tracks {
      guard let description = track.mainDescription,
        let reference = track.externalReference(of: description), reference.namesAnotherFile
      else { continue }
      findings.trackID = track.id
      findings.add(
        "the data reference '\(reference.type)' names another file",
        path: "\(track.path)/mdia/minf/dinf/dref/\(reference.type)", offset: reference.offset,
        found: "flags 0",
        wanted: "flags 1", cure: context.cureOfExternalMedia(of: track))
    }
  }

  package static let sliceUnreadable = Rule(
    "MV102", .warning, "Slice headers cannot be read",
    source: "ISO/IEC 23008-2, 7.3.6.1", for: .all, traits: [.blocksRewriting],
    why: "The parameter sets are present, but they do not match the bits of the picture: it is cut short or "
      + "damaged, or was coded with other sets. A decoder drops it, or shows garbage.",
    fix:
      "Make the file again from its source. The list of units\(.showUnits) shows which slices have no type and "
      + "no order count."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    // Where parameter sets are absent or damaged, that is reported.
    let unreadable = track.census.unreadableHeaders
    guard !unreadable.isEmpty, !track.lacksBaseSets,
      !track.analysis.diagnostics.contains(where: { $0.severity == .error })
    else { return }
    for (layer, gap) in unreadable.sorted(by: { $0.key < $1.key }) {
      findings.add(
        "\(gap.count) pictures of layer \(layer), the first in sample \(gap.sample)",
        path: track.path, offset: gap.offset, sample: gap.sample, found: gap.detail)
    }
  }
}
