// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// An entry of a reference picture list, as the decoding of slice data needs it.
package struct ReferenceEntry: Sendable {
  /// The picture; all its samples are there.
  package let picture: PictureBuffer
  /// Whether it is used as a long-term reference picture: pictures of other layers always are.
  package let isLongTerm: Bool

  /// An entry.
  package init(_ picture: PictureBuffer, isLongTerm: Bool) {
    self.picture = picture
    self.isLongTerm = isLongTerm
  }
}

/// RefPicList0 and RefPicList1 of a slice.
package struct SliceReferences: Sendable {
  /// RefPicList0; empty in an I slice.
  package var l0: [ReferenceEntry]
  /// RefPicList1; empty in I and P slices.
  package var l1: [ReferenceEntry]

  /// Two lists.
  package init(l0: [ReferenceEntry] = [], l1: [ReferenceEntry] = []) {
    self.l0 = l0
    self.l1 = l1
  }
}

/// What kept the data of a slice segment from being decoded to its end.
package struct SliceDataError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong.
  package var reason: String
  /// The tree block that could not be decoded, in raster order: all before it, in the order of decoding, were.
  package var ctbAddress: Int

  package var description: String { "coding tree unit \(ctbAddress): \(reason)" }

  init(_ reason: String, ctbAddress: Int) {
    self.reason = reason
    self.ctbAddress = ctbAddress
  }
}

/// A sequence or picture that this decoder does not decode.
package struct UnsupportedPicture: Error, Hashable, Sendable, CustomStringConvertible {
  /// What it would need.
  package var reason: String

  package var description: String { reason }

  init(_ reason: String) { self.reason = reason }
}
