// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import MovieEditing
import Multiview

extension FuzzTarget {
  static let mux = FuzzTarget(
    "FuzzMux",
    "A byte stream of which a movie is made, and the movie, compared with what its units say, as for a repair.",
    seeds: { [0, 1, 2, 12].flatMap { FuzzSeeds.streams(prefix: [$0], size: 4_000) } },
    mutator: { mutation in
      if mutation.chance(2) { mutation.mutatePlainly() } else { mutateStream(&mutation, prefix: 1) }
    }
  ) { bytes, findings in
    guard let choice = bytes[0] else { return }
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    options.reordering = MuxOptions.Reordering.allCases[Int(choice & 3) % 3]
    options.skipsUndecodableStart = choice & 4 != 0
    options.listsOpenAccessPoints = choice & 8 != 0
    let stream = ByteView(bytes.suffix(from: 1).array)
    let muxer = StreamMuxer(source: MemoryBytes(stream), options: options)
    // What is refused is refused with a reason.
    do throws(EditError) { findings.checkMuxed(try muxer.draftMovie()) } catch {
      findings.expect(error.isRefusal && !error.reason.isEmpty, "\(error)")
    }
  }
}

extension FuzzFindings {
  fileprivate mutating func checkMuxed(_ draft: (movie: MovieFile, report: MuxReport)) {
    let (movie, report) = draft
    guard let track = movie.tracks.first, let size = movie.source.size else {
      return note("the movie has no track")
    }
    do {
      let samples = try track.samples()
      expect(samples.count == report.samples, "\(samples.count) samples, and \(report.samples) were written")
      var times: Set<Int64> = []
      for sample in samples {
        expect(sample.range.upperBound <= size, "sample \(sample.index) is at \(sample.range)")
        expect(
          times.insert(sample.compositionTime).inserted,
          "two samples are composed at \(sample.compositionTime)")
        let units = LengthPrefixedNALUnits(try movie.source.read(sample.range), lengthSize: 4)
        expect(
          units.allSatisfy { unit in
            guard case .success(let unit) = unit else { return false }
            return !unit.type.isParameterSet
          }, "sample \(sample.index) is not made of units, or has parameter sets")
      }
      let repair = try MovieRepairer(movie).plannedReport()
      expect(repair.steps.isEmpty, "a new movie is repaired: \(repair.steps)")
    } catch let error as EditError {
      expect(error.isRefusal && error.kind != .damagedStream, "\(error)")
    } catch { note("memory cannot be read: \(error)") }
  }
}
