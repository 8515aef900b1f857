// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// The differences between the NAL units of an HEVC track and its boxes, and their repair.
struct TrackRepair {
  /// The movie, with the boxes that are repaired so far.
  let movie: MovieFile
  let track: Track
  /// Parameter sets that the movie lacks.
  let added: [NALUnit]
  /// The rules that the track breaks.
  let broken: Set<Rule>
  /// The changes.
  private(set) var steps: [RepairStep] = []
  /// Whether samples are rewritten.
  private(set) var rewritesMedia = false
  /// Whether samples get other composition times, and stay where they are.
  private(set) var rewritesTimes = false
  /// Whether rewritten samples are the same access units at the same times, so that all tables but those of their places
  /// and sizes are right.
  private(set) var keepsTimes = false
  /// Whether CRA pictures are sync samples even if their leading pictures need earlier ones, as they were.
  private(set) var listsOpenAccessPoints = false
  /// The edit list, if samples get other times.
  private(set) var edits: RepairedEdits?
  /// The duration of a sample, if samples are rewritten.
  private(set) var timing: (timescale: UInt32, duration: Int64)?
  /// The sample entries that follow from the units.
  private(set) var descriptions: [StreamDescription] = []
  /// The presentation times that follow from the units, in units of a sample.
  private(set) var times: PictureTimes?
  /// The width of lengths in samples, if it differs from that in the record.
  private(set) var lengthSize: Int?
  /// The types that sample entries get, by their paths; empty if all keep theirs.
  private(set) var newTypes: [String: FourCC] = [:]
  /// The messages of the donor that go into the records of sample entries, by the paths of the entries.
  private(set) var restoredMessages: [String: [NALUnit]] = [:]
  /// The number of pictures per second that the caller gives; `nil` if none is given.
  private let frameRate: FrameRate?
  let donor: RepairDonor?

  private var tablePath: String { track.path + "/mdia/minf/stbl" }

  /// Compares the units of a track with its boxes; `nil` if nothing differs.
  init?(
    _ track: Track, of movie: MovieFile, broken: Set<Rule>, donor: RepairDonor?, frameRate: FrameRate?
  ) throws(EditError) {
    self.movie = movie
    self.track = track
    self.broken = broken
    self.frameRate = frameRate
    self.donor = donor
    if let donor {
      let missing = try donor.missing(from: try Self.ownSets(of: track, movie))
      let found = missing.isEmpty ? [] : try RepairDonor.test(track, of: movie, with: missing)
      // A layer without pictures is not configured. It may be in another track.
      added = found.isEmpty ? missing : missing.filter { $0.layerID <= found.max() ?? 0 }
    } else {
      added = []
    }
    let count = try reading(track.samples().count)
    if count == 0 {
      try restoreWithoutSamples(donor)
    } else {
      do throws(EditError) {
        try look(count: count)
      } catch {
        guard error.isRefusal, donor == nil else { throw error }
        var error = error
        error.advice = "Give the original, a movie of the same camera, or the stream\(.nameOriginal)."
        throw error
      }
    }
    let setsEyes = broken.contains(.viewsNotSignalled) || broken.contains(.layerNotConfigured)
    guard !steps.isEmpty || setsEyes else { return nil }
  }

  /// Returns the same repair in a movie whose other boxes have changed.
  func again(in movie: MovieFile) throws(EditError) -> TrackRepair? {
    guard let track = movie.tracks.first(where: { $0.id == track.id }) else { return nil }
    return try TrackRepair(track, of: movie, broken: broken, donor: donor, frameRate: frameRate)
  }

  /// Returns a session that reads the track.
  func session(
    _ options: MuxOptions, copies: [CopiedTrack], output: any MediaOutput
  ) throws(EditError) -> MuxSession {
    MuxSession(
      try TrackUnitReader(track, of: movie, adding: added), options: options, copies: copies, output: output,
      timing: timing)
  }

  private mutating func step(_ rule: Rule?, _ place: String, _ name: String, _ old: String, _ new: String) {
    steps.append(RepairStep(place, name, old: old, new: new, rule: rule, track: track.id))
  }

  // MARK: Comparison with the units

