// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import FileAccess
import ISOBMFF
public import Multiview

/// Makes a folder for streaming by HLS: segments and playlists, without re-encoding.
///
/// ```swift
/// var packager = try MoviePackager([movie])
/// packager.duration = MediaTime(value: 6, timescale: 1)
/// try packager.write(to: "stream")   // stream/master.m3u8
/// ```
///
/// The main video track of each movie is a variant. The audio tracks of the first movie that has any, and those
/// of movies without video, are renditions. A stereo variant of several layers gets a flat variant of its base
/// layer, for players that show one eye.
public struct MoviePackager: Sendable {
  /// The movies.
  public let movies: [MovieFile]
  /// The least duration of a segment, which ends at the next sync sample; 6 seconds by default.
  public var duration = MediaTime(value: 6, timescale: 1)
  /// Whether all segments of a track are in one file, so that playlists name byte ranges.
  public var usesSingleFiles = false
  /// Whether a stereo variant of several layers gets a flat variant of its base layer.
  public var addsFlatVariants = true
  /// Whether composition offsets have no signs, and an edit begins later by the same time, for readers that present
  /// pictures late if offsets in fragments are negative.
  public var writesEditsForOffsets = false
  /// The date and time at which the presentation begins, in ISO 8601; with `nil`, playlists have none.
  public var programDate: String?
  /// The folder in which the new folder is made until it is complete, on the same disk; `nil` for beside it.
  public var temporaryFolder: String?

  /// Makes a packager of movies with the same content, coded in different ways.
  ///
  /// - Throws: ``EditError`` if there is no movie, or one of them cannot be packaged.
  public init(_ movies: [MovieFile]) throws(EditError) {
    guard !movies.isEmpty else { throw EditError(.nothingToDo, "no movie is given") }
    for movie in movies { try movie.checkComposable() }
    self.movies = movies
  }

  /// Returns what the folder would contain, without writing it.
  public func plannedReport() throws(EditError) -> PackageReport {
    let content = try planned()
    return content.report
  }

  /// Writes the folder, which appears when it is complete, or not at all. Nothing may exist at the path.
  ///
  /// - Parameters:
  ///   - path: where the folder is written.
  ///   - progress: called now and then while bytes are written.
  @discardableResult
  public func write(
    to path: String, progress: ((WritingProgress) -> Void)? = nil
  ) throws(EditError) -> PackageReport {
    var content = try planned()
    let options = StreamRendition.PlaylistOptions(
      usesSingleFile: usesSingleFiles, programDate: programDate)
    var size: UInt64 = 0
    do throws(SourceError) {
      let folder = try SafeFolder(path: path, temporaryFolder: temporaryFolder)
      folder.progress = progress
      func add(_ name: String, _ text: String) throws(SourceError) {
        size += try folder.addFile(name) { output throws(SourceError) in try output.write(Array(text.utf8)) }
      }
      for rendition in content.renditions {
        try folder.makeFolder(rendition.name)
        size += try write(rendition, options, to: folder)
        try add(rendition.name + "/media.m3u8", rendition.playlist(options))
        if content.pictures.contains(rendition.name) {
          try add(rendition.name + "/iframes.m3u8", rendition.picturePlaylist(options))
        }
      }
      if let venue = content.venue {
        size += try folder.addFile(Self.venueFile) { output throws(SourceError) in
          try output.write(venue)
        }
      }
      try add("master.m3u8", content.master)
      try folder.finish()
    } catch { throw EditError(.failed, error) }
    content.report.written = MovieWriteReport(size: size, bytesWritten: size)
    return content.report
  }

  private func write(
    _ rendition: StreamRendition, _ options: StreamRendition.PlaylistOptions, to folder: SafeFolder
  ) throws(SourceError) -> UInt64 {
    let inputs = [rendition.movie.source]
    func add(_ name: String, _ plan: () throws(EditError) -> WritePlan) throws(SourceError) -> UInt64 {
      let made: WritePlan
      do throws(EditError) { made = try plan() } catch { throw SourceError(.other(error.reason)) }
      return try folder.addFile(rendition.name + "/" + name, inputs: inputs) { output throws(SourceError) in
        try made.write(to: &output)
      }
    }
    if options.usesSingleFile {
      return try add(rendition.mediaFile(options)) { () throws(EditError) in try rendition.plan() }
    }
    var size = try folder.addFile(rendition.name + "/" + rendition.mediaFile(options)) {
      output throws(SourceError) in try output.write(rendition.initSegment)
    }
    for (index, segment) in rendition.segments.enumerated() {
      size += try add(StreamRendition.segmentFile(index)) { () throws(EditError) in
        try rendition.plan(of: segment)
      }
    }
    return size
  }

