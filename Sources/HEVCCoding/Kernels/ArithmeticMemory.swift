// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The states of all contexts: 256 bytes, so that any index masked to eight bits is valid.
@safe @usableFromInline
package struct ContextStates: @unchecked Sendable {
  @usableFromInline let base: UnsafeMutablePointer<UInt8>

  package init() {
    unsafe base = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    unsafe base.initialize(repeating: 0, count: 256)
  }

  package func free() { unsafe base.deallocate() }

  @inlinable @inline(__always)
  package subscript(index: Int) -> UInt8 {
    get { unsafe base[index & 255] }
    nonmutating set { unsafe base[index & 255] = newValue }
  }

  /// Copies all states from `other`.
  package func copy(from other: ContextStates) { unsafe base.update(from: other.base, count: 256) }
}

/// The tables of the arithmetic decoder, in forms that need no bounds checks: their indices are masked to their
/// sizes.
@safe @usableFromInline
package struct ArithmeticMemory: @unchecked Sendable {
  /// Ranges of the less probable symbol, for 128 states including the most probable symbol, and for each quarter
  /// of the range.
  @usableFromInline let ranges: UnsafeMutablePointer<UInt8>
  /// The next state: at `128 + state` after the more probable symbol, at `127 - state` after the other one.
  @usableFromInline let transitions: UnsafeMutablePointer<UInt8>

  /// Made once for all decoders and never freed.
  package static let shared = ArithmeticMemory()

  private init() {
    unsafe ranges = UnsafeMutablePointer<UInt8>.allocate(capacity: 512)
    unsafe transitions = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
    for state in 0..<128 {
      let index = state &>> 1, symbol = UInt8(truncatingIfNeeded: state & 1)
      for quarter in 0..<4 {
        unsafe ranges[quarter &* 128 &+ state] = ArithmeticTables.rangeOfLPS[index &* 4 &+ quarter]
      }
      unsafe transitions[128 &+ state] =
        UInt8(truncatingIfNeeded: index < 62 ? index &+ 1 : index) &<< 1 | symbol
      unsafe transitions[127 &- state] =
        ArithmeticTables.nextStateAfterLPS[index] &<< 1 | (index == 0 ? 1 &- symbol : symbol)
    }
  }

  @inlinable @inline(__always)
  package func range(_ index: Int) -> UInt8 { unsafe ranges[index & 511] }

  @inlinable @inline(__always)
  package func transition(_ index: Int) -> UInt8 { unsafe transitions[index & 255] }
}

/// The bytes of a slice segment, read in words; zeros follow the end.
@safe @usableFromInline
package struct CodedWords {
  @usableFromInline let base: UnsafeMutablePointer<UInt8>
  /// The number of bytes.
  @usableFromInline package let count: Int
  /// How many bytes were read, including those after the end.
  @usableFromInline package var position: Int

  package init(_ memory: Memory<UInt8>, count: Int, from position: Int) {
    unsafe base = memory.base
    self.count = min(memory.count, max(0, count))
    self.position = max(0, position)
  }

  /// The next four bytes, most significant first.
  @inlinable @inline(__always)
  package mutating func next() -> UInt64 {
    let place = position
    position = place &+ 4
    if place <= count &- 4 {
      let word = unsafe UnsafeRawPointer(base).loadUnaligned(fromByteOffset: place, as: UInt32.self)
      return UInt64(UInt32(bigEndian: word))
    }
    return partialWord(place)
  }

  @usableFromInline
  func partialWord(_ place: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<4 {
      let byte = place &+ index
      word = word &<< 8 | (byte >= 0 && byte < count ? unsafe UInt64(base[byte]) : 0)
    }
    return word
  }

  /// One byte; 0 after the end.
  package func byte(_ place: Int) -> UInt8 { place >= 0 && place < count ? unsafe base[place] : 0 }
}
