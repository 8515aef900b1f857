// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

extension Rule {
  static let arraysHoldTheirType = Rule(
    "MV011", .error, "An array of a configuration record holds units of another type",
    source: "ISO/IEC 14496-15, 8.3.3.1.3", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "Readers look for parameter sets by the type of the array. A unit in the wrong array is not "
      + "found, or handed on as something it is not.",
    mend: "Sort the units into arrays of their own types: 32 VPS, 33 SPS, 34 PPS, 39 and 40 SEI."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    let records: [(FourCC, [NALUnitArray])] = [
      ("hvcC", track.description?.hevcConfiguration?.arrays ?? []),
      ("lhvC", track.description?.layeredConfiguration?.arrays ?? []),
    ]
    for (type, arrays) in records {
      for array in arrays {
        for unit in array.nalUnits where unit.type != array.nalUnitType {
          findings.add(
            "an array of \(array.nalUnitType.name) in \(type) holds \(unit.type.name)",
            path: track.place(of: type)?.path ?? track.path, offset: unit.bytes.fileOffset,
            found: unit.type.name, wanted: array.nalUnitType.name)
        }
      }
    }
  }
}
