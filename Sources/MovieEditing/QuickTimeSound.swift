// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

extension Track {
  /// One of its sample entries as new tables of its samples need it.
  ///
  /// - Parameter isQuickTime: whether it gets the form of QuickTime movies or that of MP4; `nil` to keep its form.
  func newEntry(_ entry: Box, forQuickTime isQuickTime: Bool?) throws(EditError) -> Box {
    var new = isQuickTime.map { entry.sampleEntry(forQuickTime: $0) } ?? entry
    do throws(ParseError) { try soundPackets?.describe(&new) } catch {
      throw .refused(error, of: "the sample entry \(entry.type) of track \(id) cannot be changed")
    }
    return new
  }
}

extension Box {
  /// The sample entry as movies of a brand have it: Apple's systems expect AAC in a QuickTime movie in the form of QuickTime, and
  /// readers of MP4 do not know that form.
  func sampleEntry(forQuickTime isQuickTime: Bool) -> Box {
    isQuickTime ? isPlainAAC ? inQuickTimeForm ?? self : self : inPlainForm ?? self
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
      UInt32(body.count + 8).bigEndianBytes + Array(type.utf8) + body
    }
    do throws(ParseError) {
      let terminator: [UInt8] = [0, 0, 0, 8, 0, 0, 0, 0]
      let inner =
        box("frma", Array("mp4a".utf8)) + box("mp4a", [0, 0, 0, 0]) + (try descriptor.encoded()) + terminator
      guard let wave = Box(reading: box("wave", inner)) else { return nil }
      return sampleEntry(entry, children: [wave], insteadOf: "esds")
    } catch { return nil }
  }

  /// A sample entry of AAC or ALAC in the form of MP4: version 0, with the configuration of the decoder directly in it; `nil` if
  /// it has another form. ISO/IEC 14496-12, 12.2.3
  private var inPlainForm: Box? {
    let configurations: [FourCC: FourCC] = ["mp4a": "esds", "alac": "alac"]
    guard var entry = payload(AudioSampleEntry.self), entry.form != .basic,
      let configuration = configurations[type].flatMap({ first("wave")?.first($0) })
    else { return nil }
    if let format = entry.linearFormat {
      entry.channelCount = UInt16(clamping: format.channelCount)
      entry.sampleSize = 16
      // A rate that does not fit is in the configuration.
      let rate = UInt32(exactly: format.sampleRate.rounded()) ?? 0
      entry.sampleRate = rate < 65_536 ? rate << 16 : 0
    }
    (entry.entryVersion, entry.form, entry.compressionID) = (0, .basic, 0)
    (entry.packetSizes, entry.linearFormat) = (nil, nil)
    return sampleEntry(entry, children: [configuration], insteadOf: "wave")
  }

  private func sampleEntry(_ entry: AudioSampleEntry, children new: [Box], insteadOf type: FourCC) -> Box {
    Box(
      self.type, entry, children: new + children.filter { $0.type != type }, in: .audioSampleDescription,
      registry: .standard)
  }
}
