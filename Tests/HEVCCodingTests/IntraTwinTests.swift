// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HEVCCoding

/// Prediction from samples around a block against the equations of ISO/IEC 23008-2, 8.4.4.2, as they are written.
@Suite struct IntraTwinTests {
  /// p[x][y] of the text: x or y is -1.
  private struct Border {
    let size: Int
    /// p[-1][-1], p[-1][0...], p[0...][-1].
    var corner = 0
    var left: [Int]
    var top: [Int]

    init(size: Int) {
      self.size = size
      left = Array(repeating: 0, count: 2 * size)
      top = left
    }

    /// As the kernels keep it: from the lowest on the left by the corner to the last on the right.
    var line: [Int] { left.reversed() + [corner] + top }

    init(size: Int, line: [Int]) {
      self.size = size
      left = line[..<(2 * size)].reversed()
      corner = line[2 * size]
      top = Array(line[(2 * size + 1)...])
    }
  }

  private static func random(_ size: Int, _ depth: Int, _ random: inout SplitMix) -> Border {
    let high = 1 << depth - 1, kind = random.next(0...2)
    let start = random.next(0...high), slope = random.next(-2...2), noise = max(1, high >> 6)
    return Border(
      size: size,
      line: (0...(4 * size)).map { index in
        switch kind {
        case 0: random.next(0...high)
        case 1: random.next(0...1) * high
        default: max(0, min(high, start + index * slope + random.next(0...noise)))
        }
      })
  }

  /// intraPredAngle of each mode from 2 on. Table 8-5
  private static let angles = [
    32, 26, 21, 17, 13, 9, 5, 2, 0, -2, -5, -9, -13, -17, -21, -26, -32, -26, -21, -17, -13, -9, -5, -2, 0,
    2, 5, 9, 13, 17, 21, 26, 32,
  ]
  /// invAngle of modes 11 to 25. Table 8-6
  private static func inverseAngle(_ mode: Int) -> Int {
    [
      -4096, -1638, -910, -630, -482, -390, -315, -256, -315, -390, -482, -630, -910, -1638, -4096,
    ][mode - 11]
  }

  /// predSamples[x][y] at y * size + x.
  private static func plain(
    _ p: Border, mode: Int, log2Size: Int, depth: Int, isEdgeFiltered: Bool
  ) -> [Int] {
    let n = p.size
    var result = [Int](repeating: 0, count: n * n)
    switch mode {
    case 0:
      for y in 0..<n {
        for x in 0..<n {
          result[y * n + x] =
            ((n - 1 - x) * p.left[y] + (x + 1) * p.top[n] + (n - 1 - y) * p.top[x] + (y + 1) * p.left[n] + n)
            >> (log2Size + 1)
        }
      }
    case 1:
      var sum = n
      for index in 0..<n { sum += p.left[index] + p.top[index] }
      let value = sum >> (log2Size + 1)
      for index in result.indices { result[index] = value }
      guard isEdgeFiltered else { break }
      result[0] = (p.left[0] + 2 * value + p.top[0] + 2) >> 2
      for index in 1..<n {
        result[index] = (p.top[index] + 3 * value + 2) >> 2
        result[index * n] = (p.left[index] + 3 * value + 2) >> 2
      }
    default:
      let angle = angles[mode - 2], isVertical = mode >= 18
      /// p[-1][-1 + index] or p[-1 + index][-1].
      func side(_ index: Int, _ isTop: Bool) -> Int {
        index == 0 ? p.corner : (isTop ? p.top : p.left)[index - 1]
      }
      func reference(_ index: Int) -> Int {
        if index >= 0 { return side(index, isVertical) }
        return side((index * inverseAngle(mode) + 128) >> 8, !isVertical)
      }
      for y in 0..<n {
        for x in 0..<n {
          let (along, across) = isVertical ? (x, y) : (y, x)
          let place = ((across + 1) * angle) >> 5, fraction = ((across + 1) * angle) & 31
          var value = reference(along + place + 1)
          if fraction != 0 {
            value = ((32 - fraction) * value + fraction * reference(along + place + 2) + 16) >> 5
          }
          if angle == 0, isEdgeFiltered, along == 0 {
            let other = isVertical ? p.left[across] : p.top[across]
            value = max(0, min(1 << depth - 1, side(1, isVertical) + (other - p.corner) >> 1))
          }
          result[y * n + x] = value
        }
      }
    }
    return result
  }

