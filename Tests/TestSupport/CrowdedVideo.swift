// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import HEVC

extension VideoParameterSet {
  /// A set with 1023 output layer sets that take no bits each, and sizes for them that take four bits each.
  public static var crowded: VideoParameterSet {
    var vps = VideoParameterSet()
    vps.vpsMaxSubLayersMinus1 = 6
    vps.vpsSubLayerOrderingInfoPresentFlag = false
    vps.profileTierLevel.maxNumSubLayersMinus1 = 6
    vps.profileTierLevel.subLayers = Array(repeating: .init(), count: 6)
    vps.layerIDIncludedFlags = Array(repeating: [0], count: 1023)
    var video = VPSExtension()
    video.outputLayerSets = Array(repeating: .init(), count: 1023)
    var format = RepFormat()
    format.sampleFormat = .init()
    video.repFormats = [format]
    var sizes = DPBSize.OutputLayerSet()
    var first = DPBSize.SubLayer()
    first.maxVpsDecPicBufferingMinus1 = [0]
    sizes.subLayers = [first] + Array(repeating: nil, count: 6)
    video.dpbSize.outputLayerSets = Array(repeating: sizes, count: 1023)
    vps.vpsExtension = video
    return vps
  }
}
