// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Testing

@Suite struct DiagnosticTests {
  @Test func aListKeepsItsLimitAndCountsTheRest() {
    var list = DiagnosticList(limit: 2)
    #expect(list.isEmpty && list.worst == nil)
    list.append(.note, "first", "one")
    list.append(.warning, "second", path: "moov", offset: 4, "two")
    list.append(.error, "third", "three")
    // What is more severe takes the place of what is least severe.
    #expect(list.map(\.message) == ["two", "three"])
    #expect(list.omitted == 1 && list.omittedErrors == 0)
    #expect(list.worst == .error)

    var other = DiagnosticList(limit: 3)
    other.append(list)
    other.append(.note, "fourth", "four")
    other.append(.note, "fifth", "five")
    #expect(other.map(\.message) == ["two", "three", "four"])
    #expect(other.omitted == 2)
    #expect(other.worst == .error)
    for message in ["five", "six", "seven"] { other.append(.error, "more", message) }
    #expect(other.map(\.message) == ["three", "five", "six"])
    #expect(other.omitted == 5 && other.omittedErrors == 1)
  }

  @Test func oneLineTellsSeverityPlaceAndCode() {
    let diagnostic = Diagnostic(.warning, "odd", path: "moov/trak[1]", offset: 1264, "is odd")
    #expect(diagnostic.description == "warning moov/trak[1] at 1264: is odd [odd]")
    let error = ParseError(
      .truncated(neededBits: 32, availableBits: 8), offset: 20, field: "timescale", path: "moov/mvhd")
    #expect(
      Diagnostic(.error, error).description
        == "error moov/mvhd at 20: timescale needs 4 bytes, has 1 byte left [truncated]")
  }
}
