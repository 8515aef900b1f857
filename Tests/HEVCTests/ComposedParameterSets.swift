// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

/// Parameter sets with every part that real streams lack, written down in the order of the specification's
/// tables.
@Suite struct ComposedParameterSets {
  static let main = "2:0 0 5:1 32:1610612736 1011 43:0 0"
  static let sps = """
    4:0 3:2 1
    2:0 0 5:4 32:134217728 1011 100110001 34:0 1 8:120 11 01 12:0
    2:0 0 5:1 32:1610612736 1001 43:0 0 8:90 8:93
    e:3 e:3 1 e:1920 e:1080 1 e:1 e:2 e:3 e:4 e:2 e:4 e:4
    1 e:1 e:0 e:0 e:2 e:1 e:0 e:4 e:2 e:5
    e:0 e:3 e:0 e:3 e:1 e:2
    1 1
    1 x15 s:1 s:-100 0 e:1 x10 01 1 s:5 x64 s:0 x5 01 1 s:-7 x63 s:2 s:127 0 e:1
    1 1 1 4:7 4:6 e:0 e:2 1
    e:4
    e:2 e:1 e:0 1 e:1 1 e:0 0
    0 e:1 e:0 e:3 1
    1 0 e:1 1 01
    1 1 e:2 1 1 00
    1 e:2 8:17 1 8:200 0
    1 0
    1
    1 8:255 16:4 16:3 1 1 1 3:2 1 1 8:9 8:16 8:10 1 e:2 e:3 101 1 e:1 e:2 e:3 e:4
    1 32:1001 32:60000 1 e:0 1
    1 1 1 8:98 5:3 1 5:4 4:2 4:3 4:1 5:23 5:15 5:7
    1 e:0 e:1 e:10 e:20 e:5 e:6 1 e:11 e:21 e:5 e:6 0 e:12 e:22 e:5 e:6 1 e:13 e:23 e:5 e:6 0
    0 1 e:7 e:0 e:1 e:2 e:3 e:4 1 e:1 e:2 e:3 e:4 1
    0 0 1 e:1 e:2 e:3 e:4 1 e:1 e:2 e:3 e:4 1
    1 101 e:100 e:2 e:1 e:15 e:14
    1 1111 4:5 101010101 1 10 e:1 1101 01 1 e:2 10101
    1 1 e:31 e:64 1 e:1 10:1 10:2 12:3 12:4 12:5 12:6 2:1 1
    1011001 T
    """

