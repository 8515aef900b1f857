// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The motion of a prediction block: up to two vectors, each with an entry of its list.
@usableFromInline
package struct Motion: BitwiseCopyable {
  @usableFromInline package var vector0 = MotionVector()
  @usableFromInline package var vector1 = MotionVector()
  /// refIdxL0; -1 if list 0 is not used.
  @usableFromInline package var index0: Int8 = -1
  /// refIdxL1; -1 if list 1 is not used.
  @usableFromInline package var index1: Int8 = -1
  /// Which picture the entry of list 0 refers to: a number among all pictures that the current one refers to.
  @usableFromInline package var slot0: UInt8 = 0
  /// The same for list 1.
  @usableFromInline package var slot1: UInt8 = 0

  /// No motion.
  @inlinable
  package init() {}

  @inlinable @inline(__always)
  package var uses0: Bool { index0 >= 0 }
  @inlinable @inline(__always)
  package var uses1: Bool { index1 >= 0 }

  /// Whether both use the same samples of the same entries. 8.5.3.2.3
  @inlinable @inline(__always)
  package func isSame(as other: Motion) -> Bool {
    index0 == other.index0 && index1 == other.index1 && (index0 < 0 || vector0 == other.vector0)
      && (index1 < 0 || vector1 == other.vector1)
  }
}
