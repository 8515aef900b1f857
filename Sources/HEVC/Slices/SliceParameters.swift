// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The values of parameter sets that determine the syntax of slice segment headers of one layer, combined once.
/// ISO/IEC 23008-2, 7.3.6.1 and F.7.3.6.1
public struct SliceParameters: Hashable, Sendable {
  /// The picture parameter set (`pps_pic_parameter_set_id`).
  public let pictureParameterSetID: UInt32
  /// The layer (`nuh_layer_id`).
  public let layerID: UInt8

  // From the picture parameter set.
  let dependentSlicesEnabled: Bool
  let outputFlagPresent: Bool
  let numExtraSliceHeaderBits: Int
  let cabacInitPresent: Bool
  let numRefIdxL0DefaultActiveMinus1: UInt32
  let numRefIdxL1DefaultActiveMinus1: UInt32
  let initQpMinus26: Int32
  let chromaQpOffsetsPresent: Bool
  let actQpOffsetsPresent: Bool
  let cuChromaQpOffsetsEnabled: Bool
  let weightedPred: Bool
  let weightedBipred: Bool
  let deblockingOverrideEnabled: Bool
  let deblockingDisabled: Bool
  let loopFilterAcrossSlicesEnabled: Bool
  let listsModificationPresent: Bool
  let headerExtensionPresent: Bool
  let pocResetInfoPresent: Bool
  let currPicRefEnabled: Bool
  let hasEntryPoints: Bool
  /// The maximum of `num_entry_point_offsets`.
  let maximumEntryPoints: UInt32

  // From the sequence parameter set.
  let picSizeInCtbs: Int?
  let separateColourPlanes: Bool
  let chromaArrayType: Int
  let bitDepthLuma: Int
  let bitDepthChroma: Int
  let hasHighPrecisionOffsets: Bool
  package let pocLsbBits: Int
  /// The pictures of each short-term set: slices with their own set may refer to any of them.
  let shortTermPictures: [ReferencePictureDeltas]
  let longTermPictures: [LongTermRefPic]?
  let temporalMvpEnabled: Bool
  let saoEnabled: Bool
  let motionVectorResolutionControlIdc: UInt8

  // From the video parameter set.
  let video: OfVideo
  /// Whether slice headers are those of 3D-HEVC, which differ: one of the three parameter sets says so.
  let is3D: Bool

  /// A direct reference layer (`IdDirectRefLayer`), and which of its sub-layers may be referred to.
  struct ReferenceLayer: Hashable, Sendable {
    var id: UInt8
    var viewID: UInt16
    var maxSubLayersMinus1: UInt8
    var maxTemporalIDPlus1: UInt8
  }

  /// The view IDs that determine on which side a reference layer is. G.8.1.3
  struct ViewIDs: Hashable, Sendable {
    var current: UInt16 = 0
    var base: UInt16 = 0
  }

  /// Combines the values for slices of layer `layerID` that refer to `pps`.
  public init(
    layerID: UInt8, pps: PictureParameterSet, sps: SequenceParameterSet, vps: VideoParameterSet? = nil
  ) {
    self.init(
      layerID: layerID, pps: pps, sps: sps, pictures: sps.shortTermRefPicSets.map(\.deltas),
      video: OfVideo(vps, vps.map { LayerStructure($0) }, layerID: layerID))
  }

  /// The same, with the parts of `sps` and its video parameter set that take long to derive.
  init(
    layerID: UInt8, pps: PictureParameterSet, sps: SequenceParameterSet, pictures: [ReferencePictureDeltas],
    video: OfVideo
  ) {
    pictureParameterSetID = pps.ppsPicParameterSetID
    self.layerID = layerID
    dependentSlicesEnabled = pps.dependentSliceSegmentsEnabledFlag
    outputFlagPresent = pps.outputFlagPresentFlag
    numExtraSliceHeaderBits = Int(pps.numExtraSliceHeaderBits)
    cabacInitPresent = pps.cabacInitPresentFlag
    numRefIdxL0DefaultActiveMinus1 = pps.numRefIdxL0DefaultActiveMinus1
    numRefIdxL1DefaultActiveMinus1 = pps.numRefIdxL1DefaultActiveMinus1
    initQpMinus26 = pps.initQpMinus26
    chromaQpOffsetsPresent = pps.ppsSliceChromaQpOffsetsPresentFlag
    let screenContent = pps.extensions?.screenContent
    actQpOffsetsPresent = screenContent?.colourTransform?.sliceActQpOffsetsPresentFlag ?? false
    cuChromaQpOffsetsEnabled = pps.extensions?.range?.chromaQpOffsetListEnabledFlag ?? false
    weightedPred = pps.weightedPredFlag
    weightedBipred = pps.weightedBipredFlag
    deblockingOverrideEnabled = pps.deblockingFilterControl?.overrideEnabledFlag ?? false
    deblockingDisabled = pps.deblockingFilterControl?.filterDisabledFlag ?? false
    loopFilterAcrossSlicesEnabled = pps.ppsLoopFilterAcrossSlicesEnabledFlag
    listsModificationPresent = pps.listsModificationPresentFlag
    headerExtensionPresent = pps.sliceSegmentHeaderExtensionPresentFlag
    pocResetInfoPresent = pps.extensions?.multilayer?.pocResetInfoPresentFlag ?? false
    currPicRefEnabled = screenContent?.ppsCurrPicRefEnabledFlag ?? false
    hasEntryPoints = pps.tilesEnabledFlag || pps.entropyCodingSyncEnabledFlag
    maximumEntryPoints = Self.maximumEntryPoints(pps, sps)

    picSizeInCtbs = sps.picSizeInCtbsY
    let format = sps.format
    separateColourPlanes = format?.separateColourPlaneFlag ?? false
    chromaArrayType = format?.chromaArrayType ?? 1
    bitDepthLuma = format?.bitDepthLuma ?? 8
    bitDepthChroma = format?.bitDepthChroma ?? 8
    hasHighPrecisionOffsets = sps.extensions?.range?.highPrecisionOffsetsEnabledFlag ?? false
    pocLsbBits = sps.picOrderCntLsbBits
    shortTermPictures = pictures
    longTermPictures = sps.longTermRefPics
    temporalMvpEnabled = sps.spsTemporalMvpEnabledFlag
    saoEnabled = sps.sampleAdaptiveOffsetEnabledFlag
    motionVectorResolutionControlIdc = sps.extensions?.screenContent?.motionVectorResolutionControlIdc ?? 0

    self.video = video
    is3D =
      layerID > 0
      && (video.is3D || sps.extensions?.threeDimensional != nil || pps.extensions?.threeDimensional != nil)
  }

