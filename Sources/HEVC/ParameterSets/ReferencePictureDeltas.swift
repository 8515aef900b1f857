// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The pictures of a short-term reference picture set, by their distance in picture order count: DeltaPocS0,
/// DeltaPocS1, UsedByCurrPicS0 and UsedByCurrPicS1. ISO/IEC 23008-2, 7.4.8
public struct ReferencePictureDeltas: Hashable, Sendable {
  /// NumNegativePics first, then NumPositivePics, at most 16 in all.
  private var deltas = SIMD16<Int32>(repeating: 0)
  private var used: UInt32 = 0
  /// How many pictures are shown before this one. `NumNegativePics`
  public private(set) var numNegativePics = 0
  /// How many pictures are shown after this one. `NumPositivePics`
  public private(set) var numPositivePics = 0
  /// Whether more pictures were added than a set may have.
  private(set) var isOverfull = false

  /// No pictures.
  public init() {}

  /// How many pictures there are in all. `NumDeltaPocs`
  public var count: Int { numNegativePics + numPositivePics }

  /// DeltaPocS0, the closest picture first.
  public var s0: [Int32] { (0..<numNegativePics).map { deltas[$0] } }
  /// DeltaPocS1, the closest picture first.
  public var s1: [Int32] { (numNegativePics..<count).map { deltas[$0] } }

  /// DeltaPocS0 and then DeltaPocS1; 0 outside.
  public subscript(index: Int) -> Int32 { index >= 0 && index < count ? deltas[index] : 0 }

  /// UsedByCurrPicS0 and then UsedByCurrPicS1: whether the current picture refers to the picture at `index`.
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
