// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The box of a value in a file.
public struct BoxPlace: Hashable, Sendable, CustomStringConvertible {
  /// The path of the box: `moov/trak[0]/…/hvc1/vexu/eyes/stri`.
  public var path: String
  /// The file offset of the box.
  public var offset: Int

  /// Makes a place.
  public init(path: String, offset: Int) {
    self.path = path
    self.offset = offset
  }

  /// The path and the offset.
  public var description: String { "\(path) at \(offset)" }
}

/// A value that may be absent, with the place it was read from: `layout.baseline` is the value,
/// `layout.$baseline` the place. Absent is not zero.
@propertyWrapper
public struct Sourced<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value; `nil` if nothing says it.
  public var wrappedValue: Value?
  /// The place; `nil` for a value that was not read from a file.
  public var projectedValue: BoxPlace?

  /// Makes a value that was not read from a file.
  public init(wrappedValue: Value? = nil) { self.wrappedValue = wrappedValue }
}

/// Whether a box is present, with the place it is at: `layout.hasEyes`, and `layout.$hasEyes`.
@propertyWrapper
public struct Present: Hashable, Sendable {
  /// Whether it is present.
  public var wrappedValue: Bool
  /// The place; `nil` if it is missing, or was not read from a file.
  public var projectedValue: BoxPlace?

  /// Makes an answer that was not read from a file.
  public init(wrappedValue: Bool) { self.wrappedValue = wrappedValue }
}
