// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `vps_vui()`: how pictures of different layers relate, and what they look like.
public struct VPSVUI: Hashable, Sendable {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, F.7.3.2.1.4"

  /// The bit and picture rates of one sub-layer of one layer set.
  public struct Rate: Hashable, Sendable {
    /// The layer set.
    public var layerSetIndex: UInt16 = 0
    /// The sub-layer.
    public var subLayer: UInt8 = 0
    /// The average bit rate in coded form; `nil` if `bit_rate_present_flag` is 0 (`avg_bit_rate`).
    public var avgBitRate: UInt16?
    /// The maximum bit rate in coded form; `nil` if `bit_rate_present_flag` is 0 (`max_bit_rate`).
    public var maxBitRate: UInt16?
    /// Whether the picture rate is constant: 0 not, 1 yes, 2 perhaps; `nil` if `pic_rate_present_flag` is 0
    /// (`constant_pic_rate_idc`).
    public var constantPicRateIdc: UInt8?
    /// The average number of pictures per 256 seconds; `nil` if `pic_rate_present_flag` is 0 (`avg_pic_rate`).
    public var avgPicRate: UInt16?

    /// Makes an entry without rates.
    public init() {}
  }

  /// How far down in a picture a layer may refer to another one.
  public struct ReferenceRestriction: Hashable, Sendable {
    /// The layer, by index.
    public var layerIndex: UInt8 = 0
    /// The position of the other layer in IdDirectRefLayer.
    public var referenceIndex: UInt8 = 0
    /// The offset between the areas of both layers in slices, tiles or rows, plus 1; 0 for no restriction
    /// (`min_spatial_segment_offset_plus1`).
    public var minSpatialSegmentOffsetPlus1: UInt32 = 0
    /// Whether the offset is in coding tree units; `nil` if absent (`ctu_based_offset_enabled_flag`).
    public var ctuBasedOffsetEnabledFlag: Bool?
    /// The horizontal offset in coding tree units, plus 1; `nil` if absent (`min_horizontal_ctu_offset_plus1`).
    public var minHorizontalCtuOffsetPlus1: UInt32?

    /// Makes an entry without restriction.
    public init() {}
  }

  /// The values that the structure takes from the enclosing extension.
  struct Scope {
    let maxLayersMinus1: Int
    let firstLayer: Int
    /// The number of temporal sub-layers, less 1, of the layer sets from `firstLayer` on: the external base layer
    /// does not have any.
    let subLayersOfSets: [Int]
    let dependencies: LayerDependencies
    let outputs: [OutputLayers]
    let hrdCount: Int
    let hrdCommon: HRDCommon?
    let maxSubLayersMinus1: UInt8

    init(_ vps: VPSExtension, _ dependencies: LayerDependencies, _ outputs: [OutputLayers]) {
      maxLayersMinus1 = vps.surroundings.maxLayersMinus1
      let first = vps.surroundings.baseLayerInternalFlag ? 0 : 1
      firstLayer = first
      // The first output layer sets correspond to the layer sets, in order.
      subLayersOfSets = outputs.prefix(vps.numLayerSets).dropFirst(first).map(\.maxSubLayersMinus1)
      self.dependencies = dependencies
      self.outputs = outputs
      hrdCount = vps.surroundings.hrdCount
      hrdCommon = vps.surroundings.lastHRDCommon
      maxSubLayersMinus1 = vps.surroundings.maxSubLayersMinus1
    }
  }