  // MARK: The plan

  private struct Content {
    var video: [StreamRendition] = []
    var sound: [StreamRendition] = []
    /// The names of the renditions that have an I-frame playlist.
    var pictures: Set<String> = []
    /// The description of the venue of immersive video; `nil` if no variant is immersive.
    var venue: [UInt8]?
    var master = ""
    var report = PackageReport()
    var renditions: [StreamRendition] { video + sound }

    /// Gives all renditions the same target duration.
    mutating func shareTargetDuration() {
      let target = renditions.map(\.leastTargetDuration).max() ?? 1
      for index in video.indices { video[index].targetDuration = target }
      for index in sound.indices { sound[index].targetDuration = target }
    }

    /// Adds a notice if renditions end at different times. They are presented together or in turn. RFC 8216, 6.2.4
    mutating func noteLengths() {
      let ends = renditions.map { (name: $0.name, end: $0.presentationEnd) }
      guard let first = ends.min(by: { $0.end < $1.end }), let last = ends.max(by: { $0.end < $1.end }),
        last.end.seconds - first.end.seconds > 0.5
      else { return }
      report.notices.append(
        .lengthsDiffer(shortest: first.name, first.end, longest: last.name, last.end))
    }

    /// Adds a notice about the segments of a rendition.
    mutating func note(_ rendition: StreamRendition, _ message: String) {
      report.notices.append(.segments(rendition: rendition.name, message: message))
    }
  }

  private func planned() throws(EditError) -> Content {
    guard duration.value > 0 else {
      throw EditError(.outOfRange, "the duration of a segment must be greater than 0")
    }
    var content = Content()
    for (index, movie) in movies.enumerated() {
      let (videos, sounds) = (content.video.count, content.sound.count)
      do throws(EditError) {
        try addVideo(of: movie, to: &content)
        try addSound(of: movie, to: &content)
      } catch {
        throw name(of: movie).map(error.about) ?? error
      }
      for place in videos..<content.video.count { content.video[place].movieIndex = index }
      for place in sounds..<content.sound.count { content.sound[place].movieIndex = index }
      // Tracks of other movies may have the same IDs.
      let used = Set((content.video[videos...] + content.sound[sounds...]).map(\.track.id))
      for track in movie.tracks where !used.contains(track.id) && track.sampleCount > 0 {
        content.report.notices.append(
          .trackLeftOut(trackID: track.id, mediaType: track.mediaType, movie: name(of: movie)))
      }
    }
    content.report.notices += published(content)
    guard !content.renditions.isEmpty else {
      throw EditError(.missingTrack, "the movies have neither video nor sound that can be streamed")
    }
    content.shareTargetDuration()
    let starts = content.video.map { $0.segments.map(\.start) }
    if let first = starts.first, starts.contains(where: { $0 != first }) {
      content.report.notices.append(.variantsNotAligned)
    }
    content.noteLengths()
    // Only variants for one eye have I-frame playlists: trick play is monoscopic. HLS authoring specification, 6.18
    for rendition in content.video where !rendition.attributes.isStereo {
      content.pictures.insert(rendition.name)
    }
    addVenue(to: &content)
    content.master = master(content)
    for rendition in content.renditions {
      content.report.renditions.append(PackageReport.Rendition(rendition))
      for codec in rendition.track.codecsNotForHLS {
        content.report.notices.append(.codecNotForHLS(rendition: rendition.name, codec: codec))
      }
      if rendition.track.usedDescriptions.count > 1 {
        content.note(
          rendition,
          "the sample description changes within the stream without EXT-X-DISCONTINUITY, so players may fail there; package "
            + "each part as a separate stream")
      }
      if rendition.track.mediaType.isVisual, rendition.hiddenSamples > 0 {
        content.note(
          rendition,
          "segments contain \(rendition.hiddenSamples) pictures hidden by the edit list; players that ignore edit lists show "
            + "them; to remove them, cut the movie at a sync sample first")
      }
      // Decoders of sound begin some samples earlier, which every player leaves out.
      if rendition.track.mediaType == .audio, rendition.hiddenDuration.seconds > 0.5 {
        content.note(
          rendition,
          "segments contain \(rendition.hiddenDuration.words) of sound hidden by the edit list; players that ignore edit "
            + "lists play it; to remove it, cut the movie first")
      }
      if rendition.emptyStart.seconds > 0.1 {
        content.note(
          rendition,
          "it begins \(rendition.emptyStart.words) after the presentation (an empty edit); players that ignore edit lists start "
            + "it immediately")
      }
      if rendition.attributes.isStereo, rendition.track.classificationReport.stereoKind != .multiview {
        content.note(
          rendition,
          "both eyes are signalled, but not as layers of MV-HEVC; visionOS streams no other kind of stereo video (HLS "
            + "authoring specification, 16.6)")
      }
      if !rendition.isIndependent {
        content.note(
          rendition,
          "\(rendition.dependentSegments) of \(rendition.segments.count) segments have pictures that need the segment before "
            + "(open groups), so EXT-X-INDEPENDENT-SEGMENTS is left out: players may skip these pictures after a switch"
        )
      }
      if rendition.track.mediaType == .video {
        for message in TrackDamage(rendition.track, of: rendition.movie).messages {
          content.note(rendition, message)
        }
      }
      for notice in rendition.notices { content.note(rendition, notice.message) }
    }
    return content
  }

