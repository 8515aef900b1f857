// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import FileAccess
import HEVC
import ISOBMFF

/// Values of a track that are computed on first use.
///
/// A movie may have thousands of tracks, and only the class is requested of most of them: memory for the other
/// values is allocated with the first of them.
final class TrackAnalyses: Sendable {
  struct First: Sendable {
    var classification: ClassificationReport?
    var further: Memo<Further>?
  }

  struct Further: Sendable {
    var losses: DiagnosticList?
    var edits: EditList?
    var layers: LayerAnalysis?
    var facts: ClassificationFacts?
    var joined: Track??
    var totals: SampleTotals??
    var randomAccess: RandomAccessGroups?
    var taggedLayers: [TaggedLayer]?
    /// Only for a track with several sample descriptions.
    var mainDescription: UInt32?
    var usedDescriptions: [UsedDescription]?
    /// Values derived for samples with other descriptions than the first sample, by the numbers of these descriptions.
    var described: Locked<[[UInt32]: TrackAnalyses]>?
  }

  private let first = Memo(First())

  var further: Memo<Further> { first.value(\.further) { Memo(Further()) } }

  func classification(_ make: () -> ClassificationReport) -> ClassificationReport {
    first.value(\.classification, make)
  }
}

/// The samples of a track, and what of their tables could not be read.
struct ReadSamples: Sendable {
  let samples: TrackSamples
  let diagnostics: DiagnosticList
}

extension MovieFile {
  /// Releases the memory of the samples of all tracks. They are read again when they are requested again.
  package func releaseSamples() { tracks.first?.context.releaseSamples() }

  /// Whether both are one movie that was opened once.
  package func isSame(as other: MovieFile) -> Bool {
    guard let own = tracks.first?.context, let theirs = other.tracks.first?.context else { return false }
    return own === theirs
  }
}

extension MovieContext {
  fileprivate func releaseSamples() {
    for boxes in trackBoxes { boxes.samples.forget() }
    known.forget(\.fragments)
  }

  /// The samples that movie fragments list, of all tracks.
  func fragments() throws(SourceError) -> FragmentedSamplesBuilder {
    try known.value(\.fragments) { () -> Result<FragmentedSamplesBuilder, SourceError> in
      do throws(SourceError) { return .success(try readFragments()) } catch { return .failure(error) }
    }.get()
  }

  private func readFragments() throws(SourceError) -> FragmentedSamplesBuilder {
    guard let tree else { return FragmentedSamplesBuilder(extends: [], limits: limits) }
    let moov = tree.first("moov")
    let extends = moov?.first("mvex")?.all("trex").compactMap { $0.payload(TrackExtendsBox.self) } ?? []
    var startTimes: [UInt32: Int64] = [:]
    for (index, track) in trackBoxes.enumerated() {
      guard let id = track.header?.trackID, let table = track.sampleTable else { continue }
      // Reading the samples of the track reports these problems.
      var diagnostics = DiagnosticList(limit: 0)
      let contents = try SampleTableContents(table, in: tree, diagnostics: &diagnostics)
      startTimes[id] = SampleTable(contents, limits: sampleLimits(ofTrack: index)).endTime
    }
    var builder = FragmentedSamplesBuilder(
      extends: extends, startTimes: startTimes, limits: sampleLimits(ofTrack: nil))
    // By position: to hand over a box changes four reference counts.
    let boxes = tree.boxes
    for place in boxes.indices where boxes[place].type == "moof" {
      builder.beginMovieFragment(at: UInt64(boxes[place].offset))
      for child in boxes[place].children.indices where boxes[place].children[child].type == "traf" {
        let offset = boxes[place].children[child].offset
        try builder.append(trackFragment: boxes[place].children[child].children, at: offset, in: tree)
      }
    }
    return builder
  }
}

extension Track {
  /// All samples of the track. Tables and fragments are loaded now, once; a raw stream has no tables, and no samples here.
  public func samples() throws(SourceError) -> TrackSamples {
    try samplesWithDiagnostics().samples
  }

  func samplesWithDiagnostics() throws(SourceError) -> ReadSamples {
    // Of thousands of tracks without tables nothing is worth keeping.
    guard sampleTableBox != nil || context.hasFragments else { return try readSamples(complete: true) }
    return try boxes.samples.value { () -> Result<ReadSamples, SourceError> in
      do throws(SourceError) { return .success(try readSamples(complete: true)) } catch {
        return .failure(error)
      }
    }.get()
  }