  /// Whether all pictures of an access unit have the same NAL unit type (`cross_layer_pic_type_aligned_flag`).
  public var crossLayerPicTypeAlignedFlag = false
  /// Whether random access points are aligned across layers; inferred to be set where absent
  /// (`cross_layer_irap_aligned_flag`).
  public var crossLayerIrapAlignedFlag: Bool?
  /// Whether IDR pictures are aligned across all layers; `nil` if absent (`all_layers_idr_aligned_flag`).
  public var allLayersIdrAlignedFlag: Bool?
  /// Whether bit rates are given (`bit_rate_present_vps_flag`).
  public var bitRatePresentVpsFlag = false
  /// Whether picture rates are given (`pic_rate_present_vps_flag`).
  public var picRatePresentVpsFlag = false
  /// The rates, by layer set.
  public var rates: [Rate] = []
  /// The number of video signal structures, less 1; `nil` if `video_signal_info_idx_present_flag` is 0
  /// (`vps_num_video_signal_info_minus1`).
  public var vpsNumVideoSignalInfoMinus1: UInt8?
  /// The colour formats that layers choose from (`video_signal_info()`).
  public var videoSignalInfos: [VideoSignalInfo] = []
  /// The index of the colour format of each layer, from layer 0 on (from 1 if the base layer is external)
  /// (`vps_video_signal_info_idx`).
  public var vpsVideoSignalInfoIdx: [UInt8] = []
  /// Whether no picture uses tiles (`tiles_not_in_use_flag`).
  public var tilesNotInUseFlag = false
  /// The layers, by index, whose pictures use tiles (`tiles_in_use_flag`).
  public var tilesInUseFlags = LayerIDSet()
  /// The layers, by index, whose in-loop filters do not cross the edges of tiles
  /// (`loop_filter_not_across_tiles_flag`).
  public var loopFilterNotAcrossTilesFlags = LayerIDSet()
  /// For each layer, by index, the positions in its IdDirectRefLayer of layers with the same tile boundaries
  /// (`tile_boundaries_aligned_flag`).
  public var tileBoundariesAlignedFlags: [LayerIDSet] = []
  /// Whether no picture uses wavefronts (`wpp_not_in_use_flag`).
  public var wppNotInUseFlag = false
  /// The layers, by index, whose pictures use wavefronts (`wpp_in_use_flag`).
  public var wppInUseFlags = LayerIDSet()
  /// Whether access units without a random access point hold pictures of at most one layer
  /// (`single_layer_for_non_irap_flag`).
  public var singleLayerForNonIrapFlag = false
  /// Whether random access pictures of higher layers consist of skipped blocks, and so repeat a lower layer
  /// (`higher_layer_irap_skip_flag`).
  public var higherLayerIrapSkipFlag = false
  /// The restrictions on references between layers; `nil` if `ilp_restricted_ref_layers_flag` is 0.
  public var referenceRestrictions: [ReferenceRestriction]?
  /// The buffers of bitstream partitions; `nil` if `vps_vui_bsp_hrd_present_flag` is 0.
  public var bspHRD: BSPHRDParameters?
  /// The layers, by index, that use only parameter sets of the base layer
  /// (`base_layer_parameter_set_compatibility_flag`).
  public var baseLayerParameterSetCompatibilityFlags = LayerIDSet()

  /// Makes an empty structure.
  public init() {}

  mutating func layout(_ c: inout some Coder, _ scope: Scope) throws(ParseError) {
    try c.flag("cross_layer_pic_type_aligned_flag", &crossLayerPicTypeAlignedFlag)
    try c.flag(
      "cross_layer_irap_aligned_flag", &crossLayerIrapAlignedFlag, if: !crossLayerPicTypeAlignedFlag)
    try c.flag(
      "all_layers_idr_aligned_flag", &allLayersIdrAlignedFlag, if: crossLayerIrapAlignedFlag ?? true)
    try layoutRates(&c, scope)
    try layoutSignals(&c, scope)
    try layoutTiles(&c, scope)
    try c.flag("single_layer_for_non_irap_flag", &singleLayerForNonIrapFlag)
    try c.flag("higher_layer_irap_skip_flag", &higherLayerIrapSkipFlag)
    try layoutRestrictions(&c, scope)
    var hasHRD = bspHRD != nil
    try c.flag("vps_vui_bsp_hrd_present_flag", &hasHRD)
    if hasHRD {
      var present = bspHRD ?? BSPHRDParameters()
      defer { bspHRD = present }
      c.beginStructure("vps_vui_bsp_hrd_params")
      do { try present.layout(&c, scope) } catch { throw error.inField("vps_vui_bsp_hrd_params") }
      c.endScope()
    } else {
      bspHRD = nil
    }
    c.beginArray("base_layer_parameter_set_compatibility_flag", count: 0)
    for i in 0..<scope.maxLayersMinus1 where scope.dependencies.rows[i + 1].direct.isEmpty {
      try c.flag(
        "base_layer_parameter_set_compatibility_flag", inBit: i + 1,
        of: &baseLayerParameterSetCompatibilityFlags.rawValue)
    }
    c.endScope()
  }

