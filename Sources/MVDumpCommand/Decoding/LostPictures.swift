// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC

/// Finds the samples of a movie that lack a picture which they should have: no picture that refers to it need be there to miss it.
///
/// A sample is an access unit, so it has pictures of the base layer, and of the layers that an eye sees. Pictures of other layers,
/// such as depth maps, may come more rarely; and of a layer that no sample has, nothing is lost among the samples.
struct LostPictures {
  /// The samples that lack a layer.
  struct Loss: Hashable {
    let layerID: UInt8
    /// The first of them.
    let sample: Int
    /// How many there are.
    var count: Int
  }

  /// A sample that may lack layers which a muxer has put into the next one.
  private struct Open {
    let sample: Int
    var present: LayerIDSet
    let seen: LayerIDSet
  }

  private var open: Open?
  /// The layers of which there are pictures.
  private var present = LayerIDSet()
  private var losses: [UInt8: Loss] = [:]
  /// Samples without any picture.
  private var empty: Loss?

  /// Adds the next sample.
  ///
  /// - Parameters:
  ///   - sample: its number.
  ///   - layers: the layers of which it has pictures.
  ///   - seen: the layers that an eye sees.
  mutating func add(_ sample: Int, _ layers: LayerIDSet, seen: LayerIDSet) {
    if let before = open, !layers.isEmpty, !layers.contains(0), before.present.contains(0),
      before.present.intersection(layers).isEmpty
    {
      open?.present = before.present.union(layers)
      return
    }
    close()
    open = Open(sample: sample, present: layers, seen: seen)
  }

  private mutating func close() {
    guard let done = open else { return }
    open = nil
    present = present.union(done.present)
    guard !done.present.isEmpty else {
      empty = empty ?? Loss(layerID: 0, sample: done.sample, count: 0)
      empty?.count += 1
      // The other layers are as absent from it as from others.
      for layer in done.seen where layer > 0 { note(layer, done.sample) }
      return
    }
    for layer in done.seen.union([0]).subtracting(done.present) { note(layer, done.sample) }
  }

  private mutating func note(_ layer: UInt8, _ sample: Int) {
    losses[layer, default: Loss(layerID: layer, sample: sample, count: 0)].count += 1
  }

  /// What is lost, once all samples were added: by ascending layer.
  mutating func finish() -> [Loss] {
    close()
    var found = losses.values.filter { present.contains($0.layerID) }
    if let empty {
      // In a track without a base layer they lack the lowest one that it has.
      let lowest = present.lowest ?? 0
      found.append(Loss(layerID: lowest, sample: empty.sample, count: empty.count))
    }
    return found.sorted { ($0.layerID, $0.sample) < ($1.layerID, $1.sample) }
  }
}
