// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

/// Where the boxes of stereo and projected video belong, counted from the sample entry.
package enum StereoBoxHome {
  private static let containers: [FourCC: [FourCC]] = [
    "vexu": [], "hfov": [], "eyes": ["vexu"], "proj": ["vexu"], "pack": ["vexu"],
    "stri": ["vexu", "eyes"], "hero": ["vexu", "eyes"], "cams": ["vexu", "eyes"],
    "cmfy": ["vexu", "eyes"], "blin": ["vexu", "eyes", "cams"], "dadj": ["vexu", "eyes", "cmfy"],
    "prji": ["vexu", "proj"], "pkin": ["vexu", "pack"],
  ]

  /// How many bytes each has that holds no more than its fields, or what belongs into it.
  package static let sizes: [FourCC: Int] = [
    "stri": 13, "hero": 13, "blin": 16, "dadj": 16, "cams": 24, "cmfy": 24, "hfov": 12, "prji": 16,
    "pkin": 16,
  ]

  /// The types of the boxes around one of that type, the outermost first; `nil` for types that are not of the family.
  package static func containers(of type: FourCC) -> [FourCC]? { containers[type] }

  /// Whether a box of that type has a home, and none is there yet.
  package static func isVacant(_ type: FourCC, in entry: Box) -> Bool {
    guard let path = containers[type] else { return false }
    var around = entry
    for step in path {
      guard let next = around.first(step) else { return true }
      around = next
    }
    return around.first(type) == nil
  }
}
