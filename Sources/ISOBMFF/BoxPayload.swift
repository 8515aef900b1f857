// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The payload of boxes of one kind: their fields.
///
/// To add a kind, write one file with a type that conforms, and one line in the list of its family; reading,
/// writing, dumping, documentation and tests follow from that. docs/adding-a-box.md walks through it.
public protocol BoxPayload: FieldLayout {
  /// The name of the box on screens, in words and without "box": `time to sample`. The Swift type may have another
  /// name.
  static var name: StaticString { get }
  /// The types of the boxes with this payload. If empty, all types in the given scopes that have no other payload.
  static var types: [FourCC] { get }
  /// Where such a box may be.
  static var scopes: [BoxScope] { get }
  /// The document and clause that define it.
  static var specification: StaticString { get }
  /// What the box is for, in one sentence.
  static var summary: StaticString { get }
  /// The versions known of a full box; `nil` for a plain box.
  static var versions: ClosedRange<UInt8>? { get }
  /// Whether child boxes follow the fields.
  static var childrenFollow: Bool { get }
  /// The scope of its children; `nil` for the box itself.
  static var childScope: BoxScope? { get }

  /// Takes values from the context that the layout depends on but does not contain.
  mutating func prepare(for context: BoxContext, payload: ByteView)
}

extension BoxPayload {
  /// By default, anywhere.
  public static var scopes: [BoxScope] { [.anywhere] }
  /// By default, `nil`: a plain box.
  public static var versions: ClosedRange<UInt8>? { nil }
  /// By default, `false`.
  public static var childrenFollow: Bool { false }
  /// By default, `nil`: children are in the scope of the box itself.
  public static var childScope: BoxScope? { nil }
  /// By default, does nothing.
  public mutating func prepare(for context: BoxContext, payload: ByteView) {}
}
