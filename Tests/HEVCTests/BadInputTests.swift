// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import HEVC
import TestSupport
import Testing

/// What the standard forbids, in units that stand somewhere in a file: the error names the element, and the bit in the
/// byte of the file, emulation prevention counted; what precedes it has been read.
@Suite struct BadInputTests {
  /// Where units begin in the file.
  static let offset = 1_000

  enum Structure: CaseIterable {
    case video
    case sequence
    case picture

    /// Its composed text, with single spaces.
    var text: String {
      let text =
        switch self {
        case .video: ComposedParameterSets.vps
        case .sequence: ComposedParameterSets.sps
        case .picture: ComposedParameterSets.pps
        }
      return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    var header: [UInt8] {
      switch self {
      case .video: [0x40, 1]
      case .sequence: [0x42, 1]
      case .picture: [0x44, 1]
      }
    }
  }

  /// A unit in the file, and where each byte of its RBSP is there.
  static func unit(_ structure: Structure, _ rbsp: [UInt8]) throws -> (unit: NALUnit, places: [Int]) {
    let (bytes, places) = StreamNALUnit.escaped(rbsp)
    let unit = try #require(NALUnit(ByteView(structure.header + bytes, fileOffset: offset)))
    return (unit, places.map { offset + 2 + $0 } + [offset + unit.bytes.count])
  }

  /// Reads a unit and collects the elements that could be read.
  static func trace(_ structure: Structure, _ unit: NALUnit) -> (
    elements: [SyntaxElement], error: ParseError?
  ) {
    let sink = TraceSink()
    func run<Content: FieldLayout>(_ initial: Content) -> ParseError? {
      var content = initial
      return unit.rbsp.trace(&content, into: sink).error
    }
    let error =
      switch structure {
      case .video: run(VideoParameterSet())
      case .sequence: run(SequenceParameterSet())
      case .picture: run(PictureParameterSet())
      }
    return (sink.elements, error)
  }

  /// How many bits an element takes.
  static func bits(_ element: SyntaxElement) -> Int {
    // Of flags that are kept together there are four to a digit.
    if element.descriptor == "u(v)" { return 4 * element.value.count }
    guard let value = Int(element.value) else { return 0 }
    func golomb(_ code: Int) -> Int { 2 * (Int.bitWidth - (code + 1).leadingZeroBitCount) - 1 }
    switch element.descriptor {
    case "ue(v)": return golomb(value)
    case "se(v)": return golomb(value > 0 ? 2 * value - 1 : -2 * value)
    default: return Int(element.descriptor.dropFirst(2).dropLast()) ?? 0
    }
  }

  /// Replaces a part of a composed structure. Of the replacement, what follows `|` is wrong: expects the error
  /// there, at that bit of the file.
  private func expectRefusal(
    _ structure: Structure, _ part: String, _ replacement: String, _ field: String
  ) throws {
    let text = structure.text
    let start = try #require(text.firstRange(of: part), "\(part)")
    let halves = replacement.split(separator: "|", omittingEmptySubsequences: false)
    let before = String(text[..<start.lowerBound]) + halves[0]
    let position = composedBitCount(before)
    let rbsp = composedBits(before + " " + halves[1] + text[start.upperBound...]).array
    let (unit, places) = try Self.unit(structure, rbsp)
    let (elements, found) = Self.trace(structure, unit)
    let error = try #require(found, "\(field) was accepted")
    #expect(error.field.split(separator: ".").last?.prefix { $0 != "[" } == field[...], "\(error)")
    #expect(error.offset == places[position / 8] && Int(error.bit) == position % 8, "\(error)")
    // Everything in front of it has been read.
    #expect(elements.reduce(0) { $0 + Self.bits($1) } == position, "\(field)")
  }

