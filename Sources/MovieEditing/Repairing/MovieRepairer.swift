// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
public import Multiview

/// Repairs what other tools broke in a movie of layered HEVC: samples that hold single layers, parameter sets that are missing
/// from the sample entry or are in the wrong record, pictures in the order of decoding instead of that of presentation.
///
/// ```swift
/// let repairer = try MovieRepairer(MovieFile(path: "remuxed.mp4"))
/// for step in try repairer.plannedReport().steps { print(step.name, step.new) }
/// try repairer.write(to: "repaired.mp4")
/// ```
///
/// What the movie itself has is put in its place. What is gone comes from ``donor``, where that fits. A movie that has none of
/// these faults is not changed.
public struct MovieRepairer {
  /// The movie as it is.
  public let movie: MovieFile
  /// A movie or a stream of the same kind, to take parameter sets and tags from.
  public var donor: MovieFile?
  /// How many pictures there are in a second, where samples must be put together and the stream does not say it.
  public var frameRate: FrameRate?
  private let track: Track
  private let trackPath: BoxPath

  /// The rules that a repair can fulfil.
  private static let rules: Set<RuleID> = [
    "MV005", "MV006", "MV007", "MV013", "MV014", "MV015", "MV016", "MV054", "MV094", "MV101",
  ]

  /// Looks at a movie that is open.
  public init(_ movie: MovieFile) throws(EditError) {
    guard movie.tree != nil else {
      throw .refused("is a raw HEVC stream", advice: "mvedit mux makes a movie of it.")
    }
    guard let track = movie.tracks.first(where: { $0.isHEVC }), let path = BoxPath(track.path),
      movie.tree?[path] != nil
    else { throw .refused("there is no HEVC track in the movie", advice: "Other codecs have no layers.") }
    self.movie = movie
    self.track = track
    trackPath = path
  }

  /// Says what would be changed, without writing anything.
  public func plannedReport() throws(EditError) -> RepairReport {
    guard let plan = try self.plan() else { return RepairReport() }
    let editor = try plan.rewritesMedia ? rebuilt(plan, in: DraftOutput()).editor : edited(plan)
    return makeReport(plan, editor)
  }

  /// Writes the repaired movie to a new file, which appears when it is complete and was verified, or not at all. A movie that
  /// needs no repair is copied.
  @discardableResult
  public func write(
    to path: String, options: MovieWriteOptions = MovieWriteOptions()
  ) throws(EditError) -> RepairReport {
    var outputOptions = SafeOutput.Options()
    outputOptions.isOverwriting = options.isOverwriting
    if options.keepsDates { outputOptions.datesAndPermissions = movie.source.files.first?.identity }
    let inputs = [movie.source] + [donor?.source].compactMap { $0 }
    func begin(_ path: String) throws(EditError) -> SafeOutput {
      do { return try SafeOutput(path: path, inputs: inputs, options: outputOptions) } catch {
        throw EditError(.failed, error)
      }
    }
    let plan = try self.plan()
    let output = try begin(path)
    guard let plan else {
      var report = RepairReport()
      report.written = try MovieEditor(movie).write(to: output, options)
      return report
    }
    guard plan.rewritesMedia else {
      let editor = try edited(plan)
      var report = makeReport(plan, editor)
      report.written = try editor.write(to: output, options)
      return report
    }
    guard isMovieFirst || options.putsMovieFirst else {
      let (editor, moov) = try rebuilt(plan, in: output)
      var report = makeReport(plan, editor)
      do {
        try output.write(ByteView(try moov.encoded()))
        try output.finish { source throws(SourceError) in try editor.verify(source) }
      } catch let error as SourceError { throw EditError(.failed, error) } catch {
        throw EditError(.failed, "\(error)")
      }
      report.written = MovieWriteReport(size: output.position, bytesWritten: output.position)
      return report
    }
    outputOptions.isOverwriting = true
    let scratch = try begin(path + ".media")
    defer { scratch.cancel() }
    let (first, moov) = try rebuilt(plan, in: scratch)
    var report = makeReport(plan, first)
    let draft: MovieFile
    do {
      try scratch.write(ByteView(try moov.encoded()))
      draft = try MovieFile(source: try scratch.reader(), limits: movie.limits)
    } catch let error as SourceError { throw EditError(.failed, error) } catch {
      throw EditError(.failed, "\(error)")
    }
    var firstOptions = MovieWriteOptions()
    firstOptions.putsMovieFirst = true
    report.written = try MovieEditor(draft).write(to: output, firstOptions)
    return report
  }

