// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Which layers refer to which, derived from `direct_dependency_flag`. ISO/IEC 23008-2, F.7.4.3.1.1
struct LayerDependencies: Hashable, Sendable {
  /// One layer, at its index in the video parameter set.
  struct Row: Hashable, Sendable {
    /// `layer_id_in_nuh`
    var id: UInt8
    /// The layers from which a layer is predicted directly. `IdDirectRefLayer`
    var direct: LayerIDSet
    /// IdRefLayer: direct and indirect reference layers.
    var all: LayerIDSet
  }

  private(set) var rows: [Row] = []

  /// The base layer alone.
  init() { rows = [Row(id: 0, direct: [], all: [])] }

  /// Those that `vps` tells. Without an extension nothing says of other layers.
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

  /// LayerIdxInVps. Ids ascend, so that the index of a layer is never above its id.
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

  /// How many layers are predicted from no other. `NumIndependentLayers`
  var numIndependentLayers: Int {
    var count = 0
    for row in rows where row.direct.isEmpty { count += 1 }
    return count
  }

  /// TreePartitionLayerIdList. The list of a partition ascends, because a layer depends on lower ones only.
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

  /// NecessaryLayerFlag of the layers of a set, by `nuh_layer_id`: what is put out, and what precedes it
  /// in the list and is referred to.
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