  /// The name of a movie, if there are several.
  private func name(of movie: MovieFile) -> String? { movies.count > 1 ? movie.source.name : nil }

  /// What the boxes that precede the segments tell about the person who recorded them.
  private func published(_ content: Content) -> [PackageReport.Notice] {
    var forms: [PersonalDataKind: [String]] = [:]
    for movie in movies {
      let ids = Set(movie.tracks.map(\.id)).intersection(content.renditions.map(\.track.id))
      for datum in movie.personalData([.location, .name, .device])
      where datum.sampleCount == nil && datum.place.path.hasPrefix("moov/")
        && (datum.trackID.map(ids.contains) ?? true)
      {
        if forms[datum.kind]?.contains(datum.form) != true {
          forms[datum.kind, default: []].append(datum.form)
        }
      }
    }
    return PersonalDataKind.allCases.compactMap { kind in
      forms[kind].map { .publishes(kind, forms: $0) }
    }
  }

  private func addVideo(of movie: MovieFile, to content: inout Content) throws(EditError) {
    guard let track = movie.mainVideoTrack, track.sampleCount > 0 else { return }
    guard !track.joined.isJoined else {
      throw .refused(
        "the layers of track \(track.id) are in several tracks, but a variant has only one track",
        advice: "Merge them first\(.mergeTracks).")
    }
    let name = "video\(content.video.count + 1)"
    let rendition = try StreamRendition(
      track, of: movie, name: name, duration: duration, hasEdits: writesEditsForOffsets)
    content.video.append(rendition)
    guard addsFlatVariants, rendition.attributes.isStereo, track.isHEVC,
      track.variants.contains(where: { $0.layers.count > 1 })
    else { return }
    let flat = try MovieStripper(movie).plannedMovie()
    guard let base = flat.mainVideoTrack else { return }
    content.video.append(
      try StreamRendition(
        base, of: flat, name: "video\(content.video.count + 1)", duration: duration,
        hasEdits: writesEditsForOffsets))
  }

  private static let venueFile = "venue.aime"

  /// Adds the description of the venue of the first immersive variant, which players load before the segments. WWDC25,
  /// session 403
  private func addVenue(to content: inout Content) {
    for rendition in content.video
    where rendition.attributes.requiredVideoLayout?.split(separator: "/").contains("PROJ-AIV") == true {
      // The variant of one eye has the venue of the stereo variant before it.
      if content.venue != nil, !rendition.attributes.isStereo { continue }
      guard let venue = venue(of: rendition.movie) else {
        content.note(
          rendition,
          "the description of the venue cannot be read, so the playlist does not name it "
            + "(\(PlaylistAttributes.venueDataID)): Apple Vision Pro may refuse the stream")
        continue
      }
      if let first = content.venue, first != venue {
        content.note(
          rendition, "its venue differs from that of another variant, but a playlist can name only one")
      }
      content.venue = content.venue ?? venue
    }
  }