  @Test(
    arguments: [
      (.video, "4:5 1 1 6:2 3:1", "4:5 1 1 6:2 |3:7", "vps_max_sub_layers_minus1"),
      (.video, "6:5 e:2 110000", "6:5 |e:2000 110000", "vps_num_layer_sets_minus1"),
      (.video, "32:50 1 e:3 e:2", "32:50 1 e:3 |e:4", "vps_num_hrd_parameters"),
      (.video, "16:24576 3:1", "16:28672 3:2 3:2|", "dimension_id_len"),
      (.video, "e:2 1 2:0", "|e:64 1 2:0", "vps_num_profile_tier_level_minus1"),
      (.video, "e:1 2:2 01", "|e:1024 2:2 01", "num_add_olss"),
      (.video, "e:1 16:1280", "|e:256 16:1280", "vps_num_rep_formats_minus1"),
      (.video, "e:0 0 2:1 2:0 e:1", "|e:31 0 2:1 2:0 e:1", "direct_dep_type_len_minus2"),
      (.video, "e:1 8:195", "|e:5000 8:195", "vps_non_vui_extension_length"),
      (.sequence, "4:7 4:6 e:0 e:2 1 e:4", "4:7 4:6 e:0 e:2 1 |e:65", "num_short_term_ref_pic_sets"),
      (.sequence, "e:2 1 e:4 e:2 e:1 e:0 1", "e:2 1 e:4 |e:17 e:1 e:0 1", "num_negative_pics"),
      (.sequence, "1 e:2 8:17", "1 |e:33 8:17", "num_long_term_ref_pics_sps"),
      (.sequence, "1 e:0 e:1 e:10 e:20", "1 e:0 |e:32 e:10 e:20", "cpb_cnt_minus1"),
      (.picture, "1 1 e:3 e:4 s:-10", "1 1 |e:15 e:4 s:-10", "num_ref_idx_l0_default_active_minus1"),
      (.picture, "e:1 1 1 e:1 e:1 s:1", "e:1 1 1 e:1 |e:6 s:1", "chroma_qp_offset_list_len_minus1"),
    ] as [(Structure, String, String, String)])
  func countsBeyondTheStandard(
    _ structure: Structure, _ part: String, _ replacement: String, _ field: String
  ) throws { try expectRefusal(structure, part, replacement, field) }

  @Test(
    arguments: [
      (.video, "6:5 e:2 110000", "|6:63 e:2 110000", "vps_max_layer_id"),
      (.video, "1 6:1 6:5 4:4", "1 |6:63 6:5 4:4", "layer_id_in_nuh"),
      (.video, "1 6:1 6:5 4:4", "1 6:5 |6:1 4:4", "layer_id_in_nuh"),
      (.sequence, "e:3 e:3 1 e:1920", "|e:16 e:3 1 e:1920", "sps_seq_parameter_set_id"),
      (.sequence, "e:3 e:3 1 e:1920", "e:3 |e:4 1 e:1920", "chroma_format_idc"),
      (.picture, "e:5 e:2 1 1 3:2", "|e:64 e:2 1 1 3:2", "pps_pic_parameter_set_id"),
      (.picture, "e:5 e:2 1 1 3:2", "e:5 |e:16 1 1 3:2", "pps_seq_parameter_set_id"),
    ] as [(Structure, String, String, String)])
  func idsOutOfRange(
    _ structure: Structure, _ part: String, _ replacement: String, _ field: String
  ) throws { try expectRefusal(structure, part, replacement, field) }

  @Test(arguments: [
    // Layer 2 in a layer set of a stream whose layers are 0, 1 and 5.
    ("6:5 e:2 110000", "6:5 e:2 101000", "layer_id_included_flag"),
    ("1 e:3 e:2 e:0 1 0 0", "1 e:3 e:2 |e:3 1 0 0", "hrd_layer_set_idx"),
    ("2:2 01 2:1 2:2 1", "2:2 01 |2:3 2:2 1", "profile_tier_level_idx"),
  ])
  func aVideoParameterSetThatRefersToWhatItDoesNotHave(
    _ part: String, _ replacement: String, _ field: String
  ) throws {
    if replacement.contains("|") { return try expectRefusal(.video, part, replacement, field) }
    // Which layers there are is known only after the layer sets: that is where the contradiction is found.
    let text = Structure.video.text.replacing(part, with: replacement, maxReplacements: 1)
    let (unit, _) = try Self.unit(.video, composedBits(text).array)
    let (vps, _, error) = unit.rbsp.decode(VideoParameterSet())
    #expect(error?.field.hasSuffix(field) == true, "\(error.map { "\($0)" } ?? "accepted")")
    #expect(try #require(error).offset > Self.offset && error?.offset ?? 0 < Self.offset + unit.bytes.count)
    #expect(vps.layerIDIncludedFlags.first == [0, 2])
    #expect(vps.vpsExtension?.layers.map(\.layerIDInNuh) == [1, 5])
  }

  // MARK: Endless zeros and cuts

  @Test(arguments: Structure.allCases) func endlessZeroBits(_ structure: Structure) throws {
    let bytes = composedBits(structure.text).array
    let (whole, _) = Self.trace(structure, try Self.unit(structure, bytes).unit)
    var position = 0, codes = 0
    for element in whole {
      defer { position += Self.bits(element) }
      guard element.descriptor.hasSuffix("e(v)") else { continue }
      // All bits from the code on are zero, for many times longer than any code.
      var damaged = Array(bytes.prefix(position / 8 + 1)) + [UInt8](repeating: 0, count: 600)
      damaged[position / 8] &= ~UInt8(truncatingIfNeeded: 0xFF >> (position % 8))
      let (unit, places) = try Self.unit(structure, damaged)
      let (elements, error) = Self.trace(structure, unit)
      let found = try #require(error)
      #expect(found.field.split(separator: ".").last?.prefix { $0 != "[" } == element.name[...], "\(found)")
      #expect(found.offset == places[position / 8] && Int(found.bit) == position % 8, "\(found)")
      #expect(elements == Array(whole.prefix(elements.count)))
      codes += 1
    }
    #expect(codes > 20)
  }

