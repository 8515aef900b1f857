// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// An edited movie of which nothing is written yet.
struct CheckedPlan {
  let plan: WritePlan
  /// The plan as a movie, opened once: everything that can be refused is asked of it.
  let movie: MovieFile

  /// The boxes that may be many gigabytes, of which most bytes are copied.
  private static let large: Set<FourCC> = ["mdat", "imda", "idat", "free", "skip", "wide"]
  /// The number of places in the media data at which copied bytes are compared, for each track.
  private static let probes = 32

  /// Compares what was written with the plan: the movie itself, with everything that says what is where, and all other bytes
  /// that are made for it completely, copied media data at some places.
  func compare(with written: any ByteSource) throws(SourceError) {
    let whole = (movie.tree?.boxes ?? []).filter { !Self.large.contains($0.type) }.map { box in
      UInt64(clamping: box.offset)..<UInt64(clamping: max(box.offset, box.fileRange.upperBound))
    }
    let place = try plan.firstDifference(
      in: written, whole: whole, probes: Self.probes * max(1, movie.tracks.count))
    guard let place else { return }
    throw SourceError(
      .other("has different bytes than planned"), offset: place, path: written.files.first?.path,
      advice: "The disk or its connection may be faulty: write to another disk.")
  }
}
