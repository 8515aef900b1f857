// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What is in a box of one kind.
///
/// A new box is one file with a type that conforms, and one line in the list of its family; reading, writing,
/// dumping, documentation and tests follow from that. docs/adding-a-box.md walks through it.
public protocol BoxPayload: FieldLayout {
  /// What the box is called on screens, in words and without "box": `time to sample`. The Swift type may be called otherwise.
  static var name: StaticString { get }
  /// The types of the boxes with this payload. Empty: every type in the given scopes that nothing else claims.
  static var types: [FourCC] { get }
  /// Where such a box may be.
  static var scopes: [BoxScope] { get }
  /// The document and clause that define it.
  static var specification: StaticString { get }
  /// What the box is for, in one sentence.
  static var summary: StaticString { get }
  /// The versions known of a full box; `nil` for a plain box.
  static var versions: ClosedRange<UInt8>? { get }
  /// Whether boxes follow the fields.
  static var childrenFollow: Bool { get }
  /// Where its children are; `nil` is the box itself.
  static var childScope: BoxScope? { get }
  /// At least one value, together covering every branch of the layout: for tests, examples and documentation.
  static var samples: [Self] { get }

  /// Takes from the surroundings what the layout depends on but does not contain.
  mutating func prepare(for context: BoxContext, payload: ByteView)
}

extension BoxPayload {
  /// Anywhere.
  public static var scopes: [BoxScope] { [.anywhere] }
  /// None: a plain box.
  public static var versions: ClosedRange<UInt8>? { nil }
  /// No boxes follow.
  public static var childrenFollow: Bool { false }
  /// In the box itself.
  public static var childScope: BoxScope? { nil }
  /// Takes nothing.
  public mutating func prepare(for context: BoxContext, payload: ByteView) {}
}
