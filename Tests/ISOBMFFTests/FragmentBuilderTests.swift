// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@testable import ISOBMFF

/// What is put into fragments is read from them again, and nothing is written that `trex` or `tfhd` say already.
@Suite struct FragmentBuilderTests {
  /// A sample with its track, as it was put in.
  private struct Put: Equatable {
    var track: UInt32
    var sample: Sample
  }

  private static func extends(_ track: UInt32, _ change: (inout TrackExtendsBox) -> Void = { _ in })
    -> TrackExtendsBox
  {
    var box = TrackExtendsBox()
    box.trackID = track
    change(&box)
    return box
  }

  /// Samples in the order of the media data: of one to three tracks, interleaved or not, with everything that varies or does not.
  private static func samples(seed: UInt64, times: inout [UInt32: Int64]) -> [Put] {
    var random = SeededGenerator(seed: seed)
    let tracks = UInt32(seed % 3 + 1)
    var description: UInt32 = 1
    var puts: [Put] = []
    var track: UInt32 = 1
    for _ in 0..<[0, 1, 2, 9, 120][Int(seed % 5)] {
      if UInt8.random(in: 0..<(seed % 2 == 0 ? 2 : 12), using: &random) == 0 {
        track = .random(in: 1...tracks, using: &random)
      }
      if seed % 7 == 3, UInt8.random(in: 0..<20, using: &random) == 0 { description = 3 - description }
      let duration: Int64 = seed % 4 == 0 ? .random(in: 0...3, using: &random) : 1_001
      let isSync = seed % 3 == 0 || UInt8.random(in: 0..<9, using: &random) == 0
      let sample = Sample(
        index: 0, decodeTime: times[track] ?? 0,
        compositionOffset: seed % 5 == 4 ? .random(in: -2...2, using: &random) * 1_001 : 0,
        duration: duration,
        offset: 0, size: seed % 6 == 1 ? 960 : .random(in: 0...5_000, using: &random),
        flags: isSync
          ? .sync
          : seed % 8 == 7
            ? SampleFlags(rawValue: .random(in: 0...UInt32.max, using: &random)) : .nonSync,
        descriptionIndex: description)
      times[track, default: 0] += duration
      puts.append(Put(track: track, sample: sample))
    }
    return puts
  }

  /// Divides samples where another track begins, and gives each the place at which its bytes are.
  private static func byTrack(_ puts: [Put]) -> [[Put]] {
    var parts: [[Put]] = []
    var offset: UInt64 = 0
    for var put in puts {
      put.sample.offset = offset
      offset += UInt64(put.sample.size)
      if parts.last?.last?.track == put.track {
        put.sample.index = (parts.last?.count ?? 0)
        parts[parts.count - 1].append(put)
      } else {
        parts.append([put])
      }
    }
    return parts
  }

