// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension MadeMovie {
  /// Makes a movie with a number of samples of uncompressed sound, 4 bytes each, in chunks of 4096: tables that take
  /// a few rows however many samples there are.
  static func sound(_ count: Int) -> MadeMovie {
    let start = UInt64(sound(count, from: 0).count)
    return MadeMovie(head: sound(count, from: start), mediaSize: UInt64(count) * 4)
  }

  private static func sound(_ count: Int, from start: UInt64) -> [UInt8] {
    var writer = BoxWriter()
    fileType(&writer)
    writer.box("moov") { writer in
      movieHeader(&writer, timescale: 48_000, duration: UInt32(count), nextTrack: 2)
      writer.box("trak") { writer in
        writer.fullBox("tkhd", flags: 7) { writer in
          writer.words(0, 0, 1, 0, UInt32(count), 0, 0, 0, 0x100_0000)
          TrackPlan.matrix(&writer)
          writer.words(0, 0)
        }
        writer.box("mdia") { writer in
          writer.fullBox("mdhd") { $0.words(0, 0, 48_000, UInt32(count), 0x55C4_0000) }
          writer.fullBox("hdlr") { writer in
            writer.u32(0)
            writer.code("soun")
            writer.zeros(13)
          }
          writer.box("minf") { writer in
            writer.fullBox("smhd") { $0.zeros(4) }
            TrackPlan.dataInformation(&writer)
            writer.box("stbl") { soundTables(count, from: start, &$0) }
          }
        }
      }
    }
    writer.u32(1)
    writer.code("mdat")
    writer.u64(UInt64(count) * 4 + 16)
    return writer.bytes
  }

  private static func soundTables(_ count: Int, from start: UInt64, _ writer: inout BoxWriter) {
    let (chunks, rest) = count.quotientAndRemainder(dividingBy: 4_096)
    writer.fullBox("stsd") { writer in
      writer.u32(1)
      writer.box("sowt") { writer in
        writer.zeros(6)
        writer.u16(1)
        writer.zeros(8)
        writer.u16(2)
        writer.u16(16)
        writer.words(0, 48_000 << 16)
      }
    }
    writer.fullBox("stts") { $0.words(1, UInt32(count), 1) }
    writer.fullBox("stsc") { writer in
      writer.u32((chunks > 0 ? 1 : 0) + (rest > 0 ? 1 : 0))
      if chunks > 0 { writer.words(1, 4_096, 1) }
      if rest > 0 { writer.words(UInt32(chunks + 1), UInt32(rest), 1) }
    }
    writer.fullBox("stsz") { $0.words(4, UInt32(count)) }
    writer.fullBox("co64") { writer in
      writer.u32(UInt32(chunks + (rest > 0 ? 1 : 0)))
      for chunk in 0..<(chunks + (rest > 0 ? 1 : 0)) { writer.u64(start + UInt64(chunk) * 4_096 * 4) }
    }
  }
}
