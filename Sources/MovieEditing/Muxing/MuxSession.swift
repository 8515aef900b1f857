// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// Writes the access units of a stream as samples, in order, and collects the values for their tables.
struct MuxSession {
  /// The longest duration of a chunk, in seconds.
  private static let chunkSeconds = 1.0

  let options: MuxOptions
  let output: any MediaOutput
  var report = MuxReport()
  var descriptions: [StreamDescription] = []
  /// The presentation times of samples; `nil` before the first one.
  private(set) var times: PictureTimes?
  private(set) var timescale: UInt32 = 600
  /// How long nothing is shown before the first picture, if other tracks are copied.
  var startDelay = MediaTime.zero

  /// Tracks of other movies, which are interleaved with the samples of the stream.
  private(set) var copies: [CopiedTrack]
  /// The time up to which these are written, in seconds.
  private var copiedTime: Double = 0

  private(set) var reader: any UnitReader
  /// The duration of each sample; `nil` if it follows from the rate.
  let timing: (timescale: UInt32, duration: Int64)?
  var store: ParameterSetStore
  /// The parameter sets of earlier sample entries, if a movie is read: a decoder no longer has them.
  var earlier: ParameterSetStore?
  private var counter = PictureOrderCounter()
  private var lost = LostPictures()
  private var grouper = AccessUnitGrouper<NALUnit>()
  /// The index of the current description.
  var current = 0
  /// The frame rate of the current sequence, and the duration of its pictures.
  var rate: FrameRate?
  var duration: Int64 = 0
  /// The types of messages of which samples have others than the record of the current description.
  var overridden: Set<SEIPayloadType> = []
  /// The original sample entry of the current picture, as an index; `nil` for a stream.
  var entry: Int?
  /// Parameter sets that followed the last picture: they apply from the next one on.
  private var lateSets: [NALUnit] = []
  /// The picture parameter set that described the pictures of each layer.
  var described: [UInt8: UInt32] = [:]
  /// Whether the last sequence of the base layer has ended, so that the next picture begins another one.
  private var sequenceHasEnded = false
  /// When the first sample of the current chunk is decoded, in seconds.
  private var chunkTime: Double = 0
  private var layers = LayerIDSet()

  init(
    _ reader: any UnitReader, options: MuxOptions, copies: [CopiedTrack], output: any MediaOutput,
    timing: (timescale: UInt32, duration: Int64)? = nil
  ) {
    self.copies = copies
    self.reader = reader
    self.timing = timing
    self.options = options
    self.output = output
    store = ParameterSetStore()
  }

  /// Reads the stream to its end.
  mutating func run() throws(EditError) {
    while let unit = try reader.nextUnit() {
      if reader.hasLeadingBytes {
        throw EditError(
          .damaged,
          "the stream does not begin with a start code: its first unit begins at \(unit.bytes.fileOffset)",
          advice: "It was cut inside a unit: cut it before a start code.")
      }
      guard unit.header.isValid else {
        throw EditError(
          .damaged,
          "the NAL unit at \(unit.bytes.fileOffset) is damaged: its header is \(unit.bytes.prefix(2).hexadecimalText())"
        )
      }
      if let complete = grouper.units(before: unit) { try take(complete) }
      if unit.type.isVideoCodingLayer { entry = reader.entry }
    }
    if let last = grouper.lastUnits() { try take(last) }
    if reader.shortUnits > 0 { note(.shortUnits, nil, reader.shortUnits) }
    if let presentation = reader.presentation {
      let timetable = try presentation.timetable()
      timescale = timetable.timescale
      try times?.setTimetable(timetable)
    }
    try times?.finishSequence()
    guard let times, times.count > 0 else {
      throw .refused(
        "the stream has no picture at which decoding can begin",
        advice: "A stream that begins in the middle needs a later IDR, BLA or CRA picture.")
    }
    if times.undecodable > 0 { note(.undecodableLeading, nil, times.undecodable) }
    if !copies.isEmpty, timing == nil { delayStart(times) }
    while let next = copies.compactMap(\.nextTime).min() { try writeCopies(from: next) }
    report.samples = times.count
    report.syncSamples = times.table.syncSampleCount
    report.layers = Array(layers)
    report.descriptions = descriptions.count
  }

