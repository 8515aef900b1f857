// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

/// Opening movies as `mvdump info` does, and walking one with both its layers.
func movieBenchmarks() -> [Benchmark] {
  [
    opening("million-samples", .samples(1_000_000)),
    opening("20000-fragments", .fragments(20_000)),
    opening("2000-tracks", .tracks(2_000)),
    layerSplit(),
    cursorSteps(),
    library(),
  ]
}

/// Finds the boxes, the tracks, what kind of video they are, and the number of their samples.
private func opening(_ name: String, _ movie: MadeMovie) -> Benchmark {
  func open(_ source: CountedMovie) -> UInt64 {
    do {
      let file = try MovieFile(source: source)
      return file.tracks.reduce(file.classification == .noVideo ? 1 : 2) { $0 &+ UInt64($1.sampleCount) }
    } catch { return 0 }
  }
  let head = movie.head
  let source = CountedMovie(movie)
  return Benchmark(
    "movies/\(name)", work: 1, unit: "movies", yardstick: "summing its boxes as 64-bit words",
    reference: { sumOfWords(head) },
    bytesRead: {
      let fresh = CountedMovie(movie)
      _ = open(fresh)
      return fresh.bytesRead
    }, run: { open(source) })
}

/// A movie of two layers in memory: `samples` of 16 NAL units.
private func twoViews(_ samples: Int) -> (file: MovieFile, bytes: [UInt8])? {
  let made = MadeMovie.twoViews(sampleCount: samples, sampleSize: 16_384, units: 16)
  var bytes = made.head
  made.media? { bytes += $0 }
  do { return (try MovieFile(bytes: bytes), bytes) } catch { return nil }
}

/// Every NAL unit header of a movie, its bytes counted by layer.
private func layerSplit() -> Benchmark {
  let count = 5_000
  let movie = twoViews(count)
  let bytes = movie?.bytes ?? []
  return Benchmark(
    "movies/layer-split", work: Double(count * 16), unit: "units", yardstick: summingWords,
    reference: { sumOfWords(bytes) }
  ) {
    var total: UInt64 = 0
    do {
      try movie?.file.tracks[0].forEachAccessUnit { places, _ in
        for unit in places.units where unit.header.layerID == 1 { total &+= UInt64(unit.range.count) }
        return true
      }
    } catch { return 0 }
    return total
  }
}

/// Small movies, opened and checked one after the other, as `mvdump check -r` does with a library.
private func library() -> Benchmark {
  let count = 50
  let bytes = twoViews(1)?.bytes ?? []
  return Benchmark("movies/check", work: Double(count), unit: "movies") {
    var total: UInt64 = 0
    do {
      for _ in 0..<count { total &+= UInt64(try MovieFile(bytes: bytes).check().verdicts.count) }
    } catch { return 0 }
    return total
  }
}

/// A cursor over a movie, sample by sample in the order of presentation, each split by eyes.
private func cursorSteps() -> Benchmark {
  let count = 2_000
  let movie = twoViews(count)
  return Benchmark("movies/cursor-by-eye", work: Double(count), unit: "samples") {
    var total: UInt64 = 0
    do {
      guard let track = movie?.file.tracks[0],
        var cursor = try track.makeSampleCursorAtFirstSampleInDecodeOrder()
      else { return 0 }
      repeat {
        for part in try track.taggedNALUnits(at: cursor) where part.eye == .right {
          total &+= UInt64(part.byteCount)
        }
      } while cursor.stepInPresentationOrder(byCount: 1) == 1
    } catch { return 0 }
    return total
  }
}
