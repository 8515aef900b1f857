// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// Fields that include the number of boxes that follow them. The number is updated when children are added or
/// removed.
package protocol ChildCounting: BoxPayload {
  /// Sets the number in the file.
  mutating func setChildCount(_ children: [Box])
}

extension [Box] {
  /// How many of the boxes have one of these types, or, without types, are not free space.
  package func counted(_ types: Set<FourCC> = []) -> UInt32 {
    UInt32(
      clamping: count { types.isEmpty ? $0.type != "free" && $0.type != "skip" : types.contains($0.type) })
  }
}
