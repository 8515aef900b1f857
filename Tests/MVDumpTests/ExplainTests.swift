// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import HEVC
import ISOBMFF
import MVDumpCommand
import Multiview
import TestSupport
import Testing

@Suite struct ExplainTests {
  @Test func explainsABoxWithItsFields() throws {
    let run = mvdump("explain", "vexu/eyes/stri")
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(run.lines[0] == "stri  stereo view information")
    #expect(run.lines.contains("  has_left_eye_view     u(1)"))
    #expect(run.lines.contains { $0.hasPrefix("  found in    eyes") })
    #expect(mvdump("explain", "moov/trak[0]/mdia/minf/stbl/stsd/hvc1/vexu/eyes/stri").output == run.output)
  }

  /// What `tree` shows of a stereo photo is explained by its path and by its name.
  @Test(arguments: [
    ("meta/grpl/ster", "entity to group"), ("grpl/stem", "entity to group"),
    ("ster", "the images for the two eyes"),
    ("ster", "stereo video group"), ("stem", "one for flat displays"),
    ("meta/iprp/ipco/dadj", "disparity adjustment"),
    ("equi", "the whole sphere"), ("hequ", "the front half of the sphere"),
    ("twoTrack", "its stri names one eye"),
  ])
  func boxesOfPhotosAndProjections(topic: String, words: String) {
    let run = mvdump("explain", topic)
    let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(run.code == .success && text.contains(words), "\(run.output)\(run.errors)")
  }

