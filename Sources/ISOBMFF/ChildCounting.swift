// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// Fields that say how many boxes follow them. The count follows when children are added or removed.
package protocol ChildCounting: BoxPayload {
  /// The number in the file.
  mutating func setChildCount(_ children: [Box])
}

extension [Box] {
  /// How many of the boxes are of those types, or, without types, are more than free space.
  package func counted(_ types: Set<FourCC> = []) -> UInt32 {
    UInt32(
      clamping: count { types.isEmpty ? $0.type != "free" && $0.type != "skip" : types.contains($0.type) })
  }
}
