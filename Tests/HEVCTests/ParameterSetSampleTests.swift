// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import Testing

/// The samples of parameter sets and slice headers are whole: they are written, and read back as the same bytes.
@Suite struct ParameterSetSampleTests {
  @Test(arguments: VideoParameterSet.samples.indices) func video(index: Int) throws {
    let bytes = ByteView(try VideoParameterSet.samples[index].encoded())
    #expect(try VideoParameterSet(rbsp: bytes).encoded() == bytes.array)
  }

  @Test(arguments: SequenceParameterSet.samples.indices) func sequence(index: Int) throws {
    let sample = SequenceParameterSet.samples[index]
    let bytes = ByteView(try sample.encoded())
    let set = try SequenceParameterSet(rbsp: bytes, layerID: sample.nuhLayerID)
    #expect(try set.encoded() == bytes.array)
  }

  @Test(arguments: PictureParameterSet.samples.indices) func picture(index: Int) throws {
    let bytes = ByteView(try PictureParameterSet.samples[index].encoded())
    #expect(try PictureParameterSet(rbsp: bytes).encoded() == bytes.array)
  }

  @Test(arguments: SliceSegmentHeader.samples.indices) func slice(index: Int) throws {
    let sample = SliceSegmentHeader.samples[index]
    let bytes = ByteView(try sample.encoded())
    let read = try bytes.decoded(SliceSegmentHeader(in: sample.unit, sample.parameters))
    #expect(try read.encoded() == bytes.array)
  }
}
