// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import FileAccess
import HEVC
package import ISOBMFF

extension Track {
  /// The number of samples after a sync sample that are examined, enough for any order of pictures.
  package static let maximumLeadingSamples = 16

  /// Returns whether some of these samples, which are decoded after a sync sample and presented before it, need samples
  /// that precede it: pictures that are skipped if decoding begins there (RASL). ISO/IEC 23008-2, 3.111
  package func hasSkippedPictures(in leading: [Sample]) throws(SourceError) -> Bool {
    if leading.contains(where: { $0.flags.isLeading == 1 }) { return true }
    guard isHEVC, !isProtected else { return false }
    // Pictures that are skipped after random access have NAL unit types of their own.
    for sample in leading where sample.flags.isLeading != 3 {
      var isSkipped = false
      _ = try forEachAccessUnit(sample.index..<(sample.index + 1)) { places, _ in
        isSkipped =
          places.units.first { $0.header.type.isVideoCodingLayer }?.header.type.isSkippedLeading ?? false
        return false
      }
      if isSkipped { return true }
    }
    return false
  }

  /// Returns whether samples that follow the first one need samples that precede it.
  package func beginsOpen(_ samples: TrackSamples) throws(SourceError) -> Bool {
    guard let first = samples.sample(at: 0), !first.isNeverComposed else { return false }
    let following = Array(samples.prefix(1 + Self.maximumLeadingSamples)).dropFirst()
    return try hasSkippedPictures(in: Array(following.prefix { $0.compositionTime < first.compositionTime }))
  }

  /// The sync samples that samples after them, presented earlier, make unfit to begin decoding at, by their index; and
  /// the decoding times of the others.
  package func accessPoints() throws(SourceError) -> (open: Set<Int>, closedTimes: [Int64]) {
    var open: Set<Int> = [], closedTimes: [Int64] = []
    var point: Sample?, leading: [Sample] = []
    func finish() throws(SourceError) {
      guard let last = point else { return }
      if try hasSkippedPictures(in: leading) {
        open.insert(last.index)
      } else {
        closedTimes.append(last.decodeTime)
      }
      (point, leading) = (nil, [])
    }
    for sample in try samples() {
      if sample.isSync {
        try finish()
        point = sample
      } else if let time = point?.compositionTime {
        if sample.compositionTime < time, leading.count < Self.maximumLeadingSamples {
          leading.append(sample)
        } else {
          try finish()
        }
      }
    }
    try finish()
    return (open, closedTimes)
  }
}
