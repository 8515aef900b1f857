// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// The packets of a QuickTime sound track whose tables do not count them.
///
/// In their original form, the tables of sound count frames (a value of each channel), whatever size `stsz` gives them: how many
/// bytes a chunk has follows from the codec, or from the sizes of packets in the sample entry. A compression ID
/// of -2 marks tables that count packets. QuickTime File Format, Sound Sample Descriptions, Redefined Sample Tables
///
/// Samples are the packets in both cases, so that they can be read, cut and written like those of any track.
package struct SoundPackets: Hashable, Sendable {
  /// The number of frames in a packet, at least 1.
  package let frames: UInt32
  /// The number of bytes in a packet, at least 1.
  package let bytes: UInt32

  /// `nil` if the tables of a `stbl` count packets, or if it cannot be determined how large packets are.
  package init?(_ stbl: Box) {
    guard let entries = stbl.first("stsd")?.children, let first = entries.first,
      let packet = Self.packet(of: first), entries.allSatisfy({ Self.packet(of: $0) == packet }),
      let sizes = stbl.first(SampleSizeBox.self), sizes.sampleSize > 0, sizes.sampleCount > 0,
      let times = stbl.first(TimeToSampleBox.self)?.entries, times.count == 1, times[0].sampleDelta == 1,
      packet.frames > 1 || sizes.sampleSize == 1 && packet.bytes > 1
    else { return nil }
    self = packet
  }

  private init?(frames: UInt32, bytes: UInt32) {
    guard frames > 0, bytes > 0 else { return nil }
    (self.frames, self.bytes) = (frames, bytes)
  }

  /// The packets that a sample entry describes, unless the tables count them.
  private static func packet(of box: Box) -> SoundPackets? {
    guard let entry = box.payload(AudioSampleEntry.self), entry.compressionID != -2 else { return nil }
    if let sizes = entry.packetSizes {
      return SoundPackets(frames: sizes.samplesPerPacket, bytes: sizes.bytesPerFrame)
    }
    guard entry.form == .basic, entry.entryVersion == 0 else { return nil }
    let channels = UInt32(entry.channelCount)
    return switch box.type {
    case "ima4": SoundPackets(frames: 64, bytes: 34 * channels)
    case "MAC3": SoundPackets(frames: 6, bytes: 2 * channels)
    case "MAC6": SoundPackets(frames: 6, bytes: channels)
    case "ulaw", "alaw": SoundPackets(frames: 1, bytes: channels)
    case "raw ", "NONE", "twos", "sowt":
      SoundPackets(frames: 1, bytes: UInt32(entry.sampleSize) / 8 * channels)
    case "in24": SoundPackets(frames: 1, bytes: 3 * channels)
    case "in32", "fl32": SoundPackets(frames: 1, bytes: 4 * channels)
    case "fl64": SoundPackets(frames: 1, bytes: 8 * channels)
    default: nil
    }
  }

  /// The number of packets that hold a number of frames.
  package func count<Count: BinaryInteger>(ofFrames count: Count) -> Count {
    count / Count(frames) + (count % Count(frames) == 0 ? 0 : 1)
  }

  /// Makes a sample entry that says that the tables count packets.
  package func describe(_ box: inout Box) throws(ParseError) {
    // The tables of uncompressed sound count frames, which are its packets.
    guard frames > 1 else { return }
    try box.edit(AudioSampleEntry.self) { entry in
      if entry.packetSizes == nil {
        var sizes = AudioSampleEntry.PacketSizes()
        sizes.samplesPerPacket = frames
        sizes.bytesPerPacket = bytes / UInt32(max(1, entry.channelCount))
        sizes.bytesPerFrame = bytes
        sizes.bytesPerSample = 2
        entry.packetSizes = sizes
        entry.form = .quickTimeVersion1
        entry.entryVersion = 1
      }
      entry.compressionID = -2
    }
  }
}

extension SampleTableContents {
  /// Lets the tables count the packets of sound instead of its frames. A packet that a chunk ends within is whole in the file.
  mutating func count(_ packets: SoundPackets) {
    guard var sizes = sampleSize, let runs = sampleToChunk?.entries else { return }
    let chunks = chunkOffset?.entries.count ?? chunkLargeOffset?.entries.count ?? 0
    var rows = Array(runs)
    var total: UInt64 = 0
    for place in rows.indices {
      let end = place + 1 < rows.count ? rows[place + 1].firstChunk : UInt32(clamping: chunks + 1)
      let inChunk = packets.count(ofFrames: rows[place].samplesPerChunk)
      total &+= UInt64(end &- min(end, rows[place].firstChunk)) &* UInt64(inChunk)
      rows[place].samplesPerChunk = inChunk
    }
    let areAllWhole = runs.allSatisfy { $0.samplesPerChunk % packets.frames == 0 }
    let count = areAllWhole ? packets.count(ofFrames: sizes.sampleCount) : UInt32(clamping: total)
    sizes.sampleCount = count
    sizes.sampleSize = packets.bytes
    sampleSize = sizes
    sampleToChunk?.entries = .of(rows)
    timeToSample?.entries = .of([.init(sampleCount: count, sampleDelta: packets.frames)])
  }
}
