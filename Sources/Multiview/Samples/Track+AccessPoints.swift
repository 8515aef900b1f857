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
    try hasSkippedPictures(in: leading, AccessUnitLookup(self))
  }

  /// The same, with a lookup for many: what it reads in all is bounded. What is not read counts as not skipped.
  private func hasSkippedPictures(
    in leading: [Sample], _ lookup: @autoclosure () -> AccessUnitLookup
  ) throws(SourceError) -> Bool {
    if leading.contains(where: { $0.flags.isLeading == 1 }) { return true }
    guard isHEVC, !isProtected else { return false }
    // Pictures that are skipped after random access have NAL unit types of their own.
    for sample in leading where sample.flags.isLeading != 3 {
      let units = try lookup().accessUnit(of: sample).units
      if units.first(where: { $0.header.type.isVideoCodingLayer })?.header.type.isSkippedLeading == true {
        return true
      }
    }
    return false
  }

  /// Returns whether samples that follow the first one need samples that precede it.
  package func beginsOpen(_ samples: TrackSamples) throws(SourceError) -> Bool {
    guard let first = samples.sample(at: 0), !first.isNeverComposed else { return false }
    let following = Array(samples.prefix(1 + Self.maximumLeadingSamples)).dropFirst()
    return try hasSkippedPictures(in: Array(following.prefix { $0.compositionTime < first.compositionTime }))
  }

  /// For samples that begin an open group of pictures and are no sync samples: the decoding time of the next sync
  /// sample, by the index of the sample; the greatest number if none follows.
  package func laterSyncSamples() throws(SourceError) -> [Int: Int64] {
    let samples = try samples()
    guard hasOpenAccessPoints(samples) else { return [:] }
    var later: [Int: Int64] = [:], open: [Int] = []
    for sample in samples {
      if isOpenAccessPoint(sample) {
        open.append(sample.index)
      } else if sample.isSync {
        for index in open { later[index] = sample.decodeTime }
        open.removeAll(keepingCapacity: true)
      }
    }
    for index in open { later[index] = .max }
    return later
  }

  /// For samples that samples after them, presented earlier, make unfit to begin decoding at: the decoding time of the next
  /// one that is fit, by the index of the sample; the greatest number if none follows. These are sync samples, and others
  /// that begin open groups of pictures.
  package func betterAccessPoints() throws(SourceError) -> [Int: Int64] {
    var better: [Int: Int64] = [:], open: [Int] = []
    var point: Sample?, leading: [Sample] = []
    let lookup = AccessUnitLookup(self)
    func finish() throws(SourceError) {
      guard let last = point else { return }
      if try hasSkippedPictures(in: leading, lookup) {
        open.append(last.index)
      } else {
        for index in open { better[index] = last.decodeTime }
        open.removeAll(keepingCapacity: true)
      }
      (point, leading) = (nil, [])
    }
    for sample in try samples() {
      if isOpenAccessPoint(sample) {
        try finish()
        open.append(sample.index)
      } else if sample.isSync {
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
    for index in open { better[index] = .max }
    return better
  }
}