  @Test(arguments: 0..<120) func readingGivesTheSamplesAgain(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 1_000)
    // Of the last track nothing is known beforehand.
    let known = (1...2).map { track in
      Self.extends(UInt32(track)) { box in
        box.defaultSampleDuration = [0, 1_001].randomElement(using: &random) ?? 0
        box.defaultSampleSize = [0, 960].randomElement(using: &random) ?? 0
        box.defaultSampleFlags = [.sync, .nonSync].randomElement(using: &random) ?? .sync
        box.defaultSampleDescriptionIndex = [1, 2].randomElement(using: &random) ?? 1
      }
    }
    var times: [UInt32: Int64] = [1: 0, 2: seed % 2 == 0 ? 77 : 1 << 33, 3: 5]
    var file: [UInt8] = rawBox("free", [UInt8](repeating: 0, count: Int(seed)))
    var wanted: [Put] = []
    // The whole of what was put in, computed apart from the builder: where each sample is.
    for number in 1...3 as ClosedRange<UInt32> {
      var builder = FragmentBuilder(sequenceNumber: number, extends: known)
      for (track, time) in times { builder.begin(track: track, at: UInt64(time)) }
      let puts = Self.samples(seed: seed &* 3 &+ UInt64(number), times: &times)
      var together = builder
      for put in puts { try builder.append(put.sample, toTrack: put.track) }
      // Samples of one track after another at once: the same boxes.
      for part in Self.byTrack(puts) {
        for uniform in UniformSamplesTests.together(part.map(\.sample)) {
          try together.append(uniform, toTrack: part[0].track)
        }
      }
      #expect(try together.header() == builder.header())
      #expect(builder.count == puts.count)
      let size = puts.reduce(0) { $0 + Int($1.sample.size) }
      #expect(builder.mediaByteCount == UInt64(size))
      file += try builder.header()
      for var put in puts {
        put.sample.offset = UInt64(file.count)
        put.sample.index = wanted.count { $0.track == put.track }
        wanted.append(put)
        file += [UInt8](repeating: UInt8(truncatingIfNeeded: wanted.count), count: Int(put.sample.size))
      }
    }
    let tree = BoxTree(ByteView(file))
    #expect(tree.diagnostics.isEmpty && tree.payloadDiagnostics().isEmpty)
    #expect(tree.boxes.map { "\($0.type)" } == ["free", "moof", "mdat", "moof", "mdat", "moof", "mdat"])
    var reader = FragmentedSamplesBuilder(
      extends: known + (wanted.contains { $0.track == 3 } ? [Self.extends(3)] : []))
    for moof in tree.boxes where moof.type == "moof" {
      reader.beginMovieFragment(at: UInt64(moof.offset))
      for traf in moof.all("traf") {
        try reader.append(trackFragment: traf.children, at: traf.offset, in: tree)
      }
    }
    #expect(reader.diagnostics.isEmpty)
    for track in 1...3 as ClosedRange<UInt32> {
      let samples = TrackSamples(fragments: reader.samples(ofTrack: track))
      #expect(UniformSamplesTests.each(of: samples) == Array(samples))
      let middle = samples.count / 2
      #expect(UniformSamplesTests.each(of: samples, from: middle) == Array(samples.dropFirst(middle)))
      #expect(
        Array(reader.samples(ofTrack: track)) == wanted.filter { $0.track == track }.map(\.sample), "\(track)"
      )
    }
  }

  /// A `moof` with one `mfhd` of 16 bytes and one `traf`: what is in that.
  private static func sizes(_ builder: FragmentBuilder) throws -> [String: Int] {
    let tree = BoxTree(ByteView(try builder.movieFragment().encoded()))
    let traf = try #require(tree["moof/traf"])
    return Dictionary(traf.children.map { ("\($0.type)", $0.size) }, uniquingKeysWith: +)
  }

  @Test func whatIsKnownIsNotRepeated() throws {
    // Sound: everything is in `trex`. The run has its offset and no rows: 8 + 4 + 4 + 4.
    let sound = Self.extends(1) { box in
      (box.defaultSampleDuration, box.defaultSampleSize, box.defaultSampleFlags) = (1_024, 512, .sync)
    }
    var known = FragmentBuilder(sequenceNumber: 1, extends: [sound])
    var unknown = FragmentBuilder(sequenceNumber: 1)
    var video = FragmentBuilder(sequenceNumber: 1, extends: [Self.extends(1)])
    known.begin(track: 1, at: 0)
    unknown.begin(track: 1, at: 1 << 32)
    video.begin(track: 1, at: 0)
    for index in 0..<1_000 {
      try known.append(size: 512, duration: 1_024, toTrack: 1)
      try unknown.append(size: 512, duration: 1_024, toTrack: 1)
      try video.append(
        size: UInt32(index), duration: 1_001, flags: index == 0 ? .sync : .nonSync, toTrack: 1)
    }
    #expect(try Self.sizes(known) == ["tfhd": 16, "tfdt": 16, "trun": 20])
    // Without `trex` the header says it: the sample entry too, and a time of 64 bits.
    #expect(try Self.sizes(unknown) == ["tfhd": 32, "tfdt": 20, "trun": 20])
    // Duration and flags in the header, those of the first sample in the run, a size a row.
    #expect(try Self.sizes(video) == ["tfhd": 24, "tfdt": 16, "trun": 24 + 4_000])
  }

  @Test func whatDoesNotFitIsRefused() throws {
    var builder = FragmentBuilder(sequenceNumber: 1)
    #expect(throws: ParseError.self) { try builder.append(size: 1, duration: 1, toTrack: 1) }
    builder.begin(track: 1, at: .max - 1)
    #expect(throws: ParseError.self) { try builder.append(size: 1, duration: 1 << 32, toTrack: 1) }
    #expect(throws: ParseError.self) { try builder.append(size: 1, duration: 2, toTrack: 1) }
    #expect(throws: ParseError.self) {
      try builder.append(size: 1, duration: 0, compositionOffset: 1 << 31, toTrack: 1)
    }
    let late = Sample(
      index: 0, decodeTime: 7, compositionOffset: 0, duration: 1, offset: 0, size: 1, flags: .sync,
      descriptionIndex: 1)
    #expect(throws: ParseError.self) { try builder.append(late, toTrack: 1) }
    #expect(builder.isEmpty && builder.mediaByteCount == 0)
    // After 4 GiB of one track a run of another cannot be found from the fragment.
    builder.begin(track: 1, at: 0)
    builder.begin(track: 2, at: 0)
    try builder.append(size: .max, duration: 1, toTrack: 1)
    try builder.append(size: 16, duration: 1, toTrack: 1)
    #expect(
      Array(try builder.header().suffix(16)) == [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 1, 0, 0, 0, 31])
    try builder.append(size: 1, duration: 1, toTrack: 2)
    #expect(throws: ParseError.self) { try builder.movieFragment() }
  }
}
