// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import HEVC

extension SliceSegmentHeader {
  /// Headers that together cover every branch: of streams that use no optional features and of streams that use
  /// all, in the base layer and in one with several reference layers. Field widths that depend on parameter sets
  /// vary.
  package static var examples: [SliceSegmentHeader] {
    let plain = SliceParameters(layerID: 0, pps: PictureParameterSet(), sps: SequenceParameterSet())
    var own = SliceHeader()
    own.shortTermRefPicSetSpsFlag = false
    var samples = [NALUnitType.trailing, .refreshWithoutLeading].map { type in
      var sample = SliceSegmentHeader(in: NALUnitHeader(type: type), plain)
      sample.own = own
      return sample
    }
    for isWide in [false, true] {
      let pps = richPicture
      let sps = richSequence(isWide: isWide)
      let base = SliceParameters(layerID: 0, pps: pps, sps: sps)
      let layer = SliceParameters(layerID: isWide ? 8 : 4, pps: pps, sps: sps, vps: views(9))
      for (type, parameters) in [
        (NALUnitType.trailing, base), (.trailing, layer), (.cleanRandomAccess, layer),
      ] {
        let unit = NALUnitHeader(type: type, layerID: parameters.layerID)
        samples += [SliceType.i, .p, .b].map { whole(unit, parameters, $0, isWide: isWide) }
      }
      var dependent = SliceSegmentHeader(in: NALUnitHeader(type: .trailing), base)
      dependent.firstSliceSegmentInPicFlag = false
      dependent.dependentSliceSegmentFlag = true
      samples.append(dependent)
    }
    return samples
  }

  private static func whole(
    _ unit: NALUnitHeader, _ parameters: SliceParameters, _ type: SliceType, isWide: Bool
  ) -> SliceSegmentHeader {
    var sample = SliceSegmentHeader(in: unit, parameters)
    sample.firstSliceSegmentInPicFlag = type == .i
    // Some use a set of the sequence parameter set, others their own.
    sample.own = SliceHeader.sample(type, hasOwnSet: isWide == (type == .p), layerID: unit.layerID)
    if type != .i {
      sample.numEntryPointOffsets = 1
      sample.offsetLenMinus1 = isWide ? 1 : 0
      sample.entryPointOffsetMinus1 = [0]
    }
    sample.headerExtension = SliceSegmentHeaderExtension()
    guard type != .i else { return sample }
    sample.headerExtension?.length = 4
    sample.headerExtension?.pocResetIdc = type == .p ? 3 : 0
    sample.headerExtension?.pocMsbCycleValPresentFlag = type == .p
    // The rest of the length.
    let coded = unit.layerID == 0 ? 0 : type == .p ? 11 + parameters.pocLsbBits : 3
    sample.headerExtension?.data = .zeros(32 - coded)
    return sample
  }

  private static var richPicture: PictureParameterSet {
    var pps = PictureParameterSet()
    pps.dependentSliceSegmentsEnabledFlag = true
    pps.outputFlagPresentFlag = true
    pps.numExtraSliceHeaderBits = 3
    pps.cabacInitPresentFlag = true
    pps.numRefIdxL0DefaultActiveMinus1 = 1
    pps.numRefIdxL1DefaultActiveMinus1 = 1
    pps.ppsSliceChromaQpOffsetsPresentFlag = true
    pps.weightedPredFlag = true
    pps.weightedBipredFlag = true
    pps.entropyCodingSyncEnabledFlag = true
    pps.ppsLoopFilterAcrossSlicesEnabledFlag = true
    pps.deblockingFilterControl = PictureParameterSet.DeblockingFilterControl()
    pps.deblockingFilterControl?.overrideEnabledFlag = true
    pps.listsModificationPresentFlag = true
    pps.sliceSegmentHeaderExtensionPresentFlag = true
    var extensions = PPSExtensions()
    extensions.range = PPSRangeExtension()
    extensions.range?.diffCuChromaQpOffsetDepth = 0
    extensions.multilayer = PPSMultilayerExtension()
    extensions.multilayer?.pocResetInfoPresentFlag = true
    extensions.screenContent = PPSSCCExtension()
    extensions.screenContent?.colourTransform = PPSSCCExtension.ColourTransform()
    extensions.screenContent?.colourTransform?.sliceActQpOffsetsPresentFlag = true
    pps.extensions = extensions
    return pps
  }

