// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVC

/// Values from parameter sets and the slice header, in the form that each block needs: plain numbers.
package struct SliceValues: Sendable {
  // Geometry.
  package let width: Int
  package let height: Int
  package let chromaArrayType: Int
  package let chromaShiftX: Int
  package let chromaShiftY: Int
  package let ctbLog2Size: Int
  package let minCbLog2Size: Int
  package let minTbLog2Size: Int
  package let maxTbLog2Size: Int
  package let widthInCtbs: Int
  package let heightInCtbs: Int
  package let bitDepthLuma: Int
  package let bitDepthChroma: Int
  package let isWide: Bool

  // Of the sequence parameter set.
  package let isAmpEnabled: Bool
  package let isSaoEnabled: Bool
  package let isStrongSmoothing: Bool
  package let hasScalingLists: Bool
  package let maxDepthInter: Int
  package let maxDepthIntra: Int
  package let hasPCM: Bool
  package let pcmDepthLuma: Int
  package let pcmDepthChroma: Int
  package let pcmMinLog2Size: Int
  package let pcmMaxLog2Size: Int
  package let isPCMUnfiltered: Bool
  package let isRotationEnabled: Bool
  package let isTransformSkipContext: Bool
  package let isImplicitRDPCM: Bool
  package let isExplicitRDPCM: Bool
  package let isExtendedPrecision: Bool
  package let isSmoothingDisabled: Bool
  package let isHighPrecisionOffsets: Bool
  package let isPersistentRice: Bool
  package let isBypassAligned: Bool

  // Of the picture parameter set.
  package let isSignHiding: Bool
  package let isConstrainedIntra: Bool
  package let isTransformSkip: Bool
  package let maxTransformSkipLog2Size: Int
  package let isQpDeltaEnabled: Bool
  package let qpGroupLog2Size: Int
  package let chromaQpGroupLog2Size: Int
  package let ppsCbOffset: Int
  package let ppsCrOffset: Int
  package let isBypassEnabled: Bool
  package let hasTiles: Bool
  package let isWavefront: Bool
  package let isFilteredAcrossTiles: Bool
  package let isCrossComponent: Bool
  package let parallelMergeLog2: Int
  package let saoShiftLuma: Int
  package let saoShiftChroma: Int
  package let isDependentEnabled: Bool

  // Of the slice header.
  package let sliceAddress: Int
  package let isIntra: Bool
  package let isB: Bool
  package let initType: Int
  package let sliceQp: Int
  package let cbOffset: Int
  package let crOffset: Int
  package let isChromaQpOffsetEnabled: Bool
  package let isSaoLuma: Bool
  package let isSaoChroma: Bool
  package let isDeblocked: Bool
  package let betaOffset: Int
  package let tcOffset: Int
  package let isFilteredAcrossSlices: Bool
  package let isTemporalMotion: Bool
  package let isMvdL1Zero: Bool
  package let maxMergeCandidates: Int
  package let count0: Int
  package let count1: Int
  package let isWeighted: Bool

  /// The values of a slice that begins at block `sliceAddress`.
  package init(
    _ geometry: PictureGeometry, _ sps: SequenceParameterSet, _ pps: PictureParameterSet,
    _ slice: SliceHeader,
    sliceAddress: Int, isTemporalMotion: Bool
  ) {
    width = geometry.width
    height = geometry.height
    chromaArrayType = geometry.chromaArrayType
    chromaShiftX = geometry.subWidthC == 2 ? 1 : 0
    chromaShiftY = geometry.subHeightC == 2 ? 1 : 0
    ctbLog2Size = geometry.ctbLog2Size
    minCbLog2Size = geometry.minCbLog2Size
    minTbLog2Size = geometry.minTbLog2Size
    maxTbLog2Size = geometry.maxTbLog2Size
    widthInCtbs = geometry.widthInCtbs
    heightInCtbs = geometry.heightInCtbs
    bitDepthLuma = geometry.bitDepthLuma
    bitDepthChroma = geometry.bitDepthChroma
    isWide = max(bitDepthLuma, chromaArrayType == 0 ? 0 : bitDepthChroma) > 8

    isAmpEnabled = sps.ampEnabledFlag
    isSaoEnabled = sps.sampleAdaptiveOffsetEnabledFlag
    isStrongSmoothing = sps.strongIntraSmoothingEnabledFlag
    hasScalingLists = sps.scalingListEnabledFlag
    maxDepthInter = Int(sps.maxTransformHierarchyDepthInter)
    maxDepthIntra = Int(sps.maxTransformHierarchyDepthIntra)
    hasPCM = sps.pcm != nil
    pcmDepthLuma = min(bitDepthLuma, Int(sps.pcm?.sampleBitDepthLumaMinus1 ?? 0) + 1)
    pcmDepthChroma = min(bitDepthChroma, Int(sps.pcm?.sampleBitDepthChromaMinus1 ?? 0) + 1)
    pcmMinLog2Size = Int(sps.pcm?.log2MinLumaCodingBlockSizeMinus3 ?? 0) + 3
    pcmMaxLog2Size = min(5, pcmMinLog2Size + Int(sps.pcm?.log2DiffMaxMinLumaCodingBlockSize ?? 0))
    isPCMUnfiltered = sps.pcm?.loopFilterDisabledFlag ?? false
    let range = sps.extensions?.range
    isRotationEnabled = range?.transformSkipRotationEnabledFlag ?? false
    isTransformSkipContext = range?.transformSkipContextEnabledFlag ?? false
    isImplicitRDPCM = range?.implicitRdpcmEnabledFlag ?? false
    isExplicitRDPCM = range?.explicitRdpcmEnabledFlag ?? false
    isExtendedPrecision = range?.extendedPrecisionProcessingFlag ?? false
    isSmoothingDisabled = range?.intraSmoothingDisabledFlag ?? false
    isHighPrecisionOffsets = range?.highPrecisionOffsetsEnabledFlag ?? false
    isPersistentRice = range?.persistentRiceAdaptationEnabledFlag ?? false
    isBypassAligned = range?.cabacBypassAlignmentEnabledFlag ?? false

    isSignHiding = pps.signDataHidingEnabledFlag
    isConstrainedIntra = pps.constrainedIntraPredFlag
    isTransformSkip = pps.transformSkipEnabledFlag
    let picture = pps.extensions?.range
    maxTransformSkipLog2Size = Int(picture?.log2MaxTransformSkipBlockSizeMinus2 ?? 0) + 2
    isQpDeltaEnabled = pps.cuQpDeltaEnabledFlag
    qpGroupLog2Size = max(3, ctbLog2Size - Int(clamping: pps.diffCuQpDeltaDepth ?? 0))
    chromaQpGroupLog2Size = max(3, ctbLog2Size - Int(clamping: picture?.diffCuChromaQpOffsetDepth ?? 0))
    ppsCbOffset = Int(pps.ppsCbQpOffset)
    ppsCrOffset = Int(pps.ppsCrQpOffset)
    isBypassEnabled = pps.transquantBypassEnabledFlag
    hasTiles = pps.tiles != nil
    isWavefront = pps.entropyCodingSyncEnabledFlag
    isFilteredAcrossTiles = pps.tiles?.loopFilterAcrossTilesEnabledFlag ?? true
    isCrossComponent = chromaArrayType == 3 && (picture?.crossComponentPredictionEnabledFlag ?? false)
    parallelMergeLog2 = min(ctbLog2Size, Int(clamping: pps.log2ParallelMergeLevelMinus2) + 2)
    saoShiftLuma = min(max(0, bitDepthLuma - 10), Int(clamping: picture?.log2SaoOffsetScaleLuma ?? 0))
    saoShiftChroma = min(max(0, bitDepthChroma - 10), Int(clamping: picture?.log2SaoOffsetScaleChroma ?? 0))
    isDependentEnabled = pps.dependentSliceSegmentsEnabledFlag

    self.sliceAddress = sliceAddress
    isIntra = !slice.sliceType.isInter
    isB = slice.sliceType == .b
    let isSwapped = slice.cabacInitFlag ?? false
    initType = isIntra ? 0 : isB == isSwapped ? 1 : 2
    sliceQp = min(51, max(-(6 * (bitDepthLuma - 8)), slice.sliceQpY))
    cbOffset = Int(slice.sliceCbQpOffset ?? 0)
    crOffset = Int(slice.sliceCrQpOffset ?? 0)
    isChromaQpOffsetEnabled = slice.cuChromaQpOffsetEnabledFlag ?? false
    isSaoLuma = slice.sliceSaoLumaFlag ?? false
    isSaoChroma = chromaArrayType != 0 && (slice.sliceSaoChromaFlag ?? false)
    let control = pps.deblockingFilterControl
    isDeblocked = !(slice.sliceDeblockingFilterDisabledFlag ?? control?.filterDisabledFlag ?? false)
    betaOffset = 2 * Int(slice.sliceBetaOffsetDiv2 ?? control?.betaOffsetDiv2 ?? 0)
    tcOffset = 2 * Int(slice.sliceTcOffsetDiv2 ?? control?.tcOffsetDiv2 ?? 0)
    isFilteredAcrossSlices =
      slice.sliceLoopFilterAcrossSlicesEnabledFlag ?? pps.ppsLoopFilterAcrossSlicesEnabledFlag
    self.isTemporalMotion = isTemporalMotion
    isMvdL1Zero = slice.mvdL1ZeroFlag ?? false
    maxMergeCandidates = min(5, max(1, slice.maxNumMergeCand ?? 5))
    count0 = isIntra ? 0 : min(16, slice.numRefIdxL0Active)
    count1 = isB ? min(16, slice.numRefIdxL1Active) : 0
    isWeighted =
      slice.predWeightTable != nil && (isB ? pps.weightedBipredFlag : !isIntra && pps.weightedPredFlag)
  }
}
