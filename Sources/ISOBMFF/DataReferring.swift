// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A sample entry of any kind, which names the data reference of its samples.
/// ISO/IEC 14496-12, 8.5.2
package protocol DataReferring: BoxPayload {
  /// The data reference of the samples, counted from 1.
  var dataReferenceIndex: UInt16 { get set }
}

extension Box {
  /// The data reference of the samples of a sample entry, counted from 1; `nil` for other boxes.
  package var dataReferenceIndex: UInt16? {
    (decodePayload()?.payload as? any DataReferring)?.dataReferenceIndex
  }
}
