// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension Track {
  /// The box that names another file as the one in which the samples of a description stand (ISO/IEC 14496-12, 8.7.2);
  /// `nil` where they stand in this one, or where the description names nothing that is there.
  func externalReference(of description: FormatDescription) -> Box? {
    guard let index = description.box.body.bigEndian(at: 6, width: 2), index > 0,
      let references = box?["mdia/minf/dinf/dref"]?.children, index <= UInt64(references.count)
    else { return nil }
    let reference = references[Int(clamping: index) - 1]
    return reference.namesAnotherFile ? reference : nil
  }

  /// The descriptions, counted from 1, whose samples stand in another file.
  var externalDescriptions: Set<UInt32> {
    var found: Set<UInt32> = []
    for (index, description) in formatDescriptions.enumerated()
    where externalReference(of: description) != nil {
      found.insert(UInt32(clamping: index) + 1)
    }
    return found
  }

  /// Whether the samples of the first description stand in another file.
  var isExternal: Bool { formatDescriptions.first.flatMap(externalReference) != nil }
}

extension Box {
  private static let fileReferences: Set<FourCC> = ["url ", "urn ", "alis", "rsrc"]

  /// Whether a data reference is one to a file, and to another than this.
  fileprivate var namesAnotherFile: Bool {
    guard Self.fileReferences.contains(type), let header = body.bigEndian(at: 0, width: 4) else {
      return false
    }
    return header & 1 == 0
  }
}
