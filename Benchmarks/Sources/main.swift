// swift-multiview · SPDX-License-Identifier: Apache-2.0

let usage = """
  usage: Benchmarks [--json] [--list] [FILTER…]

  Runs the benchmarks whose names contain one of the filters, or all. Figures are medians; ratios come from pairs of
  runs within this process, so they hold on a noisy machine.
  """

var filters: [String] = []
var wantsJSON = false
var wantsList = false
for argument in CommandLine.arguments.dropFirst() {
  switch argument {
  case "--json": wantsJSON = true
  case "--list": wantsList = true
  case "-h", "--help":
    print(usage)
    filters = ["--help"]
  default: filters.append(argument)
  }
}

let families: [(prefix: String, make: () -> [Benchmark])] = [
  ("bits/", bitReadingBenchmarks),
  ("boxes/", boxTreeBenchmarks),
  ("hevc/", parameterSetBenchmarks),
]

var measurements: [Measurement] = []
for family in families {
  guard
    filters.isEmpty || filters.contains(where: { family.prefix.hasPrefix($0) || $0.hasPrefix(family.prefix) })
  else { continue }
  for benchmark in family.make() {
    guard filters.isEmpty || filters.contains(where: { benchmark.name.contains($0) }) else { continue }
    if wantsList {
      print(benchmark.name)
      continue
    }
    let measurement = measure(benchmark)
    measurements.append(measurement)
    if !wantsJSON { printTable(measurement) }
  }
}
if wantsJSON { printJSON(measurements, machine: "unnamed") }
