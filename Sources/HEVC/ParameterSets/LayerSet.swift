// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A layer set: LayerSetLayerIdList of ISO/IEC 23008-2, 7.4.3.1 and F.7.4.3.1.1.
public struct LayerSet: Hashable, Sendable, Sequence {
  /// The layers, by `nuh_layer_id`.
  public let ids: LayerIDSet
  /// The layers in the order of the list, where that is not ascending; else empty.
  private let order: [UInt8]

  /// A set whose list is ascending, as that of every set that `layer_id_included_flag` describes.
  public init(_ ids: LayerIDSet) {
    self.ids = ids
    order = []
  }

  /// A set of the first layers of several tree partitions, one partition after the other.
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

  /// Goes through the layers in the order of the list.
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

/// What an output layer set consists of. ISO/IEC 23008-2, F.7.4.3.1.1
public struct OutputLayers: Hashable, Sendable {
  /// Which set of layers an output layer set is made from. `OlsIdxToLsIdx`
  public var layerSetIndex: Int
  /// The layers of its layer set.
  public var layerSet: LayerSet
  /// OutputLayerFlag, by `nuh_layer_id`.
  public var outputLayers: LayerIDSet
  /// NecessaryLayerFlag, by `nuh_layer_id`.
  public var necessaryLayers: LayerIDSet
  /// OlsHighestOutputLayerId; `nil` where nothing is put out.
  public var highestOutputLayerID: UInt8?
  /// MaxSubLayersInLayerSetMinus1 of its layer set.
  public var maxSubLayersMinus1: Int

  /// How many layers of the set are put out. `NumOutputLayersInOutputLayerSet`
  public var numOutputLayers: Int { outputLayers.count }
}
