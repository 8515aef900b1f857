// swift-multiview · SPDX-License-Identifier: Apache-2.0

import MoviePictures
import Multiview
import TestSupport
import Testing

@Suite struct CompositorTests {
  /// Each eye sees what is meant for the other.
  private struct Swapped: PictureCompositor {
    func compose(_ group: PictureGroup) throws(PictureError) -> ComposedPictures {
      guard let left = group[.left], let right = group[.right] else { throw .unknownEye(.left) }
      return .stereo(left: try right.rgb(), right: try left.rgb())
    }
  }

  private static func groups(_ track: Track) throws -> [PictureGroup] {
    let reader = try track.pictures()
    var groups: [PictureGroup] = []
    while let group = try reader.next() { groups.append(group) }
    return groups
  }

  @Test func aCompositorOfOnesOwn() async throws {
    let track = try #require(try MovieFile(path: Fixtures.path("spatial.mov")).tracks.first)
    let groups = try Self.groups(track)
    var index = 0
    for try await moment in track.composedGroups(by: Swapped()) {
      let group = groups[index]
      let left = try #require(group[.left]).rgb(), right = try #require(group[.right]).rgb()
      #expect(left != right)
      #expect(moment.pictures == .stereo(left: right, right: left))
      #expect(moment.presentationTime == group.presentationTime && moment.duration == group.duration)
      index += 1
    }
    #expect(index == groups.count && index > 2)
  }

  @Test func arrangementsAreCompositors() async throws {
    let track = try #require(try MovieFile(path: Fixtures.path("spatial.mov")).tracks.first)
    let group = try #require(try Self.groups(track).last)
    let left = try #require(group[.left]).rgb(), right = try #require(group[.right]).rgb()
    for arrangement in StereoArrangement.allCases {
      #expect(
        try arrangement.compose(group)
          == .mono(try RGBPicture.combining(left: left, right: right, arrangement)))
    }
    // One eye alone is passed on.
    let single = try track.pictures(options: PictureOptions(layers: [0]))
    let first = try #require(try single.next())
    #expect(try StereoArrangement.anaglyph.compose(first) == .mono(try #require(first.layers.first).rgb()))
  }

  /// What a compositor throws ends the sequence.
  @Test func aCompositorThatFails() async throws {
    struct Failing: PictureCompositor {
      func compose(_ group: PictureGroup) throws(PictureError) -> ComposedPictures {
        throw .unsupported("not today")
      }
    }
    let track = try #require(try MovieFile(path: Fixtures.path("spatial.mov")).tracks.first)
    await #expect(throws: PictureError.unsupported("not today")) {
      for try await _ in track.composedGroups(by: Failing()) { Issue.record("nothing is composed") }
    }
  }
}