  /// Shows nothing in the place of pictures that are left out at the start, so that other tracks stay in sync.
  private mutating func delayStart(_ finished: PictureTimes) {
    let skipped = report.notices.first { $0.kind == .skippedStart }?.count ?? 0
    guard skipped > 0 else {
      if finished.hiddenAtStart > 0 { note(.startNotCut, nil, finished.hiddenAtStart) }
      times?.setDelay(startDelay.converted(to: timescale).value)
      return
    }
    note(.laterStart, nil, skipped + finished.hiddenAtStart)
    times?.setDelay(Int64(skipped) &* finished.duration &+ finished.hiddenDuration)
  }

  /// Records damage, or refuses the stream for it.
  ///
  /// - Parameter what: what is damaged, with its place.
  private mutating func noteDamage(
    _ kind: MuxNotice.Kind, _ offset: Int, _ what: @autoclosure () -> String
  ) throws(EditError) {
    guard options.allowsLostPictures else {
      throw EditError(
        .damagedStream, what(),
        advice: "The stream is damaged or incomplete: copy it again from its source.")
    }
    note(kind, offset)
  }

  mutating func note(_ kind: MuxNotice.Kind, _ offset: Int?, _ count: Int = 1) {
    if let index = report.notices.firstIndex(where: { $0.kind == kind }) {
      report.notices[index].count += count
    } else {
      report.notices.append(MuxNotice(kind: kind, count: count, firstOffset: offset))
    }
  }

  // MARK: One access unit

  /// The properties of an access unit before it is written.
  struct Picture {
    var header: SliceSegmentHeader
    var orderCount: Int
    var sps: SequenceParameterSet
    var pps: PictureParameterSet
  }

  private mutating func take(_ units: [NALUnit]) throws(EditError) {
    let accessUnit = AccessUnit(units)
    let place = units.first?.bytes.fileOffset ?? 0
    let lastSlice = units.lastIndex { $0.type.isVideoCodingLayer }
    guard let lastSlice else {
      note(.unitsAfterEnd, place, units.count)
      return
    }
    try noteIssues(accessUnit)
    guard let base = accessUnit.picture(layerID: 0), let first = base.slices.first else {
      throw EditError(
        .damaged, "the access unit at \(place) has no picture of the base layer",
        advice: "Without it the other layers cannot be decoded.")
    }
    let begins = base.type.isRandomAccessPoint
    if entry == nil, let unit = units.first(where: \.isOfDolbyVision) {
      note(.dolbyVision, unit.bytes.fileOffset, units.count(where: \.isOfDolbyVision))
    }
    if times == nil, !begins {
      guard options.skipsUndecodableStart else {
        throw .refused(
          "the stream begins in the middle: the picture at \(units[first].bytes.fileOffset) is of the type \(base.type), "
            + "which needs pictures before it",
          advice:
            "Leave out everything before the first picture at which decoding can begin\(.skipUndecodable)."
        )
      }
      // Parameter sets may be present only once, before all pictures.
      for unit in units where unit.type.isParameterSet { try insert(unit) }
      note(.skippedStart, place)
      return
    }
    if times != nil, entry != descriptions[current].entry {
      // A decoder starts again with the sets of the entry. ISO/IEC 14496-15, 8.3.2
      earlier = store
      store = ParameterSetStore()
    }
    var sets = try sets(lateSets + units[...lastSlice])
    lateSets = units[lastSlice...].filter(\.type.isParameterSet)
    if times == nil { sets.new = storedSets() + sets.new }
    let picture = try readBase(units[first])
    let messages = try configure(units[...lastSlice], sets, picture, begins: begins, at: units[first])
    try addSets(of: picture.header, at: units[first])
    try write(accessUnit, messages, picture, lastSlice: lastSlice)
  }

