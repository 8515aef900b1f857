// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent)) struct SEICorpusTests {
  @Test func everyMessageIsWrittenBackToTheByte() throws {
    var units = 0, messages = 0, typed = 0
    var kinds: [SEIPayloadType: Int] = [:]
    func check(_ unit: NALUnit, _ name: String) throws {
      guard unit.type.isSEI else { return }
      let content = try unit.rbsp.decoded(SEIMessages())
      #expect(try NALUnit(unit.header, content) == unit, "\(name)")
      var rebuilt = content
      for (index, message) in content.messages.enumerated() {
        messages += 1
        kinds[message.payloadType, default: 0] += 1
        guard let payload = message.content(in: SEITests.context), payload.error == nil else { continue }
        typed += 1
        rebuilt.messages[index] = try SEIMessage(payload)
        #expect(payload.tail.extensionData.bitCount <= 1, "\(name): \(message.payloadType)")
      }
      #expect(try NALUnit(unit.header, rebuilt) == unit, "\(name)")
      units += 1
    }
    for name in CorpusStreams.names {
      for unit in try CorpusStreams.units(name) { try check(unit, name) }
    }
    for name in CorpusStreams.movies {
      guard let movie = CorpusMovie(name) else { continue }
      for unit in movie.recordUnits { try check(unit, name) }
      for sample in movie.samples {
        for unit in try movie.units(sample) { try check(unit, name) }
      }
    }
    let list = kinds.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key) \($0.value)" }
    print("\(units) SEI NAL units, \(messages) messages, \(typed) of them typed, equal themselves:", list)
    #expect(typed > 1_000)
  }
}
