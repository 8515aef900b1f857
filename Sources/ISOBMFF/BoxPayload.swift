// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The payload of boxes of one kind: their fields.
///
/// To add a kind, write one file with a type that conforms, and one line in the list of its family; reading,
/// writing, dumping, documentation and tests follow from that. docs/adding-a-box.md walks through it.
public protocol BoxPayload: FieldLayout {
  /// The types of such boxes, their name, where they may be, and what they are for.
  static var info: BoxInfo { get }

  /// Takes values from the context that the layout depends on but does not contain.
  mutating func prepare(for context: BoxContext, payload: ByteView)
}

extension BoxPayload {
  /// By default, does nothing.
  public mutating func prepare(for context: BoxContext, payload: ByteView) {}
}