  private mutating func noteIssues(_ accessUnit: AccessUnit<NALUnit>) throws(EditError) {
    for issue in accessUnit.issues {
      let unit = accessUnit.units[issue.unit]
      let offset = unit.bytes.fileOffset
      switch issue.kind {
      case .firstSliceMissing where unit.layerID == 0:
        throw EditError(
          .damaged, "the picture at \(offset) lacks its first slice segment, and its time is not known",
          advice: "The stream is damaged there.")
      case .firstSliceMissing:
        try noteDamage(
          .firstSliceMissing, offset,
          "the picture of layer \(unit.layerID) at \(offset) lacks its first slice segment")
      case .layersOutOfOrder:
        throw EditError(
          .damaged, "the picture of layer \(unit.layerID) at \(offset) is out of order",
          advice: "The pictures of an access unit come in the order of their layers.")
      case .mixedTypes: note(.mixedTypes, offset)
      default: break
      }
    }
  }

  mutating func insert(_ unit: NALUnit) throws(EditError) {
    if unit.type == .videoParameterSet, unit.layerID > 0 { return }
    if case .refused(let error) = store.insert(unit) {
      throw EditError(
        .damaged, "the \(unit.type.name) at \(unit.bytes.fileOffset) cannot be read: \(error.reason)",
        parseError: error)
    }
  }

  /// The sets that preceded the first picture of the movie.
  private func storedSets() -> [(key: StreamDescription.Key, unit: NALUnit)] {
    let units =
      store.videoParameterSets.map(\.unit) + store.sequenceParameterSets.map(\.unit)
      + store.pictureParameterSets.map(\.unit)
    return report.notices.contains { $0.kind == .skippedStart }
      ? units.compactMap { unit in StreamDescription.key(of: unit).map { ($0, unit) } } : []
  }

  private mutating func readBase(_ unit: NALUnit) throws(EditError) -> Picture {
    guard let segment = segment(unit) else {
      throw EditError(.damaged, "the slice segment at \(unit.bytes.fileOffset) cannot be read")
    }
    if let error = segment.error {
      throw EditError(
        .damaged, "the slice segment header at \(unit.bytes.fileOffset) cannot be read: \(error.reason)",
        advice: "The stream is damaged there, or lacks a parameter set.", parseError: error)
    }
    guard let pps = store.pictureParameterSet(segment.header.slicePicParameterSetID, layerID: 0)?.content,
      let sps = store.sequenceParameterSet(pps.ppsSeqParameterSetID, layerID: 0)?.content
    else { throw EditError(.damaged, "the picture at \(unit.bytes.fileOffset) lacks its parameter sets") }
    guard let count = counter.orderCount(of: segment.header) else {
      throw .refused(
        "the output order of the picture at \(unit.bytes.fileOffset) is not known",
        advice: "The stream resets picture order counts in a way that is not supported.")
    }
    return Picture(header: segment.header, orderCount: count, sps: sps, pps: pps)
  }

  // MARK: Sample entries

