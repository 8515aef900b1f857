// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import MoviePictures
import Multiview
import TestSupport
import Testing

/// Both halves of a picture have its colours, however few rows a half has.
@Suite struct PackedColourTests {
  @Test func halvesOfHighPicturesHaveTheirMatrix() throws {
    let folder = try TemporaryFolder()
    let header = Array("YUV4MPEG2 W16 H1152 F25:1 Ip A1:1 C420jpeg\nFRAME\n".utf8)
    let source = try folder.write("source.y4m", header + [UInt8](repeating: 100, count: 16 * 1_152 * 3 / 2))
    let flat = folder.path + "/flat.mov", packed = folder.path + "/packed.mov"
    #expect(mvedit("encode", "--layout", "mono", "-o", flat, source).code == .success)
    #expect(
      mvedit("tag", "--eyes", "left,right", "--packing", "over", "-o", packed, flat).code == .success)
    let track = try #require(try MovieFile(path: packed).tracks.first)
    let group = try #require(try track.pictures().next())
    let whole = try #require(group.layers.first), left = try #require(group[.left])
    #expect(left.size.height == 576 && whole.size.height == 1_152)
    let colour = try whole.colourInterpretation()
    #expect(colour.isMatrixAssumed && colour.matrix == .bt709)
    #expect(try left.colourInterpretation() == colour)
    // What both eyes share is no eye's.
    #expect(whole.eye == nil && left.eye == .left)
  }
}
