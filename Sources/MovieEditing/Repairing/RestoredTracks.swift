// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

extension DonorRestoration {
  /// The number of bytes of all samples of tracks that are restored: timed metadata is small.
  private static let maximumBytes = 16 << 20

  /// The tracks of timed metadata of the original that the movie lacks.
  var lostTracks: [Track] {
    guard chosen == nil, !movie.container.isFragmented, !original.container.isFragmented,
      movie.tree?.boxes.last?.sizeForm != .toEnd
    else { return [] }
    func kinds(_ movie: MovieFile) -> [Track] { movie.tracks.filter { $0.mediaType == .metadata } }
    // A tool that keeps some of them would have to be asked which.
    guard kinds(movie).isEmpty else { return [] }
    var bytes = 0
    return kinds(original).filter { track in
      guard track.sampleCount > 0, track.externalMedia.isEmpty, let samples = Self.samples(of: track),
        (try? CopiedTrack(track, of: original)) != nil
      else { return false }
      let own = samples.reduce(0) { $0 &+ Int($1.size) }
      guard bytes &+ own <= Self.maximumBytes else { return false }
      bytes += own
      return true
    }
  }

  private static func samples(of track: Track) -> TrackSamples? {
    do { return try track.samples() } catch { return nil }
  }

  /// Returns a movie with the tracks that are lost, whose samples follow everything else.
  func addTracks(to made: MovieFile) throws(EditError) -> MovieFile {
    let tracks = lostTracks
    guard !tracks.isEmpty, let size = made.source.size, let old = made.tree?.first("moov"),
      let timescale = old.first(MovieHeaderBox.self)?.timescale, timescale > 0
    else { return made }
    let output = DraftOutput(at: size + 8, keeping: .max)
    var next = (made.tracks.map(\.id).max() ?? 0) &+ 1
    var ids = twins(in: made)
    for track in tracks {
      ids[track.id] = next
      next &+= 1
    }
    var boxes: [Box] = []
    for track in tracks {
      var copy = try CopiedTrack(track, of: original)
      while copy.nextTime != nil { try copy.write(before: .infinity, to: output) }
      boxes.append(try copy.trackBox(id: ids[track.id] ?? 0, timescale: timescale, ids: ids))
    }
    do {
      let length = output.position - size
      let header = UInt32(clamping: length).bigEndianBytes + Array("mdat".utf8)
      var moov = old
      let place = (moov.children.lastIndex { $0.type == "trak" } ?? -1) + 1
      moov.children.insert(contentsOf: boxes, at: place)
      try moov.editAll(MovieHeaderBox.self) { $0.nextTrackID = max($0.nextTrackID, next) }
      // Nothing moves, so that all offsets are right: the media follow the file, and the new box follows them. Then
      // the old box is removed.
      let flip = UInt64(old.offset) + 4
      let whole = try WritePlan(pieces: [
        .range(0..<flip, of: made.source), .bytes(ByteView(Array("free".utf8))),
        .range((flip + 4)..<size, of: made.source), .bytes(ByteView(header)),
        .range(0..<(length - 8), of: output.soFar()), .bytes(ByteView(try moov.encoded())),
      ])
      guard var tree = try MovieFile(source: whole, limits: made.limits).tree else {
        throw EditError.lacksMovie
      }
      tree.boxes.removeAll { $0.type == "free" && $0.offset == old.offset }
      return try MovieFile(edited: tree)
    } catch { throw EditError(error, source: .failed) }
  }

  /// The IDs of tracks of the movie by those of the tracks of the original that they were made from.
  private func twins(in made: MovieFile) -> [UInt32: UInt32] {
    var ids: [UInt32: UInt32] = [:]
    for type in [MediaType.video, .audio] {
      let old = original.tracks.filter { $0.mediaType == type }
      let new = made.tracks.filter { $0.mediaType == type }
      for (left, right) in zip(old, new) where left.codec == right.codec || left.isHEVC && right.isHEVC {
        ids[left.id] = right.id
      }
    }
    return ids
  }
}
