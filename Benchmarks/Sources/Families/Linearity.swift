// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

/// What twice as much costs: the yardstick is the same work on half of it, so linear cost shows as 0.5.
func linearityBenchmarks() -> [Benchmark] {
  [
    doubling("samples", 250_000, MadeMovie.samples) { movie in
      for sample in try movie.tracks[0].samples() where sample.size == 1 { return }
    },
    doubling("fragments", 4_000, MadeMovie.fragments) { movie in
      _ = try movie.tracks[0].samples()
    },
    doubling("tracks", 500, MadeMovie.tracks) { movie in
      for track in movie.tracks { _ = track.classification }
    },
    doubling("boxes", 4_000, MadeMovie.fragments) { movie in
      movie.tree?.forEachBox { box, _ in _ = box.decodePayload() }
    },
  ]
}

/// Opens a movie of `count` and one of twice as many, and does something with each.
private func doubling(
  _ name: String, _ count: Int, _ make: (Int) -> MadeMovie,
  _ work: @escaping (MovieFile) throws -> Void
) -> Benchmark {
  func run(_ source: CountedMovie) -> UInt64 {
    do {
      try work(try MovieFile(source: source))
      return 1
    } catch { return 0 }
  }
  let (half, whole) = (CountedMovie(make(count)), CountedMovie(make(2 * count)))
  return Benchmark(
    "linear/\(name)", work: Double(2 * count), unit: name, yardstick: "half as many", goal: "0.5",
    reference: { run(half) }, run: { run(whole) })
}
