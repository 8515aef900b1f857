// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension MuxSession {
  /// Returns the messages of an access unit that belong in the configuration record, and the units that contain
  /// nothing else.
  static func configurationMessages(
    _ units: ArraySlice<NALUnit>
  ) -> (messages: [NALUnit], whole: Set<NALUnit>) {
    var found: [NALUnit] = [], whole: Set<NALUnit> = []
    for unit in units where unit.type == .prefixSEI && unit.layerID == 0 && !whole.contains(unit) {
      let (messages, error) = unit.seiMessages()
      let wanted = messages.filter(\.payloadType.belongsInRecord)
      guard error == nil, !wanted.isEmpty else { continue }
      if wanted.count == messages.count {
        if let own = NALUnit(unit.bytes.copy()) { found.append(own) }
        whole.insert(unit)
      } else if let part = part(of: unit, wanted) {
        found.append(part)
      }
    }
    return (found, whole)
  }

  private static func part(of unit: NALUnit, _ messages: [SEIMessage]) -> NALUnit? {
    do { return try NALUnit(unit.header, SEIMessages(messages)) } catch { return nil }
  }

  /// Returns whether the views of the eyes differ from those that the configuration record names.
  static func changesEyes(_ known: [NALUnit], _ found: [NALUnit]) -> Bool {
    func eyes(_ units: [NALUnit]) -> [ByteView] {
      units.flatMap { $0.seiMessages().messages }
        .filter { $0.payloadType == ThreeDimensionalReferenceDisplaysInfo.payloadType }.map(\.payload)
    }
    let (before, now) = (eyes(known), eyes(found))
    return !before.isEmpty && !now.isEmpty && before != now
  }

  /// Returns whether samples keep a unit. Delimiters, filler data and the end of the bitstream have no meaning
  /// in a movie; parameter sets are in the sample entry.
  static func isKept(_ unit: NALUnit) -> Bool {
    switch unit.type {
    case .accessUnitDelimiter, .endOfBitstream, .fillerData: false
    default: !unit.type.isParameterSet
    }
  }

  static func length(of unit: NALUnit) -> ByteView {
    ByteView(UInt32(clamping: unit.bytes.count).bigEndianBytes)
  }
}