  private func makeReport(_ plan: RepairPlan, _ editor: MovieEditor) -> RepairReport {
    var report = RepairReport()
    report.steps = plan.steps
    report.changes = editor.changes
    return report
  }

  /// Whether the boxes that describe the movie come before its media data.
  private var isMovieFirst: Bool {
    let boxes = movie.tree?.boxes ?? []
    guard let moov = boxes.firstIndex(where: { $0.type == "moov" }),
      let media = boxes.firstIndex(where: { $0.type == "mdat" })
    else { return false }
    return moov < media
  }

  // MARK: What is wrong

  /// What is to be done; `nil` where nothing is.
  private func plan() throws(EditError) -> RepairPlan? {
    let findings = movie.check().findings
    // A copy of what was cut off would be as broken, whatever else was put right.
    if let cut = findings.first(where: { $0.rule.id == "MV058" && $0.severity == .error }) {
      throw .refused(cut.message, advice: "Nothing can bring them back. Get the whole file.")
    }
    let found = findings.filter {
      ($0.trackID == nil || $0.trackID == track.id) && $0.severity == .error
    }
    // A record that cannot be read is one that lacks everything.
    let isRecordDamaged = found.contains { $0.path.hasSuffix("/hvcC") && $0.rule.id == "MV002" }
    let broken = Set(found.map(\.rule.id)).intersection(Self.rules)
    let wantsTags = donorHasTags() && movieLacksTags()
    guard !broken.isEmpty || isRecordDamaged || wantsTags else { return nil }
    let own = track.formatDescriptions.flatMap(\.configurationUnits).map(\.unit)
    var added: [NALUnit] = []
    if let donor {
      var inSamples: [NALUnit] = []
      if own.isEmpty { inSamples = try setsOfFirstSample() }
      added = try RepairDonor(donor).missing(from: own + inSamples)
      if !added.isEmpty { try RepairDonor.test(track, of: movie, with: added) }
    }
    let count: Int
    do { count = try track.samples().count } catch { throw EditError(.unreadable, error) }
    var plan = RepairPlan(added: added)
    plan.copiesTags = wantsTags
    let session: MuxSession
    do throws(EditError) {
      var first = MuxSession(
        try TrackUnitReader(track, of: movie, adding: added), options: MuxOptions(), copies: [],
        output: DraftOutput(), limits: movie.limits, timing: (600, 1))
      try first.run()
      session = first
    } catch {
      guard error.kind == .refused, donor == nil else { throw error }
      throw .refused(
        error.reason, advice: "Give the original, a movie of the same camera or the stream with --from.")
    }
    guard let times = session.times else { return nil }
    try compare(session, times, count: count, broken: broken, &plan)
    guard !plan.steps.isEmpty || wantsTags || broken.contains("MV016") else {
      let left = broken.sorted { "\($0)" < "\($1)" }.map { "\($0)" }.joined(separator: ", ")
      throw .refused("what is wrong (\(left)) is not something that this repairs")
    }
    plan.setsEyes = broken.contains("MV016") || broken.contains("MV014") || plan.rewritesMedia
    return plan
  }

  private func donorHasTags() -> Bool {
    donor?.tracks.contains { $0.formatDescriptions.contains { !StereoTags($0.stereo).isEmpty } } ?? false
  }

  private func movieLacksTags() -> Bool {
    track.formatDescriptions.allSatisfy { StereoTags($0.stereo).isEmpty }
  }

  private func setsOfFirstSample() throws(EditError) -> [NALUnit] {
    var reader = try TrackUnitReader(track, of: movie, adding: [])
    var sets: [NALUnit] = []
    while let unit = try reader.nextUnit(), !unit.type.isVideoCodingLayer {
      if unit.type.isParameterSet { sets.append(unit) }
    }
    return sets
  }

