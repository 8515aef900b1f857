// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// A fixed number of elements outside of any Swift object, so that code that runs for each block does no reference
/// counting.
///
/// The owner frees it and does not share it: a copy of this value must not outlive its owner.
@safe @usableFromInline
package struct Memory<Element: BitwiseCopyable>: @unchecked Sendable {
  /// The address of the first element.
  @usableFromInline let base: UnsafeMutablePointer<Element>
  /// The number of elements.
  @usableFromInline package let count: Int

  /// Allocates `count` elements, each of them `value`, with as many bytes before and after them as the widest load
  /// of a kernel may touch.
  @inlinable
  package init(count: Int, repeating value: Element) {
    let guardElements = Self.guardElements
    let start = UnsafeMutablePointer<Element>.allocate(capacity: max(0, count) &+ 2 &* guardElements)
    unsafe start.initialize(repeating: value, count: max(0, count) &+ 2 &* guardElements)
    unsafe base = start + guardElements
    self.count = max(0, count)
  }

  /// Guards of numbers are 64 bytes, so that wide loads at the beginning of rows do not cross cache lines.
  @usableFromInline
  static var guardElements: Int {
    let size = max(1, MemoryLayout<Element>.stride)
    return (63 &+ size) / size
  }

  /// Frees the memory.
  @inlinable
  package func free() { unsafe (base - Self.guardElements).deallocate() }

  /// An element; the index must be valid.
  @inlinable @inline(__always)
  package subscript(index: Int) -> Element {
    get {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      return unsafe base[index]
    }
    nonmutating set {
      precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
      unsafe base[index] = newValue
    }
  }

  /// Sets all existing elements in `range` to `value`.
  @inlinable @inline(__always)
  package func fill(_ range: Range<Int>, with value: Element) {
    let range = range.clamped(to: 0..<count)
    unsafe (base + range.lowerBound).update(repeating: value, count: range.count)
  }

  /// Sets all elements to `value`.
  @inlinable
  package func fill(with value: Element) { fill(0..<count, with: value) }

  /// Sets a block of a table with rows of `stride` elements to `value`.
  @inlinable @inline(__always)
  package func fill(x: Int, y: Int, width: Int, height: Int, stride: Int, with value: Element) {
    var row = y &* stride &+ x
    if MemoryLayout<Element>.size == 1, height > 0, stride >= 0, row >= 0,
      row &+ (height &- 1) &* stride <= count &- width
    {
      // The rows of most blocks are as long as a register: a call for each would take longer than the rest.
      let byte = unsafe UInt64(unsafeBitCast(value, to: UInt8.self)) &* 0x0101_0101_0101_0101
      switch width {
      case 1: return store(UInt8(truncatingIfNeeded: byte), row, height, stride)
      case 2: return store(UInt16(truncatingIfNeeded: byte), row, height, stride)
      case 4: return store(UInt32(truncatingIfNeeded: byte), row, height, stride)
      case 8: return store(byte, row, height, stride)
      case 16: return store(SIMD2(repeating: byte), row, height, stride)
      default: break
      }
    }
    for _ in 0..<max(0, height) {
      fill(row..<(row &+ width), with: value)
      row = row &+ stride
    }
  }

  /// Stores what fits at `place`, and `stride` elements after it, and so on: all must exist.
  @inlinable @inline(__always)
  func store<Row: BitwiseCopyable>(_ row: Row, _ place: Int, _ height: Int, _ stride: Int) {
    var line = unsafe UnsafeMutableRawPointer(base + place)
    for _ in 0..<height {
      unsafe line.storeBytes(of: row, as: Row.self)
      unsafe line += stride &* MemoryLayout<Element>.stride
    }
  }

  /// Copies `count` elements from `other`; both must have that many.
  @inlinable
  package func copy(from other: Memory, count: Int) {
    precondition(count >= 0 && count <= self.count && count <= other.count)
    unsafe base.update(from: other.base, count: count)
  }

  /// Copies the elements of `other` in a range, to the same number of places from `start` on; both must have them.
  @inlinable
  package func copy(from other: Memory, _ range: Range<Int>, to start: Int) {
    precondition(range.lowerBound >= 0 && range.upperBound <= other.count)
    precondition(start >= 0 && start <= count &- range.count)
    unsafe (base + start).update(from: other.base + range.lowerBound, count: range.count)
  }
}

extension Memory where Element == UInt8 {
  /// The eight bytes from a valid index on, the first one lowest; what is after the end of the memory means nothing.
  @inlinable @inline(__always)
  package func word(at index: Int) -> UInt64 {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
    return unsafe UInt64(
      littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// Copies the first bytes of `data`, as many as fit.
  package func copy(from data: ByteView) {
    unsafe data.withUnsafeBytes { bytes in
      let count = min(bytes.count, self.count)
      guard count > 0, let start = bytes.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(base).copyMemory(from: start, byteCount: count)
    }
  }
}

/// 4x4 numbers, row by row.
@usableFromInline
package struct SubBlockRows: BitwiseCopyable {
  @usableFromInline let rows: SIMD4<UInt64>

  @inlinable @inline(__always)
  init(_ rows: SIMD4<UInt64>) { self.rows = rows }

  @inlinable @inline(__always)
  package var isZero: Bool { (rows[0] | rows[1]) | (rows[2] | rows[3]) == 0 }

  /// Which of the numbers are not 0: that of the first row and column in bit 0, that of the second column in bit 1.
  @inlinable @inline(__always)
  package var used: UInt32 {
    Self.used(rows[0]) | Self.used(rows[1]) &<< 4 | Self.used(rows[2]) &<< 8 | Self.used(rows[3]) &<< 12
  }

  @inlinable @inline(__always)
  static func used(_ row: UInt64) -> UInt32 {
    let low: UInt64 = 0x7FFF_7FFF_7FFF_7FFF
    // The highest bit of each number says whether any of its bits is set; then these are moved beside each other.
    let flags = (((row & low) &+ low) | row) & ~low
    return UInt32(truncatingIfNeeded: ((flags &>> 15) &* 0x0001_0002_0004_0008) &>> 48) & 15
  }
}

extension Memory where Element == Int16 {
  /// The 4x4 numbers whose first one is at `start`, in rows that begin `stride` numbers apart; all must exist.
  @inlinable @inline(__always)
  package func subBlock(at start: Int, stride: Int) -> SubBlockRows {
    precondition(start >= 0 && stride >= 0 && start &+ 3 &* stride &+ 4 <= count)
    let from = unsafe UnsafeRawPointer(base + start)
    return unsafe SubBlockRows(
      SIMD4(
        from.loadUnaligned(as: UInt64.self),
        from.loadUnaligned(fromByteOffset: 2 &* stride, as: UInt64.self),
        from.loadUnaligned(fromByteOffset: 4 &* stride, as: UInt64.self),
        from.loadUnaligned(fromByteOffset: 6 &* stride, as: UInt64.self)))
  }
}
