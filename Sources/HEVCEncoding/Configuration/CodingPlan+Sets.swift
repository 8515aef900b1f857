// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
package import HEVC

// The parameter sets of a plan, in the forms of Apple's encoders: those of layer 1 take size and format from the video
// parameter set, and profile 6 is said once, in its extension.

extension CodingPlan {
  /// The parameter sets as units, in the order in which a decoder needs them, and then what tells the eyes apart and how bright
  /// the pictures are.
  package func units() throws(ParseError) -> [NALUnit] {
    var units = [try NALUnit(NALUnitHeader(type: .videoParameterSet), videoParameterSet)]
    for layer in 0..<layerCount {
      let id = UInt8(layer)
      units.append(
        try NALUnit(NALUnitHeader(type: .sequenceParameterSet, layerID: id), sequenceParameterSet(layer)))
      units.append(
        try NALUnit(NALUnitHeader(type: .pictureParameterSet, layerID: id), pictureParameterSet(layer)))
    }
    var messages: [SEIMessage] = []
    if layerCount > 1 { messages.append(try SEIMessage(referenceDisplays)) }
    if let display = meaning.masteringDisplay { messages.append(try SEIMessage(display)) }
    if let level = meaning.contentLightLevel { messages.append(try SEIMessage(level)) }
    if !messages.isEmpty {
      units.append(try NALUnit(NALUnitHeader(type: .prefixSEI), SEIMessages(messages)))
    }
    return units
  }

  /// Which view is for which eye. G.14.2.3
  var referenceDisplays: ThreeDimensionalReferenceDisplaysInfo {
    var info = ThreeDimensionalReferenceDisplaysInfo()
    info.displays[0].leftViewID = UInt32(leftViewID)
    info.displays[0].rightViewID = UInt32(1 - leftViewID)
    return info
  }

  // MARK: Profile and level

  private func profile(_ idc: ProfileIdc) -> ProfileTier {
    var profile = ProfileTier()
    profile.profileIdc = idc
    profile.tierFlag = isHighTier
    // Progressive, not packed, frames only.
    profile.constraintFlags = 0b1011 << 44
    switch idc {
    case .multiviewMain:
      profile.compatibilityFlags = 1 << (31 - 6)
      // Up to 12, 10 and 8 bits, up to 4:2:2 and 4:2:0.
      profile.constraintFlags |= 0b1_1111 << 39
    case .main10: profile.compatibilityFlags = 1 << (31 - 2)
    default: profile.compatibilityFlags = 1 << (31 - 1) | 1 << (31 - 2)
    }
    return profile
  }

  private func profileTierLevel(_ idc: ProfileIdc?) -> ProfileTierLevel {
    var result = ProfileTierLevel()
    result.profilePresentFlag = idc != nil
    result.general = idc.map(profile)
    result.generalLevelIdc = level
    return result
  }

  private var baseProfile: ProfileIdc { bitDepth > 8 ? .main10 : .main }

  private var ordering: SubLayerOrdering {
    var ordering = SubLayerOrdering()
    ordering.maxDecPicBufferingMinus1 = UInt32(pictureBuffers - 1)
    ordering.maxNumReorderPics = UInt32(reorderedPictures)
    return ordering
  }

  // MARK: Video parameter set

  package var videoParameterSet: VideoParameterSet {
    var vps = VideoParameterSet()
    vps.profileTierLevel = profileTierLevel(baseProfile)
    vps.vpsSubLayerOrderingInfoPresentFlag = false
    vps.subLayerOrdering = [ordering]
    guard layerCount > 1 else { return vps }
    vps.vpsMaxLayersMinus1 = 1
    vps.vpsMaxLayerID = 1
    vps.layerIDIncludedFlags = [[0, 1]]
    vps.vpsExtension = videoExtension
    return vps
  }

  private var videoExtension: VPSExtension {
    var result = VPSExtension()
    result.baseLayerProfileTierLevel = profileTierLevel(nil)
    result.scalabilityMask = 0x4000
    result.dimensionIDLenMinus1 = [2]
    result.vpsNuhLayerIDPresentFlag = true
    var layer = VPSExtension.Layer()
    layer.layerIDInNuh = 1
    layer.dimensionIDs[0] = 1
    layer.directDependencyFlags = [0]
    result.layers = [layer]
    result.viewIDLen = 1
    result.viewIDVal = [0, 1]
    result.defaultRefLayersActiveFlag = true
    result.vpsNumProfileTierLevelMinus1 = 2
    result.profileTierLevels = [profileTierLevel(.multiviewMain)]
    var outputs = VPSExtension.OutputLayerSet()
    outputs.profileTierLevelIdx = [1, 2]
    result.outputLayerSets = [outputs]
    result.repFormats = [repFormat]
    result.maxOneActiveRefLayerFlag = true
    result.vpsPocLsbAlignedFlag = true
    var buffers = DPBSize.OutputLayerSet()
    var sizes = DPBSize.SubLayer()
    sizes.maxVpsDecPicBufferingMinus1 = [UInt32(pictureBuffers - 1), UInt32(pictureBuffers - 1)]
    sizes.maxVpsNumReorderPics = UInt32(reorderedPictures)
    buffers.subLayers = [sizes]
    result.dpbSize.outputLayerSets = [buffers]
    // Samples and motion of the base layer may be used.
    result.directDependencyAllLayersType = 2
    return result
  }