  /// Determines the description for a picture, and returns which units of the access unit are in its
  /// configuration record.
  private mutating func configure(
    _ units: ArraySlice<NALUnit>, _ sets: SetsOfPicture, _ picture: Picture, begins: Bool, at unit: NALUnit
  ) throws(EditError) -> Set<NALUnit> {
    guard times != nil else {
      (timescale, duration) = try chooseRate(picture)
      times = PictureTimes(duration: duration, listsOpenAccessPoints: options.listsOpenAccessPoints)
      var description = StreamDescription(entry: entry)
      for (key, unit) in sets.new { description.add(key, unit) }
      let (messages, whole) = Self.configurationMessages(units)
      description.messages = messages
      complete(&description, picture)
      descriptions = [description]
      return whole
    }
    let known = descriptions[current]
    let changed = sets.new.first { set in known[set.key].map { $0 != set.unit } ?? false }
    let hasOtherSize = picture.sps.croppedSize != known.base?.croppedSize
    let hasOtherEntry = entry != known.entry
    var messages = known.messages, whole: Set<NALUnit> = []
    var hasOtherMessages = false
    if begins, startsSequence(unit.type) { try followRate(picture, at: unit) }
    if begins || hasOtherEntry {
      let (found, foundWhole) = Self.configurationMessages(units)
      // A movie has decided already which messages hold for the samples of an entry.
      hasOtherMessages =
        Self.changesEyes(known.messages, found)
        || entry == nil && startsSequence(unit.type) && Self.changesLight(known.messages, found)
      // Those of an entry are its own, and those of a sequence end with it, whether or not the next one has any. ISO/IEC
      // 23008-2, D.3.28, D.3.35 and D.3.38
      let isOther = changed != nil || hasOtherSize || hasOtherMessages
      let isOver =
        hasOtherEntry || isOther && (hasOtherSize || startsSequence(unit.type) || changesSequence(sets))
      if isOver || isOther && !found.isEmpty { (messages, whole) = (found, foundWhole) }
    }
    if changed != nil || hasOtherSize || hasOtherMessages, !begins {
      let what = changed.map { "the \($0.unit.type.name) \($0.key.id)" } ?? "the size of the pictures"
      let place = changed?.unit.bytes.fileOffset ?? unit.bytes.fileOffset
      throw .refused(
        "\(what) changes at \(place), at a picture where decoding cannot begin",
        advice: "Movies have parameter sets in sample entries, which change only where decoding can begin.")
    }
    if hasOtherEntry {
      // A decoder starts again with the sets of the entry. ISO/IEC 14496-15, 8.3.2
      var description = StreamDescription(entry: entry)
      for (key, unit) in sets.repeated + sets.new { description.add(key, unit) }
      description.messages = messages
      complete(&description, picture)
      use(description) { [entry] in $0.entry == entry && $0.messages == messages && $0.includes(description) }
    } else if changed != nil || hasOtherSize || hasOtherMessages {
      var description = known.changed(by: sets)
      description.messages = messages
      complete(&description, picture)
      use(description) { $0.isSame(as: description) }
    } else {
      for (key, unit) in sets.new { descriptions[current].add(key, unit) }
    }
    guard descriptions.count <= 1_000 else {
      throw EditError(
        .exceedsLimit, "the parameter sets change more than 1000 times, at \(unit.bytes.fileOffset) again")
    }
    // Units that repeat those of the record are not needed in samples.
    return whole.union(descriptions[current].messages)
  }

  /// Whether other sets come than pictures of one sequence may have: only picture parameter sets change within it. ISO/IEC
  /// 23008-2, 7.4.2.4.2
  private func changesSequence(_ sets: SetsOfPicture) -> Bool {
    sets.new.contains { key, unit in
      unit.type != .pictureParameterSet && descriptions[current][key].map { $0 != unit } ?? false
    }
  }

  /// Whether a picture of the base layer, of a type, starts a sequence.
  private func startsSequence(_ type: NALUnitType) -> Bool {
    type.isRandomAccessPoint
      && (type.isRefresh || type.isBrokenLink || times?.count ?? 0 == 0 || sequenceHasEnded)
  }

  private func complete(_ description: inout StreamDescription, _ picture: Picture) {
    description.base = picture.sps
    description.basePictures = picture.pps
    let video = store.videoParameterSet(picture.sps.spsVideoParameterSetID)?.content
    description.subLayers = Int(video?.vpsMaxSubLayersMinus1 ?? picture.sps.maxSubLayersMinus1 ?? 0) + 1
  }

  // MARK: Samples

