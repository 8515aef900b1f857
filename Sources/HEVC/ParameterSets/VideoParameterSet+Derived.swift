// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What the fields of a video parameter set imply for its layers. ISO/IEC 23008-2, F.7.4.3.1.1

extension VideoParameterSet {
  /// The layers, and how they relate to each other.
  public var layerStructure: LayerStructure { LayerStructure(self) }

  /// The layer at an index (`layer_id_in_nuh`).
  public func layerID(at index: Int) -> UInt8 {
    vpsExtension?.layerID(at: index) ?? UInt8(clamping: index)
  }

  /// The index of a layer; `nil` if there is no such layer (`LayerIdxInVps`).
  public func layerIndex(of layerID: UInt8) -> Int? {
    for index in 0...maxLayersMinus1 where self.layerID(at: index) == layerID { return index }
    return nil
  }

  /// The layers, by index, to which the layer at an index refers directly (`direct_dependency_flag`).
  public func directDependencies(at index: Int) -> LayerIDSet {
    guard let layers = vpsExtension?.layers, index > 0, index <= layers.count else { return [] }
    return layers[index - 1].directDependencyFlags
  }

  /// How many layers the layer at an index is predicted from directly (`NumDirectRefLayers`).
  public func numDirectRefLayers(at index: Int) -> Int { directDependencies(at: index).count }

  /// The number of pictures per second as a fraction, according to `vps_timing_info`; `nil` if there is none.
  public var pictureRate: (numerator: UInt32, denominator: UInt32)? {
    guard let timing, timing.numUnitsInTick > 0, timing.timeScale > 0 else { return nil }
    return (timing.timeScale, timing.numUnitsInTick)
  }

  // MARK: Picture formats

  /// The picture formats, each with its sample format: one without a sample format has that of the previous one
  /// (`rep_format()`).
  public var repFormats: [RepFormat] {
    var formats = vpsExtension?.repFormats ?? []
    var samples: RepFormat.SampleFormat?
    for index in formats.indices {
      samples = formats[index].sampleFormat ?? samples
      formats[index].sampleFormat = samples
    }
    return formats
  }

  /// The index of the picture format of the layer at an index (`vps_rep_format_idx`).
  public func repFormatIndex(at index: Int) -> Int {
    guard let vpsExtension else { return 0 }
    if let indices = vpsExtension.vpsRepFormatIdx {
      let position = vpsBaseLayerInternalFlag ? index - 1 : index
      return indices.indices.contains(position) ? Int(indices[position]) : 0
    }
    return min(index, max(0, vpsExtension.repFormats.count - 1))
  }

  /// The picture format of the layer at an index, as the parameter set describes it.
  public func pictureFormat(at index: Int) -> PictureFormat? {
    let formats = repFormats, position = repFormatIndex(at: index)
    return formats.indices.contains(position) ? PictureFormat(formats[position]) : nil
  }

  // MARK: Profiles and levels

  /// Entry `index` of the list of profiles: 0 for the whole stream as seen by its base layer, 1 for the base layer
  /// alone, followed by those that output layer sets choose from. If the profile of an entry is not coded, it is
  /// that of the previous entry.
  public func profileTierLevel(at index: Int) -> ProfileTierLevel? {
    guard var entry = writtenProfileTierLevel(at: index) else { return nil }
    var earlier = index - 1
    while entry.general == nil, earlier >= 0 {
      if let general = writtenProfileTierLevel(at: earlier)?.general {
        entry.general = general
        entry.profilePresentFlag = true
      }
      earlier -= 1
    }
    return entry
  }

  private func writtenProfileTierLevel(at index: Int) -> ProfileTierLevel? {
    if index == 0 { return profileTierLevel }
    guard let vpsExtension else { return nil }
    let first = vpsBaseLayerInternalFlag ? 2 : 1
    if index == 1, first == 2 { return vpsExtension.baseLayerProfileTierLevel }
    let position = index - first
    return vpsExtension.profileTierLevels.indices.contains(position)
      ? vpsExtension.profileTierLevels[position] : nil
  }

  /// The index in the list of profiles for layer `j` of an output layer set; `nil` if the layer is not necessary
  /// (`profile_tier_level_idx`).
  public func profileTierLevelIndex(outputLayerSet index: Int, layer j: Int) -> Int? {
    guard index > 0 else {
      return j == 0 ? (vpsBaseLayerInternalFlag && maxLayersMinus1 > 0 ? 1 : 0) : nil
    }
    guard let vpsExtension, vpsExtension.outputLayerSets.indices.contains(index - 1) else { return nil }
    // If there is only one entry, its index is not coded.
    if vpsExtension.vpsNumProfileTierLevelMinus1 == 0 { return 0 }
    let indices = vpsExtension.outputLayerSets[index - 1].profileTierLevelIdx
    return indices.indices.contains(j) ? indices[j].map(Int.init) : nil
  }

  /// The profile, tier and level of a layer, taken from the first output layer set that needs it.
  public func profileTierLevel(ofLayer layerID: UInt8) -> ProfileTierLevel? {
    profileTierLevel(ofLayer: layerID, in: LayerStructure(self))
  }

