// swift-multiview · SPDX-License-Identifier: Apache-2.0

import AllocationCounter

/// One thing that is measured, beside a yardstick that is measured in the same run.
struct Benchmark {
  /// By which it is chosen on the command line.
  let name: String
  /// What one run handles: bytes, units, samples.
  let work: Double
  /// The unit of `work`.
  let unit: String
  /// What the yardstick is, in words.
  let yardstick: String?
  /// What the goal is, in words.
  let goal: String?
  /// One run; the result keeps the optimiser from leaving it out.
  let run: () -> UInt64
  /// One run of the yardstick over the same input.
  let reference: (() -> UInt64)?

  init(
    _ name: String, work: Double, unit: String, yardstick: String? = nil, goal: String? = nil,
    reference: (() -> UInt64)? = nil, run: @escaping () -> UInt64
  ) {
    self.name = name
    self.work = work
    self.unit = unit
    self.yardstick = yardstick
    self.goal = goal
    self.reference = reference
    self.run = run
  }
}

/// What one benchmark gave.
struct Measurement {
  let name: String
  let unit: String
  let yardstick: String?
  let goal: String?
  /// Nanoseconds of one run.
  let median: Double
  let fastest: Double
  let slowest: Double
  let workPerSecond: Double
  let allocations: UInt64
  /// Speed over the speed of the yardstick, the median over pairs of runs.
  let ratio: Double?
}

/// Keeps results alive.
nonisolated(unsafe) var blackHole: UInt64 = 0

private func time(_ body: () -> UInt64) -> Double {
  let start = ContinuousClock.now
  let result = body()
  let elapsed = ContinuousClock.now - start
  unsafe blackHole ^= result
  let (seconds, attoseconds) = elapsed.components
  return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
}

private func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted[sorted.count / 2]
}

/// Runs a benchmark: two runs to warm up, then pairs of runs, yardstick and subject in turn, for a quarter of a second at
/// least.
func measure(_ benchmark: Benchmark) -> Measurement {
  for _ in 0..<2 {
    _ = time(benchmark.run)
    if let reference = benchmark.reference { _ = time(reference) }
  }
  var times: [Double] = []
  var ratios: [Double] = []
  var total = 0.0
  while times.count < 7 || (total < 2.5e8 && times.count < 1_000) {
    if let reference = benchmark.reference {
      let other = time(reference)
      let own = time(benchmark.run)
      times.append(own)
      ratios.append(other / own)
      total += other + own
    } else {
      let own = time(benchmark.run)
      times.append(own)
      total += own
    }
  }
  let before = allocation_count()
  _ = time(benchmark.run)
  let allocations = allocation_count() - before
  let middle = median(times)
  return Measurement(
    name: benchmark.name, unit: benchmark.unit, yardstick: benchmark.yardstick, goal: benchmark.goal,
    median: middle, fastest: times.min() ?? 0, slowest: times.max() ?? 0,
    workPerSecond: benchmark.work / middle * 1e9, allocations: allocations,
    ratio: ratios.isEmpty ? nil : median(ratios))
}
