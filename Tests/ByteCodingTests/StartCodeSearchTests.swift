// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

@Suite struct StartCodeSearchTests {
  /// The definition, byte by byte: what the fast search must agree with.
  static func startCode(in bytes: [UInt8], from start: Int) -> Int? {
    bytes.indices.dropLast(2).first { index in
      index >= start && bytes[index] == 0 && bytes[index + 1] == 0 && bytes[index + 2] == 1
    }
  }

  /// One start code at every place of three steps of the search, looked for from every place, in bytes without a zero and in
  /// bytes that look like the middle of one.
  @Test(arguments: [[0xff], [0x00, 0x02], [0x00, 0x01], [0x01, 0x00], [0x00]] as [[UInt8]])
  func findsEveryPlaceFromEveryPlace(filler: [UInt8]) {
    let count = 200
    for place in 0...(count - 3) {
      var bytes = (0..<count).map { filler[$0 % filler.count] }
      bytes.replaceSubrange(place..<(place + 3), with: [0, 0, 1])
      let view = ByteView(bytes, fileOffset: 7)
      let missed = (0...count).filter { view.startCode(from: $0) != Self.startCode(in: bytes, from: $0) }
      #expect(missed.isEmpty, "a start code at \(place)")
    }
  }

  @Test func findsAllInBytesFullOfZeros() {
    var generator = SeededGenerator(seed: 5)
    for round in 0..<400 {
      let raw = EmulationPreventionTests.bytes(round, zerosOf: UInt8(2 + round % 9), &generator)
      let view = ByteView([0, 0] + raw + [0, 1, 1]).slice(2..<(2 + raw.count)) ?? ByteView()
      var from = 0
      while true {
        let expected = Self.startCode(in: raw, from: from)
        #expect(view.startCode(from: from) == expected)
        guard let expected else { break }
        from = expected + 1
      }
    }
    #expect(ByteView([0, 0, 1]).startCode(from: -5) == 0)
    #expect(ByteView([0, 0, 1]).startCode(from: 99) == nil)
  }
}
