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

/// The payload of a full box, which begins with a version and flags. ISO/IEC 14496-12, 4.2.2
public protocol FullBox: BoxPayload {
  /// The flags of the full box, 24 bits: each kind of box defines its own, and most kinds define none.
  var flags: UInt32 { get set }
}

/// The payload of a full box of which several versions are known. Those of all others have version 0.
public protocol VersionedFullBox: FullBox {
  /// The version of the full box: it selects the form of the fields.
  var version: UInt8 { get set }
}
