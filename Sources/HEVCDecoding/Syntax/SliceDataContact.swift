// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVCCoding

/// An entry of a reference picture list, in the form needed to decode slice data.
package struct ReferenceEntry: Sendable {
  /// The picture, which another thread may still be decoding.
  package let picture: PictureBuffer
  /// Whether it is used as a long-term reference picture; pictures of other layers always are.
  package let isLongTerm: Bool

  /// Makes an entry.
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

  /// Makes the lists of a slice.
  package init(l0: [ReferenceEntry] = [], l1: [ReferenceEntry] = []) {
    self.l0 = l0
    self.l1 = l1
  }
}

/// Why the data of a slice segment could not be decoded to its end.
package struct SliceDataError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wrong.
  package var reason: String
  /// The address in raster scan of the tree block that could not be decoded: all that precede it in decoding order
  /// were.
  package var ctbAddress: Int

  package var description: String { "coding tree unit \(ctbAddress): \(reason)" }

  init(_ reason: String, ctbAddress: Int) {
    self.reason = reason
    self.ctbAddress = ctbAddress
  }
}

/// A sequence or picture that this decoder cannot decode.
package struct UnsupportedPicture: Error, Hashable, Sendable, CustomStringConvertible {
  /// The unsupported feature that it needs.
  package var reason: String

  package var description: String { reason }

  init(_ reason: String) { self.reason = reason }
}
