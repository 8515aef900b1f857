// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

// The parts of vps_extension(), ISO/IEC 23008-2, F.7.3.2.1.1, in coding order.

extension VPSExtension {
  /// The number of layers in all sets above which the structure is rejected: far above every real stream, and low
  /// enough to limit the work.
  static let maximumLayersInSets = 65_536

  /// Codes the fields from the base layer's level to the dependencies.
  mutating func layoutLayers(_ c: inout some Coder) throws(ParseError) {
    let last = surroundings.maxLayersMinus1
    let subLayers = surroundings.maxSubLayersMinus1
    try c.group(
      "profile_tier_level", &baseLayerProfileTierLevel,
      if: last > 0 && surroundings.baseLayerInternalFlag
    ) {
      $0.profilePresentFlag = false
      $0.maxNumSubLayersMinus1 = subLayers
    }
    try c.flag("splitting_flag", &splittingFlag)
    try c.flags("scalability_mask_flag", fromTopOf: &scalabilityMask)
    try c.array(
      "dimension_id_len_minus1", &dimensionIDLenMinus1,
      count: max(0, numScalabilityTypes - (splittingFlag ? 1 : 0)), bits: 3)
    if splittingFlag, dimensionIDLenMinus1.reduce(0, { $0 + Int($1) + 1 }) > 5 {
      throw c.failure(.invalid("leaves no bits of nuh_layer_id for the last dimension"), "dimension_id_len")
    }
    try c.flag("vps_nuh_layer_id_present_flag", &vpsNuhLayerIDPresentFlag)
    try layoutDimensions(&c)
    try c.u("view_id_len", &viewIDLen, 4)
    if viewIDLen > 0 {
      try c.array("view_id_val", &viewIDVal, count: numViews, bits: Int(viewIDLen))
    }
    c.beginArray("direct_dependency_flag", count: layers.count)
    for i in layers.indices {
      try c.flags(
        "direct_dependency_flag", &layers[i].directDependencyFlags.rawValue, at: 0..<(i + 1))
    }
    c.endScope()
  }

  private mutating func layoutDimensions(_ c: inout some Coder) throws(ParseError) {
    let idPresent = vpsNuhLayerIDPresentFlag
    let types = splittingFlag ? 0 : numScalabilityTypes
    let lengths = dimensionIDLenMinus1
    var previous: UInt8 = 0
    try c.elements(
      "layers", &layers, at: 1..<(surroundings.maxLayersMinus1 + 1),
      minimumBits: (idPresent ? 6 : 0) + types, new: Layer()
    ) { c, i, layer throws(ParseError) in
      c.beginStructure("layer")
      if idPresent {
        guard previous < 62 else { throw c.failure(.invalid("has no value left"), "layer_id_in_nuh") }
        try c.u("layer_id_in_nuh", &layer.layerIDInNuh, 6, in: (previous + 1)...62)
        previous = layer.layerIDInNuh
      } else {
        layer.layerIDInNuh = UInt8(clamping: i)
      }
      if types > 0 { c.beginArray("dimension_id", count: types) }
      for j in 0..<types {
        try c.u("dimension_id", &layer.dimensionIDs[j], Int(lengths[j]) + 1)
      }
      if types > 0 { c.endScope() }
      c.endScope()
    }
  }

  /// Checks that layer sets contain only layers that exist.
  func checkLayerSets(_ dependencies: LayerDependencies, _ c: borrowing some Coder) throws(ParseError) {
    let known = dependencies.ids
    for set in surroundings.layerSets {
      if let unknown = set.subtracting(known).lowest {
        throw c.failure(
          .invalid("names layer \(unknown), which the stream does not have"), "layer_id_included_flag")
      }
    }
  }