  /// Compares what the track has with what its units say, and plans what differs.
  private func compare(
    _ session: MuxSession, _ times: PictureTimes, count: Int, broken: Set<RuleID>, _ plan: inout RepairPlan
  ) throws(EditError) {
    let table = track.path + "/mdia/minf/stbl"
    func step(_ rule: RuleID?, _ place: String, _ name: String, _ old: String, _ new: String) {
      plan.steps.append(
        RepairStep(rule: rule, trackID: track.id, place: place, name: name, old: old, new: new))
    }
    if times.count != count {
      step("MV013", table, "samples that hold single layers", "\(count) samples", "\(times.count) samples")
      plan.rewritesMedia = true
    } else if try !isInOrder(times) {
      step(
        "MV054", table + "/ctts", "composition times", "not those of the order of output", "by picture order")
      plan.rewritesMedia = true
    }
    let inSamples = (session.reader as? TrackUnitReader)?.setsInSamples ?? 0
    for (index, description) in track.formatDescriptions.enumerated() where index < session.descriptions.count
    {
      let new = session.descriptions[index]
      let units = description.configurationUnits.map(\.unit)
      let base = description.box.first("hvcC")
      let place = description.path
      let wanted = new.sets.map(\.unit)
      let missingBase = wanted.filter { $0.layerID == 0 && !units.contains($0) }
      let inBase = (base?.payload(HEVCConfigurationBox.self)?.record.nalUnits ?? []).filter { $0.layerID > 0 }
      let missingLayers = wanted.filter { $0.layerID > 0 && (!units.contains($0) || inBase.contains($0)) }
      if !missingBase.isEmpty {
        step(
          "MV006", place + "/hvcC", "parameter sets of the base layer",
          "\(units.count { $0.layerID == 0 && $0.type.isParameterSet })",
          "\(wanted.count { $0.layerID == 0 })")
      }
      if !inBase.isEmpty {
        step(
          "MV007", place + "/hvcC", "parameter sets of other layers in the record of the base layer",
          "\(inBase.count)", "0")
      }
      if description.box.first("lhvC") == nil, wanted.contains(where: { $0.layerID > 0 }) {
        step(
          "MV014", place + "/lhvC", "record of the other layers", "absent",
          "\(wanted.count { $0.layerID > 0 }) parameter sets")
      } else if !missingLayers.isEmpty {
        step(
          "MV094", place + "/lhvC", "parameter sets of other layers",
          "\(wanted.count { $0.layerID > 0 } - missingLayers.count)", "\(wanted.count { $0.layerID > 0 })")
      }
      if description.sampleEntryType == "hev1", broken.contains("MV005") {
        step("MV005", place, "type of the sample entry", "hev1", "hvc1")
        plan.rewritesMedia = true
      }
    }
    if session.descriptions.count != track.formatDescriptions.count, !plan.steps.isEmpty {
      plan.rewritesMedia = true
    }
    if inSamples > 0, !plan.steps.isEmpty {
      step(nil, table, "parameter sets in samples", "\(inSamples)", "0")
      plan.rewritesMedia = true
    }
    plan.timing = plan.rewritesMedia ? try timing(isSplit: times.count != count) : nil
  }

  /// Whether the samples are presented in the order of output.
  private func isInOrder(_ times: PictureTimes) throws(EditError) -> Bool {
    let samples: TrackSamples
    var shifts: [Int64] = []
    do {
      samples = try track.samples()
      let offsets = try times.table.boxes().first { $0.type == "ctts" }?.payload(CompositionOffsetBox.self)
      for entry in offsets?.entries ?? PackedTable() {
        shifts += [Int64](repeating: Int64(entry.sampleOffset), count: Int(clamping: entry.sampleCount))
      }
    } catch let error as SourceError { throw EditError(.unreadable, error) } catch {
      throw .refused("\(error)")
    }
    // The place of each sample in presentation is its place in decoding and its shift.
    var order = [Int](repeating: 0, count: samples.count)
    for index in order.indices {
      let place = index + Int(shifts.isEmpty ? 0 : shifts[index])
      guard order.indices.contains(place) else { return false }
      order[place] = index
    }
    var last: Int64?
    for index in order {
      let time = samples.compositionTime(at: index)
      if let last, time <= last { return false }
      last = time
    }
    return true
  }

