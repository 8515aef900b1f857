// swift-multiview · SPDX-License-Identifier: Apache-2.0

import MovieEditing
import Multiview

/// Plans of new movies with uncompressed sound, beside a look at a hundredth of its samples: a plan that looked at each
/// would take a hundred times as long.
func soundBenchmarks() -> [Benchmark] {
  let count = 10_000_000
  let made = MadeMovie.sound(count)
  func planning(_ name: String, _ plan: @escaping (MovieFile) throws -> MovieFile) -> Benchmark {
    Benchmark(
      "sound/\(name)", work: Double(count), unit: "samples",
      yardstick: "stepping through a hundredth of them",
      reference: {
        do {
          let samples = try MovieFile(source: CountedMovie(made)).tracks[0].samples()
          return samples.lazy.prefix(count / 100).reduce(0) { $0 &+ $1.offset }
        } catch { return 0 }
      }
    ) {
      do { return try plan(try MovieFile(source: CountedMovie(made))).source.size ?? 0 } catch { return 0 }
    }
  }
  return [
    planning("trim") { movie in
      var trimmer = try MovieTrimmer(movie)
      (trimmer.start, trimmer.end) = (MoviePosition("10"), MoviePosition("190"))
      return try trimmer.plan().movie()
    },
    planning("fragment") { try MovieFragmenter($0).plan().movie() },
  ]
}
