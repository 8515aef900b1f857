// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `vps_extension()`: the layers of a stream, their views, their dependencies, and what may be put out.
public struct VPSExtension: FieldLayout {
  /// The document and clause that define it.
  public static let specification: StaticString = "ISO/IEC 23008-2, F.7.3.2.1.1"

  /// A layer other than the base layer, as far as it is described at its index.
  public struct Layer: Hashable, Sendable {
    /// `layer_id_in_nuh`; where `vps_nuh_layer_id_present_flag` is clear it is the index.
    public var layerIDInNuh: UInt8 = 0
    /// `dimension_id`, where `splitting_flag` is clear.
    public var dimensionIDs = SIMD16<UInt8>(repeating: 0)
    /// `direct_dependency_flag`: the layers, by index, to which this one refers.
    public var directDependencyFlags = LayerIDSet()

    /// A layer that depends on none.
    public init() {}
  }

  /// An output layer set, as it is coded.
  public struct OutputLayerSet: Hashable, Sendable {
    /// `layer_set_idx_for_ols_minus1`
    public var layerSetIdxForOlsMinus1: UInt16?
    /// `output_layer_flag[j]`, in bit j: j counts the layers in the layer set.
    public var outputLayerFlags: UInt64?
    /// `profile_tier_level_idx[j]`; `nil` where absent.
    public var profileTierLevelIdx: [UInt8?] = []
    /// `alt_output_layer_flag`
    public var altOutputLayerFlag: Bool?

    /// A set that leaves everything to inference.
    public init() {}
  }

  /// What the structure takes from the video parameter set around it.
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
      let hrds = vps.timing?.packedHRDs ?? PackedList()
      hrdCount = hrds.count
      lastHRDCommon = hrds[hrds.count - 1]?.parameters.effectiveCommon
    }
  }

  var surroundings = Surroundings()

  /// `profile_tier_level( 0, … )`: the level of the base layer alone. Entry 1 of the list of profiles.
  public var baseLayerProfileTierLevel: ProfileTierLevel?
  /// `splitting_flag`: the dimensions are bits of `nuh_layer_id`.
  public var splittingFlag = false
  /// `scalability_mask_flag`: flag 0 is the most significant bit, so that 0x4000 is multiview.
  public var scalabilityMask: UInt16 = 0
  /// `dimension_id_len_minus1`
  public var dimensionIDLenMinus1: [UInt8] = []
  /// `vps_nuh_layer_id_present_flag`
  public var vpsNuhLayerIDPresentFlag = false
  /// The layers 1 to MaxLayersMinus1.
  public var layers: [Layer] = []
  /// `view_id_len`
  public var viewIDLen: UInt8 = 0
  /// `view_id_val`, by ViewOrderIdx.
  public var viewIDVal: [UInt16] = []
  /// `highest_layer_idx_plus1` of the additional layer sets, for the tree partitions 1 and up.
  /// Made anew whenever it is asked for.
  public var highestLayerIdxPlus1: [[UInt8]] {
    get { additionalSets.elements }
    set { additionalSets = PackedList(newValue) }
  }
  var additionalSets = PackedList<[UInt8]>()
  /// `sub_layers_vps_max_minus1`, where `vps_sub_layers_max_minus1_present_flag` is set.
  public var subLayersVpsMaxMinus1: [UInt8]?
  /// `max_tid_il_ref_pics_plus1` in the order of coding, where `max_tid_ref_present_flag` is set.
  public var maxTidIlRefPicsPlus1: [UInt8]?
  /// `default_ref_layers_active_flag`
  public var defaultRefLayersActiveFlag = false
  /// `vps_num_profile_tier_level_minus1`
  public var vpsNumProfileTierLevelMinus1: UInt32 = 0
  /// The profiles from entry 2 on, or from entry 1 where the base layer is external.
  public var profileTierLevels: [ProfileTierLevel] = []
  /// `num_add_olss`
  public var numAddOlss: UInt32 = 0
  /// `default_output_layer_idc`: 0 every layer is put out, 1 the highest, 2 and 3 as flagged.
  public var defaultOutputLayerIdc: UInt8 = 0
  /// The output layer sets from 1 on; set 0 is the base layer alone. Made anew whenever they are asked for.
  public var outputLayerSets: [OutputLayerSet] {
    get { packedOutputSets.elements }
    set { packedOutputSets = PackedList(newValue) }
  }
  /// The same, as numbers: most sets leave everything to inference, and take no bits.
  var packedOutputSets = PackedList<OutputLayerSet>()
  /// `rep_format()`
  public var repFormats: [RepFormat] = []
  /// `vps_rep_format_idx` from layer 1 on (0, where the base layer is external), where
  /// `rep_format_idx_present_flag` is set.
  public var vpsRepFormatIdx: [UInt8]?
  /// `max_one_active_ref_layer_flag`
  public var maxOneActiveRefLayerFlag = false
  /// `vps_poc_lsb_aligned_flag`
  public var vpsPocLsbAlignedFlag = false
  /// `poc_lsb_not_present_flag`, by layer index.
  public var pocLsbNotPresentFlags = LayerIDSet()
  /// `dpb_size()`
  public var dpbSize = DPBSize()
  /// `direct_dep_type_len_minus2`
  public var directDepTypeLenMinus2: UInt32 = 0
  /// `direct_dependency_all_layers_type`, where `direct_dependency_all_layers_flag` is set.
  public var directDependencyAllLayersType: UInt32?
  /// `direct_dependency_type` in the order of coding, where the flag is clear.
  public var directDependencyTypes: [UInt32] = []
  /// `vps_non_vui_extension_data_byte`
  public var vpsNonVUIExtensionData: [UInt8] = []
  /// `vps_vui_alignment_bit_equal_to_one`, as found, the last in bit 0.
  public var vuiAlignmentBits: UInt8 = 0xFF
  /// What `vps_vui_present_flag` announces.
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

// The numbers are what is there, with the count of profiles; and then that.

extension VPSExtension.OutputLayerSet: Packable {
  func pack(into numbers: inout PackedNumbers) {
    var first = UInt64(profileTierLevelIdx.count) &<< 4
    if layerSetIdxForOlsMinus1 != nil { first |= 1 }
    if outputLayerFlags != nil { first |= 2 }
    if let altOutputLayerFlag { first |= altOutputLayerFlag ? 12 : 4 }
    numbers.append(first)
    if let layerSetIdxForOlsMinus1 { numbers.append(UInt64(layerSetIdxForOlsMinus1)) }
    if let outputLayerFlags { numbers.append(outputLayerFlags) }
    for index in profileTierLevelIdx { numbers.append(optional: index) }
  }

  init(unpacking numbers: PackedNumbers, at place: inout Int) {
    let first = numbers.next(&place) ?? 0
    if first & 1 != 0 { layerSetIdxForOlsMinus1 = UInt16(truncatingIfNeeded: numbers.next(&place) ?? 0) }
    if first & 2 != 0 { outputLayerFlags = numbers.next(&place) ?? 0 }
    if first & 4 != 0 { altOutputLayerFlag = first & 8 != 0 }
    profileTierLevelIdx = (0..<Int(clamping: first &>> 4)).map { _ in numbers.nextOptional(&place) }
  }
}
