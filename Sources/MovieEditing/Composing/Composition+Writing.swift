// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

extension Composition: MovieConversion {
  /// Plans the new movie, with boxes in the order of the movie that was inserted first.
  public func plan() throws(EditError) -> ConversionPlan<CutReport> {
    var (editor, report, differences) = try planned()
    report.notices += differences.notices
    report.addHiddenPictures()
    return ConversionPlan(editor, report, of: movies, like: base, written: \.written)
  }

  private static let nothing = EditError(.nothingToDo, "the composition is empty")

  /// The differences between tracks that become one.
  struct Differences {
    /// Differences in stereo and spatial tags, size, orientation and layers.
    var spatial: [String] = []
    /// Layers that show another eye.
    var eyes: [String] = []
    /// Differences in sample rate and channels of sound.
    var sound: [String] = []

    var notices: [CutReport.Notice] {
      eyes.map { .eyesChange($0) } + spatial.map { .spatialDifference($0) }
        + sound.map { .soundDifference($0) }
    }
  }

  /// Returns the movie as it would be, the report on it, and the differences between its parts.
  func planned() throws(EditError) -> (editor: MovieEditor, report: CutReport, differences: Differences) {
    guard let base = base ?? movies.first else { throw Self.nothing }
    let scale = try timescale(base)
    var report = CutReport(range: MediaTime(value: 0, timescale: scale)..<duration.converted(to: scale))
    report.notices = notices
    var composer = MovieComposer(base: base, timescale: scale, open: open)
    composer.presentations = presentations
    composer.keepsSoundLength = isWholeMovie
    var differences = Differences()
    var ids = Set(tracks.map(\.id)), used: Set<UInt32> = []
    for track in tracks where track.segments.contains(where: { !$0.isEmpty }) {
      try checkSpeeds(track, base)
      var plan = try TrackPlan(track, in: base)
      // Tracks of other compositions may have the same IDs.
      if track.id == 0 || !used.insert(track.id).inserted {
        plan.composed.id = Self.freeID(ids)
        ids.insert(plan.composed.id)
      }
      for inserted in Self.sourceSegments(of: track) {
        try plan.add(inserted, to: &composer, timescale: scale)
      }
      report.notices += plan.notices
      differences.spatial += plan.differences.spatial
      differences.eyes += plan.differences.eyes
      differences.sound += plan.differences.sound
      composer.tracks.append(plan.composed)
    }
    let editor = try MovieEditor(draft: try composer.draft(), of: movies)
    report.notices += composer.leftOut.map {
      .trackLeftOut(trackID: $0.track.id, mediaType: $0.track.mediaType, reason: $0.reason)
    }
    let boxes = composer.leftOutBoxes
    if !boxes.isEmpty { report.notices.append(.boxesLeftOut(boxes)) }
    report.notices += try composer.tracksWithoutFlags().map { .sampleFlagsLeftOut(trackID: $0) }
    if composer.leftOutSoundLength {
      report.notices.append(
        .keyLeftOut(MovieComposer.soundLength, reason: "it counts the samples of sound of the whole file"))
    }
    if composer.chaptersLeftOut > 0 { report.notices.append(.chaptersLeftOut(composer.chaptersLeftOut)) }
    report.tracks = composer.tracks.map { track in
      CutReport.CutTrack(
        id: track.id, mediaType: track.model.mediaType, samples: track.composer.samples.count,
        hiddenSamples: track.composer.samples.count - track.composer.presentedCount,
        hiddenBefore: track.composer.hiddenBefore)
    }
    return (editor, report, differences)
  }

  /// The timescale in which all times of the composition are integers.
  private func timescale(_ base: MovieFile) throws(EditError) -> UInt32 {
    var scales: Set<UInt32> = [base.movieTimescale]
    for track in tracks {
      for segment in track.segments {
        scales.insert(segment.timeRange.lowerBound.reduced.timescale)
        scales.insert(segment.timeRange.upperBound.reduced.timescale)
      }
    }
    guard let scale = commonTimescale(scales.sorted()) else {
      throw EditError(
        .exceedsLimit, "no timescale can express the times of all movies as whole numbers",
        advice: "Their timescales are \(scales.sorted().prefix(8).map(String.init).joined(separator: ", ")).")
    }
    return scale
  }

  /// Refuses rates other than 1 in MP4: edits of ISO/IEC 14496-12 (8.6.6) do not support them, those of QuickTime do.
  private func checkSpeeds(_ track: CompositionTrack, _ base: MovieFile) throws(EditError) {
    func hasSpeed(_ segment: CompositionSegment) -> Bool {
      // What an MP4 file has itself is kept.
      segment.isScaled
        || segment.mediaRate != TrackCut.Edit.normalRate && segment.movie?.container.isQuickTime == true
    }
    guard !base.container.isQuickTime, track.segments.contains(where: hasSpeed) else { return }
    throw .refused(
      "an MP4 edit list cannot change the playback speed, but track \(track.id) needs that",
      advice: "Begin the composition with a QuickTime movie.")
  }