  @Test(arguments: [8, 9, 10, 12, 16])
  func modesAreThoseOfTheEquations(depth: Int) {
    var target = TwinPlane(width: 48, height: 48, depth: depth)
    let border = Memory<UInt16>(count: 144, repeating: 0), side = Memory<UInt16>(count: 144, repeating: 0)
    defer {
      target.free()
      border.free()
      side.free()
    }
    var random = SplitMix(seed: UInt64(depth))
    for log2Size in 2...5 {
      let size = 1 << log2Size
      for round in 0..<TwinRounds.count(70) {
        let mode = round % 35, isEdgeFiltered = random.next(0...1) == 1
        let p = Self.random(size, depth, &random)
        for (index, value) in p.line.enumerated() { border[index] = UInt16(value) }
        let x = random.next(0...(48 - size)), y = random.next(0...(48 - size))
        switch mode {
        case 0: IntraKernels.planar(border, to: target.plane, x: x, y: y, log2Size: log2Size)
        case 1:
          IntraKernels.flat(
            border, to: target.plane, x: x, y: y, log2Size: log2Size, isEdgeFiltered: isEdgeFiltered)
        default:
          IntraKernels.angular(
            border, side: side, to: target.plane, x: x, y: y, size: size, mode: mode,
            isEdgeFiltered: isEdgeFiltered)
        }
        var expected = target.samples
        let block = Self.plain(
          p, mode: mode, log2Size: log2Size, depth: depth, isEdgeFiltered: isEdgeFiltered)
        for row in 0..<size {
          for column in 0..<size { expected[(y + row) * 48 + x + column] = block[row * size + column] }
        }
        guard target.hasSamples(expected) else {
          Issue.record("\(depth) bit, size \(size), mode \(mode), edge \(isEdgeFiltered)")
          return
        }
        target.accept(expected)
      }
    }
  }

  /// 8.4.4.2.3
  @Test(arguments: [8, 10, 16])
  func bordersAreSmoothed(depth: Int) {
    let border = Memory<UInt16>(count: 144, repeating: 0)
    let filtered = Memory<UInt16>(count: 144, repeating: 0)
    defer {
      border.free()
      filtered.free()
    }
    var random = SplitMix(seed: UInt64(depth) + 50)
    var strong = 0
    for log2Size in 2...5 {
      let size = 1 << log2Size, last = 4 * size
      for _ in 0..<TwinRounds.count(40) {
        let p = Self.random(size, depth, &random)
        let line = p.line
        for (index, value) in line.enumerated() { border[index] = UInt16(value) }
        let limit = size == 32 && random.next(0...3) > 0 ? 1 << (depth - 5) : 0
        IntraKernels.filterBorder(border, size: size, strongBelow: limit, into: filtered)
        let isStrong =
          limit > 0 && abs(p.corner + p.top[63] - 2 * p.top[31]) < limit
          && abs(p.corner + p.left[63] - 2 * p.left[31]) < limit
        if isStrong { strong += 1 }
        var expected = Border(size: size, line: line)
        if isStrong {
          for index in 0..<63 {
            expected.left[index] = ((63 - index) * p.corner + (index + 1) * p.left[63] + 32) >> 6
            expected.top[index] = ((63 - index) * p.corner + (index + 1) * p.top[63] + 32) >> 6
          }
        } else {
          expected = Border(
            size: size,
            line: line.indices.map {
              $0 == 0 || $0 == last ? line[$0] : (line[$0 - 1] + 2 * line[$0] + line[$0 + 1] + 2) >> 2
            })
        }
        if (0...last).map({ Int(filtered[$0]) }) != expected.line {
          Issue.record("\(depth) bit, size \(size), strong \(isStrong)")
          return
        }
      }
    }
    #expect(strong > 0)
  }

  /// 8.4.4.2.2: samples that are not there are those before them, from the lowest on the left on.
  @Test(arguments: [8, 10], [(4, 4), (2, 2), (2, 4)])
  func missingSamplesAreReplaced(depth: Int, units: (Int, Int)) {
    let (unitX, unitY) = units
    var source = TwinPlane(width: 96, height: 96, depth: depth)
    let border = Memory<UInt16>(count: 144, repeating: 0)
    defer {
      source.free()
      border.free()
    }
    var random = SplitMix(seed: UInt64(depth * 10 + unitX + unitY))
    for log2Size in 2...5 {
      let size = 1 << log2Size
      for round in 0..<TwinRounds.count(40) {
        if round & 63 == 0 { source.fill(&random) }
        // At the left, upper, right and lower border of the plane too: what lies outside is not there.
        let x = random.next(0...2) * 32, y = random.next(0...2) * 32
        let kind = random.next(0...3)
        func mask() -> UInt32 {
          switch kind {
          case 0: 0
          case 1: .max
          default: UInt32(truncatingIfNeeded: random.next())
          }
        }
        let left = mask(), top = mask(), hasCorner = kind == 1 || kind > 1 && random.next(0...1) == 1
        IntraKernels.readBorder(
          source.plane, x: x, y: y, size: size, left: left, unitY: unitY, top: top, unitX: unitX,
          hasCorner: hasCorner, into: border)
        var line: [Int?] = []
        for index in (0..<(2 * size)).reversed() {
          let unit = index / unitY, isThere = x > 0 && y + (unit + 1) * unitY <= 96
          line.append(isThere && left >> UInt32(unit) & 1 == 1 ? source[x - 1, y + index] : nil)
        }
        line.append(hasCorner && x > 0 && y > 0 ? source[x - 1, y - 1] : nil)
        for index in 0..<(2 * size) {
          let unit = index / unitX, isThere = y > 0 && x + (unit + 1) * unitX <= 96
          line.append(isThere && top >> UInt32(unit) & 1 == 1 ? source[x + index, y - 1] : nil)
        }
        var last = line.compactMap { $0 }.first ?? 1 << (depth - 1)
        let expected = line.map { value in
          last = value ?? last
          return last
        }
        if (0...(4 * size)).map({ Int(border[$0]) }) != expected {
          Issue.record("\(depth) bit, size \(size), \(x), \(y), \(left), \(top), \(hasCorner)")
          return
        }
      }
    }
  }
}
