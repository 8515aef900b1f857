// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
package import ISOBMFF
public import Multiview

/// Makes a movie from a raw HEVC stream of one or more layers.
///
/// ```swift
/// var options = MuxOptions()
/// options.frameRate = FrameRate(30)
/// var muxer = try StreamMuxer(path: "two-layers.hevc", options: options)
/// muxer.edit = { editor in
///   editor.tracks[0].stereo.baseline = .millimeters(63)
/// }
/// try muxer.write(to: "spatial.mov")
/// ```
///
/// The stream is read once, from beginning to end. The memory is that of an access unit and the sample tables.
/// No NAL unit of a picture is changed.
public struct StreamMuxer {
  /// How the movie is made.
  public var options: MuxOptions
  /// Sets the tags and the metadata of the movie; called when its tracks are known.
  public var edit: ((inout MovieEditor) throws -> Void)?
  /// A movie whose audio tracks are added, with their edits; `nil` for none.
  public var soundSource: MovieFile?
  /// A movie whose metadata is added: its dates, its `meta` and `udta`, and its tracks of timed metadata; `nil`
  /// for none.
  public var metadataSource: MovieFile?
  /// Movies that ``edit`` reads, such as one that tags are copied from: the output must not be one of them.
  public var consultedMovies: [MovieFile] = []
  /// The sources that the units are made from: the output must not be one of these, either.
  package var otherInputs: [any ByteSource] = []
  /// How the pictures are turned; `nil` for not at all.
  package var matrix: TransformationMatrix?
  /// The part of the pictures to show; `nil` for all of them.
  package var cleanAperture: CleanApertureBox?
  /// The language and the name of the pictures.
  package var labels = TrackLabels()
  /// How long nothing is shown before the first picture, if tracks of other movies are copied.
  package var startDelay = MediaTime.zero
  /// When the tracks of other movies end; `nil` for where they do.
  package var copiedEnd: MediaTime?
  private var input: Input
  private let limits: Limits

  /// Where the units come from.
  private enum Input {
    case stream(any ByteSource)
    case units(any UnitReader)
  }

  /// Opens the stream at a path; anything that is not a file is read as a pipe.
  public init(path: String, options: MuxOptions = MuxOptions()) throws(EditError) {
    input = try reading(.stream(openInput(path: path, keeping: .recent)))
    self.options = options
    limits = .standard
  }

  /// Makes a muxer of an open stream.
  ///
  /// - Parameters:
  ///   - source: the stream. Of a pipe, only the first bytes are read twice.
  ///   - options: how the movie is made.
  ///   - limits: the limits of memory and work.
  public init(
    source: any ByteSource, options: MuxOptions = MuxOptions(), limits: Limits = .standard
  ) {
    input = .stream(source)
    self.options = options
    self.limits = limits
  }

  /// Makes a muxer of units that are made while the movie is written: it can write one movie.
  package init(units: any UnitReader, options: MuxOptions = MuxOptions(), limits: Limits = .standard) {
    input = .units(units)
    self.options = options
    self.limits = limits
  }

  /// The same for other units.
  package func with(units: any UnitReader) -> StreamMuxer {
    var muxer = self
    muxer.input = .units(units)
    return muxer
  }

  /// The stream; `nil` if there is none.
  private var source: (any ByteSource)? {
    if case .stream(let source) = input { source } else { nil }
  }

  private var reader: any UnitReader {
    switch input {
    case .stream(let source): ByteStreamReader(source, limits: limits)
    case .units(let units): units
    }
  }

  /// The sources that the output must not overwrite.
  package var inputs: [any ByteSource] {
    [source].compactMap { $0 } + [soundSource, metadataSource].compactMap { $0?.source }
      + consultedMovies.map(\.source) + otherInputs
  }

  /// Writes the movie to a file, which appears when it is complete and verified, or not at all.
  ///
  /// - Parameters:
  ///   - path: where the file is written.
  ///   - progress: called now and then while bytes are written, and before they are read again.
  @discardableResult
  public func write(
    to path: String, progress: ((WritingProgress) -> Void)? = nil
  ) throws(EditError) -> MuxReport {
    let output = try options.writing.output(at: path, inputs: inputs, progress: progress)
    guard options.putsMovieFirst || options.fragmentDuration != nil else { return try write(to: output) }
    return try write(to: output, by: path)
  }