  @Test func aTypeInSeveralPlacesIsShownInAll() {
    let kinds = BoxRegistry.standard.all.filter { $0.types.contains("stri") }
    let run = mvdump("explain", "stri")
    for kind in kinds { #expect(run.output.contains(kind.specification)) }
    if kinds.count > 1 { #expect(run.lines[0] == "'stri' has \(kinds.count) meanings:") }
  }

  @Test(arguments: BoxRegistry.standard.all.flatMap { $0.types }.filter(\.isPrintable).map(\.description))
  func everyTypeIsExplained(type: String) throws {
    let json = try #require(mvdump("explain", "--json", type).json)
    #expect(json["explanations"]?.elements.isEmpty == false)
    #expect(JSONSchema(named: "explain")?.problems(json) == [])
  }

  @Test func everyFieldOfEveryBoxIsFound() throws {
    var fields = 0
    for explanation in BoxExplanations().all {
      for field in explanation.fields() {
        fields += 1
        #expect(!field.name.isEmpty, "\(explanation.name)")
      }
    }
    print("\(fields) fields of boxes are explained")
    #expect(fields > 100)
    let all = mvdump("explain", "sample_delta")
    #expect(all.code == .success && all.output.contains("stbl/stts"))
    let one = mvdump("explain", "stts/sample_delta")
    #expect(one.lines[2] == "  entries[].sample_delta  u(32)")
    #expect(mvdump("explain", "stts.sample_delta").output == one.output)
  }

  @Test func everySyntaxElementOfRealParameterSetsIsFound() throws {
    let known = Set(
      StructureExplanations.parameterSets.all.flatMap { $0.fields() }
        .map { $0.name.hasSuffix("[]") ? String($0.name.dropLast(2)) : $0.name })
    var seen: Set<String> = []
    for name in Fixtures.media where name.hasSuffix(".hevc") {
      for unit in AnnexBNALUnits(Fixtures.bytes(name)) {
        let sink = TraceSink()
        let unit = try unit.get()
        let rbsp = unit.rbsp
        switch unit.type {
        case .videoParameterSet: try VideoParameterSet(rbsp: rbsp).describe(into: sink)
        case .sequenceParameterSet:
          try SequenceParameterSet(rbsp: rbsp, layerID: unit.layerID).describe(into: sink)
        case .pictureParameterSet: try PictureParameterSet(rbsp: rbsp).describe(into: sink)
        default: continue
        }
        seen.formUnion(sink.elements.map(\.name))
      }
    }
    #expect(seen.count > 100)
    #expect(seen.subtracting(known).sorted() == [])
    #expect(mvdump("explain", "view_id_val").output.contains("vps_extension.view_id_val[]  u(v)"))
    #expect(mvdump("explain", "SPS/sps_max_sub_layers_minus1").output.contains("0…6"))
  }

  /// Every name that the declarations of parameter sets and slice headers have in their sources is explained: the samples
  /// reach all of it.
  @Test func everyNameInTheDeclarationsIsExplained() {
    let fields = [StructureExplanations.parameterSets, .headers].flatMap { $0.all.flatMap { $0.fields() } }
    let known = Set(fields.map { $0.name.hasSuffix("[]") ? String($0.name.dropLast(2)) : $0.name })
    var unknown: [String] = []
    let folder = PackageFolder.root + "/Sources/HEVC/"
    for file in filesBelow(folder)
    where file.hasPrefix("ParameterSets/") || file.hasPrefix("Slices/Slice")
      || file.hasSuffix("/PredictionWeightTable.swift") || file.hasSuffix("ListModification.swift")
    {
      let text = String(decoding: contents(folder + file) ?? [], as: UTF8.self)
      for line in text.split(separator: "\n")
      where !line.contains("//")
        && !["failure(", "inField(", "beginStructure("].contains(where: line.contains)
      {
        for match in line.matches(of: /"([a-z][a-z0-9]*(?:_[a-z0-9]+)+)"/)
        where !known.contains(String(match.1)) {
          unknown.append("\(match.1) in \(file)")
        }
      }
    }
    #expect(unknown.sorted() == [])
  }

  /// By the conditions in the tables of ISO/IEC 23008-2.
  @Test(arguments: [
    ("SPS/sps_seq_parameter_set_id", false), ("SPS/sps_temporal_id_nesting_flag", true),
    ("SPS/separate_colour_plane_flag", true), ("SPS/amp_enabled_flag", false),
    ("SPS/elemental_duration_in_tc_minus1", true), ("SPS/cpb_cnt_minus1", true),
    ("SPS/fixed_pic_rate_general_flag", false), ("SPS/scaling_list_pred_matrix_id_delta", true),
    ("PPS/init_qp_minus26", false), ("PPS/diff_cu_qp_delta_depth", true), ("PPS/uniform_spacing_flag", false),
    ("PPS/pps_beta_offset_div2", true), ("PPS/res_coeff_s", true), ("PPS/res_coeff_q", false),
    ("VPS/cprms_present_flag", true), ("VPS/hrd_layer_set_idx", false), ("VPS/bsp_hrd_idx", true),
    ("VPS/vps_cp_scale", true), ("VPS/cp_ref_voi", false), ("VPS/alt_output_layer_flag", true),
    ("slice_segment_header/slice_pic_parameter_set_id", false),
    ("slice_segment_header/slice_type", true), ("slice_segment_header/slice_qp_delta", true),
    ("slice_segment_header/used_by_curr_pic_flag", false), ("slice_segment_header/use_delta_flag", true),
  ])
  func fieldsAreOptionalWhereTheStandardSaysSo(topic: String, isOptional: Bool) {
    let run = mvdump("explain", topic)
    let lines = run.lines.filter { $0.contains(topic.split(separator: "/")[1]) }
    #expect(!lines.isEmpty && lines.allSatisfy { $0.hasSuffix("optional") == isOptional }, "\(run.output)")
  }

  @Test func everySyntaxElementOfRealSliceHeadersIsFound() throws {
    let known = Set(
      StructureExplanations.headers.all.flatMap { $0.fields() }
        .map { $0.name.hasSuffix("[]") ? String($0.name.dropLast(2)) : $0.name })
    var seen: Set<String> = []
    for name in Fixtures.media where name.hasSuffix(".hevc") {
      var store = ParameterSetStore()
      for unit in AnnexBNALUnits(Fixtures.bytes(name)) {
        let sink = TraceSink()
        let unit = try unit.get()
        store.insert(unit)
        unit.header.describe(into: sink)
        _ = store.traceSliceSegment(unit, into: sink)
        seen.formUnion(sink.elements.map(\.name))
      }
    }
    #expect(seen.count > 20)
    #expect(seen.subtracting(known).sorted() == [])
    // Real streams at hand have none of these.
    for name in [
      "short_term_ref_pic_set_sps_flag", "lt_idx_sps", "colour_plane_id", "num_inter_layer_ref_pics_minus1",
      "inter_layer_pred_layer_idc", "list_entry_l1", "luma_offset_l0", "use_integer_mv_flag",
      "poc_reset_period_id",
      "slice_act_y_qp_offset", "cu_chroma_qp_offset_enabled_flag", "dependent_slice_segment_flag",
    ] { #expect(known.contains(name), "\(name)") }
    let run = mvdump("explain", "slice_segment_header")
    #expect(run.lines[0] == "slice_segment_header  slice segment header")
    #expect(run.output.contains("F.7.3.6.1"))
    #expect(run.lines.contains { $0.hasPrefix("  first_slice_segment_in_pic_flag ") })
    #expect(mvdump("explain", "short_term_ref_pic_set_sps_flag").output.contains("u(1)"))
    #expect(mvdump("explain", "slice_segment_header/slice_type").output.contains("0…2"))
    for name in ["slice_pic_order_cnt_lsb", "slice_segment_address", "inter_layer_pred_layer_idc"] {
      #expect(mvdump("explain", "slice_segment_header/" + name).output.contains("u(v)"), "\(name)")
    }
  }

  @Test func seiMessagesGoByNameAndNumber() {
    let run = mvdump("explain", "sei", "176")
    #expect(
      run.lines[0] == "three_dimensional_reference_displays_info  three dimensional reference displays info")
    #expect(run.output.contains("    left_view_id "))
    #expect(mvdump("explain", "three dimensional reference displays info").output == run.output)
    #expect(mvdump("explain", "mastering_display_colour_volume").code == .success)
  }

  @Test func namesValues() {
    #expect(mvdump("explain", "CRA_NUT").output == mvdump("explain", "21").output)
    #expect(mvdump("explain", "vps").lines.first == "VPS  video parameter set")
    #expect(mvdump("explain", "vps_nut").lines.first?.hasPrefix("VPS_NUT") == true)
    #expect(mvdump("explain", "boxes", "nosuchthing").code == .no)
  }

  @Test(arguments: [
    ("strii", "mvdump: explain: nothing found for 'strii'; did you mean 'stri'?"),
    ("trak/vexu", "mvdump: explain: nothing found for 'trak/vexu'; see visual sample entry/vexu"),
    ("sample_detla", "mvdump: explain: nothing found for 'sample_detla'; did you mean 'sample_delta'?"),
    (
      "qqqqqqqqqqq",
      "mvdump: explain: nothing found for 'qqqqqqqqqqq'; mvdump explain lists the topics"
    ),
  ])
  func suggestsWhatWasMeant(topic: String, message: String) {
    let run = mvdump("explain", topic)
    #expect(run.code == .no && run.output.isEmpty && run.errors == message + "\n")
  }

  /// Whatever has a name is found by it, says which clause defines it, and is suggested for a slip of the keyboard.
  @Test func everythingIsFoundByItsName() {
    var count = 0
    for source in ExplanationSources.all {
      #expect(!source.all.isEmpty, "\(source.name)")
      // Nobody types bytes that are not characters, and some kinds of boxes have no type of their own.
      for explanation in source.all
      where !explanation.name.contains("\\x") && !explanation.name.hasPrefix("(") {
        let found = source.explanations(of: explanation.name)
        #expect(found.contains { $0.title == explanation.title }, "\(explanation.name)")
        #expect(!explanation.specification.isEmpty && !explanation.title.isEmpty, "\(explanation.name)")
        count += 1
      }
    }
    print("\(count) things are explained")
    #expect(count > 450)
  }

  @Test(arguments: ["boxes", "nal-unit-types", "parameter-sets", "sei-messages"])
  func slipsAreMended(source: String) throws {
    let all = try #require(ExplanationSources.all.first { $0.name == source }).all
    let names = all.map(\.name).filter { $0.utf8.count >= 4 }
    for name in stride(from: 0, to: names.count, by: max(1, names.count / 12)).map({ names[$0] }) {
      let slip = String(name.dropLast(2)) + String(name.suffix(2).reversed())
      guard slip != name, all.allSatisfy({ $0.name.lowercased() != slip.lowercased() }) else { continue }
      let run = mvdump("explain", slip)
      // The slip may be another word that is known.
      if run.code == .success { continue }
      #expect(
        run.errors.contains("did you mean") || run.errors.contains("; see "), "\(slip): \(run.errors)")
    }
  }

  @Test func fieldsAreExplainedToPrograms() throws {
    let run = mvdump("explain", "--json", "stts/sample_delta")
    let json = try #require(run.json)
    #expect(run.code == .success && JSONSchema(named: "explain")?.problems(json) == [])
    #expect(json["explanations"]?[0]?["name"]?.text == "stts")
    #expect(json["explanations"]?[0]?["fields"]?.elements.count == 1)
    #expect(json["explanations"]?[0]?["fields"]?[0]?["coding"]?.text == "u(32)")
  }

  @Test func findsWords() {
    let run = mvdump("explain", "view", "is", "shown")
    #expect(run.code == .success && run.output.contains("eyes/hero"))
    #expect(mvdump("explain", "view is shown").output == run.output)
    let both = mvdump("explain", "stts", "ftyp")
    #expect(both.output.contains("time to sample") && both.output.contains("file type"))
  }

  @Test func knowsTheHeaderOfNALUnits() {
    let header = mvdump("explain", "NAL unit header")
    #expect(header.code == .success && header.output.contains("ISO/IEC 23008-2, 7.3.1.2"))
    #expect(mvdump("explain", "nuh_layer_id").output.contains("nuh_layer_id  u(6)"))
  }

  @Test func knowsProfilesByTheNamesThatAreShown() {
    let profile = mvdump("explain", "Multiview Main")
    #expect(profile.code == .success && profile.output.contains("general_profile_idc 6"))
    #expect(mvdump("explain", "multiview main").output == profile.output)
  }

  @Test func tellsWhatThereIsToAsk() {
    let run = mvdump("explain")
    #expect(run.code == .success && run.lines[0].hasPrefix("boxes: "))
    let list = mvdump("explain", "boxes")
    #expect(list.lines.count == BoxRegistry.standard.all.count)
  }
}

@Suite struct FieldCatalogTests {
  struct Inner: FieldLayout {
    var value: UInt8 = 0
    var hasMore = false
    mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("value", &value, in: 0...3, .named { $0 == 1 ? "one" : $0 > 1 ? "more" : nil })
      if hasMore { try c.u8("more", &value) }
    }
  }

