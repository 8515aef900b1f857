// swift-multiview · SPDX-License-Identifier: Apache-2.0

import AllocationCounter
import ByteCoding

/// `value` with three significant digits and a prefix: 1.23 M
func scaled(_ value: Double) -> String {
  let steps: [(Double, String)] = [(1e9, " G"), (1e6, " M"), (1e3, " k"), (1, " ")]
  for (size, prefix) in steps where value >= size { return threeDigits(value / size) + prefix }
  return threeDigits(value) + " "
}

/// Nanoseconds in a readable unit.
func duration(_ nanoseconds: Double) -> String {
  let steps: [(Double, String)] = [(1e9, " s"), (1e6, " ms"), (1e3, " µs")]
  for (size, unit) in steps where nanoseconds >= size { return threeDigits(nanoseconds / size) + unit }
  return threeDigits(nanoseconds) + " ns"
}

private func threeDigits(_ value: Double) -> String {
  let factor: Double = value >= 100 ? 1 : value >= 10 ? 10 : 100
  let rounded = (value * factor).rounded() / factor
  let text = String(describing: rounded)
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

private func pad(_ text: String, _ width: Int, right: Bool = false) -> String {
  let filling = String(repeating: " ", count: max(0, width - text.count))
  return right ? filling + text : text + filling
}

func printTable(_ measurement: Measurement) {
  var line = pad(measurement.name, 34) + pad(duration(measurement.median), 10, right: true)
  line += pad(
    "±\(threeDigits((measurement.slowest - measurement.fastest) / measurement.median * 50)) %", 9, right: true
  )
  line += pad("\(scaled(measurement.workPerSecond))\(measurement.unit)/s", 22, right: true)
  line += pad(
    allocation_counting_available() != 0 ? "\(measurement.allocations) allocs" : "", 16, right: true)
  if let ratio = measurement.ratio, let yardstick = measurement.yardstick {
    line += "   \(threeDigits(ratio)) of the speed of \(yardstick)"
  }
  if let goal = measurement.goal { line += "   (goal: \(goal))" }
  print(line)
}

func printJSON(_ measurements: [Measurement], machine: String) {
  let buffer = OutputBuffer()
  let json = JSONWriter(buffer, pretty: true)
  json.beginObject()
  json.key("schema")
  json.value("swift-multiview.benchmarks/1")
  json.key("machine")
  json.value(machine)
  json.key("benchmarks")
  json.beginArray()
  for measurement in measurements {
    json.beginObject()
    json.key("name")
    json.value(measurement.name)
    json.key("medianNanoseconds")
    json.value(measurement.median.rounded())
    json.key("workPerSecond")
    json.value(measurement.workPerSecond.rounded())
    json.key("unit")
    json.value(measurement.unit)
    json.key("allocations")
    json.value(measurement.allocations)
    json.key("ratio")
    if let ratio = measurement.ratio { json.value((ratio * 1_000).rounded() / 1_000) } else { json.null() }
    json.endObject()
  }
  json.endArray()
  json.endObject()
  json.endDocument()
  print(buffer.text, terminator: "")
}
