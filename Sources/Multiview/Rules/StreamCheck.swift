// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import FileAccess
import HEVC
import ISOBMFF

extension MovieFile {
  /// Checks an HLS playlist against the rules: a multivariant playlist with the playlists that it lists, or a media playlist, and all
  /// their segments.
  ///
  /// Only files in the folder of the playlist are read; other addresses are reported, but not followed.
  ///
  /// ```swift
  /// let report = try MovieFile.check(playlistAt: "stream/master.m3u8")
  /// for finding in report.findings { print(finding.path, finding.message) }
  /// ```
  ///
  /// - Throws: `SourceError` if the playlist or a segment cannot be read.
  public static func check(
    playlistAt path: String, _ options: CheckOptions = CheckOptions()
  ) throws(SourceError) -> CheckReport {
    try StreamCheck.report(path: path, options)
  }
}

/// Checks an HLS playlist, the playlists that it lists, and all their segments, as far as they are in its folder.
struct StreamCheck {
  private let folder: String
  private let options: CheckOptions
  private var sinks: [Rule: FindingSink] = [:]
  private var others: [Finding] = []
  private var best: CheckReport?
  /// Rules that were broken by a segment already: others of the same stream break them, too.
  private var told: Set<String> = []

  /// What was found out about a media playlist.
  struct Facts {
    var rates = StreamRates()
    var target = 1
    /// The target duration that the playlist states; `nil` for none, and for pictures alone.
    var statedTarget: Int?
    var attributes: PlaylistAttributes?
    /// The size of one view as it is coded: a playlist may have it instead of the size at which it is shown.
    var codedSize: PictureSize?
    /// How many units of time a second has in the segments.
    var timescale: UInt32 = 0
    /// The durations of the pictures in all segments.
    var durations = DurationCounts()
    var isFlat: Bool { attributes?.requiredVideoLayout == nil }

    /// Whether a rate of pictures differs from another one only because durations are whole units of time.
    func allows(_ found: Double, insteadOf rate: Double) -> Bool {
      guard found > 0, rate > 0 else { return false }
      let ticks = Double(timescale)
      return abs(ticks / found - ticks / rate) < 1 && abs(found / rate - 1) < 0.05
    }
  }

  private var facts: [String: Facts] = [:]
  /// Whether the multivariant playlist promises that each segment can be decoded on its own.
  private var claimsIndependence = false
  /// Whether it names the description of a venue, which the lenses of immersive video are in.
  private var namesVenue = false

  /// The first error while a segment was read.
  private var readFailure: SourceError?

  private init(_ folder: String, _ options: CheckOptions) {
    self.folder = folder
    self.options = options
    for rule in Rule.ofPlaylists {
      sinks[rule] = FindingSink(rule, limit: options.maximumFindingsPerRule)
    }
  }

  /// Checks the playlist at `path`.
  static func report(path: String, _ options: CheckOptions) throws(SourceError) -> CheckReport {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? ""
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let playlist = Playlist(try text(path))
    var check = StreamCheck(folder, options)
    check.look(at: playlist, name)
    if playlist.isMaster { check.master(playlist, name) } else { check.media(playlist, name) }
    // Of a segment that could not be read, nothing is known.
    if let failure = check.readFailure { throw failure }
    return check.report()
  }

  private static func text(_ path: String) throws(SourceError) -> String {
    let file = try FileBytes(path: path)
    guard (file.size ?? 0) <= UInt64(Playlist.maximumBytes) else {
      throw SourceError(.tooLong(limit: UInt64(Playlist.maximumBytes)), path: path)
    }
    return String(decoding: try file.read(at: 0, count: Playlist.maximumBytes).array, as: UTF8.self)
  }

  private mutating func add(
    _ rule: Rule, _ message: String, _ name: String, line: Int? = nil, found: String? = nil,
    wanted: String? = nil
  ) {
    guard options.asks(rule.id) else { return }
    sinks[rule]?.add(
      message, path: line.map { "\(name), line \($0)" } ?? name, offset: nil, found: found, wanted: wanted)
  }

