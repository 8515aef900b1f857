// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

/// The sample tables of a track with a million samples.
func sampleBenchmarks() -> [Benchmark] {
  let count = 1_000_000
  let movie = MadeMovie.samples(count)
  let tables = movie.head
  let opened: TrackSamples
  let contents: SampleTableContents
  do {
    let file = try MovieFile(source: CountedMovie(movie))
    opened = try file.tracks[0].samples()
    contents = opened.table.contents
  } catch { return [] }
  var generator = Generator(seed: 5)
  let indices = (0..<1_000).map { _ in Int.random(in: 0..<count, using: &generator) }
  let times = indices.map { Int64($0) * 20 }
  // Found once, so that what is measured is the look-up alone.
  _ = opened.index(atCompositionTime: 0)

  func lookUp(_ name: String, _ body: @escaping (Int) -> Int) -> Benchmark {
    Benchmark("samples/\(name)", work: Double(indices.count), unit: "look-ups") {
      indices.indices.reduce(0) { $0 &+ UInt64(truncatingIfNeeded: body($1)) }
    }
  }
  return [
    Benchmark(
      "samples/notes", work: Double(count), unit: "samples", yardstick: summingWords,
      reference: { sumOfWords(tables) }, run: { UInt64(SampleTable(contents).count) }),
    Benchmark(
      "samples/iterate", work: Double(count), unit: "samples", yardstick: summingWords,
      reference: { sumOfWords(tables) }
    ) {
      var sum: UInt64 = 0
      for sample in opened { sum &+= UInt64(truncatingIfNeeded: sample.compositionTime) &+ sample.offset }
      return sum
    },
    Benchmark("samples/order-of-presentation", work: Double(count), unit: "samples") {
      UInt64(TrackSamples(table: opened.table).compositionRank(of: 3))
    },
    lookUp("by-index") { Int(clamping: opened.sample(at: indices[$0])?.offset ?? 0) },
    lookUp("by-decode-time") { opened.index(atDecodeTime: times[$0]) ?? 0 },
    lookUp("by-composition-time") { opened.index(atCompositionTime: times[$0]) ?? 0 },
    lookUp("rank") { opened.compositionRank(of: indices[$0]) },
  ]
}
