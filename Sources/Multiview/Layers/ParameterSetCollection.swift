// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

/// The parameter sets at the start of a video, read once.
///
/// Sequence and picture parameter sets are kept by layer and number: two layers may use the same number for different
/// sets, although a decoder would let the later one win.
struct ParameterSetCollection {
  private struct Key: Hashable {
    let layerID: UInt8
    let id: UInt32
  }

  private(set) var vps: VideoParameterSet?
  private var sequenceSets: [Key: SequenceParameterSet] = [:]
  private var pictureSets: [Key: PictureParameterSet] = [:]
  private(set) var referenceDisplays: [EyeAssignment.Facts.Display] = []
  private(set) var viewPositions: [UInt32] = []

  init(_ units: [LocatedNALUnit], _ path: String, _ diagnostics: inout DiagnosticList) {
    func note(_ error: ParseError?, _ located: LocatedNALUnit) {
      guard let error else { return }
      let inner = error.inField(located.unit.type.name)
      diagnostics.append(inner.inPath(path.isEmpty ? "\(located.source)" : path + "/\(located.source)"))
    }
    for located in units where located.unit.type == .videoParameterSet && vps == nil {
      let (set, _, error) = located.unit.rbsp.decode(VideoParameterSet())
      note(error, located)
      vps = set
    }
    for located in units {
      let unit = located.unit
      switch unit.type {
      case .sequenceParameterSet:
        var initial = SequenceParameterSet()
        initial.nuhLayerID = unit.layerID
        if let vps, unit.layerID > 0 { initial.inherited = .init(vps, layerID: unit.layerID) }
        let (set, _, error) = unit.rbsp.decode(initial)
        note(error, located)
        sequenceSets[Key(layerID: unit.layerID, id: set.spsSeqParameterSetID)] = set
      case .pictureParameterSet:
        let (set, _, error) = unit.rbsp.decode(PictureParameterSet())
        note(error, located)
        pictureSets[Key(layerID: unit.layerID, id: set.ppsPicParameterSetID)] = set
      case .prefixSEI, .suffixSEI:
        readEyes(unit)
      default: break
      }
    }
  }

  /// Takes what speaks of eyes from an SEI NAL unit; the first of each message counts.
  private mutating func readEyes(_ unit: NALUnit) {
    for message in unit.seiMessages().messages {
      if message.payloadType == ThreeDimensionalReferenceDisplaysInfo.payloadType, referenceDisplays.isEmpty {
        let (info, _, _) = message.payload.decode(ThreeDimensionalReferenceDisplaysInfo())
        referenceDisplays = info.displays.map {
          .init(leftViewID: $0.leftViewID, rightViewID: $0.rightViewID)
        }
      } else if message.payloadType == MultiviewViewPosition.payloadType, viewPositions.isEmpty {
        let (info, _, error) = message.payload.decode(MultiviewViewPosition())
        if error == nil { viewPositions = info.positions }
      }
    }
  }

  func hasSets(ofLayer layerID: UInt8) -> Bool { sequenceSets.keys.contains { $0.layerID == layerID } }

  /// The sequence parameter set that the pictures of a layer use: by the picture's own reference where a picture is at
  /// hand, otherwise by the layer that the sets belong to.
  func activeSPS(ofLayer layerID: UInt8, picture: NALUnit?) -> SequenceParameterSet? {
    if let picture, let id = picture.slicePictureParameterSetID, let pps = visible(pictureSets, id, layerID),
      let sps = visible(sequenceSets, pps.ppsSeqParameterSetID, layerID)
    {
      return sps
    }
    for (key, pps) in pictureSets where key.layerID == layerID {
      if let sps = visible(sequenceSets, pps.ppsSeqParameterSetID, layerID) { return sps }
    }
    return sequenceSets.first { $0.key.layerID == layerID }?.value
  }

  /// A set that pictures of a layer may refer to: one of the layer itself, otherwise one of a lower layer, the nearest
  /// first.
  private func visible<Set>(_ sets: [Key: Set], _ id: UInt32, _ layerID: UInt8) -> Set? {
    for layer in stride(from: Int(layerID), through: 0, by: -1) {
      if let set = sets[Key(layerID: UInt8(layer), id: id)] { return set }
    }
    return nil
  }
}

extension NALUnit {
  /// slice_pic_parameter_set_id, which can be read without any parameter set. ISO/IEC 23008-2, 7.3.6.1
  var slicePictureParameterSetID: UInt32? {
    let start = rbsp(prefix: 16)
    var decoder = Decoder(start)
    var flag = false
    var id: UInt32 = 0
    do {
      try decoder.flag("first_slice_segment_in_pic_flag", &flag)
      if type.isRandomAccessPoint { try decoder.flag("no_output_of_prior_pics_flag", &flag) }
      try decoder.ue("slice_pic_parameter_set_id", &id, in: 0...63)
      return id
    } catch { return nil }
  }
}
