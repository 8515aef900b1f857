// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import HEVC
import MVDumpCommand
import Multiview
import TestSupport
import Testing

@Suite struct ParamsTests {
  /// A byte stream of a VPS, an SEI message on displays, and an SPS and a PPS of layer 1, all composed for this project.
  static let vectors = [
    """
    40010c11ffff016000000300b0000003000003007815c15b782000050e65c1808000002fe200000300001e2341e0011028079714afd2
    """,
    "42090ea0059246d92e940c", "4409485672885027a0602022490824890aa0",
    "4e01b00e1b148512491a2ca6af2f6105000180",
  ].map { ByteView(hex: $0) }

  static var stream: ByteView { ByteView(AnnexBNALUnits.join(vectors.compactMap(NALUnit.init))) }

  private func count(of element: String, in run: ToolRun) -> Int {
    run.lines.count { $0.contains(element) }
  }

  /// A stream that changes its parameter sets without end makes a page of text of every line: it is not shown to its end.
  @Test(arguments: [[], ["--json"], ["--trace"]])
  func setsWithoutEnd(form: [String]) throws {
    let other = ByteView(hex: "4409485672885027a0602022490824890aa1")
    let units = (0..<6_000).map { $0.isMultiple(of: 2) ? Self.vectors[2] : other }
    let stream = ByteView(AnnexBNALUnits.join(([Self.vectors[0]] + units).compactMap(NALUnit.init)))
    let run = mvdump(["params"] + form + ["-"], input: stream)
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(run.output.contains("limit-exceeded"))
    #expect(count(of: "pps_pic_parameter_set_id", in: run) < 2_100)
    guard form == ["--trace"] else { return }
    // Who asks for samples gets all that the file has.
    let asked = mvdump(["params", "--samples", "0", "--trace", "-"], input: stream)
    #expect(count(of: "pps_pic_parameter_set_id", in: asked) == 6_000)
    #expect(!asked.output.contains("limit-exceeded"))
  }

  @Test func messagesWithoutEnd() throws {
    // Picture timing without content, in two bytes each.
    let unit = ByteView([0x4E, 0x01] + [[UInt8]](repeating: [1, 0], count: 10_000).flatMap { $0 } + [0x80])
    let stream = ByteView(AnnexBNALUnits.join([Self.vectors[0], unit].compactMap(NALUnit.init)))
    let run = mvdump(["params", "--json", "-"], input: stream)
    let sets = run.json?["tracks"]?[0]?["parameterSets"]?.elements ?? []
    #expect(sets.last?["fields"]?["sei_messages"]?.elements.count == 4_096)
    #expect(run.json?["diagnostics"]?.elements.contains { $0["code"]?.text == "limit-exceeded" } == true)
  }

  /// Sets of which each bit makes lines: the text has an end.
  @Test(arguments: [[], ["--json"], ["--trace"]])
  func textWithoutEnd(form: [String]) throws {
    let unit = try NALUnit(NALUnitHeader(type: .videoParameterSet), VideoParameterSet.crowded)
    let picture = try #require(NALUnit(ByteView([0x02, 0x01, 0xD0, 0x10])))
    let units = Array(repeating: unit, count: 60) + [picture]
    #expect(units.reduce(0) { $0 + $1.bytes.count } < 128 << 10)
    let run = mvdump(["params"] + form + ["-"], input: ByteView(AnnexBNALUnits.join(units)))
    #expect(run.output.contains("limit-exceeded"))
    #expect(run.output.utf8.count <= (8 << 20) + 1_000_000)
  }

  /// One unit of messages, each of which tells in half a kilobyte of a thousand layer sets.
  @Test(arguments: [[], ["--trace"]]) func textOfOneUnitWithoutEnd(form: [String]) throws {
    // bitstream_subset_flag, nesting_op_flag, default_op_flag, nesting_num_ops_minus1; then four bits for each.
    let bits = "110" + "0000000000" + "10000000000" + String(repeating: "1001", count: 1_024)
    let payload: [UInt8] = stride(from: 0, to: bits.count, by: 8).map { start in
      let piece = bits.dropFirst(start).prefix(8)
      return UInt8(piece + String(repeating: "0", count: 8 - piece.count), radix: 2) ?? 0
    }
    let message: [UInt8] = [133, 255, 255, UInt8(payload.count - 510)] + payload
    let messages: [UInt8] = Array(repeating: message, count: 600).flatMap { $0 } + [0x80]
    let unit = try NALUnit(NALUnitHeader(type: .prefixSEI), rbsp: messages)
    let stream = AnnexBNALUnits.join(Self.vectors.prefix(3).compactMap(NALUnit.init) + [unit])
    let run = mvdump(["params"] + form + ["-"], input: ByteView(stream))
    #expect(run.output.contains("limit-exceeded"))
    #expect(run.output.utf8.count >= 8 << 20 && run.output.utf8.count <= (8 << 20) + 200_000)
  }