  private mutating func layoutRates(_ c: inout some Coder, _ scope: Scope) throws(ParseError) {
    try c.flag("bit_rate_present_vps_flag", &bitRatePresentVpsFlag)
    try c.flag("pic_rate_present_vps_flag", &picRatePresentVpsFlag)
    let bits = bitRatePresentVpsFlag, pictures = picRatePresentVpsFlag
    guard bits || pictures else {
      rates = []
      return
    }
    var set = 0, subLayer = 0
    try c.elements(
      "rates", &rates, at: 0..<scope.subLayersOfSets.reduce(0) { $0 + $1 + 1 }, minimumBits: 1, new: Rate()
    ) { c, _, rate throws(ParseError) in
      rate.layerSetIndex = UInt16(clamping: set + scope.firstLayer)
      rate.subLayer = UInt8(clamping: subLayer)
      c.beginStructure("rate")
      try rate.layout(&c, bits: bits, pictures: pictures)
      c.endScope()
      if subLayer < scope.subLayersOfSets[set] {
        subLayer += 1
      } else {
        set += 1
        subLayer = 0
      }
    }
  }

  private mutating func layoutSignals(_ c: inout some Coder, _ scope: Scope) throws(ParseError) {
    var hasIndices = vpsNumVideoSignalInfoMinus1 != nil
    try c.flag("video_signal_info_idx_present_flag", &hasIndices)
    try c.u("vps_num_video_signal_info_minus1", &vpsNumVideoSignalInfoMinus1, 4, if: hasIndices)
    let layers = scope.maxLayersMinus1 + 1 - scope.firstLayer
    let count = vpsNumVideoSignalInfoMinus1.map { Int($0) + 1 } ?? layers
    try c.array("video_signal_info", &videoSignalInfos, count: count, minimumBits: 28)
    if hasIndices, count > 1 {
      try c.array("vps_video_signal_info_idx", &vpsVideoSignalInfoIdx, count: layers, bits: 4)
    } else {
      vpsVideoSignalInfoIdx = []
    }
  }

  private mutating func layoutTiles(_ c: inout some Coder, _ scope: Scope) throws(ParseError) {
    let first = scope.firstLayer, last = scope.maxLayersMinus1
    try c.flag("tiles_not_in_use_flag", &tilesNotInUseFlag)
    if !tilesNotInUseFlag {
      c.beginArray("tiles_in_use", count: last + 1 - first)
      for i in first..<(max(first, last + 1)) {
        c.beginStructure("layer")
        try c.flag("tiles_in_use_flag", inBit: i, of: &tilesInUseFlags.rawValue)
        if tilesInUseFlags.contains(UInt8(clamping: i)) {
          try c.flag(
            "loop_filter_not_across_tiles_flag", inBit: i, of: &loopFilterNotAcrossTilesFlags.rawValue)
        }
        c.endScope()
      }
      c.endScope()
      try layoutTileBoundaries(&c, scope)
    }
    try c.flag("wpp_not_in_use_flag", &wppNotInUseFlag)
    if !wppNotInUseFlag {
      try c.flags("wpp_in_use_flag", &wppInUseFlags.rawValue, at: first..<max(first, last + 1))
    }
  }

  private mutating func layoutTileBoundaries(_ c: inout some Coder, _ scope: Scope) throws(ParseError) {
    let rows = scope.dependencies.rows
    if tileBoundariesAlignedFlags.count != rows.count {
      tileBoundariesAlignedFlags = Array(repeating: LayerIDSet(), count: rows.count)
    }
    c.beginArray("tile_boundaries_aligned_flag", count: 0)
    for (i, row) in rows.enumerated() where i > scope.firstLayer {
      guard tilesInUseFlags.contains(UInt8(clamping: i)) else { continue }
      for (j, id) in row.direct.enumerated() {
        guard let reference = scope.dependencies.index(of: id),
          tilesInUseFlags.contains(UInt8(clamping: reference))
        else { continue }
        try c.flag(
          "tile_boundaries_aligned_flag", inBit: j, of: &tileBoundariesAlignedFlags[i].rawValue)
      }
    }
    c.endScope()
  }

