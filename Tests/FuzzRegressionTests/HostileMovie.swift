// swift-multiview · SPDX-License-Identifier: Apache-2.0

import AllocationCounter
import ByteCoding
import ISOBMFF
import Multiview
import TestSupport

/// Numbers and boxes put together byte by byte, as somebody would who means harm.
enum Raw {
  static func u16(_ values: Int...) -> [UInt8] {
    values.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
  }

  static func u32(_ values: Int...) -> [UInt8] { words(values) }

  static func words(_ values: [Int]) -> [UInt8] {
    values.flatMap { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
  }

  static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
    let body = content.flatMap { $0 }
    return u32(8 + body.count) + Array(type.utf8) + body
  }

  static func fullBox(_ type: String, version: Int = 0, flags: Int = 0, _ content: [UInt8]...) -> [UInt8] {
    box(type, u32(version << 24 | flags), content.flatMap { $0 })
  }
}

/// A track whose tables are what somebody wants them to be.
struct HostileTrack {
  var id = 1
  /// What the media are.
  var handler = "vide"
  /// The `stsd` box.
  var description = HostileTrack.hevcDescription
  /// The other boxes of the `stbl`.
  var tables: [UInt8] = []
  /// The `edts` box.
  var edits: [UInt8] = []
  /// The `tref` box.
  var references: [UInt8] = []
  /// The text of an `elng` box.
  var languageTag: String?

  /// That of a stereo movie, with lengths of four bytes.
  static let hevcDescription: [UInt8] = {
    let tree = BoxTree(Fixtures.bytes("spatial.mov"), registry: .standard)
    return tree["moov/trak[0]/mdia/minf/stbl/stsd"]?.bytes.array ?? []
  }()

  /// Samples of these sizes, each a chunk that begins at `offsets`.
  mutating func samples(sizes: [Int], offsets: [Int], delta: Int = 100) {
    tables =
      Raw.fullBox("stts", Raw.u32(1, sizes.count, delta))
      + Raw.fullBox("stsc", Raw.u32(1, 1, 1, 1))
      + Raw.fullBox("stsz", Raw.u32(0, sizes.count), Raw.words(sizes))
      + Raw.fullBox("stco", Raw.u32(offsets.count), Raw.words(offsets))
  }

  /// So many samples of equal size in one chunk, without a row for any.
  mutating func uniformSamples(_ count: Int, size: Int, offset: Int, compositionOffset: Int? = nil) {
    tables =
      Raw.fullBox("stts", Raw.u32(1, count, 1)) + Raw.fullBox("stsc", Raw.u32(1, 1, count, 1))
      + Raw.fullBox("stsz", Raw.u32(size, count)) + Raw.fullBox("stco", Raw.u32(1, offset))
    if let compositionOffset { tables += Raw.fullBox("ctts", Raw.u32(2, 1, 5, count - 1, compositionOffset)) }
  }

  var bytes: [UInt8] {
    let header = Raw.fullBox(
      "tkhd", flags: 3, Raw.u32(0, 0, id, 0, 0, 0, 0, 0, 0), Raw.u32(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0),
      Raw.u32(0x4000_0000, 64 << 16, 64 << 16))
    let media = Raw.box(
      "mdia", Raw.fullBox("mdhd", Raw.u32(0, 0, 600, 0, 0x55C4_0000)),
      Raw.fullBox("hdlr", Raw.u32(0), Array(handler.utf8), Raw.u32(0, 0, 0), [0]),
      Raw.box(
        "minf", Raw.fullBox("vmhd", flags: 1, Raw.u32(0, 0)), Raw.box("stbl", description, tables)),
      languageTag.map { Raw.fullBox("elng", Array($0.utf8), [0]) } ?? [])
    return Raw.box("trak", header, references, edits, media)
  }
}

/// A movie whose media data begin at byte ``mediaOffset``.
struct HostileMovie {
  static let mediaOffset = 32

  var tracks: [HostileTrack] = []
  var media: [UInt8] = []
  /// Boxes in the `moov` after the tracks.
  var more: [UInt8] = []
  /// Boxes after the `moov`.
  var fragments: [UInt8] = []

  var bytes: [UInt8] {
    Raw.box("ftyp", Array("qt  ".utf8), Raw.u32(0), Array("qt  ".utf8), Raw.u32(0)) + Raw.box("mdat", media)
      + Raw.box(
        "moov",
        Raw.fullBox(
          "mvhd", Raw.u32(0, 0, 600, 0, 0x1_0000, 0x100_0000, 0, 0, 0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0),
          Raw.u32(0x4000_0000, 0, 0, 0, 0, 0, 0, 100)),
        tracks.flatMap(\.bytes), more) + fragments
  }

  func opened(_ limits: Limits = .standard) throws -> MovieFile {
    try MovieFile(bytes: bytes, limits: limits)
  }
}

/// What something took of memory: the most at one time, and how often. Nothing where it is not counted.
func spent(_ body: () throws -> Void) rethrows -> (peak: Int, allocations: Int) {
  allocation_meter_reset()
  try body()
  let meter = allocation_meter_read()
  return (Int(clamping: meter.peak), Int(clamping: meter.count))
}
