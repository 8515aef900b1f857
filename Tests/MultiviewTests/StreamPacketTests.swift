// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Multiview
import TestSupport
import Testing

/// The access units of raw streams against another tool's packets: where each begins, and so how long it is, and
/// whether decoding may begin with it.
///
/// That tool begins a packet where parameter sets, a delimiter or a message is between the two pictures of one
/// access unit, and joins the second picture to the next; and it makes a packet of an end of sequence. Both pictures
/// have one picture order count, and an end belongs to what it ends: ISO/IEC 23008-2, F.7.4.2.4.4.
@Suite(.enabled(if: Corpus.isPresent)) struct StreamPacketTests {
  /// The access units of a stream, by where they begin.
  struct Units {
    /// Whether decoding may begin with the access unit that begins there.
    var isKey: [Int64: Bool] = [:]
    /// Where units of the base layer that are not pictures begin, inside access units.
    var insertions: Set<Int64> = []
  }

  @Test func accessUnitsAreTheirPackets() throws {
    var files = 0, equal = 0, divided = 0
    for name in Corpus.files(with: "ffprobe.packets.csv")
    where [".hevc", ".bit"].contains(where: name.hasSuffix) {
      let units = try units(of: Corpus.bytes(name))
      let packets = PacketReading.packets(of: name)
      var isInserted = false
      for packet in packets {
        let start = try #require(packet.position)
        if let isKey = units.isKey[start] {
          equal += 1
          isInserted = false
          #expect(packet.isKey == isKey, "\(name) at \(start)")
        } else {
          divided += 1
          isInserted = true
          #expect(units.insertions.contains(start), "\(name) at \(start)")
        }
        // What a packet hides: the beginnings of access units after one that was divided.
        let inside = start..<(start + (packet.size ?? 0))
        let hidden = units.isKey.keys.filter { $0 > start && inside.contains($0) }
        #expect(hidden.isEmpty || isInserted, "\(name) at \(start)")
      }
      files += 1
    }
    print(
      "\(files) raw streams, \(equal) access units where ffprobe has a packet, \(divided) that it divides")
    #expect(files >= 20 && equal > 500)
  }

  private func units(of bytes: ByteView) throws -> Units {
    /// The start code belongs to what follows it, with the zero before it.
    func start(of place: NALUnitPlace) -> Int64 {
      let code = Int(place.range.lowerBound) - 3
      return Int64(code > 0 && bytes[code - 1] == 0 ? code - 1 : code)
    }
    var units = Units()
    let movie = try MovieFile(source: MemoryBytes(bytes))
    let track = try #require(movie.tracks.first)
    try track.forEachAccessUnit { places, _ in
      guard let first = places.units.first else { return true }
      units.isKey[start(of: first)] = places.units.contains {
        $0.header.layerID == 0 && $0.header.type.isRandomAccessPoint
      }
      for place in places.units.dropFirst()
      where place.header.layerID == 0 && place.header.type.rawValue >= 32 {
        units.insertions.insert(start(of: place))
      }
      return true
    }
    return units
  }
}