  /// The values of a video parameter set for slices of one layer. They take long to derive, and stay valid as long
  /// as the set does.
  struct OfVideo: Hashable, Sendable {
    var hasLayers = false
    var pocLsbPresentInIDR = false
    var pocLsbAligned = false
    var defaultRefLayersActive = false
    var maxOneActiveRefLayer = false
    var referenceLayers: [ReferenceLayer] = []
    var viewIDs = ViewIDs()
    var is3D = false

    init(
      _ vps: VideoParameterSet?, _ structure: @autoclosure () -> LayerStructure?, layerID: UInt8
    ) {
      pocLsbPresentInIDR = layerID > 0
      // Where there is only one layer, nothing is derived.
      guard let vps, layerID > 0 || vps.vpsExtension != nil, let structure = structure() else { return }
      is3D =
        layerID > 0
        && vps.profileTierLevel(ofLayer: layerID, in: structure)?.general?.profileIdc.rawValue == 8
      guard let vpsExtension = vps.vpsExtension else { return }
      hasLayers = true
      pocLsbAligned = vpsExtension.vpsPocLsbAlignedFlag
      defaultRefLayersActive = vpsExtension.defaultRefLayersActiveFlag
      maxOneActiveRefLayer = vpsExtension.maxOneActiveRefLayerFlag
      viewIDs.base = structure.layer(0)?.viewID ?? 0
      guard let layer = structure.layer(layerID) else { return }
      viewIDs.current = layer.viewID ?? 0
      is3D = is3D || layer.depthLayerFlag
      if vps.pocLsbNotPresent(at: layer.index) { pocLsbPresentInIDR = false }
      let limits = vps.maxTidIlRefPicsPlus1(to: layer.index)
      for id in layer.directReferenceLayers {
        guard let reference = structure.layer(id) else { continue }
        referenceLayers.append(
          ReferenceLayer(
            id: id, viewID: reference.viewID ?? 0, maxSubLayersMinus1: reference.subLayersMaxMinus1,
            maxTemporalIDPlus1: limits[reference.index] ?? 7))
      }
    }
  }

  private static func maximumEntryPoints(_ pps: PictureParameterSet, _ sps: SequenceParameterSet) -> UInt32 {
    let rows = sps.picHeightInCtbsY ?? 1
    var tiles = (columns: 1, rows: 1)
    if let grid = pps.tiles {
      tiles = (Int(clamping: grid.numTileColumnsMinus1) + 1, Int(clamping: grid.numTileRowsMinus1) + 1)
    }
    let count = pps.entropyCodingSyncEnabledFlag ? tiles.columns * rows : tiles.columns * tiles.rows
    // A picture cannot have more parts than tree blocks; 65535 luma samples in the smallest blocks are 4096 rows.
    return UInt32(clamping: min(max(1, count), 65_536) - 1)
  }

  /// The direct reference layers that a picture of this temporal sub-layer may refer to (`RefLayerPicIdc`), as
  /// indices of the direct reference layers. F.7.4.7.1
  func referenceLayerIndices(temporalID: UInt8) -> [Int] {
    video.referenceLayers.indices.filter { index in
      let layer = video.referenceLayers[index]
      return layer.maxSubLayersMinus1 >= temporalID
        && (temporalID == 0 || layer.maxTemporalIDPlus1 > temporalID)
    }
  }
}