  private mutating func look(count: Int) throws(EditError) {
    var options = MuxOptions()
    options.allowsLostPictures = true
    var session = MuxSession(
      try TrackUnitReader(track, of: movie, adding: added), options: options, copies: [],
      output: DraftOutput(), timing: (600, 1))
    try session.run()
    guard let times = session.times, let reader = session.reader as? TrackUnitReader else { return }
    descriptions = session.descriptions
    self.times = times
    listsOpenAccessPoints = reader.listsOpenAccessPoints
    let isSplit = times.count != count
    var isOutOfOrder = false
    if isSplit {
      step(
        .layerInSomeSamples, tablePath, "samples with a single layer", "\(count) samples",
        "\(times.count) samples")
      rewritesMedia = true
    } else if try !isInOrder(times) {
      isOutOfOrder = true
      step(
        .displayOrder, tablePath + "/ctts", "composition times", "not in output order",
        "by picture order")
      if movie.container.isFragmented || !hasOneDuration {
        rewritesMedia = true
      } else {
        rewritesTimes = true
      }
    }
    compareFraming(reader)
    compareEntries(setsInSamples: reader.setsInSamples)
    // If sets change within the samples of an entry, further entries are needed.
    if Set(descriptions.map(\.entry)).count < descriptions.count, !steps.isEmpty { rewritesMedia = true }
    compareMessages()
    if rewritesMedia, !isSplit, !isOutOfOrder {
      keepsTimes = true
      timing = try averageTiming(count: count)
    } else if rewritesMedia {
      rewritesTimes = false
      try chooseTiming(isSplit: isSplit)
    }
    try compareEdits(times)
    if rewritesMedia { try compareTables(isSplit: isSplit) }
  }

  /// The average duration of samples, which chunks are made by if samples keep their times.
  private func averageTiming(count: Int) throws(EditError) -> (timescale: UInt32, duration: Int64) {
    let samples = try reading(track.samples())
    let average = (samples.endTime &- samples.startTime) / Int64(max(1, count))
    return (max(1, track.timescale), min(Int64(Int32.max), max(1, average)))
  }

  /// Reports what else changes with rewritten samples: sync samples at which decoding cannot begin, and tables about parts of
  /// samples, whose sizes are others then.
  private mutating func compareTables(isSplit: Bool) throws(EditError) {
    let stbl = track.box?["mdia/minf/stbl"]
    for box in stbl?.children ?? [] where Self.isAboutParts(box.type) {
      step(nil, tablePath + "/\(box.type)", "table of parts of samples", "present", "removed")
    }
    for box in stbl?.children ?? [] where isSplit {
      let role = SampleTableRole(box.type)
      guard role == nil || role == .priorities || role == .filler else { continue }
      step(nil, tablePath + "/\(box.type)", "table of the samples of single layers", "present", "removed")
    }
    guard !isSplit, try !keepsSyncSamples() else { return }
    let old = try reading(track.samples()).count { $0.isSync }
    let new = (times?.table.syncSampleCount ?? 0) + (listsOpenAccessPoints ? times?.openAccessPoints ?? 0 : 0)
    if old != new { step(nil, tablePath + "/stss", "sync samples", "\(old)", "\(new)") }
  }

  /// Whether a table has sizes of parts of samples, or places of data about them.
  static func isAboutParts(_ type: FourCC) -> Bool {
    let role = SampleTableRole(type)
    return role == .subSamples || role == .auxiliary
  }

  /// Whether decoding can begin at all samples that are sync samples, if all samples are those that they were.
  func keepsSyncSamples() throws(EditError) -> Bool {
    guard let times else { return false }
    return times.includesSyncSamples(try reading(track.samples()))
  }

  /// Adapts the edit list if samples get other times.
  private mutating func compareEdits(_ times: PictureTimes) throws(EditError) {
    guard rewritesMedia && !keepsTimes || rewritesTimes else { return }
    let samples = try reading(track.samples())
    let (timescale, duration) = timing ?? (track.timescale, samples.sample(at: 0)?.duration ?? 1)
    let decoded = Int(clamping: -times.table.leastCompositionOffset / max(1, times.duration))
    let allowed = descriptions.flatMap { $0.base?.subLayerOrdering ?? [] }.map { Int($0.maxNumReorderPics) }
      .max()
    let edits = try RepairedEdits(
      track, of: movie, samples, times, timescale: timescale, duration: duration,
      reordering: decoded > 0 ? max(decoded, allowed ?? 0) : 0)
    self.edits = edits
    if edits.old != edits.new { step(nil, track.path + "/edts/elst", "edit list", edits.old, edits.new) }
  }

