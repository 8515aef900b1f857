// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A sample entry, as far as every kind of them is the same: it names the data reference that has its samples.
/// ISO/IEC 14496-12, 8.5.2
package protocol DataReferring: BoxPayload {
  /// Which data reference holds the samples, counted from 1.
  var dataReferenceIndex: UInt16 { get set }
}

extension Box {
  /// Which data reference holds the samples of a sample entry, counted from 1; `nil` for another box.
  package var dataReferenceIndex: UInt16? {
    (decodePayload()?.payload as? any DataReferring)?.dataReferenceIndex
  }
}
