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
    guard let (first, other) = track.differentReferenceDisplays else { return }
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

  /// How many messages are compared: a first sample may have any number of the same.
  private static let maximumReferenceDisplays = 1_024

  /// Of what the records and the first sample give the eyes, in their order: the first, and the first that differs.
  fileprivate var differentReferenceDisplays: (ReferenceDisplay, ReferenceDisplay)? {
    var first: ReferenceDisplay?
    var left = Self.maximumReferenceDisplays
    for located in analysis.units where located.unit.type.isSEI {
      for message in located.unit.seiMessages().messages
      where message.payloadType == ThreeDimensionalReferenceDisplaysInfo.payloadType {
        left -= 1
        guard left >= 0 else { return nil }
        let (value, _, error) = message.payload.decode(ThreeDimensionalReferenceDisplaysInfo())
        guard error == nil, let display = value.displays.first else { continue }
        let found = ReferenceDisplay(
          source: located.source, offset: located.unit.bytes.fileOffset, left: display.leftViewID,
          right: display.rightViewID)
        guard let known = first else {
          first = found
          continue
        }
        if known.left != found.left || known.right != found.right { return (known, found) }
      }
    }
    return nil
  }
}