  private func readSamples(complete: Bool) throws(SourceError) -> ReadSamples {
    var diagnostics = DiagnosticList()
    var contents = SampleTableContents()
    if let stbl = sampleTableBox, let tree = context.tree {
      if complete {
        contents = try SampleTableContents(
          stbl, in: tree, path: path + "/mdia/minf/stbl", diagnostics: &diagnostics)
      } else {
        contents = SampleTableContents(loadedPartsOf: stbl)
      }
    }
    contents.mediaDuration = mediaHeader?.duration ?? 0
    contents.isFragmented = context.hasFragments
    contents.externalDescriptions = externalMedia.entries
    contents.isOtherMediaExternal = externalMedia.otherReference != nil
    let fragments = context.hasFragments ? try fragmentedSamples() : nil
    let samples = TrackSamples(
      table: SampleTable(contents, limits: context.sampleLimits(ofTrack: index)), fragments: fragments,
      edits: edits)
    return ReadSamples(samples: samples, diagnostics: diagnostics)
  }

  /// The edit list; read once.
  public var edits: EditList {
    guard let box = box?.first("edts")?.first("elst") else { return EditList(mediaTimescale: timescale) }
    return lazy.further.value(\.edits) { readEdits(box) }
  }

  private func readEdits(_ box: Box) -> EditList {
    guard let list = editListBox else { return EditList(mediaTimescale: timescale) }
    return EditList(
      entries: list.entries, movieTimescale: context.movieTimescale, mediaTimescale: timescale,
      isFragmented: context.hasFragments,
      path: path + "/edts/elst", offset: box.offset)
  }

  /// The edit list as it applies to all samples; `nil` if there is none, or it cannot be read.
  ///
  /// The movie box of a movie that continues in fragments has durations of its own samples only, which some writers
  /// (phones that record in fragments) also write to the edit. If the last edit presents the last of these samples,
  /// its duration is 0 here: it lasts to the end of the fragments.
  package var editListBox: EditListBox? {
    guard let box = box?.first("edts")?.first("elst"), var list = context.whole(box).payload(EditListBox.self)
    else { return nil }
    guard context.hasFragments, let last = list.entries.last, last.mediaTime >= 0, last.editDuration > 0,
      last.mediaRateInteger == 1, last.mediaRateFraction == 0, let start = startOfLastOwnSample
    else { return list }
    let (media, movie) = (UInt64(timescale), UInt64(max(1, context.movieTimescale)))
    guard media > 0, start < 1 << 62, last.mediaTime < 1 << 62 else { return list }
    let length = last.editDuration.multipliedFullWidth(by: media)
    let wanted = UInt64(max(0, Int64(start) - last.mediaTime)).multipliedFullWidth(by: movie)
    if (length.high, length.low) > (wanted.high, wanted.low) {
      list.entries[list.entries.count - 1].editDuration = 0
    }
    return list
  }

  /// The decoding time of the last sample that the movie box lists, if others are in fragments; `nil` if it lists
  /// none, or no others follow.
  private var startOfLastOwnSample: UInt64? {
    guard let table = sampleTableBox, let times = table.first("stts"),
      let rows = context.whole(times).payload(TimeToSampleBox.self)?.entries,
      let last = rows.last(where: { $0.sampleCount > 0 })
    else { return nil }
    do { guard try !fragmentedSamples().isEmpty else { return nil } } catch { return nil }
    let end = rows.reduce(UInt64(0)) { $0 &+ UInt64($1.sampleCount) &* UInt64($1.sampleDelta) }
    return end &- min(end, UInt64(last.sampleDelta))
  }

  /// The packets that its samples are, if its tables count frames of sound; otherwise `nil`.
  package var soundPackets: SoundPackets? { sampleTableBox.flatMap { SoundPackets($0) } }

  /// How many samples there are, without loading tables.
  public var sampleCount: Int {
    var count = 0
    if let stbl = sampleTableBox {
      // The number precedes the rows, which may not be loaded, at the same place in both kinds.
      if let sizes = stbl.first("stsz") ?? stbl.first("stz2") {
        count = Int(clamping: sizes.body.bigEndian(at: 8, width: 4) ?? 0)
        if let packets = soundPackets { count = packets.count(ofFrames: count) }
      }
    }
    guard context.hasFragments else { return count }
    do { return count + (try fragmentedSamples().count) } catch { return count }
  }

  /// The samples in movie fragments. Fragments know tracks by their ID: of several with the same one, which no intact file
  /// has, the first has them.
  private func fragmentedSamples() throws(SourceError) -> FragmentedSamples {
    try isFirstOfItsID ? context.fragments().samples(ofTrack: id) : .none
  }

  /// Whether no track before this one has the same ID.
  var isFirstOfItsID: Bool { context.trackIndices[id] == index }

  /// The first sample, without loading tables; `nil` if there is none. It is that of the whole tables if these were read already:
  /// the parts of large tables that are loaded with the boxes may not reach as far as the first sample.
  var firstSample: Sample? {
    do {
      if case .success(let known)? = boxes.samples.valueIfMade { return known.samples.sample(at: 0) }
      return try readSamples(complete: false).samples.sample(at: 0)
    } catch { return nil }
  }
}