  private mutating func layoutRestrictions(_ c: inout some Coder, _ scope: Scope) throws(ParseError) {
    var isRestricted = referenceRestrictions != nil
    try c.flag("ilp_restricted_ref_layers_flag", &isRestricted)
    guard isRestricted else {
      referenceRestrictions = nil
      return
    }
    var pairs: [(UInt8, UInt8)] = []
    for (i, row) in scope.dependencies.rows.enumerated() {
      for (j, id) in row.direct.enumerated() where scope.firstLayer == 0 || id > 0 {
        pairs.append((UInt8(clamping: i), UInt8(clamping: j)))
      }
    }
    var restrictions = referenceRestrictions ?? []
    defer { referenceRestrictions = restrictions }
    try c.elements(
      "ilp_restricted_ref_layers", &restrictions, at: 0..<pairs.count, minimumBits: 1,
      new: ReferenceRestriction()
    ) { c, index, restriction throws(ParseError) in
      (restriction.layerIndex, restriction.referenceIndex) = pairs[index]
      c.beginStructure("reference")
      try restriction.layout(&c)
      c.endScope()
    }
  }
}

extension VPSVUI.Rate {
  fileprivate mutating func layout(
    _ c: inout some Coder, bits: Bool, pictures: Bool
  ) throws(ParseError) {
    var hasBitRate = bits && avgBitRate != nil
    var hasPictureRate = pictures && avgPicRate != nil
    if bits { try c.flag("bit_rate_present_flag", &hasBitRate) }
    if pictures { try c.flag("pic_rate_present_flag", &hasPictureRate) }
    try c.u("avg_bit_rate", &avgBitRate, 16, if: hasBitRate)
    try c.u("max_bit_rate", &maxBitRate, 16, if: hasBitRate)
    try c.u("constant_pic_rate_idc", &constantPicRateIdc, 2, if: hasPictureRate)
    try c.u("avg_pic_rate", &avgPicRate, 16, if: hasPictureRate)
  }

  /// A coded bit rate in bits per second: a 14-bit number with a 2-bit exponent (`BitRateBPS`).
  /// ISO/IEC 23008-2, F.7.4.3.1.4
  public static func bitsPerSecond(_ coded: UInt16) -> UInt64 {
    let scale: [UInt64] = [100, 1_000, 10_000, 100_000]
    return UInt64(coded & 0x3FFF) * scale[Int(coded >> 14)]
  }
}

extension VPSVUI.ReferenceRestriction {
  fileprivate mutating func layout(_ c: inout some Coder) throws(ParseError) {
    let any: ClosedRange<UInt32> = 0...(.max - 1)
    try c.ue("min_spatial_segment_offset_plus1", &minSpatialSegmentOffsetPlus1, in: any)
    try c.flag(
      "ctu_based_offset_enabled_flag", &ctuBasedOffsetEnabledFlag, if: minSpatialSegmentOffsetPlus1 > 0)
    try c.ue(
      "min_horizontal_ctu_offset_plus1", &minHorizontalCtuOffsetPlus1,
      if: ctuBasedOffsetEnabledFlag == true, in: any)
  }
}

/// `video_signal_info()`: how the component values of a layer are to be interpreted. ISO/IEC 23008-2, F.7.3.2.1.5
public struct VideoSignalInfo: FieldLayout {
  /// The television system of the source; 5 is unspecified (`video_vps_format`).
  public var videoVpsFormat: UInt8 = 5
  /// Whether component values use the full range (`video_full_range_vps_flag`).
  public var videoFullRangeVpsFlag = false
  /// The colour primaries, a code of ISO/IEC 23091-2; 2 is unspecified (`colour_primaries_vps`).
  public var colourPrimariesVps: UInt8 = 2
  /// The transfer function, a code of ISO/IEC 23091-2; 2 is unspecified (`transfer_characteristics_vps`).
  public var transferCharacteristicsVps: UInt8 = 2
  /// The matrix coefficients, a code of ISO/IEC 23091-2; 2 is unspecified (`matrix_coeffs_vps`).
  public var matrixCoeffsVps: UInt8 = 2

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("video_vps_format", &videoVpsFormat, 3, in: nil, .named(VideoSignalType.formatName))
    try c.flag("video_full_range_vps_flag", &videoFullRangeVpsFlag)
    try c.u8("colour_primaries_vps", &colourPrimariesVps, in: nil, .named(ColourCodes.primaries))
    try c.u8(
      "transfer_characteristics_vps", &transferCharacteristicsVps, in: nil, .named(ColourCodes.transfer))
    try c.u8("matrix_coeffs_vps", &matrixCoeffsVps, in: nil, .named(ColourCodes.matrix))
  }
}
