// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// The samples of one colour component, in rows; a sample takes one or two bytes.
///
/// A plain value that owns nothing, so that passing it on costs nothing; its ``PictureBuffer`` owns the samples.
@safe @usableFromInline
package struct Plane: BitwiseCopyable, @unchecked Sendable {
  /// The address of the first sample.
  let base: UnsafeMutableRawPointer
  /// How many samples of a row belong to the picture.
  package let width: Int
  /// The number of rows.
  package let height: Int
  /// How many samples one row begins after the previous one.
  package let stride: Int
  /// Whether a sample takes two bytes.
  package let isWide: Bool
  /// The number of bits of a sample.
  package let bitDepth: Int

  /// Allocates a plane; rows begin at multiples of 64 bytes.
  package init(width: Int, height: Int, bitDepth: Int, isWide: Bool) {
    self.width = width
    self.height = height
    self.bitDepth = bitDepth
    self.isWide = isWide
    // Rows that are a multiple of 1 KiB apart would evict each other from the nearest cache.
    let aligned = (width &+ 127) & ~63
    stride = aligned & (isWide ? 511 : 1023) == 0 ? aligned &+ 64 : aligned
    let bytes = (stride &* height) &* (isWide ? 2 : 1)
    let start = UnsafeMutableRawPointer.allocate(byteCount: bytes &+ 2 &* Self.margin, alignment: 64)
    unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: bytes &+ 2 &* Self.margin)
    unsafe base = start + Self.margin
  }

  /// A plane in memory that belongs to someone else, who gives it room for wide loads.
  @unsafe
  init(base: UnsafeMutableRawPointer, width: Int, height: Int, stride: Int, isWide: Bool, bitDepth: Int) {
    unsafe self.base = base
    self.width = width
    self.height = height
    self.stride = stride
    self.isWide = isWide
    self.bitDepth = bitDepth
  }

  /// How many bytes before and after the samples a wide load may touch.
  private static let margin = 128

  package func free() { unsafe (base - Self.margin).deallocate() }

  /// Whether a block is inside the plane.
  @inline(__always)
  package func contains(x: Int, y: Int, width: Int, height: Int) -> Bool {
    x >= 0 && y >= 0 && width >= 0 && height >= 0 && x <= self.width &- width && y <= self.height &- height
  }

  /// The samples as numbers of the type that has their size.
  @unsafe
  @inline(__always)
  func samples<S: Sample>(_ type: S.Type = S.self) -> UnsafeMutablePointer<S> {
    assert(MemoryLayout<S>.size == (isWide ? 2 : 1))
    return unsafe base.assumingMemoryBound(to: S.self)
  }

  /// One sample; the position must be in the plane.
  package subscript(x: Int, y: Int) -> Int {
    get {
      precondition(contains(x: x, y: y, width: 1, height: 1))
      let place = y &* stride &+ x
      return unsafe isWide ? Int(samples(UInt16.self)[place]) : Int(samples(UInt8.self)[place])
    }
    nonmutating set {
      precondition(contains(x: x, y: y, width: 1, height: 1))
      let place = y &* stride &+ x
      if isWide {
        unsafe samples(UInt16.self)[place] = UInt16(truncatingIfNeeded: newValue)
      } else {
        unsafe samples(UInt8.self)[place] = UInt8(truncatingIfNeeded: newValue)
      }
    }
  }

  /// Sets all samples to `value`.
  package func fill(with value: Int) {
    if isWide {
      unsafe samples(UInt16.self).update(
        repeating: UInt16(truncatingIfNeeded: value), count: stride &* height)
    } else {
      unsafe samples(UInt8.self).update(repeating: UInt8(truncatingIfNeeded: value), count: stride &* height)
    }
  }

  /// Copies a block from the same place in another plane of the same form; does nothing if it is outside either
  /// plane.
  package func copy(from other: Plane, x: Int, y: Int, width: Int, height: Int) {
    copy(from: other, x: x, y: y, width: width, height: height, toX: x, toY: y)
  }

  /// Copies the first `count` samples of a row from a row of another plane of the same form; does nothing if
  /// either row is too short or missing.
  package func copyRow(_ y: Int, from other: Plane, row: Int, count: Int) {
    copy(from: other, x: 0, y: row, width: count, height: 1, toX: 0, toY: y)
  }

  /// Copies a block from another plane of the same form, possibly to a different place; does nothing if either
  /// block is outside its plane.
  package func copy(from other: Plane, x: Int, y: Int, width: Int, height: Int, toX: Int, toY: Int) {
    guard isWide == other.isWide, contains(x: toX, y: toY, width: width, height: height),
      other.contains(x: x, y: y, width: width, height: height)
    else { return }
    let bytes = isWide ? 2 : 1
    var from = unsafe other.base + (y &* other.stride &+ x) &* bytes
    var to = unsafe base + (toY &* stride &+ toX) &* bytes
    let count = width &* bytes, step = stride &* bytes, otherStep = other.stride &* bytes
    if count & 7 == 0, count <= 128 {
      // Calls for each row would take longer than the copies.
      for _ in 0..<height {
        var place = 0
        while place &+ 16 <= count {
          unsafe to.storeBytes(
            of: from.loadUnaligned(fromByteOffset: place, as: SIMD2<UInt64>.self), toByteOffset: place,
            as: SIMD2<UInt64>.self)
          place = place &+ 16
        }
        if place < count {
          unsafe to.storeBytes(
            of: from.loadUnaligned(fromByteOffset: place, as: UInt64.self), toByteOffset: place,
            as: UInt64.self)
        }
        unsafe from += otherStep
        unsafe to += step
      }
      return
    }
    for _ in 0..<height {
      unsafe to.copyMemory(from: from, byteCount: count)
      unsafe from += otherStep
      unsafe to += step
    }
  }

  /// Lends a part of a row as it is in memory: one byte a sample, or two with the least significant first on every
  /// supported machine.
  package func withRow<R>(_ y: Int, from x: Int, count: Int, _ body: (Span<UInt8>) -> R) -> R? {
    guard contains(x: x, y: y, width: count, height: 1) else { return nil }
    let bytes = isWide ? 2 : 1
    let start = unsafe base + (y &* stride &+ x) &* bytes
    let span = unsafe Span<UInt8>(
      _unsafeStart: start.assumingMemoryBound(to: UInt8.self), count: count &* bytes)
    return body(span)
  }

  /// Appends a block to `bytes`, row by row without gaps: samples of up to 8 bits as one byte each, others as two, least
  /// significant first. Does nothing if it is outside.
  package func append(x: Int, y: Int, width: Int, height: Int, to bytes: inout [UInt8]) {
    guard contains(x: x, y: y, width: width, height: height) else { return }
    let size = isWide ? 2 : 1
    // If the other component has more bits, samples of 8 bits take two bytes in memory.
    let isNarrowed = isWide && bitDepth <= 8
    bytes.reserveCapacity(bytes.count &+ width &* height &* (isNarrowed ? 1 : size))
    for row in y..<(y &+ height) {
      let start = unsafe base + (row &* stride &+ x) &* size
      let samples = unsafe UnsafeRawBufferPointer(start: start, count: width &* size)
      if isNarrowed {
        for place in 0..<width { unsafe bytes.append(samples[2 &* place]) }
      } else {
        unsafe bytes.append(contentsOf: samples)
      }
    }
  }
}