  /// Consecutive segments that were inserted together.
  struct SourceSegments {
    let source: CompositionSource
    /// The duration of the empty time before it.
    var before: MediaTime
    var segments: ArraySlice<CompositionSegment>
  }

  private static func sourceSegments(of track: CompositionTrack) -> [SourceSegments] {
    let segments = track.segments
    var found: [SourceSegments] = []
    var end = 0
    for (index, segment) in segments.enumerated() {
      guard let source = segment.source else { continue }
      if let last = found.indices.last, found[last].source === source {
        found[last].segments = segments[found[last].segments.startIndex...index]
      } else {
        let before = segments[end..<index].reduce(MediaTime.zero) { $0 + $1.duration }
        found.append(SourceSegments(source: source, before: before, segments: segments[index...index]))
      }
      end = index + 1
    }
    return found
  }
}

/// The plan of a track of a composition.
private struct TrackPlan {
  var composed: ComposedTrack
  private let model: CompositionSource
  /// Whether the new movie is a QuickTime movie.
  private let isQuickTime: Bool
  /// The sample entries so far.
  private var entries: [Box] = []
  /// Their numbers, by what has an effect on how samples are read; once that was asked.
  private var knownEntries: [[UInt8]: UInt32] = [:]
  private(set) var notices: [CutReport.Notice] = []
  private(set) var differences = Composition.Differences()

  init(_ track: CompositionTrack, in base: MovieFile) throws(EditError) {
    self.model = track.model
    guard let model = track.model.track else { throw .refused("track \(track.id) has no model") }
    let sources = track.segments.compactMap { $0.source?.track }
    guard let timescale = commonTimescale([model.timescale] + sources.map(\.timescale)) else {
      throw EditError(
        .exceedsLimit, "no timescale can express the times of track \(track.id) as whole numbers")
    }
    composed = ComposedTrack(
      model: model, movie: track.model.movie, cuts: [], composer: TrackComposer(timescale: timescale),
      id: track.id)
    isQuickTime = base.container.isQuickTime
    if composed.movie.container.isQuickTime != isQuickTime { composed.isInQuickTimeForm = isQuickTime }
    for description in model.formatDescriptions {
      entries.append(try model.newEntry(description.box, forQuickTime: composed.isInQuickTimeForm))
    }
  }

  mutating func add(
    _ inserted: Composition.SourceSegments, to composer: inout MovieComposer, timescale: UInt32
  ) throws(EditError) {
    guard let track = inserted.source.track else { return }
    let movie = inserted.source.movie
    do throws(EditError) {
      composer.open.use(movie)
      var cut = try TrackCut(
        track, of: movie, inserted.segments, timescale: timescale, followsOthers: !composed.cuts.isEmpty)
      if cut.lacksStart { notices.append(.lacksStart(trackID: track.id)) }
      cut.part = composer.part(of: inserted.source.insertion, movie)
      cut.before = inserted.before.converted(to: timescale).value
      cut.duration = inserted.segments.reduce(0) { $0 &+ $1.duration.converted(to: timescale).value }
      // The sample entries of the model keep their numbers.
      if inserted.source !== model { cut.descriptions = try numbers(of: track) }
      composed.cuts.append(cut)
    } catch {
      guard composer.parts.count > 1 else { throw error }
      throw error.about(movie.source.name ?? "movie \(composer.parts.count)")
    }
    composed.addedEntries = Array(entries.dropFirst(composed.model.formatDescriptions.count))
    guard composed.cuts.count > 1 else { return }
    let name = movie.source.name ?? "movie \(composer.parts.count)"
    if track.mediaType == .video { compare(track, composed.model, name) }
    if track.mediaType == .audio { compareSound(track, composed.model, name) }
  }

  /// Returns the new number of each sample entry of a track; equal entries are listed once.
  private mutating func numbers(of track: Track) throws(EditError) -> [UInt32] {
    if knownEntries.isEmpty { for number in entries.indices { note(entries[number], UInt32(number + 1)) } }
    var numbers: [UInt32] = []
    for description in track.formatDescriptions {
      let own = try track.newEntry(description.box, forQuickTime: nil)
      let entry = try track.newEntry(description.box, forQuickTime: isQuickTime)
      if let known = knownEntries[Self.comparable(own)] ?? knownEntries[Self.comparable(entry)] {
        numbers.append(known)
      } else {
        entries.append(try added(entry))
        numbers.append(UInt32(entries.count))
        note(entries[entries.count - 1], UInt32(entries.count))
      }
    }
    return numbers
  }

  /// Records a sample entry. If two entries are equal, the first one is used.
  private mutating func note(_ entry: Box, _ number: UInt32) {
    let comparable = Self.comparable(entry)
    if knownEntries[comparable] == nil { knownEntries[comparable] = number }
  }

  /// Returns a sample entry of another movie with the data reference of the other entries, which is the file itself.
  private func added(_ entry: Box) throws(EditError) -> Box {
    guard let reference = entries.first?.dataReferenceIndex, entry.dataReferenceIndex != reference else {
      return entry
    }
    var entry = entry
    do throws(ParseError) { try entry.setDataReferenceIndex(reference) } catch {
      throw .refused(error, of: "the sample entry \(entry.type) cannot be moved to another movie")
    }
    return entry
  }