  @Test(arguments: Structure.allCases) func anRBSPCutAnywhere(_ structure: Structure) throws {
    let bytes = composedBits(structure.text).array
    let (whole, _) = Self.trace(structure, try Self.unit(structure, bytes).unit)
    // Extension data of later editions may end anywhere: what precedes them must be whole.
    for length in 0..<(bytes.count - 2) {
      let (unit, places) = try Self.unit(structure, Array(bytes.prefix(length)))
      let (elements, error) = Self.trace(structure, unit)
      let found = try #require(error, "\(length) bytes were enough")
      #expect(elements == Array(whole.prefix(elements.count)))
      // It ran out in the next element, or before an array that is too long for what is left.
      #expect(
        found.field.split(separator: ".").last?.prefix { $0 != "[" } == whole[elements.count].name[...]
          || Self.isShortage(found), "\(found)")
      let position = elements.reduce(0) { $0 + Self.bits($1) }
      let byte = try #require(places.firstIndex(of: found.offset), "\(found)")
      #expect((position...(8 * length)).contains(8 * byte + Int(found.bit)), "\(length): \(found)")
    }
  }

  private static func isShortage(_ error: ParseError) -> Bool {
    if case .countExceedsData = error.code { true } else { false }
  }

  @Test func countsThatTheBytesCannotHold() throws {
    // 1023 layer sets of two layers each, and nothing after them: refused before any is made room for.
    let start = Structure.video.text.split(separator: " e:2 110000")[0]
    let (unit, _) = try Self.unit(.video, composedBits(start + " e:1023 1").array)
    let (vps, _, error) = unit.rbsp.decode(VideoParameterSet())
    #expect(error.map(Self.isShortage) == true && error?.field == "layer_sets")
    #expect(vps.layerIDIncludedFlags.count < 10)
    // As many displays as there can be, and one of them.
    let message = SEIMessage(
      ThreeDimensionalReferenceDisplaysInfo.payloadType, payload: composedBits("e:31 0 e:31 e:0 e:1 6:0 0"))
    let content = try #require(message.content())
    let info = try #require(content.payload as? ThreeDimensionalReferenceDisplaysInfo)
    #expect(content.error != nil && info.displays.count <= 1)
    #expect(
      SEIMessage(
        ThreeDimensionalReferenceDisplaysInfo.payloadType, payload: composedBits("e:31 0 e:32 e:0 e:1 6:0 0")
      )
      .content()?.error?.field.hasSuffix("num_ref_displays_minus1") == true)
  }

  // MARK: Missing parameter sets

  @Test func aMissingParameterSetIsNamed() throws {
    var store = ParameterSetStore()
    // first_slice_segment_in_pic_flag, no_output_of_prior_pics_flag, slice_pic_parameter_set_id 2
    let slice = try #require(NALUnit(ByteView([0x28, 1, 0b1001_1100], fileOffset: Self.offset)))
    var found = store.sliceSegment(slice)
    var segment = try #require(found)
    #expect(segment.error?.code == .missing("picture parameter set 2"))
    #expect(segment.error?.offset == Self.offset + 2 && segment.error?.bit == 5)
    #expect(segment.header.slicePicParameterSetID == 2)
    // It refers to a sequence parameter set that is not there.
    var pps = PictureParameterSet()
    pps.ppsPicParameterSetID = 2
    pps.ppsSeqParameterSetID = 7
    store.insert(try NALUnit(NALUnitHeader(type: .pictureParameterSet), pps))
    found = store.sliceSegment(slice)
    segment = try #require(found)
    #expect(segment.error?.code == .missing("sequence parameter set 7"))
    #expect(segment.header.slicePicParameterSetID == 2)
    // A sequence parameter set of the multilayer form without its video parameter set has no size.
    store.insert(try #require(NALUnit(ByteView(hex: Vector.d))))
    #expect(store.sequenceParameterSet(1, layerID: 1)?.error == nil)
    #expect(store.sequenceParameterSet(1, layerID: 1)?.content.codedSize == nil)
    // With it, it has one, whichever came first.
    store.insert(try #require(NALUnit(ByteView(hex: Vector.a))))
    #expect(
      store.sequenceParameterSet(1, layerID: 1)?.content.codedSize == PictureSize(width: 1920, height: 1088))
  }
}