  /// Writes the movie to an output that cannot seek, such as a pipe. Its boxes come first, so the media data
  /// are first written to a temporary file next to `path`, or in the folder for such files.
  package func write(to output: SafeOutput, by path: String) throws(EditError) -> MuxReport {
    var scratchOptions = options.writing
    // The temporary file never gets that name.
    scratchOptions.isOverwriting = true
    let scratch = try scratchOptions.output(at: path + ".media", inputs: inputs, progress: output.progress)
    defer { scratch.cancel() }
    let (session, moov) = try writeMedia(to: scratch)
    var report = session.report
    let draft: MovieFile
    do {
      try scratch.write(ByteView(try moov.encoded()))
      draft = try MovieFile(source: try scratch.reader(), limits: limits)
    } catch { throw EditError(error, source: .failed, other: .failed) }
    var editor = try MovieEditor(draft)
    editor.hasOwnTables = true
    try applyEdit(to: &editor)
    report.changes = editor.changes
    var writeOptions = MovieWriteOptions()
    writeOptions.putsMovieFirst = true
    if let duration = options.fragmentDuration {
      var fragmenter = try MovieFragmenter(try editor.plannedMovie())
      fragmenter.duration = duration
      report.written = try fragmenter.write(to: output, writeOptions).written
    } else {
      report.written = try editor.write(to: output, writeOptions)
    }
    return report
  }

  /// Writes the movie to an open output in one pass, with `moov` last.
  package func write(to output: SafeOutput) throws(EditError) -> MuxReport {
    guard output.canReplace else {
      throw .refused(
        "the output is not seekable, and the size of the media data is not known in advance",
        advice: "Put the movie box first\(.putMovieBoxFirst), or write to a file.")
    }
    var (session, moov) = try writeMedia(to: output)
    let editor = try finish(&moov, output)
    session.report.changes = editor.changes
    do throws(SourceError) {
      try output.write(try Self.encoded(moov))
      try output.finish { source throws(SourceError) in
        for copy in session.copies { try copy.verify(source) }
      }
    } catch { throw EditError(.failed, error) }
    session.report.written = MovieWriteReport(size: output.position, bytesWritten: output.position)
    return session.report
  }

  /// Reads the stream and returns the report, without writing anything.
  public func plannedReport() throws(EditError) -> MuxReport {
    let draft = DraftOutput()
    var (session, moov) = try writeMedia(to: draft)
    session.report.changes = try finish(&moov, draft).changes
    return session.report
  }

  /// Returns the movie as it would be, with the beginning of its media data in memory: for tests and fuzzing.
  package func draftMovie() throws(EditError) -> (movie: MovieFile, report: MuxReport) {
    let draft = DraftOutput()
    var (session, moov) = try writeMedia(to: draft)
    session.report.changes = try finish(&moov, draft).changes
    do {
      let whole = try draft.complete(with: try Self.encoded(moov))
      return (try MovieFile(source: whole, limits: limits), session.report)
    } catch { throw EditError(.failed, because: error, of: "the new movie cannot be read") }
  }

