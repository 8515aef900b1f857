// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

/// Parameter sets that were composed bit by bit for this project, header and emulation prevention included.
enum Vector {
  /// Two layers, view ids 3 and 9, 1920x1088 cropped to 1080.
  static let a = """
    40010c11ffff016000000300b0000003000003007815c15b782000050e65c1808000002fe200000300001e2341e00110280797
    14afd2
    """
  /// Three layers, two sub-layers, ids 0, 2 and 5, an additional layer set, a VPS VUI.
  static let b = """
    40010c22ffff016000000300b00000030000030078000019c5543f78000028000f0a0028068119622c914241808000002fe200
    0003000017400007e000096f6c814000b429100a0005a14c85a663bce2088b09145a2754ab5c82008400a3c012080a100a8f00
    482048404a011009a091009a09100973e4b5
    """
  /// A sequence parameter set of the multilayer form, layer 1.
  static let d = "42090ea0059246d92e940c"
  /// A picture parameter set of layer 1 with a multilayer extension.
  static let e = "4409485672885027a0602022490824890aa0"

  /// The RBSP of a vector.
  static func rbsp(_ hex: String) -> ByteView {
    StreamNALUnit(ByteView(hex: hex).array)?.rbsp ?? ByteView()
  }
}

@Suite struct ParameterSetVectors {
  @Test func twoViews() throws {
    let bytes = Vector.rbsp(Vector.a)
    let vps = try bytes.decoded(VideoParameterSet())
    #expect(try vps.encoded() == bytes.array)
    #expect(vps.trailing.isConforming && vps.trailing.following.isEmpty)
    #expect(vps.vpsMaxLayersMinus1 == 1)
    #expect(vps.profileTierLevel.generalProfileIdc == .main)
    #expect(vps.profileTierLevel.generalLevelIdc.rawValue == 120)
    #expect(vps.profileTierLevel.generalLevelIdc.name == "4")
    #expect(vps.vpsExtension2 == nil)

    let part = try #require(vps.vpsExtension)
    #expect(part.scalabilityMask == 0x4000)
    #expect(part.dimensionIDLenMinus1 == [0])
    #expect(!part.vpsNuhLayerIDPresentFlag)
    #expect(part.defaultRefLayersActiveFlag)
    #expect(part.vpsNumProfileTierLevelMinus1 == 2)
    #expect(part.maxOneActiveRefLayerFlag && part.vpsPocLsbAlignedFlag)
    #expect(part.directDependencyAllLayersType == 2)
    #expect(part.vui == nil)

    let layers = vps.layerStructure
    #expect(layers.layers.map(\.id) == [0, 1])
    #expect(layers.layers.map(\.viewID) == [3, 9])
    #expect(layers.layers[1].directReferenceLayers == [0])
    #expect(layers.layers[0].predictedLayers == [1])
    #expect(layers.layerSets.map(\.ids) == [[0], [0, 1]])
    #expect(layers.numIndependentLayers == 1)
    let ols = layers.outputLayerSets[1]
    #expect(ols.outputLayers == [0, 1] && ols.necessaryLayers == [0, 1])
    #expect(vps.profileTierLevelIndex(outputLayerSet: 1, layer: 0) == 1)
    #expect(vps.profileTierLevelIndex(outputLayerSet: 1, layer: 1) == 2)
    #expect(vps.interLayerSamplePredictionEnabled(of: 1, on: 0))
    #expect(vps.interLayerMotionPredictionEnabled(of: 1, on: 0))
    #expect(vps.maxTidIlRefPicsPlus1(from: 0, to: 1) == 7)

    // Entry 1 has the profile of entry 0.
    #expect(vps.profileTierLevel(at: 1)?.codecParameters == "1.6.L120.B0")
    let multiview = try #require(vps.profileTierLevel(at: 2))
    #expect(multiview.generalProfileIdc == .multiviewMain)
    #expect(multiview.general?.profileName == "Multiview Main")
    #expect(multiview.generalProfileCompatibilityFlags == 0x0200_0000)
    #expect(multiview.generalConstraintFlags == 0xBF88_0000_0000)
    #expect(multiview.codecParameters == "6.40.L120.BF.88")
    #expect(vps.profileTierLevel(ofLayer: 1) == multiview)

    let format = try #require(vps.pictureFormat(at: 1))
    #expect(format.codedSize == PictureSize(width: 1920, height: 1088))
    #expect(format.croppedSize == PictureSize(width: 1920, height: 1080))
    #expect(format.chromaFormatName == "4:2:0" && format.bitDepthLuma == 8)
    #expect(format.conformanceWindow?.bottomOffset == 4)
    let buffer = try #require(vps.dpbSize(outputLayerSet: 1, subLayer: 0))
    #expect(buffer.maxVpsDecPicBufferingMinus1 == [4, 4])
    #expect(buffer.maxVpsNumReorderPics == 2 && buffer.maxVpsLatencyIncreasePlus1 == 0)
  }