  private mutating func write(
    _ accessUnit: AccessUnit<NALUnit>, _ messages: Set<NALUnit>, _ picture: Picture, lastSlice: Int
  ) throws(EditError) {
    guard var times, let base = accessUnit.picture(layerID: 0) else { return }
    let units = accessUnit.units
    let place = units.first?.bytes.fileOffset ?? 0
    let startsSequence = startsSequence(base.type)
    if sequenceHasEnded, !startsSequence {
      throw .refused(
        "decoding cannot begin at the picture at \(place), which follows the end of a sequence")
    }
    sequenceHasEnded = false
    if startsSequence { lost.beginSequence() }
    let references = try checkLayers(accessUnit, picture)
    let isAccessPoint = accessUnit.pictures.allSatisfy { $0.type.isRandomAccessPoint }
    if base.type.isRandomAccessPoint, !isAccessPoint { note(.layerNotAccessPoint, place) }
    if picture.header.slice?.isOutput == false { note(.hiddenPicture, place) }

    // About when it is decoded: in another order than pictures are shown, but not long before.
    let time =
      reader.presentation?.start(of: times.count)?.seconds ?? Double(times.length) / Double(timescale)
    let duration = shownDuration(units, picture)
    if times.count == 0 { chunkTime = time }
    // Sums of seconds are rounded: a picture that is due now is not late.
    let isNewChunk = time - chunkTime > Self.chunkSeconds - 1e-6
    if isNewChunk { chunkTime = time }
    if !copies.isEmpty, isNewChunk || times.count == 0 { try writeChunks(before: time + Self.chunkSeconds) }
    let offset = output.position
    var size: UInt64 = 0
    for (index, unit) in units.enumerated() {
      if index > lastSlice, unit.type.mayBeginAccessUnit, !unit.type.isParameterSet {
        note(.unitsAfterEnd, unit.bytes.fileOffset)
        report.unitsLeftOut[unit.type.name, default: 0] += 1
        continue
      }
      let isRepeated = unit.type == .prefixSEI && messages.contains(unit) && !isNeeded(unit)
      guard Self.isKept(unit), !isRepeated else {
        report.unitsLeftOut[unit.type.name, default: 0] += 1
        continue
      }
      noteMessages(unit)
      size += UInt64(unit.bytes.count) + 4
      do throws(SourceError) {
        try output.write(Self.length(of: unit))
        try output.write(unit.bytes)
      } catch { throw EditError(.failed, error) }
      if unit.type == .endOfSequence {
        counter.endOfSequence(layerID: unit.layerID)
        if unit.layerID == 0 { sequenceHasEnded = true }
      }
    }
    if units.contains(where: { $0.type == .endOfBitstream }) {
      counter.endOfSequence(layerID: 0)
      sequenceHasEnded = true
    }
    guard let size = UInt32(exactly: size) else {
      throw EditError(
        .exceedsLimit, "the access unit at \(place) has \(size) bytes, more than a sample can have")
    }
    self.times = nil
    defer { self.times = times }
    try times.append(
      MuxedSample(
        size: size, offset: offset, place: place, orderCount: picture.orderCount, duration: duration,
        type: base.type,
        highestType: accessUnit.pictures.last?.type ?? base.type, isRandomAccessPoint: isAccessPoint,
        startsSequence: startsSequence, dependency: dependency(picture), references: references,
        description: UInt32(clamping: current + 1), startsChunk: isNewChunk))
  }

  /// Writes the samples of other tracks that are decoded before a time, in seconds. After a picture that lasts long, they are
  /// several chunks.
  private mutating func writeChunks(before end: Double) throws(EditError) {
    // The last one is not much longer than the others, and not much shorter.
    let lastStart = end - 1.5 * Self.chunkSeconds
    while copiedTime < lastStart, let next = copies.compactMap(\.nextTime).min(), next < lastStart {
      try writeCopies(from: next)
    }
    try writeCopies(before: end)
  }

  /// Writes the samples of other tracks that are decoded before a time, in seconds, as one chunk.
  private mutating func writeCopies(before time: Double) throws(EditError) {
    guard time > copiedTime else { return }
    copiedTime = time
    for index in copies.indices { try copies[index].write(before: time, to: output) }
  }

