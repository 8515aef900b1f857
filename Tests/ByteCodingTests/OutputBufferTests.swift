// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@Suite struct OutputBufferTests {
  @Test func numbersAreDecimal() {
    var generator = SeededGenerator(seed: 11)
    var numbers: [UInt64] = [0, 9, 10, 99, 100, UInt64(Int64.max), .max, .max - 1]
    for digits in 1...19 {
      let power = (0..<digits).reduce(1 as UInt64) { power, _ in power * 10 }
      numbers += [power - 1, power, power + 1]
    }
    for shift in 0..<200 { numbers.append(generator.next() >> UInt64(shift % 64)) }
    let buffer = OutputBuffer()
    for number in numbers {
      buffer.append(number)
      buffer.append(byte: 0x20)
      buffer.append(Int64(truncatingIfNeeded: number))
      buffer.append(byte: 0x0A)
    }
    #expect(buffer.text == numbers.map { "\($0) \(Int64(truncatingIfNeeded: $0))\n" }.joined())
    let lowest = OutputBuffer()
    lowest.append(Int64.min)
    #expect(lowest.text == "-9223372036854775808")
  }

  @Test(arguments: [1, 7, 64, 4096]) func piecesJoinToWhatWasAppended(_ pieceSize: Int) {
    var generator = SeededGenerator(seed: UInt64(pieceSize))
    var expected: [UInt8] = []
    var handedOn: [UInt8] = []
    var shortest = Int.max
    let buffer = OutputBuffer(pieceSize: pieceSize) { piece in
      shortest = min(shortest, piece.count)
      handedOn += piece
    }
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...40, using: &generator)
      switch Int.random(in: 0...5, using: &generator) {
      case 0:
        let text = String(repeating: "ä", count: count)
        buffer.append(text)
        expected += Array(text.utf8)
      case 1:
        buffer.append("static")
        expected += Array("static".utf8)
      case 2:
        buffer.append(byte: UInt8(count))
        expected.append(UInt8(count))
      case 3:
        buffer.append(spaces: count - 5)
        expected += Array(repeating: 0x20, count: max(0, count - 5))
      case 4:
        buffer.append(hexadecimal: ByteView([0x0F, 0xA0, 0xFF]), limit: count)
        expected += Array("0fa0ff".utf8.prefix(2 * count))
      default:
        buffer.append(raw: Array(repeating: 7, count: 20 * count))
        expected += Array(repeating: 7, count: 20 * count)
      }
    }
    #expect(shortest >= pieceSize)
    buffer.flush()
    #expect(handedOn == expected)
    #expect(buffer.text.isEmpty)
  }

  @Test func literalsOfCodesAreTheirBytes() {
    #expect(("moov" as FourCC).rawValue == 0x6D6F_6F76)
    #expect(("©nam" as FourCC).rawValue == 0xA96E_616D)
    #expect(("abc" as FourCC).rawValue == 0)
    #expect(("\u{0}abc" as FourCC).description == "\\x00abc")
    for text in ["moov", "url ", "~!a0"] { #expect(FourCC(text)?.description == text) }
    #expect(("©nam" as FourCC).description == "©nam")
  }
}