  struct Outer: FieldLayout {
    var kind: UInt8 = 0
    var rows: [Inner] = []
    var numbers: [UInt16] = []
    var zero: UInt8 = 0
    var inner = Inner()
    mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u8("kind", &kind)
      if kind == 1 { try c.group("inner", &inner) }
      try c.array("rows", &rows, count: rows.count, minimumBits: 8)
      if kind == 2 { try c.array("numbers", &numbers, count: numbers.count, bits: 16) }
      try c.reserved("reserved", &zero, bits: 8, expecting: 0)
    }
  }

  @Test func mergesSeveralValues() {
    var one = Outer(), two = Outer()
    one.kind = 1
    two.kind = 2
    two.numbers = [7]
    var row = Inner()
    row.hasMore = true
    two.rows = [Inner(), row]
    let catalog = FieldCatalog()
    for value in [Outer(), one, two] { value.describe(into: catalog) }
    let fields = catalog.fields
    #expect(
      fields.map(\.path) == [
        "kind", "inner", "inner.value", "rows[]", "rows[].value", "rows[].more", "numbers[]", "reserved",
      ])
    #expect(fields.filter(\.isOptional).map(\.name) == ["inner", "more", "numbers[]"])
    #expect(fields[6].codingText == "u(16)" && fields[7].codingText == "u(8), reserved, zero")
    #expect(fields[4].rangeText == "0…3")
    #expect(fields[4].meanings.map(\.name) == ["one", "more"])
    #expect(fields[4].meanings.last?.values == 2...3)
  }
}
