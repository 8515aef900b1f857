// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Sample adaptive offset of a block. ISO/IEC 23008-2, 8.7.3.2
///
/// `source` holds the rows of the block without any offset, from its row 1 on, with one row above and below; its
/// columns are those of the plane.
package enum OffsetKernels {
  /// SaoOffsetVal 1 to 4.
  package struct Offsets {
    package var first: Int16
    package var second: Int16
    package var third: Int16
    package var fourth: Int16

    package init(_ first: Int16, _ second: Int16, _ third: Int16, _ fourth: Int16) {
      self.first = first
      self.second = second
      self.third = third
      self.fourth = fourth
    }
  }

  private static func isInside(_ source: Plane, _ plane: Plane, _ area: BlockArea) -> Bool {
    plane.contains(x: area.x, y: area.y, width: area.width, height: area.height)
      && source.contains(x: area.x, y: 0, width: area.width, height: area.height &+ 2)
      && source.isWide == plane.isWide
  }

  /// Adds an offset chosen by the band of values that a sample is in.
  package static func band(
    _ source: Plane, to plane: Plane, _ area: BlockArea, _ offsets: Offsets, position: Int
  ) {
    guard isInside(source, plane, area) else { return }
    let from = source.stride &+ area.x, to = area.y &* plane.stride &+ area.x
    if plane.isWide {
      unsafe band(
        source.samples(UInt16.self) + from, source.stride, plane.samples(UInt16.self) + to, plane.stride,
        area,
        offsets, position, plane.bitDepth)
    } else {
      unsafe band(
        source.samples(UInt8.self) + from, source.stride, plane.samples(UInt8.self) + to, plane.stride, area,
        offsets, position, plane.bitDepth)
    }
  }

  @unsafe
  @inline(__always)
  private static func band<S: Sample>(
    _ source: UnsafeMutablePointer<S>, _ sourceStride: Int, _ target: UnsafeMutablePointer<S>, _ stride: Int,
    _ area: BlockArea, _ offsets: Offsets, _ position: Int, _ bitDepth: Int
  ) {
    let shift = Int32(truncatingIfNeeded: bitDepth &- 5),
      high = Int32(1) &<< Int32(truncatingIfNeeded: bitDepth) &- 1
    let start = Int32(truncatingIfNeeded: position)
    let o0 = Int32(offsets.first), o1 = Int32(offsets.second), o2 = Int32(offsets.third),
      o3 = Int32(offsets.fourth)
    for y in 0..<area.height {
      let line = unsafe source + y &* sourceStride, result = unsafe target + y &* stride
      for x in 0..<area.width {
        let value = unsafe Int32(truncatingIfNeeded: line[x])
        let band = (value &>> shift &- start) & 31
        let offset = band == 0 ? o0 : band == 1 ? o1 : band == 2 ? o2 : band == 3 ? o3 : 0
        unsafe result[x] = S(truncatingIfNeeded: max(0, min(high, value &+ offset)))
      }
    }
  }

  /// Adds an offset chosen by comparing a sample with its two neighbours in a direction.
  package static func edge(
    _ source: Plane, to plane: Plane, _ area: BlockArea, _ offsets: Offsets, edgeClass: Int
  ) {
    guard isInside(source, plane, area) else { return }
    let from = source.stride &+ area.x, to = area.y &* plane.stride &+ area.x
    // Columns outside the picture are read too, from the memory around each row; results that depend on them are
    // undone.
    let step: Int
    switch edgeClass {
    case 0: step = 1
    case 1: step = source.stride
    case 2: step = source.stride &+ 1
    default: step = source.stride &- 1
    }
    if plane.isWide, plane.bitDepth <= 12, area.width & 1 == 0 {
      unsafe edge(
        source.samples(UInt16.self) + from, source.stride, step, plane.samples(UInt16.self) + to,
        plane.stride, area, offsets, plane.bitDepth)
    } else if plane.isWide {
      unsafe longEdge(
        source.samples(UInt16.self) + from, source.stride, step, plane.samples(UInt16.self) + to,
        plane.stride,
        area, offsets, plane.bitDepth)
    } else {
      unsafe edge(
        source.samples(UInt8.self) + from, source.stride, step, plane.samples(UInt8.self) + to, plane.stride,
        area,
        offsets)
    }
  }

  /// Samples of two bytes with any number of bits.
  @unsafe
  private static func longEdge(
    _ source: UnsafeMutablePointer<UInt16>, _ sourceStride: Int, _ step: Int,
    _ target: UnsafeMutablePointer<UInt16>,
    _ stride: Int, _ area: BlockArea, _ offsets: Offsets, _ bitDepth: Int
  ) {
    let high = Int32(1) &<< Int32(truncatingIfNeeded: bitDepth) &- 1
    let o0 = Int32(offsets.first), o1 = Int32(offsets.second), o3 = Int32(offsets.third),
      o4 = Int32(offsets.fourth)
    for y in 0..<area.height {
      let line = unsafe source + y &* sourceStride, result = unsafe target + y &* stride
      let before = unsafe line - step, following = unsafe line + step
      for x in 0..<area.width {
        let value = unsafe line[x], a = unsafe before[x], b = unsafe following[x]
        let edge: Int32 =
          (value > a ? 1 : 0) &+ (value > b ? 1 : 0) &- (value < a ? 1 : 0) &- (value < b ? 1 : 0)
        let offset = edge == -2 ? o0 : edge == -1 ? o1 : edge == 1 ? o3 : edge == 2 ? o4 : 0
        unsafe result[x] = UInt16(truncatingIfNeeded: max(0, min(high, Int32(value) &+ offset)))
      }
    }
  }

  /// Samples of two bytes with at most 12 bits: eight at a time.
  @unsafe
  private static func edge(
    _ source: UnsafeMutablePointer<UInt16>, _ sourceStride: Int, _ step: Int,
    _ target: UnsafeMutablePointer<UInt16>,
    _ stride: Int, _ area: BlockArea, _ offsets: Offsets, _ bitDepth: Int
  ) {
    let high = Words(repeating: Int16(truncatingIfNeeded: 1 &<< bitDepth &- 1))
    let o0 = Words(repeating: offsets.first), o1 = Words(repeating: offsets.second)
    let o3 = Words(repeating: offsets.third), o4 = Words(repeating: offsets.fourth)
    for y in 0..<area.height {
      let line = unsafe UnsafePointer(source + y &* sourceStride)
      var rows = unsafe WordRows(target + y &* stride, stride: stride, width: area.width)
      var x = 0
      while x < area.width {
        let value = unsafe Words(at: line + x)
        let a = unsafe Words(at: line + (x &- step)), b = unsafe Words(at: line + (x &+ step))
        // How many of the neighbours are greater, less how many are smaller.
        let edge = (less(a, value) &- less(value, a)) &+ (less(b, value) &- less(value, b))
        let offset =
          (same(edge, 2) & o0 | same(edge, 1) & o1) | (same(edge, -1) & o3 | same(edge, -2) & o4)
        rows.put((value &+ offset).held(to: high), x)
        x = x &+ 8
      }
      rows.endRow()
    }
  }

  /// -1 where a number is less than another one.
  @inline(__always)
  private static func less(_ a: Words, _ b: Words) -> Words { unsafe unsafeBitCast(a .< b, to: Words.self) }

  /// All bits where a number is the given one.
  @inline(__always)
  private static func same(_ a: Words, _ number: Int16) -> Words {
    unsafe unsafeBitCast(a .== Words(repeating: number), to: Words.self)
  }

  /// Sixteen bytes.
  private typealias Bytes = SIMD16<UInt8>

  /// The same for 8 bits, in bytes throughout: the first two offsets raise values, the others lower them
  /// (7.4.9.3.2), so each is clipped at one end only.
  @unsafe
  private static func edge(
    _ source: UnsafeMutablePointer<UInt8>, _ sourceStride: Int, _ step: Int,
    _ target: UnsafeMutablePointer<UInt8>,
    _ stride: Int, _ area: BlockArea, _ offsets: Offsets
  ) {
    let o0 = Bytes(repeating: UInt8(truncatingIfNeeded: offsets.first))
    let o1 = Bytes(repeating: UInt8(truncatingIfNeeded: offsets.second))
    let o3 = Bytes(repeating: UInt8(truncatingIfNeeded: 0 &- offsets.third))
    let o4 = Bytes(repeating: UInt8(truncatingIfNeeded: 0 &- offsets.fourth))
    for y in 0..<area.height {
      let line = unsafe UnsafeRawPointer(source + y &* sourceStride)
      let result = unsafe UnsafeMutableRawPointer(target + y &* stride)
      var x = 0
      while x < area.width {
        let value = unsafe line.loadUnaligned(fromByteOffset: x, as: Bytes.self)
        let a = unsafe line.loadUnaligned(fromByteOffset: x &- step, as: Bytes.self)
        let b = unsafe line.loadUnaligned(fromByteOffset: x &+ step, as: Bytes.self)
        // How many of the neighbours are greater, less how many are smaller.
        let edge = (atLeast(value, a) &- atLeast(a, value)) &+ (atLeast(value, b) &- atLeast(b, value))
        let raise = same(edge, 2) & o0 | same(edge, 1) & o1
        let lower = same(edge, 255) & o3 | same(edge, 254) & o4
        // What is beyond an end of the range is less than what is added, or more than what is subtracted from.
        let raised = value &+ raise
        let held = raised | ~atLeast(raised, raise)
        let lowered = (held &- lower) & atLeast(held, lower)
        let left = area.width &- x
        if left >= 16 {
          unsafe result.storeBytes(of: lowered, toByteOffset: x, as: Bytes.self)
        } else {
          let halves = unsafe unsafeBitCast(lowered, to: SIMD2<UInt64>.self)
          if left & 8 != 0 { unsafe result.storeBytes(of: halves[0], toByteOffset: x, as: UInt64.self) }
          for lane in (left & 8)..<left {
            unsafe result.storeBytes(of: lowered[lane], toByteOffset: x &+ lane, as: UInt8.self)
          }
        }
        x = x &+ 16
      }
    }
  }

  /// All bits where a number is as large as another one or larger.
  @inline(__always)
  private static func atLeast(_ a: Bytes, _ b: Bytes) -> Bytes {
    unsafe unsafeBitCast(a .>= b, to: Bytes.self)
  }

  /// All bits where a number is the given one.
  @inline(__always)
  private static func same(_ a: Bytes, _ number: UInt8) -> Bytes {
    unsafe unsafeBitCast(a .== Bytes(repeating: number), to: Bytes.self)
  }
}
