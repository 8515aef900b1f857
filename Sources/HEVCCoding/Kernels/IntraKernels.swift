// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Prediction of a block from the samples around it. ISO/IEC 23008-2, 8.4.4.2
///
/// These samples are kept as one line: from the lowest on the left up to the corner in the middle, and on to the
/// last one on the right. So `border[2 * size]` is the corner, left sample y is `border[2 * size - 1 - y]`, top
/// sample x is `border[2 * size + 1 + x]`.
package enum IntraKernels {
  /// Gathers the line, and substitutes unavailable samples. 8.4.4.2.2
  package static func readBorder(
    _ plane: Plane, x: Int, y: Int, size: Int, left: UInt32, unitY: Int, top: UInt32, unitX: Int,
    hasCorner: Bool,
    into border: Memory<UInt16>
  ) {
    guard border.count > 4 &* size, unitX > 0, unitY > 0, 2 &* size / unitX <= 32, 2 &* size / unitY <= 32,
      plane.contains(x: x, y: y, width: size, height: size)
    else { return }
    if plane.isWide {
      unsafe readBorder(
        plane, plane.samples(UInt16.self), x, y, size, left, unitY, top, unitX, hasCorner, border.base)
    } else {
      unsafe readBorder(
        plane, plane.samples(UInt8.self), x, y, size, left, unitY, top, unitX, hasCorner, border.base)
    }
  }

  @unsafe
  @inline(__always)
  private static func readBorder<S: Sample>(
    _ plane: Plane, _ samples: UnsafeMutablePointer<S>, _ x: Int, _ y: Int, _ size: Int, _ left: UInt32,
    _ unitY: Int, _ top: UInt32, _ unitX: Int, _ hasCorner: Bool, _ border: UnsafeMutablePointer<UInt16>
  ) {
    let stride = plane.stride, corner = 2 &* size
    // Samples marked as available must be in the plane; otherwise they are treated as unavailable.
    let hasCorner = hasCorner && x > 0 && y > 0
    let lefts = x > 0 ? left : 0, tops = y > 0 ? top : 0
    guard hasCorner || lefts != 0 || tops != 0 else {
      let grey = UInt16(1) &<< UInt16(truncatingIfNeeded: plane.bitDepth &- 1)
      unsafe border.update(repeating: grey, count: 4 &* size &+ 1)
      return
    }
    var firstKnown = -1
    var unit = 2 &* size / unitY &- 1
    while unit >= 0 {
      let start = corner &- (unit &+ 1) &* unitY
      let lowest = y &+ (unit &+ 1) &* unitY &- 1
      if (lefts &>> UInt32(truncatingIfNeeded: unit)) & 1 != 0, lowest < plane.height {
        if firstKnown < 0 { firstKnown = start }
        for index in 0..<unitY {
          unsafe border[start &+ index] = UInt16(
            truncatingIfNeeded: samples[(lowest &- index) &* stride &+ x &- 1])
        }
      } else if firstKnown >= 0 {
        let value = unsafe border[start &- 1]
        for index in 0..<unitY { unsafe border[start &+ index] = value }
      }
      unit = unit &- 1
    }
    if hasCorner {
      if firstKnown < 0 { firstKnown = corner }
      unsafe border[corner] = UInt16(truncatingIfNeeded: samples[(y &- 1) &* stride &+ x &- 1])
    } else if firstKnown >= 0 {
      unsafe border[corner] = border[corner &- 1]
    }
    unit = 0
    let units = 2 &* size / unitX
    while unit < units {
      let start = corner &+ 1 &+ unit &* unitX
      let first = x &+ unit &* unitX
      if (tops &>> UInt32(truncatingIfNeeded: unit)) & 1 != 0, first &+ unitX <= plane.width {
        if firstKnown < 0 { firstKnown = start }
        let line = unsafe samples + ((y &- 1) &* stride &+ first)
        for index in 0..<unitX { unsafe border[start &+ index] = UInt16(truncatingIfNeeded: line[index]) }
      } else if firstKnown >= 0 {
        let value = unsafe border[start &- 1]
        for index in 0..<unitX { unsafe border[start &+ index] = value }
      }
      unit = unit &+ 1
    }
    if firstKnown < 0 {
      let grey = UInt16(1) &<< UInt16(truncatingIfNeeded: plane.bitDepth &- 1)
      unsafe border.update(repeating: grey, count: 4 &* size &+ 1)
    } else if firstKnown > 0 {
      unsafe border.update(repeating: border[firstKnown], count: firstKnown)
    }
  }

  /// Smooths the line: strongly if it deviates from a straight one by less than `strongBelow`. 8.4.4.2.3
  package static func filterBorder(
    _ border: Memory<UInt16>, size: Int, strongBelow: Int, into filtered: Memory<UInt16>
  ) {
    let last = 4 &* size
    guard size > 0, border.count > last, filtered.count > last else { return }
    let source = unsafe border.base, target = unsafe filtered.base
    unsafe target[0] = source[0]
    unsafe target[last] = source[last]
    if strongBelow > 0 {
      let bottom = unsafe Int(source[0]), corner = unsafe Int(source[2 &* size]),
        right = unsafe Int(source[last])
      let middleLeft = unsafe Int(source[size]), middleTop = unsafe Int(source[3 &* size])
      if abs(corner &+ right &- 2 &* middleTop) < strongBelow,
        abs(corner &+ bottom &- 2 &* middleLeft) < strongBelow, size == 32
      {
        unsafe target[64] = source[64]
        for index in 1..<64 {
          unsafe target[64 &- index] = UInt16(
            truncatingIfNeeded: ((64 &- index) &* corner &+ index &* bottom &+ 32) &>> 6)
          unsafe target[64 &+ index] = UInt16(
            truncatingIfNeeded: ((64 &- index) &* corner &+ index &* right &+ 32) &>> 6)
        }
        return
      }
    }
    for index in 1..<last {
      let sum = unsafe UInt32(source[index &- 1]) &+ 2 &* UInt32(source[index]) &+ UInt32(source[index &+ 1])
      unsafe target[index] = UInt16(truncatingIfNeeded: (sum &+ 2) &>> 2)
    }
  }

  /// Planar prediction. 8.4.4.2.4
  package static func planar(_ border: Memory<UInt16>, to plane: Plane, x: Int, y: Int, log2Size: Int) {
    let size = 1 &<< log2Size
    guard plane.contains(x: x, y: y, width: size, height: size), border.count > 4 &* size else { return }
    let place = y &* plane.stride &+ x
    if plane.bitDepth <= IntraLanes.maximumDepth, log2Size >= 2, log2Size <= 5 {
      let corner = unsafe UnsafePointer(border.base + 2 * size)
      if plane.isWide {
        unsafe IntraLanes.planar(corner, plane.samples(UInt16.self) + place, plane.stride, log2Size)
      } else {
        unsafe IntraLanes.planar(corner, plane.samples(UInt8.self) + place, plane.stride, log2Size)
      }
    } else if plane.isWide {
      unsafe planar(border.base + 2 * size, plane.samples(UInt16.self) + place, plane.stride, log2Size)
    } else {
      unsafe planar(border.base + 2 * size, plane.samples(UInt8.self) + place, plane.stride, log2Size)
    }
  }

  @unsafe
  @inline(__always)
  private static func planar<S: Sample>(
    _ corner: UnsafeMutablePointer<UInt16>, _ samples: UnsafeMutablePointer<S>, _ stride: Int, _ log2Size: Int
  ) {
    let size = 1 &<< log2Size
    let right = unsafe Int32(corner[size &+ 1]), bottom = unsafe Int32(corner[0 &- size &- 1])
    let top = unsafe corner + 1
    let shift = Int32(truncatingIfNeeded: log2Size &+ 1)
    var line = unsafe samples
    for row in 0..<size {
      let left = unsafe Int32(corner[0 &- 1 &- row])
      let above = Int32(truncatingIfNeeded: size &- 1 &- row)
      let constant =
        bottom &* Int32(truncatingIfNeeded: row &+ 1) &+ Int32(truncatingIfNeeded: size) &+ right
        &+ left &* Int32(truncatingIfNeeded: size &- 1)
      var ramp: Int32 = 0
      for column in 0..<size {
        let sum = unsafe constant &+ ramp &+ above &* Int32(top[column])
        unsafe line[column] = S(truncatingIfNeeded: sum &>> shift)
        ramp = ramp &+ right &- left
      }
      unsafe line += stride
    }
  }

  /// DC prediction. 8.4.4.2.5
  package static func flat(
    _ border: Memory<UInt16>, to plane: Plane, x: Int, y: Int, log2Size: Int, isEdgeFiltered: Bool
  ) {
    let size = 1 &<< log2Size
    guard plane.contains(x: x, y: y, width: size, height: size), border.count > 4 &* size else { return }
    let place = y &* plane.stride &+ x
    if plane.isWide {
      unsafe flat(
        border.base + 2 * size, plane.samples(UInt16.self) + place, plane.stride, log2Size, isEdgeFiltered)
    } else {
      unsafe flat(
        border.base + 2 * size, plane.samples(UInt8.self) + place, plane.stride, log2Size, isEdgeFiltered)
    }
  }

  @unsafe
  @inline(__always)
  private static func flat<S: Sample>(
    _ corner: UnsafeMutablePointer<UInt16>, _ samples: UnsafeMutablePointer<S>, _ stride: Int,
    _ log2Size: Int,
    _ isEdgeFiltered: Bool
  ) {
    let size = 1 &<< log2Size
    var sum = size
    for index in 1...size { unsafe sum = sum &+ Int(corner[index]) &+ Int(corner[0 &- index]) }
    let value = sum &>> (log2Size &+ 1)
    var line = unsafe samples
    for _ in 0..<size {
      unsafe line.update(repeating: S(truncatingIfNeeded: value), count: size)
      unsafe line += stride
    }
    guard isEdgeFiltered else { return }
    unsafe samples[0] = S(
      truncatingIfNeeded: (Int(corner[1]) &+ Int(corner[-1]) &+ 2 &* value &+ 2) &>> 2)
    for index in 1..<size {
      unsafe samples[index] = S(truncatingIfNeeded: (Int(corner[1 &+ index]) &+ 3 &* value &+ 2) &>> 2)
      unsafe samples[index &* stride] = S(
        truncatingIfNeeded: (Int(corner[0 &- 1 &- index]) &+ 3 &* value &+ 2) &>> 2)
    }
  }

  /// intraPredAngle of modes 2 to 34. Table 8-5
  private static func angle(_ mode: Int) -> Int {
    let distance = abs(mode < 18 ? mode &- 10 : mode &- 26) & 15
    // 0, 2, 5, 9, 13, 17, 21 and 26 in eight bits each; then 32.
    let size =
      distance == 8
      ? 32 : Int(truncatingIfNeeded: (0x1A15_110D_0905_0200 as UInt64 &>> UInt64(8 &* distance)) & 255)
    return mode < 10 || mode > 26 ? size : 0 &- size
  }

  /// invAngle of modes 11 to 25, by the size of the angle. Table 8-6
  private static func inverseAngle(_ angle: Int) -> Int {
    switch angle {
    case -2: -4096
    case -5: -1638
    case -9: -910
    case -13: -630
    case -17: -482
    case -21: -390
    case -26: -315
    default: -256
    }
  }

  /// Prediction in a direction. 8.4.4.2.6
  package static func angular(
    _ border: Memory<UInt16>, side: Memory<UInt16>, to plane: Plane, x: Int, y: Int, size: Int, mode: Int,
    isEdgeFiltered: Bool
  ) {
    guard plane.contains(x: x, y: y, width: size, height: size), border.count > 4 &* size,
      side.count > 3 &* size &+ 1, size >= 4, size <= 32
    else { return }
    let angle = angle(max(2, min(34, mode)))
    let isVertical = mode >= 18
    let corner = unsafe border.base + 2 * size
    // ref: index 0 is the corner. The samples of its own side follow in one direction, those of the other side in
    // the other.
    let reference = unsafe side.base + size
    let forward = isVertical ? 1 : -1
    for index in 0...size { unsafe reference[index] = corner[index &* forward] }
    if angle < 0 {
      let first = (size &* angle) &>> 5
      if first < -1 {
        let inverse = inverseAngle(angle)
        for index in first..<0 {
          let place = (index &* inverse &+ 128) &>> 8
          unsafe reference[index] = corner[0 &- place &* forward]
        }
      }
    } else {
      for index in (size &+ 1)...(2 &* size) { unsafe reference[index] = corner[index &* forward] }
    }
    let place = y &* plane.stride &+ x
    let filters = isEdgeFiltered && angle == 0
    if plane.isWide {
      unsafe angular(
        reference, corner, plane.samples(UInt16.self) + place, plane.stride, size, angle, isVertical, filters,
        plane.bitDepth)
    } else {
      unsafe angular(
        reference, corner, plane.samples(UInt8.self) + place, plane.stride, size, angle, isVertical, filters,
        plane.bitDepth)
    }
  }

  @unsafe
  @inline(__always)
  private static func angular<S: Sample>(
    _ reference: UnsafeMutablePointer<UInt16>, _ corner: UnsafeMutablePointer<UInt16>,
    _ samples: UnsafeMutablePointer<S>, _ stride: Int, _ size: Int, _ angle: Int, _ isVertical: Bool,
    _ isEdgeFiltered: Bool, _ bitDepth: Int
  ) {
    // The block as for prediction from above; for prediction from the left, its rows are columns.
    let along = isVertical ? 1 : stride, across = isVertical ? stride : 1
    let isShort = bitDepth <= IntraLanes.maximumDepth
    if isShort, isVertical {
      unsafe IntraLanes.down(UnsafePointer(reference), samples, stride, size, angle)
    } else if isShort {
      unsafe IntraLanes.across(UnsafePointer(reference), samples, stride, size, angle)
    }
    for row in 0..<(isShort ? 0 : size) {
      let position = (row &+ 1) &* angle
      let line = unsafe reference + ((position &>> 5) &+ 1)
      let fraction = UInt32(truncatingIfNeeded: position & 31)
      let target = unsafe samples + row &* across
      if fraction == 0 {
        for column in 0..<size { unsafe target[column &* along] = S(truncatingIfNeeded: line[column]) }
      } else if isVertical {
        for column in 0..<size {
          let sum = unsafe (32 &- fraction) &* UInt32(line[column]) &+ fraction &* UInt32(line[column &+ 1])
          unsafe target[column] = S(truncatingIfNeeded: (sum &+ 16) &>> 5)
        }
      } else {
        for column in 0..<size {
          let sum = unsafe (32 &- fraction) &* UInt32(line[column]) &+ fraction &* UInt32(line[column &+ 1])
          unsafe target[column &* along] = S(truncatingIfNeeded: (sum &+ 16) &>> 5)
        }
      }
    }
    guard isEdgeFiltered else { return }
    // In modes 10 and 26, the first line also depends on the other side.
    let other = isVertical ? -1 : 1
    let base = unsafe Int(reference[1]), zero = unsafe Int(corner[0])
    let high = 1 &<< bitDepth &- 1
    for row in 0..<size {
      let value = unsafe base &+ (Int(corner[other &* (row &+ 1)]) &- zero) &>> 1
      unsafe samples[row &* across] = S(truncatingIfNeeded: max(0, min(high, value)))
    }
  }
}
