// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HEVCCoding

/// Deblocking and sample adaptive offset against the equations of ISO/IEC 23008-2, 8.7.2.5 and 8.7.3.2, as they are written.
@Suite struct FilterTwinTests {
  private static func clip(_ low: Int, _ high: Int, _ value: Int) -> Int { max(low, min(high, value)) }

  /// Eight samples across an edge, from p3 to q3, of four lines. 8.7.2.5.3, 8.7.2.5.6 and 8.7.2.5.7
  private static func luma(
    _ lines: [[Int]], beta: Int, tc: Int, keepsP: Bool, keepsQ: Bool, depth: Int
  ) -> [[Int]] {
    func p(_ index: Int, _ line: Int) -> Int { lines[line][3 - index] }
    func q(_ index: Int, _ line: Int) -> Int { lines[line][4 + index] }
    let dp0 = abs(p(2, 0) - 2 * p(1, 0) + p(0, 0)), dp3 = abs(p(2, 3) - 2 * p(1, 3) + p(0, 3))
    let dq0 = abs(q(2, 0) - 2 * q(1, 0) + q(0, 0)), dq3 = abs(q(2, 3) - 2 * q(1, 3) + q(0, 3))
    let dE = dp0 + dq0 + dp3 + dq3
    guard dE < beta else { return lines }
    func dSam(_ line: Int, _ dpq: Int) -> Bool {
      dpq < beta >> 2 && abs(p(3, line) - p(0, line)) + abs(q(0, line) - q(3, line)) < beta >> 3
        && abs(p(0, line) - q(0, line)) < (5 * tc + 1) >> 1
    }
    let isStrong = dSam(0, 2 * (dp0 + dq0)) && dSam(3, 2 * (dp3 + dq3))
    let changesP1 = dp0 + dp3 < (beta + beta >> 1) >> 3, changesQ1 = dq0 + dq3 < (beta + beta >> 1) >> 3
    let high = 1 << depth - 1
    return lines.indices.map { line in
      let p0 = p(0, line), p1 = p(1, line), p2 = p(2, line), p3 = p(3, line)
      let q0 = q(0, line), q1 = q(1, line), q2 = q(2, line), q3 = q(3, line)
      var result = lines[line]
      func set(_ place: Int, _ value: Int) {
        if place < 4 ? !keepsP : !keepsQ { result[place] = value }
      }
      if isStrong {
        set(3, clip(p0 - 2 * tc, p0 + 2 * tc, (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3))
        set(2, clip(p1 - 2 * tc, p1 + 2 * tc, (p2 + p1 + p0 + q0 + 2) >> 2))
        set(1, clip(p2 - 2 * tc, p2 + 2 * tc, (2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3))
        set(4, clip(q0 - 2 * tc, q0 + 2 * tc, (p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3))
        set(5, clip(q1 - 2 * tc, q1 + 2 * tc, (p0 + q0 + q1 + q2 + 2) >> 2))
        set(6, clip(q2 - 2 * tc, q2 + 2 * tc, (p0 + q0 + q1 + 3 * q2 + 2 * q3 + 4) >> 3))
        return result
      }
      var delta = (9 * (q0 - p0) - 3 * (q1 - p1) + 8) >> 4
      guard abs(delta) < tc * 10 else { return result }
      delta = clip(-tc, tc, delta)
      set(3, clip(0, high, p0 + delta))
      set(4, clip(0, high, q0 - delta))
      if changesP1 {
        set(2, clip(0, high, p1 + clip(-(tc >> 1), tc >> 1, ((p2 + p0 + 1) >> 1 - p1 + delta) >> 1)))
      }
      if changesQ1 {
        set(5, clip(0, high, q1 + clip(-(tc >> 1), tc >> 1, ((q2 + q0 + 1) >> 1 - q1 - delta) >> 1)))
      }
      return result
    }
  }

  @Test(arguments: [8, 9, 10, 12, 16])
  func edges(depth: Int) {
    var plane = TwinPlane(width: 16, height: 16, depth: depth)
    defer { plane.free() }
    var random = SplitMix(seed: UInt64(depth) + 7)
    var changed = 0
    for _ in 0..<TwinRounds.count(300) {
      let high = 1 << depth - 1, scale = 1 << (depth - 8)
      let isVertical = random.next(0...1) == 1, isLuma = random.next(0...2) > 0
      // Each side is even, or nearly so; in between there is a step.
      let base = random.next(0...high), step = random.next(-20...20) * scale
      let noise = [0, 1, 3, 12, 255][random.next(0...4)] * scale
      for y in 0..<16 {
        for x in 0..<16 {
          let value = base + ((isVertical ? x : y) >= 8 ? step : 0) + random.next(0...noise)
          plane.set(x, y, Self.clip(0, high, value))
        }
      }
      let beta = random.next(0...64) * scale, tc = random.next(0...24) * scale
      let keepsP = random.next(0...4) == 0, keepsQ = random.next(0...4) == 0
      let along = random.next(0...3) * 4, count = isLuma ? 4 : 2 << random.next(0...1)
      let x = isVertical ? 8 : along, y = isVertical ? along : 8
      func place(_ line: Int, _ index: Int) -> Int {
        isVertical ? (along + line) * 16 + 4 + index : (4 + index) * 16 + along + line
      }
      let lines = (0..<count).map { line in (0..<8).map { plane.samples[place(line, $0)] } }
      let filtered: [[Int]]
      if isLuma {
        filtered = Self.luma(lines, beta: beta, tc: tc, keepsP: keepsP, keepsQ: keepsQ, depth: depth)
        DeblockingKernels.luma(
          plane.plane, x: x, y: y, isVertical: isVertical, beta: beta, tc: tc, keepsP: keepsP, keepsQ: keepsQ)
      } else {
        // 8.7.2.5.8
        filtered = lines.map { line in
          let delta = Self.clip(-tc, tc, ((line[4] - line[3]) << 2 + line[2] - line[5] + 4) >> 3)
          var result = line
          if !keepsP { result[3] = Self.clip(0, high, line[3] + delta) }
          if !keepsQ { result[4] = Self.clip(0, high, line[4] - delta) }
          return result
        }
        DeblockingKernels.chroma(
          plane.plane, x: x, y: y, isVertical: isVertical, count: count, tc: tc, keepsP: keepsP,
          keepsQ: keepsQ)
      }
      var expected = plane.samples
      for (line, samples) in filtered.enumerated() {
        for (index, value) in samples.enumerated() { expected[place(line, index)] = value }
      }
      if expected != plane.samples { changed += 1 }
      guard plane.hasSamples(expected) else {
        Issue.record("\(depth) bit, luma \(isLuma), vertical \(isVertical), beta \(beta), tc \(tc): \(lines)")
        return
      }
    }
    #expect(changed > 50)
  }

  // MARK: Sample adaptive offset

  /// hPos and vPos of Table 8-13: the first neighbour; the second is opposite.
  private static let neighbours = [(-1, 0), (0, -1), (-1, -1), (1, -1)]

  @Test(arguments: [8, 9, 10, 12, 16])
  func offsets(depth: Int) {
    var source = TwinPlane(width: 80, height: 66, depth: depth)
    var target = TwinPlane(width: 80, height: 70, depth: depth)
    defer {
      source.free()
      target.free()
    }
    var random = SplitMix(seed: UInt64(depth) + 90)
    let high = 1 << depth - 1, largest = 1 << (min(depth, 10) - 5) - 1, shift = depth - min(depth, 10)
    for round in 0..<TwinRounds.count(60) {
      if round & 63 == 0 {
        source.fill(&random)
        target.fill(&random)
      }
      let sizes = [4, 8, 12, 16, 20, 32, 40, 64]
      let width = sizes[random.next(0...7)], height = sizes[random.next(0...7)]
      // One column is left on each side: what is beyond the border of a plane is undone by the caller.
      let area = BlockArea(
        x: random.next(1...(79 - width)), y: random.next(0...(70 - height)), width: width, height: height)
      let isBand = random.next(0...1) == 1, edgeClass = random.next(0...3), position = random.next(0...31)
      let values = (0..<4).map { index in
        let size = random.next(0...largest) << shift
        // Offsets of edges raise first and lower then. 7.4.9.3.2
        return isBand ? (random.next(0...1) == 1 ? size : -size) : index < 2 ? size : -size
      }
      let offsets = OffsetKernels.Offsets(
        Int16(values[0]), Int16(values[1]), Int16(values[2]), Int16(values[3]))
      var expected = target.samples
      for y in 0..<height {
        for x in 0..<width {
          let value = source[area.x + x, y + 1]
          let offset: Int
          if isBand {
            // bandTable: four bands from the position on, the first ones after the last.
            let band = value >> (depth - 5)
            offset = (0..<4).first { (position + $0) & 31 == band }.map { values[$0] } ?? 0
          } else {
            let (dx, dy) = Self.neighbours[edgeClass]
            let index =
              2 + (value - source[area.x + x + dx, y + 1 + dy]).signum()
              + (value - source[area.x + x - dx, y + 1 - dy]).signum()
            // edgeIdx 0, 1 and 2 become 1, 2 and 0.
            offset = index == 2 ? 0 : index < 2 ? values[index] : values[index - 1]
          }
          expected[(area.y + y) * 80 + area.x + x] = Self.clip(0, high, value + offset)
        }
      }
      if isBand {
        OffsetKernels.band(source.plane, to: target.plane, area, offsets, position: position)
      } else {
        OffsetKernels.edge(source.plane, to: target.plane, area, offsets, edgeClass: edgeClass)
      }
      guard target.hasSamples(expected) else {
        Issue.record("\(depth) bit, band \(isBand), class \(edgeClass), \(area), \(values)")
        return
      }
      target.accept(expected)
    }
  }
}
