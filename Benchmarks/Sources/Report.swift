// swift-multiview · SPDX-License-Identifier: Apache-2.0

import AllocationCounter
import ByteCoding
import FieldOutput

/// `value` with three significant digits and a prefix: 1.23 M
func scaled(_ value: Double) -> String {
  let steps: [(Double, String)] = [(1e9, " G"), (1e6, " M"), (1e3, " k")]
  for (size, prefix) in steps where value >= size { return threeDigits(value / size) + prefix }
  return threeDigits(value) + " "
}

/// Nanoseconds in a readable unit.
func duration(_ nanoseconds: Double) -> String {
  let steps: [(Double, String)] = [(1e9, " s"), (1e6, " ms"), (1e3, " µs")]
  for (size, unit) in steps where nanoseconds >= size { return threeDigits(nanoseconds / size) + unit }
  return threeDigits(nanoseconds) + " ns"
}

func threeDigits(_ value: Double) -> String {
  let factor: Double = value >= 100 ? 1 : value >= 10 ? 10 : value >= 1 ? 100 : 1_000
  let text = String(describing: (value * factor).rounded() / factor)
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

private func pad(_ text: String, _ width: Int, right: Bool = false) -> String {
  let filling = String(repeating: " ", count: max(0, width - text.count))
  return right ? filling + text : text + filling
}

func printTable(_ measurement: Measurement) {
  let benchmark = measurement.benchmark
  var line = pad(measurement.name, 36) + pad(duration(measurement.median), 10, right: true)
  line += pad("±\(threeDigits(measurement.spread * 100)) %", 10, right: true)
  line += pad("\(scaled(measurement.workPerSecond))\(benchmark.unit)/s", 22, right: true)
  if allocation_counting_available() != 0 {
    line += pad("\(measurement.allocations) allocs", 17, right: true)
    line += pad("\(scaled(Double(measurement.peakBytes)))B", 10, right: true)
  }
  if let bytes = measurement.bytesRead { line += "   \(bytes) bytes read" }
  if let ratio = measurement.ratio, let yardstick = benchmark.yardstick {
    line += "   \(threeDigits(ratio)) of the speed of \(yardstick)"
  }
  if let goal = benchmark.goal { line += "   (goal: \(goal))" }
  print(line)
}

func printJSON(_ measurements: [Measurement], machine: String) {
  let buffer = OutputBuffer()
  let json = JSONWriter(buffer, pretty: true)
  json.beginObject()
  json.key("schema")
  json.value("swift-multiview.benchmarks/2")
  json.key("machine")
  json.value(machine)
  json.key("benchmarks")
  json.beginArray()
  for measurement in measurements { write(measurement, json) }
  json.endArray()
  json.endObject()
  json.endDocument()
  print(buffer.text, terminator: "")
}

private func write(_ measurement: Measurement, _ json: JSONWriter) {
  json.beginObject()
  json.key("name")
  json.value(measurement.name)
  json.key("medianNanoseconds")
  json.value(measurement.median.rounded())
  json.key("spread")
  json.value((measurement.spread * 1_000).rounded() / 1_000)
  json.key("workPerSecond")
  json.value(measurement.workPerSecond.rounded())
  json.key("unit")
  json.value(measurement.benchmark.unit)
  json.key("allocations")
  json.value(measurement.allocations)
  json.key("peakBytes")
  json.value(measurement.peakBytes)
  if let bytes = measurement.bytesRead {
    json.key("bytesRead")
    json.value(bytes)
  }
  if let ratio = measurement.ratio {
    json.key("yardstick")
    json.value(measurement.benchmark.yardstick)
    json.key("ratio")
    json.value((ratio * 10_000).rounded() / 10_000)
  }
  json.endObject()
}
