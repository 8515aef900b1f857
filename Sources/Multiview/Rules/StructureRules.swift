// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

// Rules about the structure of the file: boxes that fit, that are there, and that refer to one another.

extension Rule {
  package static let boxesFit = Rule(
    "MV001", .error, "A box does not fit in its container",
    source: "ISO/IEC 14496-12, 4.2", for: [.iso], traits: [.hidesFaults],
    why: "If a box is longer than its container, or shorter than its own header, reading ends there: what "
      + "follows it is lost, or misread.",
    fix: "Write the file again with a program that computes sizes, or fix the size field at the offset. If "
      + "the file was cut short, copy it again."
  ) { (context: RuleContext, findings: inout FindingSink) in
    // What a limit leaves out may be sound.
    for item in context.movie.tree?.diagnostics ?? DiagnosticList()
    where item.severity == .error && item.code != "limit-exceeded" {
      findings.add(item)
    }
  }

  package static let fieldsReadable = Rule(
    "MV002", .error, "The fields of a box cannot be read",
    source: "ISO/IEC 14496-12, 4.2; the clause of each box", for: [.iso], traits: [.hidesFaults],
    why: "Fields that run past the end of their box, counts larger than the number of rows and values out of "
      + "range make readers reject the box, or the whole track.",
    fix: "Write a valid box in its place. The tree of boxes\(.showBox(path: nil)) shows how far it could be "
      + "read."
  ) { (context: RuleContext, findings: inout FindingSink) in
    for item in context.fieldDiagnostics where item.severity == .error {
      let box = BoxPath(item.path).flatMap { context.movie.tree?[$0] }
      guard box?.registration?.isPrivate == true else {
        findings.add(item)
        continue
      }
      // A box of one maker, whose form is known from some of its files, is not against a standard.
      findings.add(
        item.message + ": this library does not know this form of the vendor's box", path: item.path,
        offset: item.offset, severity: .note)
    }
  }

  package static let movieBoxPresent = Rule(
    "MV003", .error, "The movie box is missing or cannot be read",
    source: "ISO/IEC 14496-12, 8.2.1", for: [.iso],
    why: "Without moov nothing describes the media data. Recordings that were interrupted lack it; in old "
      + "QuickTime movies it may be compressed, which players no longer read.",
    fix: "Recover the recording with the device that made it, or with a tool that rebuilds moov from another "
      + "recording of that device. If moov is compressed, mux the movie again to get a plain one."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let tree = context.movie.tree else { return }
    if let compressed = tree["moov/cmov"] {
      findings.add("moov is compressed", path: "moov/cmov", offset: compressed.offset, wanted: "moov/trak")
    }
    guard tree.first("moov") == nil, !context.isImageFile, !context.isMediaSegment else { return }
    findings.add("the file has no moov", path: "", offset: tree.boxes.first?.offset, wanted: "moov")
  }

  package static let fileTypePresent = Rule(
    "MV004", .warning, "The file type box (ftyp) is missing, not first or has no known brand",
    source: "ISO/IEC 14496-12, 4.3", for: .all, traits: [.fixedInBoxes],
    why: "Players choose a reader by the brands. A file without known brands is treated as old QuickTime, if "
      + "it is accepted at all.",
    fix: "Start the file with ftyp, and give it a brand that readers know: qt, mp42 or isom.",
    possibleCures: [.repair]
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let tree = context.movie.tree, !context.isMediaSegment, tree.first("moov") != nil else { return }
    guard let box = tree.first("ftyp") else {
      findings.add(
        "the file has no ftyp", path: "", offset: tree.boxes.first?.offset, wanted: "ftyp", cure: .repair)
      return
    }
    let brands =
      [context.movie.container.majorBrand].compactMap { $0 } + context.movie.container.compatibleBrands
    let place = BoxPlace(path: "ftyp", offset: box.offset)
    // A filler (wide, free) in front of them does not hide what is not ftyp.
    let first = tree.boxes.first { $0.offset < box.offset && ($0.type == "moov" || $0.type == "mdat") }
    if let first {
      findings.add(
        "ftyp follows \(first.type)", at: place, found: "\(first.type)", wanted: "ftyp first", cure: .repair)
    }
    guard !brands.contains(where: FourCC.isMovieBrand) else { return }
    let isBlank = brands.allSatisfy(\.isBlank)
    // A brand of one maker is legal, and replacing it would be a lie about what the file is.
    findings.add(
      isBlank ? "no brand is specified" : "this library knows none of the brands", path: place.path,
      offset: place.offset, found: brands.unique().listed { "\($0)" }, wanted: "qt, mp42, isom or similar",
      severity: isBlank ? .warning : .note, targets: isBlank ? nil : [.iso], cure: isBlank ? .repair : nil)
  }

