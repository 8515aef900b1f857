// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The pictures of a short-term reference picture set, by their distance in picture order count (DeltaPocS0,
/// DeltaPocS1, UsedByCurrPicS0 and UsedByCurrPicS1). ISO/IEC 23008-2, 7.4.8
public struct ReferencePictureDeltas: Hashable, Sendable {
  /// First NumNegativePics deltas, then NumPositivePics, at most 16 in all.
  private var deltas = SIMD16<Int32>(repeating: 0)
  private var used: UInt32 = 0
  /// How many pictures precede this one in output order (`NumNegativePics`).
  public private(set) var numNegativePics = 0
  /// How many pictures follow this one in output order (`NumPositivePics`).
  public private(set) var numPositivePics = 0
  /// Whether more pictures were added than a set may have.
  private(set) var isOverfull = false

  /// Makes an empty set.
  public init() {}

  /// The number of pictures (`NumDeltaPocs`).
  public var count: Int { numNegativePics + numPositivePics }

  /// The distances of the preceding pictures, the closest first (`DeltaPocS0`).
  public var s0: [Int32] { (0..<numNegativePics).map { deltas[$0] } }
  /// The distances of the following pictures, the closest first (`DeltaPocS1`).
  public var s1: [Int32] { (numNegativePics..<count).map { deltas[$0] } }

  /// The distance at an index of DeltaPocS0 followed by DeltaPocS1; 0 outside.
  public subscript(index: Int) -> Int32 { index >= 0 && index < count ? deltas[index] : 0 }

  /// Whether the current picture refers to the picture at `index` of DeltaPocS0 followed by DeltaPocS1.
  public func isUsed(_ index: Int) -> Bool {
    index >= 0 && index < count && used &>> UInt32(index) & 1 == 1
  }

  /// How many pictures the current one refers to.
  public var numUsed: Int { used.nonzeroBitCount }

  /// Adds the next picture to DeltaPocS0.
  mutating func appendNegative(_ delta: Int32, used isUsed: Bool) {
    append(delta, isUsed)
    if !isOverfull { numNegativePics += 1 }
  }

  /// Adds the next picture to DeltaPocS1; no negative one may follow.
  mutating func appendPositive(_ delta: Int32, used isUsed: Bool) {
    append(delta, isUsed)
    if !isOverfull { numPositivePics += 1 }
  }

  private mutating func append(_ delta: Int32, _ isUsed: Bool) {
    guard count < 16 else {
      isOverfull = true
      return
    }
    if isUsed { used |= 1 &<< UInt32(count) }
    deltas[count] = delta
  }
}