  /// Writes everything except `moov`, and returns `moov` with the session.
  private func writeMedia(to output: any MediaOutput) throws(EditError) -> (MuxSession, Box) {
    guard options.reordering != .ctts0 || options.brand == .mov else {
      throw .refused("signed offsets in a table of version 0 are only valid in QuickTime movies")
    }
    var copies: [CopiedTrack] = [], uncut: [UInt32] = []
    for (movie, type) in [(soundSource, MediaType.audio), (metadataSource, .metadata)] {
      guard let movie, movie.tracks.contains(where: { $0.mediaType == type }) else { continue }
      // Samples are copied by their tables.
      let whole =
        try movie.container.isFragmented ? MovieFlattener(movie, only: type).plannedMovie() : movie
      copies += try self.copies(of: whole, type, uncut: &uncut)
    }
    if let soundSource, !soundSource.tracks.contains(where: { $0.mediaType == .audio }) {
      throw EditError(.missingTrack, "\(soundSource.source.name ?? "the movie") has no sound")
    }
    let timescales = copies.map(\.editTimescale)
    var session = MuxSession(
      reader, options: options, copies: copies, output: output)
    session.startDelay = startDelay
    session.report.uncutTracks = uncut
    if options.brand == .mp4 {
      session.report.quickTimeSound = copies.filter(\.isQuickTimeSound).map(\.track.id)
      let count = session.report.quickTimeSound.count
      if count > 0 { session.note(.quickTimeSound, nil, count) }
    }
    let start: UInt64
    do {
      let fileType = Box("ftyp", MuxedMovie.fileType(options.brand), in: .file, registry: .standard)
      try output.write(ByteView(try fileType.encoded()))
      start = output.position
      try output.writePiece(MuxedMovie.mediaHeader(options.brand, count: 0))
    } catch { throw EditError(error, source: .failed, other: .failed) }
    try session.run()
    guard var times = session.times else { throw EditError(.nothingToDo, "the stream has no pictures") }
    let movie = MuxedMovie(
      options: options, matrix: matrix, cleanAperture: cleanAperture, labels: labels,
      descriptions: session.descriptions, timescale: session.timescale)
    guard let timescale = commonTimescale([session.timescale] + timescales) else {
      let odd =
        copies.first { commonTimescale([session.timescale, $0.editTimescale]) == nil } ?? copies.first
      throw EditError(
        .exceedsLimit,
        "no timescale of a movie is a multiple of both \(odd?.editTimescale ?? 0) (\(odd?.movieName ?? "a copied movie")) and "
          + "\(session.timescale) (the pictures)")
    }
    let ids = newIDs(of: session.copies)
    var others: [Box] = [], length: UInt64 = 0
    for (index, copy) in session.copies.enumerated() {
      others.append(
        try copy.trackBox(
          id: UInt32(clamping: index + 2), timescale: timescale,
          ids: copy.track.mediaType == .audio ? ids.sound : ids.metadata,
          isQuickTime: options.brand == .mov))
      length = max(length, try copy.duration(in: timescale))
    }
    let moov = try movie.movie(
      &times, others: others, movieTimescale: timescale, otherDuration: length,
      metadata: try metadataBoxes(), creationTime: metadataSource?.creationTime)
    let count = output.position - start - 16
    do throws(SourceError) {
      try output.replacePiece(at: start, with: MuxedMovie.mediaHeader(options.brand, count: count))
    } catch { throw EditError(.failed, error) }
    return (session, moov)
  }

  /// The tracks of a type up to ``copiedEnd``: as they are if they end earlier or cannot be cut, and none of which nothing is
  /// presented before that.
  private func copies(
    of movie: MovieFile, _ type: MediaType, uncut: inout [UInt32]
  ) throws(EditError) -> [CopiedTrack] {
    let tracks = movie.tracks.filter { $0.mediaType == type }
    func copies(of tracks: [Track], in movie: MovieFile) throws(EditError) -> [CopiedTrack] {
      var copies: [CopiedTrack] = []
      for track in tracks { copies.append(try CopiedTrack(track, of: movie)) }
      return copies
    }
    let scale = movie.movieTimescale
    guard let copiedEnd, copiedEnd.converted(to: scale) > .zero,
      tracks.contains(where: { !ends($0, of: movie, by: copiedEnd) })
    else { return try copies(of: tracks, in: movie) }
    if var trimmer = try? MovieTrimmer(movie) {
      trimmer.end = .time(copiedEnd)
      if let part = try? trimmer.plannedMovie() {
        return try copies(of: part.tracks.filter { $0.mediaType == type }, in: part)
      }
    }
    // Other tracks of the movie, which are not copied, may be what cannot be cut; or some of these.
    let end = copiedEnd.converted(to: scale)
    var composition = Composition()
    var whole: [Track] = []
    for track in tracks {
      do throws(EditError) {
        guard track.sampleCount > 0 else { continue }
        try ComposedTrack.check(track, of: movie)
        let source = CompositionSource(movie, track, CompositionInsertion())
        let segments = try Composition.segments(of: source, .zero..<end)
        guard segments.contains(where: { !$0.isEmpty }) else { continue }
        var part = CompositionTrack(id: track.id, model: source, mediaType: type)
        part.list.insert(segments, lasting: end, at: .zero)
        composition.tracks.append(part)
      } catch { whole.append(track) }
    }
    do throws(EditError) {
      let part = composition.tracks.isEmpty ? nil : try composition.plannedMovie()
      let cut = try part.map { part throws(EditError) in try copies(of: part.tracks, in: part) } ?? []
      uncut += whole.map(\.id)
      return try cut + copies(of: whole, in: movie)
    } catch {
      uncut += tracks.map(\.id)
      return try copies(of: tracks, in: movie)
    }
  }

