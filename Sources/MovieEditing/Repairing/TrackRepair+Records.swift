// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import Multiview

extension TrackRepair {
  /// Returns a sample entry whose records have all parameter sets. Everything else is kept, also how a record
  /// arranges the sets that it has already.
  func entry(_ old: FormatDescription, _ new: StreamDescription) throws -> Box {
    let base = try baseRecord(old, new)
    var layered = try layeredRecord(old, new)
    layered?.lengthSizeMinusOne = base.lengthSizeMinusOne
    var entry = old.box
    let place = entry.children.firstIndex { $0.type == "hvcC" || $0.type == "lhvC" } ?? 0
    entry.putRecord("hvcC", HEVCConfigurationBox(base), at: place) {
      $0.payload(HEVCConfigurationBox.self)?.record == base
    }
    if let layered {
      let place = entry.children.firstIndex { $0.type == "hvcC" }.map { $0 + 1 } ?? 0
      entry.putRecord("lhvC", LHEVCConfigurationBox(layered), at: place) {
        $0.payload(LHEVCConfigurationBox.self)?.record == layered
      }
    }
    guard let type = newTypes[old.path] else { return entry }
    guard let payload = old.box.payload(VisualSampleEntry.self) else {
      throw EditError(.damaged, "the sample entry cannot be read")
    }
    return Box(type, payload, children: entry.children, in: .visualSampleDescription, registry: .standard)
  }

  private func baseRecord(
    _ old: FormatDescription, _ new: StreamDescription
  ) throws(EditError) -> DecoderConfigurationRecord {
    let made = try new.baseRecord()
    let sets = made.arrays.filter(\.nalUnitType.isParameterSet)
    let restored = restoredMessages[old.path] ?? []
    var base: DecoderConfigurationRecord
    if let record = old.box.first(HEVCConfigurationBox.self)?.record, !record.arrays.isEmpty {
      // Messages of samples go into the record only if the samples are rewritten.
      let messages = record.arrays.filter(\.nalUnitType.isSEI)
      let moved = made.arrays.filter(\.nalUnitType.isSEI)
      base = record
      base.arrays = arrays(
        sets, instead: record.arrays, type: newTypes[old.path],
        messages: rewritesMedia ? moved : messages)
    } else {
      base = made
      // The record of a movie of the same stream has values that do not follow from the sets alone.
      if let record = donor?.records.first(where: { $0.base.hasSameSets(as: sets) })?.base {
        base = record
        base.arrays = sets + made.arrays.filter(\.nalUnitType.isSEI)
      }
    }
    for unit in restored where !base.nalUnits.contains(unit) {
      if let index = base.arrays.firstIndex(where: { $0.nalUnitType == unit.type }) {
        base.arrays[index].units.append(unit.bytes)
      } else {
        base.arrays.append(NALUnitArray(unit.type, isComplete: true, [unit.bytes]))
      }
    }
    base.lengthSizeMinusOne = UInt8(clamping: writtenLengthSize - 1)
    return base
  }

  private func layeredRecord(
    _ old: FormatDescription, _ new: StreamDescription
  ) throws(EditError) -> LayeredConfigurationRecord? {
    guard let made = try new.layeredRecord() else { return nil }
    guard var record = old.box.first(LHEVCConfigurationBox.self)?.record, !record.arrays.isEmpty else {
      guard
        var record = donor?.records.compactMap(\.layered).first(where: { $0.hasSameSets(as: made.arrays) })
      else { return made }
      record.arrays = made.arrays
      return record
    }
    record.arrays = arrays(
      made.arrays, instead: record.arrays, type: newTypes[old.path],
      messages: record.arrays.filter(\.nalUnitType.isSEI))
    return record
  }

  /// The width of lengths in the samples that are written; rewritten samples have four bytes.
  private var writtenLengthSize: Int { rewritesMedia ? 4 : lengthSize ?? track.lengthSize }

  /// Returns the arrays of a record: those that it has, if they have the right sets, and new ones instead of
  /// others.
  private func arrays(
    _ wanted: [NALUnitArray], instead old: [NALUnitArray], type: FourCC?, messages: [NALUnitArray]
  ) -> [NALUnitArray] {
    let mustBeComplete = rewritesMedia || type != nil || broken.contains(.arrayIncomplete)
    func isRight(_ type: NALUnitType) -> Bool {
      let own = old.filter { $0.nalUnitType == type }
      let units = own.flatMap(\.nalUnits)
      let needed = wanted.filter { $0.nalUnitType == type }.flatMap(\.nalUnits)
      return Set(units) == Set(needed) && units.count == needed.count
        && !(mustBeComplete && own.contains { !$0.arrayCompleteness })
    }
    let types = (wanted + old).map(\.nalUnitType).filter(\.isParameterSet)
    let kept = old.filter { !$0.nalUnitType.isSEI }
    let isSame = types.allSatisfy(isRight)
    let sets =
      isSame
      ? kept
      : wanted.flatMap { array in
        isRight(array.nalUnitType) ? old.filter { $0.nalUnitType == array.nalUnitType } : [array]
      } + kept.filter { !$0.nalUnitType.isParameterSet }
    if isSame, messages == old.filter(\.nalUnitType.isSEI) { return old }
    return sets + messages
  }
}

extension Box {
  /// Replaces the configuration record of an entry unless it is the same, or adds one.
  fileprivate mutating func putRecord(
    _ type: FourCC, _ payload: any BoxPayload, at place: Int, isSame: (Box) -> Bool
  ) {
    let box = Box(type, payload, in: .visualSampleEntry, registry: .standard)
    guard let index = children.firstIndex(where: { $0.type == type }) else {
      return children.insert(box, at: min(place, children.count))
    }
    if !isSame(children[index]) { children[index] = box }
  }
}

extension DecoderConfigurationRecord {
  /// Returns whether the record has the parameter sets of some arrays, and no others.
  fileprivate func hasSameSets(as arrays: [NALUnitArray]) -> Bool {
    Set(nalUnits.filter(\.type.isParameterSet)) == Set(arrays.flatMap(\.nalUnits))
  }
}

extension LayeredConfigurationRecord {
  /// Returns whether the record has the parameter sets of some arrays, and no others.
  fileprivate func hasSameSets(as arrays: [NALUnitArray]) -> Bool {
    Set(self.arrays.flatMap(\.nalUnits).filter(\.type.isParameterSet)) == Set(arrays.flatMap(\.nalUnits))
  }
}