  /// The same, where the structure may be known.
  package func profileTierLevel(
    ofLayer layerID: UInt8, in structure: @autoclosure () -> LayerStructure
  ) -> ProfileTierLevel? {
    if layerID == 0 { return profileTierLevel }
    for (index, set) in structure().layerSetsOfOutputs.enumerated() where set.ids.contains(layerID) {
      for (j, id) in set.enumerated() where id == layerID {
        if let entry = profileTierLevelIndex(outputLayerSet: index, layer: j) {
          return profileTierLevel(at: entry)
        }
      }
    }
    return nil
  }

  // MARK: Prediction between layers

  /// How the layer at index `i` depends on that at index `j`; `nil` if it does not (`direct_dependency_type`).
  public func dependencyType(of i: Int, on j: Int) -> UInt32? {
    guard let vpsExtension, let reference = UInt8(exactly: j), directDependencies(at: i).contains(reference)
    else { return nil }
    if let type = vpsExtension.directDependencyAllLayersType { return type }
    var position = 0
    for (index, layer) in vpsExtension.layers.enumerated() {
      for flag in layer.directDependencyFlags where vpsBaseLayerInternalFlag || flag > 0 {
        if index + 1 == i, flag == reference {
          let types = vpsExtension.directDependencyTypes
          return types.indices.contains(position) ? types[position] : nil
        }
        position += 1
      }
    }
    return nil
  }

  /// Whether samples of layer `i` may be predicted from those of layer `j`
  /// (`VpsInterLayerSamplePredictionEnabled`).
  public func interLayerSamplePredictionEnabled(of i: Int, on j: Int) -> Bool {
    dependencyType(of: i, on: j).map { ($0 &+ 1) & 1 == 1 } ?? false
  }

  /// Whether motion of layer `i` may be predicted from that of layer `j` (`VpsInterLayerMotionPredictionEnabled`).
  public func interLayerMotionPredictionEnabled(of i: Int, on j: Int) -> Bool {
    dependencyType(of: i, on: j).map { ($0 &+ 1) & 2 == 2 } ?? false
  }

  /// Up to which temporal sub-layer the layer at index `j` may refer to that at index `i`, plus 1; 7 if not coded
  /// (`max_tid_il_ref_pics_plus1[i][j]`).
  public func maxTidIlRefPicsPlus1(from i: Int, to j: Int) -> UInt8 {
    maxTidIlRefPicsPlus1(to: j)[i] ?? 7
  }

  /// The same for each layer that the one at index `j` refers to, by index, as far as it is coded.
  func maxTidIlRefPicsPlus1(to j: Int) -> [Int: UInt8] {
    guard let vpsExtension, let limits = vpsExtension.maxTidIlRefPicsPlus1, (0...maxLayersMinus1).contains(j)
    else {
      return [:]
    }
    // They are ordered by the layers referred to, and then by those that refer to them.
    let direct = (0...maxLayersMinus1).map { directDependencies(at: $0) }
    var found: [Int: UInt8] = [:]
    var position = 0
    for lower in 0..<min(j, maxLayersMinus1) {
      let id = UInt8(clamping: lower)
      for upper in (lower + 1)...maxLayersMinus1 where direct[upper].contains(id) {
        if upper == j, limits.indices.contains(position) { found[lower] = limits[position] }
        position += 1
      }
    }
    return found
  }

  /// Whether IDR pictures of the layer at an index have no low bits of the order count
  /// (`poc_lsb_not_present_flag`).
  public func pocLsbNotPresent(at index: Int) -> Bool {
    UInt8(exactly: index).map { vpsExtension?.pocLsbNotPresentFlags.contains($0) ?? false } ?? false
  }

  // MARK: Buffers and colours

  /// The buffer sizes of an output layer set for a sub-layer: those of the previous one if they are not coded
  /// (`dpb_size()`).
  public func dpbSize(outputLayerSet index: Int, subLayer: Int) -> DPBSize.SubLayer? {
    guard let subLayers = vpsExtension?.dpbSize.sizes(outputLayerSet: index)?.subLayers else { return nil }
    guard subLayers.indices.contains(subLayer) else { return nil }
    return subLayers[...subLayer].last { $0 != nil } ?? nil
  }

  /// The colour format of the layer at an index; `nil` if the VUI does not have it (`video_signal_info()`).
  public func videoSignalInfo(at index: Int) -> VideoSignalInfo? {
    guard let vui = vpsExtension?.vui else { return nil }
    let first = vpsBaseLayerInternalFlag ? 0 : 1
    let position: Int
    if vui.vpsNumVideoSignalInfoMinus1 == nil {
      position = index - first
    } else if vui.vpsVideoSignalInfoIdx.indices.contains(index - first) {
      position = Int(vui.vpsVideoSignalInfoIdx[index - first])
    } else {
      position = 0
    }
    return vui.videoSignalInfos.indices.contains(position) ? vui.videoSignalInfos[position] : nil
  }
}
