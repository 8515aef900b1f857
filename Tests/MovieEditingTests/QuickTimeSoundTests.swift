// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import MovieCases
import Multiview
import Testing

@testable import MovieEditing

@Suite struct QuickTimeSoundTests {
  /// A rate of version 2 of QuickTime is a floating-point number, which need not be one that a field of integers has.
  @Test(
    arguments: [
      (44_100, 44_100), (8_000, 8_000), (65_535, 65_535), (96_000, 0), (44_100.25, 44_100), (-1, 0),
      (1e300, 0),
      (.nan, 0),
      (.infinity, 0),
    ] as [(Double, UInt32)])
  func ratesOfVersion2(rate: Double, wanted: UInt32) throws {
    let bits = rate.bitPattern
    let common =
      [0, 0, 0, 0, 0, 0, 0, 1] + u16(2) + u16(0) + u32(0) + u16(3) + u16(16) + i16(-2) + u16(0) + u32(0x10000)
    let format =
      u32(72) + u32(UInt32(bits >> 32)) + u32(UInt32(truncatingIfNeeded: bits)) + u32(2) + u32(0x7F00_0000)
      + u32(16)
      + u32(0) + u32(0) + u32(1_024)
    let wave = box("wave", box("frma", code("mp4a")), fullBox("esds", [3, 0]), u32(8) + u32(0))
    let stsd = fullBox("stsd", u32(1), box("mp4a", common, format, wave))
    let tree = BoxTree(
      ByteView(
        box(
          "moov",
          box(
            "trak",
            box(
              "mdia", fullBox("hdlr", u32(0), code("soun"), [UInt8](repeating: 0, count: 13)),
              box("minf", box("stbl", stsd)))))),
      registry: .standard)
    let entry = try #require(tree["moov/trak/mdia/minf/stbl/stsd/mp4a"])
    #expect(entry.payload(AudioSampleEntry.self)?.form == .quickTimeVersion2)
    let plain = entry.sampleEntry(forQuickTime: false)
    let sound = try #require(plain.payload(AudioSampleEntry.self))
    #expect(sound.form == .basic && sound.sampleRate == wanted << 16 && sound.channelCount == 2)
    #expect(plain.children.map(\.type) == ["esds"])
  }
}