  @Test func threeLayers() throws {
    let bytes = Vector.rbsp(Vector.b)
    let vps = try bytes.decoded(VideoParameterSet())
    #expect(try vps.encoded() == bytes.array)
    #expect(vps.trailing.isConforming && vps.trailing.following.isEmpty)
    #expect(vps.vpsMaxSubLayersMinus1 == 1)
    let part = try #require(vps.vpsExtension)
    #expect(part.scalabilityMask == 0x5000)
    #expect(part.dimensionIDLenMinus1 == [0, 7])
    #expect(part.viewIDLen == 10)
    #expect(part.highestLayerIdxPlus1 == [[1]])
    #expect(part.subLayersVpsMaxMinus1 == [1, 1, 0])
    #expect(!part.defaultRefLayersActiveFlag)
    #expect(part.numAddOlss == 1 && part.defaultOutputLayerIdc == 1)

    let layers = vps.layerStructure
    #expect(layers.layers.map(\.id) == [0, 2, 5])
    #expect(layers.layers.map(\.viewOrderIdx) == [0, 1, 0])
    #expect(layers.layers.map(\.auxID) == [0, 0, 1])
    #expect(layers.layers.map(\.isTexture) == [true, true, false])
    #expect(layers.numViews == 2)
    #expect(layers.layers.map(\.viewID) == [17, 600, 17])
    #expect(layers.treePartitions == [[0, 2], [5]])
    #expect(layers.layerSets.map(\.ids) == [[0], [0, 2], [5]])
    #expect(vps.maxTidIlRefPicsPlus1(from: 0, to: 1) == 2)
    #expect(layers.outputLayerSets.count == 4)

    #expect(vps.profileTierLevel(at: 0)?.generalLevelIdc.rawValue == 120)
    #expect(vps.profileTierLevel(at: 1)?.generalLevelIdc.rawValue == 120)
    #expect(vps.profileTierLevel(at: 2)?.generalProfileIdc == .multiviewMain)
    #expect(vps.profileTierLevel(at: 2)?.generalLevelIdc.rawValue == 93)
    #expect(vps.profileTierLevel(at: 3)?.generalProfileIdc == .multiviewMain)
    #expect(vps.profileTierLevel(at: 3)?.generalLevelIdc.rawValue == 63)

    let ols = layers.outputLayerSets
    #expect(ols[1].layerSet.ids == [0, 2] && ols[1].outputLayers == [2] && ols[1].necessaryLayers == [0, 2])
    #expect(part.outputLayerSets[0].profileTierLevelIdx == [1, 2])
    #expect(part.outputLayerSets[0].altOutputLayerFlag == true)
    #expect(ols[2].layerSet.ids == [5] && ols[2].outputLayers == [5])
    #expect(part.outputLayerSets[1].outputLayerFlags == 1)
    #expect(part.outputLayerSets[1].profileTierLevelIdx == [3])
    #expect(part.outputLayerSets[1].altOutputLayerFlag == nil)
    #expect(part.outputLayerSets[2].layerSetIdxForOlsMinus1 == 0)
    #expect(ols[3].layerSetIndex == 1 && ols[3].outputLayers == [0, 2])
    #expect(part.outputLayerSets[2].profileTierLevelIdx == [1, 2])
    #expect(part.outputLayerSets[2].altOutputLayerFlag == nil)
    #expect(layers.fullestOutputLayerSet == 3)
  }

