// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import ISOBMFF
import MovieCases
import Multiview
import TestSupport
import Testing

/// Sound of QuickTime movies whose tables count frames, not packets. What is written is read by `PlainPresentation`, which takes
/// tables as they are.
@Suite struct SoundPacketTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A form of sound, and the packets that it has.
  struct Form: Sendable, CustomTestStringConvertible {
    var name: String
    var type: FourCC
    var version: UInt16
    var channels: UInt16 = 2
    /// The frames and bytes of a packet.
    var frames = 1, bytes: Int
    /// The size that `stsz` gives every frame.
    var statedSize: UInt32 = 1
    var testDescription: String { name }

    static let all = [
      Form(name: "IMA, version 1", type: "ima4", version: 1, frames: 64, bytes: 68),
      Form(
        name: "IMA, version 1, another size", type: "ima4", version: 1, frames: 64, bytes: 68, statedSize: 4),
      Form(name: "IMA, version 0", type: "ima4", version: 0, channels: 1, frames: 64, bytes: 34),
      Form(name: "IMA of two channels, version 0", type: "ima4", version: 0, frames: 64, bytes: 68),
      Form(name: "MACE", type: "MAC3", version: 0, frames: 6, bytes: 4),
      Form(name: "MACE 6:1", type: "MAC6", version: 0, frames: 6, bytes: 2),
      Form(name: "16 bits", type: "twos", version: 0, bytes: 4),
      Form(name: "µ-law", type: "ulaw", version: 0, bytes: 2),
    ]

    var entry: [UInt8] {
      let common =
        [0, 0, 0, 0, 0, 0, 0, 1] + u16(version) + u16(0) + u32(0) + u16(channels) + u16(16) + u16(0) + u16(0)
        + u32(22_050 << 16)
      let sizes = [frames, bytes / Int(channels), bytes, 2].flatMap { u32(UInt32($0)) }
      return box(type, common, version == 1 ? sizes : [])
    }

    func packet(_ index: Int) -> [UInt8] {
      (0..<bytes).map { $0 < 2 ? UInt8(truncatingIfNeeded: index >> (8 * $0)) : UInt8($0) }
    }
  }

  /// A movie of sound in two chunks that do not touch, of 300 and 45 packets.
  private func movie(_ form: Form) throws -> String {
    let chunks = [300, 45]
    let start = UInt32(8 + 8 + 8)
    var media: [UInt8] = [], places: [UInt32] = [], count = 0
    for chunk in chunks {
      media += [UInt8](repeating: 0xEE, count: 100)
      places.append(start + UInt32(media.count))
      for _ in 0..<chunk {
        media += form.packet(count)
        count += 1
      }
    }
    let frames = UInt32(count * form.frames)
    let identity = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap { u32($0) }
    let mvhd = fullBox(
      "mvhd", u32(0), u32(0), u32(22_050), u32(frames), u32(0x10000), u16(0x100),
      [UInt8](repeating: 0, count: 10), identity, [UInt8](repeating: 0, count: 24), u32(2))
    let tkhd = fullBox(
      "tkhd", flags: 3, u32(0), u32(0), u32(1), u32(0), u32(frames), [UInt8](repeating: 0, count: 12),
      u16(0x100), u16(0), identity, u32(0), u32(0))
    let mdhd = fullBox("mdhd", u32(0), u32(0), u32(22_050), u32(frames), u16(0), u16(0))
    let hdlr = fullBox("hdlr", code("mhlr"), code("soun"), [UInt8](repeating: 0, count: 13))
    let rows = chunks.enumerated().flatMap {
      u32(UInt32($0.offset + 1)) + u32(UInt32($0.element * form.frames)) + u32(1)
    }
    let stbl = box(
      "stbl", fullBox("stsd", u32(1), form.entry), fullBox("stts", u32(1), u32(frames), u32(1)),
      fullBox("stsc", u32(2), rows), fullBox("stsz", u32(form.statedSize), u32(frames)),
      fullBox("stco", u32(2), places.flatMap { u32($0) }))
    let dinf = box("dinf", fullBox("dref", u32(1), fullBox("alis", flags: 1)))
    let minf = box("minf", fullBox("smhd", u32(0)), dinf, stbl)
    let moov = box("moov", mvhd, box("trak", tkhd, box("mdia", mdhd, hdlr, minf)))
    let file = box("ftyp", code("qt  "), u32(0)) + box("mdat", media) + moov
    return try folder.write("\(form.type).mov", file)
  }

  @Test(arguments: Form.all) func samplesArePackets(form: Form) throws {
    let track = try #require(try MovieFile(path: try movie(form)).tracks.first)
    let samples = Array(try track.samples())
    #expect(track.sampleCount == 345 && samples.count == 345)
    #expect(samples.allSatisfy { Int($0.size) == form.bytes && $0.duration == Int64(form.frames) })
    #expect(samples[0].offset == 124 && samples[300].offset == UInt64(224 + 300 * form.bytes))
  }

  /// What is written has every packet of the part, and its tables count packets.
  @Test(arguments: Form.all) func packetsAreCutAndJoined(form: Form) throws {
    let source = try movie(form)
    func spans(_ path: String) throws -> [PlainPresentation.Span] {
      let bytes = try #require(contents(path))
      return try #require(PlainPresentation(bytes).first("soun")).spans
    }
    let all = (0..<345).map(form.packet)
    let (part, rest) = (folder.path + "/part.mov", folder.path + "/rest.mov")
    let middle = Double(120 * form.frames) / 22_050
    for (range, path) in [(["--to", "\(middle)"], part), (["--from", "\(middle)"], rest)] {
      let run = mvedit(["trim"] + range + ["-o", path, source])
      #expect(run.code == .success, "\(run.errors)")
    }
    let (first, second) = (try spans(part).map(\.bytes), try spans(rest).map(\.bytes))
    #expect(first.count + second.count >= 345 && first == Array(all.prefix(first.count)))
    #expect(second == Array(all.suffix(second.count)))
    for (command, end) in [("join", ".mov"), ("fragment", ".mov"), ("flatten", "-flat.mov")] {
      let output = folder.path + "/\(command)\(end)"
      let inputs = ["join": [part, rest], "fragment": [source], "flatten": [folder.path + "/fragment.mov"]]
      let run = mvedit([command, "-o", output] + (inputs[command] ?? []))
      #expect(run.code == .success, "\(command): \(run.errors)")
      let written = try spans(output).map(\.bytes)
      #expect(written.count >= 345 && Set(written) == Set(all), "\(command)")
      #expect(Array(written.suffix(225)) == Array(all.suffix(225)), "\(command)")
      let entry = try MovieFile(path: output).tracks[0].formatDescriptions[0].box
      let sound = try #require(entry.payload(AudioSampleEntry.self))
      #expect((sound.compressionID == -2) == (form.frames > 1), "\(command)")
      #expect(sound.packetSizes.map { Int($0.bytesPerFrame) } ?? form.bytes == form.bytes, "\(command)")
    }
  }

  /// In the movie of a stream, too.
  @Test(arguments: Form.all) func packetsComeIntoAMovie(form: Form) throws {
    let output = folder.path + "/muxed.mov"
    let run = mvedit(
      "mux", "--fps", "30", "--audio", try movie(form), "-o", output, Fixtures.path("two-views.hevc"))
    #expect(run.code == .success, "\(run.errors)")
    let bytes = try #require(contents(output))
    let spans = try #require(PlainPresentation(bytes).first("soun")).spans
    #expect(spans.map(\.bytes) == (0..<345).map(form.packet))
  }

  /// A change of tags keeps the tables as they are.
  @Test func tablesAreKept() throws {
    let source = try movie(Form.all[0]), output = folder.path + "/tagged.mov"
    #expect(
      mvedit("tag", "--key", "com.apple.quicktime.title=A title", "-o", output, source).code == .success)
    func tables(_ path: String) throws -> [PlainBox?] {
      let bytes = try #require(contents(path))
      let moov = PlainBox.boxes(bytes[...]).first { $0.type == "moov" }
      let stbl = moov?["trak/mdia/minf/stbl"]
      return ["stsd", "stts", "stsc", "stsz"].map { stbl?[$0] }
    }
    #expect(try tables(output) == tables(source))
    #expect(try MovieFile(path: output).tracks[0].samples().count == 345)
  }
}
