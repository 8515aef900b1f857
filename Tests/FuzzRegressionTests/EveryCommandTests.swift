// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FuzzEntries
import ISOBMFF
import Multiview
import TestSupport
import Testing

/// Damaged fixtures through every command of the tool, in this process: it ends with 0, 1 or 2, its JSON is a document, and
/// memory stays in proportion.
@Suite struct EveryCommandTests {
  /// Where a fixture is cut: around every box, and at every so many bytes.
  static func cuts(_ bytes: ByteView, every step: Int) -> [Int] {
    var cuts = Set(stride(from: 0, to: bytes.count, by: step))
    BoxTree(bytes, registry: .standard).forEachBox { box, _ in
      for place in [box.offset, box.offset + box.headerSize, box.offset + box.size] {
        cuts.formUnion([place - 1, place, place + 1])
      }
    }
    return cuts.filter { (0...bytes.count).contains($0) }.sorted()
  }

  /// The fixtures without most of their media data: what is left can be cut often.
  static let small = FuzzTarget.smallFiles.map { SmallFile(name: $0.0, bytes: $0.1) }

  struct SmallFile: CustomStringConvertible, Sendable {
    let name: String
    let bytes: [UInt8]
    var description: String { name }
  }

  @Test(arguments: small)
  func cutAnywhere(_ file: SmallFile) {
    let bytes = ByteView(file.bytes)
    let commands = FuzzTarget.commands
    for (turn, cut) in Self.cuts(bytes, every: 64).enumerated() where turn % 8 == file.bytes.count % 8 {
      let command = commands[turn / 8 % commands.count]
      let problems = FuzzTarget.problems(running: command, on: bytes.prefix(cut))
      #expect(problems.isEmpty, "\(command.joined(separator: " ")), cut to \(cut): \(problems)")
    }
  }

  /// One movie and one stream, cut around every box and at every eighth byte.
  @Test(arguments: FuzzTarget.commands)
  func cutThroughEveryCommand(_ command: [String]) {
    let stream = Fixtures.bytes("two-views.hevc").prefix(800)
    let movie = Self.small.first { $0.name == "small-spatial.mov" }.map { ByteView($0.bytes) } ?? ByteView()
    #expect(!movie.isEmpty)
    for bytes in [movie, stream] {
      for cut in Self.cuts(bytes, every: 8) {
        let problems = FuzzTarget.problems(running: command, on: bytes.prefix(cut))
        #expect(problems.isEmpty, "cut to \(cut): \(problems)")
      }
    }
  }

  @Test(arguments: FuzzTarget.commands)
  func whole(_ command: [String]) {
    for name in ["spatial.mov", "two-views.hevc", "two-views-fragmented.mp4"] {
      let problems = FuzzTarget.problems(running: command, on: Fixtures.bytes(name))
      #expect(problems.isEmpty, "\(name): \(problems)")
    }
  }

  @Test(arguments: small)
  func changedAnywhere(_ file: SmallFile) throws {
    let target = try #require(FuzzTarget.named("FuzzInfo"))
    let commands = FuzzTarget.commands
    for seed in 0..<UInt64(12) {
      let bytes = target.mutated(
        file.bytes, maximumSize: 1 << 17, seed: seed &* 977 &+ UInt64(file.bytes.count))
      let command = commands[Int(seed &* 5 % UInt64(commands.count))]
      let problems = FuzzTarget.problems(running: command, on: ByteView(bytes))
      #expect(problems.isEmpty, "\(command.joined(separator: " ")), seed \(seed): \(problems)")
    }
  }
}