  private func venue(of movie: MovieFile) -> [UInt8]? {
    guard let item = movie.immersiveVenue, !item.dataRange.isEmpty, item.dataRange.count <= 64 << 20,
      let start = UInt64(exactly: item.dataRange.lowerBound)
    else { return nil }
    if item.isLoaded { return item.data.array }
    do throws(SourceError) {
      let bytes = try movie.source.read(at: start, count: item.dataRange.count).array
      return bytes.count == item.dataRange.count ? bytes : nil
    } catch { return nil }
  }

  private func addSound(of movie: MovieFile, to content: inout Content) throws(EditError) {
    // The sound of the first movie that has any, and of all movies without video.
    guard content.sound.isEmpty || movie.mainVideoTrack == nil else { return }
    for track in movie.tracks where track.mediaType == .audio && track.sampleCount > 0 {
      content.sound.append(
        try StreamRendition(
          track, of: movie, name: "audio\(content.sound.count + 1)", duration: duration,
          hasEdits: writesEditsForOffsets))
    }
  }

  // MARK: The master playlist

  private func master(_ content: Content) -> String {
    let hasLayouts = content.video.contains { $0.attributes.requiredVideoLayout != nil }
    // draft-pantos-hls-rfc8216bis, 8: REQ-VIDEO-LAYOUT needs version 12.
    var text = PlaylistText(version: hasLayouts ? 12 : 7)
    if content.renditions.allSatisfy(\.isIndependent) { text.add("EXT-X-INDEPENDENT-SEGMENTS") }
    if content.venue != nil {
      text.add(
        "EXT-X-SESSION-DATA",
        [
          ("DATA-ID", PlaylistText.quoted(PlaylistAttributes.venueDataID)),
          ("URI", PlaylistText.quoted(Self.venueFile)),
        ])
    }
    let isSound = content.video.isEmpty
    let groups = SoundGroup.groups(of: content.sound, bySource: isSound)
    // Sound alone needs no group if nothing can be chosen.
    let hasChoice = !isSound || groups.contains { $0.renditions.count > 1 }
    if hasChoice {
      for group in groups {
        for attributes in group.attributes(isInVariant: isSound) { text.add("EXT-X-MEDIA", attributes) }
      }
    }
    for rendition in content.video {
      // Each variant is listed once for each codec of the sound.
      for group in groups.isEmpty ? [SoundGroup()] : groups {
        var attributes = rendition.attributes
        attributes.codecs += group.codecs.filter { !attributes.codecs.contains($0) }
        var line = rates(
          rendition.peakBandwidth + group.peakBandwidth, rendition.averageBandwidth + group.averageBandwidth)
        line += attributes.entries
        if !group.renditions.isEmpty { line.append(("AUDIO", "\"\(group.name)\"")) }
        text.add("EXT-X-STREAM-INF", line)
        text.add(uri: rendition.name + "/media.m3u8")
      }
    }
    // Variants have the same content, so languages are not variants. RFC 8216, 6.2.4
    for group in groups where isSound {
      guard group.renditions.indices.contains(group.defaultIndex) else { continue }
      let rendition = group.renditions[group.defaultIndex]
      var attributes = rendition.attributes
      attributes.codecs = group.codecs
      var line = rates(group.peakBandwidth, group.averageBandwidth) + attributes.entries
      if hasChoice { line.append(("AUDIO", "\"\(group.name)\"")) }
      text.add("EXT-X-STREAM-INF", line)
      text.add(uri: rendition.name + "/media.m3u8")
    }
    for rendition in content.video where content.pictures.contains(rendition.name) {
      var line = rates(
        rendition.pictureRates.peak(target: rendition.targetDuration), rendition.pictureRates.average)
      line += rendition.attributes.entries.filter { $0.key != "FRAME-RATE" }
      line.append(("URI", "\"\(rendition.name)/iframes.m3u8\""))
      text.add("EXT-X-I-FRAME-STREAM-INF", line)
    }
    return text.text
  }

