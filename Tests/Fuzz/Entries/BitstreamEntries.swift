// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension FuzzTarget {
  static let parameterSet = FuzzTarget(
    "FuzzParameterSet",
    "The header of a NAL unit and an RBSP: the parameter set is a fixed point, all that follows from it is finite.",
    seeds: {
      FuzzSeeds.units(\.isParameterSet).map { ($0, $1.bytes.prefix(2).array + $1.rbsp.array) }
    },
    mutator: mutateBits
  ) { bytes, findings in
    guard let word = bytes.bigEndian(at: 0, width: 2) else { return }
    let header = NALUnitHeader(first: UInt8(word >> 8), second: UInt8(word & 0xFF))
    let rbsp = bytes.suffix(from: 2)
    switch header.type.rawValue & 3 {
    case 0: findings.checkVideoParameterSet(rbsp)
    case 1: findings.checkSequenceParameterSet(rbsp, layerID: header.layerID)
    default: findings.checkLayout(PictureParameterSet(), rbsp, "PPS")
    }
    findings.checkEmulationPrevention(header, rbsp)
  }

  static let configurationRecord = FuzzTarget(
    "FuzzConfigurationRecord",
    "hvcC or lhvC, by the first byte: the record is a fixed point, so is all that is in it.",
    seeds: FuzzSeeds.records,
    mutator: mutateRecord
  ) { bytes, findings in
    guard let kind = bytes[0] else { return }
    let body = bytes.suffix(from: 1)
    var units: [NALUnit] = []
    if kind & 1 == 0 {
      units = findings.checkLayout(DecoderConfigurationRecord(), body, "hvcC")?.nalUnits ?? []
    } else {
      units = findings.checkLayout(LayeredConfigurationRecord(), body, "lhvC")?.nalUnits ?? []
    }
    findings.checkUnits(units)
  }
}

extension FuzzFindings {
  mutating func checkVideoParameterSet(_ rbsp: ByteView) {
    guard let vps = checkLayout(VideoParameterSet(), rbsp, "VPS") else { return }
    for index in 0...vps.maxLayersMinus1 {
      let id = vps.layerID(at: index)
      expect(id < 64, "VPS: layer id \(id)")
      let format = vps.repFormatIndex(at: index)
      expect(format >= 0, "VPS: representation format \(format)")
    }
    expect(
      vps.layerIndex(of: 0) == 0, "VPS: the base layer is at \(String(describing: vps.layerIndex(of: 0)))")
    _ = vps.repFormats.map { PictureFormat($0)?.croppedSize }
  }

  mutating func checkSequenceParameterSet(_ rbsp: ByteView, layerID: UInt8) {
    var initial = SequenceParameterSet()
    initial.nuhLayerID = layerID
    guard let sps = checkLayout(initial, rbsp, "SPS") else { return }
    if let coded = sps.codedSize, let cropped = sps.croppedSize {
      expect(cropped.width <= coded.width && cropped.height <= coded.height, "SPS: \(cropped) of \(coded)")
    }
    expect((sps.picSizeInCtbsY ?? 0) >= 0, "SPS: negative size")
    expect(sps.maxPicOrderCntLsb > 0 && sps.maxTbLog2SizeY >= sps.minTbLog2SizeY, "SPS: derived values")
    _ = (sps.pictureRate, sps.sampleAspectRatio, sps.maxSubLayersMinus1)
  }

  /// Put into a NAL unit and taken out again, an RBSP is what it was.
  mutating func checkEmulationPrevention(_ header: NALUnitHeader, _ rbsp: ByteView) {
    do {
      let unit = try NALUnit(header, rbsp: rbsp.array)
      expect(unit.header == header, "the header of the NAL unit is another one")
      // A unit never ends in two zeros: there a 03 follows, which the reader takes for a byte of the payload.
      let isOpen = rbsp.count >= 2 && rbsp.suffix(from: rbsp.count - 2).isAllZero
      let expected = isOpen ? unit.rbsp.prefix(rbsp.count) : unit.rbsp
      expect(expected == rbsp, "the RBSP is another one after emulation prevention")
      expect(
        unit.bytes.count <= 3 + rbsp.count + rbsp.count / 2, "\(unit.bytes.count) bytes for \(rbsp.count)")
    } catch { note("the NAL unit cannot be written: \(error)") }
  }

  /// The parameter sets among some NAL units.
  mutating func checkUnits(_ units: [NALUnit]) {
    for unit in units.prefix(1_000) {
      switch unit.type {
      case .videoParameterSet: checkVideoParameterSet(unit.rbsp)
      case .sequenceParameterSet: checkSequenceParameterSet(unit.rbsp, layerID: unit.layerID)
      case .pictureParameterSet: checkLayout(PictureParameterSet(), unit.rbsp, "PPS")
      default: break
      }
    }
  }
}
