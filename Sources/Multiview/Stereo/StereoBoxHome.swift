// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import ISOBMFF

/// Where the boxes of stereo and projected video belong, relative to the sample entry.
package enum StereoBoxHome {
  private static let containers: [FourCC: [FourCC]] = {
    let paths = StereoTag.all.flatMap { tag in tag.box.indices.map { tag.box[...$0] } }
    return Dictionary(paths.map { ($0[$0.endIndex - 1], Array($0.dropLast())) }) { first, _ in first }
  }()

  /// The types of the boxes inside `vexu`.
  package static let typesInUsage = Set(containers.filter { !$0.value.isEmpty }.keys)

  /// The size in bytes of each box with nothing but its fields, or its one child.
  package static let sizes: [FourCC: Int] = [
    "stri": 13, "hero": 13, "blin": 16, "dadj": 16, "cams": 24, "cmfy": 24, "hfov": 12, "prji": 16,
    "pkin": 16,
  ]

  /// The types of the boxes around one of that type, the outermost first; `nil` for types that are not of the family.
  package static func containers(of type: FourCC) -> [FourCC]? { containers[type] }

  /// Returns whether a box of a type belongs in the entry, and there is none yet.
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
