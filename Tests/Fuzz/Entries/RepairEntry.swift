// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import MovieEditing
import Multiview
import TestSupport

extension FuzzTarget {
  static let repair = FuzzTarget(
    "FuzzRepair",
    "A damaged movie that is repaired: what is made passes its verification, its samples are in it, and needs no other repair.",
    countsAllocations: false,
    seeds: {
      (FuzzSeeds.movies(whole: true) + FuzzSeeds.smallMovies()).map { name, bytes in
        (name, bytes + [UInt8(truncatingIfNeeded: name.utf8.count)])
      }
    },
    mutator: { mutation in
      // The last byte chooses what is given besides; the rest is a movie.
      let choice = mutation.bytes.popLast() ?? 0
      switch Int.random(in: 0..<8, using: &mutation.random) {
      case 0: mutation.bytes.append(UInt8.random(in: 0...255, using: &mutation.random))
      case 1...2:
        mutation.mutatePlainly()
        mutation.bytes.append(choice)
      default:
        mutateBoxes(&mutation)
        mutation.bytes.append(choice)
      }
    },
    readings: 32
  ) { bytes, findings in
    var limits = Limits.standard
    limits.maximumSamples = 1 << 12
    let movieBytes = bytes.prefix(max(0, bytes.count - 1))
    guard let choice = bytes[bytes.count - 1],
      let movie = try? MovieFile(source: MemoryBytes(movieBytes), limits: limits)
    else { return }
    do throws(EditError) {
      var repairer = try MovieRepairer(movie)
      if choice & 1 != 0 { repairer.frameRate = FrameRate(25) }
      if choice & 2 != 0 {
        let donor = choice & 4 != 0 ? "two-views.hevc" : "spatial.mov"
        repairer.donor = try? MovieFile(source: MemoryBytes(Fixtures.bytes(donor)), limits: limits)
      }
      findings.checkRepaired(try repairer.draftMovie())
    } catch {
      // What was made and does not pass is a fault.
      findings.expect(error.kind != .failed && !error.reason.isEmpty, "\(error)")
    }
  }
}

extension FuzzFindings {
  fileprivate mutating func checkRepaired(_ made: (movie: MovieFile, report: RepairReport)) {
    guard !made.report.steps.isEmpty || !made.report.changes.isEmpty, let size = made.movie.source.size
    else { return }
    for step in made.report.steps { expect(step.old != step.new, "nothing changes: \(step)") }
    for track in made.movie.tracks {
      guard let samples = try? track.samples() else { continue }
      for sample in samples where !track.externalMedia.contains(sample.descriptionIndex) {
        expect(
          sample.range.upperBound <= size || sample.size == 0,
          "sample \(sample.index) of track \(track.id) is at \(sample.range), after \(made.report.steps)")
      }
    }
    // What is left may be refused, with its reason.
    do throws(EditError) {
      let again = try MovieRepairer(made.movie).plannedReport()
      expect(again.steps.isEmpty, "repaired once more: \(again.steps), after \(made.report.steps)")
    } catch { expect(error.kind != .failed && !error.reason.isEmpty, "\(error)") }
  }
}