  /// How long samples last where the media are written anew; `nil` for what the stream says.
  private func timing(isSplit: Bool) throws(EditError) -> (timescale: UInt32, duration: Int64)? {
    let samples: TrackSamples
    do { samples = try track.samples() } catch { throw EditError(.unreadable, error) }
    var counts: [Int64: Int] = [:]
    for sample in samples { counts[sample.duration, default: 0] += 1 }
    guard let common = counts.max(by: { $0.value < $1.value }), common.key > 0,
      samples.count - common.value <= 2, let duration = Int32(exactly: common.key)
    else {
      throw .refused(
        "the samples of track \(track.id) last differently, so that their times cannot be given to the right pictures"
      )
    }
    // Two samples became one: the movie no longer says how long a picture lasted.
    if isSplit, frameRate != nil || streamNamesRate { return nil }
    return (track.timescale, Int64(duration))
  }

  /// Whether the stream names a rate.
  private var streamNamesRate: Bool {
    let units = track.formatDescriptions.flatMap(\.configurationUnits).map(\.unit)
    var store = ParameterSetStore(limits: movie.limits)
    do { for unit in units.isEmpty ? try setsOfFirstSample() : units { store.insert(unit) } } catch {
      return false
    }
    return store.sequenceParameterSets.contains { $0.unit.layerID == 0 && $0.content.pictureRate != nil }
      || store.videoParameterSets.contains { $0.content.pictureRate != nil }
  }

  // MARK: How it is repaired

  /// The movie with other boxes, and all media data where they are.
  private func edited(_ plan: RepairPlan) throws(EditError) -> MovieEditor {
    guard var tree = movie.tree else { throw .refused("there are no boxes") }
    var reader = MuxSession(
      try TrackUnitReader(track, of: movie, adding: plan.added), options: MuxOptions(), copies: [],
      output: DraftOutput(), limits: movie.limits, timing: (600, 1))
    try reader.run()
    do {
      for (index, description) in track.formatDescriptions.enumerated()
      where index < reader.descriptions.count && !plan.steps.isEmpty {
        guard let path = BoxPath(description.path) else { continue }
        let new = reader.descriptions[index]
        let entry = try Self.entry(description.box, new, keepsLengths: true)
        try tree.edit(path) { (box: inout Box) throws(ParseError) in box = entry }
      }
      var editor = try MovieEditor(try MovieFile(edited: tree))
      try setTags(plan, &editor)
      return editor
    } catch let error as EditError { throw error } catch { throw .refused("\(error)") }
  }

  private func setTags(_ plan: RepairPlan, _ editor: inout MovieEditor) throws(EditError) {
    guard let index = editor.tracks.firstIndex(where: { $0.id == track.id }) else { return }
    if plan.copiesTags, let donor {
      try editor.copyTags(from: donor)
    } else if plan.setsEyes, editor.tracks[index].eyeLayerCount > 1, editor.tracks[index].stereo.isEmpty {
      editor.tracks[index].stereo.eyes = [.leftEye, .rightEye]
    }
  }

