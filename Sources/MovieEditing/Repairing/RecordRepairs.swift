// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import Multiview

extension BoxRepair {
  /// The repairs of configuration records, and of values of the sample entry that contradict them.
  static let ofRecords: [BoxRepair] = [
    repeatedBoxes(.secondRecord), recordOrder, arrays, lengthSizes, profile, sampleFormat, entrySize, colour,
  ]

  private static let recordOrder = ofEntries(.layeredRecordFirst) { entry, _ in
    guard let layered = entry.children.firstIndex(where: { $0.type == "lhvC" }),
      let base = entry.children.firstIndex(where: { $0.type == "hvcC" }), layered < base
    else { return nil }
    let box = entry.children.remove(at: layered)
    // The removal has moved the next box up.
    entry.children.insert(box, at: base)
    return BoxChange("lhvC", "order of the records", old: "lhvC, hvcC", new: "hvcC, lhvC")
  }

  private static let arrays = ofEntries(.arraysHoldTheirType) { entry, _ in
    var moved = 0
    entry.changeRecords { arrays in
      let units = arrays.flatMap { array in array.nalUnits.map { ($0, array.arrayCompleteness) } }
      let strays = arrays.reduce(0) { sum, array in
        sum + array.nalUnits.count { $0.type != array.nalUnitType }
      }
      guard strays > 0 else { return }
      moved += strays
      var types: [NALUnitType] = []
      for (unit, _) in units where !types.contains(unit.type) { types.append(unit.type) }
      types.sort { $0.rawValue < $1.rawValue }
      arrays = types.map { type in
        let own = units.filter { $0.0.type == type }
        return NALUnitArray(type, isComplete: own.allSatisfy { $0.1 }, own.map(\.0.bytes))
      }
    }
    guard moved > 0 else { return nil }
    return BoxChange("", "units in arrays of another type", old: "\(moved)", new: "0")
  }

  private static let lengthSizes = ofEntries(.lengthSizesDiffer) { entry, _ in
    guard let base = entry.first(HEVCConfigurationBox.self)?.record,
      let index = entry.children.firstIndex(where: { $0.type == "lhvC" }),
      var layered = entry.children[index].payload(LHEVCConfigurationBox.self)
    else { return nil }
    let old = layered.record.lengthSize
    guard old != base.lengthSize else { return nil }
    layered.record.lengthSizeMinusOne = base.lengthSizeMinusOne
    entry.children[index].replacePayload(layered)
    return BoxChange("lhvC", "width of lengths", old: "\(old)", new: "\(base.lengthSize)")
  }

  private static let profile = ofEntries(.recordProfile) { entry, _ in
    guard let set = entry.baseSequenceParameterSet, let general = set.profileTierLevel?.general,
      let level = set.profileTierLevel?.generalLevelIdc
    else { return nil }
    var old = "", isChanged = false
    entry.changeBaseRecord { record in
      old =
        "\(record.generalProfileIdc.rawValue), \(record.generalTierFlag ? "high" : "main"), \(record.generalLevelIdc.rawValue)"
      let before = record
      record.setProfile(general, level: level)
      isChanged = record != before
    }
    guard isChanged else { return nil }
    return BoxChange(
      "hvcC", "profile, tier and level", old: old,
      new: "\(general.profileIdc.rawValue), \(general.tierFlag ? "high" : "main"), \(level.rawValue)")
  }

  private static let sampleFormat = ofEntries(.recordSampleFormat) { entry, _ in
    guard let format = entry.baseSequenceParameterSet?.format,
      let luma = UInt8(exactly: format.bitDepthLumaMinus8), luma < 8,
      let chroma = UInt8(exactly: format.bitDepthChromaMinus8), chroma < 8
    else { return nil }
    func words(_ record: DecoderConfigurationRecord) -> String {
      "\(record.chromaFormat), \(record.bitDepthLumaMinus8 + 8)/\(record.bitDepthChromaMinus8 + 8) bit"
    }
    var old = "", new = ""
    entry.changeBaseRecord { record in
      old = words(record)
      record.chromaFormat = UInt8(clamping: format.chromaFormatIdc)
      (record.bitDepthLumaMinus8, record.bitDepthChromaMinus8) = (luma, chroma)
      new = words(record)
    }
    guard old != new else { return nil }
    return BoxChange("hvcC", "chroma format and depth", old: old, new: new)
  }

  private static let entrySize = ofEntries(.entrySize) { entry, _ in
    guard let size = entry.baseSequenceParameterSet?.croppedSize, let width = UInt16(exactly: size.width),
      let height = UInt16(exactly: size.height), var payload = entry.payload(VisualSampleEntry.self)
    else { return nil }
    guard (payload.width, payload.height) != (width, height) else { return nil }
    let old = "\(payload.width)×\(payload.height)"
    (payload.width, payload.height) = (width, height)
    try entry.edit(VisualSampleEntry.self) { ($0.width, $0.height) = (width, height) }
    return BoxChange("", "picture size", old: old, new: "\(width)×\(height)")
  }

  private static let colour = ofEntries(.colourOfHDRAbsent) { entry, _ in
    guard entry.first("colr") == nil, let signal = entry.baseSequenceParameterSet?.vui?.videoSignalType,
      let box = ColourInformationBox.box(of: signal, isQuickTime: entry.context.isQuickTime)
    else { return nil }
    let place = entry.children.lastIndex { $0.type == "hvcC" || $0.type == "lhvC" }
    entry.children.insert(box, at: place.map { $0 + 1 } ?? 0)
    let codes = signal.colour.map {
      "\($0.colourPrimaries), \($0.transferCharacteristics), \($0.matrixCoeffs)"
    }
    return BoxChange("colr", "colour", old: "absent", new: codes ?? "as in the bitstream")
  }
}

extension Box {
  /// The first sequence parameter set of the base layer in the configuration record.
  fileprivate var baseSequenceParameterSet: SequenceParameterSet? {
    let units = first(HEVCConfigurationBox.self)?.record.nalUnits ?? []
    guard let unit = units.first(where: { $0.type == .sequenceParameterSet && $0.layerID == 0 }) else {
      return nil
    }
    let (set, _, error) = unit.rbsp.decode(SequenceParameterSet())
    return error == nil ? set : nil
  }

  /// Changes the arrays of all configuration records.
  fileprivate mutating func changeRecords(_ change: (inout [NALUnitArray]) -> Void) {
    for index in children.indices {
      if var box = children[index].payload(HEVCConfigurationBox.self) {
        let old = box.record.arrays
        change(&box.record.arrays)
        if box.record.arrays != old { children[index].replacePayload(box) }
      } else if var box = children[index].payload(LHEVCConfigurationBox.self) {
        let old = box.record.arrays
        change(&box.record.arrays)
        if box.record.arrays != old { children[index].replacePayload(box) }
      }
    }
  }
}