  /// Writes a chunk of the samples of other tracks.
  ///
  /// - Parameter next: when the first of them is decoded, in seconds. Chunks before that would be empty, and are
  ///   skipped.
  private mutating func writeCopies(from next: Double) throws(EditError) {
    let length = Self.chunkSeconds
    let start = copiedTime + max(0, ((next - copiedTime) / length).rounded(.down)) * length
    // Times in damaged tables may be so large that adding the length changes nothing: the rest is then one chunk.
    try writeCopies(before: start + length > start ? start + length : .infinity)
  }

  /// Compares the other layers with the base layer, records what is missing, and returns the pictures that all
  /// of them refer to.
  private mutating func checkLayers(
    _ accessUnit: AccessUnit<NALUnit>, _ picture: Picture
  ) throws(EditError) -> SampleReferences {
    var present = LayerIDSet()
    var references = SampleReferences()
    if let slice = picture.header.slice {
      references.add(ReferencePictureSet(slice, orderCount: picture.orderCount))
      try checkReferences(
        slice, layer: 0, orderCount: picture.orderCount, picture.header.unit.type,
        at: accessUnit.units.first { $0.type.isVideoCodingLayer }?.bytes.fileOffset ?? 0)
    }
    for coded in accessUnit.pictures {
      present.insert(coded.layerID)
      guard coded.layerID > 0 else { continue }
      guard let first = coded.slices.first, coded.hasFirstSlice,
        let segment = segment(accessUnit.units[first])
      else {
        references.isIncomplete = true
        lost.addUnreadable(layer: coded.layerID, orderCount: picture.orderCount)
        continue
      }
      let offset = segment.unit.bytes.fileOffset
      if let error = segment.error {
        references.isIncomplete = true
        lost.addUnreadable(layer: coded.layerID, orderCount: picture.orderCount)
        if case .missing(let what) = error.code {
          throw EditError(.damaged, "the picture of layer \(coded.layerID) at \(offset) lacks \(what)")
        }
        // Depth may have another syntax, which is not read.
        if error.code != .invalid("belongs to a layer of 3D-HEVC") {
          try noteDamage(
            .damagedSlice, offset,
            "the slice segment header of layer \(coded.layerID) at \(offset) cannot be read: \(error.reason)")
        }
        continue
      }
      if let count = counter.orderCount(of: segment.header), count != picture.orderCount {
        note(.orderCountsDiffer, offset)
      }
      if let slice = segment.header.slice {
        references.add(ReferencePictureSet(slice, orderCount: picture.orderCount))
        try checkReferences(
          slice, layer: coded.layerID, orderCount: picture.orderCount, coded.type, at: offset)
      }
      try addSets(of: segment.header, at: segment.unit)
    }
    let missing = layers.subtracting(present)
    if !missing.isEmpty { note(.missingLayer, accessUnit.units.first?.bytes.fileOffset) }
    layers = layers.union(present)
    descriptions[current].layers = descriptions[current].layers.union(present)
    return references
  }

  /// Looks for the pictures that a picture refers to.
  private mutating func checkReferences(
    _ slice: SliceHeader, layer: UInt8, orderCount: Int, _ type: NALUnitType, at offset: Int
  ) throws(EditError) {
    let missing = lost.add(slice, layer: layer, orderCount: orderCount, type)
    guard let first = missing.first else { return }
    try noteDamage(
      .lostPictures, offset,
      "the picture of layer \(layer) at \(offset) (order count \(orderCount)) refers to the picture with order count "
        + "\(first), which is missing in the stream")
  }

  /// The flags of a sample for `sdtp`, as far as headers show them. ISO/IEC 14496-12, 8.6.4
  private func dependency(_ picture: Picture) -> SampleFlags {
    let type = picture.header.unit.type
    let leading: UInt32 = type.isSkippedLeading ? 1 : type.isDecodableLeading ? 3 : 0
    let dependsOn: UInt32 =
      type.isRandomAccessPoint ? 2 : picture.header.slice?.sliceType.isInter == true ? 1 : 0
    return SampleFlags(rawValue: leading << 26 | dependsOn << 24)
  }
}
