// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import LayoutExamples
import Testing

/// The examples of parameter sets and slice headers are whole: they are written, and read back as the same bytes.
@Suite struct ParameterSetExampleTests {
  @Test(arguments: VideoParameterSet.examples.indices) func video(index: Int) throws {
    let bytes = ByteView(try VideoParameterSet.examples[index].encoded())
    #expect(try VideoParameterSet(rbsp: bytes).encoded() == bytes.array)
  }

  @Test(arguments: SequenceParameterSet.examples.indices) func sequence(index: Int) throws {
    let example = SequenceParameterSet.examples[index]
    let bytes = ByteView(try example.encoded())
    let set = try SequenceParameterSet(rbsp: bytes, layerID: example.nuhLayerID)
    #expect(try set.encoded() == bytes.array)
  }

  @Test(arguments: PictureParameterSet.examples.indices) func picture(index: Int) throws {
    let bytes = ByteView(try PictureParameterSet.examples[index].encoded())
    #expect(try PictureParameterSet(rbsp: bytes).encoded() == bytes.array)
  }

  @Test(arguments: SliceSegmentHeader.examples.indices) func slice(index: Int) throws {
    let example = SliceSegmentHeader.examples[index]
    let bytes = ByteView(try example.encoded())
    let read = try bytes.decoded(SliceSegmentHeader(in: example.unit, example.parameters))
    #expect(try read.encoded() == bytes.array)
  }
}
