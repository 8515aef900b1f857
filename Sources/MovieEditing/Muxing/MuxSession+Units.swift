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
    changes(ThreeDimensionalReferenceDisplaysInfo.payloadType, known, found)
  }

  /// Returns whether the light or the transfer function of a sequence differs from what the configuration record says: its
  /// messages apply to all samples. ISO/IEC 14496-15, 8.3.3.1.2
  static func changesLight(_ known: [NALUnit], _ found: [NALUnit]) -> Bool {
    [
      MasteringDisplayColourVolume.payloadType, ContentLightLevelInfo.payloadType,
      AlternativeTransferCharacteristics.payloadType,
    ].contains { changes($0, known, found) }
  }

  private static func changes(_ type: SEIPayloadType, _ known: [NALUnit], _ found: [NALUnit]) -> Bool {
    let (before, now) = (payloads(type, known), payloads(type, found))
    return !before.isEmpty && !now.isEmpty && before != now
  }

  private static func payloads(_ type: SEIPayloadType, _ units: [NALUnit]) -> [ByteView] {
    units.flatMap { $0.seiMessages().messages }.filter { $0.payloadType == type }.map(\.payload)
  }

  /// Returns whether a unit with messages of the record has to stay in its sample, because another message of such a type
  /// would apply otherwise.
  func isNeeded(_ unit: NALUnit) -> Bool {
    !overridden.isEmpty && unit.seiMessages().messages.contains { overridden.contains($0.payloadType) }
  }

  /// Notes which messages of the record no longer apply, because samples have others of these types.
  mutating func noteMessages(_ unit: NALUnit) {
    let record = descriptions[current].messages
    guard unit.type == .prefixSEI, unit.layerID == 0, !record.isEmpty else { return }
    for message in unit.seiMessages().messages where message.payloadType.belongsInRecord {
      let known = Self.payloads(message.payloadType, record)
      if known.isEmpty || known.contains(message.payload) {
        overridden.remove(message.payloadType)
      } else {
        overridden.insert(message.payloadType)
      }
    }
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

extension NALUnit {
  /// Whether it has metadata or the enhancement layer of Dolby Vision. These types are free for any use, and have no other that
  /// is known.
  var isOfDolbyVision: Bool { type.rawValue == 62 || type.rawValue == 63 }
}
