// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

extension Box {
  /// The sample entry as movies of a brand have it: Apple's systems expect AAC in a QuickTime movie in the form of QuickTime.
  func sampleEntry(forQuickTime isQuickTime: Bool) -> Box {
    isQuickTime && isPlainAAC ? inQuickTimeForm ?? self : self
  }

  /// A sample entry of MPEG-4 sound in the form of QuickTime: version 1, with the descriptor in `wave`; `nil` if the
  /// entry cannot be read. QuickTime File Format, Sound Sample Description (Version 1) and siDecompressionParam Atom
  var inQuickTimeForm: Box? {
    guard var entry = payload(AudioSampleEntry.self), let descriptor = first("esds") else { return nil }
    entry.entryVersion = 1
    entry.form = .quickTimeVersion1
    // Packets vary in size.
    entry.compressionID = -2
    var sizes = AudioSampleEntry.PacketSizes()
    sizes.samplesPerPacket = 1_024
    sizes.bytesPerSample = UInt32(max(1, entry.sampleSize / 8))
    entry.packetSizes = sizes
    func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
      let size = UInt32(body.count + 8)
      return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * UInt32($0))) } + Array(type.utf8)
        + body
    }
    do throws(ParseError) {
      let terminator: [UInt8] = [0, 0, 0, 8, 0, 0, 0, 0]
      let inner =
        box("frma", Array("mp4a".utf8)) + box("mp4a", [0, 0, 0, 0]) + (try descriptor.encoded()) + terminator
      guard let wave = Box(reading: box("wave", inner)) else { return nil }
      let others = children.filter { $0.type != "esds" }
      return Box(type, entry, children: [wave] + others, in: .audioSampleDescription, registry: .standard)
    } catch { return nil }
  }
}
