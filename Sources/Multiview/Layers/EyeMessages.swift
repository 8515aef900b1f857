// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

/// What the SEI messages at the start of a video say of eyes; of one place the first message of each kind counts.
struct EyeMessages {
  /// What holds for the first sample: a message in it replaces that of the configuration records, which comes before.
  private(set) var referenceDisplays: [EyeAssignment.Facts.Display] = []
  /// What the configuration records say, where the first sample has a message of its own.
  private(set) var replacedDisplays: [EyeAssignment.Facts.Display] = []
  private(set) var viewPositions: [UInt32] = []

  init(_ units: [LocatedNALUnit]) {
    for located in units where located.unit.type.isSEI && !located.isInSample { read(located) }
    let configured = referenceDisplays
    referenceDisplays = []
    for located in units where located.unit.type.isSEI && located.isInSample { read(located) }
    if referenceDisplays.isEmpty {
      referenceDisplays = configured
    } else {
      replacedDisplays = configured
    }
  }

  private mutating func read(_ located: LocatedNALUnit) {
    for message in located.unit.seiMessages().messages { add(message) }
  }

  private mutating func add(_ message: SEIMessage) {
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
