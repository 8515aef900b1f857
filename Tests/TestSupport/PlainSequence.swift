// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import HEVC

extension NALUnit {
  /// A video parameter set that describes the base layer alone.
  public func withBaseLayerAlone() throws -> NALUnit {
    var set = rbsp.decode(VideoParameterSet()).value
    (set.vpsMaxLayersMinus1, set.vpsMaxLayerID, set.layerIDIncludedFlags) = (0, 0, [])
    (set.vpsExtension, set.vpsExtension2) = (nil, nil)
    return try NALUnit(header, set)
  }
}

/// A sequence of pictures of this size, in tree blocks of 16 and coding blocks of 8.
public func plainSequence(width: UInt32, height: UInt32) -> SequenceParameterSet {
  var sps = SequenceParameterSet(), format = PictureFormat()
  format.picWidthInLumaSamples = width
  format.picHeightInLumaSamples = height
  sps.pictureFormat = format
  sps.log2DiffMaxMinLumaCodingBlockSize = 1
  sps.log2DiffMaxMinLumaTransformBlockSize = 2
  return sps
}
