// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

/// What a walk over the samples of a track costs, and what it may.
///
/// Samples may overlap, those of one track and those of many, so that a small file can ask for much work. A
/// walk may go through the bytes of the file that many times (`Limits.maximumSampleOverlap`). Its allowance is
/// its own: no other walk, over this track or another, takes anything from it, so that no result depends on
/// earlier requests.
enum WalkCost {
  /// How many tracks of HEVC may each go through the file as often as is allowed. With more tracks, each may less often.
  private static let fullTracks = 8

  /// The allowance of one walk in a movie, by its number of HEVC tracks.
  static func allowed(fileSize: UInt64?, tracks: Int, _ limits: Limits) -> Int {
    let (product, overflow) = Int(clamping: fileSize ?? .max).multipliedReportingOverflow(
      by: max(1, limits.maximumSampleOverlap))
    guard !overflow else { return .max }
    guard tracks > fullTracks else { return product }
    return product / tracks * fullTracks
  }

  /// What it costs to look at something short, in bytes that are walked over: a unit, a constructor, a place in a table.
  static let shortCost = 256

  /// What it costs to walk over a unit: its bytes. A short one costs as much as one of 256 bytes, because that is about
  /// what it takes to look at it; the shortest as 32 times the sum of its length and four. A parameter set is read, too, and
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
