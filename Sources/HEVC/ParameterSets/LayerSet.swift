// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A layer set: LayerSetLayerIdList of ISO/IEC 23008-2, 7.4.3.1 and F.7.4.3.1.1.
public struct LayerSet: Hashable, Sendable, Sequence {
  /// The layers, by `nuh_layer_id`.
  public let ids: LayerIDSet
  /// The layers in the order of the list if that is not ascending; otherwise empty.
  private let order: [UInt8]

  /// Makes a set whose list is ascending, like every set that `layer_id_included_flag` describes.
  public init(_ ids: LayerIDSet) {
    self.ids = ids
    order = []
  }

  /// Makes a set of the first layers of several tree partitions, in the order of the partitions.
  init(parts: [LayerIDSet]) {
    var all = LayerIDSet()
    var isAscending = true
    for part in parts {
      if let last = all.highest, let next = part.lowest, next < last { isAscending = false }
      all = all.union(part)
    }
    ids = all
    order = isAscending ? [] : parts.flatMap { $0 }
  }

  /// How many layers the set has. `NumLayersInIdList`
  public var count: Int { ids.count }

  /// The layers in the order of the list.
  public func makeIterator() -> Iterator {
    Iterator(ascending: ids.makeIterator(), order: order, position: 0)
  }

  /// Iterates over the layers in the order of the list.
  public struct Iterator: IteratorProtocol {
    var ascending: LayerIDSet.Iterator
    let order: [UInt8]
    var position: Int
    public mutating func next() -> UInt8? {
      if order.isEmpty { return ascending.next() }
      guard position < order.count else { return nil }
      defer { position += 1 }
      return order[position]
    }
  }
}

/// The layers of an output layer set. ISO/IEC 23008-2, F.7.4.3.1.1
public struct OutputLayers: Hashable, Sendable {
  /// The index of its layer set (`OlsIdxToLsIdx`).
  public var layerSetIndex: Int
  /// The layers of its layer set.
  public var layerSet: LayerSet
  /// The layers that are output, by `nuh_layer_id` (`OutputLayerFlag`).
  public var outputLayers: LayerIDSet
  /// The layers that must be decoded, by `nuh_layer_id` (`NecessaryLayerFlag`).
  public var necessaryLayers: LayerIDSet
  /// The highest layer that is output; `nil` if none is (`OlsHighestOutputLayerId`).
  public var highestOutputLayerID: UInt8?
  /// The number of temporal sub-layers of its layer set, less 1 (`MaxSubLayersInLayerSetMinus1`).
  public var maxSubLayersMinus1: Int

  /// How many layers of the set are output (`NumOutputLayersInOutputLayerSet`).
  public var numOutputLayers: Int { outputLayers.count }
}
