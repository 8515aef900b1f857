// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A sequence of numbers, each in as few bytes as it needs: seven bits per byte, the lowest first.
///
/// An entry of a table in a parameter set may take a single bit or less: kept as structures, the entries of a
/// small table would fill the memory.
struct PackedNumbers: Hashable, Sendable {
  private(set) var bytes: [UInt8] = []

  var isEmpty: Bool { bytes.isEmpty }

  mutating func append(_ number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest = rest &>> 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends 0 for `nil`, otherwise the number plus 1.
  mutating func append(optional number: (some FixedWidthInteger & UnsignedInteger)?) {
    append(number.map { UInt64(clamping: $0) &+ 1 } ?? 0)
  }

  mutating func append(contentsOf other: PackedNumbers) { bytes += other.bytes }

  mutating func removeAll() { bytes.removeAll() }

  /// The number at a position, which is advanced past it; `nil` at the end.
  func next(_ place: inout Int) -> UInt64? {
    guard place < bytes.count else { return nil }
    var number: UInt64 = 0, shift: UInt64 = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      number |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { break }
      shift &+= 7
    }
    return number
  }

  /// The same for a count; 0 at the end.
  func nextCount(_ place: inout Int) -> Int { Int(clamping: next(&place) ?? 0) }

  /// A number that may be `nil`, at a position, which is advanced past it.
  func nextOptional<T: FixedWidthInteger & UnsignedInteger>(_ place: inout Int) -> T? {
    let number = next(&place) ?? 0
    return number == 0 ? nil : T(truncatingIfNeeded: number &- 1)
  }

  /// `count` bytes at a position, which is advanced past them.
  func bytes(_ count: Int, _ place: inout Int) -> PackedNumbers {
    let end = min(bytes.count, place + count)
    defer { place = end }
    return PackedNumbers(bytes: Array(bytes[place..<end]))
  }

  init() {}
  private init(bytes: [UInt8]) { self.bytes = bytes }
}

/// Something that can be stored as a few numbers.
protocol Packable {
  func pack(into numbers: inout PackedNumbers)
  init(unpacking numbers: PackedNumbers, at place: inout Int)
}

/// A list whose elements are stored as numbers and created on access.
struct PackedList<Element: Packable>: Hashable, Sendable {
  private var numbers = PackedNumbers()
  /// Where each element begins.
  private var starts: [UInt32] = []

  init() {}
  init(_ elements: [Element]) {
    for element in elements { append(element) }
  }

  var count: Int { starts.count }
  var isEmpty: Bool { starts.isEmpty }

  /// All elements, created on each access.
  var elements: [Element] { starts.indices.compactMap { self[$0] } }

  /// The element at an index; `nil` if there is none.
  subscript(index: Int) -> Element? {
    guard starts.indices.contains(index) else { return nil }
    var place = Int(starts[index])
    return Element(unpacking: numbers, at: &place)
  }

  mutating func append(_ element: Element) {
    starts.append(UInt32(clamping: numbers.bytes.count))
    element.pack(into: &numbers)
  }

  mutating func removeAll() {
    numbers.removeAll()
    starts.removeAll()
  }
}

extension [UInt8]: Packable {
  func pack(into numbers: inout PackedNumbers) {
    numbers.append(UInt64(count))
    for value in self { numbers.append(UInt64(value)) }
  }

  init(unpacking numbers: PackedNumbers, at place: inout Int) {
    let count = numbers.nextCount(&place)
    self = (0..<count).map { _ in UInt8(truncatingIfNeeded: numbers.next(&place) ?? 0) }
  }
}

extension FieldCoder where Self: ~Escapable {
  /// Codes the elements of a packed list like those of an array.
  mutating func elements<Element>(
    _ name: StaticString, _ values: inout PackedList<Element>, at indices: Range<Int>, minimumBits: Int,
    new: Element, _ body: (inout Self, Int, inout Element) throws(ParseError) -> Void
  ) throws(ParseError) {
    let isDecoding = isDecoding
    var kept = values
    if isDecoding { values = PackedList() }
    defer { if isDecoding { values = kept } }
    if isDecoding { kept.removeAll() }
    try repeated(name, at: indices, minimumBits: minimumBits, had: kept.count) {
      c, index throws(ParseError) in
      var element = isDecoding ? new : kept[index - indices.lowerBound] ?? new
      defer { if isDecoding { kept.append(element) } }
      try body(&c, index, &element)
    }
  }

  /// Calls `body` for each index; `body` codes an element and stores it. When not decoding, `count` elements.
  mutating func repeated(
    _ name: StaticString, at indices: Range<Int>, minimumBits: Int, had count: Int,
    _ body: (inout Self, Int) throws(ParseError) -> Void
  ) throws(ParseError) {
    try require(count: UInt64(indices.count), minimumBits: minimumBits, for: name)
    beginArray(name, count: indices.count)
    guard isDecoding || count == indices.count else {
      throw failure(.invalid("has \(count) elements where \(indices.count) are announced"), name)
    }
    for index in indices {
      do { try body(&self, index) } catch { throw error.inField("\(name)[\(index)]") }
    }
    endScope()
  }
}
