// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Which layers refer to which, derived from `direct_dependency_flag`. ISO/IEC 23008-2, F.7.4.3.1.1
struct LayerDependencies: Hashable, Sendable {
  /// One layer, at its index in the video parameter set.
  struct Row: Hashable, Sendable {
    /// The layer (`layer_id_in_nuh`).
    var id: UInt8
    /// The layers from which it is predicted directly (`IdDirectRefLayer`).
    var direct: LayerIDSet
    /// The layers from which it is predicted, directly or through others (`IdRefLayer`).
    var all: LayerIDSet
  }

  private(set) var rows: [Row] = []

  /// Makes the dependencies of the base layer alone.
  init() { rows = [Row(id: 0, direct: [], all: [])] }

  /// Makes the dependencies that `vps` describes. Without an extension, it describes only the base layer.
  init(_ vps: VideoParameterSet) {
    guard var vpsExtension = vps.vpsExtension else {
      self.init()
      return
    }
    vpsExtension.surroundings = VPSExtension.Surroundings(vps)
    self.init(vpsExtension)
  }

  init(_ vpsExtension: VPSExtension) {
    let last = vpsExtension.surroundings.maxLayersMinus1
    rows.reserveCapacity(last + 1)
    rows.append(Row(id: 0, direct: [], all: []))
    for i in 0..<last {
      var row = Row(id: vpsExtension.layerID(at: i + 1), direct: [], all: [])
      if i < vpsExtension.layers.count {
        for j in vpsExtension.layers[i].directDependencyFlags where j <= i {
          row.direct.insert(rows[Int(j)].id)
          row.all = row.all.union(rows[Int(j)].all)
        }
      }
      row.all = row.all.union(row.direct)
      rows.append(row)
    }
  }

  /// All layers, by `nuh_layer_id`.
  var ids: LayerIDSet {
    var all = LayerIDSet()
    for row in rows { all.insert(row.id) }
    return all
  }

  /// The index of a layer in the video parameter set (`LayerIdxInVps`). IDs are ascending, so the index of a layer
  /// is never above its ID.
  func index(of id: UInt8) -> Int? {
    var index = min(Int(id), rows.count - 1)
    while index >= 0 {
      if rows[index].id == id { return index }
      if rows[index].id < id { return nil }
      index -= 1
    }
    return nil
  }

  /// The layers from which a layer is predicted directly. `IdDirectRefLayer`
  func directReferences(of id: UInt8) -> LayerIDSet { index(of: id).map { rows[$0].direct } ?? [] }
  /// The layers from which a layer is predicted, directly or through others. `IdRefLayer`
  func references(of id: UInt8) -> LayerIDSet { index(of: id).map { rows[$0].all } ?? [] }
  /// The layers that are predicted from a layer, directly or through others. `IdPredictedLayer`
  func predicted(from id: UInt8) -> LayerIDSet {
    var result = LayerIDSet()
    for row in rows where row.all.contains(id) { result.insert(row.id) }
    return result
  }

  /// How many layers are not predicted from any other (`NumIndependentLayers`).
  var numIndependentLayers: Int {
    var count = 0
    for row in rows where row.direct.isEmpty { count += 1 }
    return count
  }

  /// The layers of each tree partition (`TreePartitionLayerIdList`). The list of a partition is ascending, because
  /// a layer depends only on lower ones.
  func treePartitions() -> [LayerIDSet] {
    var partitions: [LayerIDSet] = []
    var listed = LayerIDSet()
    for row in rows where row.direct.isEmpty {
      let members = predicted(from: row.id).subtracting(listed)
      listed = listed.union(members)
      partitions.append(members.union(LayerIDSet(rawValue: 1 &<< UInt64(row.id))))
    }
    return partitions
  }

  /// The layers of a set that must be decoded, by `nuh_layer_id`: those that are output, and those that precede
  /// them in the list and are referred to (`NecessaryLayerFlag`).
  func necessaryLayers(of set: LayerSet, outputs: LayerIDSet) -> LayerIDSet {
    var necessary = LayerIDSet(), before = LayerIDSet()
    for id in set {
      if outputs.contains(id) {
        necessary.insert(id)
        necessary = necessary.union(references(of: id).intersection(before))
      }
      before.insert(id)
    }
    return necessary
  }
}