  /// - Parameter isWide: whether numbers are larger, and colour planes are coded separately.
  private static func richSequence(isWide: Bool) -> SequenceParameterSet {
    var sps = SequenceParameterSet()
    sps.pictureFormat = PictureFormat()
    sps.pictureFormat?.picWidthInLumaSamples = isWide ? 512 : 256
    sps.pictureFormat?.picHeightInLumaSamples = 256
    sps.log2MaxPicOrderCntLsbMinus4 = isWide ? 5 : 4
    sps.shortTermRefPicSets = ShortTermReferencePictureSet.examples
    if isWide { sps.shortTermRefPicSets += ShortTermReferencePictureSet.examples }
    sps.longTermRefPics = Array(repeating: LongTermRefPic(), count: isWide ? 5 : 3)
    sps.spsTemporalMvpEnabledFlag = true
    sps.sampleAdaptiveOffsetEnabledFlag = true
    sps.extensions = SPSExtensions()
    sps.extensions?.screenContent = SPSSCCExtension()
    sps.extensions?.screenContent?.motionVectorResolutionControlIdc = 2
    if isWide {
      sps.pictureFormat?.chromaFormatIdc = 3
      sps.pictureFormat?.separateColourPlaneFlag = true
    }
    return sps
  }

  /// Views, each of which refers to all preceding ones.
  private static func views(_ count: UInt8) -> VideoParameterSet {
    var part = VPSExtension()
    part.scalabilityMask = 0x4000
    part.dimensionIDLenMinus1 = [3]
    part.vpsPocLsbAlignedFlag = true
    var all: LayerIDSet = [0]
    for id in 1..<max(2, count) {
      var layer = VPSExtension.Layer()
      layer.layerIDInNuh = id
      layer.dimensionIDs[0] = id
      layer.directDependencyFlags = all
      part.layers.append(layer)
      all.insert(id)
    }
    var vps = VideoParameterSet()
    vps.vpsMaxLayersMinus1 = count &- 1
    vps.vpsMaxLayerID = count &- 1
    vps.layerIDIncludedFlags = [all]
    vps.vpsExtension = part
    return vps
  }
}

extension SliceHeader {
  fileprivate static func sample(_ type: SliceType, hasOwnSet: Bool, layerID: UInt8) -> SliceHeader {
    var sample = SliceHeader()
    sample.sliceType = type
    sample.sliceReservedFlags = [false]
    sample.shortTermRefPicSetSpsFlag = !hasOwnSet
    sample.shortTermRefPicSetIdx = 1
    if hasOwnSet {
      var set = ShortTermReferencePictureSet.examples[type == .i ? 0 : 1]
      if type == .i { set.prediction = nil }
      sample.stRefPicSet = set
    }
    var fromSequence = SliceLongTermPictures.Picture(), new = fromSequence
    fromSequence.deltaPocMsbPresentFlag = true
    new.usedByCurrPicLtFlag = true
    sample.longTerm = SliceLongTermPictures()
    sample.longTerm?.numLongTermSps = hasOwnSet ? 2 : 1
    sample.longTerm?.numLongTermPics = 1
    sample.longTerm?.pictures = Array(repeating: fromSequence, count: hasOwnSet ? 2 : 1) + [new]
    sample.sliceTemporalMvpEnabledFlag = type != .i
    sample.interLayerPredEnabledFlag = type != .i
    sample.interLayerPredLayerIdc = layerID > 0 && type != .i ? [0] : []
    sample.sliceSaoLumaFlag = true
    sample.deblockingFilterOverrideFlag = type != .i
    sample.sliceDeblockingFilterDisabledFlag = type == .b
    guard type != .i else { return sample }
    // Two pictures in each list; a slice with its own numbers has three in the second list.
    sample.numRefIdxActiveOverrideFlag = hasOwnSet
    sample.numRefIdxL0ActiveMinus1 = 1
    sample.numRefIdxL1ActiveMinus1 = 2
    sample.collocatedFromL0Flag = !hasOwnSet
    sample.refPicListsModification = ReferencePictureListsModification()
    sample.refPicListsModification?.flagL0 = true
    sample.refPicListsModification?.entriesL0 = [0, 0]
    sample.refPicListsModification?.flagL1 = type == .b
    let inSecond = hasOwnSet ? 3 : 2
    sample.refPicListsModification?.entriesL1 = type == .b ? Array(repeating: 0, count: inSecond) : []
    var weighted = PredictionWeightTable.Entry(), plain = weighted
    weighted.lumaFlag = true
    weighted.chromaFlag = true
    weighted.deltaChromaWeights = [0, 0]
    weighted.deltaChromaOffsets = [0, 0]
    plain.lumaFlag = false
    sample.predWeightTable = PredictionWeightTable()
    sample.predWeightTable?.l0 = [weighted, plain]
    sample.predWeightTable?.lumaLog2WeightDenom = hasOwnSet ? 1 : 0
    sample.predWeightTable?.l1 = type == .b ? [weighted] + Array(repeating: plain, count: inSecond - 1) : []
    return sample
  }
}
