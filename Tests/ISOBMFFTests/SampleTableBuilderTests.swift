// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@testable import ISOBMFF

/// What is put into tables is read from them again.
@Suite struct SampleTableBuilderTests {
  /// Samples as they come, with what the tables keep of their flags.
  static func samples(seed: UInt64, count: Int) -> [Sample] {
    var random = SeededGenerator(seed: seed)
    let style = seed % 6
    var time: Int64 = 0
    var offset: UInt64 = seed % 3 == 0 ? 0xFFFF_FF00 : 48
    return (0..<count).map { index in
      // Sound of constant size, with other durations now and then.
      let isUniform = style == 5 && index % 97 != 0
      let size = style == 1 || style == 5 ? 960 : UInt32.random(in: 0...4_000, using: &random)
      let duration: Int64 = style < 3 || isUniform ? 20 : .random(in: 1...40, using: &random)
      let shift: Int64 =
        style == 2 || style == 5
        ? 0 : [0, 40, -20, 0][Int.random(in: 0..<4, using: &random)] + (style == 4 ? 20 : 0)
      let isSync = style == 1 || style == 5 || index % 12 == 0
      let dependency = style == 3 ? UInt32.random(in: 0...255, using: &random) << 20 : 0
      if UInt8.random(in: 0..<4, using: &random) == 0, !isUniform { offset += 100 }
      let sample = Sample(
        index: index, decodeTime: time, compositionOffset: shift, duration: duration, offset: offset,
        size: size, flags: SampleFlags(rawValue: dependency | (isSync ? 0 : SampleFlags.nonSyncBit)),
        descriptionIndex: style == 4 && index > count / 2 ? 2 : 1)
      time += duration
      offset += UInt64(size)
      return sample
    }
  }

  static func read(_ boxes: [Box]) throws -> [Sample] {
    let tree = BoxTree(ByteView(try movie(boxes).encoded()))
    #expect(tree.diagnostics.isEmpty && tree.payloadDiagnostics().isEmpty)
    var diagnostics = DiagnosticList()
    let table = try SampleTableContents(
      try #require(tree["moov/trak/mdia/minf/stbl"]), in: tree, diagnostics: &diagnostics)
    #expect(diagnostics.isEmpty)
    return Array(TrackSamples(table: SampleTable(table)))
  }

  static func movie(_ tables: [Box]) -> Box {
    ["minf", "mdia", "trak", "moov"].reduce(Box("stbl", children: tables)) { inner, type in
      Box(FourCC(type) ?? FourCC(0), children: [inner])
    }
  }

  @Test(arguments: 0..<60) func readingGivesTheSamplesAgain(seed: UInt64) throws {
    let wanted = Self.samples(seed: seed, count: [1, 2, 30, 400][Int(seed % 4)])
    var builder = SampleTableBuilder()
    for sample in wanted { try builder.append(sample) }
    #expect(builder.count == wanted.count)
    let boxes = try builder.boxes()
    #expect(try Self.read(boxes) == wanted)
    var together = SampleTableBuilder()
    for uniform in UniformSamplesTests.together(wanted) { try together.append(uniform) }
    #expect(try together.boxes().map { try $0.encoded() } == boxes.map { try $0.encoded() })
    let types = boxes.map { "\($0.type)" }
    #expect(types.contains("ctts") == wanted.contains { $0.compositionOffset != 0 })
    #expect(types.contains("cslg") == wanted.contains { $0.compositionOffset < 0 })
    #expect(types.contains("stss") == wanted.contains { !$0.isSync })
    // What begins below 4 GiB may reach beyond.
    if wanted.allSatisfy({ $0.offset <= 0xFFFF_FFFF }) { #expect(!types.contains("co64")) }
    if let first = wanted.first, first.offset > 0xFFFF_FFFF { #expect(types.contains("co64")) }
  }

  @Test func tablesAreCompact() throws {
    var builder = SampleTableBuilder()
    for index in 0..<100_000 as Range<UInt64> {
      try builder.append(size: 960, offset: index * 960, duration: 480)
    }
    let boxes = try builder.boxes()
    #expect(boxes.map { "\($0.type)" } == ["stts", "stsc", "stsz", "stco"])
    #expect(try boxes.reduce(0) { try $0 + $1.encoded().count } < 100)
  }

  @Test func noSamplesAreTablesWithoutRows() throws {
    #expect(try Self.read(try SampleTableBuilder().boxes()).isEmpty)
  }

  @Test func whatDoesNotFitIsRefused() {
    var builder = SampleTableBuilder()
    #expect(throws: ParseError.self) { try builder.append(size: 1, offset: 0, duration: 1 << 32) }
    #expect(throws: ParseError.self) { try builder.append(size: 1, offset: 0, duration: -1) }
    #expect(throws: ParseError.self) {
      try builder.append(size: 1, offset: 0, duration: 1, compositionOffset: 1 << 31)
    }
    #expect(builder.count == 0)
  }
}