  package static let mediaSegment = Rule(
    "MV081", .note, "The file is a media segment, a part of a movie",
    source: "ISO/IEC 14496-12, 8.16; RFC 8216, 3.3", for: [.spatial, .stereo, .immersive, .hls],
    why: "Its samples are described in the init segment, with hvcC, lhvC and vexu. From the segment alone "
      + "nothing can be predicted.",
    fix: "Check the init segment, or both as one file: cat init.mp4 segment.m4s > movie.mp4."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard context.isMediaSegment, let first = context.movie.tree?.boxes.first else { return }
    findings.add(
      "the file has fragments, but no moov", path: "\(first.type)", offset: first.offset,
      wanted: "an init segment")
  }

  package static let videoUndecided = Rule(
    "MV082", .error, "The data that determines what the video is cannot be read",
    source: "ISO/IEC 14496-12, 8.5.2; ISO/IEC 14496-15, 8.3.3.1; ISO/IEC 23008-2, 7.3.2",
    for: .all, traits: [.hidesFaults, .blocksRewriting],
    why:
      "Sample description, parameter sets or samples are missing or damaged. A prediction would be a guess, "
      + "so the verdicts are unknown; players refuse the track.",
    fix: "Make the file again from its source, or copy it again if it was cut short. The parameter "
      + "sets\(.showParameterSets) and the tree of boxes\(.showBox(path: nil)) show how far it can be read."
  ) { (context: RuleContext, findings: inout FindingSink) in
    findings.trackID = context.mainTrack.flatMap { $0.track.isRawStream ? nil : $0.track.id }
    for reason in context.readability.untold {
      findings.add(reason, path: context.mainTrack?.path ?? "", offset: context.mainTrack?.place?.offset)
    }
  }

  package static let mandatoryBoxes = Rule(
    "MV083", .error, "A mandatory box is missing",
    source: "ISO/IEC 14496-12, 6.2.3 (table 1)", for: .all, traits: [.hidesFaults, .fixedInBoxes],
    why: "Without headers, handler, data reference or sample description, a player does not know what the "
      + "track is, how long it lasts or where its samples are. It refuses the movie.",
    fix: "Mux the movie again: a player cannot guess the content of the missing box.",
    possibleCures: [.repair]
  ) { (context: RuleContext, findings: inout FindingSink) in
    // A compressed movie header and a reference movie of QuickTime have nothing else in moov.
    guard let moov = context.movie.tree?.first("moov"), moov.first("cmov") == nil, moov.first("rmra") == nil
    else { return }
    // Paths are made for findings alone: most files miss nothing.
    func ask(_ box: Box, _ path: () -> String) {
      for type in Rule.mandatoryTypes[box.type] ?? [] where box.first(type) == nil {
        // Where media are, and how long a movie of readable tracks is, follows from the rest.
        let isKnown = type == "dinf" || type == "dref" || type == "mvhd"
        findings.add(
          "'\(box.type)' has no '\(type)'", path: path(), offset: box.offset, wanted: "\(type)",
          cure: isKnown ? .repair : nil)
      }
      let children = box.children
      var steps = BoxPath.Steps(children)
      for index in children.indices
      where children[index].type != "moov" && Rule.mandatoryTypes[children[index].type] != nil {
        ask(children[index]) { "\(path())/\(steps[index])" }
      }
    }
    ask(moov) { "moov" }
  }

  /// The mandatory content of boxes. Sample tables are required by a rule of their own.
  fileprivate static let mandatoryTypes: [FourCC: [FourCC]] = [
    "moov": ["mvhd"], "trak": ["tkhd", "mdia"], "mdia": ["mdhd", "hdlr", "minf"], "minf": ["dinf", "stbl"],
    "dinf": ["dref"], "stbl": ["stsd"],
  ]

  package static let trackNumbers = Rule(
    "MV084", .error, "A track ID is 0 or used twice",
    source: "ISO/IEC 14496-12, 8.3.2.3", for: .all, traits: [.fixedInBoxes],
    why: "References and fragments identify tracks by track_ID. If it is 0 or used twice, they lead to the "
      + "wrong track or to none, and players refuse the movie.",
    fix: "Give each track a unique track_ID, from 1 on, and correct tref, trex and tfhd.",
    possibleCures: [.repair]
  ) { (context: RuleContext, findings: inout FindingSink) in
    var known: Set<UInt32> = []
    BoxPath.forEachSibling(context.movie.tree?.first("moov")?.children ?? []) { track, name, _ in
      guard track.type == "trak", let header = track.first("tkhd"),
        let id = header.payload(TrackHeaderBox.self)?.trackID
      else { return }
      let isNew = known.insert(id).inserted
      guard id == 0 || !isNew else { return }
      findings.trackID = id
      findings.add(
        id == 0 ? "track_ID is 0" : "another track also has track_ID \(id)", path: "moov/\(name)/tkhd",
        offset: header.offset, found: "\(id)", wanted: "a unique number",
        cure: context.isNamedNowhere(id) ? .repair : nil)
    }
  }

