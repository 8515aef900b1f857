// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The layers of a stream, what each of them is, and which of them belong together: all that a video
/// parameter set implies. ISO/IEC 23008-2, F.7.4.3.1.1
///
/// It holds for damaged parameter sets too, as far as they could be read.
public struct LayerStructure: Hashable, Sendable {
  /// One layer.
  public struct Layer: Hashable, Sendable {
    /// The place of a layer in the video parameter set. `LayerIdxInVps`
    public let index: Int
    /// `layer_id_in_nuh`
    public let id: UInt8
    /// ScalabilityId: element `smIdx` for each scalability dimension.
    public let scalabilityIDs: SIMD16<UInt8>
    /// ViewId; `nil` where the parameter set has no `view_id_val` for the ViewOrderIdx.
    public let viewID: UInt16?
    /// The layers from which a layer is predicted directly. `IdDirectRefLayer`
    public let directReferenceLayers: LayerIDSet
    /// IdRefLayer: the layers it needs, directly or not.
    public let referenceLayers: LayerIDSet
    /// IdPredictedLayer: the layers that need it.
    public let predictedLayers: LayerIDSet
    /// `sub_layers_vps_max_minus1`
    public let subLayersMaxMinus1: UInt8

    /// Whether it holds depth. `DepthLayerFlag`
    public var depthLayerFlag: Bool { scalabilityIDs[0] != 0 }
    /// Which view it is, as the scalability dimensions count. `ViewOrderIdx`
    public var viewOrderIdx: UInt8 { scalabilityIDs[1] }
    /// Which step of resolution or quality it is. `DependencyId`
    public var dependencyID: UInt8 { scalabilityIDs[2] }
    /// AuxId: 0 for pictures to be seen, 1 for alpha, 2 for depth.
    public var auxID: UInt8 { scalabilityIDs[3] }
    /// How many layers it is predicted from directly. `NumDirectRefLayers`
    public var numDirectRefLayers: Int { directReferenceLayers.count }
    /// Whether the layer holds pictures to be seen: neither depth nor auxiliary ones.
    public var isTexture: Bool { auxID == 0 && !depthLayerFlag }
  }

  /// The layers, by their index.
  public let layers: [Layer]
  /// How many views there are. `NumViews`
  public let numViews: Int
  /// The layers that belong together because one is predicted from the other. `TreePartitionLayerIdList`
  public let treePartitions: [LayerIDSet]

  private let dependencies: LayerDependencies
  /// What the sets follow from. A thousand of them may be implied by no bit at all: they are not kept.
  private let sets: VPSExtension

  /// Derives the layers that `vps` describes.
  public init(_ vps: VideoParameterSet) {
    var vpsExtension = vps.vpsExtension ?? VPSExtension()
    vpsExtension.surroundings = VPSExtension.Surroundings(vps)
    // Without an extension nothing says of other layers.
    if vps.vpsExtension == nil { vpsExtension.surroundings.maxLayersMinus1 = 0 }
    let dependencies = LayerDependencies(vpsExtension)
    let partitions = dependencies.treePartitions()
    self.dependencies = dependencies
    treePartitions = partitions
    numViews = vpsExtension.numViews
    layers = dependencies.rows.enumerated().map { index, row in
      let scalability = vpsExtension.scalabilityIDs(at: index)
      return Layer(
        index: index, id: row.id, scalabilityIDs: scalability,
        viewID: vpsExtension.viewID(atOrder: scalability[1]), directReferenceLayers: row.direct,
        referenceLayers: row.all, predictedLayers: dependencies.predicted(from: row.id),
        subLayersMaxMinus1: vpsExtension.subLayersMaxMinus1(at: index))
    }
    var sets = VPSExtension()
    sets.surroundings.layerSets = vpsExtension.surroundings.layerSets
    sets.surroundings.maxSubLayersMinus1 = vpsExtension.surroundings.maxSubLayersMinus1
    sets.additionalSets = vpsExtension.additionalSets
    sets.subLayersVpsMaxMinus1 = vpsExtension.subLayersVpsMaxMinus1
    sets.defaultOutputLayerIdc = vpsExtension.defaultOutputLayerIdc
    sets.packedOutputSets = vpsExtension.packedOutputSets
    self.sets = sets
  }

  /// LayerSetLayerIdList, the additional layer sets included. Made anew whenever they are asked for.
  public var layerSets: [LayerSet] {
    (0..<sets.numLayerSets).map { sets.layerSet(at: $0, treePartitions) }
  }

  /// MaxSubLayersInLayerSetMinus1. Made anew whenever they are asked for.
  public var maxSubLayersInLayerSetMinus1: [Int] {
    layerSets.map { sets.maxSubLayersMinus1(of: $0, dependencies) }
  }

  /// The output layer sets; the first is the base layer alone. Made anew whenever they are asked for.
  public var outputLayerSets: [OutputLayers] {
    (0...sets.packedOutputSets.count).map { index in
      let coded = index > 0 ? sets.packedOutputSets[index - 1] : nil
      return sets.outputLayers(of: coded ?? .init(), at: index, dependencies, treePartitions)
    }
  }

  /// The layer set of each output layer set, made when it is asked for.
  var layerSetsOfOutputs: some Sequence<LayerSet> {
    (0...sets.packedOutputSets.count).lazy.map { index in
      let coded = index > 0 ? sets.packedOutputSets[index - 1] : nil
      return sets.layerSet(at: sets.layerSetIndex(of: coded ?? .init(), at: index), treePartitions)
    }
  }

  /// How many layers are predicted from no other. `NumIndependentLayers`
  public var numIndependentLayers: Int { treePartitions.count }

  /// LayerIdxInVps; `nil` where there is no such layer.
  public func index(of layerID: UInt8) -> Int? { dependencies.index(of: layerID) }

  /// The layer with this `nuh_layer_id`.
  public func layer(_ layerID: UInt8) -> Layer? { index(of: layerID).map { layers[$0] } }

  /// The output layer set that puts out the most layers to be seen; of equal ones the first.
  public var fullestOutputLayerSet: Int {
    var best = 0, most = 0
    for (index, ols) in outputLayerSets.enumerated() {
      var count = 0
      for id in ols.outputLayers where layer(id)?.isTexture == true { count += 1 }
      if count > most { (best, most) = (index, count) }
    }
    return best
  }
}