  @Test func aTraceHasALineForEachElement() throws {
    let run = mvdump(["params", "--trace", "-"], input: Self.stream)
    #expect(run.code == .success && run.errors.isEmpty)
    let units = run.lines.filter { $0.hasPrefix("#") }
    #expect(
      units == [
        "# VPS_NUT layer 0 from sample 0", "# SPS_NUT layer 1 from sample 0",
        "# PPS_NUT layer 1 from sample 0", "# PREFIX_SEI_NUT layer 0 from sample 0",
      ])
    let first = [
      "forbidden_zero_bit u(1) 0", "nal_unit_type u(6) 32", "nuh_layer_id u(6) 0",
      "nuh_temporal_id_plus1 u(3) 1", "vps_video_parameter_set_id u(4) 0",
      "vps_base_layer_internal_flag u(1) 1", "vps_base_layer_available_flag u(1) 1",
      "vps_max_layers_minus1 u(6) 1", "vps_max_sub_layers_minus1 u(3) 0",
    ]
    #expect(Array(run.lines.dropFirst().prefix(first.count)) == first)
    for line in [
      "view_id_val u(4) 3", "view_id_val u(4) 9", "sps_ext_or_max_sub_layers_minus1 u(3) 7",
      "init_qp_minus26 se(v) -3", "exponent_ref_display_width u(6) 36",
      "mantissa_ref_display_width u(17) 74565",
      "additional_shift_present_flag u(1) 1",
    ] { #expect(run.lines.contains(line), "\(line)") }
    // Every bit of the stream is in the trace.
    let bits = run.lines.reduce(0) { $0 + Self.bits($1) }
    #expect(
      bits == Self.vectors.reduce(0) { $0 + 8 * ($1.suffix(from: 2).removingEmulationPrevention().count + 2) }
    )
  }

  /// How many bits an element takes, from its descriptor and its value.
  static func bits(_ line: String) -> Int {
    let words = line.split(separator: " ")
    guard words.count == 3, words[0] != "#", let value = Int(words[2]) else { return 0 }
    switch words[1] {
    case "ue(v)": return 2 * (Int.bitWidth - (value + 1).leadingZeroBitCount) - 1
    case "se(v)": return bits("a ue(v) \(value > 0 ? 2 * value - 1 : -2 * value)")
    default: return Int(words[1].dropFirst(2).dropLast()) ?? 0
    }
  }

  // MARK: Where sets come from

  /// A movie in which a picture parameter set changes in a sample: one of its messages is overwritten by that set, with
  /// zeros after it.
  static func changedMovie() throws -> (bytes: ByteView, sample: Int, value: Int) {
    let name = "two-views-fragmented.mp4"
    var bytes = Fixtures.bytes(name).array
    let track = try #require(try MovieFile(bytes: bytes).tracks.first { $0.isHEVC })
    let old = try #require(
      track.layerAnalysis.units.first { $0.unit.type == .pictureParameterSet && $0.unit.layerID == 0 }?.unit)
    var set = try PictureParameterSet(rbsp: old.rbsp)
    set.initQpMinus26 += 1
    let new = try NALUnit(old.header, set).bytes
    var place: (sample: Int, range: Range<UInt64>)?
    try track.forEachAccessUnit(1..<Int.max) { places, _ in
      for unit in places.units where unit.header.type.isSEI && unit.range.count >= new.count {
        place = place ?? (places.index, unit.range)
      }
      return place == nil
    }
    let found = try #require(place)
    for index in Int(found.range.lowerBound)..<Int(found.range.upperBound) { bytes[index] = 0 }
    for (index, byte) in new.array.enumerated() { bytes[Int(found.range.lowerBound) + index] = byte }
    return (ByteView(bytes), found.sample, Int(set.initQpMinus26))
  }

  @Test func aSetThatChangesInAMovieIsShown() throws {
    let (bytes, sample, value) = try Self.changedMovie()
    let json = try #require(mvdump(["params", "--json", "-"], input: bytes).json)
    let sets = json["tracks"]?[0]?["parameterSets"]?.elements ?? []
    let late = sets.filter { $0["source"]?.text == "sample \(sample)" }
    #expect(late.count == 1)
    #expect(late.first?["type"]?.text == "PPS_NUT" && late.first?["layerID"]?.integer == 0)
    #expect(late.first?["fields"]?["init_qp_minus26"]?.integer == value)
    let text = mvdump(["params", "-"], input: bytes)
    #expect(text.lines.count { $0.hasPrefix("PPS_NUT") && $0.hasSuffix("sample \(sample)") } == 1)
    let trace = mvdump(["params", "--trace", "-"], input: bytes)
    #expect(trace.lines.contains("# PPS_NUT layer 0 from sample \(sample)"))
    // The same movie without the change has nothing after its first sample.
    let plain = mvdump("params", Fixtures.path("two-views-fragmented.mp4"))
    #expect(!plain.lines.contains { $0.contains(" bytes at ") && $0.hasSuffix("sample \(sample)") })
  }

  @Test func aSetThatChangesInAStreamIsShown() throws {
    let first = Fixtures.bytes("two-views.hevc"), second = Fixtures.bytes("two-views-cropped.hevc")
    let bytes = ByteView(first.array + second.array)
    let pictures = AccessUnitGrouper.group(try AnnexBNALUnits(first).map { try $0.get() }).count
    let json = try #require(mvdump(["params", "--json", "-"], input: bytes).json)
    let sets = json["tracks"]?[0]?["parameterSets"]?.elements ?? []
    let late = sets.filter { $0["source"]?.text == "sample \(pictures)" }.compactMap { $0["type"]?.text }
    #expect(late.contains("SPS_NUT"))
    #expect(!sets.contains { $0["source"]?.text == "sample 1" })
  }

  @Test func samplesShowEverythingInThem() throws {
    let path = Fixtures.path("two-views-fragmented.mp4")
    let all = try #require(mvdump("params", "--json", "--samples", "2-3", path).json)
    let units = all["tracks"]?[0]?["parameterSets"]?.elements ?? []
    let sources = Set(units.compactMap { $0["source"]?.text })
    #expect(
      sources.isSuperset(of: ["hvcC", "lhvC"])
        && sources.isSubset(of: ["hvcC", "lhvC", "sample 2", "sample 3"]))
    #expect(units.contains { $0["source"]?.text == "sample 2" && $0["type"]?.text == "SUFFIX_SEI_NUT" })
    #expect(mvdump("params", "--samples", "x", path).code == .usage)
  }

  @Test(arguments: Fixtures.media) func everyFixtureIsShownWithoutDamage(_ name: String) throws {
    let path = Fixtures.path(name)
    let run = mvdump("params", path)
    guard run.code == .success else {
      #expect(run.errors.contains("has no HEVC track"), "\(name)")
      return
    }
    #expect(!run.output.contains("damaged"), "\(name)")
    let json = try #require(mvdump("params", "--json", path).json)
    #expect(json["schema"]?.text == "mvdump.params/1")
    let units = json["tracks"]?[0]?["parameterSets"]?.elements ?? []
    // The three forms show the same units.
    #expect(run.lines.count { $0.contains(" bytes at ") } == units.count + Self.others(json))
    #expect(
      mvdump("params", "--trace", path).lines.count { $0.hasPrefix("# ") } == units.count + Self.others(json))
  }

  /// The units of the tracks after the first.
  private static func others(_ json: JSONValue) -> Int {
    (json["tracks"]?.elements.dropFirst() ?? []).reduce(0) { $0 + ($1["parameterSets"]?.elements.count ?? 0) }
  }

  @Test func aLayerCanBeChosen() {
    let run = mvdump("params", "--trace", "--layer", "1", spatial)
    #expect(run.code == .success)
    #expect(run.lines.filter { $0.hasPrefix("# ") }.allSatisfy { $0.contains(" layer 1 ") })
    #expect(run.lines.contains { $0.hasPrefix("# SPS_NUT") })
  }

  // MARK: Damage

  @Test func whatStandsBeforeTheDamageIsShown() throws {
    var bytes = Self.stream.array
    // The stream ends within the video parameter set.
    bytes.removeLast(bytes.count - 40)
    let trace = mvdump(["params", "--trace", "-"], input: ByteView(bytes))
    #expect(trace.lines.contains("vps_max_layers_minus1 u(6) 1"))
    #expect(trace.lines.last?.hasPrefix("# at ") == true)
    let text = mvdump(["params", "-"], input: ByteView(bytes))
    #expect(text.output.contains("vps_max_layers_minus1") && text.output.contains("damaged"))
    let json = try #require(mvdump(["params", "--json", "-"], input: ByteView(bytes)).json)
    #expect(json["diagnostics"]?.elements.count == 1)
    #expect(json["tracks"]?[0]?["parameterSets"]?[0]?["fields"]?["vps_max_layers_minus1"]?.integer == 1)
  }
}