  private mutating func compareFraming(_ reader: TrackUnitReader) {
    if reader.hasStartCodes {
      step(.sampleFraming, tablePath, "units in samples", "after start codes", "after their lengths")
      rewritesMedia = true
    } else if let size = reader.otherLengthSize {
      lengthSize = size
      step(.sampleFraming, track.path, "width of lengths", "\(track.lengthSize)", "\(size)")
    }
    if broken.contains(.lengthSizeThree), track.lengthSize == 3 {
      step(.lengthSizeThree, track.path, "width of lengths", "3", "4")
      rewritesMedia = true
    }
    if reader.reordered > 0 {
      step(.layerOrder, tablePath, "samples with layers in the wrong order", "\(reader.reordered)", "0")
      rewritesMedia = true
    }
  }

  /// Returns the description that follows from the samples of an entry; `nil` if it has none.
  func description(ofEntry index: Int) -> StreamDescription? { descriptions.first { $0.entry == index } }

  private mutating func compareEntries(setsInSamples: Int) {
    for (index, description) in track.formatDescriptions.enumerated() {
      guard let new = self.description(ofEntry: index) else { continue }
      let units = description.configurationUnits.map(\.unit)
      let base = description.hevcConfiguration
      let place = description.path
      let wanted = new.sets.map(\.unit)
      let missingBase = wanted.filter { $0.layerID == 0 && !units.contains($0) }
      let inBase = (base?.nalUnits ?? []).filter { $0.layerID > 0 }
      let inLayers = description.layeredConfiguration?.nalUnits ?? []
      let missingLayers = wanted.filter {
        $0.layerID > 0 && (!units.contains($0) || inBase.contains($0) && !inLayers.contains($0))
      }
      if !missingBase.isEmpty {
        step(
          .recordLacksParameterSets, place + "/hvcC", "parameter sets of the base layer",
          "\(units.count { $0.layerID == 0 && $0.type.isParameterSet })",
          "\(wanted.count { $0.layerID == 0 })")
      }
      if !inBase.isEmpty {
        step(
          .enhancementSetsInBaseRecord, place + "/hvcC",
          "parameter sets of other layers in the record of the base layer",
          "\(inBase.count)", "0")
      }
      if description.box.first("lhvC") == nil, wanted.contains(where: { $0.layerID > 0 }) {
        step(
          .layerNotConfigured, place + "/lhvC", "record of the other layers", "absent",
          "\(wanted.count { $0.layerID > 0 }) parameter sets")
      } else if !missingLayers.isEmpty {
        step(
          .layerSetsAbsent, place + "/lhvC", "parameter sets of other layers",
          "\(wanted.count { $0.layerID > 0 } - missingLayers.count)", "\(wanted.count { $0.layerID > 0 })")
      }
      restoreMessages(of: description, new)
      if let type = Self.betterType(of: description),
        !broken.isDisjoint(with: [.sampleEntryType, .streamingSampleEntry, .enhancementAlone])
      {
        let rule: Rule =
          broken.contains(.enhancementAlone)
          ? .enhancementAlone : broken.contains(.sampleEntryType) ? .sampleEntryType : .streamingSampleEntry
        step(rule, place, "type of the sample entry", "\(description.sampleEntryType)", "\(type)")
        newTypes[place] = type
      }
      let open = [base?.arrays ?? [], description.layeredConfiguration?.arrays ?? []].joined().count {
        !$0.arrayCompleteness && $0.nalUnitType.isParameterSet
      }
      if open > 0, broken.contains(.arrayIncomplete) {
        step(.arrayIncomplete, place, "arrays that may have more sets in samples", "\(open)", "0")
      }
    }
    if broken.contains(.messagesInRecord) {
      let place = track.formatDescriptions.first?.path ?? track.path
      step(.messagesInRecord, place + "/hvcC", "messages for single pictures", "in the record", "in samples")
      rewritesMedia = true
    }
    guard setsInSamples > 0, !steps.isEmpty || broken.contains(.setsBetweenLayers) else { return }
    step(
      broken.contains(.setsBetweenLayers) ? .setsBetweenLayers : nil, tablePath, "parameter sets in samples",
      "\(setsInSamples)",
      "0")
    rewritesMedia = true
    for description in track.formatDescriptions where newTypes[description.path] == nil {
      guard let type = Self.betterType(of: description) else { continue }
      step(
        nil, description.path, "type of the sample entry", "\(description.sampleEntryType)", "\(type)")
      newTypes[description.path] = type
    }
  }

