// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// An entry of a reference picture list, in the form needed for the blocks of a slice.
package struct ReferenceEntry: Sendable {
  /// The picture, which another thread may still be writing.
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
