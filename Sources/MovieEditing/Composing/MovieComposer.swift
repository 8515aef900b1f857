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
  /// Whether all of one movie is taken: then what says how long it is stays, and so do tracks that present nothing.
  var isWhole = false
  /// The brands of the new movie; `nil` for those of the first one.
  var fileType: [UInt8]?
  /// Its tracks.
  var tracks: [ComposedTrack] = []
  /// When the movies as wholes are presented.
  var presentations = SegmentList()
  /// Tracks of the first movie that are left out, with the reason.
  private(set) var leftOut: [(track: Track, reason: String)] = []
  /// Where bytes of the parts are in the new movie, in their order.
  private(set) var placed: [PlacedBytes] = []
  /// Whose tables are in memory.
  let open: OpenMovies

  /// Boxes at the top level that belong to samples or say where they are.
  private static let media: Set<FourCC> = [
    "mdat", "moof", "mfra", "sidx", "ssix", "prft", "imda",
  ]
  /// Boxes that say nothing.
  private static let space: Set<FourCC> = ["free", "skip", "wide"]

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
  /// - Parameter make: what becomes of a track.
  init(
    wholeOf movie: MovieFile, _ make: (Track) throws(EditError) -> [ComposedTrack]
  ) throws(EditError) {
    self.init(base: movie, timescale: movie.wholeTimescale)
    parts = [MoviePart(movie: movie, insertion: CompositionInsertion())]
    isWhole = true
    for track in movie.tracks { tracks += try make(track) }
  }

  /// What there is when the parts are put together: the movie as it would be written, without the bytes being read.
  mutating func draft() throws(EditError) -> WritePlan {
    guard let tree = base.tree, var moov = tree.first("moov") else {
      throw .lacksMovie
    }
    try base.checkPlaces()
    let others = try copiedBoxes(of: tree)
    let start = others.before.reduce(UInt64(0)) { $0 + $1.count }
    var layouts: [MediaLayout] = []
    for part in parts.indices { layouts.append(try layout(of: part)) }
    // How much there is decides how long the header is before it.
    var isLarge = false
    var (count, own) = try place(&layouts, at: start + 8)
    let size = own.reduce(count) { $0 &+ $1.count }
    if MediaDataHeader.needsLargeSize(size) {
      isLarge = true
      (count, own) = try place(&layouts, at: start + 16)
    }
    if !isWhole {
      for track in tracks where track.composer.isEmpty {
        leftOut.append((track.model, "nothing of it is in this part"))
      }
      tracks.removeAll(where: \.composer.isEmpty)
    }
    guard !tracks.isEmpty else { throw .refused("nothing is presented in this part of the movie") }
    try finish(&moov)
    let header = MediaDataHeader.bytes(of: size, isLarge: isLarge)
    var pieces = others.before + [.bytes(ByteView(header))]
    for (part, layout) in layouts.enumerated() { pieces += mediaPieces(layout, part) }
    pieces += own + others.after
    let plan: WritePlan
    do {
      pieces += try moov.plan().pieces
      plan = try WritePlan(pieces: pieces + others.end)
    } catch { throw .refused("\(error)") }
    try check(plan)
    return plan
  }

  // MARK: Other boxes

  /// What of the first movie is copied as it is: before the media data, after them, and what follows its last box.
  private func copiedBoxes(
    of tree: BoxTree
  ) throws(EditError) -> (before: [WritePlan.Piece], after: [WritePlan.Piece], end: [WritePlan.Piece]) {
    var (before, after): ([WritePlan.Piece], [WritePlan.Piece]) = ([], [])
    let place = tree.boxes.firstIndex { $0.type == "mdat" } ?? tree.boxes.count
    for (index, box) in tree.boxes.enumerated() where box.type != "moov" && !Self.media.contains(box.type) {
      if box.type == "styp", index > 0 { continue }
      let range = UInt64(box.offset)..<UInt64(clamping: box.fileRange.upperBound)
      guard !range.isEmpty else { continue }
      if let size = base.source.size, range.upperBound > size {
        // Room has nothing that could be lost.
        if Self.space.contains(box.type) { continue }
        throw .cutOff("the box \(box.type) at byte \(box.offset)")
      }
      var piece = WritePlan.Piece.range(range, of: base.source)
      if box.type == "ftyp", let fileType { piece = .bytes(ByteView(fileType)) }
      if index < place { before.append(piece) } else { after.append(piece) }
    }
    var end: [WritePlan.Piece] = []
    // Of a movie that is still being written, the next fragment has begun.
    if !tree.trailingRange.isEmpty, !base.container.isFragmented {
      let range = tree.trailingRange
      end.append(.range(UInt64(range.lowerBound)..<UInt64(range.upperBound), of: base.source))
    }
    return (before, after, end)
  }

  // MARK: Media data

  /// Which bytes of a part are taken.
  private func layout(of part: Int) throws(EditError) -> MediaLayout {
    let movie = parts[part].movie
    var taken: [MediaLayout.Taken] = []
    for track in tracks {
      for piece in track.pieces where piece.part == part {
        do {
          taken.append(.init(cut: piece.cut, samples: try open.samples(of: piece.cut.track, in: movie)))
        } catch { throw EditError(.unreadable, error) }
      }
    }
    let layout = MediaLayout(taken)
    let own = taken.lazy.compactMap { $0.cut.kept?.own }.first
    if let size = movie.source.size, let end = layout.end(before: own?.start ?? .max), end > size {
      let name = movie.source.name ?? "the movie"
      throw .cutOff("the samples of \(name) reach up to byte \(end), beyond \(size): the file")
    }
    return layout
  }

  /// Puts the bytes of all parts one after the other, and the samples of all tracks where their bytes are.
  ///
  /// - Returns: how many bytes the parts have, and samples that none of them has as they are, which follow.
  private mutating func place(
    _ layouts: inout [MediaLayout], at start: UInt64
  ) throws(EditError) -> (count: UInt64, own: [WritePlan.Piece]) {
    var count: UInt64 = 0
    placed = []
    for part in layouts.indices {
      try layouts[part].place(at: start + count)
      var position = start + count
      for range in layouts[part].ranges {
        placed.append(PlacedBytes(start: position, part: part, range: range))
        position += range.upperBound - range.lowerBound
      }
      count += layouts[part].count
    }
    var own: [WritePlan.Piece] = []
    var end = start + count
    for index in tracks.indices {
      try compose(&tracks[index], layouts, ownStart: end)
      own += tracks[index].composer.own
      end &+= tracks[index].composer.ownCount
    }
    return (count, own)
  }

  /// The bytes of a part.
  private func mediaPieces(_ layout: MediaLayout, _ part: Int) -> [WritePlan.Piece] {
    let own = tracks.lazy.flatMap(\.pieces).first { $0.part == part && $0.cut.kept?.own != nil }?
      .cut.kept?.own
    let (end, bytes) = (own?.start ?? .max, ByteView(own?.bytes ?? []))
    return layout.ranges.map { range in
      guard range.lowerBound >= end else { return .range(range, of: parts[part].movie.source) }
      // What the file does not have.
      return .bytes(bytes.suffix(from: Int(range.lowerBound - end)).prefix(range.count))
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
          descriptions: piece.descriptions), before: try splice(after: index, track))
      // All tracks are equally long in every part, so that the next one begins at the same time in all.
      composer.appendNothing(piece.duration &- piece.cut.edits.reduce(0) { $0 &+ $1.duration })
    }
    track.composer = composer
  }

  /// What must be said between a piece and the next one.
  private func splice(after piece: Int, _ track: ComposedTrack) throws(EditError) -> Splice {
    guard let next = track.pieces[(piece + 1)...].first, let run = next.cut.runs.first else { return .plain }
    open.use(parts[next.part].movie)
    return try Splice(before: run.samples.lowerBound, of: next.cut.track)
  }
}

extension EditError {
  /// What is refused of a file whose end is missing.
  ///
  /// - Parameter what: what is not all there.
  static func cutOff(_ what: String) -> EditError {
    EditError(
      .unreadable, "\(what) is cut off",
      advice: "Copy the file again from where it came, or cut a part before that.")
  }
}
