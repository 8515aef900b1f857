// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@Suite struct EmulationPreventionTests {
  /// The rule of the standard, byte by byte: what the fast search must agree with.
  static func removed(_ bytes: [UInt8]) -> (bytes: [UInt8], offsets: [Int]) {
    var result: [UInt8] = [], offsets: [Int] = []
    var zeros = 0
    for (index, byte) in bytes.enumerated() {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      result.append(byte)
      offsets.append(index)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return (result, offsets)
  }

  /// Bytes in which zeros and small numbers are frequent.
  static func bytes(_ count: Int, zerosOf: UInt8, _ generator: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in
      UInt8.random(in: 0..<zerosOf, using: &generator) == 0
        ? UInt8.random(in: 0...255, using: &generator) : UInt8.random(in: 0...3, using: &generator) / 2
    }
  }

  @Test func agreesWithTheRuleOfTheStandard() {
    var generator = SeededGenerator(seed: 3)
    for round in 0..<400 {
      let raw = Self.bytes(round, zerosOf: UInt8(2 + round % 9), &generator)
      let start = round % 7
      let view = ByteView([UInt8](repeating: 0, count: start) + raw, fileOffset: 500).suffix(from: start)
      let clean = view.removingEmulationPrevention()
      let expected = Self.removed(raw)
      #expect(clean.array == expected.bytes)
      for (index, offset) in expected.offsets.enumerated() {
        #expect(clean.fileOffset(at: index) == 500 + start + offset)
      }
    }
  }

  @Test func nothingIsCopiedWhereNothingIsRemoved() {
    let view = ByteView([UInt8](repeating: 7, count: 100), fileOffset: 9)
    #expect(view.removingEmulationPrevention().fileRange == view.fileRange)
    #expect(ByteView().removingEmulationPrevention().isEmpty)
  }

  @Test func slicesKeepTheirPlaceInTheFile() throws {
    let clean = ByteView([1, 0, 0, 3, 1, 0, 0, 3, 2, 9], fileOffset: 100).removingEmulationPrevention()
    #expect(clean.array == [1, 0, 0, 1, 0, 0, 2, 9])
    #expect(clean.suffix(from: 3).fileOffset == 104)
    #expect(clean.suffix(from: 6).fileOffset == 108)
    #expect(clean.fileRange == 100..<110)
    // An error in the last byte names the byte of the file.
    var decoder = FieldDecoder(clean)
    var value: UInt64 = 0
    try decoder.u("skipped", &value, 60)
    let error = #expect(throws: ParseError.self) { try decoder.u("last", &value, 8) }
    #expect(error?.offset == 109)
    #expect(error?.bit == 4)
  }

  @Test func insertionFollowsTheStandard() {
    #expect([0, 0, 0].insertingEmulationPrevention() == [0, 0, 3, 0])
    #expect([0, 0, 1].insertingEmulationPrevention() == [0, 0, 3, 1])
    #expect([0, 0, 2].insertingEmulationPrevention() == [0, 0, 3, 2])
    #expect([0, 0, 3].insertingEmulationPrevention() == [0, 0, 3, 3])
    #expect([0, 0, 4].insertingEmulationPrevention() == [0, 0, 4])
    #expect([0, 0, 0, 0].insertingEmulationPrevention() == [0, 0, 3, 0, 0, 3])
    // cabac_zero_words after a stop bit.
    #expect([0x80, 0, 0].insertingEmulationPrevention() == [0x80, 0, 0, 3])
    #expect([UInt8]().insertingEmulationPrevention() == [])
  }

  @Test func insertionIsUndoneByRemoval() {
    var generator = SeededGenerator(seed: 4)
    for round in 0..<400 {
      let raw = Self.bytes(round, zerosOf: UInt8(2 + round % 9), &generator)
      let escaped = raw.insertingEmulationPrevention()
      #expect(ByteView(escaped).removingEmulationPrevention().array == raw)
      #expect(ByteView(escaped).startCode(from: 0) == nil)
    }
  }

  @Test func runsOfZeros() {
    let view = ByteView([0, 0, 5, 0, 0, 0])
    #expect(view.zeroBytes(before: 6) == 3)
    #expect(view.zeroBytes(before: 2) == 2)
    #expect(view.zeroBytes(before: 3) == 0)
    #expect(view.zeroBytes(from: 0) == 2)
    #expect(view.zeroBytes(from: 3) == 3)
    #expect(view.zeroBytes(from: 60) == 0)
  }
}
