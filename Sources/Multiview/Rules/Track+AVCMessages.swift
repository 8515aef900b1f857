// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Track {
  /// The messages before the first picture of H.264, of which nothing else is read; empty for other codecs. They are coded as
  /// those of HEVC are, in units with a header of one byte. ISO/IEC 14496-10, 7.3.2.3
  var messagesOfAVC: [SEIMessage] {
    guard isAVC, let sample = describing?.first ?? firstSample else { return [] }
    let units: [AVCUnit]
    do { units = try firstUnitsOfAVC(in: sample) } catch { return [] }
    return units.filter { $0.type == 6 }.flatMap { unit in
      let other: [UInt8] = [0x4E, 0x01] + unit.body.array
      return NALUnit(ByteView(other))?.seiMessages().messages ?? []
    }
  }
}
