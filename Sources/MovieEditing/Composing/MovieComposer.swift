// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A movie that was put into a composition. What is taken of it is together in the new file, in its order.
struct MoviePart {
  let movie: MovieFile
  let insertion: CompositionInsertion
}

/// Puts parts of movies one after the other: everything that is not samples comes from one of them.
struct MovieComposer {
  /// The movie whose boxes the new one has.
  let base: MovieFile
  /// The movies that samples come from.
  private(set) var parts: [MoviePart] = []
  /// The ticks of the new movie in a second: a multiple of those of all parts.
  let timescale: UInt32
  /// Whether all of one movie is taken, so that what says how long it is stays.
  var isWhole = false
  /// Whether tracks stay of which nothing is presented, or that have no samples.
  var keepsEmptyTracks = false
  /// The brands of the new movie; `nil` for those of the first one.
  var fileType: [UInt8]?
  /// Its tracks.
  var tracks: [ComposedTrack] = []
  /// When the movies as wholes are presented.
  var presentations = SegmentList()
  /// Tracks of the first movie that are left out, with the reason.
  private(set) var leftOut: [(track: Track, reason: String)] = []
  /// Whose tables are in memory.
  let open: OpenMovies

  /// Boxes at the top level that belong to samples or say where they are.
  private static let media: Set<FourCC> = [
    "mdat", "moof", "mfra", "sidx", "ssix", "prft", "imda",
  ]

  init(base: MovieFile, timescale: UInt32, open: OpenMovies = OpenMovies()) {
    self.base = base
    self.timescale = timescale
    self.open = open
  }

  /// The number of the part of an insertion.
  mutating func part(of insertion: CompositionInsertion, _ movie: MovieFile) -> Int {
    if let index = parts.firstIndex(where: { $0.insertion === insertion }) { return index }
    parts.append(MoviePart(movie: movie, insertion: insertion))
    return parts.count - 1
  }

  /// All of a movie, whose tracks become others.
  ///
  /// - Parameters:
  ///   - keepsEmptyTracks: whether tracks without samples stay.
  ///   - make: what becomes of a track.
  init(
    wholeOf movie: MovieFile, keepsEmptyTracks: Bool = false,
    _ make: (Track) throws(EditError) -> [ComposedTrack]
  ) throws(EditError) {
    self.init(base: movie, timescale: movie.wholeTimescale)
    parts = [MoviePart(movie: movie, insertion: CompositionInsertion())]
    isWhole = true
    self.keepsEmptyTracks = keepsEmptyTracks
    for track in movie.tracks where keepsEmptyTracks || track.sampleCount > 0 { tracks += try make(track) }
  }

