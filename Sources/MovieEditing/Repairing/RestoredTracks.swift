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
    guard !movie.container.isFragmented, !original.container.isFragmented,
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
    let output = AppendedMedia(after: size + 8)
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
      let length = UInt32(clamping: output.bytes.count + 8)
      let header = [24, 16, 8, 0].map { (shift: UInt32) in UInt8(truncatingIfNeeded: length >> shift) }
      let media = ByteView(header + Array("mdat".utf8) + output.bytes)
      var moov = old
      let place = (moov.children.lastIndex { $0.type == "trak" } ?? -1) + 1
      moov.children.insert(contentsOf: boxes, at: place)
      for index in moov.children.indices where moov.children[index].type == "mvhd" {
        try moov.children[index].edit(MovieHeaderBox.self) { $0.nextTrackID = max($0.nextTrackID, next) }
      }
      // Nothing moves, so that all offsets are right: the media follow the file, and the new box follows them. Then
      // the old box is removed.
      let flip = UInt64(old.offset) + 4
      let whole = try MovieFile(
        source: ConcatenatedBytes([
          PartOfSource(source: made.source, range: 0..<flip), MemoryBytes(ByteView(Array("free".utf8))),
          PartOfSource(source: made.source, range: (flip + 4)..<size), MemoryBytes(media),
          MemoryBytes(ByteView(try moov.encoded())),
        ]), limits: made.limits)
      guard var tree = whole.tree else { throw EditError.lacksMovie }
      tree.boxes.removeAll { $0.type == "free" && $0.offset == old.offset }
      return try MovieFile(edited: tree)
    } catch let error as EditError { throw error } catch let error as SourceError {
      throw EditError(.failed, error)
    } catch { throw .refused("\(error)") }
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

/// Samples that will follow a file, in memory.
private final class AppendedMedia: MediaOutput {
  private let start: UInt64
  private(set) var bytes: [UInt8] = []

  init(after start: UInt64) { self.start = start }

  var position: UInt64 { start + UInt64(bytes.count) }

  func write(_ bytes: ByteView) throws(SourceError) { self.bytes += bytes.array }

  func writePiece(_ bytes: ByteView) throws(SourceError) { try write(bytes) }

  func replacePiece(at offset: UInt64, with new: ByteView) throws(SourceError) {
    let first = Int(clamping: offset) - Int(clamping: start)
    guard first >= 0, first + new.count <= bytes.count else { return }
    bytes.replaceSubrange(first..<(first + new.count), with: new.array)
  }

  func soFar() throws(SourceError) -> any ByteSource { MemoryBytes(ByteView(bytes)) }

  func complete(with more: ByteView) throws(SourceError) -> any ByteSource {
    MemoryBytes(ByteView(bytes + more.array))
  }
}
