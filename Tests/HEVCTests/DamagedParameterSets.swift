// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import HEVC
import TestSupport
import Testing

/// Parameter sets that were cut or altered: none may trap, and what could be read stays.
@Suite struct DamagedParameterSets {
  /// Decodes the RBSP of a NAL unit; answers what came of it encoded again, or the error.
  static func outcome(
    _ type: Int, _ layerID: UInt8, _ bytes: ByteView
  ) -> (encoded: [UInt8]?, error: ParseError?) {
    func finish<L: FieldLayout>(_ initial: L) -> (encoded: [UInt8]?, error: ParseError?) {
      let (value, _, error) = bytes.decode(initial)
      if error == nil {
        do { return (try value.encoded(), nil) } catch {
          Issue.record("what was read cannot be written: \(error)")
          return (nil, nil)
        }
      }
      // Whatever was read can be described.
      let sink = TraceSink()
      value.describe(into: sink)
      return (nil, error)
    }
    switch type {
    case 32:
      // The layers of a damaged parameter set can be asked for as well.
      let vps = bytes.decode(VideoParameterSet()).value
      _ = vps.layerStructure.fullestOutputLayerSet
      for index in 0...3 {
        _ = vps.pictureFormat(at: index)
        _ = vps.profileTierLevel(at: index)?.codecParameters
        _ = vps.profileTierLevel(ofLayer: UInt8(index))
        _ = vps.dependencyType(of: index, on: 0)
        _ = vps.maxTidIlRefPicsPlus1(from: 0, to: index)
        _ = vps.dpbSize(outputLayerSet: index, subLayer: 1)
        _ = vps.videoSignalInfo(at: index)
      }
      return finish(VideoParameterSet())
    case 33:
      var sps = SequenceParameterSet()
      sps.nuhLayerID = layerID
      let read = bytes.decode(sps).value
      _ = (read.croppedSize, read.picSizeInCtbsY, read.pictureRate?.numerator)
      return finish(sps)
    default: return finish(PictureParameterSet())
    }
  }

  static let vectors: [(Int, UInt8, String)] = [
    (32, 0, Vector.a), (32, 0, Vector.b), (33, 1, Vector.d), (34, 1, Vector.e),
  ]

  @Test func everyTruncationThrows() {
    for (type, layerID, hex) in Self.vectors {
      let bytes = Vector.rbsp(hex)
      for length in 0..<bytes.count {
        let error = Self.outcome(type, layerID, bytes.prefix(length)).error
        #expect(error != nil, "\(type) of \(length) bytes")
        if let error { #expect(error.offset <= length && !error.field.isEmpty) }
      }
    }
  }

  @Test func baseFieldsOfATruncatedSetStay() {
    let bytes = Vector.rbsp(Vector.a)
    let (vps, _, error) = bytes.prefix(30).decode(VideoParameterSet())
    #expect(error?.field.hasPrefix("vps_extension") == true)
    #expect(vps.vpsMaxLayersMinus1 == 1 && vps.profileTierLevel.generalLevelIdc.rawValue == 120)
    #expect(vps.layerIDIncludedFlags == [[0, 1]])
    #expect(vps.vpsExtension?.scalabilityMask == 0x4000)
  }

  @Test func everyMutationIsHarmless() {
    var random = SeededGenerator(seed: 0xA11CE)
    var accepted = 0, refused = 0
    for (type, layerID, hex) in Self.vectors {
      let bytes = Vector.rbsp(hex).array
      for index in bytes.indices {
        for value in [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &random)] {
          var altered = bytes
          altered[index] = value
          let outcome = Self.outcome(type, layerID, ByteView(altered))
          if let encoded = outcome.encoded {
            #expect(encoded == altered)
            accepted += 1
          } else {
            refused += 1
          }
        }
      }
    }
    print("altered parameter sets: \(accepted) read and written back, \(refused) refused")
    #expect(accepted > 500 && refused > 300)
  }

  @Test func randomBytesAreHarmless() {
    var random = SeededGenerator(seed: 7)
    for round in 0..<4000 {
      var bytes = (0..<Int.random(in: 1...120, using: &random)).map { _ -> UInt8 in
        // Many set bits make short codes, and so deep structures.
        let byte = UInt8.random(in: 0...255, using: &random)
        return round % 2 == 0 ? byte : byte | UInt8.random(in: 0...255, using: &random)
      }
      if round % 4 == 0 { bytes = Array(Vector.rbsp(Vector.b).array.prefix(36)) + bytes }
      for type in 32...34 {
        if let encoded = Self.outcome(type, UInt8(round % 2), ByteView(bytes)).encoded {
          #expect(encoded == bytes)
        }
      }
    }
  }

  /// Replaces one field of a decoded vector and expects that neither writing nor reading it back is possible.
  private func refuses(
    _ field: String, _ change: (inout VideoParameterSet) -> Void
  ) throws {
    var vps = try Vector.rbsp(Vector.a).decoded(VideoParameterSet())
    change(&vps)
    do {
      _ = try vps.encoded()
      Issue.record("\(field) was written")
    } catch { #expect(error.field.hasSuffix(field), "\(error)") }
  }

  @Test func whatTheStandardForbidsIsRefused() throws {
    try refuses("vps_num_layer_sets_minus1") {
      $0.layerIDIncludedFlags = Array(repeating: [0, 1], count: 2000)
    }
    try refuses("vps_non_vui_extension_length") {
      $0.vpsExtension?.vpsNonVUIExtensionData = Array(repeating: 0, count: 5000)
    }
    try refuses("vps_max_sub_layers_minus1") { $0.vpsMaxSubLayersMinus1 = 7 }
    try refuses("dimension_id_len") {
      $0.vpsExtension?.splittingFlag = true
      $0.vpsExtension?.scalabilityMask = 0x7000
      $0.vpsExtension?.dimensionIDLenMinus1 = [2, 2]
    }
    try refuses("layer_id_included_flag") {
      $0.layerIDIncludedFlags = [[0, 1], [0, 5]]; $0.vpsMaxLayerID = 5
    }
    try refuses("num_add_olss") { $0.vpsExtension?.numAddOlss = 1024 }
    try refuses("num_add_olss") {
      $0.layerIDIncludedFlags = Array(repeating: [0, 1], count: 1000)
      $0.vpsExtension?.numAddOlss = 500
    }
    try refuses("chroma_and_bit_depth_vps_present_flag") {
      $0.vpsExtension?.repFormats = [RepFormat()]
    }
  }

  @Test func manyLayersAreCut() throws {
    // 63 layers more than the base layer are reserved: MaxLayersMinus1 is 62 then, and the data ends too
    // early.
    var bytes = Vector.rbsp(Vector.a).array
    bytes[0] = bytes[0] | 0x03
    bytes[1] = bytes[1] | 0xF0
    let (vps, _, error) = ByteView(bytes).decode(VideoParameterSet())
    #expect(vps.vpsMaxLayersMinus1 == 63 && vps.maxLayersMinus1 == 62)
    #expect(error != nil)
    #expect(vps.layerStructure.layers.count <= 63)
  }

  @Test func zerosAreNoCode() {
    // The first ue(v) of the set starts in byte 16; 40 zero bits are no Exp-Golomb code.
    for start in 15..<30 {
      var bytes = Vector.rbsp(Vector.a).array
      for index in start..<bytes.count { bytes[index] = 0 }
      #expect(Self.outcome(32, 0, ByteView(bytes)).error != nil)
    }
  }
}
