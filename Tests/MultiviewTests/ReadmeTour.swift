// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview
import TestSupport
import Testing

/// The lines of the README, run over a movie whose content is known.
@Suite struct ReadmeTour {
  /// What the lines print, a line each.
  static func tour() throws -> [String] {
    var lines: [String] = []
    func print(_ items: Any...) { lines.append(items.map { "\($0)" }.joined(separator: " ")) }
    func MovieFile(path: String) throws -> Multiview.MovieFile { try .init(path: Fixtures.path(path)) }
    // README
    let movie = try MovieFile(path: "spatial.mov")
    for track in movie.tracks { print(track.id, track.classification, track.codecString ?? "?") }
    for track in movie.tracks(withMediaCharacteristic: .containsStereoMultiviewVideo) {
      for layer in track.layers {
        let sets = track.layerAnalysis.parameterSets(forLayers: [layer.layerID])
        print("layer \(layer.layerID)", layer.eye.map { "\($0) eye" } ?? layer.role, sets.map(\.type))
      }
      for sample in try track.samples().prefix(1) {
        for group in try track.taggedNALUnits(of: sample) {
          print("sample \(sample.index), layer \(group.layerID): \(group.byteCount) bytes")
        }
      }
    }
    // README
    return lines
  }

  static func essential(_ text: some StringProtocol) -> [String] {
    text.split { $0 == "\n" }.map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
  }

  @Test func theReadmeHasTheseLines() throws {
    let source = String(decoding: try #require(contents(#filePath)), as: UTF8.self)
    let lines = Self.essential(source.components("// README\n")[1])
    #expect(lines.count == 13)
    let readme = String(decoding: try #require(contents(PackageFolder.root + "/README.md")), as: UTF8.self)
    let blocks = readme.components("```").filter { $0.hasPrefix("swift\nimport Multiview") }
    #expect(blocks.contains { Self.essential($0).dropFirst(2) == lines[...] })
  }

  @Test func whatTheyPrint() throws {
    let lines = try Self.tour()
    #expect(lines.count == 1 + 2 + 2)
    #expect(lines[0] == "1 spatial hvc1.1.6.L60.90")
    #expect(lines[1].hasPrefix("layer 0 left eye [VPS_NUT, SPS_NUT, PPS_NUT"))
    #expect(lines[2].hasPrefix("layer 1 right eye [VPS_NUT, SPS_NUT, PPS_NUT"))
    // The layers of the first sample in decoding order, each with its NAL units.
    let samples = lines.dropFirst(3).map { $0.split(separator: ":")[0] }
    #expect(samples == ["sample 0, layer 0", "sample 0, layer 1"])
  }
}
