// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCDecoding
import ISOBMFF
public import Multiview

extension Track {
  /// Returns a reader of the pictures that the track shows from a time on, in the order and at the times of its
  /// edit list. Decoding starts at the preceding sync sample.
  ///
  /// ```swift
  /// let pictures = try track.pictures(from: MediaTime(value: 3, timescale: 2))
  /// while let group = try pictures.next() {
  ///   guard let left = group[.left], let right = group[.right] else { continue }
  ///   print(group.presentationTime?.seconds ?? 0, left.size, right.size)
  /// }
  /// ```
  ///
  /// - Throws: ``PictureError`` if the track is not HEVC, is encrypted, lacks a requested layer, or cannot be
  ///   read; and for a raw stream if the time is not 0, because it has no times.
  public func pictures(
    from time: MediaTime = .zero, options: PictureOptions = PictureOptions()
  ) throws(PictureError) -> PictureGroupReader {
    try PictureGroupReader(self, from: time, options)
  }
}

/// Reads the pictures of a track on request, time by time: see `Track.pictures(from:options:)`.
///
/// Pictures that cannot be decoded are left out, and ``takeProblems()`` says why. Use one reader in one task.
public final class PictureGroupReader {
  private let track: Track
  private let samples: TrackSamples?
  private let decoder: TrackDecoder
  private let looks: SampleLooks
  private let wantedLayers: Set<UInt8>?
  /// The position in presentation order of what is read next.
  private var position = 0
  /// The groups that are decoded and not returned yet, the next one first.
  private var waiting: [PictureGroup] = []
  /// The group returned last: edits may show it again.
  private var last: PictureGroup?
  private var isStarted = false
  /// Whether pictures were skipped that may be needed.
  private var isLost = false
  /// The sample at which decoding began last.
  private var firstSample = 0
  /// Whether pictures were skipped since then. Where they come out in another order than they are shown, some that are shown
  /// later are among them.
  private var hasSkipped = false
  /// Whether the picture that was looked for may still come, after more pictures that are shown later than are kept.
  private var isCrowded = false
  /// Whether the next picture was chosen by time or sample: of the preceding ones, only those are decoded that
  /// it depends on.
  private var isJump = true
  private var problems: [String] = []
  /// The sample of a series that could not be decoded last, and why.
  private var failure: (sample: Int, reason: String)?

  /// How many pictures that come out before another one, and are shown later, are kept: as many as encoders reorder.
  private static let maximumLater = 32
  /// How many sync samples are tried if decoding from the last one does not yield the picture.
  private static let maximumAttempts = 4

  init(_ track: Track, from time: MediaTime, _ options: PictureOptions) throws(PictureError) {
    guard track.isHEVC else { throw .notHEVC }
    let track = track.joined
    guard !track.joinedTracks.contains(where: { $0.isProtected }) else { throw .isProtected }
    self.track = track
    var decoding = HEVCDecoder.Options()
    decoding.checksHashes = false
    decoding.maximumLumaSamples = options.maximumLumaSamples
    decoding.threads = options.threads
    let available: [UInt8]
    do { available = try track.layersOfAllSequences(for: options.layers ?? []).available } catch {
      throw .unreadable(error)
    }
    for layer in (options.layers ?? []).sorted() where !available.contains(layer) {
      throw .noSuchLayer(layer, available: available)
    }
    wantedLayers = options.layers
    do {
      samples = track.isRawStream ? nil : try track.samples()
      looks = SampleLooks(track, samples)
      if let layers = looks.neededLayers(for: options.layers) {
        var wanted = LayerIDSet()
        for layer in layers { wanted.insert(layer) }
        decoding.layers = wanted
      }
      decoder = try TrackDecoder(track, decoding)
    } catch { throw .unreadable(error) }
    try move(to: time)
  }

  /// How many times samples were to be shown whose description has none of the layers.
  package private(set) var lackingCount = 0

  /// How many times samples were to be shown whose pictures the stream does not output.
  package private(set) var unshownCount = 0

  /// Whether the picture that was looked for last by its time is shown without end.
  package private(set) var isAtUnendingPicture = false

  /// The number of pictures decoded so far.
  package var decodedCount: Int { decoder.decodedCount }

  /// Returns what could not be decoded since the last call, in words, and clears the list. At most 100 are kept.
  public func takeProblems() -> [String] {
    defer { problems = [] }
    return problems
  }

  /// Continues with the pictures that are shown at a time, or next after it.
  ///
  /// - Throws: ``PictureError/noTimes`` for a raw stream, unless the time is 0 and nothing was read yet.
  public func move(to time: MediaTime) throws(PictureError) {
    guard let samples else {
      if time == .zero, !isStarted { return }
      throw .noTimes
    }
    let units = time.roundedDown(toUnitsOf: track.timescale)
    begin()
    isJump = true
    guard let found = samples.presentation(atOrBefore: units) else {
      position = 0
      return
    }
    position = found.range.upperBound > units || found.range.isEmpty ? found.position : found.position + 1
  }