extension Plane {
  /// Stores a part of a row as numbers in `row`, from `start` on. Does nothing if either is too short.
  package func load(_ y: Int, from x: Int, count: Int, into row: inout [Int32], at start: Int) {
    visit(y, from: x, count: count, &row, start) { $1 }
  }

  /// Adds a part of a row to the first numbers of `sums`. Does nothing if either is too short.
  package func add(_ y: Int, from x: Int, count: Int, to sums: inout [Int32]) {
    visit(y, from: x, count: count, &sums, 0) { $0 &+ $1 }
  }

  /// Replaces each number with the result of `combine` for it and a sample.
  @inline(__always)
  private func visit(
    _ y: Int, from x: Int, count: Int, _ row: inout [Int32], _ start: Int, _ combine: (Int32, Int32) -> Int32
  ) {
    guard contains(x: x, y: y, width: count, height: 1), start >= 0, start <= row.count &- count else {
      return
    }
    let place = y &* stride &+ x, isWide = isWide
    unsafe row.withUnsafeMutableBufferPointer { numbers in
      guard let first = numbers.baseAddress else { return }
      let target = unsafe first + start
      // Two loops: a single one that chooses inside takes three times as long.
      if isWide {
        let source = unsafe UnsafePointer(samples(UInt16.self) + place)
        for index in 0..<count { unsafe target[index] = combine(target[index], Int32(source[index])) }
      } else {
        let source = unsafe UnsafePointer(samples(UInt8.self) + place)
        for index in 0..<count { unsafe target[index] = combine(target[index], Int32(source[index])) }
      }
    }
  }
}

/// The integer type in which a sample is stored.
protocol Sample: FixedWidthInteger, UnsignedInteger, SIMDScalar, Codable, BitwiseCopyable {}
extension UInt8: Sample {}
extension UInt16: Sample {}

extension Plane {
  /// Stores samples at the beginning of a row: one byte a sample, or two with the least significant first, as in memory on
  /// every supported machine. Does nothing if the bytes are too few or the row is too short.
  package func storeRow(_ y: Int, _ bytes: ByteView, count: Int) {
    let size = count &* (isWide ? 2 : 1)
    guard contains(x: 0, y: y, width: count, height: 1), bytes.count >= size else { return }
    let target = unsafe base + (y &* stride) &* (isWide ? 2 : 1)
    unsafe bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe target.copyMemory(from: start, byteCount: size)
    }
  }

  /// Repeats the last column and the last row of the upper left `width` x `height` samples up to the edges.
  package func extend(width: Int, height: Int) {
    guard width > 0, height > 0, width <= self.width, height <= self.height else { return }
    if width < self.width {
      for y in 0..<height {
        let last = self[width &- 1, y]
        for x in width..<self.width { self[x, y] = last }
      }
    }
    for y in height..<max(height, self.height) { copyRow(y, from: self, row: height &- 1, count: self.width) }
  }
}
