// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A movie in which the samples of one track are rewritten, interleaved with those of all others.
struct RebuiltMovie {
  let repair: TrackRepair
  let options: MuxOptions

  private var movie: MovieFile { repair.movie }

  init(_ repair: TrackRepair, frameRate: FrameRate?) {
    self.repair = repair
    var options = MuxOptions()
    options.brand = repair.movie.tree?.isQuickTime == true ? .mov : .mp4
    options.frameRate = frameRate
    // What the movie lacks, no repair can bring back.
    options.allowsLostPictures = true
    options.listsOpenAccessPoints = repair.listsOpenAccessPoints
    self.options = options
  }

  /// Writes everything except `moov`, and returns `moov`.
  func write(to output: any MediaOutput) throws(EditError) -> Box {
    guard let tree = movie.tree, let old = tree.first("moov"), !movie.container.isFragmented,
      let header = old.first(MovieHeaderBox.self), header.timescale > 0
    else { throw EditError(.damaged, "the header of the movie cannot be read") }
    try movie.checkPlaces()
    var copies: [CopiedTrack] = []
    for other in movie.tracks where other.id != repair.track.id {
      copies.append(try CopiedTrack(other, of: movie))
    }
    var session = try repair.session(options, copies: copies, output: output)
    do {
      let media = tree.boxes.firstIndex { $0.type == "mdat" } ?? tree.boxes.endIndex
      try copy(tree.boxes[..<media], to: output)
      let start = output.position
      try output.writePiece(MuxedMovie.mediaHeader(options.brand, count: 0))
      try session.run()
      try output.replacePiece(
        at: start, with: MuxedMovie.mediaHeader(options.brand, count: output.position - start - 16))
      try copy(tree.boxes[media...], to: output)
      return try moov(old, header, session)
    } catch { throw EditError(error, source: .failed) }
  }

  /// Copies boxes as they are, except those that are written anew, and free space.
  private func copy(_ boxes: ArraySlice<Box>, to output: any MediaOutput) throws(SourceError) {
    for box in boxes where !["moov", "mdat", "wide", "free", "skip"].contains(box.type) {
      try output.write(try movie.source.read(UInt64(box.offset)..<UInt64(box.fileRange.upperBound)))
    }
  }

  /// The bytes after the last box, which follow the new movie box.
  func trailingBytes() throws(SourceError) -> ByteView {
    guard let range = movie.tree?.trailingRange, !range.isEmpty else { return ByteView([]) }
    return try movie.source.read(UInt64(range.lowerBound)..<UInt64(range.upperBound))
  }

  /// Returns the movie whose media data are in an output, with boxes that are not written yet.
  func movie(in output: any MediaOutput, _ moov: Box) throws(EditError) -> MovieFile {
    do {
      let whole = try ConcatenatedBytes([try output.soFar(), MemoryBytes(ByteView(try moov.encoded()))])
      return try MovieFile(source: whole, limits: movie.limits)
    } catch { throw EditError(.failed, because: error, of: "the written movie cannot be read") }
  }

  private func moov(_ old: Box, _ header: MovieHeaderBox, _ session: MuxSession) throws -> Box {
    guard let times = session.times else { throw EditError(.damaged, "there are no pictures") }
    var moov = old
    let ids = Dictionary(uniqueKeysWithValues: Set(movie.tracks.map(\.id)).map { ($0, $0) })
    let traks = moov.children.indices.filter { moov.children[$0].type == "trak" }
    guard traks.count == movie.tracks.count, ids.count == traks.count else {
      throw EditError(.damaged, "some tracks of the movie cannot be distinguished")
    }
    for (index, place) in traks.enumerated() {
      let other = movie.tracks[index]
      if other.id == repair.track.id {
        moov.children[place] = try repair.trackBox(
          moov.children[place], session, times, isQuickTime: options.brand == .mov)
      } else if let copy = session.copies.first(where: { $0.track.id == other.id }) {
        moov.children[place] = try copy.trackBox(id: other.id, timescale: header.timescale, ids: ids)
      }
    }
    if !repair.keepsTimes { try moov.setMovieDuration() }
    return moov
  }
}
