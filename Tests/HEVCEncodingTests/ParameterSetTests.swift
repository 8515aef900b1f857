// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

@testable import HEVCEncoding

@Suite struct EncodedParameterSetTests {
  /// What is written is read back as it was.
  @Test(arguments: [1, 2]) func setsAreReadAsTheyWereWritten(layers: Int) throws {
    var plan = CodingPlan(size: PictureSize(width: 1916, height: 1078))
    plan.layerCount = layers
    plan.isTemporalMotionEnabled = true
    plan.qpGroupDepth = 2
    plan.pictureBuffers = 5
    plan.reorderedPictures = 2
    plan.meaning.isFullRange = true
    plan.meaning.chromaLocation = 1
    plan.meaning.pixelShape = AspectRatio(width: 4, height: 3)
    var store = ParameterSetStore()
    for unit in try plan.units() where unit.type.isParameterSet { store.insert(unit) }
    let vps = try #require(store.videoParameterSet(0)?.content)
    #expect((vps.vpsExtension != nil) == (layers == 2))
    #expect(vps.profileTierLevel.general?.profileIdc == .main)
    for layer in 0..<layers {
      let sps = try #require(store.sequenceParameterSet(UInt32(layer), layerID: UInt8(layer))?.content)
      #expect(sps.croppedSize == plan.size && sps.format?.codedSize == plan.codedSize)
      if layer == 0 {
        #expect(
          sps.vui?.videoSignalType?.videoFullRangeFlag == true && sps.vui?.chromaLocation?.topField == 1)
        #expect(sps.sampleAspectRatio ?? (0, 0) == (4, 3))
      }
      #expect(sps.ctbLog2SizeY == 5 && sps.minCbLog2SizeY == 3 && sps.spsTemporalMvpEnabledFlag)
      let pps = try #require(store.pictureParameterSet(UInt32(layer), layerID: UInt8(layer))?.content)
      #expect(pps.diffCuQpDeltaDepth == 2 && pps.entropyCodingSyncEnabledFlag)
    }
    #expect(try plan.units().contains { $0.type == .prefixSEI } == (layers == 2))
  }

  /// A movie of AVAssetWriter, and what our sets for the same pictures do not have in common with its own.
  @Test(.enabled(if: Corpus.isPresent)) func setsAreThoseOfApplesEncoders() throws {
    let record = try Self.record("apple/stereo_spatial.mp4", "hvcC")
    let layered = try Self.record("apple/stereo_spatial.mp4", "lhvC")
    let theirs = record + layered
    var plan = CodingPlan(size: PictureSize(width: 160, height: 120))
    plan.layerCount = 2
    plan.level = Level(rawValue: 60)
    plan.isSaoEnabled = true
    plan.isTemporalMotionEnabled = true
    plan.transformDepthInter = 1
    plan.qpGroupDepth = 2
    plan.pictureBuffers = 5
    plan.reorderedPictures = 2
    plan.defaultEntries = (2, 1)
    let ours = try plan.units()
    var differences: [String] = []
    for unit in ours {
      let other = try #require(
        theirs.first { $0.type == unit.type && $0.layerID == unit.layerID }, "\(unit.type) \(unit.layerID)")
      let (here, there) = (Self.fields(unit, among: ours), Self.fields(other, among: theirs))
      for name in Set(here.keys).union(there.keys) where here[name] != there[name] {
        guard !Self.known.contains(where: { name.hasPrefix($0) }) else { continue }
        differences.append("\(unit.layerID) \(name): \(there[name] ?? "-") is \(here[name] ?? "-") here")
      }
    }
    #expect(differences == [])
  }

  /// What differs: pictures are padded to whole blocks of 8x8, not to 16 rows; there are no quantisation matrices; and no
  /// extension of the video parameter set that says again what its default is.
  private static let known = [
    "conformance_window", "conf_win", "pic_height_in_luma_samples", "rep_format.rep_format.pic_height",
    "rep_format.rep_format.conf", "scaling_list_enabled_flag", "sps_scaling_list_data_present_flag",
    "sps_infer_scaling_list_flag", "vps_vui", "rbsp_alignment_zero_bit",
  ]

  private static func record(_ name: String, _ type: String) throws -> [NALUnit] {
    let bytes = Corpus.bytes(name).array
    let place = try #require(
      (0..<(bytes.count - 8)).first { Array(bytes[$0..<($0 + 4)]) == Array(type.utf8) })
    let size = bytes[(place - 4)..<place].reduce(0) { $0 << 8 | Int($1) }
    let payload = ByteView(Array(bytes[(place + 4)..<(place - 4 + size)]))
    let arrays =
      type == "hvcC"
      ? try payload.decoded(DecoderConfigurationRecord()).arrays
      : try payload.decoded(LayeredConfigurationRecord()).arrays
    return arrays.flatMap { $0.units.compactMap { NALUnit($0) } }
  }

  /// The fields of a set, by name and place.
  private static func fields(_ unit: NALUnit, among units: [NALUnit]) -> [String: String] {
    var store = ParameterSetStore()
    for unit in units where unit.type.isParameterSet { store.insert(unit) }
    let sink = FieldRecorder()
    if unit.type.isParameterSet {
      _ = store.describe(unit, into: sink)
    } else {
      sink.fields["message"] = unit.bytes.hexadecimalText()
    }
    return sink.fields
  }
}

/// Collects fields by path.
private final class FieldRecorder: FieldSink {
  var fields: [String: String] = [:]
  private var scopes: [String] = []
  let tableRows = 0

  /// Fields of the same name get marks.
  private func add(_ note: FieldNote, _ value: String) {
    var path = (scopes.dropFirst() + [note.name.description]).joined(separator: ".")
    while fields[path] != nil { path += "'" }
    fields[path] = value
  }

  func unsigned(_ note: FieldNote, _ value: UInt64) { add(note, "\(value)") }
  func signed(_ note: FieldNote, _ value: Int64) { add(note, "\(value)") }
  func reserved(_ note: FieldNote, _ value: UInt64, expected: UInt64) { add(note, "\(value)") }
  func bytes(_ note: FieldNote, _ value: ByteView, _ format: BytesFormat) {
    add(note, value.hexadecimalText())
  }
  func text(_ note: FieldNote, _ value: TerminatedString) { add(note, "\(value)") }
  func bitString(_ note: FieldNote, _ value: BitString) { add(note, "\(value.bytes)") }
  func beginStructure(_ name: StaticString) { scopes.append(name.description) }
  func beginArray(_ name: StaticString, count: Int) { scopes.append(name.description) }
  func endScope(omitted: Int) { _ = scopes.popLast() }
}