  @Test func formatsOfThreeLayers() throws {
    let vps = try Vector.rbsp(Vector.b).decoded(VideoParameterSet())
    let part = try #require(vps.vpsExtension)
    let first = try #require(vps.pictureFormat(at: 1))
    #expect(first.codedSize == PictureSize(width: 1280, height: 720) && first.bitDepthLuma == 10)
    #expect(first.chromaFormatIdc == 1 && first.bitDepthChroma == 10)
    let second = try #require(vps.pictureFormat(at: 2))
    #expect(second.codedSize == PictureSize(width: 640, height: 360) && second.bitDepthLuma == 10)
    let window = try #require(second.conformanceWindow)
    #expect(
      [window.leftOffset, window.rightOffset, window.topOffset, window.bottomOffset] == [1, 2, 3, 4])
    #expect(second.croppedSize == PictureSize(width: 634, height: 346))
    #expect(part.vpsRepFormatIdx == [0, 1])
    #expect(!part.maxOneActiveRefLayerFlag && !part.vpsPocLsbAlignedFlag)
    #expect(part.pocLsbNotPresentFlags == [2])
    #expect(vps.pocLsbNotPresent(at: 2) && !vps.pocLsbNotPresent(at: 1))

    func buffer(_ ols: Int, _ subLayer: Int) throws -> DPBSize.SubLayer {
      try #require(vps.dpbSize(outputLayerSet: ols, subLayer: subLayer))
    }
    #expect(try buffer(1, 0).maxVpsDecPicBufferingMinus1 == [5, 6])
    #expect(try buffer(1, 0).maxVpsNumReorderPics == 2)
    #expect(try buffer(1, 1).maxVpsDecPicBufferingMinus1 == [6, 7])
    #expect(try buffer(1, 1).maxVpsNumReorderPics == 3)
    #expect(try buffer(1, 1).maxVpsLatencyIncreasePlus1 == 1)
    #expect(try buffer(2, 0).maxVpsDecPicBufferingMinus1 == [1])
    #expect(vps.dpbSize(outputLayerSet: 2, subLayer: 1) == nil)
    #expect(try buffer(3, 1).maxVpsDecPicBufferingMinus1 == [8, 9])
    #expect(part.dpbSize.outputLayerSets[2].subLayers[1] == nil)