  /// Findings that apply to any playlist.
  private mutating func look(at playlist: Playlist, _ name: String) {
    for problem in playlist.problems {
      add(.playlistUnreadable, problem.message, name, line: problem.line)
    }
    if !playlist.isMaster, playlist.segments.isEmpty, playlist.problems.isEmpty {
      add(.playlistUnreadable, "it lists neither playlists nor segments", name)
    }
    if playlist.neededVersion.number > playlist.version {
      add(
        .playlistVersion, "\(playlist.neededVersion.reason) needs version \(playlist.neededVersion.number)",
        name,
        found: "\(playlist.version)", wanted: "\(playlist.neededVersion.number)")
    }
  }

  // MARK: Places

  /// Where an address leads, below the folder; `nil` if that is outside it, which is reported.
  private mutating func resolve(_ uri: String, from name: String, line: Int) -> String? {
    if let path = Self.path(of: uri, from: name) { return path }
    let what = Self.isElsewhere(uri) ? "is not in the folder" : "leads out of the folder"
    add(
      .playlistPlaceOutside, "the address \(what); it was not checked", name, line: line, found: uri)
    return nil
  }

  /// Where an address leads, below the folder; `nil` if that is outside it.
  private static func path(of uri: String, from name: String) -> String? {
    guard !isElsewhere(uri) else { return nil }
    var parts = name.split(separator: "/").dropLast().map(String.init)
    for part in decoded(String(uri.prefix { $0 != "?" && $0 != "#" })).split(separator: "/") {
      switch part {
      case ".": continue
      case "..": guard parts.popLast() != nil else { return nil }
      default: parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }

  /// Whether an address does not start from the playlist that has it.
  private static func isElsewhere(_ uri: String) -> Bool {
    uri.contains("://") || uri.hasPrefix("data:") || uri.hasPrefix("/")
  }

  /// The text without its percent signs. RFC 3986, 2.1
  private static func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a path below the folder leads to a file in it, and not by a link to somewhere else; says so where it does not.
  private mutating func isFile(_ path: String, from name: String, line: Int) -> Bool {
    guard !path.utf8.contains(0) else {
      add(.playlistPlaceMissing, "no file can have that name", name, line: line)
      return false
    }
    var way = folder
    for part in path.split(separator: "/") {
      way += way.isEmpty || way.hasSuffix("/") ? String(part) : "/" + part
      switch pathKind(way, followingLinks: false) {
      case nil:
        add(.playlistPlaceMissing, "\(path) is missing", name, line: line)
        return false
      case .file, .folder: continue
      default:
        add(.playlistPlaceOutside, "\(path) is a link or a device; it was not checked", name, line: line)
        return false
      }
    }
    guard pathKind(way) == .file else {
      add(.playlistPlaceMissing, "\(path) is not a file", name, line: line)
      return false
    }
    return true
  }

  /// Opens what a playlist names.
  private mutating func open(
    _ place: Playlist.Place, from name: String, line: Int
  ) -> (bytes: any ByteSource, path: String)? {
    guard let path = resolve(place.uri, from: name, line: line), isFile(path, from: name, line: line) else {
      return nil
    }
    do throws(SourceError) {
      let file = try FileBytes(path: folder + path)
      guard let range = place.range else { return (file, path) }
      guard let size = file.size, range.upperBound <= size else {
        add(
          .playlistPlaceMissing, "the range of bytes goes beyond the end of \(path)", name, line: line,
          found: "\(range.lowerBound) to \(range.upperBound)", wanted: "at most \(file.size ?? 0)")
        return nil
      }
      return (PartOfBytes(file, range), path)
    } catch {
      add(.playlistPlaceMissing, "\(path) cannot be read: \(error.reason)", name, line: line)
      return nil
    }
  }

  // MARK: Lists of playlists

  private mutating func master(_ master: Playlist, _ name: String) {
    claimsIndependence = master.isIndependent
    if let venue = master.venue {
      namesVenue = true
      if let path = venue.uri.flatMap({ resolve($0, from: name, line: venue.line) }) {
        _ = isFile(path, from: name, line: venue.line)
      }
    }
    for stream in master.renditions + master.variants {
      guard let uri = stream.uri, let path = resolve(uri, from: name, line: stream.line),
        facts[path] == nil
      else { continue }
      guard path != name else {
        add(.playlistPlaceOutside, "the playlist lists itself", name, line: stream.line, found: uri)
        continue
      }
      facts[path] = Facts()
      guard isFile(path, from: name, line: stream.line) else { continue }
      let text: String
      do throws(SourceError) { text = try Self.text(folder + path) } catch {
        add(.playlistPlaceMissing, "\(path) cannot be read: \(error.reason)", name, line: stream.line)
        continue
      }
      let playlist = Playlist(text)
      guard !playlist.isMaster else {
        add(
          .playlistPlaceOutside, "\(path) is itself a multivariant playlist; it was not followed", name,
          line: stream.line,
          found: uri)
        continue
      }
      look(at: playlist, path)
      media(playlist, path)
    }
    compareTargets(master, name)
    for stream in master.variants { compare(stream, master, name) }
    // If all variants have a projection, so have their single pictures.
    let video = facts.values.filter { $0.attributes?.resolution != nil }
    let isAnyFlat = video.contains(where: \.isFlat)
    let pictures = master.variants.filter { stream in
      guard stream.isPictures, let uri = stream.uri, let path = Self.path(of: uri, from: name) else {
        return false
      }
      guard let found = facts[path] else { return true }
      return isAnyFlat ? found.isFlat : found.attributes?.isStereo != true
    }
    if !video.isEmpty, pictures.isEmpty {
      add(
        .playlistTrickPlay, isAnyFlat ? "no I-frame stream is 2D and rectilinear" : "no I-frame stream is 2D",
        name)
    }
  }

  /// Compares the target durations of all playlists except those of subtitles and of pictures. RFC 8216, 6.2.4
  private mutating func compareTargets(_ master: Playlist, _ name: String) {
    let ofText = ["SUBTITLES", "CLOSED-CAPTIONS"]
    var stated: [(path: String, target: Int, line: Int)] = []
    for stream in master.renditions + master.variants
    where !stream.isPictures && !ofText.contains(stream.attributes["TYPE"] ?? "") {
      guard let path = stream.uri.flatMap({ Self.path(of: $0, from: name) }),
        let target = facts[path]?.statedTarget,
        !stated.contains(where: { $0.path == path })
      else { continue }
      stated.append((path, target, stream.line))
    }
    guard let highest = stated.max(by: { $0.target < $1.target }) else { return }
    for other in stated where other.target < highest.target {
      add(
        .playlistTargetsDiffer,
        "\(other.path) has a target duration of \(other.target) s, \(highest.path) one of \(highest.target) s",
        name, line: other.line, found: "\(other.target)", wanted: "\(highest.target)")
    }
  }

  /// Compares the attributes of a variant in a playlist with its segments.
  private mutating func compare(_ stream: Playlist.Stream, _ master: Playlist, _ name: String) {
    let stated = stream.attributes
    guard let uri = stream.uri, let path = Self.path(of: uri, from: name), let own = facts[path] else {
      return
    }
    var peak = own.rates.peak(target: own.target)
    for key in ["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"] {
      guard let group = stated[key], group != "NONE" else { continue }
      let members = master.renditions.filter {
        $0.attributes["GROUP-ID"] == group && $0.attributes["TYPE"] == key
      }
      if members.isEmpty {
        add(
          .playlistGroup, "no EXT-X-MEDIA has type \(key) and group \(group)", name,
          line: stream.line, found: group)
      }
      if key == "AUDIO" {
        let sound =
          members.compactMap { $0.uri.flatMap { Self.path(of: $0, from: name) } }.compactMap { facts[$0] }
          .map { $0.rates.peak(target: $0.target) }.max() ?? 0
        // Another sound takes the place of a variant that has nothing else.
        peak = own.attributes?.resolution == nil ? max(peak, sound) : peak + sound
      }
    }
    guard let bandwidth = stated["BANDWIDTH"].flatMap({ Int($0) }) else {
      add(.playlistUnreadable, "BANDWIDTH is missing", name, line: stream.line)
      return
    }
    // A tenth more is what measuring the peak in another way makes.
    if !own.rates.segments.isEmpty, Double(peak) > Double(bandwidth) * 1.1 {
      add(
        .playlistBandwidth, "segments need up to \(peak) bits per second", name, line: stream.line,
        found: "\(bandwidth)",
        wanted: "\(peak)")
    }
    guard let attributes = own.attributes else { return }
    let codecs = (stated["CODECS"] ?? "").split(separator: ",").map { CodecName($0) }
    for codec in attributes.codecs where !codecs.contains(where: { $0.names(CodecName(codec)) }) {
      add(
        .playlistAttributes, "CODECS does not list \(codec)", name, line: stream.line,
        found: stated["CODECS"],
        wanted: codec)
    }
    for (key, value) in attributes.entries where ["VIDEO-RANGE", "RESOLUTION"].contains(key) {
      let found = stated[key] ?? (key == "VIDEO-RANGE" ? "SDR" : nil)
      let isCodedSize = key == "RESOLUTION" && found.map { $0 == own.codedSize.map { "\($0)" } } ?? false
      if found != value, !isCodedSize {
        add(
          .playlistAttributes, "\(key) is \(found ?? "missing")", name, line: stream.line, found: found,
          wanted: value)
      }
    }
    if !stream.isPictures, let rate = attributes.frameRate, let text = stated["FRAME-RATE"],
      let found = Double(text), abs(found - rate) > 0.01, !own.allows(found, insteadOf: rate)
    {
      add(
        .playlistAttributes, "FRAME-RATE is \(text)", name, line: stream.line, found: text,
        wanted: PlaylistAttributes.thousandths(rate))
    }
    let (layout, wanted) = (stated["REQ-VIDEO-LAYOUT"], attributes.requiredVideoLayout)
    if Self.layouts(layout) != Self.layouts(wanted) {
      add(
        .playlistLayout,
        layout.map { "the layout is \($0)" } ?? "the variant has no REQ-VIDEO-LAYOUT",
        name, line: stream.line, found: layout, wanted: wanted ?? "no REQ-VIDEO-LAYOUT")
    }
  }

  /// The first entry of a list of layouts, without order. Flat pictures need none.
  private static func layouts(_ text: String?) -> Set<Substring> {
    let entry = (text ?? "").split(separator: ",").first ?? ""
    return Set(entry.split(separator: "/")).subtracting(["CH-MONO", "PROJ-RECT"])
  }

  // MARK: Media playlists

  private mutating func media(_ playlist: Playlist, _ name: String) {
    var own = Facts()
    own.target = playlist.targetDuration ?? 1
    own.statedTarget = playlist.hasOnlyPictures ? nil : playlist.targetDuration
    if playlist.targetDuration == nil, !playlist.segments.isEmpty {
      add(.playlistUnreadable, "EXT-X-TARGETDURATION is missing", name)
    }
    var isFirst = true
    for segment in playlist.segments {
      if let duration = segment.duration, let target = playlist.targetDuration,
        duration.rounded() > Double(target)
      {
        add(
          .playlistTargetDuration, "the segment lasts \(PlaylistAttributes.thousandths(duration)) s", name,
          line: segment.line, found: "\(target)", wanted: "\(Int64(min(duration.rounded(.up), 9e15)))")
      }
      guard !segment.isGap, !playlist.isEncrypted,
        let found = open(segment.place, from: name, line: segment.line)
      else { continue }
      if let size = found.bytes.size { own.rates.segments.append((size, segment.duration ?? 0)) }
      look(at: segment, found, in: playlist, name, isFirst: isFirst, &own)
      noteFailure(of: found.bytes)
      isFirst = false
    }
    // The rate is that of the whole stream: a segment may have a few quick pictures only.
    if own.attributes?.frameRate != nil, let rate = own.durations.maximumRate {
      own.attributes?.frameRate = rate
    }
    facts[name] = own
  }

  private mutating func look(
    at segment: Playlist.Segment, _ found: (bytes: any ByteSource, path: String), in playlist: Playlist,
    _ name: String, isFirst: Bool, _ own: inout Facts
  ) {
    guard let place = segment.map else {
      if isFirst, Self.isFragment(found.bytes) {
        add(.playlistInitSegment, "no EXT-X-MAP precedes the segment", name, line: segment.line)
      }
      return
    }
    guard let map = open(place, from: name, line: segment.line) else { return }
    defer { noteFailure(of: map.bytes) }
    let movie: MovieFile
    let start = map.bytes.size ?? 0
    do {
      movie = try MovieFile(source: try ConcatenatedBytes([map.bytes, found.bytes]))
    } catch {
      add(
        .playlistPlaceMissing, "\(found.path) cannot be read with its init segment: \(error)", name,
        line: segment.line)
      return
    }
    if namesVenue { movie.noteVenueOutside() }
    if isFirst {
      own.attributes = movie.playlistAttributes
      own.codedSize = movie.mainVideoTrack?.codedViewSize
      own.timescale = movie.mainVideoTrack?.timescale ?? 0
    }
    guard let track = movie.mainVideoTrack ?? movie.tracks.first else {
      add(.playlistInitSegment, "\(map.path) has no track", name, line: segment.line)
      return
    }
    if !isFirst, track.formatDescriptions.count > 1, let attributes = movie.playlistAttributes {
      own.attributes?.add(attributes)
      if attributes.resolution == own.attributes?.resolution { own.codedSize = track.codedViewSize }
    }
    if isFirst, !playlist.hasOnlyPictures {
      for codec in movie.tracks.flatMap(\.codecsNotForHLS) {
        add(.playlistCodec, "HLS players do not play \(codec)", name, line: segment.line, found: codec)
      }
    }
    if !playlist.hasOnlyPictures {
      if track.mediaType.isVisual { own.durations.add(track) }
      lookAtStart(
        of: track, segment, found.path, name,
        claimsIndependence: !isFirst && (playlist.isIndependent || claimsIndependence))
      take(movie, start: start, map.path, found.path)
    }
  }

  private mutating func noteFailure(of bytes: any ByteSource) {
    readFailure = readFailure ?? ((bytes as? PartOfBytes)?.source ?? bytes).readFailure
  }

  private static func isFragment(_ bytes: any ByteSource) -> Bool {
    do throws(SourceError) {
      return InputKind.of(try bytes.read(at: 0, count: InputKind.lookahead), size: bytes.size) == .boxes
    } catch { return false }
  }

  /// Whether a segment can be decoded by itself, and lasts as long as it should.
  private mutating func lookAtStart(
    of track: Track, _ segment: Playlist.Segment, _ path: String, _ name: String, claimsIndependence: Bool
  ) {
    do throws(SourceError) {
      let samples = try track.samples()
      guard let first = samples.sample(at: 0) else {
        add(.playlistPlaceMissing, "\(path) has no samples of track \(track.id)", name, line: segment.line)
        return
      }
      if track.mediaType.isVisual {
        let isOpen = track.isOpenAccessPoint(first)
        if !first.isSync, !isOpen {
          add(.playlistIndependence, "\(path) does not begin with a sync sample", name, line: segment.line)
        } else if try track.lacksLayers(first) {
          add(
            .playlistIndependence,
            "\(path) begins with a sample in which not every layer can be decoded on its own", name,
            line: segment.line)
        } else if claimsIndependence, try isOpen ? true : track.beginsOpen(samples) {
          add(
            .playlistIndependence,
            "\(path) has pictures that need the segment before (RASL), but EXT-X-INDEPENDENT-SEGMENTS is set",
            name, line: segment.line)
        }
      }
      let seconds = Double(samples.endTime &- first.decodeTime) / Double(max(1, track.timescale))
      if let stated = segment.duration, abs(stated - seconds) > max(0.1, stated * 0.05) {
        add(
          .playlistDurations, "\(path) lasts \(PlaylistAttributes.thousandths(seconds)) s", name,
          line: segment.line,
          found: PlaylistAttributes.thousandths(stated), wanted: PlaylistAttributes.thousandths(seconds))
      }
    } catch {
      add(.playlistPlaceMissing, "\(path) cannot be read: \(error.reason)", name, line: segment.line)
    }
  }

  /// Asks the rules of movies, and keeps what they find that was not found in the same init segment before.
  private mutating func take(_ movie: MovieFile, start: UInt64, _ map: String, _ path: String) {
    let report = movie.check(options)
    if best == nil || rank(report) > rank(best) {
      best = report
    }
    for var finding in report.findings where told.insert("\(map) \(finding.rule.id) \(finding.path)").inserted
    {
      let offset = finding.offset.map { UInt64(clamping: $0) }
      let isInMap = offset.map { $0 < start } ?? true
      finding.path = (isInMap ? map : path) + (finding.path.isEmpty ? "" : ": " + finding.path)
      if let offset, !isInMap { finding.offset = Int(clamping: offset - start) }
      others.append(finding)
    }
  }

  /// The variant that has most to show decides what the stream is.
  private func rank(_ report: CheckReport?) -> Int {
    switch report?.classification {
    case nil, .noVideo?: 0
    case .mono?: 2
    case .unknown?: 1
    default: 3
    }
  }

  private func report() -> CheckReport {
    var report = best ?? CheckReport(classification: .unknown)
    let own = Rule.ofPlaylists.flatMap { sinks[$0]?.findings ?? [] }
    let broken = Set((own + others).filter { $0.severity == .error && $0.targets.contains(.hls) }.map(\.rule))
      .sorted { $0.id < $1.id }
    var verdict = TargetVerdict(
      target: .hls, outcome: broken.isEmpty ? .pass : .fail,
      words: broken.isEmpty
        ? "predicted: the playlists and all their segments are fit for HLS"
        : "\(broken.count == 1 ? "a rule is" : "\(broken.count) rules are") broken",
      confidence: .documented, reasons: broken.map { "\($0.id): \($0.title)" })
    if broken.isEmpty, best == nil {
      let reason =
        "no segment could be checked: only unencrypted movie fragments in the folder are"
      (verdict.outcome, verdict.words) = (.unknown, "cannot be determined: " + reason)
      verdict.reasons = [reason]
      report.unreadable = [reason]
    }
    report.verdicts = CheckTarget.allCases.map { target in
      if target == .hls { return verdict }
      return best?.verdict(target)
        ?? TargetVerdict(
          target: target, outcome: .notApplicable, words: "no segment could be checked",
          confidence: .documented,
          reasons: [])
    }
    report.findings = (own + others).sorted { ($1.severity, $0.rule.id) < ($0.severity, $1.rule.id) }
    report.omittedFindings = sinks.values.reduce(0) { $0 + $1.omitted }
    return report
  }
}

/// A range of the bytes of another source.
private struct PartOfBytes: ByteSource {
  let source: any ByteSource
  private let range: Range<UInt64>

  init(_ source: any ByteSource, _ range: Range<UInt64>) {
    self.source = source
    self.range = range
  }

  var size: UInt64? { range.upperBound - range.lowerBound }

  func read(_ wanted: Range<UInt64>) throws(SourceError) -> ByteView {
    let count = range.upperBound - range.lowerBound
    let (first, last) = (min(wanted.lowerBound, count), min(wanted.upperBound, count))
    return try source.read((range.lowerBound + first)..<(range.lowerBound + last)).copy(
      at: wanted.lowerBound)
  }
}

extension Track {
  /// Returns whether a sample at which decoding begins lacks a picture of a layer, or has one that needs
  /// earlier pictures.
  package func lacksLayers(_ sample: Sample) throws(SourceError) -> Bool {
    guard isHEVC, layers.count > 1, !joined.isJoined, !formatDescriptions.contains(where: \.isProtected)
    else {
      return false
    }
    var found: Set<UInt8> = []
    _ = try forEachAccessUnit(sample.index..<(sample.index + 1)) { places, _ in
      for unit in places.units
      where unit.header.type.isVideoCodingLayer && unit.header.type.isRandomAccessPoint {
        found.insert(unit.header.layerID)
      }
      return true
    }
    return layers.contains { !found.contains($0.layerID) }
  }
}
