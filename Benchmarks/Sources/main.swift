// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess

let usage = """
  usage: Benchmarks [--json] [--machine TEXT] [--baseline FILE] [--list] [FILTER…]
         Benchmarks make-movie KIND N FILE
         Benchmarks race TITLE ROUNDS COMMAND… -- COMMAND…

  Runs the benchmarks whose names contain one of the filters, or all. Figures are medians of processor
  time; ratios come from pairs of runs within this process, so they are valid on a noisy machine. With a
  baseline, which is earlier output of --json, the exit status is 1 if ratios, allocations or bytes read
  have become worse.

  make-movie makes a movie for measuring. race runs two commands in turn and prints a row of a table: the
  fastest time of each and their ratio, the least processor time of each and their ratio, and the peak
  memory of each.
  """

/// Ends the process with a message.
func fail(_ message: String) -> Never {
  print(message)
  endProcess(2)
}

func makeMovie(_ arguments: [String]) {
  guard arguments.count == 3, let count = Int(arguments[1]), count > 0,
    let kind = movieKinds.first(where: { $0.name == arguments[0] })
  else {
    fail(
      "make-movie KIND N FILE; kinds:\n"
        + movieKinds.map { "  \($0.name): \($0.meaning)" }.joined(separator: "\n"))
  }
  if !kind.make(count).write(to: arguments[2]) { fail("\(arguments[2]) cannot be written") }
}

func race(_ arguments: [String]) {
  guard arguments.count > 2, let rounds = Int(arguments[1]), rounds > 0,
    let divider = arguments.firstIndex(of: "--"), divider > 2, divider < arguments.count - 1
  else { fail(usage) }
  let commands = [Array(arguments[2..<divider]), Array(arguments[(divider + 1)...])]
  guard let runs = Race(commands: commands, rounds: rounds).run() else { fail("a command cannot be started") }
  printRow(arguments[0], runs)
}

func runBenchmarks(_ arguments: [String]) {
  var filters: [String] = []
  var wantsJSON = false
  var wantsList = false
  var machine = "unnamed"
  var baseline: Baseline?
  var index = 0
  func next() -> String {
    index += 1
    guard index < arguments.count else { fail(usage) }
    return arguments[index]
  }
  while index < arguments.count {
    switch arguments[index] {
    case "--json": wantsJSON = true
    case "--list": wantsList = true
    case "--machine": machine = next()
    case "--baseline":
      let path = next()
      baseline = Baseline(path: path)
      if baseline == nil { fail("\(path) is no baseline") }
    case "-h", "--help":
      print(usage)
      return
    case let filter: filters.append(filter)
    }
    index += 1
  }
  let families: [(prefix: String, make: () -> [Benchmark])] = [
    ("bits/", bitReadingBenchmarks), ("nal/", nalUnitBenchmarks), ("hevc/", hevcBenchmarks),
    ("boxes/", boxTreeBenchmarks), ("samples/", sampleBenchmarks), ("movies/", movieBenchmarks),
    ("sound/", soundBenchmarks),
    ("linear/", linearityBenchmarks),
  ]
  var measurements: [Measurement] = []
  var regressions: [String] = []
  for family in families {
    // Making inputs takes a while: not for those that a filter leaves out.
    let isWanted = { (filter: String) in
      !filter.contains("/") || filter.hasPrefix(family.prefix) || family.prefix.hasPrefix(filter)
    }
    guard filters.isEmpty || filters.contains(where: isWanted) else { continue }
    for benchmark in family.make() {
      guard filters.isEmpty || filters.contains(where: { benchmark.name.contains($0) }) else { continue }
      if wantsList {
        print(benchmark.name)
        continue
      }
      let measurement = measure(benchmark)
      measurements.append(measurement)
      if !wantsJSON { printTable(measurement) }
      regressions += baseline?.regressions(of: measurement).map { "\(measurement.name): \($0)" } ?? []
    }
  }
  if wantsJSON { printJSON(measurements, machine: machine) }
  guard !regressions.isEmpty else { return }
  if !wantsJSON { print("worse than the baseline:\n  " + regressions.joined(separator: "\n  ")) }
  endProcess(1)
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "make-movie": makeMovie(Array(arguments.dropFirst()))
case "race": race(Array(arguments.dropFirst()))
default: runBenchmarks(arguments)
}
