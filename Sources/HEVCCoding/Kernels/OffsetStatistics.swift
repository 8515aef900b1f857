// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What sample adaptive offset could gain in a block: how many samples are in each of its categories, and by how much
/// the source is more than the coded picture there, in sum. ISO/IEC 23008-2, 8.7.3
///
/// A plain value that owns nothing: whoever makes it frees it.
@usableFromInline
package struct OffsetStatistics: @unchecked Sendable {
  /// How many samples are in each category: four of each of the four edge classes (below both neighbours, below one,
  /// above one, above both), then 32 bands.
  package let counts: Memory<Int32>
  /// The sums of the differences from the source, of the same categories.
  package let sums: Memory<Int32>
  private let bands: Memory<Int64>
  private let lanes: Memory<Int16>

  /// The category of a band.
  @inlinable
  package static func band(_ band: Int) -> Int { 16 &+ band }

  package init() {
    counts = Memory(count: 48, repeating: 0)
    sums = Memory(count: 48, repeating: 0)
    bands = Memory(count: 64, repeating: 0)
    // Eight ones, then which lanes of the end of a row count: all of them, and none.
    lanes = Memory(count: 24, repeating: 0)
    for lane in 0..<8 {
      lanes[lane] = 1
      lanes[8 + lane] = -1
    }
  }

  package func free() {
    counts.free()
    sums.free()
    bands.free()
    lanes.free()
  }

  /// Counts the samples of a block of `coded`, deblocked, against those of `source` at the same place. Samples without
  /// the two neighbours of an edge class inside the plane are in none of its categories. Both planes have the same form
  /// and at most 12 bits; a block is inside both and has at most 64x64 samples, or all counts are 0.
  package func collect(_ source: Plane, _ coded: Plane, _ area: BlockArea) {
    counts.fill(with: 0)
    sums.fill(with: 0)
    guard source.isWide == coded.isWide, coded.bitDepth <= 12, area.width <= 64, area.height <= 64,
      source.contains(x: area.x, y: area.y, width: area.width, height: area.height),
      coded.contains(x: area.x, y: area.y, width: area.width, height: area.height)
    else { return }
    if coded.isWide {
      let from = unsafe UnsafePointer(source.samples(UInt16.self)),
        to = unsafe UnsafePointer(coded.samples(UInt16.self))
      unsafe collectBands(
        from + (area.y &* source.stride &+ area.x), source.stride,
        to + (area.y &* coded.stride &+ area.x), coded.stride, area, coded.bitDepth)
    } else {
      let from = unsafe UnsafePointer(source.samples(UInt8.self)),
        to = unsafe UnsafePointer(coded.samples(UInt8.self))
      unsafe collectBands(
        from + (area.y &* source.stride &+ area.x), source.stride,
        to + (area.y &* coded.stride &+ area.x), coded.stride, area, 8)
    }
    for edgeClass in 0..<4 {
      // The neighbours are to the left and right, above and below, or along a diagonal.
      let reachX = edgeClass == 1 ? 0 : 1, reachY = edgeClass == 0 ? 0 : 1
      let left = max(area.x, reachX), right = min(area.x &+ area.width, coded.width &- reachX)
      let top = max(area.y, reachY), bottom = min(area.y &+ area.height, coded.height &- reachY)
      guard left < right, top < bottom else { continue }
      let step =
        edgeClass == 0
        ? 1 : edgeClass == 1 ? coded.stride : edgeClass == 2 ? coded.stride &+ 1 : coded.stride &- 1
      let from = top &* source.stride &+ left, to = top &* coded.stride &+ left
      if coded.isWide {
        unsafe wideEdges(
          UnsafePointer(source.samples(UInt16.self) + from), source.stride,
          UnsafePointer(coded.samples(UInt16.self) + to), coded.stride, step, right &- left, bottom &- top,
          4 &* edgeClass)
      } else {
        unsafe byteEdges(
          UnsafePointer(source.samples(UInt8.self) + from), source.stride,
          UnsafePointer(coded.samples(UInt8.self) + to), coded.stride, step, right &- left, bottom &- top,
          4 &* edgeClass)
      }
    }
  }

  @unsafe
  @inline(__always)
  private func collectBands<S: Sample>(
    _ source: UnsafePointer<S>, _ sourceStride: Int, _ coded: UnsafePointer<S>, _ stride: Int,
    _ area: BlockArea, _ bitDepth: Int
  ) {
    bands.fill(with: 0)
    // A count in the upper half and a sum in the lower one; two tables, so that neighbours rarely wait for each other.
    let even = unsafe bands.base, odd = unsafe bands.base + 32
    let shift = Int(bitDepth &- 5)
    for y in 0..<area.height {
      let p = unsafe source + y &* sourceStride, q = unsafe coded + y &* stride
      for x in 0..<area.width {
        let value = unsafe Int(truncatingIfNeeded: q[x]), band = (value &>> shift) & 31
        let table = unsafe x & 1 == 0 ? even : odd
        let difference = unsafe Int64(truncatingIfNeeded: p[x]) &- Int64(truncatingIfNeeded: value)
        unsafe table[band] = table[band] &+ (1 &<< 32 &+ difference)
      }
    }
    for band in 0..<32 {
      let both = bands[band] &+ bands[32 &+ band], sum = Int32(truncatingIfNeeded: both)
      sums[16 &+ band] = sum
      counts[16 &+ band] = Int32(truncatingIfNeeded: (both &- Int64(sum)) &>> 32)
    }
  }

  /// The sums of one class of edges.
  private struct Edges {
    var count0 = Words()
    var count1 = Words()
    var count2 = Words()
    var count3 = Words()
    var sum0 = Longs()
    var sum1 = Longs()
    var sum2 = Longs()
    var sum3 = Longs()

    @inline(__always)
    mutating func add(
      _ value: Words, _ before: Words, _ after: Words, _ source: Words, _ ones: Words, _ valid: Words
    ) {
      let a = value &- before, b = value &- after
      // The sum of both signs, from -2 to 2.
      let edge = (a.signs &- (0 &- a).signs) &+ (b.signs &- (0 &- b).signs)
      let lowest = (edge &+ ones).signs & valid, highest = (ones &- edge).signs & valid
      let low = (edge.signs & valid) ^ lowest, high = ((0 &- edge).signs & valid) ^ highest
      let difference = source &- value
      count0 = count0 &- lowest
      count1 = count1 &- low
      count2 = count2 &- high
      count3 = count3 &- highest
      sum0 = sum0 &+ (difference & lowest).pairProducts(ones)
      sum1 = sum1 &+ (difference & low).pairProducts(ones)
      sum2 = sum2 &+ (difference & high).pairProducts(ones)
      sum3 = sum3 &+ (difference & highest).pairProducts(ones)
    }
  }

  private func keep(_ edges: Edges, _ place: Int) {
    counts[place] = edges.count0.signedSum
    counts[place &+ 1] = edges.count1.signedSum
    counts[place &+ 2] = edges.count2.signedSum
    counts[place &+ 3] = edges.count3.signedSum
    sums[place] = edges.sum0.sum
    sums[place &+ 1] = edges.sum1.sum
    sums[place &+ 2] = edges.sum2.sum
    sums[place &+ 3] = edges.sum3.sum
  }

  @unsafe
  @inline(never)
  private func byteEdges(
    _ source: UnsafePointer<UInt8>, _ sourceStride: Int, _ coded: UnsafePointer<UInt8>, _ stride: Int,
    _ step: Int, _ width: Int, _ height: Int, _ place: Int
  ) {
    var edges = Edges(), p = unsafe source, q = unsafe coded
    let table = unsafe UnsafePointer(lanes.base), ones = unsafe Words(at: table)
    for _ in 0..<height {
      var x = 0
      while x < width {
        let valid = unsafe Words(at: table + max(8, 16 &- (width &- x)))
        unsafe edges.add(
          Words(at: q + x), Words(at: q + (x &- step)), Words(at: q + (x &+ step)), Words(at: p + x), ones,
          valid)
        x = x &+ 8
      }
      unsafe p += sourceStride
      unsafe q += stride
    }
    keep(edges, place)
  }

  @unsafe
  @inline(never)
  private func wideEdges(
    _ source: UnsafePointer<UInt16>, _ sourceStride: Int, _ coded: UnsafePointer<UInt16>, _ stride: Int,
    _ step: Int, _ width: Int, _ height: Int, _ place: Int
  ) {
    var edges = Edges(), p = unsafe source, q = unsafe coded
    let table = unsafe UnsafePointer(lanes.base), ones = unsafe Words(at: table)
    for _ in 0..<height {
      var x = 0
      while x < width {
        let valid = unsafe Words(at: table + max(8, 16 &- (width &- x)))
        unsafe edges.add(
          Words(at: q + x), Words(at: q + (x &- step)), Words(at: q + (x &+ step)), Words(at: p + x), ones,
          valid)
        x = x &+ 8
      }
      unsafe p += sourceStride
      unsafe q += stride
    }
    keep(edges, place)
  }
}
