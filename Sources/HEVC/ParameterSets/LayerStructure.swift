// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The layers of a stream, what each of them contains, and which of them belong together: everything that a video
/// parameter set implies. ISO/IEC 23008-2, F.7.4.3.1.1
///
/// It can also be derived from damaged parameter sets, as far as they could be read.
public struct LayerStructure: Hashable, Sendable {
  /// One layer.
  public struct Layer: Hashable, Sendable {
    /// The position of the layer in the video parameter set (`LayerIdxInVps`).
    public let index: Int
    /// The layer (`layer_id_in_nuh`).
    public let id: UInt8
    /// The layer's coordinates in the scalability dimensions, by dimension (`ScalabilityId`).
    public let scalabilityIDs: SIMD16<UInt8>
    /// The view; `nil` if the parameter set has no `view_id_val` for the ViewOrderIdx (`ViewId`).
    public let viewID: UInt16?
    /// The layers from which it is predicted directly (`IdDirectRefLayer`).
    public let directReferenceLayers: LayerIDSet
    /// The layers that it depends on, directly or through others (`IdRefLayer`).
    public let referenceLayers: LayerIDSet
    /// The layers that depend on it (`IdPredictedLayer`).
    public let predictedLayers: LayerIDSet
    /// The number of its temporal sub-layers, less 1 (`sub_layers_vps_max_minus1`).
    public let subLayersMaxMinus1: UInt8

    /// Whether it contains depth (`DepthLayerFlag`).
    public var depthLayerFlag: Bool { scalabilityIDs[0] != 0 }
    /// The number of its view in the order of the scalability dimensions (`ViewOrderIdx`).
    public var viewOrderIdx: UInt8 { scalabilityIDs[1] }
    /// Its level of resolution or quality (`DependencyId`).
    public var dependencyID: UInt8 { scalabilityIDs[2] }
    /// The kind of its pictures: 0 for pictures to be viewed, 1 for alpha, 2 for depth (`AuxId`).
    public var auxID: UInt8 { scalabilityIDs[3] }
    /// How many layers it is predicted from directly (`NumDirectRefLayers`).
    public var numDirectRefLayers: Int { directReferenceLayers.count }
    /// Whether the layer holds pictures to be viewed: neither depth nor auxiliary pictures.
    public var isTexture: Bool { auxID == 0 && !depthLayerFlag }
  }

  /// The layers, by their index.
  public let layers: [Layer]
  /// The number of views (`NumViews`).
  public let numViews: Int
  /// The layers of each tree partition: those that depend on one independent layer, with that layer
  /// (`TreePartitionLayerIdList`).
  public let treePartitions: [LayerIDSet]

  private let dependencies: LayerDependencies
  /// The structure from which the sets are derived. A thousand of them may take no bits at all: they are not
  /// stored. Shared, because a copy of it counts a dozen references.
  private let derivation: Shared<VPSExtension>
  private var sets: VPSExtension { derivation.value }

  /// Derives the layers that `vps` describes.
  public init(_ vps: VideoParameterSet) {
    var vpsExtension = vps.vpsExtension ?? VPSExtension()
    vpsExtension.surroundings = VPSExtension.Surroundings(vps)
    // Without an extension, only the base layer is described.
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
    sets.highestLayerIdxPlus1 = vpsExtension.highestLayerIdxPlus1
    sets.subLayersVpsMaxMinus1 = vpsExtension.subLayersVpsMaxMinus1
    sets.defaultOutputLayerIdc = vpsExtension.defaultOutputLayerIdc
    sets.outputLayerSets = vpsExtension.outputLayerSets
    derivation = Shared(sets)
  }

  /// The layer sets, including additional ones (`LayerSetLayerIdList`). Computed on each access.
  public var layerSets: [LayerSet] {
    (0..<sets.numLayerSets).map { sets.layerSet(at: $0, treePartitions) }
  }

  /// The number of temporal sub-layers of each layer set, less 1 (`MaxSubLayersInLayerSetMinus1`). Computed on
  /// each access.
  public var maxSubLayersInLayerSetMinus1: [Int] {
    layerSets.map { sets.maxSubLayersMinus1(of: $0, dependencies) }
  }

  /// The output layer sets; the first is the base layer alone. Computed on each access.
  public var outputLayerSets: [OutputLayers] {
    (0...sets.outputLayerSets.count).map { index in
      let coded = index > 0 ? sets.outputLayerSets[index - 1] : nil
      return sets.outputLayers(of: coded ?? .init(), at: index, dependencies, treePartitions)
    }
  }

  /// The layer set of each output layer set, computed when iterated.
  var layerSetsOfOutputs: some Sequence<LayerSet> {
    (0...sets.outputLayerSets.count).lazy.map { index in
      let coded = index > 0 ? sets.outputLayerSets[index - 1] : nil
      return sets.layerSet(at: sets.layerSetIndex(of: coded ?? .init(), at: index), treePartitions)
    }
  }

  /// How many layers are not predicted from any other (`NumIndependentLayers`).
  public var numIndependentLayers: Int { treePartitions.count }

  /// The index of a layer in the video parameter set; `nil` if there is no such layer (`LayerIdxInVps`).
  public func index(of layerID: UInt8) -> Int? { dependencies.index(of: layerID) }

  /// The layer with this `nuh_layer_id`; `nil` if there is none.
  public func layer(_ layerID: UInt8) -> Layer? { index(of: layerID).map { layers[$0] } }

  /// The output layer set that outputs the most layers to be viewed; if several do, the first.
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