  /// What there is when the parts are put together: the movie as it would be written, without the bytes being read.
  mutating func draft() throws(EditError) -> WritePlan {
    guard let tree = base.tree, var moov = tree.first("moov") else {
      throw .lacksMovie
    }
    try checkBoxes(of: base)
    // What precedes the media data.
    var before: [WritePlan.Piece] = [], after: [WritePlan.Piece] = []
    var position: UInt64 = 0
    let place = tree.boxes.firstIndex { $0.type == "mdat" } ?? tree.boxes.count
    for (index, box) in tree.boxes.enumerated() where box.type != "moov" && !Self.media.contains(box.type) {
      if box.type == "styp", index > 0 { continue }
      let range = UInt64(box.offset)..<UInt64(clamping: box.fileRange.upperBound)
      guard !range.isEmpty else { continue }
      var piece = WritePlan.Piece.range(range, of: base.source)
      if box.type == "ftyp", let fileType { piece = .bytes(ByteView(fileType)) }
      if index < place { before.append(piece) } else { after.append(piece) }
      if index < place { position += piece.count }
    }
    // How much there is decides how long its header is.
    var layouts: [MediaLayout] = []
    for part in parts.indices {
      layouts.append(try layout(of: part))
    }
    var mediaStart = position + 16
    var count = try Self.place(&layouts, at: mediaStart)
    let ownRoom: UInt64 = 1 << 20
    if count + ownRoom < UInt64(UInt32.max) - 8 {
      mediaStart = position + 8
      count = try Self.place(&layouts, at: mediaStart)
    }
    var own: [UInt8] = []
    for index in tracks.indices {
      let start = mediaStart + count + UInt64(own.count)
      try compose(&tracks[index], layouts, ownStart: start)
      own += tracks[index].composer.ownBytes
    }
    for track in tracks where track.composer.isEmpty && !keepsEmptyTracks {
      leftOut.append((track.model, "nothing of it is in this part"))
    }
    tracks.removeAll { $0.composer.isEmpty && !keepsEmptyTracks }
    guard !tracks.isEmpty else { throw .refused("nothing is presented in this part of the movie") }
    try finish(&moov)
    var pieces = before
    pieces.append(.bytes(Self.header(mediaStart - position, count: count + UInt64(own.count))))
    for (part, layout) in layouts.enumerated() {
      let own = tracks.lazy.flatMap(\.pieces).first { $0.part == part && $0.cut.kept?.own != nil }?
        .cut.kept?.own
      let (end, bytes) = (own?.start ?? .max, ByteView(own?.bytes ?? []))
      for range in layout.ranges {
        guard range.lowerBound >= end else {
          pieces.append(.range(range, of: parts[part].movie.source))
          continue
        }
        // What the file does not have.
        pieces.append(.bytes(bytes.suffix(from: Int(range.lowerBound - end)).prefix(range.count)))
      }
    }
    if !own.isEmpty { pieces.append(.bytes(ByteView(own))) }
    pieces += after
    do {
      pieces += try moov.plan().pieces
      return try WritePlan(pieces: pieces)
    } catch { throw .refused("\(error)") }
  }

  /// Which bytes of a part are taken.
  private func layout(of part: Int) throws(EditError) -> MediaLayout {
    var layout = MediaLayout()
    for track in tracks {
      for piece in track.pieces where piece.part == part {
        do {
          layout.add(piece.cut, try open.samples(of: piece.cut.track, in: parts[part].movie))
        } catch { throw EditError(.unreadable, error) }
      }
    }
    layout.sort()
    return layout
  }

  /// Puts the parts one after the other; answers how many bytes they have.
  private static func place(
    _ layouts: inout [MediaLayout], at start: UInt64
  ) throws(EditError) -> UInt64 {
    var count: UInt64 = 0
    for index in layouts.indices {
      try layouts[index].place(at: start + count)
      count += layouts[index].count
    }
    return count
  }

