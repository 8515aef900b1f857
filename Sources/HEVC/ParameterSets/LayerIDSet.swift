// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A set of `nuh_layer_id` values, or of layer indices: numbers from 0 to 63.
public struct LayerIDSet: RawRepresentable, Hashable, Sendable, Sequence, ExpressibleByArrayLiteral {
  /// One bit for each number, bit 0 for number 0.
  public var rawValue: UInt64

  /// Makes a set from its bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// Makes an empty set.
  public init() { rawValue = 0 }
  public init(arrayLiteral elements: UInt8...) {
    self.init()
    for element in elements { insert(element) }
  }

  /// The number of elements.
  public var count: Int { rawValue.nonzeroBitCount }
  /// Whether the set has no elements.
  public var isEmpty: Bool { rawValue == 0 }
  /// The greatest number in the set; `nil` if it is empty.
  public var highest: UInt8? { isEmpty ? nil : UInt8(63 - rawValue.leadingZeroBitCount) }
  /// The least number in the set; `nil` if it is empty.
  public var lowest: UInt8? { isEmpty ? nil : UInt8(rawValue.trailingZeroBitCount) }

  /// Whether a number is in the set.
  public func contains(_ id: UInt8) -> Bool { id < 64 && rawValue &>> UInt64(id) & 1 == 1 }
  /// Adds a number; one above 63 is not a layer, and is ignored.
  public mutating func insert(_ id: UInt8) {
    if id < 64 { rawValue |= 1 &<< UInt64(id) }
  }
  /// The numbers in either set.
  public func union(_ other: LayerIDSet) -> LayerIDSet { .init(rawValue: rawValue | other.rawValue) }
  /// The numbers in both sets.
  public func intersection(_ other: LayerIDSet) -> LayerIDSet {
    .init(rawValue: rawValue & other.rawValue)
  }
  /// The numbers of this set that are not in the other.
  public func subtracting(_ other: LayerIDSet) -> LayerIDSet {
    .init(rawValue: rawValue & ~other.rawValue)
  }

  /// Makes a set of all numbers below `id`; those above 63 are not layers.
  init(below id: UInt8) { rawValue = id < 64 ? (1 &<< UInt64(id)) &- 1 : .max }

  /// The `count` lowest numbers of the set.
  func lowest(_ count: Int) -> LayerIDSet {
    var rest = rawValue
    for _ in 0..<Swift.min(Swift.max(count, 0), self.count) { rest &= rest &- 1 }
    return LayerIDSet(rawValue: rawValue & ~rest)
  }

  /// The numbers in ascending order.
  public func makeIterator() -> Iterator { Iterator(rest: rawValue) }

  /// Iterates over the numbers in ascending order.
  public struct Iterator: IteratorProtocol {
    var rest: UInt64
    public mutating func next() -> UInt8? {
      guard rest != 0 else { return nil }
      defer { rest &= rest &- 1 }
      return UInt8(truncatingIfNeeded: rest.trailingZeroBitCount)
    }
  }
}

extension LayerIDSet: CustomStringConvertible {
  public var description: String { "{" + map(String.init).joined(separator: ", ") + "}" }
}
