// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension SEIContext.Sequence {
  /// Takes the values that messages need from a sequence parameter set.
  public init(_ sps: SequenceParameterSet) {
    self.init()
    hasFrameFieldInfo = sps.vui?.frameFieldInfoPresentFlag ?? false
    sizeInCodingTreeBlocks = UInt32(clamping: sps.picSizeInCtbsY ?? 1)
    timing = sps.vui?.timing?.hrd.map { SEIContext.Timing($0) }
  }
}

extension SEIContext.Timing {
  /// Takes the values that messages need from HRD parameters.
  public init(_ parameters: HRDParameters) {
    self.init()
    let common = parameters.effectiveCommon
    hasNALParameters = common.nalHrdParametersPresentFlag
    hasVCLParameters = common.vclHrdParametersPresentFlag
    initialRemovalDelayLength = Int(common.initialCpbRemovalDelayLengthMinus1) + 1
    removalDelayLength = Int(common.auCpbRemovalDelayLengthMinus1) + 1
    outputDelayLength = Int(common.dpbOutputDelayLengthMinus1) + 1
    bufferCount = Int(clamping: parameters.subLayers.last?.cpbCntMinus1 ?? 0) + 1
    guard let subPicture = common.subPicture else { return }
    hasSubPictureParameters = true
    hasSubPictureTimingInPictureTiming = subPicture.subPicCpbParamsInPicTimingSEIFlag
    unitRemovalDelayIncrementLength = Int(subPicture.duCpbRemovalDelayIncrementLengthMinus1) + 1
    unitOutputDelayLength = Int(subPicture.dpbOutputDelayDuLengthMinus1) + 1
  }
}

extension SEIContext.Video {
  /// Takes the values that messages need from a video parameter set.
  public init(_ vps: VideoParameterSet) {
    self.init()
    maxLayersMinus1 = vps.maxLayersMinus1
    baseLayerIsInternal = vps.vpsBaseLayerInternalFlag
    viewCount = vps.vpsExtension?.numViews ?? 1
  }
}