  /// Records how the sound differs from that of the first movie.
  private mutating func compareSound(_ track: Track, _ model: Track, _ name: String) {
    guard let own = track.formatDescriptions.first?.audio, let other = model.formatDescriptions.first?.audio,
      own.sampleRate != other.sampleRate || own.channelCount != other.channelCount
    else { return }
    func text(_ format: AudioFormat) -> String {
      let rate = format.sampleRate.map { "\($0 / 1_000) kHz" } ?? "an unknown rate"
      return rate + ", " + (format.channelCount.map { "channels: \($0)" } ?? "channels unknown")
    }
    let difference = "\(name): its sound has \(text(own)), but that of the previous movie has \(text(other))"
    if !differences.sound.contains(difference) { differences.sound.append(difference) }
  }

  /// Records how the pictures differ from those of the first movie.
  private mutating func compare(_ track: Track, _ model: Track, _ name: String) {
    func differs(_ what: String) {
      let difference = "\(name): \(what)"
      if !differences.spatial.contains(difference) { differences.spatial.append(difference) }
    }
    if let size = track.header, let other = model.header {
      if size.width != other.width || size.height != other.height {
        differs("the picture size differs")
      }
      if size.matrix != other.matrix { differs("the picture orientation differs") }
    }
    compareEyes(track, model, name)
    let tags = track.formatDescriptions.first.map { StereoTags($0.stereo) }
    let others = model.formatDescriptions.first.map { StereoTags($0.stereo) }
    if tags != others { differs("the stereo and spatial tags differ") }
    if (track.formatDescriptions.first?.box.first("lhvC") == nil)
      != (model.formatDescriptions.first?.box.first("lhvC") == nil)
    {
      differs("the number of layers differs")
    }
    compareColours(track, model, differs)
  }

  /// Records what pictures of the tracks need different screens for: their brightness, and the number of bits.
  private func compareColours(_ track: Track, _ model: Track, _ differs: (String) -> Void) {
    // Players show pictures whose range is not specified as SDR.
    let (range, other) = (track.colour.videoRange ?? "SDR", model.colour.videoRange ?? "SDR")
    if range != other { differs("its pictures are \(range), but those of the previous movie are \(other)") }
    func bits(_ track: Track) -> Int? { track.joined.layers.first { $0.layerID == 0 }?.bitDepthLuma }
    if let depth = bits(track), let other = bits(model), depth != other {
      differs("its pictures have \(depth) bits, but those of the previous movie have \(other)")
    }
  }

  /// Records which layers, or halves of pictures with both views, show another eye than in the first movie.
  private mutating func compareEyes(_ track: Track, _ model: Track, _ name: String) {
    let own = ShownEyes(track), others = ShownEyes(model)
    for (place, eye) in own.eyes.sorted(by: { $0.key < $1.key }) {
      guard let other = others.eyes[place], other != eye else { continue }
      differences.eyes.append(
        "\(name): \(place) shows \(eye.words), but \(other.words) in the previous movie: players that read the "
          + "tags only once would swap the eyes")
      return
    }
  }

  /// Returns the bytes of a sample entry without fields that do not affect how samples are read.
  private static func comparable(_ entry: Box) -> [UInt8] {
    var entry = entry
    entry.children.removeAll { $0.type == "btrt" }
    do {
      if entry.dataReferenceIndex != nil { try entry.setDataReferenceIndex(1) }
      if entry.payload(VisualSampleEntry.self) != nil {
        try entry.edit(VisualSampleEntry.self) {
          $0.compressorNameField = VisualSampleEntry().compressorNameField
        }
      }
      return try entry.encoded()
    } catch { return entry.bytes.array }
  }
}

/// Which eye each part of the pictures of a track shows, over all of its sample entries.
struct ShownEyes {
  /// The eyes that something shows.
  enum Shown: Hashable {
    case left, right
    /// Some sample entries have one eye, some the other.
    case both

    init(_ eye: StereoEye) { self = eye == .left ? .left : .right }

    /// The eyes in words.
    var words: String {
      switch self {
      case .left: "the left eye"
      case .right: "the right eye"
      case .both: "each eye in turn"
      }
    }
  }

  /// The eyes by what shows them: `layer 0`, `the first half`.
  private(set) var eyes: [String: Shown] = [:]

  init(_ track: Track) {
    for (index, description) in track.formatDescriptions.enumerated() {
      let analysis =
        track.formatDescriptions.count > 1
        ? track.layerAnalysis(ofDescription: UInt32(index + 1)) : track.layerAnalysis
      for (layer, eye) in analysis.eyeAssignment.eyes where analysis.eyeAssignment.eyes.count > 1 {
        add("layer \(layer)", Shown(eye))
      }
      let stereo = description.stereo
      if stereo.packing != nil, stereo.hasBothEyeViews {
        add("the first half", stereo.eyeViewsReversed == true ? .right : .left)
      }
    }
  }

  private mutating func add(_ place: String, _ eye: Shown) {
    eyes[place] = eyes[place].map { $0 == eye ? eye : .both } ?? eye
  }
}
