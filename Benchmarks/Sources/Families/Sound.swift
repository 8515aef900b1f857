// swift-multiview · SPDX-License-Identifier: Apache-2.0

import MovieEditing
import Multiview

/// Plans of new movies with uncompressed sound, beside summing the tables that they are made from: a look at each
/// sample would cost a thousand times as much.
func soundBenchmarks() -> [Benchmark] {
  let count = 10_000_000
  let made = MadeMovie.sound(count)
  func planning(_ name: String, _ plan: @escaping (MovieFile) throws -> MovieFile) -> Benchmark {
    Benchmark(
      "sound/\(name)", work: Double(count), unit: "samples", yardstick: summingWords,
      reference: { (0..<100).reduce(0) { sum, _ in sum &+ sumOfWords(made.head) } }
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
