// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@testable import HEVC

/// A video parameter set that changes has the sequence parameter sets that refer to it read again: not without end.
@Suite struct ParameterSetRereadingTests {
  private func firstUnit(_ type: NALUnitType, layer: UInt8, in stream: String) throws -> NALUnit {
    let units = AnnexBNALUnits(Fixtures.bytes(stream)).compactMap { try? $0.get() }
    return try #require(units.first { $0.type == type && $0.layerID == layer })
  }

  @Test func changingBackAndForth() throws {
    let two = try firstUnit(.videoParameterSet, layer: 0, in: "two-views.hevc")
    let three = try firstUnit(.videoParameterSet, layer: 0, in: "three-views.hevc")
    let sps = try firstUnit(.sequenceParameterSet, layer: 1, in: "two-views.hevc")
    // The same set, with as much after it as a hostile stream would have there.
    let padding = [UInt8](repeating: 0x5A, count: 100_000)
    let large = try #require(NALUnit(ByteView(sps.bytes.array + padding)))
    var store = ParameterSetStore()
    store.insert(two)
    store.insert(large)
    for _ in 0..<500 {
      #expect(store.insert(three) == .replaced)
      #expect(store.insert(two) == .replaced)
    }
    #expect(store.bytesReread > 0)
    #expect(store.bytesReread <= 16 * store.bytesRead)
    #expect(store.sequenceParameterSets.count == 1)
  }
}