  package static let timescale = Rule(
    "MV085", .error, "A time scale is 0",
    source: "ISO/IEC 14496-12, 8.2.2 and 8.4.2", for: .all,
    why: "Times are counted in fractions of a second, and the time scale is the number of units per second. "
      + "If it is 0, no time has a meaning; players divide by it and give up.",
    fix: "Write the number of units per second in which the durations are counted."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let moov = context.movie.tree?.first("moov") else { return }
    func ask(_ header: Box?, _ timescale: UInt32?, _ path: String) {
      guard timescale == 0 else { return }
      findings.add("the time scale is 0", path: path, offset: header?.offset, found: "0", wanted: "1 or more")
    }
    ask(moov.first("mvhd"), moov.first(MovieHeaderBox.self)?.timescale, "moov/mvhd")
    BoxPath.forEachSibling(moov.children) { track, name, _ in
      guard track.type == "trak", let media = track.first("mdia") else { return }
      findings.trackID = track.first(TrackHeaderBox.self)?.trackID
      ask(media.first("mdhd"), media.first(MediaHeaderBox.self)?.timescale, "moov/\(name)/mdia/mdhd")
    }
  }

  package static let entryCount = Rule(
    "MV091", .warning, "A box declares more entries than it has",
    source: "ISO/IEC 14496-12, 8.5.2 and 8.7.2", for: [.iso], traits: [.fixedInBoxes],
    why: "Readers that rely on entry_count look for a sample description, or a data reference, past the end "
      + "of the box.",
    fix: "Write the actual number of entries.",
    cure: .repair
  ) { (context: RuleContext, findings: inout FindingSink) in
    for track in context.movie.tracks {
      findings.trackID = track.id
      let descriptions = track.box?["mdia/minf/stbl/stsd"], references = track.box?["mdia/minf/dinf/dref"]
      let lists: [(path: String, box: Box?, count: UInt32?)] = [
        ("mdia/minf/stbl/stsd", descriptions, descriptions?.payload(SampleDescriptionBox.self)?.entryCount),
        ("mdia/minf/dinf/dref", references, references?.payload(DataReferenceBox.self)?.entryCount),
      ]
      for (path, box, count) in lists {
        guard let box, let count, count > UInt32(clamping: box.children.count) else { continue }
        findings.add(
          "entry_count is \(count), but the box has \(box.children.count)", path: "\(track.path)/\(path)",
          offset: box.offset, found: "\(count)", wanted: "\(box.children.count)")
      }
    }
  }

  package static let fragmentOfNoTrack = Rule(
    "MV095", .error, "A fragment belongs to a track that the movie does not have",
    source: "ISO/IEC 14496-12, 8.8.7; RFC 8216, 3.3", for: .all,
    why: "The track_ID of a fragment must be that of a track in moov. Samples of any other track have no "
      + "description, and players drop them or refuse the movie.",
    fix: "Write the track_ID of the track that the samples belong to, or use the init segment that has the "
      + "track."
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let tree = context.movie.tree, tree.boxes.contains(where: { $0.type == "moof" }),
      let moov = tree.first("moov")
    else { return }
    let tracks = moov.children.lazy.filter { $0.type == "trak" }
    let known = Set(tracks.compactMap { $0.first(TrackHeaderBox.self)?.trackID })
    let wanted = known.sorted().prefix(8).map(String.init).joined(separator: ", ")
    for fault in context.fragmentFaults({ _, header, _ in
      known.contains(header.trackID) ? nil : "\(header.trackID)"
    }) {
      findings.add(
        "\(fault.subject), which is not in moov", path: fault.path + "/tfhd", offset: fault.headerOffset,
        found: fault.found, wanted: wanted)
    }
  }

