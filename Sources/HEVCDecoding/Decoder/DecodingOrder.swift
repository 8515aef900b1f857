// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// The order in which pictures are passed to threads: decoding order, except that a picture of a higher layer comes
/// after the next one of a lower layer.
///
/// A picture of a higher layer waits for almost every row of that of the lower layer at the same time. The next
/// picture of the lower layer does not wait for it, and gives it time. So the last picture is held, which also
/// gives the caller time to release those that it replaces in the buffer.
package struct DecodingOrder<Work> {
  private var held: (work: Work, number: Int, layerID: UInt8)?

  package init() {}

  /// Adds a picture.
  ///
  /// - Parameters:
  ///   - number: how many pictures precede it in decoding order.
  ///   - references: the numbers of the pictures that it refers to.
  /// - Returns: the pictures to start now.
  package mutating func add(_ work: Work, number: Int, layerID: UInt8, references: [Int]) -> [Work] {
    if let held, layerID < held.layerID, !references.contains(held.number) { return [work] }
    defer { held = (work, number, layerID) }
    return held.map { [$0.work] } ?? []
  }

  /// Returns a picture that something waits for, if it is held: it must start now.
  package mutating func take(_ number: Int) -> Work? {
    guard let work = held?.work, held?.number == number else { return nil }
    held = nil
    return work
  }

  /// Discards the picture that is held.
  package mutating func removeAll() { held = nil }
}
