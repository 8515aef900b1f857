// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Any box in `tref`: the tracks that this one refers to; the type of the box is the kind of reference.
public struct TrackReferenceTypeBox: BoxPayload {
  public static let info = BoxInfo(
    [], name: "track reference type", in: [.box("tref")], "ISO/IEC 14496-12, 8.3.3",
    "The tracks that this one refers to; the type of the box is the kind of reference.")

  /// The IDs of the tracks; 0 is an unused entry.
  public var trackIDs: [UInt32] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.numbersToEnd("track_IDs", &trackIDs)
  }
}