  /// Codes the fields from the additional layer sets to the temporal limits.
  mutating func layoutLayerSets(
    _ dependencies: LayerDependencies, _ c: inout some Coder
  ) throws(ParseError) {
    let independent = dependencies.numIndependentLayers
    var additional = UInt32(clamping: highestLayerIdxPlus1.count)
    if independent > 1 {
      try c.ue("num_add_layer_sets", &additional, in: 0...1023)
      let partitions = additional > 0 ? dependencies.treePartitions() : []
      try c.elements(
        "additional_layer_sets", &highestLayerIdxPlus1, at: 0..<Int(additional),
        minimumBits: independent - 1, new: []
      ) { c, _, highest throws(ParseError) in
        try c.elements("highest_layer_idx_plus1", &highest, at: 1..<independent, minimumBits: 1, new: 0) {
          c, j, index throws(ParseError) in
          let count = UInt8(clamping: partitions[j].count)
          try c.u("highest_layer_idx_plus1", &index, ceilLog2(Int(count) + 1), in: 0...count)
        }
        if highest.allSatisfy({ $0 == 0 }) {
          throw c.failure(.invalid("describes an empty layer set"), "highest_layer_idx_plus1")
        }
      }
    } else {
      highestLayerIdxPlus1 = []
    }
    try check(sets: numLayerSets, "num_add_layer_sets", c)
    let last = surroundings.maxLayersMinus1
    var hasMaximum = subLayersVpsMaxMinus1 != nil
    try c.flag("vps_sub_layers_max_minus1_present_flag", &hasMaximum)
    if hasMaximum {
      var maxima = subLayersVpsMaxMinus1 ?? []
      defer { subLayersVpsMaxMinus1 = maxima }
      try c.array(
        "sub_layers_vps_max_minus1", &maxima, count: last + 1, bits: 3,
        in: 0...surroundings.maxSubLayersMinus1)
    } else {
      subLayersVpsMaxMinus1 = nil
    }
    var hasTemporalLimit = maxTidIlRefPicsPlus1 != nil
    try c.flag("max_tid_ref_present_flag", &hasTemporalLimit)
    if hasTemporalLimit {
      var limits = maxTidIlRefPicsPlus1 ?? []
      defer { maxTidIlRefPicsPlus1 = limits }
      let pairs = layers.reduce(0) { $0 + $1.directDependencyFlags.count }
      try c.array("max_tid_il_ref_pics_plus1", &limits, count: pairs, bits: 3)
    } else {
      maxTidIlRefPicsPlus1 = nil
    }
    try c.flag("default_ref_layers_active_flag", &defaultRefLayersActiveFlag)
  }

  /// Codes the profiles that the output layer sets choose from.
  mutating func layoutProfiles(_ c: inout some Coder) throws(ParseError) {
    let first = surroundings.baseLayerInternalFlag ? 2 : 1
    let subLayers = surroundings.maxSubLayersMinus1
    try c.ue("vps_num_profile_tier_level_minus1", &vpsNumProfileTierLevelMinus1, in: 0...63)
    try c.elements(
      "profile_tier_levels", &profileTierLevels,
      at: first..<max(first, Int(vpsNumProfileTierLevelMinus1) + 1), minimumBits: 9,
      new: ProfileTierLevel()
    ) { c, _, profile throws(ParseError) in
      c.beginStructure("profile_tier_level")
      try c.flag("vps_profile_present_flag", &profile.profilePresentFlag)
      profile.maxNumSubLayersMinus1 = subLayers
      try profile.layout(&c)
      c.endScope()
    }
  }

  /// Codes the output layer sets; returns the layers of each, set 0 first.
  mutating func layoutOutputLayerSets(
    _ dependencies: LayerDependencies, _ c: inout some Coder
  ) throws(ParseError) -> [OutputLayers] {
    if numLayerSets > 1 {
      try c.ue("num_add_olss", &numAddOlss, in: 0...1023)
      try c.u("default_output_layer_idc", &defaultOutputLayerIdc, 2)
    } else {
      numAddOlss = 0
    }
    let count = numOutputLayerSets, sets = numLayerSets
    try check(sets: count, "num_add_olss", c)
    var result: [OutputLayers] = []
    result.reserveCapacity(count)
    let partitions = highestLayerIdxPlus1.isEmpty ? [] : dependencies.treePartitions()
    result.append(outputLayers(of: OutputLayerSet(), at: 0, dependencies, partitions))
    // Everything that the sets are derived from is known: copied out once, it is not copied for each of them.
    let known = self
    var coded = outputLayerSets
    outputLayerSets = []
    defer { outputLayerSets = coded }
    let profileBits = ceilLog2(Int(vpsNumProfileTierLevelMinus1) + 1)
    let lastProfile = UInt8(clamping: vpsNumProfileTierLevelMinus1)
    let codedSets = surroundings.layerSets.count
    try c.elements(
      "output_layer_sets", &coded, at: 1..<count, minimumBits: 1, new: OutputLayerSet()
    ) { c, i, ols throws(ParseError) in
      c.beginStructure("output_layer_set")
      try c.u(
        "layer_set_idx_for_ols_minus1", &ols.layerSetIdxForOlsMinus1, ceilLog2(sets - 1),
        if: sets > 2 && i >= sets, in: 0...UInt16(clamping: max(0, sets - 2)))
      let set = known.layerSet(at: known.layerSetIndex(of: ols, at: i), partitions)
      if i > codedSets || known.defaultOutputLayerIdc >= 2 {
        var flags = ols.outputLayerFlags ?? 0
        defer { ols.outputLayerFlags = flags }
        try c.flags("output_layer_flag", &flags, at: 0..<set.count)
      } else {
        ols.outputLayerFlags = nil
      }
      let outputs = known.outputLayers(of: ols, at: i, dependencies, partitions)
      result.append(outputs)
      if lastProfile > 0 {
        try Self.layoutProfileIndices(&ols, outputs, bits: profileBits, last: lastProfile, &c)
      } else {
        ols.profileTierLevelIdx = []
      }
      let highest = outputs.highestOutputLayerID ?? 0
      try c.flag(
        "alt_output_layer_flag", &ols.altOutputLayerFlag,
        if: outputs.numOutputLayers == 1 && !dependencies.directReferences(of: highest).isEmpty)
      c.endScope()
    }
    return result
  }