  package static let secondBox = Rule(
    "MV096", .warning, "A box that is allowed only once is present twice",
    source: "ISO/IEC 14496-12, 6.2.3 (table 1)", for: [.iso], traits: [.fixedInBoxes],
    why: "If there are two movie boxes, or two headers of a track, some readers use the first and some the "
      + "last: the movie is not the same everywhere.",
    fix: "Remove the one that is wrong.",
    possibleCures: [.repair]
  ) { (context: RuleContext, findings: inout FindingSink) in
    guard let tree = context.movie.tree else { return }
    // By position, and with paths for findings alone: most files have no second box.
    func ask(_ boxes: [Box], _ types: Set<FourCC>, _ path: () -> String) {
      var seen: [(type: FourCC, first: Int, count: Int)] = []
      var steps = BoxPath.Steps(boxes)
      for index in boxes.indices {
        let type = boxes[index].type
        func place() -> String { path() + steps[index] }
        if types.contains(type) {
          if let known = seen.firstIndex(where: { $0.type == type }) {
            seen[known].count += 1
            if seen[known].count == 2 {
              findings.add(
                "there is a second '\(type)'", path: place(), offset: boxes[index].offset, wanted: "one",
                cure: boxes[index].isRepetition(of: boxes[seen[known].first]) ? .repair : nil)
            }
          } else {
            seen.append((type, index, 1))
          }
        }
        if let inner = Rule.singleTypes[type] { ask(boxes[index].children, inner) { place() + "/" } }
      }
    }
    ask(tree.boxes, ["moov"]) { "" }
  }

  /// The boxes that may be there once, by what they are in.
  package static let singleTypes: [FourCC: Set<FourCC>] = [
    "moov": ["mvhd", "mvex"], "trak": ["tkhd", "mdia"], "mdia": ["mdhd", "hdlr", "minf"],
    "minf": ["dinf", "stbl"], "stbl": ["stsd", "stts", "stsz", "stsc", "stco"],
  ]

  package static let referenceToNoTrack = Rule(
    "MV097", .error, "A track reference points to a track that is missing",
    source: "ISO/IEC 14496-12, 8.3.3; ISO/IEC 14496-15, 9.6 and A.3", for: [.spatial, .stereo, .hls, .iso],
    traits: [.fixedInBoxes],
    why: "A layer that depends on another track, or takes units from it, cannot be decoded without that "
      + "track. Programs that copy one of several tracks leave such references. For other reference types, "
      + "only the relationship is lost.",
    fix: "Copy the track with those it depends on, or remove the reference if nothing depends on it.",
    possibleCures: [.repair]
  ) { (context: RuleContext, findings: inout FindingSink) in
    let known = Set(context.movie.tracks.map(\.id))
    for track in context.movie.tracks {
      let boxes = track.box?.first("tref")?.children ?? []
      for ((type, ids), box) in zip(track.references, boxes) {
        let missing = ids.filter { !known.contains($0) }
        guard !missing.isEmpty else { continue }
        let isNeeded = type == "sbas" || type == "scal"
        let list = missing.listed { String($0) }
        findings.trackID = track.id
        findings.add(
          "\(type) names track \(list), which is missing",
          path: "\(track.path)/tref/\(type)", offset: box.offset,
          found: list, wanted: "a track of the movie",
          severity: isNeeded ? .error : .note, targets: isNeeded ? nil : [.iso],
          cure: isNeeded ? nil : .repair)
      }
    }
  }

  package static let referenceToItself = Rule(
    "MV122", .warning, "A track refers to itself as the one it depends on",
    source: "ISO/IEC 14496-12, 8.3.3; ISO/IEC 14496-15, 9.6; movies fragmented by GPAC", .observed,
    for: [.spatial, .stereo, .iso], traits: [.fixedInBoxes],
    why: "sbas, oref and scal name the track that this one depends on. If a track names itself, a reader "
      + "that follows the reference goes around in a circle, or treats the track as one of enhancement "
      + "layers alone.",
    fix: "Remove the reference: all layers are in the track.",
    possibleCures: [.repair]
  ) { (context: RuleContext, findings: inout FindingSink) in
    for track in context.movie.tracks {
      for ((type, ids), box) in zip(track.references, track.box?.first("tref")?.children ?? [])
      where ["sbas", "oref", "scal", "tbas"].contains(type) && ids.contains(track.id) {
        findings.trackID = track.id
        findings.add(
          "\(type) names the track itself", path: "\(track.path)/tref/\(type)", offset: box.offset,
          found: "\(track.id)", wanted: "another track", cure: .repair)
      }
    }
  }

  package static let limitReached = Rule(
    "MV100", .note, "Only part of the file was examined",
    source: "the limits of this library, which keep small files from causing much work; its rules, which use "
      + "the first sample description", .observed, for: .all,
    why: "A limit was reached before all relevant data was read, or samples use a sample description other "
      + "than the first. Intact files hardly ever come near a limit; usually boxes, samples or parameter "
      + "sets overlap.",
    fix:
      "Look at that place\(.showBox(path: nil)). Programs can raise some of the limits for files that they "
      + "know."
  ) { (context: RuleContext, findings: inout FindingSink) in
    for reason in context.readability.partial {
      findings.add(reason, path: context.mainTrack?.path ?? "", offset: context.mainTrack?.place?.offset)
    }
  }