  @Test func sequence() throws {
    let bytes = composedBits(Self.sps)
    let sps = try bytes.decoded(SequenceParameterSet())
    #expect(sps.trailing.isConforming && sps.trailing.following.isEmpty)
    #expect(try sps.encoded() == bytes.array)
    let ptl = try #require(sps.profileTierLevel)
    #expect(ptl.generalProfileIdc == .rangeExtensions && ptl.subLayers.count == 2)
    #expect(ptl.general?.profileName == "Main 12")
    #expect(ptl.subLayers[0].profile?.profileIdc == .main && ptl.subLayers[0].levelIdc?.rawValue == 90)
    #expect(ptl.subLayers[1].profile == nil && ptl.subLayers[1].levelIdc?.rawValue == 93)
    let format = try #require(sps.format)
    #expect(format.chromaArrayType == 0 && format.bitDepthLuma == 10 && format.bitDepthChroma == 12)
    #expect(format.croppedSize == PictureSize(width: 1917, height: 1073))
    #expect(sps.subLayerOrdering.map(\.maxDecPicBufferingMinus1) == [1, 2, 4])
    #expect(sps.subLayerOrdering.last?.maxLatencyIncreasePlus1 == 5)
    let lists = try #require(sps.scalingListData?.lists)
    #expect(lists[0].deltaCoefs.count == 16 && lists[0].deltaCoefs.last == -100)
    #expect(lists[1].predMatrixIdDelta == 1 && lists[19].predMatrixIdDelta == 1)
    #expect(lists[12].dcCoefMinus8 == 5 && lists[12].deltaCoefs.count == 64)
    #expect(lists[18].dcCoefMinus8 == -7 && lists[18].deltaCoefs.last == 127)
    #expect(sps.pcm?.sampleBitDepthChromaMinus1 == 6 && sps.pcm?.loopFilterDisabledFlag == true)
    #expect(sps.longTermRefPics?.map(\.pocLsb) == [17, 200])
    #expect(sps.extensions?.range?.cabacBypassAlignmentEnabledFlag == true)
    #expect(sps.extensions?.range?.persistentRiceAdaptationEnabledFlag == false)
    #expect(sps.extensions?.multilayer?.interViewMvVertConstraintFlag == true)
    let three = try #require(sps.extensions?.threeDimensional)
    #expect(three.ivDiMcEnabledFlags == 1 && three.ivMvScalEnabledFlags == 2)
    #expect(three.log2IvmcSubPbSizeMinus3 == 1 && three.log2TexmcSubPbSizeMinus3 == 2)
    #expect(three.skipIntraEnabledFlag && !three.interDcOnlyEnabledFlag && three.dbbpEnabledFlag)
    let screen = try #require(sps.extensions?.screenContent)
    #expect(screen.palette?.predictorInitializers == [[1, 2], [3, 4], [5, 6]])
    #expect(screen.motionVectorResolutionControlIdc == 1 && screen.intraBoundaryFilteringDisabledFlag)
    #expect(sps.extensions?.spsExtension4Bits == 5)
    #expect(sps.extensions?.spsExtensionData.bitCount == 7)
  }

  @Test func referencePictureSets() throws {
    let bytes = composedBits(Self.sps)
    let sets = try bytes.decoded(SequenceParameterSet()).shortTermRefPicSets.map(\.deltas)
    #expect(sets.map(\.s0) == [[-1, -3], [-4], [-2], [-1, -5]])
    #expect(sets.map(\.s1) == [[1], [], [2], []])
    #expect((0..<3).map(sets[0].isUsed) == [true, true, false])
    #expect((0..<2).map(sets[2].isUsed) == [true, false])
    #expect((0..<3).map(sets[3].isUsed) == [true, true, false])
    #expect(sets.map(\.numUsed) == [2, 1, 1, 2])

    // In a slice segment header: delta_idx_minus1 of 2 is the set at index 1 of four.
    let sps = try bytes.decoded(SequenceParameterSet())
    let slice = composedBits("1 e:2 1 e:0 1 01 0")
    let set = try slice.decoded(ShortTermReferencePictureSet(inSliceOf: sps.shortTermRefPicSets))
    #expect(set.prediction?.deltaIdxMinus1 == 2)
    #expect(set.deltas.s0 == [-1, -5] && (0..<2).map(set.deltas.isUsed) == [false, true])
  }

