// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
package import ISOBMFF

/// A NAL unit of H.264. ISO/IEC 14496-10, 7.3.1
package struct AVCUnit: Sendable {
  /// The type (`nal_unit_type`): 1 to 5 are slices, 5 those of IDR pictures, 6 messages.
  package let type: UInt8
  /// The bytes after the header.
  let body: ByteView

  /// Whether it is a slice, or the first partition of one.
  package var isSlice: Bool { (1...5).contains(type) }
}

extension Track {
  /// How many bytes of a sample are searched for units: messages and parameter sets precede the picture.
  private static let searchedBytesOfAVC: UInt64 = 1 << 13

  /// Whether the pictures are coded in H.264.
  package var isAVC: Bool { codec.map(FormatDescription.codecsOfAVC.contains) ?? false }

  /// The units at the beginning of a sample of H.264, up to its first slice, of which only the type is of use: it may be cut
  /// off. Empty for other codecs, for samples that are encrypted or in another file, and if nothing can be told.
  package func firstUnitsOfAVC(in sample: Sample) throws(SourceError) -> [AVCUnit] {
    let index = Int(clamping: sample.descriptionIndex) - 1
    guard formatDescriptions.indices.contains(index),
      case let description = formatDescriptions[index],
      FormatDescription.codecsOfAVC.contains(description.codec),
      !description.isProtected, absence(of: description) == nil,
      let sizes = description.box.first("avcC")?.body.bigEndian(at: 4, width: 1)
    else { return [] }
    let range = sample.range
    let end = min(range.upperBound, range.lowerBound &+ Self.searchedBytesOfAVC)
    let bytes = try context.source.read(range.lowerBound..<max(end, range.lowerBound))
    let lengthSize = Int(sizes & 3) + 1
    var units: [AVCUnit] = [], place = 0
    while let length = bytes.bigEndian(at: place, width: lengthSize), length > 0 {
      place += lengthSize
      let count = Int(min(length, UInt64(bytes.count - place)))
      guard let unit = bytes.slice(place..<place + count), let header = unit[0] else { break }
      let found = AVCUnit(type: header & 0x1F, body: unit.suffix(from: 1))
      guard found.isSlice || UInt64(count) == length else { break }
      units.append(found)
      if found.isSlice { break }
      place += count
    }
    return units
  }
}

extension FormatDescription {
  fileprivate static let codecsOfAVC: Set<FourCC> = ["avc1", "avc2", "avc3", "avc4"]
}
