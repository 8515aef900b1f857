// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

/// The SEI messages about eyes at the start of a video. In each place, the first message of each kind is used.
struct EyeMessages {
  /// A message that may say which eye a layer shows, and cannot be read.
  struct Damage: Sendable, Hashable {
    /// Where the unit is.
    let source: LocatedNALUnit.Source
    let error: ParseError

    /// What is wrong, with the place of the unit.
    var words: String {
      "an SEI message of \(source) cannot be read: "
        + (error.field.isEmpty ? "" : error.field + " ") + error.reason
    }
  }

  /// The views that a message assigns to the eyes, for its first display.
  struct ReferenceDisplay: Sendable {
    let source: LocatedNALUnit.Source
    let offset: Int?
    let left: UInt32
    let right: UInt32
  }

  /// What holds for the first sample: a message in it replaces that of the configuration records, which comes before.
  private(set) var referenceDisplays: [ThreeDimensionalReferenceDisplaysInfo.Display] = []
  /// What the configuration records say, where the first sample has a message of its own.
  private(set) var replacedDisplays: [ThreeDimensionalReferenceDisplaysInfo.Display] = []
  private(set) var viewPositions: [UInt32] = []
  /// The first that cannot be read. It says nothing, and what another one says stays.
  private(set) var damage: Damage?
  /// The first assignment in the records and the first sample.
  private var firstDisplay: ReferenceDisplay?
  /// The first display and the first one that differs from it; `nil` if none differs.
  private(set) var differentDisplays: (ReferenceDisplay, ReferenceDisplay)?
  /// The kinds of all messages that could be read, whatever they are about.
  private(set) var types: Set<SEIPayloadType> = []

  init(_ units: [LocatedNALUnit]) {
    let messages = units.filter(\.unit.type.isSEI)
    for located in messages where !located.isInSample { read(located) }
    let configured = referenceDisplays
    referenceDisplays = []
    for located in messages where located.isInSample { read(located) }
    if referenceDisplays.isEmpty {
      referenceDisplays = configured
    } else {
      replacedDisplays = configured
    }
  }

  private mutating func read(_ located: LocatedNALUnit) {
    let (messages, error) = located.unit.seiMessages()
    for message in messages { add(message, located) }
    // What follows a message that is not whole cannot be determined from its rest.
    if let error, error.field.hasPrefix("sei_message") { note(error, located.source) }
  }

  private mutating func note(_ error: ParseError, _ source: LocatedNALUnit.Source) {
    if damage == nil { damage = Damage(source: source, error: error) }
  }

  private mutating func add(_ message: SEIMessage, _ located: LocatedNALUnit) {
    types.insert(message.payloadType)
    if message.payloadType == ThreeDimensionalReferenceDisplaysInfo.payloadType {
      guard referenceDisplays.isEmpty || differentDisplays == nil else { return }
      let (info, _, error) = message.payload.decode(ThreeDimensionalReferenceDisplaysInfo())
      if error == nil { noteDisplay(info, located) }
      guard referenceDisplays.isEmpty else { return }
      if let error {
        note(error, located.source)
      } else {
        referenceDisplays = info.displays
      }
    } else if message.payloadType == MultiviewViewPosition.payloadType, viewPositions.isEmpty {
      let (info, _, error) = message.payload.decode(MultiviewViewPosition())
      if error == nil { viewPositions = info.positions }
    }
  }

  private mutating func noteDisplay(_ info: ThreeDimensionalReferenceDisplaysInfo, _ located: LocatedNALUnit)
  {
    guard let display = info.displays.first else { return }
    let found = ReferenceDisplay(
      source: located.source, offset: located.unit.bytes.fileOffset, left: display.leftViewID,
      right: display.rightViewID)
    guard let first = firstDisplay else {
      firstDisplay = found
      return
    }
    if differentDisplays == nil, first.left != found.left || first.right != found.right {
      differentDisplays = (first, found)
    }
  }
}
