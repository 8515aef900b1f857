// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCDecoding
import ISOBMFF
public import Multiview

extension Track {
  /// Reads the pictures that the track shows from a time on, in the order and at the times at which its edit list shows them.
  /// Decoding starts at the sync sample before.
  ///
  /// ```swift
  /// let pictures = try track.pictures(from: MediaTime(value: 3, timescale: 2))
  /// while let group = try pictures.next() {
  ///   guard let left = group[.left], let right = group[.right] else { continue }
  ///   print(group.presentationTime?.seconds ?? 0, left.size, right.size)
  /// }
  /// ```
  ///
  /// - Throws: ``PictureError`` where the track is not HEVC, is encrypted, has none of the wanted layers, or cannot be read; for
  ///   a raw stream where the time is not 0, because it has no times.
  public func pictures(
    from time: MediaTime = .zero, options: PictureOptions = PictureOptions()
  ) throws(PictureError) -> PictureGroupReader {
    try PictureGroupReader(self, from: time, options)
  }
}

/// Reads the pictures of a track one moment after the other, when they are asked for: see `Track.pictures(from:options:)`.
///
/// What cannot be decoded is left out, and ``takeProblems()`` says why. One reader serves one task.
public final class PictureGroupReader {
  private let track: Track
  private let samples: TrackSamples?
  private let decoder: TrackDecoder
  private let look: PictureLook
  private let eyes: [UInt8: StereoEye]
  private let wantedLayers: Set<UInt8>?
  private let alpha: AlphaLayers
  /// The place in the order of presentation that is next.
  private var position = 0
  /// Moments that were decoded and have not been shown, the next one first.
  private var waiting: [PictureGroup] = []
  /// The moment that was shown last: an edit may show it for longer.
  private var last: PictureGroup?
  private var isStarted = false
  /// Whether pictures were passed over that may be wanted.
  private var isLost = false
  /// Whether the next picture was chosen: what precedes it is not decoded, but for that on which it depends.
  private var isJump = true
  private var problems: [String] = []

