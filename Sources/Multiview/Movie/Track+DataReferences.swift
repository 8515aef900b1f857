// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Track {
  /// The box that names the place in which the samples of a description are, where that is another than this file; `nil`
  /// where it is this file, or where the description names nothing that is there.
  func externalReference(of description: FormatDescription) -> Box? {
    externalMedia.reference(of: description.box)
  }

  /// Why samples cannot be read: those of the first description are elsewhere; of a joined track, those of one of its
  /// tracks. `nil` where they are in this file.
  package var absence: ParseError? { joinedTracks.lazy.compactMap(\.ownAbsence).first }

  private var ownAbsence: ParseError? {
    guard let description = mainDescription else { return externalMedia.otherReference.map(Self.absence) }
    return absence(of: description)
  }

  /// Why samples of a description cannot be read; `nil` where they are in this file.
  func absence(of description: FormatDescription) -> ParseError? {
    externalReference(of: description).map(Self.absence)
  }

  private static func absence(by reference: Box) -> ParseError {
    ParseError(
      .invalid(
        reference.namesAnotherFile
          ? "the samples are in another file, which is not read"
          : "the samples are addressed by their place in an imda box, which is not supported"),
      offset: reference.offset, field: "\(reference.type)")
  }
}