  /// Returns the pictures of the next time; `nil` after the last ones.
  ///
  /// - Throws: ``PictureError/unreadable(_:)`` if bytes cannot be read, and ``PictureError/notDecoded(sample:reason:)`` where
  ///   much more was read that shows no picture than the file has (`Limits.maximumSampleOverlap`).
  public func next() throws(PictureError) -> PictureGroup? {
    guard let samples else { return try nextDecoded() }
    while let shown = samples.presentation(at: position) {
      position += 1
      // An edit may run so fast that a picture is shown for no time.
      if shown.range.isEmpty {
        try pay(.steps(1), before: shown.sample)
      } else if let group = try present(shown.sample, shown.range, samples) {
        return group
      }
    }
    return nil
  }

  /// The pictures of a sample with the time at which they are shown; `nil` if they cannot be decoded.
  private func present(
    _ sample: Int, _ range: Range<Int64>, _ samples: TrackSamples
  ) throws(PictureError) -> PictureGroup? {
    let spent = decoder.budget.spent
    try pay(.steps(1), before: sample)
    if looks.lacks(wantedLayers, atSample: sample) {
      lackingCount += 1
      return nil
    }
    guard let group = try decode(sample, samples) else {
      try pay(.searches(1), before: sample)
      if decoder.isUnshown(sample) {
        unshownCount += 1
        return nil
      }
      record("sample \(sample) has no picture that can be decoded")
      return nil
    }
    // What is shown does not count: it may be shown any number of times.
    decoder.budget.forgive(since: spent)
    let time = MediaTime(value: range.lowerBound, timescale: track.timescale)
    let duration =
      range.upperBound == .max
      ? nil
      : MediaTime(
        value: range.upperBound.subtractingReportingOverflow(range.lowerBound).partialValue,
        timescale: track.timescale)
    let presented = group.presented(at: time, for: duration)
    last = presented
    return presented
  }

  /// Returns the pictures that are shown at a time; `nil` if nothing is shown at that time. ``next()``
  /// continues after them.
  ///
  /// Preceding pictures that are not needed are skipped. If the time is before the last pictures, or so far
  /// after them that a sync sample is nearer, decoding restarts.
  ///
  /// - Throws: ``PictureError/noTimes`` for a raw stream; ``PictureError/notDecoded(sample:reason:)``;
  ///   ``PictureError/unreadable(_:)``.
  public func group(shownAt time: MediaTime) throws(PictureError) -> PictureGroup? {
    begin()
    return try group(ofSeriesAt: time)
  }

  /// The same for one time of many: what is read for those that cannot be decoded adds up, and none is tried again at the next
  /// time.
  package func group(ofSeriesAt time: MediaTime) throws(PictureError) -> PictureGroup? {
    guard let samples else { throw .noTimes }
    let units = time.roundedDown(toUnitsOf: track.timescale)
    guard let shown = samples.presentation(atTime: units) else {
      try pay(.steps(1), before: nil)
      return nil
    }
    position = shown.position + 1
    isAtUnendingPicture = shown.range.upperBound == .max
    if let failure, failure.sample == shown.sample {
      try pay(.steps(1), before: shown.sample)
      throw .notDecoded(sample: shown.sample, reason: failure.reason)
    }
    isJump = true
    let known = problems.count
    guard let group = try present(shown.sample, shown.range, samples) else {
      let reason = reason(after: known, shown.sample)
      if !looks.lacks(wantedLayers, atSample: shown.sample) { failure = (shown.sample, reason) }
      throw .notDecoded(sample: shown.sample, reason: reason)
    }
    return group
  }

  /// Returns the pictures of a sample, at the first time it is shown; of a raw stream those of an access unit.
  ///
  /// - Parameter index: the index of the sample or access unit, counted from 0. Of a raw stream, only units
  ///   after those that were read can be reached.
  /// - Throws: ``PictureError/notDecoded(sample:reason:)`` if the decoder does not output them, and
  ///   ``PictureError/unsupported(_:)`` if there is no such sample, or it is never shown.
  public func group(ofSample index: Int) throws(PictureError) -> PictureGroup {
    begin()
    let known = problems.count
    guard let samples else {
      guard let group = try find(index) else {
        throw .notDecoded(sample: index, reason: reason(after: known, index))
      }
      return group
    }
    guard index >= 0, index < samples.count else {
      throw .unsupported("there is no sample \(index): the track has \(samples.count), counted from 0")
    }
    guard let shown = samples.firstPresentation(of: index) else {
      throw .unsupported("sample \(index) is never shown: the edit list leaves it out")
    }
    // Another sample may have the same time, so that this one is shown for none.
    position = shown.position + 1
    isJump = true
    guard let group = try present(index, shown.range, samples) else {
      throw .notDecoded(sample: index, reason: reason(after: known, index))
    }
    return group
  }

