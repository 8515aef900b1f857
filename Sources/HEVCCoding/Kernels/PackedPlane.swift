// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The samples of a plane in about half the memory, without loss: for pictures that wait.
///
/// Each sample is the difference from the one above it; the differences of every 16 neighbours take as many bits as the largest of them.
/// A row has those numbers of bits first, in half a byte each. Of samples of two bytes, the lower and the upper bytes are two such rows.
package struct PackedPlane: Sendable {
  private let width: Int
  private let height: Int
  private let isWide: Bool
  private let bytes: [UInt8]

  /// How many differences have a number of bits together.
  private static let segment = 16

  /// Packs all samples of a plane.
  package init(_ plane: Plane) {
    (width, height, isWide) = (plane.width, plane.height, plane.isWide)
    let segments = (plane.width &+ 15) &>> 4, parts = plane.isWide ? 2 : 1
    let most = (segments &+ 1) / 2 &+ segments &* Self.segment
    let packed = Memory<UInt8>(count: most &* parts &* plane.height, repeating: 0)
    let row = Memory<UInt8>(count: segments &* Self.segment &* parts, repeating: 0)
    defer {
      packed.free()
      row.free()
    }
    var place = 0
    for y in 0..<plane.height {
      if plane.isWide {
        unsafe Self.differences(
          plane.samples(UInt16.self) + y &* plane.stride, y > 0 ? plane.stride : 0, row.base,
          row.base + segments &* Self.segment, plane.width)
      } else {
        unsafe Self.differences(
          plane.samples(UInt8.self) + y &* plane.stride, y > 0 ? plane.stride : 0, row.base, plane.width)
      }
      for part in 0..<parts {
        place &+= unsafe Self.packRow(
          row.base + part &* segments &* Self.segment, segments, packed.base + place)
      }
    }
    bytes = unsafe Array(UnsafeBufferPointer(start: packed.base, count: place))
  }

  /// Writes the samples into rows of a plane of the same width; does nothing if it has another form, or not as many rows.
  package func unpack(into plane: Plane, row first: Int = 0) {
    guard plane.width == width, plane.isWide == isWide,
      plane.contains(x: 0, y: first, width: width, height: height)
    else { return }
    let segments = (width &+ 15) &>> 4, parts = isWide ? 2 : 1
    let row = Memory<UInt8>(count: segments &* Self.segment &* parts, repeating: 0)
    defer { row.free() }
    unsafe bytes.withUnsafeBytes { packed in
      guard var from = packed.baseAddress else { return }
      for y in 0..<height {
        for part in 0..<parts {
          unsafe from = Self.unpackRow(from, segments, row.base + part &* segments &* Self.segment)
        }
        if isWide {
          unsafe Self.samples(
            row.base, row.base + segments &* Self.segment, y > 0 ? plane.stride : 0,
            plane.samples(UInt16.self) + (first &+ y) &* plane.stride, width)
        } else {
          unsafe Self.samples(
            row.base, y > 0 ? plane.stride : 0, plane.samples(UInt8.self) + (first &+ y) &* plane.stride,
            width)
        }
      }
    }
  }

  // MARK: Differences

  // With the sign in the lowest bit, so that small ones have few bits. What a sample differs from is `above` samples before it; in
  // the first row, where `above` is 0, it is 0. Of bytes, 16 are taken at a time: rows of planes have room for more than that
  // after their last sample.

  @unsafe
  @inline(never)
  private static func differences(
    _ samples: UnsafePointer<UInt8>, _ above: Int, _ result: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for x in stride(from: 0, to: count, by: segment) {
      let row = unsafe UnsafeRawPointer(samples + x)
      let own = unsafe row.loadUnaligned(as: SIMD16<Int8>.self)
      let other = unsafe above == 0 ? SIMD16() : (row - above).loadUnaligned(as: SIMD16<Int8>.self)
      let difference = own &- other
      unsafe UnsafeMutableRawPointer(result + x).storeBytes(
        of: (difference &+ difference) ^ (difference &>> 7), as: SIMD16<Int8>.self)
    }
  }

  @unsafe
  @inline(never)
  private static func differences(
    _ samples: UnsafePointer<UInt16>, _ above: Int, _ low: UnsafeMutablePointer<UInt8>,
    _ high: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for x in 0..<count {
      let difference = unsafe samples[x] &- (above == 0 ? 0 : samples[x &- above])
      let value = (difference &<< 1) ^ (0 &- (difference &>> 15))
      unsafe low[x] = UInt8(truncatingIfNeeded: value)
      unsafe high[x] = UInt8(truncatingIfNeeded: value &>> 8)
    }
  }

  @unsafe
  @inline(never)
  private static func samples(
    _ differences: UnsafePointer<UInt8>, _ above: Int, _ result: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    for x in stride(from: 0, to: count, by: segment) {
      let value = unsafe UnsafeRawPointer(differences + x).loadUnaligned(as: SIMD16<UInt8>.self)
      let row = unsafe UnsafeMutableRawPointer(result + x)
      let other = unsafe above == 0 ? SIMD16() : (row - above).loadUnaligned(as: SIMD16<UInt8>.self)
      unsafe row.storeBytes(
        of: ((value &>> 1) ^ (0 &- (value & 1))) &+ other, as: SIMD16<UInt8>.self)
    }
  }

  @unsafe
  @inline(never)
  private static func samples(
    _ low: UnsafePointer<UInt8>, _ high: UnsafePointer<UInt8>, _ above: Int,
    _ result: UnsafeMutablePointer<UInt16>, _ count: Int
  ) {
    for x in 0..<count {
      let value = unsafe UInt16(low[x]) | UInt16(high[x]) &<< 8
      let difference = (value &>> 1) ^ (0 &- (value & 1))
      unsafe result[x] = difference &+ (above == 0 ? 0 : result[x &- above])
    }
  }

  // MARK: Bits

  // The bits of 16 bytes are written as up to four numbers: eight bits of each, or four, two and one. A number takes the lower half
  // of the bytes below the upper half, over and over, until all its bits are used.

  private static let fours: UInt64 = 0x0F0F_0F0F_0F0F_0F0F
  private static let twos: UInt64 = 0x0303_0303_0303_0303
  private static let ones: UInt64 = 0x0101_0101_0101_0101

  /// Writes a row of bytes; returns how many bytes it takes.
  @unsafe
  @inline(never)
  private static func packRow(
    _ row: UnsafePointer<UInt8>, _ segments: Int, _ result: UnsafeMutablePointer<UInt8>
  ) -> Int {
    let target = UnsafeMutableRawPointer(result)
    let source = unsafe UnsafeRawPointer(row)
    var place = (segments &+ 1) / 2
    for index in 0..<segments {
      var low = unsafe source.loadUnaligned(fromByteOffset: index &* segment, as: UInt64.self)
      var high = unsafe source.loadUnaligned(fromByteOffset: index &* segment &+ 8, as: UInt64.self)
      var all = low | high
      all |= all &>> 32
      all |= all &>> 16
      all |= all &>> 8
      let bits = 8 &- UInt8(truncatingIfNeeded: all).leadingZeroBitCount
      let half = UInt8(truncatingIfNeeded: bits)
      unsafe result[index &>> 1] = index & 1 == 0 ? half : result[index &>> 1] | half &<< 4
      if bits & 8 != 0 {
        unsafe target.storeBytes(of: low, toByteOffset: place, as: UInt64.self)
        unsafe target.storeBytes(of: high, toByteOffset: place &+ 8, as: UInt64.self)
        place = place &+ 16
      }
      if bits & 4 != 0 {
        unsafe target.storeBytes(of: low & fours | (high & fours) &<< 4, toByteOffset: place, as: UInt64.self)
        place = place &+ 8
        low = (low &>> 4) & fours
        high = (high &>> 4) & fours
      }
      if bits & 2 != 0 {
        let eight = low & twos | (high & twos) &<< 2
        unsafe target.storeBytes(
          of: UInt32(truncatingIfNeeded: eight | eight &>> 28), toByteOffset: place, as: UInt32.self)
        place = place &+ 4
        low = (low &>> 2) & twos
        high = (high &>> 2) & twos
      }
      if bits & 1 != 0 {
        let eight = low & ones | (high & ones) &<< 1
        let four = eight | eight &>> 30
        unsafe target.storeBytes(
          of: UInt16(truncatingIfNeeded: four | four &>> 12), toByteOffset: place, as: UInt16.self)
        place = place &+ 2
      }
    }
    return place
  }

  /// Reads a row of bytes; returns where the next one begins.
  @unsafe
  @inline(never)
  private static func unpackRow(
    _ source: UnsafeRawPointer, _ segments: Int, _ row: UnsafeMutablePointer<UInt8>
  ) -> UnsafeRawPointer {
    let target = UnsafeMutableRawPointer(row)
    var place = (segments &+ 1) / 2
    for index in 0..<segments {
      let both = unsafe source.load(fromByteOffset: index &>> 1, as: UInt8.self)
      let bits = (both &>> UInt8(truncatingIfNeeded: (index & 1) &<< 2)) & 15
      var low: UInt64 = 0, high: UInt64 = 0, shift: UInt64 = 0
      if bits & 8 != 0 {
        low = unsafe source.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        high = unsafe source.loadUnaligned(fromByteOffset: place &+ 8, as: UInt64.self)
        place = place &+ 16
      }
      if bits & 4 != 0 {
        let both = unsafe source.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        place = place &+ 8
        low = both & fours
        high = (both &>> 4) & fours
        shift = 4
      }
      if bits & 2 != 0 {
        let packed = unsafe UInt64(source.loadUnaligned(fromByteOffset: place, as: UInt32.self))
        place = place &+ 4
        let eight = (packed | packed &<< 28) & fours
        low |= (eight & twos) &<< shift
        high |= ((eight &>> 2) & twos) &<< shift
        shift = shift &+ 2
      }
      if bits & 1 != 0 {
        let packed = unsafe UInt64(source.loadUnaligned(fromByteOffset: place, as: UInt16.self))
        place = place &+ 2
        let four = (packed | packed &<< 12) & fours
        let eight = (four | four &<< 30) & twos
        low |= (eight & ones) &<< shift
        high |= ((eight &>> 1) & ones) &<< shift
      }
      unsafe target.storeBytes(of: low, toByteOffset: index &* segment, as: UInt64.self)
      unsafe target.storeBytes(of: high, toByteOffset: index &* segment &+ 8, as: UInt64.self)
    }
    return unsafe source + place
  }
}