  private func rates(_ peak: Int, _ average: Int) -> [(key: String, value: String)] {
    [("BANDWIDTH", "\(max(peak, average))"), ("AVERAGE-BANDWIDTH", "\(average)")]
  }
}

/// What a folder for streaming contains.
public struct PackageReport: Sendable {
  /// A track as it is streamed.
  public struct Rendition: Hashable, Sendable {
    /// The name of the folder of its files.
    public let name: String
    /// The index of its movie among those that are streamed, from 0.
    public let movieIndex: Int
    /// The ID of the track.
    public let trackID: UInt32
    /// The media type of the track.
    public let mediaType: MediaType
    /// The number of segments.
    public let segments: Int
    /// The target duration of its playlist in seconds: that of the longest segment of all renditions, rounded.
    public let targetDuration: Int
    /// The peak bit rate, in bits per second.
    public let bandwidth: Int
    /// The average bit rate, in bits per second.
    public let averageBandwidth: Int
    /// Its attributes in the master playlist.
    public let attributes: PlaylistAttributes
  }

  /// Something remarkable. New kinds may be added: handle them with a `default`.
  public enum Notice: Hashable, Sendable {
    /// A track is not streamed. The name of its movie is given if there are several.
    case trackLeftOut(trackID: UInt32, mediaType: MediaType, movie: String? = nil)
    /// Segments of the variants do not begin at the same times.
    case variantsNotAligned
    /// The renditions do not end at the same time.
    case lengthsDiffer(shortest: String, MediaTime, longest: String, MediaTime)
    /// HLS players do not play the codec of a rendition.
    case codecNotForHLS(rendition: String, codec: String)
    /// A notice about the segments of a rendition.
    case segments(rendition: String, message: String)
    /// The segments contain personal data, in these forms.
    case publishes(PersonalDataKind, forms: [String])
  }

  /// The variants and renditions.
  public internal(set) var renditions: [Rendition] = []
  /// The notices.
  public internal(set) var notices: [Notice] = []
  /// What was written; `nil` if nothing was.
  public internal(set) var written: MovieWriteReport?
}

extension PackageReport.Rendition {
  init(_ rendition: StreamRendition) {
    self.init(
      name: rendition.name, movieIndex: rendition.movieIndex, trackID: rendition.track.id,
      mediaType: rendition.track.mediaType,
      segments: rendition.segments.count, targetDuration: rendition.targetDuration,
      bandwidth: rendition.peakBandwidth, averageBandwidth: rendition.averageBandwidth,
      attributes: rendition.attributes)
  }
}

extension PackageReport.Notice {
  /// The kind of the notice, as it is called in JSON.
  public var kind: String {
    switch self {
    case .trackLeftOut: "trackLeftOut"
    case .variantsNotAligned: "variantsNotAligned"
    case .lengthsDiffer: "lengthsDiffer"
    case .codecNotForHLS: "codecNotForHLS"
    case .segments: "segments"
    case .publishes: "publishes"
    }
  }

  /// The notice in words.
  public var message: String {
    switch self {
    case .trackLeftOut(let id, let type, let movie):
      (movie.map { "\($0): " } ?? "") + "track \(id) (\(type.words)) is not streamed"
    case .variantsNotAligned:
      "segments of the variants do not begin at the same times: players switch between them less smoothly"
    case .lengthsDiffer(let shortest, let first, let longest, let last):
      "\(shortest) ends at \(first.words), \(longest) at \(last.words): playback stops, or continues without one of them"
    case .codecNotForHLS(let name, let codec):
      "\(name): HLS players do not support \(codec); re-encode it with a codec that HLS supports"
    case .segments(let name, let message): "\(name): \(message)"
    case .publishes(let kind, let forms):
      "the folder publishes \(kind.published) (\(forms.joined(separator: ", ")))"
    }
  }
}

extension PersonalDataKind {
  /// What it tells, in words.
  fileprivate var published: String {
    switch self {
    case .location: "where the movie was made"
    case .name: "names"
    case .device: "the device it was made with"
    case .date: "when it was made"
    }
  }
}
