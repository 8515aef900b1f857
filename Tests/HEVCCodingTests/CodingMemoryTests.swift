// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import TestSupport
import Testing

@testable import HEVCCoding

/// The memory of decoders is used again, by whatever layer comes next, and not more of it is kept than asked for.
@Suite struct CodingMemoryTests {
  private static func geometry(width: UInt32) throws -> PictureGeometry {
    try PictureGeometry(plainSequence(width: width, height: 40), PictureParameterSet())
  }

  @Test func lentAgain() throws {
    let pool = CodingMemoryPool(capacity: 2)
    // Equal geometries of two parameter sets.
    let first = pool.take(try Self.geometry(width: 72), isLong: false)
    pool.takeBack(first)
    #expect(pool.take(try Self.geometry(width: 72), isLong: false) === first)
    #expect(pool.take(try Self.geometry(width: 72), isLong: false) !== first)
    pool.takeBack(first)
    #expect(pool.take(try Self.geometry(width: 72), isLong: true) !== first)
    #expect(pool.take(try Self.geometry(width: 64), isLong: false) !== first)
    #expect(pool.take(try Self.geometry(width: 72), isLong: false) === first)
  }

  private struct Weak {
    weak var value: CodingMemory?
  }

  @Test func limited() throws {
    let pool = CodingMemoryPool(capacity: 2)
    let geometry = try Self.geometry(width: 72)
    var lent: [CodingMemory] = (0..<3).map { _ in pool.take(geometry, isLong: false) }
    let oldest = Weak(value: lent.first)
    for memory in lent { pool.takeBack(memory) }
    lent = []
    #expect(oldest.value == nil)
  }
}