  private static func layoutProfileIndices(
    _ ols: inout OutputLayerSet, _ outputs: OutputLayers, bits: Int, last: UInt8, _ c: inout some Coder
  ) throws(ParseError) {
    if ols.profileTierLevelIdx.count != outputs.layerSet.count {
      ols.profileTierLevelIdx = Array(repeating: nil, count: outputs.layerSet.count)
    }
    c.beginArray("profile_tier_level_idx", count: outputs.layerSet.count)
    var j = 0
    for id in outputs.layerSet {
      try c.u(
        "profile_tier_level_idx", &ols.profileTierLevelIdx[j], bits,
        if: outputs.necessaryLayers.contains(id), in: 0...last)
      j += 1
    }
    c.endScope()
  }

  /// Codes the fields from the picture formats to the order counts.
  mutating func layoutFormats(
    _ dependencies: LayerDependencies, _ c: inout some Coder
  ) throws(ParseError) {
    let last = surroundings.maxLayersMinus1
    var lastFormat = UInt32(clamping: max(1, repFormats.count) - 1)
    try c.ue("vps_num_rep_formats_minus1", &lastFormat, in: 0...255)
    try c.array("rep_format", &repFormats, count: lastFormat + 1, minimumBits: 34)
    if repFormats.first?.sampleFormat == nil {
      throw c.failure(
        .invalid("is 0 in the first format, which has no previous format to inherit from"),
        "chroma_and_bit_depth_vps_present_flag")
    }
    var hasIndices = vpsRepFormatIdx != nil
    if lastFormat > 0 { try c.flag("rep_format_idx_present_flag", &hasIndices) } else { hasIndices = false }
    if hasIndices {
      var indices = vpsRepFormatIdx ?? []
      defer { vpsRepFormatIdx = indices }
      try c.array(
        "vps_rep_format_idx", &indices, count: last + (surroundings.baseLayerInternalFlag ? 0 : 1),
        bits: ceilLog2(Int(lastFormat) + 1), in: 0...UInt8(clamping: lastFormat))
    } else {
      vpsRepFormatIdx = nil
    }
    try c.flag("max_one_active_ref_layer_flag", &maxOneActiveRefLayerFlag)
    try c.flag("vps_poc_lsb_aligned_flag", &vpsPocLsbAlignedFlag)
    c.beginArray("poc_lsb_not_present_flag", count: 0)
    for i in 0..<last where dependencies.rows[i + 1].direct.isEmpty {
      try c.flag("poc_lsb_not_present_flag", inBit: i + 1, of: &pocLsbNotPresentFlags.rawValue)
    }
    c.endScope()
  }

  /// Codes how layers are predicted from each other.
  mutating func layoutDependencyTypes(_ c: inout some Coder) throws(ParseError) {
    try c.ue("direct_dep_type_len_minus2", &directDepTypeLenMinus2, in: 0...30)
    let bits = Int(directDepTypeLenMinus2) + 2
    var forAllLayers = directDependencyAllLayersType != nil
    try c.flag("direct_dependency_all_layers_flag", &forAllLayers)
    try c.u("direct_dependency_all_layers_type", &directDependencyAllLayersType, bits, if: forAllLayers)
    if forAllLayers {
      directDependencyTypes = []
    } else {
      let pairs = directDependencyTypePairs
      try c.array("direct_dependency_type", &directDependencyTypes, count: pairs, bits: bits)
    }
  }

  /// The number of pairs that have their own `direct_dependency_type`: pairs with an external base layer do not.
  var directDependencyTypePairs: Int {
    guard !surroundings.baseLayerInternalFlag else {
      return layers.reduce(0) { $0 + $1.directDependencyFlags.count }
    }
    return layers.reduce(0) { $0 + $1.directDependencyFlags.subtracting([0]).count }
  }

  private func check(
    sets: Int, _ name: StaticString, _ c: borrowing some Coder
  ) throws(ParseError) {
    if sets * 63 > Self.maximumLayersInSets {
      throw c.failure(
        .limitExceeded(
          limit: "of \(Self.maximumLayersInSets / 63) layer sets", value: UInt64(clamping: sets)), name)
    }
  }
}