  /// Whether nothing of a track is presented after a time.
  private func ends(_ track: Track, of movie: MovieFile, by time: MediaTime) -> Bool {
    guard track.sampleCount > 0 else { return true }
    let scale = movie.movieTimescale
    guard let end = try? TrackCut.presentationEnd(of: track, in: movie, timescale: scale) else {
      return false
    }
    return MediaTime(value: end, timescale: scale) <= time
  }

  /// Maps the IDs of tracks in the other movies to those in the new one. Tracks that describe the pictures of
  /// the movie with the metadata describe those of the stream.
  private func newIDs(of copies: [CopiedTrack]) -> (sound: [UInt32: UInt32], metadata: [UInt32: UInt32]) {
    var sound: [UInt32: UInt32] = [:], metadata: [UInt32: UInt32] = [:]
    if let video = metadataSource?.mainVideoTrack { metadata[video.id] = 1 }
    for (index, copy) in copies.enumerated() {
      let id = UInt32(clamping: index + 2)
      if copy.track.mediaType == .audio { sound[copy.track.id] = id } else { metadata[copy.track.id] = id }
    }
    guard let first = soundSource?.source.files.first?.identity,
      let second = metadataSource?.source.files.first?.identity, first.isSameFile(as: second)
    else { return (sound, metadata) }
    let all = metadata.merging(sound) { $1 }
    return (all, all)
  }

  /// The metadata boxes of the other movie, in the form of the brand. Keys have the form of QuickTime in both brands, which
  /// all readers know.
  private func metadataBoxes() throws(EditError) -> [Box] {
    var boxes = metadataSource?.tree?.first("moov")?.children.filter {
      $0.type == "meta" || $0.type == "udta"
    }
    for box in boxes ?? [] {
      if let place = box.unfollowedPlace(at: "moov/\(box.type)") { throw place.refusal }
    }
    for index in boxes?.indices ?? 0..<0 where boxes?[index].type == "meta" {
      let isFull = options.brand == .mp4 && boxes?[index].first(HandlerBox.self)?.handlerType != "mdta"
      guard boxes?[index].payload(MetaBox.self)?.isFullBox != isFull else { continue }
      try refusing(boxes?[index].edit(MetaBox.self) { $0.isFullBox = isFull })
    }
    return boxes ?? []
  }

  private func applyEdit(to editor: inout MovieEditor) throws(EditError) {
    do { try edit?(&editor) } catch { throw EditError(error, source: .failed, other: .failed) }
  }

  /// Sets the tags of the movie whose media data are written, and returns the editor.
  private func finish(_ moov: inout Box, _ output: any MediaOutput) throws(EditError) -> MovieEditor {
    var editor: MovieEditor
    do throws(SourceError) {
      let whole = try ConcatenatedBytes([try output.soFar(), MemoryBytes(try Self.encoded(moov))])
      editor = try Self.editor(of: whole, limits)
    } catch { throw EditError(.failed, error) }
    editor.hasOwnTables = true
    try applyEdit(to: &editor)
    // Written in one pass, the media data are there already.
    let isOnePass = !options.putsMovieFirst && options.fragmentDuration == nil
    guard !isOnePass || !editor.patches.contains(where: { $0.offset < output.position }) else {
      throw .refused(
        "values in samples cannot be erased, because the samples are written before the tags are known",
        advice: "Put the movie box first\(.putMovieBoxFirst).")
    }
    guard !editor.changes.isEmpty else { return editor }
    guard let edited = try editor.editedTree().first("moov") else {
      throw .lacksMovie
    }
    moov = edited
    let end: ByteView
    do throws(SourceError) { end = try Self.encoded(moov) } catch { throw EditError(.failed, error) }
    _ = try editor.checkedPlan(end, after: output)
    return editor
  }

  private static func editor(of source: any ByteSource, _ limits: Limits) throws(SourceError) -> MovieEditor {
    do { return try MovieEditor(try MovieFile(source: source, limits: limits)) } catch {
      throw SourceError(.other("the written movie cannot be read: \(error)"))
    }
  }

  private static func encoded(_ moov: Box) throws(SourceError) -> ByteView {
    do { return ByteView(try moov.encoded()) } catch { throw SourceError(.other("\(error)")) }
  }
}
