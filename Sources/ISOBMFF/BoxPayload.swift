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

  /// The same fields for another number of children; `nil`, the default, if they do not contain it. Called when there are more or
  /// fewer children than in the file.
  func counting(_ children: [Box]) -> Self?
}

extension BoxPayload {
  /// By default, does nothing.
  public mutating func prepare(for context: BoxContext, payload: ByteView) {}
  /// By default, `nil`.
  public func counting(_ children: [Box]) -> Self? { nil }
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

extension [Box] {
  /// How many of the boxes have one of these types, or, without types, are not free space.
  package func counted(_ types: Set<FourCC> = []) -> UInt32 {
    UInt32(
      clamping: count { types.isEmpty ? $0.type != "free" && $0.type != "skip" : types.contains($0.type) })
  }
}