  /// The header of the media data.
  private static func header(_ size: UInt64, count: UInt64) -> ByteView {
    var bytes: [UInt8] = []
    func append(_ value: UInt64, _ width: UInt64) {
      for index in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: value &>> (8 &* (width &- 1 &- index))))
      }
    }
    append(size == 8 ? count + 8 : 1, 4)
    bytes += Array("mdat".utf8)
    if size > 8 { append(count + 16, 8) }
    return ByteView(bytes)
  }

  private func checkBoxes(of movie: MovieFile) throws(EditError) {
    guard let tree = movie.tree else { return }
    for (path, meta) in [("meta", tree.first("meta")), ("moov/meta", tree["moov/meta"])] {
      if meta?.first("iloc") != nil {
        throw .refused("the file has items (\(path)), whose places would have to follow what is cut")
      }
    }
  }

  private func compose(
    _ track: inout ComposedTrack, _ layouts: [MediaLayout], ownStart: UInt64
  ) throws(EditError) {
    var composer = TrackComposer(timescale: track.composer.timescale, ownStart: ownStart, open: open)
    for (index, piece) in track.pieces.enumerated() {
      composer.appendNothing(piece.before)
      try composer.append(
        ComposedPiece(
          cut: piece.cut, movie: parts[piece.part].movie, layout: layouts[piece.part],
          descriptions: piece.descriptions), endsSequence: try isSequenceEnded(after: index, track))
      // All tracks are equally long in every part, so that the next one begins at the same time in all.
      composer.appendNothing(piece.duration &- piece.cut.edits.reduce(0) { $0 &+ $1.duration })
    }
    track.composer = composer
  }

  /// Whether the pictures of a piece must be said to end before those of the next one.
  private func isSequenceEnded(after piece: Int, _ track: ComposedTrack) throws(EditError) -> Bool {
    guard let next = track.pieces[(piece + 1)...].first, let run = next.cut.runs.first else { return false }
    open.use(parts[next.part].movie)
    return try SequenceEnd.isNeeded(before: run.samples.lowerBound, of: next.cut.track)
  }

  private mutating func finish(_ moov: inout Box) throws(EditError) {
    // Tracks know each other by the IDs of their own movie.
    let ids = parts.indices.map { part in
      Dictionary(
        tracks.compactMap { track in
          track.pieces.first { $0.part == part }.map { ($0.cut.track.id, track.id) }
        }
      ) { first, _ in first }
    }
    var longest: UInt64 = 0
    var boxes: [Box] = []
    for index in tracks.indices {
      let part = tracks[index].pieces.first?.part ?? 0
      boxes.append(try tracks[index].box(ids: ids[part], timescale: timescale, parts: parts))
      longest = max(longest, UInt64(clamping: tracks[index].composer.duration))
    }
    let place = moov.children.firstIndex { $0.type == "trak" } ?? moov.children.count
    moov.children.removeAll { $0.type == "trak" || $0.type == "mvex" }
    moov.children.insert(contentsOf: boxes, at: min(place, moov.children.count))
    do throws(ParseError) {
      for index in moov.children.indices {
        switch moov.children[index].type {
        case "mvhd":
          try moov.children[index].edit(MovieHeaderBox.self) { header in
            let lastID = tracks.map(\.id).max() ?? 0
            if header.nextTrackID <= lastID { header.nextTrackID = lastID &+ 1 }
            // Of a movie in fragments it says how long its own samples last.
            guard
              !isWhole || base.container.isFragmented || header.duration == 0 || header.isDurationUnknown
            else { return }
            let keepsTimescale = header.timescale == timescale
            header.timescale = timescale
            header.duration = longest
            if longest >= UInt64(UInt32.max) { header.version = 1 }
            header.nextTrackID = max(header.nextTrackID, (tracks.map(\.id).max() ?? 0) &+ 1)
            guard !isWhole || !keepsTimescale else { return }
            // Times of the old presentation, or in its ticks.
            (header.previewTime, header.previewDuration, header.posterTime) = (0, 0, 0)
            (header.selectionTime, header.selectionDuration, header.currentTime) = (0, 0, 0)
          }
        case "udta" where !isWhole:
          for child in moov.children[index].children.indices
          where moov.children[index].children[child].type == "chpl" {
            try moov.children[index].children[child].edit(ChapterListBox.self) { cut(&$0) }
          }
        default: break
        }
      }
    } catch { throw .refused("\(error)") }
  }

  /// Chapters in a list: those of all movies, as far as they are in their parts.
  private func cut(_ list: inout ChapterListBox) {
    func units(_ time: MediaTime) -> UInt64 { UInt64(clamping: time.converted(to: 10_000_000).value) }
    var chapters: [ChapterListBox.Chapter] = []
    for segment in presentations.segments {
      guard let range = segment.sourceRange, let tree = segment.movie?.tree, let box = tree["moov/udta/chpl"],
        let own = tree.whole(box).payload(ChapterListBox.self)?.chapters
      else { continue }
      let (start, end) = (units(range.lowerBound), units(range.upperBound))
      let (first, last) = (units(segment.timeRange.lowerBound), units(segment.timeRange.upperBound))
      // The chapter that is playing where the part begins.
      let current = own.lastIndex { $0.start <= start } ?? 0
      for (index, chapter) in own.enumerated() where index >= current && chapter.start < end {
        var chapter = chapter
        let ahead = Double(chapter.start > start ? chapter.start - start : 0) / segment.rate
        chapter.start = first &+ min(last &- first, UInt64(min(ahead.rounded(), 1e18)))
        chapters.append(chapter)
      }
    }
    list.chapters = Array(chapters.prefix(255))
  }
}
