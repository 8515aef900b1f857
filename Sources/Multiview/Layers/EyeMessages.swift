// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

/// What the SEI messages at the start of a video say of eyes; the first message of each kind counts.
struct EyeMessages {
  private(set) var referenceDisplays: [EyeAssignment.Facts.Display] = []
  private(set) var viewPositions: [UInt32] = []

  init(_ units: [LocatedNALUnit]) {
    for located in units where located.unit.type.isSEI {
      for message in located.unit.seiMessages().messages { add(message) }
    }
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