  /// How many samples after a picture it can still come out: more than any picture buffer holds.
  private static let longestDelay = 64
  /// How many sync samples are tried, if decoding from the last one does not give the picture.
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
    let available = track.layers.map(\.layerID)
    for layer in (options.layers ?? []).sorted() where !available.contains(layer) {
      throw .noSuchLayer(layer, available: available)
    }
    wantedLayers = options.layers
    alpha = AlphaLayers(track)
    if let layers = alpha.needed(for: options.layers) {
      var wanted = LayerIDSet()
      for layer in layers { wanted.insert(layer) }
      decoding.layers = wanted
    }
    look = PictureLook(track)
    eyes = track.eyeAssignment.eyes
    do {
      samples = track.isRawStream ? nil : try track.samples()
      decoder = try TrackDecoder(track, decoding)
    } catch { throw .unreadable(error) }
    try move(to: time)
  }

  /// How many pictures were decoded so far.
  package var decodedCount: Int { decoder.decodedCount }

  /// Why pictures were left out since the last call, in words.
  public func takeProblems() -> [String] {
    defer { problems = [] }
    return problems
  }

  /// Continues at what is shown at a time, or next after it.
  ///
  /// - Throws: ``PictureError/noTimes`` for a raw stream, unless the time is 0.
  public func move(to time: MediaTime) throws(PictureError) {
    guard let samples else {
      if time == .zero, !isStarted { return }
      throw .noTimes
    }
    let units = time.roundedDown(toUnitsOf: track.timescale)
    isJump = true
    guard let found = samples.presentation(atOrBefore: units) else {
      position = 0
      return
    }
    position = found.range.upperBound > units || found.range.isEmpty ? found.position : found.position + 1
  }

  /// The pictures of the next moment; `nil` after the last one.
  ///
  /// - Throws: ``PictureError/unreadable(_:)`` where bytes cannot be read.
  public func next() throws(PictureError) -> PictureGroup? {
    guard let samples else { return try nextDecoded() }
    while let shown = samples.presentation(at: position) {
      position += 1
      // An edit may run so fast that no time is left for a picture.
      if shown.range.isEmpty { continue }
      guard let group = try decode(shown.sample, samples) else {
        record("sample \(shown.sample) has no picture that can be decoded")
        continue
      }
      let time = MediaTime(value: shown.range.lowerBound, timescale: track.timescale)
      let duration =
        shown.range.upperBound == .max
        ? nil
        : MediaTime(
          value: shown.range.upperBound.subtractingReportingOverflow(shown.range.lowerBound).partialValue,
          timescale: track.timescale)
      let presented = group.presented(at: time, for: duration)
      last = presented
      return presented
    }
    return nil
  }

  /// The pictures that can be seen at a time; `nil` where nothing is shown then. ``next()`` continues after them.
  ///
  /// Pictures between that are not needed are passed over, and where the time is before what came last, or so far after it that
  /// a sync sample is nearer, decoding starts anew.
  ///
  /// - Throws: ``PictureError/noTimes`` for a raw stream, and ``PictureError/notDecoded(sample:reason:)``.
  public func group(shownAt time: MediaTime) throws(PictureError) -> PictureGroup? {
    guard let samples else { throw .noTimes }
    let units = time.roundedDown(toUnitsOf: track.timescale)
    guard let shown = samples.presentation(atTime: units) else { return nil }
    position = shown.position
    isJump = true
    let known = problems.count
    guard let group = try next(), group.sample == shown.sample else {
      throw .notDecoded(sample: shown.sample, reason: reason(after: known))
    }
    return group
  }

  /// The pictures of a sample, when it is shown first; of a raw stream those of an access unit.
  ///
  /// - Throws: ``PictureError/notDecoded(sample:reason:)`` where they do not come out of the decoder, and
  ///   ``PictureError/unsupported(_:)`` where there is no such sample, or none that is shown.
  public func group(ofSample index: Int) throws(PictureError) -> PictureGroup {
    let known = problems.count
    guard let samples else {
      guard let group = try find(index) else {
        throw .notDecoded(sample: index, reason: reason(after: known))
      }
      return group
    }
    guard index >= 0, index < samples.count else {
      throw .unsupported("there is no sample \(index): the track has \(samples.count), counted from 0")
    }
    guard let shown = samples.firstPresentation(of: index) else {
      throw .unsupported("sample \(index) is never shown: the edit list leaves it out")
    }
    position = shown.position
    isJump = true
    guard let group = try next(), group.sample == index else {
      throw .notDecoded(sample: index, reason: reason(after: known))
    }
    return group
  }

  private func reason(after known: Int) -> String {
    problems.dropFirst(known).first ?? problems.last ?? "it does not come out of the decoder"
  }

  private func record(_ problem: String) {
    // What is read again says so again.
    if problems.count < 100, !problems.contains(problem) { problems.append(problem) }
  }

  // MARK: Decoding

  /// The pictures of a sample; `nil` where they cannot be decoded.
  private func decode(_ wanted: Int, _ samples: TrackSamples) throws(PictureError) -> PictureGroup? {
    if let last, last.sample == wanted { return last }
    let start = syncSample(for: wanted, samples)
    let time = samples.compositionTime(at: wanted)
    let isBehind = last.map { samples.compositionTime(at: $0.sample) >= time } ?? false
    let isWaiting = waiting.contains { $0.sample == wanted }
    let isJump = isJump
    self.isJump = false
    if isStarted, !isLost, !isBehind, isWaiting || start <= decoder.nextSample {
      if isWaiting || !isJump {
        let found = try take(wanted, composedAt: time, samples)
        if !decoder.isInexact { return found }
      } else if let found = try skip(to: wanted) {
        return found
      }
    }
    var candidate: Int? = start
    for _ in 0..<Self.maximumAttempts {
      guard let from = candidate else { break }
      let isInexact = decoder.isInexact
      try restart(at: from)
      let found =
        isJump && !isInexact ? try skip(to: wanted) : try take(wanted, composedAt: time, samples)
      if let found { return found }
      // Once more from the same sample, where damage is why.
      if !decoder.isInexact { candidate = from > 0 ? samples.syncSample(atOrBefore: from - 1) ?? 0 : nil }
    }
    return nil
  }

  /// The pictures of an access unit of a raw stream, which come after those that came last.
  private func find(_ index: Int) throws(PictureError) -> PictureGroup? {
    if !waiting.contains(where: { $0.sample == index }) {
      if let found = try skip(to: index) { return found }
      guard decoder.isInexact else { return nil }
      try restart(at: 0)
    }
    while let group = try nextDecoded() {
      if group.sample == index { return group }
    }
    return nil
  }

  /// The pictures of a sample, without decoding what they do not depend on; `nil` where they do not come out, and where damage makes
  /// them others than they would be with all that precedes them.
  private func skip(to wanted: Int) throws(PictureError) -> PictureGroup? {
    isStarted = true
    waiting = []
    let pictures: [DecodedPicture]?
    do { pictures = try decoder.skip(to: wanted, within: Self.longestDelay) } catch {
      throw .unreadable(error)
    }
    for problem in decoder.takeProblems() { record("sample \(problem.sample): \(problem.description)") }
    if let pictures, !decoder.isInexact { group(pictures) }
    // What was passed over in vain may be wanted later.
    isLost = waiting.isEmpty
    return isLost ? nil : waiting.removeFirst()
  }

  private func restart(at sample: Int) throws(PictureError) {
    waiting = []
    isStarted = true
    isLost = false
    if decoder.nextSample == sample, last == nil { return }
    do { try decoder.restart(at: sample) } catch { throw .unreadable(error) }
  }

  /// The sync sample from which a sample can be decoded: not the one that it follows in the order of decoding and precedes when
  /// shown, because what it refers to may be before that.
  private func syncSample(for wanted: Int, _ samples: TrackSamples) -> Int {
    var start = samples.syncSample(atOrBefore: wanted) ?? 0
    let time = samples.compositionTime(at: wanted)
    for _ in 0..<Self.maximumAttempts where start > 0 && samples.compositionTime(at: start) > time {
      start = samples.syncSample(atOrBefore: start - 1) ?? 0
    }
    return start
  }

  /// Decodes until the pictures of a sample come out, or can come no more.
  private func take(
    _ wanted: Int, composedAt time: Int64, _ samples: TrackSamples
  ) throws(PictureError) -> PictureGroup? {
    while true {
      guard let next = try nextDecoded() else { return nil }
      if next.sample == wanted { return next }
      let (limit, overflow) = wanted.addingReportingOverflow(Self.longestDelay)
      if samples.compositionTime(at: next.sample) > time || !overflow && next.sample > limit {
        waiting.insert(next, at: 0)
        return nil
      }
    }
  }

  /// The next moment in the order in which the decoder gives them.
  private func nextDecoded() throws(PictureError) -> PictureGroup? {
    isStarted = true
    while waiting.isEmpty {
      let pictures: [DecodedPicture]?
      do { pictures = try decoder.next() } catch { throw .unreadable(error) }
      for problem in decoder.takeProblems() { record("sample \(problem.sample): \(problem.description)") }
      guard let pictures else { return nil }
      group(pictures)
    }
    return waiting.removeFirst()
  }

  /// What each eye sees of a picture that both share; nothing where a half would begin within a chroma sample.
  private func halves(of whole: Picture, _ packed: PackedEyes) -> [Picture] {
    let picture = whole.decoded
    let half = packed.viewSize(in: picture.size)
    let x = half.width < picture.size.width ? half.width : 0
    let y = half.height < picture.size.height ? half.height : 0
    guard half.width % picture.format.subWidthC == 0, half.height % picture.format.subHeightC == 0,
      half.width > 0, half.height > 0
    else { return [] }
    let first = DisplayGeometry.Region(x: 0, y: 0, width: half.width, height: half.height)
    let second = DisplayGeometry.Region(x: x, y: y, width: half.width, height: half.height)
    return [(packed.first, first), (packed.second, second)].map { eye, part in
      var half = Picture(picture, eye: eye, look, part: part)
      half.alpha = whole.alpha
      return half
    }
  }

  /// Pictures come by time, and those of one time by ascending layer.
  private func group(_ pictures: [DecodedPicture]) {
    var current: [DecodedPicture] = []
    func finish() {
      guard let first = current.first else { return }
      let layers = alpha.joined(
        current.map { Picture($0, eye: eyes[$0.layerID], look) }, wanted: wantedLayers)
      current = []
      guard let lowest = layers.first else { return }
      waiting.append(
        PictureGroup(
          presentationTime: nil, duration: nil, sample: first.tag, layers: layers,
          halves: look.packedEyes.map { halves(of: lowest, $0) } ?? []))
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