  /// Whether more was read that shows no picture than one operation may: the reader has ended.
  package var isExhausted: Bool { decoder.budget.isExhausted }

  /// Begins with what was asked for: what was read before does not count.
  private func begin() {
    if isExhausted {
      // The decoder has ended.
      waiting = []
      isLost = true
    }
    failure = nil
    decoder.budget.begin()
  }

  /// Pays for work that shows nothing.
  private func pay(_ work: WorkBudget.Work, before sample: Int?) throws(PictureError) {
    guard !decoder.budget.admits(work, at: 0) else { return }
    let reason = "too much was read that shows no picture (maximumSampleOverlap)"
    if let sample { throw .notDecoded(sample: sample, reason: reason) }
    throw .unsupported(reason)
  }

  private func reason(after known: Int, _ sample: Int) -> String {
    if let wantedLayers, looks.lacks(wantedLayers, atSample: sample) {
      let layers = wantedLayers.sorted().map(String.init).joined(separator: ", ")
      return "its sample description has no layer \(layers)"
    }
    if decoder.isUnshown(sample) { return "the stream does not output it" }
    return problems.dropFirst(known).first ?? problems.last ?? "the decoder does not output it"
  }

  private func record(_ problem: String) {
    // Samples that are decoded again report the same problems again.
    if problems.count < 100, !problems.contains(problem) { problems.append(problem) }
  }

  // MARK: Decoding

  /// Whether the pictures of a sample are decoded.
  private func isWaiting(_ sample: Int) -> Bool { waiting.contains { $0.sample == sample } }

  /// The pictures of a sample; `nil` if they cannot be decoded.
  private func decode(_ wanted: Int, _ samples: TrackSamples) throws(PictureError) -> PictureGroup? {
    if let last, last.sample == wanted { return last }
    let start = syncSample(for: wanted, samples)
    let time = samples.compositionTime(at: wanted)
    let isBehind = last.map { samples.compositionTime(at: $0.sample) >= time } ?? false
    let isReady = isWaiting(wanted)
    let isJump = isJump
    self.isJump = false
    if isStarted, !isLost, !isBehind, isReady || start <= decoder.nextSample {
      if isReady || !isJump {
        let found = try take(wanted, composedAt: time, samples)
        // If decoding begins again at its sync sample, it is neither skipped nor behind as many others.
        let mayComeAgain = isCrowded && looks.differ || hasSkipped || wanted < firstSample
        if !decoder.isInexact, found != nil || !mayComeAgain { return found }
      } else if let found = try skip(to: wanted) {
        return found
      }
    }
    var candidate: Int? = start
    for _ in 0..<Self.maximumAttempts {
      guard let from = candidate else { break }
      let isInexact = decoder.isInexact
      try restart(at: from, for: wanted)
      let found =
        isJump && !isInexact ? try skip(to: wanted) : try take(wanted, composedAt: time, samples)
      if let found { return found }
      // After damage, tries once more from the same sample.
      if !decoder.isInexact { candidate = from > 0 ? samples.syncSample(atOrBefore: from - 1) ?? 0 : nil }
    }
    return nil
  }

  /// The pictures of an access unit of a raw stream, which follows those that were read.
  private func find(_ index: Int) throws(PictureError) -> PictureGroup? {
    if !isWaiting(index) {
      if let found = try skip(to: index) { return found }
      guard decoder.isInexact else { return nil }
      try restart(at: 0, for: index)
    }
    while let group = try nextDecoded() {
      if group.sample == index { return group }
    }
    return nil
  }

  /// The pictures of a sample, without decoding pictures that they do not depend on; `nil` if they are not
  /// output, and if damage makes them differ from what they would be with all preceding pictures decoded.
  private func skip(to wanted: Int) throws(PictureError) -> PictureGroup? {
    isStarted = true
    hasSkipped = true
    waiting = []
    let pictures: [DecodedPicture]?
    do { pictures = try decoder.skip(to: wanted) } catch {
      throw .unreadable(error)
    }
    for problem in decoder.takeProblems() { record("sample \(problem.sample): \(problem.description)") }
    if let pictures, !decoder.isInexact { group(pictures) }
    // If the picture was not found, those that were skipped may be needed later.
    isLost = waiting.isEmpty
    return isLost ? nil : waiting.removeFirst()
  }

