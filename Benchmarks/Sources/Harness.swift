// swift-multiview · SPDX-License-Identifier: Apache-2.0

import AllocationCounter

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// An operation that is measured, with a yardstick that is measured in the same run.
struct Benchmark {
  /// The name by which it is chosen on the command line.
  let name: String
  /// The amount of work of one run: bytes, units, samples.
  let work: Double
  /// The unit of `work`.
  let unit: String
  /// What the yardstick is, in words.
  let yardstick: String?
  /// What the goal is, in words.
  let goal: String?
  /// One run of the yardstick over the same input.
  let reference: (() -> UInt64)?
  /// The number of bytes that one run reads from a file; `nil` if it reads none.
  let bytesRead: (() -> UInt64)?
  /// One run; its result prevents the optimiser from removing it.
  let run: () -> UInt64

  init(
    _ name: String, work: Double, unit: String, yardstick: String? = nil, goal: String? = nil,
    reference: (() -> UInt64)? = nil, bytesRead: (() -> UInt64)? = nil, run: @escaping () -> UInt64
  ) {
    self.name = name
    self.work = work
    self.unit = unit
    self.yardstick = yardstick
    self.goal = goal
    self.reference = reference
    self.bytesRead = bytesRead
    self.run = run
  }
}

/// The result of a benchmark. Times are nanoseconds of processor time of one run.
struct Measurement {
  let benchmark: Benchmark
  let median: Double
  let fastest: Double
  /// Half the interquartile range, relative to the median.
  let spread: Double
  let allocations: UInt64
  /// The peak memory of one run.
  let peakBytes: UInt64
  let bytesRead: UInt64?
  /// The speed relative to that of the yardstick, the median of pairs of runs.
  let ratio: Double?

  var name: String { benchmark.name }
  var workPerSecond: Double { benchmark.work / median * 1e9 }
}

/// Keeps results alive.
nonisolated(unsafe) var blackHole: UInt64 = 0

/// The processor time of this thread, in nanoseconds. The work of others does not count.
private func threadTime() -> Double {
  var now = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
  return Double(now.tv_sec) * 1e9 + Double(now.tv_nsec)
}

private func time(_ body: () -> UInt64) -> Double {
  let start = threadTime()
  let result = body()
  let elapsed = threadTime() - start
  unsafe blackHole ^= result
  return max(elapsed, 1)
}

private func quantile(_ sorted: [Double], _ part: Double) -> Double {
  sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
}

/// Runs a benchmark: two runs to warm up, then pairs of runs, yardstick and subject in turn, for a quarter of
/// a second at least.
func measure(_ benchmark: Benchmark) -> Measurement {
  for _ in 0..<2 {
    _ = time(benchmark.run)
    if let reference = benchmark.reference { _ = time(reference) }
  }
  var times: [Double] = []
  var ratios: [Double] = []
  var total = 0.0
  while times.count < 7 || (total < 2.5e8 && times.count < 1_000) {
    let other = benchmark.reference.map(time)
    let own = time(benchmark.run)
    times.append(own)
    if let other { ratios.append(other / own) }
    total += own + (other ?? 0)
  }
  times.sort()
  ratios.sort()
  allocation_meter_reset()
  _ = time(benchmark.run)
  let meter = allocation_meter_read()
  let median = quantile(times, 0.5)
  return Measurement(
    benchmark: benchmark, median: median, fastest: quantile(times, 0),
    spread: (quantile(times, 0.75) - quantile(times, 0.25)) / 2 / median, allocations: meter.count,
    peakBytes: meter.peak, bytesRead: benchmark.bytesRead?(),
    ratio: ratios.isEmpty ? nil : quantile(ratios, 0.5))
}
