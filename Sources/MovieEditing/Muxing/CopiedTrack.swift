// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A track of another movie that is interleaved with the samples of a stream. Its edits, groups and sample
/// entries are kept.
struct CopiedTrack {
  let track: Track
  private let movie: MovieFile
  private let box: Box
  private let movieTimescale: UInt32
  private var queue: SampleQueue
  /// Every how many samples one is compared.
  private let comparedStep: Int
  private var table = SampleTableBuilder()
  /// The old ranges and new offsets of some samples, for verification.
  private var compared: [(old: Range<UInt64>, new: UInt64)] = []

  /// The approximate number of samples that are compared with the originals.
  private static let comparedSamples = 24
  /// The number of bytes that are copied at once.
  private static let windowBytes: UInt64 = 1 << 20

  /// The name of its movie.
  var movieName: String { movie.source.name ?? "the other movie" }

  init(_ track: Track, of movie: MovieFile) throws(EditError) {
    let name = "track \(track.id) of \(movie.source.name ?? "the other movie")"
    guard let path = BoxPath(track.path), let box = movie.tree?[path],
      let header = movie.tree?.movieHeader, header.timescale > 0
    else { throw EditError(.damaged, "\(name) cannot be read") }
    guard !movie.container.isFragmented else {
      throw .refused(
        "\(name) is in fragments, which are not copied", advice: "Make an ordinary movie of it first.")
    }
    guard track.externalMedia.isEmpty else {
      throw EditError(.externalMedia, "the samples of \(name) are in another file")
    }
    guard !track.mayBeEncrypted else {
      throw EditError(.encrypted, "\(name) is encrypted", advice: "Decrypt it first.")
    }
    if let place = box.unfollowedPlace(at: track.path) { throw place.refusal }
    let samples = try reading(track.samples())
    guard box["mdia/minf/stbl"] != nil else { throw EditError(.damaged, "\(name) has no sample table") }
    self.track = track
    self.movie = movie
    self.box = box
    movieTimescale = header.timescale
    comparedStep = max(1, samples.count / Self.comparedSamples)
    queue = SampleQueue(samples)
  }

  /// The timescale of its movie, which applies to its edits.
  var editTimescale: UInt32 { movieTimescale }

  /// The decoding time of the next sample to write, in seconds; `nil` after the last one.
  var nextTime: Double? { queue.next.map { Double($0.decodeTime) / Double(track.timescale) } }

  /// Writes the samples that are decoded before a time, in seconds, as one chunk.
  mutating func write(before time: Double, to output: any MediaOutput) throws(EditError) {
    table.endChunk()
    let end = Int64(exactly: (time * Double(track.timescale)).rounded(.up)) ?? .max
    do {
      while let taken = queue.take(before: end) { try write(taken, to: output) }
    } catch { throw EditError(error, source: .failed) }
  }

  private mutating func write(_ samples: UniformSamples, to output: any MediaOutput) throws {
    let range = samples.range
    guard range.length == samples.byteCount, let moved = samples.placed(at: output.position) else {
      throw beyondEnd(samples.first.index)
    }
    try table.append(moved)
    for position in samples.positions(every: comparedStep, orLast: queue.next == nil) {
      compared.append((samples[position].range, moved[position].offset))
    }
    var position = range.lowerBound
    while position < range.upperBound {
      let window = position..<(position + min(Self.windowBytes, range.upperBound - position))
      let bytes = try movie.source.read(window)
      guard bytes.count == window.count else {
        let whole = (position - range.lowerBound + UInt64(bytes.count)) / UInt64(samples.first.size)
        throw beyondEnd(samples[Int(whole)].index)
      }
      try output.write(bytes)
      position = window.upperBound
    }
  }

  private func beyondEnd(_ index: Int) -> EditError {
    EditError(
      .unreadable,
      "sample \(index) of track \(track.id) is beyond the end of \(movie.source.name ?? "its file")")
  }

  /// Returns its duration in the timescale of the new movie; 0 if not known.
  func duration(in timescale: UInt32) throws(EditError) -> UInt64 {
    guard let duration = box.first(TrackHeaderBox.self)?.knownDuration else { return 0 }
    guard let value = duration.converted(from: movieTimescale, to: timescale) else {
      throw EditError(.exceedsLimit, "track \(track.id) is too long for the timescale of the movie")
    }
    return value
  }

