// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

extension Track {
  /// How many bytes of the first sample are searched for messages: they precede the picture.
  private static let searchedBytes: UInt64 = 1 << 13

  /// The messages before the first picture of H.264, of which nothing else is read; empty for other codecs. They are coded as
  /// those of HEVC are, in units with a header of one byte. ISO/IEC 14496-10, 7.3.1 and 7.3.2.3
  var messagesOfAVC: [SEIMessage] {
    guard let description = mainDescription, ["avc1", "avc2", "avc3", "avc4"].contains(description.codec),
      !description.isProtected, absence(of: description) == nil,
      let lengthSizes = description.box.first("avcC")?.body.bigEndian(at: 4, width: 1),
      let range = (describing?.first ?? firstSample)?.range
    else { return [] }
    let end = min(range.upperBound, range.lowerBound &+ Self.searchedBytes)
    let bytes: ByteView
    do { bytes = try context.source.read(range.lowerBound..<max(end, range.lowerBound)) } catch { return [] }
    var messages: [SEIMessage] = []
    let lengthSize = Int(lengthSizes & 3) + 1
    var place = 0
    while let length = bytes.bigEndian(at: place, width: lengthSize), length > 0 {
      place += lengthSize
      guard length <= UInt64(bytes.count - place),
        let unit = bytes.slice(place..<place + Int(length)), let header = unit[0],
        !(1...5).contains(header & 0x1F)
      else { break }
      place += Int(length)
      guard header & 0x1F == 6 else { continue }
      let other: [UInt8] = [0x4E, 0x01] + unit.suffix(from: 1).array
      messages += NALUnit(ByteView(other))?.seiMessages().messages ?? []
    }
    return messages
  }
}
