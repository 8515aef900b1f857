// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Pictures of half the size, and how much happens in a block, for what an encoder looks at before it codes.
package enum HalfPlanes {
  /// Eight ones. They are in memory: a product with constant ones would not be one.
  @safe
  private struct Ones: @unchecked Sendable {
    static let shared = Ones()
    let lanes: UnsafeMutablePointer<Int16>

    private init() {
      unsafe lanes = UnsafeMutablePointer<Int16>.allocate(capacity: 8)
      unsafe lanes.initialize(repeating: 1, count: 8)
    }
  }

  /// Writes the averages, rounded up at the half, of every four samples that are neighbours. The half plane has as many
  /// columns and rows as there are whole pairs, or fewer, and the same form.
  package static func reduce(_ plane: Plane, to half: Plane) {
    guard plane.isWide == half.isWide, plane.bitDepth <= 12 else { return }
    let width = min(half.width, plane.width / 2), height = min(half.height, plane.height / 2)
    guard width > 0 else { return }
    for y in 0..<max(0, height) {
      let from = 2 &* y &* plane.stride, to = y &* half.stride
      if plane.isWide {
        unsafe reduce(
          UnsafePointer(plane.samples(UInt16.self) + from), plane.stride, half.samples(UInt16.self) + to,
          width)
      } else {
        unsafe reduce(
          UnsafePointer(plane.samples(UInt8.self) + from), plane.stride, half.samples(UInt8.self) + to, width)
      }
    }
  }

  /// Two bytes at a time: every second one alone would be slow to load.
  @unsafe
  @inline(never)
  private static func reduce(
    _ source: UnsafePointer<UInt8>, _ stride: Int, _ target: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let a = unsafe UnsafeRawPointer(source)
    let b = unsafe UnsafeRawPointer(source + stride)
    for x in 0..<count {
      let p = unsafe a.loadUnaligned(fromByteOffset: 2 &* x, as: UInt16.self)
      let q = unsafe b.loadUnaligned(fromByteOffset: 2 &* x, as: UInt16.self)
      let sum = (p & 255) &+ (p &>> 8) &+ (q & 255) &+ (q &>> 8)
      unsafe target[x] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
    }
  }

  @unsafe
  @inline(never)
  private static func reduce(
    _ source: UnsafePointer<UInt16>, _ stride: Int, _ target: UnsafeMutablePointer<UInt16>, _ count: Int
  ) {
    let ones = unsafe Words(at: Ones.shared.lanes)
    var x = 0
    while x &+ 8 <= count {
      let p = unsafe source + 2 &* x, q = unsafe p + stride
      let low = unsafe (Words(at: p) &+ Words(at: q)).pairProducts(ones)
      let high = unsafe (Words(at: p + 8) &+ Words(at: q + 8)).pairProducts(ones)
      unsafe UnsafeMutableRawPointer(target + x).storeBytes(
        of: Words(low: (low &+ 2) &>> 2, high: (high &+ 2) &>> 2), as: Words.self)
      x = x &+ 8
    }
    while x < count {
      let p = unsafe source + 2 &* x, q = unsafe p + stride
      let sum = unsafe (p[0] &+ p[1]) &+ (q[0] &+ q[1])
      unsafe target[x] = (sum &+ 2) &>> 2
      x = x &+ 1
    }
  }

  /// The sum of the samples of a block, and that of their squares: `squares - sum * sum / count` is how much happens in
  /// it. Blocks of at most 64x64 samples with at most 12 bits, inside the plane; `nil` for others.
  package static func moments(
    _ plane: Plane, x: Int, y: Int, width: Int, height: Int
  ) -> (sum: Int, squares: Int)? {
    guard plane.contains(x: x, y: y, width: width, height: height), width <= 64, height <= 64,
      plane.bitDepth <= 12
    else { return nil }
    let place = y &* plane.stride &+ x
    if plane.isWide {
      return unsafe wideMoments(
        UnsafePointer(plane.samples(UInt16.self) + place), plane.stride, width, height)
    }
    return unsafe byteMoments(UnsafePointer(plane.samples(UInt8.self) + place), plane.stride, width, height)
  }

  /// The numbers are half of the range less: squares of numbers that are known to be positive would be made in a slower
  /// way.
  @unsafe
  @inline(never)
  private static func byteMoments(
    _ source: UnsafePointer<UInt8>, _ stride: Int, _ width: Int, _ height: Int
  ) -> (sum: Int, squares: Int) {
    let ones = unsafe Words(at: Ones.shared.lanes)
    var sums = Longs(), squares = Longs(), sum = 0, square = 0, line = unsafe source
    for _ in 0..<height {
      var x = 0
      while x &+ 8 <= width {
        let values = unsafe Words(at: line + x) &- 128
        sums = sums &+ values.pairProducts(ones)
        squares = squares &+ values.pairProducts(values)
        x = x &+ 8
      }
      while x < width {
        let value = unsafe Int(line[x]) &- 128
        sum = sum &+ value
        square = square &+ value &* value
        x = x &+ 1
      }
      unsafe line += stride
    }
    // (v + 128)² = v² + 256 v + 128².
    let count = width &* height, less = sum &+ Int(sums.sum)
    return (less &+ 128 &* count, square &+ Int(squares.sum) &+ 256 &* less &+ 16384 &* count)
  }

  @unsafe
  @inline(never)
  private static func wideMoments(
    _ source: UnsafePointer<UInt16>, _ stride: Int, _ width: Int, _ height: Int
  ) -> (sum: Int, squares: Int) {
    let ones = unsafe Words(at: Ones.shared.lanes)
    var sum = 0, square = 0, line = unsafe source
    for _ in 0..<height {
      var sums = Longs(), squares = Longs(), x = 0
      while x &+ 8 <= width {
        let values = unsafe Words(at: line + x)
        sums = sums &+ values.pairProducts(ones)
        squares = squares &+ values.pairProducts(values)
        x = x &+ 8
      }
      while x < width {
        let value = unsafe Int(line[x])
        sum = sum &+ value
        square = square &+ value &* value
        x = x &+ 1
      }
      sum = sum &+ Int(sums.sum)
      square = square &+ Int(squares.sum)
      unsafe line += stride
    }
    return (sum, square)
  }
}
