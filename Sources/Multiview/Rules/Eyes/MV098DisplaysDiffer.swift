// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let displaysDiffer = Rule(
    "MV098", .warning, "Messages on the views of the eyes differ",
    source: "ISO/IEC 23008-2, G.14.2.3; ISO/IEC 14496-15, 8.3.3.1.3", for: [.spatial, .stereo],
    why:
      "The message on 3D reference displays stands in hvcC and in the samples, and the two give the eyes "
      + "different views. Players that go by one of them swap the eyes against those that go by the other.",
    mend:
      "Make both say the same. A message in the samples holds from its picture on, so it is the one that a "
      + "decoder ends up with."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard track.isMultiview else { return }
    let messages = track.referenceDisplays
    guard let first = messages.first,
      let other = messages.first(where: { $0.left != first.left || $0.right != first.right })
    else { return }
    findings.add(
      "\(first.source) has left \(first.left), right \(first.right); "
        + "\(other.source) has left \(other.left), right \(other.right)",
      path: track.path, offset: other.offset, found: "left \(other.left), right \(other.right)",
      wanted: "left \(first.left), right \(first.right)")
  }
}

extension TrackFacts {
  /// What a message gives the eyes, for its first display.
  fileprivate struct ReferenceDisplay {
    let source: LocatedNALUnit.Source
    let offset: Int?
    let left: UInt32
    let right: UInt32
  }

  /// What the records and the first sample give the eyes, in their order.
  fileprivate var referenceDisplays: [ReferenceDisplay] {
    analysis.units.filter(\.unit.type.isSEI).flatMap { located -> [ReferenceDisplay] in
      located.unit.seiMessages().messages.compactMap { message -> ReferenceDisplay? in
        guard message.payloadType == ThreeDimensionalReferenceDisplaysInfo.payloadType else {
          return nil
        }
        let (value, _, error) = message.payload.decode(ThreeDimensionalReferenceDisplaysInfo())
        guard error == nil, let display = value.displays.first else { return nil }
        return ReferenceDisplay(
          source: located.source, offset: located.unit.bytes.fileOffset, left: display.leftViewID,
          right: display.rightViewID)
      }
    }
  }
}
