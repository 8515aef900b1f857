// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Movies by other hands, tagged and compared with what they were: box for box, sample for sample.
@Suite struct CorpusEditingTests {
  static let movies: [String] = ["apple", "mvhevc", "lhevc", "made", "third-party", "found"].flatMap { part in
    Corpus.files(part).filter { name in
      [".mov", ".mp4", ".m4v", ".m4s", ".qt"].contains { name.hasSuffix($0) }
    }
  }

  /// Boxes whose fields are offsets, which follow what moves.
  private static let offsets: Set<FourCC> = [
    "stco", "co64", "saio", "sidx", "tfra", "mfro", "tfhd", "trun", "iloc",
  ]

  @Test(.enabled(if: Corpus.isPresent)) func onlyTheTagsChange() throws {
    let folder = try TemporaryFolder()
    let corpus = try #require(Corpus.folder)
    var edited = 0
    var samples = 0
    var refused: [String: Int] = [:]
    for name in Self.movies {
      let path = corpus + "/" + name
      guard var editor = try? MovieEditor(path: path) else { continue }
      let targets = editor.stereoTracks()
      guard let first = targets.first, !editor.tracks[first].entries.contains(where: \.isProtected) else {
        continue
      }
      let old = editor.tracks[first].stereo.fieldOfView
      let new = Millidegrees.degrees(old == .degrees(50) ? 60 : 50)
      let before = editor.tracks.map { $0.entries.map(\.original) }
      for track in targets {
        for entry in editor.tracks[track].entries.indices {
          editor.tracks[track].entries[entry].stereo.fieldOfView = new
        }
      }
      let output = folder.path + "/tagged"
      var options = MovieWriteOptions()
      options.keepsFreeSpace = true
      do { try editor.write(to: output, options: options) } catch {
        // What cannot be tagged says why, and leaves nothing.
        #expect(error.isRefusal && !error.reason.isEmpty, "\(name): \(error)")
        #expect(filesBelow(folder.path).isEmpty, "\(name)")
        refused[error.reason, default: 0] += 1
        continue
      }
      let tagged = try MovieFile(path: output)
      samples += try compareSamples(editor.movie, tagged, name)
      try compareBoxes(editor.movie, tagged, name)
      let breaches = MovieRules.newBreaches(contents(output) ?? [], since: contents(path) ?? [])
      #expect(breaches == [], "\(name)")

      // With the tags as they were before, the file is as it was before.
      var back = try MovieEditor(path: output)
      for track in back.tracks.indices {
        for entry in back.tracks[track].entries.indices {
          back.tracks[track].entries[entry].stereo = before[track][entry]
        }
      }
      let again = folder.path + "/again"
      back.allowsContradictions = true
      try back.write(to: again, options: options)
      #expect(contents(again) == contents(path), "\(name): not the same file again")
      try FileManager.default.removeItem(atPath: output)
      try FileManager.default.removeItem(atPath: again)
      edited += 1
    }
    print("\(edited) movies of the corpus tagged and back, \(samples) samples the same; refused: \(refused)")
    #expect(edited > 100 && samples > 1_000)
  }

  private func compareSamples(_ old: MovieFile, _ new: MovieFile, _ name: String) throws -> Int {
    var count = 0
    let size = old.source.size ?? 0
    let moov =
      (old.tree?.first("moov")?.fileRange).map { UInt64($0.lowerBound)..<UInt64($0.upperBound) } ?? 0..<0
    #expect(old.tracks.count == new.tracks.count, "\(name)")
    for (before, after) in zip(old.tracks, new.tracks) {
      let (wanted, found) = (try before.samples(), try after.samples())
      #expect(wanted.count == found.count, "\(name) track \(before.id)")
      var pairs = zip(wanted, found).makeIterator()
      while let (sample, there) = pairs.next() {
        var moved = there
        moved.offset = sample.offset
        // Some tables point beyond the file, or at boxes.
        let isMedia = sample.range.upperBound <= size && !sample.range.overlaps(moov)
        guard moved == sample,
          try !isMedia || old.source.read(sample.range) == new.source.read(there.range)
        else {
          Issue.record("\(name) track \(before.id): sample \(sample.index) differs")
          break
        }
        count += 1
      }
    }
    return count
  }

  /// All boxes but those of the tags and offsets are there, in their order, with their bytes.
  private func compareBoxes(_ old: MovieFile, _ new: MovieFile, _ name: String) throws {
    let (wanted, found) = (try leaves(of: old), try leaves(of: new))
    if let index = zip(wanted, found).map({ $0 == $1 }).firstIndex(of: false) {
      Issue.record("\(name): \(wanted[index].path) became \(found[index].path), or has other bytes")
    }
    #expect(wanted.count == found.count, "\(name)")
  }

  private struct Leaf: Equatable {
    var path: String
    var bytes: ByteView
  }

  private func leaves(of movie: MovieFile) throws -> [Leaf] {
    var boxes: [(box: Box, path: String)] = []
    movie.tree?.forEachBox { box, path in boxes.append((box, path)) }
    return try boxes.compactMap { box, path in
      guard box.type != "hfov" else { return nil }
      let isData = ["mdat", "idat", "free", "skip", "wide"].contains(box.type)
      guard !isData, !Self.offsets.contains(box.type), box.children.isEmpty else {
        // How long the first are is compared by what is in them.
        return Leaf(path: path, bytes: box.children.isEmpty ? ByteView() : box.fields)
      }
      let bytes = try movie.source.read(
        UInt64(
          box.offset + box.headerSize)..<UInt64(max(box.offset + box.headerSize, box.fileRange.upperBound)))
      return Leaf(path: path, bytes: bytes)
    }
  }
}
