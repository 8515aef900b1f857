// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What vps_extension() implies, derived only from fields that precede those that depend on it, so that reading and
// writing agree. ISO/IEC 23008-2, F.7.4.3.1.1

extension VPSExtension {
  /// The number of scalability dimensions (`NumScalabilityTypes`).
  var numScalabilityTypes: Int { scalabilityMask.nonzeroBitCount }

  /// The layer at an index (`layer_id_in_nuh`).
  func layerID(at index: Int) -> UInt8 {
    guard index > 0 else { return 0 }
    guard vpsNuhLayerIDPresentFlag, index <= layers.count else { return UInt8(clamping: index) }
    return layers[index - 1].layerIDInNuh
  }

  /// The coordinates of the layer at an index in the scalability dimensions, by dimension (`ScalabilityId`).
  func scalabilityIDs(at index: Int) -> SIMD16<UInt8> {
    var result = SIMD16<UInt8>(repeating: 0)
    var j = 0, offset = 0
    let id = Int(layerID(at: index))
    for smIdx in 0..<16 where scalabilityMask &>> UInt16(15 - smIdx) & 1 == 1 {
      if splittingFlag {
        // The last dimension takes the bits, of six, that the others leave.
        let length = j < dimensionIDLenMinus1.count ? Int(dimensionIDLenMinus1[j]) + 1 : max(0, 6 - offset)
        result[smIdx] = UInt8(truncatingIfNeeded: (id >> offset) & ((1 << length) - 1))
        offset = min(6, offset + length)
      } else if index > 0, index <= layers.count {
        result[smIdx] = layers[index - 1].dimensionIDs[j]
      }
      j += 1
    }
    return result
  }

  /// The number of views (`NumViews`).
  package var numViews: Int {
    var seen = SIMD4<UInt64>(repeating: 0)
    var count = 0
    for index in 0...layers.count {
      let view = scalabilityIDs(at: index)[1]
      let bit: UInt64 = 1 &<< UInt64(view & 63)
      if seen[Int(view >> 6)] & bit == 0 { count += 1 }
      seen[Int(view >> 6)] |= bit
    }
    return count
  }

  /// The number of layer sets (`NumLayerSets`).
  var numLayerSets: Int { surroundings.layerSets.count + 1 + highestLayerIdxPlus1.count }

  /// The number of output layer sets (`NumOutputLayerSets`).
  var numOutputLayerSets: Int { Int(numAddOlss) + numLayerSets }

  /// The layers of a set. `LayerSetLayerIdList`
  func layerSet(at index: Int, _ partitions: [LayerIDSet]) -> LayerSet {
    guard index > 0 else { return LayerSet([0]) }
    let coded = surroundings.layerSets
    if index <= coded.count { return LayerSet(coded[index - 1]) }
    let additional = index - coded.count - 1
    guard highestLayerIdxPlus1.indices.contains(additional) else { return LayerSet([]) }
    var parts: [LayerIDSet] = []
    for (tree, highest) in zip(partitions.dropFirst(), highestLayerIdxPlus1[additional]) {
      parts.append(tree.lowest(Int(highest)))
    }
    return LayerSet(parts: parts)
  }

  /// The index of the layer set of an output layer set (`OlsIdxToLsIdx`).
  func layerSetIndex(of ols: OutputLayerSet, at index: Int) -> Int {
    index < numLayerSets ? index : Int(ols.layerSetIdxForOlsMinus1 ?? 0) + 1
  }

  /// The number of temporal sub-layers of a layer set, less 1 (`MaxSubLayersInLayerSetMinus1`).
  func maxSubLayersMinus1(of set: LayerSet, _ dependencies: LayerDependencies) -> Int {
    guard let maxima = subLayersVpsMaxMinus1 else { return Int(surroundings.maxSubLayersMinus1) }
    var result = 0
    for id in set {
      if let index = dependencies.index(of: id), index < maxima.count {
        result = max(result, Int(maxima[index]))
      }
    }
    return result
  }

  /// The layers of an output layer set: OutputLayerFlag, NecessaryLayerFlag and what follows from them.
  func outputLayers(
    of ols: OutputLayerSet, at index: Int, _ dependencies: LayerDependencies, _ partitions: [LayerIDSet]
  ) -> OutputLayers {
    let layerSetIndex = layerSetIndex(of: ols, at: index)
    let set = layerSet(at: layerSetIndex, partitions)
    var outputs = LayerIDSet()
    var highest: UInt8?
    if index == 0 {
      outputs = [0]
      highest = 0
    } else if let flags = ols.outputLayerFlags {
      var j: UInt64 = 0
      for id in set {
        if flags &>> j & 1 == 1 {
          outputs.insert(id)
          highest = id
        }
        j += 1
      }
    } else if defaultOutputLayerIdc == 0 {
      outputs = set.ids
      highest = set.ids.highest
    } else if let last = set.ids.highest {
      outputs.insert(last)
      highest = last
    }
    return OutputLayers(
      layerSetIndex: layerSetIndex, layerSet: set, outputLayers: outputs,
      necessaryLayers: dependencies.necessaryLayers(of: set, outputs: outputs),
      highestOutputLayerID: highest, maxSubLayersMinus1: maxSubLayersMinus1(of: set, dependencies))
  }
}

extension VPSExtension {
  /// The view with a ViewOrderIdx; `nil` if there is no `view_id_val` for it (`ViewId`).
  func viewID(atOrder order: UInt8) -> UInt16? {
    guard viewIDLen > 0 else { return 0 }
    return Int(order) < viewIDVal.count ? viewIDVal[Int(order)] : nil
  }

  /// The number of temporal sub-layers of the layer at an index, less 1 (`sub_layers_vps_max_minus1`).
  func subLayersMaxMinus1(at index: Int) -> UInt8 {
    guard let maxima = subLayersVpsMaxMinus1, index < maxima.count else {
      return surroundings.maxSubLayersMinus1
    }
    return maxima[index]
  }
}
