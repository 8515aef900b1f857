// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A movie that was inserted into a composition. Its bytes are together in the new file, in their order.
struct MoviePart {
  let movie: MovieFile
  let insertion: CompositionInsertion
}

/// Composes a movie from parts of others; everything that is not samples comes from one of them.
struct MovieComposer {
  /// The movie whose boxes are used.
  let base: MovieFile
  /// The movies that samples come from.
  private(set) var parts: [MoviePart] = []
  /// The timescale of the new movie, a multiple of those of all parts.
  let timescale: UInt32
  /// Whether a whole movie is taken, so that durations and tracks that present nothing are kept.
  var isWhole = false
  /// Whether everything is presented at the same time as in the first movie, so that its event messages are kept.
  var keepsTimes = false
  /// Whether times of the sound are those of the first movie, so that what iTunes says of its length is kept.
  var keepsSoundLength = false
  /// Whether what iTunes says of the length of the sound was left out.
  var leftOutSoundLength = false
  /// The number of chapters that the list of the new movie has no room for.
  var chaptersLeftOut = 0
  /// The tracks of the new movie.
  var tracks: [ComposedTrack] = []
  /// The parts of the presentations of whole movies.
  var presentations = SegmentList()
  /// Tracks of the first movie that are left out, with the reason.
  private(set) var leftOut: [(track: Track, reason: String)] = []
  /// The offset in the new movie of the media data, and the number of bytes of the parts in it.
  private(set) var media: (start: UInt64, count: UInt64) = (0, 0)
  /// The movies whose tables are in memory.
  let open: OpenMovies

  /// The top-level boxes with media data or offsets of samples.
  private static let media: Set<FourCC> = [
    "mdat", "moof", "mfra", "sidx", "ssix", "prft", "imda",
  ]
  /// The boxes without information.
  private static let space: Set<FourCC> = ["free", "skip", "wide"]

  init(base: MovieFile, timescale: UInt32, open: OpenMovies = OpenMovies()) {
    self.base = base
    self.timescale = timescale
    self.open = open
  }

  /// Returns the index of the part of an insertion, which is added if there is none.
  mutating func part(of insertion: CompositionInsertion, _ movie: MovieFile) -> Int {
    if let index = parts.firstIndex(where: { $0.insertion === insertion }) { return index }
    parts.append(MoviePart(movie: movie, insertion: insertion))
    return parts.count - 1
  }

  /// Makes a composer of a whole movie whose tracks are replaced by others.
  ///
  /// - Parameters:
  ///   - movie: the movie.
  ///   - make: returns the new tracks for a track, with the timescale of the movie.
  init(
    wholeOf movie: MovieFile, _ make: (Track, UInt32) throws(EditError) -> [ComposedTrack]
  ) throws(EditError) {
    self.init(base: movie, timescale: movie.wholeTimescale)
    parts = [MoviePart(movie: movie, insertion: CompositionInsertion())]
    (isWhole, keepsTimes) = (true, true)
    for track in movie.tracks { tracks += try make(track, timescale) }
  }

  /// Returns the composed movie, which is checked; the bytes of samples are not read.
  mutating func draft() throws(EditError) -> MovieFile {
    guard let tree = base.tree, var moov = tree.first("moov") else {
      throw .lacksMovie
    }
    try base.checkPlaces()
    let others = try copiedBoxes(of: tree)
    let (layouts, own) = try placeMedia()
    if !isWhole {
      for track in tracks where track.composer.isEmpty {
        leftOut.append((track.model, "it has no samples in this part"))
      }
      tracks.removeAll(where: \.composer.isEmpty)
    }
    guard !tracks.isEmpty else {
      throw EditError(.nothingToDo, "nothing is presented in this part of the movie")
    }
    let size = own.reduce(media.count) { $0 &+ $1.count }
    let header = MediaDataHeader.bytes(of: size, isLarge: MediaDataHeader.needsLargeSize(size))
    media.start = others.before.reduce(UInt64(header.count)) { $0 + $1.count }
    try finish(&moov)
    var pieces = others.before + [.bytes(ByteView(header))]
    for (part, layout) in layouts.enumerated() { pieces += mediaPieces(layout, part) }
    pieces += own + others.after
    let plan: WritePlan
    do {
      pieces += try moov.plan().pieces
      plan = try WritePlan(pieces: pieces + others.end)
    } catch { throw .refused(error) }
    return try checked(plan)
  }

  // MARK: Other boxes

