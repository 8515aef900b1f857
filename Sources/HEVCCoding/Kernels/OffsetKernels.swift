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
    if plane.isWide {
      unsafe edge(
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

  @unsafe
  private static func edge(
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

  /// The same for 8 bits, in bytes throughout: the first two offsets raise values, the others lower them
  /// (7.4.9.3.2), so each is clipped at one end only.
  @unsafe
  private static func edge(
    _ source: UnsafeMutablePointer<UInt8>, _ sourceStride: Int, _ step: Int,
    _ target: UnsafeMutablePointer<UInt8>,
    _ stride: Int, _ area: BlockArea, _ offsets: Offsets
  ) {
    let o0 = UInt8(truncatingIfNeeded: offsets.first), o1 = UInt8(truncatingIfNeeded: offsets.second)
    let o3 = UInt8(truncatingIfNeeded: 0 &- offsets.third),
      o4 = UInt8(truncatingIfNeeded: 0 &- offsets.fourth)
    for y in 0..<area.height {
      let line = unsafe source + y &* sourceStride, result = unsafe target + y &* stride
      let before = unsafe line - step, following = unsafe line + step
      for x in 0..<area.width {
        let value = unsafe line[x], a = unsafe before[x], b = unsafe following[x]
        let edge: UInt8 =
          (value > a ? 1 : 0) &+ (value > b ? 1 : 0) &- (value < a ? 1 : 0) &- (value < b ? 1 : 0) &+ 2
        let raise: UInt8 = edge == 0 ? o0 : edge == 1 ? o1 : 0,
          lower: UInt8 = edge == 3 ? o3 : edge == 4 ? o4 : 0
        let raised = value &+ min(raise, 255 &- value)
        unsafe result[x] = raised &- min(lower, raised)
      }
    }
  }
}