  @Test func usability() throws {
    let bytes = composedBits(Self.sps)
    let sps = try bytes.decoded(SequenceParameterSet())
    let vui = try #require(sps.vui)
    #expect(try #require(sps.sampleAspectRatio) == (4, 3))
    #expect(try #require(sps.pictureRate) == (60000, 1001))
    #expect(vui.overscanAppropriateFlag == true && vui.videoSignalType?.videoFormat == 2)
    #expect(vui.videoSignalType?.videoFullRangeFlag == true)
    #expect(vui.videoSignalType?.colour?.matrixCoeffs == 10)
    #expect(vui.chromaLocation?.topField == 2 && vui.chromaLocation?.bottomField == 3)
    #expect(vui.neutralChromaIndicationFlag && !vui.fieldSeqFlag && vui.frameFieldInfoPresentFlag)
    #expect(vui.defaultDisplayWindow?.bottomOffset == 4)
    #expect(vui.timing?.numTicksPocDiffOneMinus1 == 0)
    #expect(vui.bitstreamRestriction?.minSpatialSegmentationIdc == 100)
    #expect(vui.bitstreamRestriction?.log2MaxMvLengthVertical == 14)
    let hrd = try #require(vui.timing?.hrd)
    let common = try #require(hrd.common)
    #expect(common.subPicture?.tickDivisorMinus2 == 98 && common.cpbSizeDuScale == 1)
    #expect(common.dpbOutputDelayLengthMinus1 == 7)
    #expect(hrd.subLayers.map(\.nal.count) == [2, 1, 1] && hrd.subLayers.map(\.vcl.count) == [2, 1, 1])
    #expect(hrd.subLayers[0].vcl[1].cpbSizeValueMinus1 == 23 && !hrd.subLayers[0].vcl[1].cbrFlag)
    #expect(hrd.subLayers[0].nal[0].bitRate(common) == 11 << 8)
    #expect(hrd.subLayers[0].nal[0].cpbSize(common) == 21 << 7)
    #expect(hrd.subLayers[1].elementalDurationInTcMinus1 == 7)
    #expect(hrd.subLayers[2].lowDelayHrdFlag == true && hrd.subLayers[2].cpbCntMinus1 == nil)
  }

  static let pps = """
    e:5 e:2 1 1 3:2 1 1 e:3 e:4 s:-10 1 1 1 e:2 s:3 s:-4 1 1 0 1 1 0 e:2 e:1 0 e:9 e:8 e:7 1 1 1 1 0 s:2 s:-3
    0 1 e:2 1 1 1111 4:1
    e:1 1 1 e:1 e:1 s:1 s:-1 s:2 s:-2 e:0 e:1
    1 0 e:1 6:1 0 1 s:1 s:2 s:3 s:4 0
    1 e:1 6:0 6:1 2:1 2:1 e:0 e:0 e:2 e:2 2:1 2:0 s:3 s:-3 1 1 e:2 6:33 1 e:0 6:0 e:0 6:1 0 x63 0
    1 6:1 4:0 1 0 1 x64 1101 1 1 8:3 8:10 4:2 8:7 3:1 3:5
    1 1 1 s:1 s:2 s:3 1 e:2 0 e:2 e:0 10:1 10:2 8:3 8:4 8:5 8:6
    110 T
    """

  @Test func picture() throws {
    let bytes = composedBits(Self.pps)
    let pps = try bytes.decoded(PictureParameterSet())
    #expect(pps.trailing.isConforming && pps.trailing.following.isEmpty)
    #expect(try pps.encoded() == bytes.array)
    #expect(pps.numRefIdxL0DefaultActiveMinus1 == 3 && pps.numRefIdxL1DefaultActiveMinus1 == 4)
    #expect(pps.tiles?.columnWidthMinus1 == [9, 8] && pps.tiles?.rowHeightMinus1 == [7])
    #expect(pps.deblockingFilterControl?.tcOffsetDiv2 == -3)
    let range = try #require(pps.extensions?.range)
    #expect(range.log2MaxTransformSkipBlockSizeMinus2 == 1 && range.chromaQpOffsets.map(\.cr) == [-1, -2])
    #expect(range.log2SaoOffsetScaleChroma == 1)
    let multilayer = try #require(pps.extensions?.multilayer)
    #expect(multilayer.referenceLocations.first?.refRegionOffset?.bottom == 4)
    let mapping = try #require(multilayer.colourMapping)
    #expect(mapping.cmRefLayerIDs == [0, 1] && mapping.cmResLSBits == 6 && mapping.octants.count == 8)
    let vertex = try #require(mapping.octants[0][0])
    #expect(vertex.map(\.quotient) == [2, 0, 0] && vertex.map(\.remainder) == [33, 0, 1])
    #expect(vertex.map(\.sign) == [true, nil, false])
    #expect(mapping.cmAdaptThresholdVDelta == -3)
    let tables = try #require(pps.extensions?.threeDimensional?.depthLookUpTables?.tables)
    #expect(tables[0]?.valueFlags?.bitCount == 256 && tables[0]?.valueFlags?.bytes.first == 0xDD)
    #expect(tables[1]?.deltaValDiffMinusMin == [1, 5] && tables[1]?.deltaVal0 == 7)
    let screen = try #require(pps.extensions?.screenContent)
    #expect(screen.colourTransform?.crQpOffsetPlus3 == 3)
    #expect(screen.paletteInitializers?.components == [[1, 2], [3, 4], [5, 6]])
    #expect(pps.extensions?.ppsExtensionData.bitCount == 3)
  }

