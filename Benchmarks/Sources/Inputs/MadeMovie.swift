// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A movie that is made for measuring.
struct MadeMovie {
  /// Everything before the bytes of samples.
  var head: [UInt8]
  /// The number of bytes of samples that follow.
  var mediaSize: UInt64 = 0
  /// Returns these bytes piece by piece; `nil` if they are never read, so that the file has a hole there.
  var media: ((_ write: ([UInt8]) -> Void) -> Void)?

  /// The size of the file in bytes.
  var size: UInt64 { UInt64(head.count) + mediaSize }
}

extension MadeMovie {
  /// Makes a movie of one track with a number of samples, and tables of full size.
  static func samples(_ count: Int) -> MadeMovie {
    movie(trackCount: 1) { _, offset in TrackPlan(sampleCount: count, firstOffset: offset) }
  }

  /// Makes a movie with a number of tracks of ten samples.
  static func tracks(_ count: Int) -> MadeMovie {
    movie(trackCount: count) { index, offset in
      TrackPlan(
        id: UInt32(index + 1), sampleCount: 10, samplesPerChunk: 10, firstOffset: offset, size: { _ in 100 })
    }
  }

  /// Makes a movie with a number of fragments of 30 samples; all of it is `head`.
  static func fragments(_ count: Int) -> MadeMovie {
    var writer = BoxWriter()
    fileType(&writer)
    writer.box("moov") { writer in
      movieHeader(&writer, duration: 0, nextTrack: 2)
      TrackPlan(sampleCount: 0).write(to: &writer)
      writer.box("mvex") { writer in
        writer.fullBox("trex") { $0.words(1, 1, 20, 0, 0x101_0000) }
      }
    }
    for fragment in 0..<count { write(fragment, &writer) }
    return MadeMovie(head: writer.bytes)
  }

  private static func write(_ fragment: Int, _ writer: inout BoxWriter) {
    let rows = 0..<30
    let sizes = rows.map { 100 + (fragment * rows.count + $0) % 50 }
    writer.box("moof") { writer in
      writer.fullBox("mfhd") { $0.u32(UInt32(fragment + 1)) }
      writer.box("traf") { writer in
        writer.fullBox("tfhd", flags: 0x2_0000) { $0.u32(1) }
        writer.fullBox("tfdt", version: 1) { $0.u64(UInt64(fragment * 600)) }
        writer.fullBox("trun", version: 1, flags: 0xA05) { writer in
          // The samples begin after this `moof` (92 bytes and the rows) and the header of the `mdat`.
          writer.words(UInt32(rows.count), UInt32(92 + 8 * rows.count + 8), 0x200_0000)
          for row in rows {
            writer.u32(UInt32(sizes[row]))
            writer.i32(TrackPlan.compositionOffset(row))
          }
        }
      }
    }
    writer.box("mdat") { $0.zeros(sizes.reduce(0, +)) }
  }

  /// A movie whose `moov` comes first, so that the offsets of its samples depend on its length.
  static func movie(trackCount: Int, _ plan: (_ index: Int, _ offset: UInt64) -> TrackPlan) -> MadeMovie {
    func make(_ start: UInt64) -> (head: [UInt8], end: UInt64) {
      var writer = BoxWriter()
      var offset = start
      fileType(&writer)
      writer.box("moov") { writer in
        movieHeader(&writer, duration: UInt32(plan(0, 0).sampleCount * 20), nextTrack: UInt32(trackCount + 1))
        for index in 0..<trackCount {
          let track = plan(index, offset)
          track.write(to: &writer)
          offset = track.end
        }
      }
      writer.u32(1)
      writer.code("mdat")
      writer.u64(offset - start + 16)
      return (writer.bytes, offset)
    }
    let start = UInt64(make(0).head.count)
    let (head, end) = make(start)
    return MadeMovie(head: head, mediaSize: end - start)
  }

  static func fileType(_ writer: inout BoxWriter) {
    writer.box("ftyp") { writer in
      writer.code("isom")
      writer.u32(512)
      for brand in ["isom", "iso2", "mp41"] as [FourCC] { writer.code(brand) }
    }
  }

  static func movieHeader(
    _ writer: inout BoxWriter, timescale: UInt32 = 600, duration: UInt32, nextTrack: UInt32
  ) {
    writer.fullBox("mvhd") { writer in
      writer.words(0, 0, timescale, duration, 0x1_0000)
      writer.u16(0x100)
      writer.zeros(10)
      TrackPlan.matrix(&writer)
      writer.zeros(24)
      writer.u32(nextTrack)
    }
  }
}
