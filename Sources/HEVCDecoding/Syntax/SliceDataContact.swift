// swift-multiview · SPDX-License-Identifier: Apache-2.0

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
