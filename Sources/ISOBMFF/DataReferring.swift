// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

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

/// Data references, as far as they determine the origin of sample offsets. ISO/IEC 14496-12, 8.7.2
extension Box {
  private static let fileReferences: Set<FourCC> = ["url ", "urn ", "alis", "rsrc"]

  /// Whether a data reference names a file other than this one. A reference of an unknown type counts as this file.
  package var namesAnotherFile: Bool {
    guard Self.fileReferences.contains(type), let header = body.bigEndian(at: 0, width: 4) else {
      return false
    }
    return header & 1 == 0
  }

  /// Whether offsets count from the content of an `imda` box instead of the beginning of a file. 8.7.2.2
  package var namesIdentifiedMedia: Bool { type == "imdt" || type == "snim" }
}

extension SampleEntry: DataReferring {}
extension BoxedSampleEntry: DataReferring {}
extension ProtectedSampleEntry: DataReferring {}
extension VisualSampleEntry: DataReferring {}
extension AudioSampleEntry: DataReferring {}
