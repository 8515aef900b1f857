// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `vps_extension()`: the layers of a stream, their views, their dependencies, and which of them may be output.
public struct VPSExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, F.7.3.2.1.1"

  /// A layer other than the base layer, with the fields at its index.
  public struct Layer: Hashable, Sendable {
    /// The layer; its index if `vps_nuh_layer_id_present_flag` is 0 (`layer_id_in_nuh`).
    public var layerIDInNuh: UInt8 = 0
    /// Its coordinates in the scalability dimensions, if `splitting_flag` is 0 (`dimension_id`).
    public var dimensionIDs = SIMD16<UInt8>(repeating: 0)
    /// The layers, by index, that it refers to directly (`direct_dependency_flag`).
    public var directDependencyFlags = LayerIDSet()

    /// Makes a layer that does not depend on any other.
    public init() {}
  }

  /// An output layer set in coded form.
  public struct OutputLayerSet: Hashable, Sendable {
    /// The index of its layer set, less 1; `nil` if absent (`layer_set_idx_for_ols_minus1`).
    public var layerSetIdxForOlsMinus1: UInt16?
    /// Whether each layer is output, in bit j, where j counts the layers in the layer set; `nil` if absent
    /// (`output_layer_flag[j]`).
    public var outputLayerFlags: UInt64?
    /// The index of each layer's profile and level; `nil` if absent (`profile_tier_level_idx[j]`).
    public var profileTierLevelIdx: [UInt8?] = []
    /// Whether a lower layer may be output in place of a missing output picture; `nil` if absent
    /// (`alt_output_layer_flag`).
    public var altOutputLayerFlag: Bool?

    /// Makes a set with all values inferred.
    public init() {}
  }

  /// The values that the structure takes from the enclosing video parameter set.
  struct Surroundings: Hashable, Sendable {
    var maxLayersMinus1 = 0
    var baseLayerInternalFlag = true
    var maxSubLayersMinus1: UInt8 = 0
    /// The layer sets 1 to `vps_num_layer_sets_minus1`.
    var layerSets: [LayerIDSet] = []
    var hrdCount = 0
    var lastHRDCommon: HRDCommon?

    init() {}

    init(_ vps: VideoParameterSet) {
      maxLayersMinus1 = vps.maxLayersMinus1
      baseLayerInternalFlag = vps.vpsBaseLayerInternalFlag
      maxSubLayersMinus1 = vps.vpsMaxSubLayersMinus1
      layerSets = vps.layerIDIncludedFlags
      hrdCount = vps.timing?.hrds.count ?? 0
      lastHRDCommon = vps.timing?.hrds.last?.parameters.effectiveCommon
    }
  }

  var surroundings = Surroundings()

  /// The level of the base layer alone, entry 1 of the list of profiles (`profile_tier_level( 0, … )`).
  public var baseLayerProfileTierLevel: ProfileTierLevel?
  /// Whether the dimensions are bits of `nuh_layer_id` (`splitting_flag`).
  public var splittingFlag = false
  /// Which scalability dimensions are used; flag 0 is the most significant bit, so 0x4000 means multiview
  /// (`scalability_mask_flag`).
  public var scalabilityMask: UInt16 = 0
  /// The number of bits of each dimension, less 1 (`dimension_id_len_minus1`).
  public var dimensionIDLenMinus1: [UInt8] = []
  /// Whether layers have IDs that differ from their indices (`vps_nuh_layer_id_present_flag`).
  public var vpsNuhLayerIDPresentFlag = false
  /// The layers 1 to MaxLayersMinus1.
  public var layers: [Layer] = []
  /// The number of bits of a view ID; 0 if views have none (`view_id_len`).
  public var viewIDLen: UInt8 = 0
  /// The view IDs, by ViewOrderIdx (`view_id_val`).
  public var viewIDVal: [UInt16] = []
  /// How many layers of each tree partition from 1 on are in each additional layer set
  /// (`highest_layer_idx_plus1`).
  public var highestLayerIdxPlus1: [[UInt8]] = []
  /// The number of temporal sub-layers of each layer, less 1; `nil` if `vps_sub_layers_max_minus1_present_flag` is
  /// 0 (`sub_layers_vps_max_minus1`).
  public var subLayersVpsMaxMinus1: [UInt8]?
  /// Up to which temporal sub-layer layers refer to others, plus 1, in coding order; `nil` if
  /// `max_tid_ref_present_flag` is 0 (`max_tid_il_ref_pics_plus1`).
  public var maxTidIlRefPicsPlus1: [UInt8]?
  /// Whether pictures refer to all direct reference layers unless slice headers say otherwise
  /// (`default_ref_layers_active_flag`).
  public var defaultRefLayersActiveFlag = false
  /// The number of entries in the list of profiles, less 1 (`vps_num_profile_tier_level_minus1`).
  public var vpsNumProfileTierLevelMinus1: UInt32 = 0
  /// The profiles from entry 2 on, or from entry 1 if the base layer is external.
  public var profileTierLevels: [ProfileTierLevel] = []
  /// The number of additional output layer sets (`num_add_olss`).
  public var numAddOlss: UInt32 = 0
  /// Which layers are output by default: 0 all, 1 the highest, 2 and 3 as flagged (`default_output_layer_idc`).
  public var defaultOutputLayerIdc: UInt8 = 0
  /// The output layer sets from 1 on; set 0 is the base layer alone.
  public var outputLayerSets: [OutputLayerSet] = []
  /// The picture formats that layers choose from (`rep_format()`).
  public var repFormats: [RepFormat] = []
  /// The index of the picture format of each layer, from layer 1 on (from 0 if the base layer is external); `nil`
  /// if `rep_format_idx_present_flag` is 0 (`vps_rep_format_idx`).
  public var vpsRepFormatIdx: [UInt8]?
  /// Whether each picture refers to at most one other layer (`max_one_active_ref_layer_flag`).
  public var maxOneActiveRefLayerFlag = false
  /// Whether the low bits of order counts are the same in all layers of an access unit
  /// (`vps_poc_lsb_aligned_flag`).
  public var vpsPocLsbAlignedFlag = false
  /// The layers, by index, whose IDR pictures have no low bits of the order count (`poc_lsb_not_present_flag`).
  public var pocLsbNotPresentFlags = LayerIDSet()
  /// The sizes of the decoded picture buffer (`dpb_size()`).
  public var dpbSize = DPBSize()
  /// The number of bits of a dependency type, less 2 (`direct_dep_type_len_minus2`).
  public var directDepTypeLenMinus2: UInt32 = 0
  /// The dependency type common to all layers; `nil` if `direct_dependency_all_layers_flag` is 0
  /// (`direct_dependency_all_layers_type`).
  public var directDependencyAllLayersType: UInt32?
  /// The dependency type of each pair of layers in coding order, if there is no common one
  /// (`direct_dependency_type`).
  public var directDependencyTypes: [UInt32] = []
  /// Bytes for later editions (`vps_non_vui_extension_data_byte`).
  public var vpsNonVUIExtensionData: [UInt8] = []
  /// The alignment bits before the VUI as found, the last in bit 0 (`vps_vui_alignment_bit_equal_to_one`).
  public var vuiAlignmentBits: UInt8 = 0xFF
  /// How the pictures of the layers relate and look; `nil` if `vps_vui_present_flag` is 0.
  public var vui: VPSVUI?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try layoutLayers(&c)
    let dependencies = LayerDependencies(self)
    try checkLayerSets(dependencies, c)
    try layoutLayerSets(dependencies, &c)
    try layoutProfiles(&c)
    let outputs = try layoutOutputLayerSets(dependencies, &c)
    try layoutFormats(dependencies, &c)
    try dpbSize.layout(&c, outputs, baseLayerInternalFlag: surroundings.baseLayerInternalFlag)
    try layoutDependencyTypes(&c)
    var length = UInt32(clamping: vpsNonVUIExtensionData.count)
    try c.ue("vps_non_vui_extension_length", &length, in: 0...4096)
    try c.array("vps_non_vui_extension_data_byte", &vpsNonVUIExtensionData, count: length, bits: 8)
    var hasVUI = vui != nil
    try c.flag("vps_vui_present_flag", &hasVUI)
    guard hasVUI else {
      vui = nil
      return
    }
    try c.alignmentOnes("vps_vui_alignment_bit_equal_to_one", &vuiAlignmentBits)
    let scope = VPSVUI.Scope(self, dependencies, outputs)
    var present = vui ?? VPSVUI()
    defer { vui = present }
    c.beginStructure("vps_vui")
    do { try present.layout(&c, scope) } catch { throw error.inField("vps_vui") }
    c.endScope()
  }
}
