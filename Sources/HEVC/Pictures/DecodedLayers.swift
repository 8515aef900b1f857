// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Which layers of a stream are decoded, and which of them are output. ISO/IEC 23008-2, F.8.1 and C.1
package struct DecodedLayers: Hashable, Sendable {
  /// The layers that are decoded: those that are output, and those that they are predicted from
  /// (`TargetDecLayerIdList`).
  package var decoded: LayerIDSet
  /// The layers whose pictures are output.
  package var output: LayerIDSet
  /// The output layer set; `nil` if single layers were requested, or the stream has only one layer.
  package var outputLayerSet: Int?

  /// The base layer alone.
  package static let base = DecodedLayers(decoded: [0], output: [0])

  package init(decoded: LayerIDSet, output: LayerIDSet, outputLayerSet: Int? = nil) {
    self.decoded = decoded
    self.output = output
    self.outputLayerSet = outputLayerSet
  }

  /// The layers of the output layer set with the most layers; if several have as many, of the one with the most
  /// output layers, then of the first.
  package init(of vps: VideoParameterSet) {
    self = .base
    guard vps.vpsExtension != nil else { return }
    for (index, set) in vps.layerStructure.outputLayerSets.enumerated().dropFirst() {
      let layers = (set.necessaryLayers.count, set.outputLayers.count)
      guard layers > (decoded.count, output.count) else { continue }
      self = DecodedLayers(decoded: set.necessaryLayers, output: set.outputLayers, outputLayerSet: index)
    }
  }

  /// Only the requested layers of a stream, and those they are predicted from.
  package init(of vps: VideoParameterSet?, only wanted: LayerIDSet) {
    var decoded = LayerIDSet(), output = LayerIDSet()
    let structure = vps?.vpsExtension == nil ? nil : vps?.layerStructure
    for id in wanted {
      guard let structure else {
        if id == 0 { (decoded, output) = ([0], [0]) }
        continue
      }
      guard let layer = structure.layer(id) else { continue }
      output.insert(id)
      decoded.insert(id)
      decoded = decoded.union(layer.referenceLayers)
    }
    self.init(decoded: decoded, output: output)
  }
}

/// How many pictures may wait for output at a time, and how many are kept for a layer. ISO/IEC 23008-2, C.5.2.2
package struct BufferLimits: Hashable, Sendable {
  /// How many pictures may precede another one in decoding order and follow it in output order
  /// (`sps_max_num_reorder_pics`).
  package var reorder: Int
  /// How many pictures may be decoded while another one waits for output; `nil` for no limit
  /// (`SpsMaxLatencyPictures`).
  package var latency: Int?
  /// How many pictures are kept for a layer (`sps_max_dec_pic_buffering_minus1` + 1).
  package var capacity: Int

  package init(reorder: Int, latency: Int? = nil, capacity: Int) {
    self.reorder = reorder
    self.latency = latency
    self.capacity = capacity
  }

  /// The limits of the highest sub-layer of a sequence parameter set; `nil` for a set of the multilayer form,
  /// which has none.
  package init?(_ sps: SequenceParameterSet) {
    guard let ordering = sps.subLayerOrdering.last else { return nil }
    self.init(
      reorder: ordering.maxNumReorderPics, latencyPlus1: ordering.maxLatencyIncreasePlus1,
      capacityMinus1: ordering.maxDecPicBufferingMinus1)
  }

  /// The limits of a layer in an output layer set; `nil` if the set has none.
  package init?(_ vps: VideoParameterSet, outputLayerSet index: Int, layerID: UInt8) {
    let sets = vps.layerStructure.outputLayerSets
    guard sets.indices.contains(index),
      let size = vps.dpbSize(outputLayerSet: index, subLayer: sets[index].maxSubLayersMinus1)
    else { return nil }
    let place = Array(sets[index].layerSet).firstIndex(of: layerID)
    let capacity = place.flatMap {
      size.maxVpsDecPicBufferingMinus1.indices.contains($0) ? size.maxVpsDecPicBufferingMinus1[$0] : nil
    }
    self.init(
      reorder: size.maxVpsNumReorderPics, latencyPlus1: size.maxVpsLatencyIncreasePlus1,
      capacityMinus1: capacity ?? 15)
  }

  private init(reorder: UInt32, latencyPlus1: UInt32, capacityMinus1: UInt32) {
    self.reorder = min(Int(clamping: reorder), 16)
    capacity = min(Int(clamping: capacityMinus1) + 1, 16)
    latency = latencyPlus1 == 0 ? nil : Int(clamping: reorder) + Int(clamping: latencyPlus1) - 1
  }
}