  /// A sample entry with records that have all parameter sets, and everything else as it was.
  private static func entry(_ old: Box, _ new: StreamDescription, keepsLengths: Bool = false) throws -> Box {
    var base = try new.baseRecord()
    var layered = try new.layeredRecord()
    let known = old.first("hvcC")
    if let record = known?.payload(HEVCConfigurationBox.self)?.record, !record.arrays.isEmpty {
      // What the record says besides stays.
      let arrays = base.arrays
      base = record
      // What is written anew has lengths of four bytes.
      if !keepsLengths { base.lengthSizeMinusOne = 3 }
      layered?.lengthSizeMinusOne = base.lengthSizeMinusOne
      base.arrays = arrays
    }
    var children = old.children.filter { $0.type != "hvcC" && $0.type != "lhvC" }
    let place = old.children.firstIndex { $0.type == "hvcC" } ?? 0
    var records = [Box("hvcC", HEVCConfigurationBox(base), in: .visualSampleEntry, registry: .standard)]
    if let layered {
      records.append(Box("lhvC", LHEVCConfigurationBox(layered), in: .visualSampleEntry, registry: .standard))
    }
    children.insert(contentsOf: records, at: min(place, children.count))
    guard old.type == "hev1" else {
      var entry = old
      entry.children = children
      return entry
    }
    guard let payload = old.payload(VisualSampleEntry.self) else {
      throw EditError.refused("the sample entry cannot be read")
    }
    return Box("hvc1", payload, children: children, in: .visualSampleDescription, registry: .standard)
  }

  /// Writes the samples anew, and makes the boxes that describe them; everything else is as it was.
  private func rebuilt(
    _ plan: RepairPlan, in output: any MediaOutput
  ) throws(EditError) -> (editor: MovieEditor, moov: Box) {
    guard let tree = movie.tree, let old = tree.first("moov"), !movie.container.isFragmented else {
      throw .refused(
        "the movie is in fragments, whose samples are not written anew",
        advice: "Make an ordinary movie of it first.")
    }
    try movie.checkPlaces()
    guard let header = old.first(MovieHeaderBox.self), header.timescale > 0 else {
      throw .refused("the header of the movie cannot be read")
    }
    var copies: [CopiedTrack] = []
    for other in movie.tracks where other.id != track.id { copies.append(try CopiedTrack(other, of: movie)) }
    let brand = tree.isQuickTime ? MuxOptions.Brand.mov : .mp4
    var options = MuxOptions()
    options.brand = brand
    options.frameRate = frameRate
    var session = MuxSession(
      try TrackUnitReader(track, of: movie, adding: plan.added), options: options, copies: copies,
      output: output, limits: movie.limits, timing: plan.timing)
    do {
      for box in tree.boxes where !["moov", "mdat", "wide", "free", "skip"].contains(box.type) {
        try output.write(try movie.source.read(UInt64(box.offset)..<UInt64(box.fileRange.upperBound)))
      }
      let start = output.position
      try output.writePiece(MuxedMovie.mediaHeader(brand, count: 0))
      try session.run()
      try output.replacePiece(
        at: start, with: MuxedMovie.mediaHeader(brand, count: output.position - start - 16))
      let moov = try self.moov(old, header, session, brand)
      let whole = try ConcatenatedBytes([try output.soFar(), MemoryBytes(ByteView(try moov.encoded()))])
      var editor = try MovieEditor(try MovieFile(source: whole, limits: movie.limits))
      try setTags(plan, &editor)
      guard let edited = try editor.editedTree().first("moov") else {
        throw EditError.lacksMovie
      }
      return (editor, edited)
    } catch let error as EditError { throw error } catch let error as SourceError {
      throw EditError(.failed, error)
    } catch { throw .refused("\(error)") }
  }

  private func moov(
    _ old: Box, _ header: MovieHeaderBox, _ session: MuxSession, _ brand: MuxOptions.Brand
  ) throws -> Box {
    guard let times = session.times else { throw EditError.refused("there are no pictures") }
    var moov = old
    let ids = Dictionary(uniqueKeysWithValues: Set(movie.tracks.map(\.id)).map { ($0, $0) })
    let traks = moov.children.indices.filter { moov.children[$0].type == "trak" }
    guard traks.count == movie.tracks.count, ids.count == traks.count else {
      throw EditError.refused("not all tracks of the movie can be told apart")
    }
    let media = UInt64(clamping: times.table.decodeEndTime)
    let hidden = UInt64(times.hiddenAtStart) &* UInt64(clamping: times.duration)
    let scale = UInt64(max(1, session.timescale))
    let scaled = (media - min(hidden, media)).multipliedFullWidth(by: UInt64(header.timescale))
    guard scaled.high < scale else { throw EditError.refused("the movie is too long for its timescale") }
    let (whole, rest) = scale.dividingFullWidth(scaled)
    let duration = rest > scale / 2 ? whole &+ 1 : whole
    var longest = duration
    for (index, place) in traks.enumerated() {
      let other = movie.tracks[index]
      if other.id == track.id {
        moov.children[place] = try video(
          moov.children[place], session, times, brand, media: media, duration: duration, start: hidden)
      } else if let copy = session.copies.first(where: { $0.track.id == other.id }) {
        moov.children[place] = try copy.trackBox(id: other.id, timescale: header.timescale, ids: ids)
        longest = max(longest, try copy.duration(in: header.timescale))
      }
    }
    if let place = moov.children.firstIndex(where: { $0.type == "mvhd" }) {
      try moov.children[place].edit(MovieHeaderBox.self) { $0.duration = longest }
    }
    return moov
  }

