// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

/// Answers about what every NAL unit and every slice begins with, from the declarations that read it.
package struct SliceExplanations: ExplanationSource {
  package init() {}

  package var name: String { "headers" }

  package var all: [Explanation] {
    var unit = Explanation(
      kind: "header", name: "nal_unit_header", title: "NAL unit header",
      summary: "The two bytes with which every NAL unit begins: what it holds, and the layers it belongs to.",
      specification: "ISO/IEC 23008-2, 7.3.1.2")
    unit.fields = { ExploringCoder.fields(of: [NALUnitHeader()]) }
    var slice = Explanation(
      kind: "header", name: "slice_segment_header", title: "slice segment header",
      summary:
        "What comes before the coded blocks of a slice segment: order count, reference pictures, reference layers.",
      specification: SliceSegmentHeader.specification.description)
    slice.fields = { Self.sliceFields }
    return [unit, slice]
  }

  /// Most runs end at once, with the id of a parameter set that is not there.
  private static let sliceFields = ExploringCoder.fields(of: headers, passes: 3_000)

  package func explanations(of topic: String) -> [Explanation] {
    let lowered = topic.lowercased()
    return all.filter { $0.name == lowered || $0.title.lowercased() == lowered }
  }

  /// Headers in surroundings that together allow every field: of the base layer and of layers with several reference
  /// layers, in a stream that uses nothing and in streams that use everything. Numbers differ from one to the other, so
  /// that widths that depend on them are seen to vary.
  private static var headers: [SliceSegmentHeader] {
    var headers: [SliceSegmentHeader] = []
    for layerID: UInt8 in [0, 2, 4] {
      for type: NALUnitType in [.trailing, .refreshWithoutLeading, .cleanRandomAccess] {
        let parameters = [
          SliceParameters(layerID: layerID, pps: PictureParameterSet(), sps: SequenceParameterSet()),
          SliceParameters(layerID: layerID, pps: richPicture, sps: richSequence, vps: views(5)),
          SliceParameters(layerID: layerID, pps: richPicture, sps: separatePlanes, vps: views(5)),
        ]
        headers += parameters.map {
          SliceSegmentHeader(in: NALUnitHeader(type: type, layerID: layerID), $0)
        }
      }
    }
    return headers
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

  private static var richSequence: SequenceParameterSet {
    var sps = SequenceParameterSet()
    sps.pictureFormat = PictureFormat()
    sps.pictureFormat?.picWidthInLumaSamples = 256
    sps.pictureFormat?.picHeightInLumaSamples = 256
    sps.log2MaxPicOrderCntLsbMinus4 = 4
    sps.shortTermRefPicSets = Array(repeating: ShortTermReferencePictureSet(), count: 3)
    sps.longTermRefPics = Array(repeating: LongTermRefPic(), count: 3)
    sps.spsTemporalMvpEnabledFlag = true
    sps.sampleAdaptiveOffsetEnabledFlag = true
    sps.extensions = SPSExtensions()
    sps.extensions?.screenContent = SPSSCCExtension()
    sps.extensions?.screenContent?.motionVectorResolutionControlIdc = 2
    return sps
  }

  private static var separatePlanes: SequenceParameterSet {
    var sps = richSequence
    sps.log2MaxPicOrderCntLsbMinus4 = 5
    sps.shortTermRefPicSets = Array(repeating: ShortTermReferencePictureSet(), count: 5)
    sps.longTermRefPics = Array(repeating: LongTermRefPic(), count: 5)
    sps.pictureFormat?.picWidthInLumaSamples = 512
    sps.pictureFormat?.chromaFormatIdc = 3
    sps.pictureFormat?.separateColourPlaneFlag = true
    return sps
  }

  /// Views, each of which refers to all before it.
  private static func views(_ count: UInt8) -> VideoParameterSet {
    var part = VPSExtension()
    part.scalabilityMask = 0x4000
    part.dimensionIDLenMinus1 = [2]
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