  private func restart(at sample: Int, for wanted: Int) throws(PictureError) {
    let isFresh = !isStarted && decoder.nextSample == sample
    if !isFresh { try pay(.searches(1), before: wanted) }
    waiting = []
    (isStarted, isLost, hasSkipped, firstSample) = (true, false, false, sample)
    if isFresh { return }
    do { try decoder.restart(at: sample) } catch { throw .unreadable(error) }
  }

  /// The sync sample from which a sample can be decoded. A sync sample that precedes it in decoding order but
  /// is shown after it does not count, because the sample may refer to pictures before that sync sample.
  private func syncSample(for wanted: Int, _ samples: TrackSamples) -> Int {
    var start = samples.syncSample(atOrBefore: wanted) ?? 0
    let time = samples.compositionTime(at: wanted)
    for _ in 0..<Self.maximumAttempts where start > 0 && samples.compositionTime(at: start) > time {
      start = samples.syncSample(atOrBefore: start - 1) ?? 0
    }
    return start
  }

  /// Decodes until the pictures of a sample are output, or can no longer be output.
  private func take(
    _ wanted: Int, composedAt time: Int64, _ samples: TrackSamples
  ) throws(PictureError) -> PictureGroup? {
    // Pictures that are shown later: those of the description before come out before it.
    var later: [PictureGroup] = []
    defer {
      waiting = later + waiting
      isCrowded = later.count >= Self.maximumLater
    }
    while later.count < Self.maximumLater,
      isWaiting(wanted) || !decoder.hasPassed(wanted),
      let next = try nextDecoded(before: wanted)
    {
      if next.sample == wanted {
        if later.contains(where: { !looks.differ($0.sample, wanted) }) {
          record(
            "pictures are shown in another order than the stream specifies: composition times are missing or wrong"
          )
        }
        return next
      }
      if samples.compositionTime(at: next.sample) > time { later.append(next) }
    }
    return nil
  }

  /// The next group in the output order of the decoder; `nil` after the last one, and where that of a sample can no
  /// longer come.
  private func nextDecoded(before sample: Int = .max) throws(PictureError) -> PictureGroup? {
    isStarted = true
    while waiting.isEmpty {
      if decoder.hasPassed(sample) { return nil }
      let pictures: [DecodedPicture]?
      do { pictures = try decoder.next() } catch { throw .unreadable(error) }
      for problem in decoder.takeProblems() { record("sample \(problem.sample): \(problem.description)") }
      guard let pictures else { return nil }
      group(pictures)
    }
    return waiting.removeFirst()
  }

  /// The halves of a picture that both eyes share; empty for a picture that is too small to have any.
  private func halves(of whole: Picture, _ packed: PackedEyes, _ look: PictureLook) -> [Picture] {
    let picture = whole.decoded
    let half = packed.viewSize(in: picture.size)
    let x = half.width < picture.size.width ? half.width : 0
    let y = half.height < picture.size.height ? half.height : 0
    guard half.width > 0, half.height > 0 else { return [] }
    let first = DisplayGeometry.Region(x: 0, y: 0, width: half.width, height: half.height)
    let second = DisplayGeometry.Region(x: x, y: y, width: half.width, height: half.height)
    return [(packed.first, first), (packed.second, second)].map { eye, part in
      var look = look
      look.geometry = look.geometry.half(part, of: picture.size)
      var half = Picture(picture, eye: eye, look, part: part)
      half.alpha = whole.alpha
      return half
    }
  }

  /// Groups pictures, which are in order of time, and at one time in order of layer.
  private func group(_ pictures: [DecodedPicture]) {
    var current: [DecodedPicture] = []
    func finish() {
      guard let first = current.first else { return }
      let shown = looks[sample: first.tag]
      if looks.areLayersChosen, looks.differ {
        // What is decoded for the pictures of another description is not wanted here.
        let needed = shown.alpha.needed(for: wantedLayers)
        current.removeAll { !needed.contains($0.layerID) }
      }
      let layers = shown.alpha.joined(
        // What both eyes share is no eye's.
        current.map {
          Picture(
            $0, eye: shown.look.packedEyes == nil ? shown.eyes[$0.layerID] : nil, shown.look.look(of: $0))
        },
        wanted: wantedLayers)
      current = []
      guard let lowest = layers.first else { return }
      waiting.append(
        PictureGroup(
          presentationTime: nil, duration: nil, sample: first.tag, layers: layers,
          halves: shown.look.packedEyes.map {
            halves(of: lowest, $0, shown.look.look(of: lowest.decoded))
          } ?? []))
    }
    for picture in pictures {
      if let last = current.last,
        picture.layerID <= last.layerID || picture.orderCount != last.orderCount
      {
        finish()
      }
      current.append(picture)
    }
    finish()
  }
}