    #expect(part.directDepTypeLenMinus2 == 1)
    #expect(part.directDependencyTypes == [2])
    #expect(vps.dependencyType(of: 1, on: 0) == 2 && vps.dependencyType(of: 2, on: 0) == nil)
    #expect(part.vpsNonVUIExtensionData == [0xAA, 0x55])
  }

  @Test func usabilityOfThreeLayers() throws {
    let vps = try Vector.rbsp(Vector.b).decoded(VideoParameterSet())
    let vui = try #require(vps.vpsExtension?.vui)
    #expect(!vui.crossLayerPicTypeAlignedFlag)
    #expect(vui.crossLayerIrapAlignedFlag == true && vui.allLayersIdrAlignedFlag == false)
    for rate in vui.rates where rate.subLayer == 0 {
      #expect(rate.avgBitRate == 0x4100 + rate.layerSetIndex)
      #expect(rate.maxBitRate == 0x4200 + rate.layerSetIndex)
    }
    #expect(vui.rates.filter { $0.avgBitRate != nil }.map(\.layerSetIndex) == [0, 1, 2])
    #expect(VPSVUI.Rate.bitsPerSecond(0x4100) == 256_000)
    let pictures = vui.rates.filter { $0.avgPicRate != nil }
    #expect(pictures.map(\.layerSetIndex) == [0, 1] && pictures.map(\.subLayer) == [1, 1])
    #expect(pictures.map(\.constantPicRateIdc) == [1, 1] && pictures.map(\.avgPicRate) == [7680, 7680])
    #expect(vui.videoSignalInfos.count == 3)
    let first = try #require(vps.videoSignalInfo(at: 0))
    #expect(first.videoVpsFormat == 5 && !first.videoFullRangeVpsFlag && first.colourPrimariesVps == 1)
    #expect(first.transferCharacteristicsVps == 16 && first.matrixCoeffsVps == 9)
    #expect(vps.videoSignalInfo(at: 1)?.colourPrimariesVps == 9)
    #expect(vps.videoSignalInfo(at: 2)?.colourPrimariesVps == 9)
    #expect(!vui.tilesNotInUseFlag && vui.tilesInUseFlags == [0, 1])
    #expect(vui.loopFilterNotAcrossTilesFlags == [0])
    #expect(vui.tileBoundariesAlignedFlags == [[], [0], []])
    #expect(vui.wppNotInUseFlag && vui.singleLayerForNonIrapFlag && vui.higherLayerIrapSkipFlag)
    let restriction = try #require(vui.referenceRestrictions?.first)
    #expect(vui.referenceRestrictions?.count == 1 && restriction.layerIndex == 1)
    #expect(restriction.minSpatialSegmentOffsetPlus1 == 3 && restriction.ctuBasedOffsetEnabledFlag == true)
    #expect(restriction.minHorizontalCtuOffsetPlus1 == 2)
    #expect(vui.bspHRD == nil)
    #expect(vui.baseLayerParameterSetCompatibilityFlags == [2])
  }

  @Test func multilayerSequence() throws {
    let bytes = Vector.rbsp(Vector.d)
    var initial = SequenceParameterSet()
    initial.nuhLayerID = 1
    var sps = try bytes.decoded(initial)
    #expect(try sps.encoded() == bytes.array)
    #expect(sps.isMultilayerForm && sps.spsVideoParameterSetID == 0 && sps.spsMaxSubLayersMinus1 == 7)
    #expect(sps.spsSeqParameterSetID == 1 && sps.spsRepFormatIdx == 0)
    #expect(sps.profileTierLevel == nil && sps.pictureFormat == nil && sps.subLayerOrdering.isEmpty)
    #expect(sps.picOrderCntLsbBits == 8 && sps.maxPicOrderCntLsb == 256)
    #expect(sps.minCbLog2SizeY == 3 && sps.ctbLog2SizeY == 6)
    #expect(sps.minTbLog2SizeY == 2 && sps.maxTbLog2SizeY == 5)
    #expect(sps.maxTransformHierarchyDepthInter == 2 && sps.maxTransformHierarchyDepthIntra == 2)
    #expect(!sps.scalingListEnabledFlag && sps.ampEnabledFlag && sps.sampleAdaptiveOffsetEnabledFlag)
    #expect(sps.pcm == nil && sps.longTermRefPics == nil)
    let set = try #require(sps.shortTermRefPicSets.first).deltas
    #expect(sps.numShortTermRefPicSets == 1 && set.s0 == [-1] && set.s1.isEmpty && set.isUsed(0))
    #expect(sps.spsTemporalMvpEnabledFlag && !sps.strongIntraSmoothingEnabledFlag && sps.vui == nil)
    #expect(sps.extensions?.multilayer?.interViewMvVertConstraintFlag == true)

    // Its size is that of the video parameter set.
    #expect(sps.codedSize == nil && sps.picSizeInCtbsY == nil)
    let vps = try Vector.rbsp(Vector.a).decoded(VideoParameterSet())
    sps.inherited = SequenceParameterSet.Inherited(vps, layerID: 1)
    #expect(sps.codedSize == PictureSize(width: 1920, height: 1088))
    #expect(sps.croppedSize == PictureSize(width: 1920, height: 1080))
    #expect(sps.picWidthInCtbsY == 30 && sps.picHeightInCtbsY == 17 && sps.picSizeInCtbsY == 510)
  }

  @Test func multilayerPicture() throws {
    let bytes = Vector.rbsp(Vector.e)
    let pps = try bytes.decoded(PictureParameterSet())
    #expect(try pps.encoded() == bytes.array)
    #expect(pps.ppsPicParameterSetID == 1 && pps.ppsSeqParameterSetID == 1)
    #expect(pps.numExtraSliceHeaderBits == 2 && pps.signDataHidingEnabledFlag)
    #expect(pps.initQpMinus26 == -3 && pps.diffCuQpDeltaDepth == 1)
    #expect(pps.ppsCbQpOffset == 2 && pps.ppsCrQpOffset == -2)
    #expect(pps.ppsLoopFilterAcrossSlicesEnabledFlag && pps.listsModificationPresentFlag)
    #expect(pps.sliceSegmentHeaderExtensionPresentFlag)
    let extensions = try #require(pps.extensions)
    #expect(extensions.range == nil && extensions.threeDimensional == nil)
    #expect(extensions.screenContent == nil && extensions.ppsExtension4Bits == 0)
    let multilayer = try #require(extensions.multilayer)
    #expect(multilayer.pocResetInfoPresentFlag && multilayer.ppsScalingListRefLayerID == 0)
    let location = try #require(multilayer.referenceLocations.first)
    #expect(multilayer.referenceLocations.count == 1 && location.layerID == 0)
    let offset = try #require(location.scaledRefLayerOffset)
    #expect([offset.left, offset.top, offset.right, offset.bottom] == [-4, 2, 0, 8])
    #expect(location.refRegionOffset == nil)
    let phase = try #require(location.resamplePhaseSet)
    #expect([phase.horLuma, phase.verLuma, phase.horChromaPlus8, phase.verChromaPlus8] == [3, 0, 8, 20])
    #expect(multilayer.colourMapping == nil)
  }

  /// profile_space, tier and profile_idc; compatibility; constraints; level.
  @Test(
    arguments: [
      ("01 60000000 B00000000000 3C", "hvc1.1.6.L60.B0", "Main", "2"),
      ("02 20000000 B00000000000 7B", "hvc1.2.4.L123.B0", "Main 10", "4.1"),
      ("03 70000000 B00000000000 5A", "hvc1.3.E.L90.B0", "Main Still Picture", "3"),
      ("06 02000000 BF8000000000 3C", "hvc1.6.40.L60.BF.80", "Multiview Main", "2"),
      ("01 60000000 B00000000000 99", "hvc1.1.6.L153.B0", "Main", "5.1"),
      ("22 20000000 900000000000 99", "hvc1.2.4.H153.90", "Main 10", "5.1"),
      ("06 02000000 BF8800000000 78", "hvc1.6.40.L120.BF.88", "Multiview Main", "4"),
      ("02 20000000 B00000000000 7B", "hvc1.2.4.L123.B0", "Main 10", "4.1"),
      ("04 08000000 9D0800000000 99", "hvc1.4.10.L153.9D.8", "Main 4:2:2 10", "5.1"),
      ("61 00000000 000000000000 1E", "hvc1.A1.0.H30", nil, "1"),
    ] as [(String, String, String?, String)])
  func codecStrings(_ hex: String, _ string: String, _ profile: String?, _ level: String) throws {
    let bytes = ByteView(hex: hex).array
    let ptl = try ByteView(bytes).decoded(ProfileTierLevel())
    #expect(ptl.codecString(sampleEntry: "hvc1") == string)
    #expect(ptl.general?.profileName == profile)
    #expect(ptl.generalLevelIdc.name == level)
    #expect(try ptl.encoded() == bytes)
  }
}