  /// Returns the box of the track in the new movie.
  ///
  /// - Parameters:
  ///   - id: its new ID.
  ///   - timescale: the timescale of the new movie. If it is not a multiple of that of the old one, durations are
  ///     rounded.
  ///   - ids: the new IDs of all tracks that are copied from the same movie.
  ///   - isQuickTime: whether sound gets the form of QuickTime movies or that of MP4; `nil` to keep its form.
  func trackBox(
    id: UInt32, timescale: UInt32, ids: [UInt32: UInt32], isQuickTime: Bool? = nil
  ) throws(EditError) -> Box {
    var trak = box
    do {
      let duration = try duration(in: timescale)
      try trak.editAll(TrackHeaderBox.self) { header in
        header.trackID = id
        if !header.isDurationUnknown { header.setDuration(duration) }
      }
      let old = movieTimescale
      try trak.editAll(EditListBox.self, in: "edts") { list throws(ParseError) in
        for entry in list.entries.indices {
          guard let value = list.entries[entry].editDuration.converted(from: old, to: timescale) else {
            throw ParseError(.invalid("an edit is too long for the timescale"), offset: 0, path: "edts/elst")
          }
          list.entries[entry].editDuration = value
        }
        list.widen()
      }
      trak.editAll("tref") { references in
        references.mapTrackReferences { _, old in old.compactMap { ids[$0] } }
        references.children.removeAll { $0.payload(TrackReferenceTypeBox.self)?.trackIDs.isEmpty == true }
      }
      try trak.editAll("mdia") { try edit(&$0, isQuickTime) }
      trak.children.removeAll { $0.type == "tref" && $0.children.isEmpty }
    } catch let error as EditError { throw error } catch { throw .refused(error, of: "track \(track.id)") }
    return trak
  }

  /// Gives the media box the new chunk offsets. The other sample tables are kept, because the order of
  /// samples is.
  private func edit(_ mdia: inout Box, _ isQuickTime: Bool?) throws {
    guard var tables = mdia.first("minf")?.first("stbl")?.children else { return }
    // Those of sound that counts frames, too: the new ones count packets.
    let replaced: Set<SampleTableRole?> = track.soundPackets == nil ? [.places] : [.times, .sizes, .places]
    let new = try table.boxes().filter { replaced.contains(SampleTableRole($0.type)) }
    let place = tables.firstIndex { $0.type == "stsc" } ?? tables.endIndex
    tables.removeAll { replaced.contains(SampleTableRole($0.type)) }
    tables.insert(contentsOf: new.filter { $0.type == "stsc" }, at: min(place, tables.endIndex))
    tables += new.filter { $0.type != "stsc" }
    if let place = tables.firstIndex(where: { $0.type == "stsd" }) {
      for entry in tables[place].children.indices {
        tables[place].children[entry] = try track.newEntry(
          tables[place].children[entry], forQuickTime: isQuickTime)
      }
    }
    mdia.editFirst("minf", "stbl") { $0.children = tables }
    if isQuickTime == false, movie.tree?.isQuickTime == true { try mdia.leaveQuickTime() }
  }

  /// Whether its sound has a form that only QuickTime movies have.
  var isQuickTimeSound: Bool {
    track.mediaType == .audio
      && (box["mdia/minf/stbl/stsd"]?.children ?? []).contains { entry in
        let new = entry.sampleEntry(forQuickTime: false)
        guard let form = new.payload(AudioSampleEntry.self)?.form else { return false }
        return Self.quickTimeCodecs.contains(new.type) || form != .basic
      }
  }

  /// QuickTime File Format, Sound Media, of which MP4 has none.
  private static let quickTimeCodecs: Set<FourCC> = [
    "lpcm", "sowt", "twos", "in24", "in32", "fl32", "fl64", "raw ", "NONE", "ulaw", "alaw", "ima4",
  ]

  /// Compares some samples of the written movie with the originals.
  func verify(_ written: any ByteSource) throws(SourceError) {
    for (old, new) in compared {
      let range = new..<(new &+ (old.upperBound - old.lowerBound))
      guard try written.read(range) == movie.source.read(old) else {
        throw SourceError(
          .other("the written data differ: a sample of track \(track.id)"), offset: new,
          advice: "This is a bug in the library: report it.")
      }
    }
  }
}