  /// Broken where a verdict fails for what is missing, and no other rule reports it: the verdicts come last, so the report
  /// adds it.
  package static let purposeNotMet = Rule(
    "MV103", .error, "Two views or a projection are signalled, but part of what they need is missing",
    source:
      "ISO/IEC 14496-15, 9.6; ISO/IEC 14496-12, 8.3.3; Apple HEVC Stereo Video Interoperability Profile",
    .inferred, for: [.spatial, .stereo, .immersive, .hls],
    why: "Boxes or parameter sets signal two views or a projection, and part of what these need is missing: "
      + "a layer, or the track that held it.",
    fix: "Mux again from a source that has all of it, or remove the boxes that claim it: the movie is then "
      + "marked as the 2D video that it is."
  ) { (_: RuleContext, _: inout FindingSink) in }

  /// A finding where verdicts are bad and none of `findings` says why. What spatial video lacks beyond stereo, other rules warn of.
  static func unexplained(
    _ verdicts: [TargetVerdict], _ findings: [Finding], _ context: RuleContext
  ) -> [Finding] {
    let isTold = { (target: CheckTarget, byAny: Bool) in
      findings.contains { finding in
        finding.targets.contains(target)
          && (byAny || finding.severity == .error || finding.rule.traits.contains(.explainsVerdict))
      }
    }
    let isStereoBad = verdicts.contains { $0.target == .stereo && $0.outcome == .fail }
    let isStereoTold = !isStereoBad || isTold(.stereo, false)
    let bad = verdicts.filter { verdict in
      verdict.outcome == .fail && !isTold(verdict.target, verdict.target == .spatial && isStereoTold)
    }
    guard let first = bad.first else { return [] }
    var sink = FindingSink(purposeNotMet, limit: context.options.maximumFindingsPerRule)
    sink.trackID = context.mainTrack.flatMap { $0.track.isRawStream ? nil : $0.track.id }
    var reasons: [String] = []
    for verdict in bad { reasons += verdict.reasons.filter { !reasons.contains($0) } }
    sink.add(
      reasons.isEmpty ? first.words : reasons.joined(separator: "; "), path: context.mainTrack?.path ?? "",
      offset: context.mainTrack?.place?.offset)
    return sink.findings.map { finding in
      var finding = finding
      finding.targets = bad.map(\.target)
      return finding
    }
  }
}

extension FourCC {
  /// Whether a code names nothing: it has only zeros and spaces.
  package var isBlank: Bool {
    [24, 16, 8, 0].allSatisfy { (shift: UInt32) in [0, 0x20].contains(rawValue >> shift & 0xFF) }
  }

  /// Whether a brand is one of movies: of QuickTime, MP4, 3GPP, CMAF, DASH or Apple's and Adobe's variants.
  fileprivate static func isMovieBrand(_ brand: FourCC) -> Bool {
    movieFamilies.contains(FourCC(brand.rawValue & 0xFFFF_FF00 | 0x20))
  }

  /// Brands go by their first three characters; the last one stands for all. Among them are those of Motion JPEG
  /// 2000 (ISO/IEC 15444-3), of audiobooks, of cameras of Sony, Canon, Casio and Nikon, of memory cards, of
  /// Microsoft's streams and of broadcasters.
  private static let movieFamilies: Set<FourCC> = [
    "iso ", "mp4 ", "qt  ", "M4V ", "M4A ", "3gp ", "3g2 ", "avc ", "das ", "cmf ", "hvc ", "msd ", "f4v ",
    "mp7 ", "dby ", "XAV ", "pan ", "ccf ", "hlg ", "hev ", "hei ", "mif ", "msf ", "mia ", "avi ", "vvc ",
    "jpe ", "mjp ", "mj2 ", "jp2 ", "jpx ", "M4B ", "M4P ", "mqt ", "MSN ", "crx ", "CAE ", "caq ",
    "nik ", "NIK ", "sdv ", "pif ", "odc ", "opf ", "dmb ", "dmp ", "drc ", "dvr ", "dvt ", "isc ", "MFS ",
    "NDA ", "NDS ", "NDX ", "F4V ", "KDD ", "mmp ", "sda ", "SEA ", "SEB ", "sen ", "sim ", "uvv ", "LCA ",
    "lms ",
    "cwv ", "av0 ", "vp0 ", "ism ",
  ]
}