  /// Reports messages that go from samples to records, if samples are rewritten.
  private mutating func compareMessages() {
    guard rewritesMedia else { return }
    for (index, description) in track.formatDescriptions.enumerated() {
      guard let record = description.hevcConfiguration, !record.arrays.isEmpty,
        let moved = self.description(ofEntry: index)?.messages.filter({ !record.nalUnits.contains($0) }),
        !moved.isEmpty
      else { continue }
      step(nil, description.path + "/hvcC", "messages about all pictures", "in samples", "in the record")
    }
  }

  /// Takes messages from the donor that neither the record nor the samples of an entry have: those on the eyes,
  /// and if there is no record at all, those of the record of the donor.
  private mutating func restoreMessages(of description: FormatDescription, _ new: StreamDescription) {
    guard let donor else { return }
    func types(_ unit: NALUnit) -> Set<SEIPayloadType> {
      Set(unit.seiMessages().messages.map(\.payloadType))
    }
    let known = Set(new.messages.flatMap(types))
    let eyes = ThreeDimensionalReferenceDisplaysInfo.payloadType
    let hasRecord = description.hevcConfiguration?.arrays.isEmpty == false
    let missing = donor.messages.filter { unit in
      let types = types(unit)
      guard types.isDisjoint(with: known), !new.messages.contains(unit) else { return false }
      return types.contains(eyes) ? new.layers.highest ?? 0 > 0 : !hasRecord
    }
    guard !missing.isEmpty else { return }
    restoredMessages[description.path] = missing
    step(
      missing.contains { types($0).contains(eyes) } ? .referenceDisplaysAbsent : nil,
      description.path + "/hvcC",
      "messages about all pictures", "absent",
      missing.flatMap { types($0).map { "\($0.rawValue)" } }.sorted().joined(separator: ", "))
  }

  /// Returns the type of an entry that has all parameter sets in its records; `nil` if it has that type already.
  static func betterType(of description: FormatDescription) -> FourCC? {
    switch description.sampleEntryType {
    case "hev1", "lhv1", "lhe1": "hvc1"
    case "dvhe": "dvh1"
    default: nil
    }
  }

  /// Restores parameter sets of an init segment, which has no pictures to test them on: those of the donor are
  /// used if the sets that both have are the same.
  private mutating func restoreWithoutSamples(_ donor: RepairDonor?) throws(EditError) {
    guard let donor, !added.isEmpty else { return }
    for (index, description) in track.formatDescriptions.enumerated() {
      guard let base = description.hevcConfiguration, description.box.first("lhvC") == nil,
        added.contains(where: { $0.layerID > 0 })
      else { continue }
      var new = StreamDescription(entry: index)
      for unit in base.nalUnits + donor.units where unit.type.isParameterSet {
        if let key = StreamDescription.key(of: unit) { new.add(key, unit) }
      }
      new.messages = base.nalUnits.filter(\.type.isSEI)
      try new.complete()
      descriptions.append(new)
      step(
        .secondViewLost, description.path + "/lhvC", "record of the other layers", "absent",
        "\(new.sets.count { $0.key.layerID > 0 }) parameter sets")
    }
  }

  /// Returns the units of the configuration records; if there are none, the parameter sets of the first sample.
  static func ownSets(of track: Track, _ movie: MovieFile) throws(EditError) -> [NALUnit] {
    let units = track.formatDescriptions.flatMap(\.configurationUnits).map(\.unit)
    return units.isEmpty ? try setsOfFirstSample(track, movie) : units
  }

  private static func setsOfFirstSample(_ track: Track, _ movie: MovieFile) throws(EditError) -> [NALUnit] {
    var reader = try TrackUnitReader(track, of: movie, adding: [])
    var sets: [NALUnit] = []
    while let unit = try reader.nextUnit(), !unit.type.isVideoCodingLayer {
      if unit.type.isParameterSet { sets.append(unit) }
    }
    return sets
  }

  // MARK: Times

