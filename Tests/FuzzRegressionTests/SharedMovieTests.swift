// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import Multiview
import TestSupport
import Testing

/// One movie, many tasks: whoever asks first, the answers are the same. Meant for the thread sanitizer too.
@Suite struct SharedMovieTests {
  /// What can be asked of a movie, as text.
  private static func answers(_ movie: MovieFile, order: Int) throws -> String {
    var parts = [
      "\(movie.classification)", "\(String(describing: movie.duration))", "\(movie.allDiagnostics.count)",
    ]
    let tracks = order % 2 == 0 ? movie.tracks : movie.tracks.reversed()
    for track in tracks.sorted(by: { $0.index < $1.index }) {
      parts.append(
        "\(track.id) \(track.layers.map(\.layerID)) \(track.eyeAssignment.eyes.sorted { $0.key < $1.key })")
      parts.append("\(track.classification) \(track.tagCollections.count) \(track.sampleCount)")
      guard !track.isRawStream else { continue }
      let samples = try track.samples()
      parts.append("\(samples.count) \(samples.map(\.offset).reduce(0, &+))")
      parts.append("\(samples.compositionRank(of: 3)) \(TimingSummary(samples))")
      var units = 0
      if track.isHEVC {
        try track.forEachAccessUnit(0..<20) { places, _ in
          units += places.units.count
          return true
        }
      }
      if var cursor = try track.makeSampleCursorAtFirstSampleInDecodeOrder() {
        cursor.stepInPresentationOrder(byCount: 5)
        units += cursor.index
      }
      parts.append("\(units)")
    }
    return parts.joined(separator: "\n")
  }

  @Test(arguments: Fixtures.media)
  func manyTasksGetTheSameAnswers(_ name: String) async throws {
    let expected = try Self.answers(MovieFile(path: Fixtures.path(name)), order: 0)
    let shared = try MovieFile(path: Fixtures.path(name))
    let different = try await withThrowingTaskGroup(of: Bool.self) { group in
      for order in 0..<8 { group.addTask { try Self.answers(shared, order: order) != expected } }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(different == 0)
  }

  @Test func boxesAndPayloadsAreSharedToo() async throws {
    let tree = BoxTree(Fixtures.bytes("spatial.mov"), registry: .standard)
    let expected = try tree.encoded()
    let different = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var count = 0
          tree.forEachBox { box, _ in count += box.decodePayload() == nil ? 0 : 1 }
          return try tree.encoded() != expected || count < 20 || BoxRegistry.standard.all.isEmpty
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(different == 0)
  }
}