  /// The track with the samples that were written.
  private func video(
    _ old: Box, _ session: MuxSession, _ times: PictureTimes, _ brand: MuxOptions.Brand, media: UInt64,
    duration: UInt64, start: UInt64
  ) throws -> Box {
    var trak = old
    var edits = EditListBox()
    edits.entries = [.init(editDuration: duration, mediaTime: Int64(clamping: start))]
    edits.version = duration > UInt64(UInt32.max) ? 1 : 0
    let list = Box("edts", nil, children: [Box("elst", edits, registry: .standard)], registry: .standard)
    if let place = trak.children.firstIndex(where: { $0.type == "edts" }) {
      trak.children[place] = list
    } else {
      let place = trak.children.firstIndex { $0.type == "mdia" } ?? 0
      trak.children.insert(list, at: place)
    }
    guard let mdia = trak.children.firstIndex(where: { $0.type == "mdia" }),
      let minf = trak.children[mdia].children.firstIndex(where: { $0.type == "minf" }),
      let stbl = trak.children[mdia].children[minf].children.firstIndex(where: { $0.type == "stbl" })
    else { throw EditError.refused("the track has no sample table") }
    for index in trak.children.indices where trak.children[index].type == "tkhd" {
      try trak.children[index].edit(TrackHeaderBox.self) { $0.duration = duration }
    }
    for index in trak.children[mdia].children.indices
    where trak.children[mdia].children[index].type == "mdhd" {
      try trak.children[mdia].children[index].edit(MediaHeaderBox.self) { header in
        header.timescale = session.timescale
        header.duration = media
      }
    }
    let tables = trak.children[mdia].children[minf].children[stbl]
    var entries: [Box] = []
    for (index, description) in session.descriptions.enumerated() {
      let known = track.formatDescriptions
      entries.append(
        index < known.count
          ? try Self.entry(known[index].box, description)
          : try description.entry(isQuickTime: brand == .mov))
    }
    let oldCount = try track.samples().count
    let isSplit = oldCount != times.count
    // Groups that hold for all samples, or for samples that stay what they are.
    let groups = tables.children.filter { box in
      guard box.type == "sgpd" || box.type == "sbgp", !isSplit else { return false }
      let type =
        box.type == "sgpd"
        ? box.payload(SampleGroupDescriptionBox.self)?.groupingType
        : box.payload(SampleToGroupBox.self)?.groupingType
      return type != "sync" && type != "rap "
    }
    trak.children[mdia].children[minf].children[stbl].children =
      [Box("stsd", SampleDescriptionBox(), children: entries, registry: .standard)]
      + (try times.groupBoxes()) + groups + (try times.table.boxes())
    return trak
  }
}

/// What a repair does.
struct RepairPlan {
  /// Parameter sets that the movie lacks.
  var added: [NALUnit]
  /// What is changed.
  var steps: [RepairStep] = []
  /// Whether samples are written anew.
  var rewritesMedia = false
  /// How long a sample lasts where they are; `nil` for what the stream says.
  var timing: (timescale: UInt32, duration: Int64)?
  /// Whether the tags of the donor are copied.
  var copiesTags = false
  /// Whether the track is said to be for both eyes, where it has no tags.
  var setsEyes = false
}