  static let vps = """
    4:5 1 1 6:2 3:1 1 16:65535 \(main) 8:120 01 14:0 8:60
    0 e:3 e:1 e:0 6:5 e:2 110000 110001
    1 32:1 32:50 1 e:3 e:2
    e:0 1 0 0 4:1 4:2 5:10 5:11 5:12 1 e:0 e:0 e:100 e:200 0 1 e:0 e:0 e:100 e:200 0
    e:2 0 0 0 0 e:0 e:1 e:2 1 1 e:4 e:0 e:3 e:4 0
    1 A
    8:121 00 14:0
    1 16:24576 3:1 1 6:1 6:5 4:4 4:7 4:9 1 01
    0 1 3:2 3:3 0
    e:2 1 2:0 0 5:6 32:33554432 1011 111110001 34:0 0 8:123 00 14:0
    e:1 2:2 01 2:1 2:2 1 001 2:1 2:2 2:2 0 1 111 2:1 2:2 2:2
    e:1 16:1280 16:720 1 2:1 4:2 4:2 0 16:1280 16:720 0 1 e:0 e:0 e:0 e:2 1 0 1
    0 1
    1 e:1 e:2 e:1 e:0 1 e:3 e:4 e:2 e:1 0 e:1 e:1 e:1 e:0 e:0 1 e:2 e:2 e:2 e:0 e:0 0
    e:0 0 2:1 2:0 e:1 8:195
    1 A
    1 1 0 0 1 4:1 3:1 0 8:1 8:1 8:1 3:5 1 8:9 8:16 8:9 4:0 4:1 4:1 1 0 101 0 0 0 1
    e:1 0 e:0 1 e:0 e:0 e:5 e:6 1
    e:1 e:0 11 e:0 2:0 e:0 2:1 e:1 e:0 2:0 e:0 2:1 e:1 e:0 2:2 e:0 e:0 2:2 e:3
    e:0 e:0 2:0 e:0 2:0 e:0 2:0 e:0 e:0 2:0 e:0 2:0 e:0 2:0 e:0
    e:0 e:0 2:0 e:0 2:0 e:0 2:0 e:0 e:0 2:0 e:0 2:0 e:0 2:0 e:4
    1 1 A e:3 6:1 0 e:0 s:5 s:-6 s:7 s:-8 1 10110 T
    """

