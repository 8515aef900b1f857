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

extension Box {
  /// Changes the track IDs of the references in a `tref`, and returns whether there are others now. References that lose all
  /// IDs are removed, and those that keep theirs are not touched.
  ///
  /// - Parameter change: returns the new IDs for the type of a reference and its old IDs.
  @discardableResult
  package mutating func mapTrackReferences(_ change: (FourCC, [UInt32]) -> [UInt32]) -> Bool {
    var kept: [Box] = []
    var isChanged = false
    for var child in children {
      if var reference = child.payload(TrackReferenceTypeBox.self) {
        let old = reference.trackIDs
        reference.trackIDs = change(child.type, old)
        if reference.trackIDs != old {
          isChanged = true
          if reference.trackIDs.isEmpty { continue }
          child.replacePayload(reference)
        }
      }
      kept.append(child)
    }
    if isChanged { children = kept }
    return isChanged
  }
}