  /// Returns the boxes of the first movie that are copied unchanged: before the media data, after them, and
  /// bytes after its last box.
  private func copiedBoxes(
    of tree: BoxTree
  ) throws(EditError) -> (before: [WritePlan.Piece], after: [WritePlan.Piece], end: [WritePlan.Piece]) {
    var (before, after): ([WritePlan.Piece], [WritePlan.Piece]) = ([], [])
    let place = tree.boxes.firstIndex { $0.type == "mdat" } ?? tree.boxes.count
    let fileType = try base.plainFileType()
    let trailer = trailer(of: tree)
    for (index, box) in tree.boxes.enumerated() where box.type != "moov" && !Self.media.contains(box.type) {
      if box.type == "styp", index > 0 { continue }
      if box.type == "emsg", !keepsTimes || box.eventTime == nil { continue }
      if index == tree.boxes.count - 1, trailer != nil { continue }
      if box.structuralProblem != nil {
        // Free space has nothing that could be lost.
        if Self.space.contains(box.type) { continue }
        throw .cutOff("the box \(box.type) at byte \(box.offset)")
      }
      let pieces: [WritePlan.Piece]
      if box.type == "ftyp", let fileType {
        pieces = [.bytes(ByteView(fileType))]
      } else {
        // The boxes of the movie follow.
        pieces = try refusing(box.plan(isLast: false).pieces)
      }
      if index < place { before += pieces } else { after += pieces }
    }
    var end: [WritePlan.Piece] = []
    if let trailer { end.append(.range(trailer, of: base.source)) }
    // In a movie that is still being written, these bytes are the beginning of the next fragment.
    if !base.container.isFragmented {
      let range = tree.trailingRange
      if !range.isEmpty {
        end.append(.range(UInt64(range.lowerBound)..<UInt64(range.upperBound), of: base.source))
      }
    }
    return (before, after, end)
  }

  /// The bytes of what cameras append to their files, which their readers look for from the end: that of Samsung is a box,
  /// those of others look like the beginning of a box that is cut off. `nil` if there are none.
  private func trailer(of tree: BoxTree) -> Range<UInt64>? {
    guard let last = tree.boxes.last, tree.boxes.count > 2, !Self.media.contains(last.type),
      !Self.space.contains(last.type), tree.boxes.dropLast().contains(where: { $0.type == "moov" }),
      tree.boxes.contains(where: { $0.type == "mdat" }), let start = UInt64(exactly: last.offset)
    else { return nil }
    // A box that is known and cut off is damaged.
    let isKnown =
      last.type == "uuid" || BoxRegistry.standard.registration(for: last.type, in: .file) != nil
    guard last.type == "sefd" || (last.structuralProblem != nil && !isKnown) else { return nil }
    let end = UInt64(clamping: last.fileRange.upperBound)
    guard let size = base.source.size, start < end, end <= size else { return nil }
    return start..<end
  }

  // MARK: Media data

  /// Returns the bytes of a part that are taken, and where they are in the media data.
  ///
  /// - Parameter start: the offset in the media data of the first of them.
  private func layout(of part: Int, at start: UInt64) throws(EditError) -> MediaLayout {
    let movie = parts[part].movie
    var samples: [MediaLayout.CutSamples] = []
    for track in tracks {
      for cut in track.cuts where cut.part == part {
        samples.append((cut, try reading(open.samples(of: cut.track, in: movie))))
      }
    }
    let layout = try MediaLayout(samples, at: start)
    let own = samples.lazy.compactMap { $0.cut.kept?.own }.first
    if let size = movie.source.size, let end = layout.end(before: own?.start ?? .max), end > size {
      let name = movie.source.name ?? "the movie"
      throw .cutOff("the samples of \(name) end at byte \(end), beyond its \(size) bytes: the file")
    }
    return layout
  }

  /// Places the bytes of all parts one after the other, and the samples of all tracks where their bytes are.
  ///
  /// - Returns: the layouts of the parts, and bytes of samples that none of them has, which follow.
  private mutating func placeMedia() throws(EditError) -> (layouts: [MediaLayout], own: [WritePlan.Piece]) {
    var layouts: [MediaLayout] = []
    for part in parts.indices {
      layouts.append(try layout(of: part, at: media.count))
      media.count += layouts[part].count
    }
    var own: [WritePlan.Piece] = []
    var end = media.count
    for index in tracks.indices {
      try compose(&tracks[index], layouts, ownStart: end)
      own += tracks[index].composer.own
      end = tracks[index].composer.ownRange.upperBound
    }
    return (layouts, own)
  }

  /// Returns the bytes of a part.
  private func mediaPieces(_ layout: MediaLayout, _ part: Int) -> [WritePlan.Piece] {
    let own = tracks.lazy.flatMap(\.cuts).first { $0.part == part && $0.kept?.own != nil }?.kept?.own
    let (end, bytes) = (own?.start ?? .max, ByteView(own?.bytes ?? []))
    return layout.ranges.map { range in
      guard range.lowerBound >= end else { return .range(range, of: parts[part].movie.source) }
      // Bytes that the file does not have.
      return .bytes(bytes.suffix(from: Int(range.lowerBound - end)).prefix(range.count))
    }
  }

  private func compose(
    _ track: inout ComposedTrack, _ layouts: [MediaLayout], ownStart: UInt64
  ) throws(EditError) {
    var composer = TrackComposer(timescale: track.composer.timescale, ownStart: ownStart, open: open)
    for (index, cut) in track.cuts.enumerated() {
      try composer.append(cut, layouts[cut.part], before: try splice(after: index, track))
    }
    track.composer = composer
  }

  /// Returns what a decoder needs between a cut and the next one.
  private func splice(after index: Int, _ track: ComposedTrack) throws(EditError) -> Splice {
    guard let next = track.cuts[(index + 1)...].first, let span = next.spans.first else { return .plain }
    open.use(next.movie)
    return try Splice(before: span.samples.lowerBound, of: next.track)
  }
}

extension EditError {
  /// The refusal of a truncated file.
  ///
  /// - Parameter what: what is incomplete.
  static func cutOff(_ what: String) -> EditError {
    EditError(
      .unreadable, "\(what) is cut off",
      advice: "Copy the file again from its source, or cut a part before that.")
  }
}