  @Test func video() throws {
    let bytes = composedBits(Self.vps)
    let (vps, _, error) = bytes.decode(VideoParameterSet())
    #expect(error == nil)
    #expect(vps.trailing.isConforming && vps.trailing.following.isEmpty)
    #expect(try vps.encoded() == bytes.array)
    #expect(vps.profileTierLevel.subLayers.first?.levelIdc?.rawValue == 60)
    let hrds = try #require(vps.timing?.hrds)
    #expect(hrds.map(\.layerSetIdx) == [0, 2] && hrds[1].parameters.common == nil)
    #expect(hrds[1].parameters.effectiveCommon.auCpbRemovalDelayLengthMinus1 == 11)
    #expect(hrds[1].parameters.subLayers[0].nal.first?.cbrFlag == true)

    let layers = vps.layerStructure
    #expect(layers.layers.map(\.id) == [0, 1, 5])
    #expect(layers.layers.map(\.viewOrderIdx) == [0, 1, 1])
    #expect(layers.layers.map(\.dependencyID) == [0, 0, 1])
    #expect(layers.layers.map(\.viewID) == [7, 9, 9])
    #expect(layers.layers[2].directReferenceLayers == [1] && layers.layers[2].referenceLayers == [0, 1])
    #expect(layers.layers[0].predictedLayers == [1, 5])
    #expect(vps.maxTidIlRefPicsPlus1(from: 0, to: 1) == 2 && vps.maxTidIlRefPicsPlus1(from: 1, to: 2) == 3)
    let ols = layers.outputLayerSets
    #expect(ols.map(\.outputLayers) == [[0], [1], [5], [0, 1, 5]])
    #expect(ols.map(\.necessaryLayers) == [[0], [0, 1], [0, 1, 5], [0, 1, 5]])
    #expect(vps.vpsExtension?.outputLayerSets.map(\.altOutputLayerFlag) == [true, false, nil])
    #expect(vps.pictureFormat(at: 1)?.croppedSize == PictureSize(width: 1280, height: 720))
    #expect(vps.pictureFormat(at: 2)?.croppedSize == PictureSize(width: 1280, height: 716))
    #expect(vps.dpbSize(outputLayerSet: 1, subLayer: 1)?.maxVpsDecPicBufferingMinus1 == [3, 4])
    #expect(vps.dpbSize(outputLayerSet: 3, subLayer: 1)?.maxVpsDecPicBufferingMinus1 == [2, 2, 2])
    #expect(!vps.interLayerSamplePredictionEnabled(of: 1, on: 0))
    #expect(vps.interLayerMotionPredictionEnabled(of: 1, on: 0))
    #expect(vps.interLayerSamplePredictionEnabled(of: 2, on: 1))
    #expect(!vps.interLayerMotionPredictionEnabled(of: 2, on: 1))

    let vui = try #require(vps.vpsExtension?.vui)
    #expect(vui.crossLayerIrapAlignedFlag == nil && vui.allLayersIdrAlignedFlag == true)
    #expect(vps.videoSignalInfo(at: 2)?.transferCharacteristicsVps == 16)
    #expect(vui.wppInUseFlags == [0, 2])
    let partitions = try #require(vui.bspHRD)
    #expect(partitions.hrds.first?.subLayers.first?.nal.first?.cpbSizeValueMinus1 == 6)
    #expect(partitions.outputLayerSets[0].signalledSchemes == [[3]])
    #expect(partitions.outputLayerSets[0].schedules[1][1][0].partitions[0].bspSchedIdx == 3)
    #expect(partitions.outputLayerSets[2].schedules[0][1][0].partitions[2].bspSchedIdx == 4)
    let more = try #require(vps.vpsExtension2)
    #expect(more.threeDimensional?.views[0].references[0].invOffPlusOff == -8)
    #expect(more.vpsExtensionData?.bitCount == 5)
  }

  /// What was composed is as robust as what encoders write.
  @Test func truncationsThrow() {
    for (type, text) in [(32, Self.vps), (33, Self.sps), (34, Self.pps)] {
      let bytes = composedBits(text)
      // Unknown extension data may end anywhere: only what precedes it must be whole.
      for length in 0..<(bytes.count - 2) {
        #expect(DamagedParameterSets.outcome(type, 0, bytes.prefix(length)).error != nil)
      }
      for index in 0..<bytes.count {
        for value: UInt8 in [0, 1, 0x55, 0x80, 0xFF] {
          var altered = bytes.array
          altered[index] = value
          if let encoded = DamagedParameterSets.outcome(type, 0, ByteView(altered)).encoded {
            #expect(encoded == altered)
          }
        }
      }
    }
  }
}
