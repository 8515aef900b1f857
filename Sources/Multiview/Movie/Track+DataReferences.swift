// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Track {
  /// Where samples may be. ISO/IEC 14496-12, 8.7.2
  private var dataReferences: [Box] { dataReferencesBox?.children ?? [] }

  /// The box that names the place in which the samples of a description are, where that is another than this file; `nil`
  /// where it is this file, or where the description names nothing that is there.
  func externalReference(of description: FormatDescription) -> Box? {
    Self.externalReference(of: description, among: dataReferences)
  }

  private static func externalReference(of description: FormatDescription, among references: [Box]) -> Box? {
    guard let index = description.box.body.bigEndian(at: 6, width: 2), index > 0,
      index <= UInt64(references.count)
    else { return nil }
    let reference = references[Int(clamping: index) - 1]
    return reference.namesAnotherFile || reference.namesIdentifiedMedia ? reference : nil
  }

  /// The descriptions, counted from 1, whose samples are not found by offsets into this file.
  package var externalDescriptions: Set<UInt32> {
    let references = dataReferences
    var found: Set<UInt32> = []
    for (index, description) in formatDescriptions.enumerated()
    where Self.externalReference(of: description, among: references) != nil {
      found.insert(UInt32(clamping: index) + 1)
    }
    return found
  }

  /// Why samples cannot be read: those of the first description are elsewhere; of a joined track, those of one of its
  /// tracks. `nil` where they are in this file.
  var absence: ParseError? { joinedTracks.lazy.compactMap(\.ownAbsence).first }

  private var ownAbsence: ParseError? { mainDescription.flatMap(absence) }

  /// Why samples of a description cannot be read; `nil` where they are in this file.
  func absence(of description: FormatDescription) -> ParseError? {
    guard let reference = externalReference(of: description) else { return nil }
    return ParseError(
      .invalid(
        reference.namesAnotherFile
          ? "the samples are in another file, which is not read"
          : "the samples are found by their place in an imda box, which is not supported"),
      offset: reference.offset, field: "\(reference.type)")
  }
}
