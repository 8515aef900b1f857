// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

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

/// Data references, as far as they decide what offsets count from. ISO/IEC 14496-12, 8.7.2
extension Box {
  private static let fileReferences: Set<FourCC> = ["url ", "urn ", "alis", "rsrc"]

  /// Whether a data reference is one to a file, and to another than this. A reference of a type that is not known counts as this file.
  package var namesAnotherFile: Bool {
    guard Self.fileReferences.contains(type), let header = body.bigEndian(at: 0, width: 4) else {
      return false
    }
    return header & 1 == 0
  }

  /// Whether offsets count from the content of an `imda` box, and not from the beginning of a file. 8.7.2.2
  package var namesIdentifiedMedia: Bool { type == "imdt" || type == "snim" }
}
