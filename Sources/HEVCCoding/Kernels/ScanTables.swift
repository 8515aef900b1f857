// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A part of a table whose length is a power of two, so that any masked index is inside it.
@safe @usableFromInline
package struct MaskedBytes: @unchecked Sendable {
  @usableFromInline let base: UnsafePointer<UInt8>
  @usableFromInline let mask: Int

  @inlinable
  init(_ base: UnsafeMutablePointer<UInt8>, count: Int) {
    unsafe self.base = UnsafePointer(base)
    mask = count &- 1
  }

  @inlinable @inline(__always)
  package subscript(index: Int) -> UInt8 { unsafe base[index & mask] }
}

/// The orders in which coefficients are coded, and the contexts of their flags in that order. ISO/IEC 23008-2, 6.5.3 to 6.5.5
@safe @usableFromInline
package struct ScanTables: @unchecked Sendable {
  /// Made once for all decoders and never freed.
  package static let shared = ScanTables()

  // Sub-blocks: for each log2 of the block's size (2 to 5) and each scan, 64 positions, then 64 indices by
  // position.
  @usableFromInline let blocks: UnsafeMutablePointer<UInt8>
  // Positions in a sub-block: for each scan, 16 positions, then 16 indices by position.
  @usableFromInline let places: UnsafeMutablePointer<UInt8>
  // For each scan and pattern, 16 contexts.
  @usableFromInline let contexts: UnsafeMutablePointer<UInt8>

  private init() {
    unsafe blocks = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 * 4 * 128)
    unsafe blocks.initialize(repeating: 0, count: 4 * 4 * 128)
    unsafe places = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 * 32)
    unsafe places.initialize(repeating: 0, count: 4 * 32)
    unsafe contexts = UnsafeMutablePointer<UInt8>.allocate(capacity: 4 * 8 * 16)
    unsafe contexts.initialize(repeating: 0, count: 4 * 8 * 16)
    for scan in 0..<3 {
      for log2Size in 2...5 {
        let start = ((log2Size - 2) * 4 + scan) * 128
        for (index, place) in Self.order(log2Size - 2, scan).enumerated() {
          unsafe blocks[start + index] = UInt8(place.x | place.y << 4)
          unsafe blocks[start + 64 + place.y * 8 + place.x] = UInt8(index)
        }
      }
      for (index, place) in Self.order(2, scan).enumerated() {
        unsafe places[scan * 32 + index] = UInt8(place.x | place.y << 2)
        unsafe places[scan * 32 + 16 + place.y * 4 + place.x] = UInt8(index)
        for pattern in 0..<5 {
          unsafe contexts[(scan * 8 + pattern) * 16 + index] = Self.context(pattern, place.x, place.y)
        }
      }
    }
  }

  /// The positions in a square in the order of a scan: 0 is up-right diagonal, 1 horizontal, 2 vertical.
  private static func order(_ log2Size: Int, _ scan: Int) -> [(x: Int, y: Int)] {
    let size = 1 << log2Size
    var order: [(x: Int, y: Int)] = []
    switch scan {
    case 0:
      for diagonal in 0..<(2 * size - 1) {
        for x in 0..<size where diagonal - x >= 0 && diagonal - x < size { order.append((x, diagonal - x)) }
      }
    case 1: for y in 0..<size { for x in 0..<size { order.append((x, y)) } }
    default: for x in 0..<size { for y in 0..<size { order.append((x, y)) } }
    }
    return order
  }

  /// sigCtx of a position in a sub-block, without the part that depends on the sub-block: by its coded neighbours,
  /// or, as pattern 4, in a block of 4x4. 9.3.4.2.5
  private static func context(_ pattern: Int, _ x: Int, _ y: Int) -> UInt8 {
    switch pattern {
    case 0: x + y == 0 ? 2 : x + y < 3 ? 1 : 0
    case 1: y == 0 ? 2 : y == 1 ? 1 : 0
    case 2: x == 0 ? 2 : x == 1 ? 1 : 0
    case 3: 2
    default: ([0, 1, 4, 5, 2, 3, 4, 5, 6, 6, 8, 8, 7, 7, 8, 8] as [UInt8])[y * 4 + x]
    }
  }

  /// The sub-blocks of a block in scan order: the column in the lower four bits, the row in the upper four.
  @inlinable @inline(__always)
  package func subBlocks(log2Size: Int, scan: Int) -> MaskedBytes {
    unsafe MaskedBytes(blocks + (((log2Size &- 2) & 3) &* 4 &+ scan & 3) &* 128, count: 64)
  }

  /// The index of a sub-block in that order.
  @inlinable @inline(__always)
  package func subBlockIndex(log2Size: Int, scan: Int, x: Int, y: Int) -> Int {
    let start = (((log2Size &- 2) & 3) &* 4 &+ scan & 3) &* 128 &+ 64
    return unsafe Int(blocks[start &+ (y & 7) &* 8 &+ x & 7])
  }

  /// The positions in a sub-block in scan order: the column in the lower two bits, the row in the upper two.
  @inlinable @inline(__always)
  package func positions(scan: Int) -> MaskedBytes {
    unsafe MaskedBytes(places + (scan & 3) &* 32, count: 16)
  }

  /// The index of a position in that order.
  @inlinable @inline(__always)
  package func positionIndex(scan: Int, x: Int, y: Int) -> Int {
    unsafe Int(places[(scan & 3) &* 32 &+ 16 &+ (y & 3) &* 4 &+ x & 3])
  }

  /// Flags of the positions in a sub-block, row by row from bit 0 on, in the order of a scan.
  @inlinable @inline(__always)
  package func inScanOrder(_ flags: UInt32, scan: Int) -> UInt32 {
    if scan == 1 { return flags }
    let indices = unsafe places + ((scan & 3) &* 32 &+ 16)
    var rest = flags & 0xFFFF, result: UInt32 = 0
    while rest != 0 {
      unsafe result |= 1 &<< UInt32(indices[rest.trailingZeroBitCount])
      rest &= rest &- 1
    }
    return result
  }

  /// The contexts of sig_coeff_flag in the order of the scan.
  @inlinable @inline(__always)
  package func significantContexts(pattern: Int, scan: Int) -> MaskedBytes {
    unsafe MaskedBytes(contexts + ((scan & 3) &* 8 &+ pattern & 7) &* 16, count: 16)
  }
}
