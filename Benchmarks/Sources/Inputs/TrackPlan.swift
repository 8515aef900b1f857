// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The plan of a track: legal tables whose rows differ, so that none of them is short.
struct TrackPlan {
  var id: UInt32 = 1
  var sampleCount: Int
  var samplesPerChunk = 4
  /// The offset of the first sample; the others follow without gaps.
  var firstOffset: UInt64 = 0
  var size: (Int) -> Int = { 4_000 + ($0 * 7_919) % 3_001 }
  var sampleEntry: (inout BoxWriter) -> Void = TrackPlan.plainEntry

  /// The end of the media data.
  var end: UInt64 { (0..<sampleCount).reduce(firstOffset) { $0 + UInt64(size($1)) } }

  func write(to writer: inout BoxWriter) {
    let duration = UInt32(sampleCount * 20)
    writer.box("trak") { writer in
      writer.fullBox("tkhd", flags: 7) { writer in
        writer.words(0, 0, id, 0, duration, 0, 0, 0, 0)
        Self.matrix(&writer)
        writer.words(320 << 16, 180 << 16)
      }
      writer.box("mdia") { writer in
        writer.fullBox("mdhd") { $0.words(0, 0, 600, duration, 0x55C4_0000) }
        writer.fullBox("hdlr") { writer in
          writer.u32(0)
          writer.code("vide")
          writer.zeros(12)
          writer.raw([0x76, 0])
        }
        writer.box("minf") { writer in
          writer.fullBox("vmhd", flags: 1) { $0.zeros(8) }
          Self.dataInformation(&writer)
          writer.box("stbl", writeTables)
        }
      }
    }
  }

  private func writeTables(_ writer: inout BoxWriter) {
    writer.fullBox("stsd") { writer in
      writer.u32(1)
      sampleEntry(&writer)
    }
    writer.fullBox("stts") { writer in
      writer.u32(UInt32((sampleCount + 1) / 2))
      for row in 0..<(sampleCount + 1) / 2 {
        writer.words(2 * row + 1 < sampleCount ? 2 : 1, 20 + UInt32(row & 1))
      }
    }
    writer.fullBox("ctts", version: 1) { writer in
      writer.u32(UInt32(sampleCount))
      for index in 0..<sampleCount {
        writer.u32(1)
        writer.i32(Self.compositionOffset(index))
      }
    }
    writer.fullBox("stss") { writer in
      writer.u32(UInt32((sampleCount + 29) / 30))
      for index in stride(from: 0, to: sampleCount, by: 30) { writer.u32(UInt32(index + 1)) }
    }
    let (fullChunks, rest) = sampleCount.quotientAndRemainder(dividingBy: samplesPerChunk)
    writer.fullBox("stsc") { writer in
      writer.u32((fullChunks > 0 ? 1 : 0) + (rest > 0 ? 1 : 0))
      if fullChunks > 0 { writer.words(1, UInt32(samplesPerChunk), 1) }
      if rest > 0 { writer.words(UInt32(fullChunks + 1), UInt32(rest), 1) }
    }
    writer.fullBox("stsz") { writer in
      writer.words(0, UInt32(sampleCount))
      for index in 0..<sampleCount { writer.u32(UInt32(size(index))) }
    }
    writer.fullBox("co64") { writer in
      writer.u32(UInt32(fullChunks + (rest > 0 ? 1 : 0)))
      var offset = firstOffset
      for index in 0..<sampleCount {
        if index % samplesPerChunk == 0 { writer.u64(offset) }
        offset += UInt64(size(index))
      }
    }
  }

  /// The composition offset of a picture; the presentation order differs from the decoding order.
  static func compositionOffset(_ index: Int) -> Int32 { [40, 0, -40, 20][index & 3] }

  /// The samples are in the file itself.
  static func dataInformation(_ writer: inout BoxWriter) {
    writer.box("dinf") { writer in
      writer.fullBox("dref") { writer in
        writer.u32(1)
        writer.fullBox("url ", flags: 1) { _ in }
      }
    }
  }

  static func matrix(_ writer: inout BoxWriter) {
    writer.words(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000)
  }

  /// A sample entry of a type, with the boxes that `content` writes.
  static func entry(_ type: FourCC, _ writer: inout BoxWriter, _ content: (inout BoxWriter) -> Void) {
    writer.box(type) { writer in
      writer.zeros(6)
      writer.u16(1)
      writer.zeros(16)
      writer.u16(320)
      writer.u16(180)
      writer.words(0x48_0000, 0x48_0000, 0)
      writer.u16(1)
      writer.zeros(32)
      writer.u16(24)
      writer.u16(0xFFFF)
      content(&writer)
    }
  }

  static func plainEntry(_ writer: inout BoxWriter) { entry("mp4v", &writer) { _ in } }
}