  private var repFormat: RepFormat {
    var format = RepFormat()
    format.picWidthInLumaSamples = UInt16(clamping: codedSize.width)
    format.picHeightInLumaSamples = UInt16(clamping: codedSize.height)
    var samples = RepFormat.SampleFormat()
    samples.bitDepthLumaMinus8 = UInt8(bitDepth - 8)
    samples.bitDepthChromaMinus8 = UInt8(bitDepth - 8)
    format.sampleFormat = samples
    format.conformanceWindow = window
    format.conformanceWindow?.isOfVPS = true
    return format
  }

  private var window: ConformanceWindow? {
    guard codedSize != size else { return nil }
    var window = ConformanceWindow()
    window.rightOffset = UInt32(codedSize.width - size.width) / 2
    window.bottomOffset = UInt32(codedSize.height - size.height) / 2
    return window
  }

  // MARK: Sequence parameter sets

  package func sequenceParameterSet(_ layer: Int) -> SequenceParameterSet {
    var sps = SequenceParameterSet()
    sps.nuhLayerID = UInt8(layer)
    sps.spsSeqParameterSetID = UInt32(layer)
    if layer == 0 {
      sps.spsTemporalIDNestingFlag = true
      sps.profileTierLevel = profileTierLevel(baseProfile)
      var format = PictureFormat()
      format.picWidthInLumaSamples = UInt32(codedSize.width)
      format.picHeightInLumaSamples = UInt32(codedSize.height)
      format.bitDepthLumaMinus8 = UInt32(bitDepth - 8)
      format.bitDepthChromaMinus8 = UInt32(bitDepth - 8)
      format.conformanceWindow = window
      sps.pictureFormat = format
      sps.spsSubLayerOrderingInfoPresentFlag = false
      sps.subLayerOrdering = [ordering]
      sps.vui = meaning.vui
      if let timing {
        sps.vui = sps.vui ?? VUIParameters()
        sps.vui?.timing = timing
      }
    } else {
      sps.spsMaxSubLayersMinus1 = 7
      var inherited = SequenceParameterSet.Inherited()
      inherited.repFormats = [repFormat]
      sps.inherited = inherited
      var extensions = SPSExtensions()
      extensions.multilayer = SPSMultilayerExtension()
      sps.extensions = extensions
    }
    sps.log2MaxPicOrderCntLsbMinus4 = UInt32(orderCountBits - 4)
    sps.log2MinLumaCodingBlockSizeMinus3 = UInt32(minCbLog2Size - 3)
    sps.log2DiffMaxMinLumaCodingBlockSize = UInt32(ctbLog2Size - minCbLog2Size)
    sps.log2MinLumaTransformBlockSizeMinus2 = 0
    sps.log2DiffMaxMinLumaTransformBlockSize = UInt32(maxTbLog2Size - 2)
    sps.maxTransformHierarchyDepthInter = UInt32(transformDepthInter)
    sps.maxTransformHierarchyDepthIntra = UInt32(transformDepthIntra)
    sps.ampEnabledFlag = isAmpEnabled
    sps.sampleAdaptiveOffsetEnabledFlag = isSaoEnabled
    sps.spsTemporalMvpEnabledFlag = isTemporalMotionEnabled
    sps.strongIntraSmoothingEnabledFlag = isStrongSmoothing
    return sps
  }

  // MARK: Picture parameter sets

  package func pictureParameterSet(_ layer: Int) -> PictureParameterSet {
    var pps = PictureParameterSet()
    pps.ppsPicParameterSetID = UInt32(layer)
    pps.ppsSeqParameterSetID = UInt32(layer)
    pps.signDataHidingEnabledFlag = isSignHiding
    pps.numRefIdxL0DefaultActiveMinus1 = UInt32(defaultEntries.l0 - 1)
    pps.numRefIdxL1DefaultActiveMinus1 = UInt32(defaultEntries.l1 - 1)
    pps.initQpMinus26 = Int32(initialQp - 26)
    pps.diffCuQpDeltaDepth = qpGroupDepth.map { UInt32($0) }
    pps.entropyCodingSyncEnabledFlag = isWavefront
    var control = PictureParameterSet.DeblockingFilterControl()
    control.filterDisabledFlag = !isDeblocked
    if isDeblocked {
      control.betaOffsetDiv2 = 0
      control.tcOffsetDiv2 = 0
    }
    pps.deblockingFilterControl = control
    // The default lists of layer 1 have the base picture after the preceding pictures.
    pps.listsModificationPresentFlag = layer > 0
    pps.log2ParallelMergeLevelMinus2 = UInt32(parallelMergeLog2Size - 2)
    if layer > 0 {
      var extensions = PPSExtensions()
      extensions.multilayer = PPSMultilayerExtension()
      pps.extensions = extensions
    }
    return pps
  }
}