  /// Returns whether the samples are presented in output order.
  private func isInOrder(_ times: PictureTimes) throws(EditError) -> Bool {
    let samples = try reading(track.samples())
    let shifts = try shifts()
    // The position of each sample in presentation order is that in decoding order plus its shift.
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

  /// Returns by how many samples each sample is presented later than it is decoded; empty if none is.
  func shifts() throws(EditError) -> [Int64] {
    var shifts: [Int64] = []
    do throws(ParseError) {
      let offsets = try times?.table.boxes().first { $0.type == "ctts" }?.payload(CompositionOffsetBox.self)
      for entry in offsets?.entries ?? PackedTable() {
        shifts += [Int64](repeating: Int64(entry.sampleOffset), count: Int(clamping: entry.sampleCount))
      }
    } catch { throw .refused(error) }
    return shifts
  }

  /// Whether all samples except the last one have the same duration.
  private var hasOneDuration: Bool {
    guard
      let rows = track.box?["mdia/minf/stbl/stts"].flatMap({ movie.tree?.whole($0) })?
        .payload(TimeToSampleBox.self)?.entries
    else { return false }
    return rows.count == 1 || rows.count == 2 && rows[1].sampleCount == 1
  }

  /// Sets the duration of rewritten samples, and reports it if it changes.
  private mutating func chooseTiming(isSplit: Bool) throws(EditError) {
    let (timing, common, isAssumed) = try timing(isSplit: isSplit)
    self.timing = timing
    let isSame = try reading(track.samples()).allSatisfy { $0.duration == common }
    guard isSplit || !isSame else { return }
    let lasts = "\(timing.duration)/\(timing.timescale) s"
    let before =
      common.map { "\($0)/\(track.timescale) s" + (isSame || isSplit ? "" : ", except one or two") }
      ?? "different times"
    // If the duration was assumed, that is reported.
    step(
      isSplit ? .layerInSomeSamples : nil, tablePath + "/stts", "picture duration",
      isSplit ? before + " for each sample of a single layer" : before,
      isSplit ? lasts + " for all layers" + (isAssumed ? ", assumed" : "") : lasts)
  }

  /// Returns the duration of rewritten samples; the old one, or `nil` if more than two samples have another;
  /// and whether the new one is an assumption, because neither the stream nor the caller specifies it.
  private func timing(
    isSplit: Bool
  ) throws(EditError) -> (timing: (timescale: UInt32, duration: Int64), common: Int64?, isAssumed: Bool) {
    let samples = try reading(track.samples())
    let durations = SampleDurations(samples)
    let isEven = durations.isEven
    let common = isEven ? durations.common : nil
    // If two samples become one, or durations differ, the durations of the movie are not those of pictures.
    let rate = isEven && !isSplit ? nil : frameRate
    let named = rate == nil && (isSplit || !isEven) ? try streamRate() : nil
    if let rate = rate ?? (isSplit || agrees(named, with: samples) ? named : nil) {
      guard let timing = rate.timing else {
        throw EditError(.exceedsLimit, "\(rate) pictures per second cannot be expressed in whole numbers")
      }
      return (timing, common, false)
    }
    guard isEven || durations.isRounded, let duration = durations.common.flatMap({ Int32(exactly: $0) })
    else {
      throw .refused(
        "the samples of track \(track.id) differ in duration, and their times cannot be assigned to the right pictures",
        advice: "Give all of them the same duration\(.setFrameRate).")
    }
    return ((track.timescale, Int64(duration)), common, isSplit)
  }

  /// Returns whether the average duration of samples agrees with a rate.
  private func agrees(_ rate: FrameRate?, with samples: TrackSamples) -> Bool {
    guard let timing = rate?.timing, samples.count > 0 else { return false }
    let mean = Double(samples.endTime) / Double(samples.count) / Double(track.timescale)
    let said = Double(timing.duration) / Double(timing.timescale)
    return abs(mean - said) < said / 100
  }

  /// The rate of the stream; `nil` if it does not specify one.
  private func streamRate() throws(EditError) -> FrameRate? {
    var store = ParameterSetStore()
    for unit in try Self.ownSets(of: track, movie) { store.insert(unit) }
    let sequences = store.sequenceParameterSets.filter { $0.unit.layerID == 0 }
    let rate =
      sequences.compactMap(\.content.pictureRate).first
      ?? store.videoParameterSets.compactMap(\.content.pictureRate).first
    return rate.flatMap { FrameRate($0.numerator, $0.denominator) }
  }
}

extension StreamDescription {
  /// Sets the parameter sets of the base layer if no picture refers to them.
  fileprivate mutating func complete() throws(EditError) {
    for (_, unit) in sets where unit.layerID == 0 {
      if unit.type == .sequenceParameterSet, base == nil {
        base = unit.rbsp.decode(SequenceParameterSet()).value
      } else if unit.type == .pictureParameterSet, basePictures == nil {
        basePictures = unit.rbsp.decode(PictureParameterSet()).value
      }
    }
    guard let base else {
      throw EditError(.damaged, "the sequence parameter set of the base layer is missing")
    }
    subLayers = Int(base.maxSubLayersMinus1 ?? 0) + 1
    for (key, _) in sets where key.type != NALUnitType.videoParameterSet.rawValue {
      layers.insert(key.layerID)
    }
  }
}
