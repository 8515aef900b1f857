// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Multiview
import TestSupport
import Testing

/// The access units of raw streams against another tool's packets: where each begins, how long it is, and whether
/// decoding may begin with it.
@Suite(.enabled(if: Corpus.isPresent)) struct StreamPacketTests {
  @Test func accessUnitsAreTheirPackets() throws {
    var files = 0, compared = 0
    for name in Corpus.files(with: "ffprobe.packets.csv")
    where [".hevc", ".bit"].contains(where: name.hasSuffix) {
      let bytes = Corpus.bytes(name)
      let movie = try MovieFile(source: MemoryBytes(bytes))
      let track = try #require(movie.tracks.first)
      var units: [(start: Int, isKey: Bool)] = []
      _ = try track.forEachAccessUnit { places, _ in
        guard let first = places.units.first else { return true }
        // The start code belongs to what follows it, with the zero before it.
        var start = Int(first.range.lowerBound) - 3
        if start > 0, bytes[start - 1] == 0 { start -= 1 }
        let pictures = places.units.filter { $0.startsPicture && $0.header.layerID == 0 }
        units.append((start, pictures.first?.header.type.isRandomAccessPoint == true))
        return true
      }
      let packets = PacketReading.packets(of: name)
      #expect(units.count == packets.count, "\(name)")
      for (index, packet) in packets.enumerated() where index < units.count {
        let end = index + 1 < units.count ? units[index + 1].start : bytes.count
        #expect(packet.position == Int64(units[index].start), "\(name) access unit \(index)")
        #expect(packet.size == Int64(end - units[index].start), "\(name) access unit \(index)")
        #expect(packet.isKey == units[index].isKey, "\(name) access unit \(index)")
        compared += 1
      }
      files += 1
    }
    print("\(files) raw streams, \(compared) access units where ffprobe has its packets")
    #expect(files >= 20 && compared > 300)
  }
}
