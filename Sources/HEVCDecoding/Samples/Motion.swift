// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The motion of a prediction block: up to two vectors, each with an entry of its list.
struct Motion: BitwiseCopyable {
  var vector0 = MotionVector()
  var vector1 = MotionVector()
  /// refIdxL0; -1 if list 0 is not used.
  var index0: Int8 = -1
  /// refIdxL1; -1 if list 1 is not used.
  var index1: Int8 = -1
  /// Which picture the entry of list 0 refers to: a number among all pictures that the current one refers to.
  var slot0: UInt8 = 0
  /// The same for list 1.
  var slot1: UInt8 = 0

  @inline(__always)
  var uses0: Bool { index0 >= 0 }
  @inline(__always)
  var uses1: Bool { index1 >= 0 }

  /// Whether both use the same samples of the same entries. 8.5.3.2.3
  @inline(__always)
  func isSame(as other: Motion) -> Bool {
    index0 == other.index0 && index1 == other.index1 && (index0 < 0 || vector0 == other.vector0)
      && (index1 < 0 || vector1 == other.vector1)
  }
}
