// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What vps_extension() implies, by fields that precede those that depend on it: reading and writing
// agree. ISO/IEC 23008-2, F.7.4.3.1.1

extension VPSExtension {
  /// How many scalability dimensions there are. `NumScalabilityTypes`
  var numScalabilityTypes: Int { scalabilityMask.nonzeroBitCount }

  /// `layer_id_in_nuh`
  func layerID(at index: Int) -> UInt8 {
    guard index > 0 else { return 0 }
    guard vpsNuhLayerIDPresentFlag, index <= layers.count else { return UInt8(clamping: index) }
    return layers[index - 1].layerIDInNuh
  }

  /// ScalabilityId of the layer at an index: element `smIdx` for each scalability dimension.
  func scalabilityIDs(at index: Int) -> SIMD16<UInt8> {
    var result = SIMD16<UInt8>(repeating: 0)
    var j = 0, offset = 0
    let id = Int(layerID(at: index))
    for smIdx in 0..<16 where scalabilityMask &>> UInt16(15 - smIdx) & 1 == 1 {
      if splittingFlag {
        // The last dimension takes the bits that the others leave of the six.
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

  /// How many views there are. `NumViews`
  var numViews: Int {
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

  /// How many sets of layers there are. `NumLayerSets`
  var numLayerSets: Int { surroundings.layerSets.count + 1 + additionalSets.count }

  /// How many sets of layers there are from which pictures are put out. `NumOutputLayerSets`
  var numOutputLayerSets: Int { Int(numAddOlss) + numLayerSets }

  /// The layers of a set. `LayerSetLayerIdList`
  func layerSet(at index: Int, _ partitions: [LayerIDSet]) -> LayerSet {
    guard index > 0 else { return LayerSet([0]) }
    let coded = surroundings.layerSets
    if index <= coded.count { return LayerSet(coded[index - 1]) }
    let additional = index - coded.count - 1
    guard let choice = additionalSets[additional] else { return LayerSet([]) }
    var parts: [LayerIDSet] = []
    for (tree, highest) in zip(partitions.dropFirst(), choice) {
      parts.append(tree.lowest(Int(highest)))
    }
    return LayerSet(parts: parts)
  }

  /// Which set of layers an output layer set is made from. `OlsIdxToLsIdx`
  func layerSetIndex(of ols: OutputLayerSet, at index: Int) -> Int {
    index < numLayerSets ? index : Int(ols.layerSetIdxForOlsMinus1 ?? 0) + 1
  }

  /// MaxSubLayersInLayerSetMinus1
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

  /// What an output layer set consists of: OutputLayerFlag, NecessaryLayerFlag and what follows from them.
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
  /// ViewId of a ViewOrderIdx; `nil` where there is no `view_id_val` for it.
  func viewID(atOrder order: UInt8) -> UInt16? {
    guard viewIDLen > 0 else { return 0 }
    return Int(order) < viewIDVal.count ? viewIDVal[Int(order)] : nil
  }

  /// `sub_layers_vps_max_minus1` of the layer at an index.
  func subLayersMaxMinus1(at index: Int) -> UInt8 {
    guard let maxima = subLayersVpsMaxMinus1, index < maxima.count else {
      return surroundings.maxSubLayersMinus1
    }
    return maxima[index]
  }
}
