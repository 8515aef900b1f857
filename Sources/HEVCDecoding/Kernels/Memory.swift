// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A fixed number of elements outside of any Swift object, so that code which runs for each block counts no references.
///
/// Whoever makes it frees it, and keeps it to itself: a copy of this value must not outlive its maker.
@safe
package struct Memory<Element: BitwiseCopyable>: @unchecked Sendable {
  /// Where the elements begin.
  let base: UnsafeMutablePointer<Element>
  /// How many elements there are.
  package let count: Int

  /// Takes memory for `count` elements, each of them `value`, with as many bytes in front and at the end as the widest
  /// load of a kernel may touch.
  package init(count: Int, repeating value: Element) {
    let guardElements = Self.guardElements
    let start = UnsafeMutablePointer<Element>.allocate(capacity: max(0, count) &+ 2 &* guardElements)
    unsafe start.initialize(repeating: value, count: max(0, count) &+ 2 &* guardElements)
    unsafe base = start + guardElements
    self.count = max(0, count)
  }

  private static var guardElements: Int { 64 / max(1, MemoryLayout<Element>.stride) &+ 1 }

  /// Gives the memory back.
  package func free() { unsafe (base - Self.guardElements).deallocate() }

  /// An element; the index must be one.
  @inline(__always)
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

  /// Makes all elements of `range` that exist `value`.
  @inline(__always)
  package func fill(_ range: Range<Int>, with value: Element) {
    let range = range.clamped(to: 0..<count)
    unsafe (base + range.lowerBound).update(repeating: value, count: range.count)
  }

  /// Makes all elements `value`.
  package func fill(with value: Element) { fill(0..<count, with: value) }

  /// Makes a block of a table with rows of `stride` elements `value`.
  @inline(__always)
  package func fill(x: Int, y: Int, width: Int, height: Int, stride: Int, with value: Element) {
    var row = y &* stride &+ x
    for _ in 0..<max(0, height) {
      fill(row..<(row &+ width), with: value)
      row = row &+ stride
    }
  }

  /// Copies `count` elements from `other`; both must have them.
  package func copy(from other: Memory, count: Int) {
    precondition(count >= 0 && count <= self.count && count <= other.count)
    unsafe base.update(from: other.base, count: count)
  }
}

extension Memory where Element == UInt8 {
  /// Copies as many bytes of `data` as there is room for.
  func copy(from data: ByteView) {
    unsafe data.withUnsafeBytes { bytes in
      let count = min(bytes.count, self.count)
      guard count > 0, let start = bytes.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(base).copyMemory(from: start, byteCount: count)
    }
  }
}
