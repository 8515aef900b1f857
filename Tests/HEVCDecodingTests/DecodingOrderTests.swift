// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCDecoding
import Testing

/// The order in which pictures are passed to threads.
@Suite struct DecodingOrderTests {
  /// A picture by its place: its access unit and layer.
  private struct Step {
    let name: String
    let layerID: UInt8
    let references: [Int]

    init(_ name: String, _ layerID: UInt8, _ references: [Int] = []) {
      self.name = name
      self.layerID = layerID
      self.references = references
    }
  }

  /// What each call starts.
  private static func starts(_ steps: [Step]) -> [[String]] {
    var order = DecodingOrder<String>()
    return steps.indices.map { number in
      let step = steps[number]
      return order.add(
        step.name, number: number, layerID: step.layerID, references: step.references)
    }
  }

  /// Pictures of one layer keep their order, each one call later.
  @Test func oneLayer() {
    #expect(Self.starts([Step("a", 0), Step("b", 0), Step("c", 0)]) == [[], ["a"], ["b"]])
  }

  /// The picture of the second layer starts after the next one of the first, so that it need not wait for its rows.
  @Test func twoLayers() {
    let steps = [
      Step("a0", 0), Step("a1", 1, [0]), Step("b0", 0, [0]), Step("b1", 1, [1, 2]), Step("c0", 0, [2]),
      Step("c1", 1, [3, 4]),
    ]
    #expect(Self.starts(steps) == [[], ["a0"], ["b0"], ["a1"], ["c0"], ["b1"]])
  }

  /// A picture never starts before one that it refers to, whatever their layers.
  @Test func neverBeforeReferences() {
    #expect(Self.starts([Step("a1", 1), Step("b0", 0, [0]), Step("c0", 0)]) == [[], ["a1"], ["b0"]])
    let layers: [UInt8] = [0, 1, 2, 0, 1, 2, 0, 2, 0, 1, 1, 0, 3, 0]
    let steps = layers.indices.map { number in
      // All earlier pictures of this layer and of lower ones.
      Step("\(number)", layers[number], (0..<number).filter { layers[$0] <= layers[number] })
    }
    let order = Self.starts(steps).joined().compactMap { Int($0) }
    for (place, number) in order.enumerated() {
      let started = Set(order[..<place])
      #expect(steps[number].references.allSatisfy { started.contains($0) }, "\(number)")
    }
    #expect(Set(order).count == layers.count - 1)
  }

  /// What something waits for starts at once, and once only.
  @Test func waiting() {
    var order = DecodingOrder<String>()
    #expect(order.add("a", number: 7, layerID: 0, references: []) == [])
    #expect(order.take(6) == nil)
    #expect(order.take(7) == "a")
    #expect(order.take(7) == nil)
    #expect(order.add("b", number: 8, layerID: 0, references: [7]) == [])
    order.removeAll()
    #expect(order.take(8) == nil)
    #expect(order.add("c", number: 9, layerID: 0, references: []) == [])
  }
}
