// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

/// How much of a file the walks over the samples of its tracks have gone through.
///
/// Samples may lie upon one another, those of one track and those of many, so that a small file says of much work that it
/// is to be done. All tracks together may go through the bytes of the file so many times over
/// (`Limits.maximumSampleOverlap`). Samples that do not overlap are always walked to their end.
final class WalkLedger: Sendable {
  private struct Costs {
    var byTrack: [Int: Int] = [:]
    var sum = 0
  }

  private let allowed: Int
  private let costs = Locked(Costs())

  init(fileSize: UInt64?, _ limits: Limits) {
    let (product, overflow) = Int(clamping: fileSize ?? .max).multipliedReportingOverflow(
      by: max(1, limits.maximumSampleOverlap))
    allowed = overflow ? .max : product
  }

  /// What a walk over a track may cost: what the other tracks have left.
  func left(forTrack index: Int) -> Int {
    costs.withLock { allowed == .max ? .max : max(0, allowed - ($0.sum - ($0.byTrack[index] ?? 0))) }
  }

  /// Notes what a walk over a track has cost. Further walks over it are free up to that: who asks twice pays once.
  func note(_ cost: Int, ofTrack index: Int) {
    guard allowed < .max else { return }
    costs.withLock { costs in
      let before = costs.byTrack[index] ?? 0
      guard cost > before else { return }
      costs.byTrack[index] = cost
      costs.sum += cost - before
    }
  }

  /// What it costs to look at something short, in bytes that are walked over: a unit, a constructor, a place in a table.
  static let shortCost = 256

  /// What it costs to walk over a unit: its bytes. A short one costs as much as one of 256 bytes, because that is about
  /// what it takes to look at it; the shortest 32 for each byte of theirs and of four. A parameter set is read, too, and
  /// each of its bytes costs as much as 48 that are walked over; so is the header of a slice, for as much as 512, but no
  /// more than 16 times what the unit has. No unit costs more than 60 times what it takes in the file, so that one walk
  /// over samples beside one another is never too much.
  static func cost(ofUnit length: Int, _ type: NALUnitType?, lengthSize: Int) -> Int {
    var cost = length >= shortCost ? length : min(shortCost, 32 * (length + 4))
    if let type, type.isParameterSet {
      cost = max(cost, 48 * length)
    } else if type?.isSliceSegment == true {
      cost += length >= 32 ? 512 : 16 * length
    }
    return length >= 32 ? cost : min(cost, 60 * (length + lengthSize))
  }
}
