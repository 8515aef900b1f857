// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCCoding

/// Values from parameter sets and the slice header, in the form that each block needs: plain numbers.
struct SliceValues {
  // Geometry.
  let width: Int
  let height: Int
  let chromaArrayType: Int
  let chromaShiftX: Int
  let chromaShiftY: Int
  let ctbLog2Size: Int
  let minCbLog2Size: Int
  let minTbLog2Size: Int
  let maxTbLog2Size: Int
  let widthInCtbs: Int
  let heightInCtbs: Int
  let bitDepthLuma: Int
  let bitDepthChroma: Int
  let isWide: Bool

  // Of the sequence parameter set.
  let isAmpEnabled: Bool
  let isSaoEnabled: Bool
  let isStrongSmoothing: Bool
  let hasScalingLists: Bool
  let maxDepthInter: Int
  let maxDepthIntra: Int
  let hasPCM: Bool
  let pcmDepthLuma: Int
  let pcmDepthChroma: Int
  let pcmMinLog2Size: Int
  let pcmMaxLog2Size: Int
  let isPCMUnfiltered: Bool
  let isRotationEnabled: Bool
  let isTransformSkipContext: Bool
  let isImplicitRDPCM: Bool
  let isExplicitRDPCM: Bool
  let isExtendedPrecision: Bool
  let isSmoothingDisabled: Bool
  let isHighPrecisionOffsets: Bool
  let isPersistentRice: Bool
  let isBypassAligned: Bool

  // Of the picture parameter set.
  let isSignHiding: Bool
  let isConstrainedIntra: Bool
  let isTransformSkip: Bool
  let maxTransformSkipLog2Size: Int
  let isQpDeltaEnabled: Bool
  let qpGroupLog2Size: Int
  let chromaQpGroupLog2Size: Int
  let ppsCbOffset: Int
  let ppsCrOffset: Int
  let isBypassEnabled: Bool
  let hasTiles: Bool
  let isWavefront: Bool
  let isFilteredAcrossTiles: Bool
  let isCrossComponent: Bool
  let parallelMergeLog2: Int
  let saoShiftLuma: Int
  let saoShiftChroma: Int
  let isDependentEnabled: Bool

  // Of the slice header.
  let sliceAddress: Int
  let isIntra: Bool
  let isB: Bool
  let initType: Int
  let sliceQp: Int
  let cbOffset: Int
  let crOffset: Int
  let isChromaQpOffsetEnabled: Bool
  let isSaoLuma: Bool
  let isSaoChroma: Bool
  let isDeblocked: Bool
  let betaOffset: Int
  let tcOffset: Int
  let isFilteredAcrossSlices: Bool
  let isTemporalMotion: Bool
  let isMvdL1Zero: Bool
  let maxMergeCandidates: Int
  let count0: Int
  let count1: Int
  let isWeighted: Bool

  init(
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
