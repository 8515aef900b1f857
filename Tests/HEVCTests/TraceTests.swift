// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

/// Every syntax element of every slice segment header and SEI message, and every picture order count, against the
/// trace of the reference decoder. It prints SEI messages behind the slice that follows them: the two are compared
/// apart.
@Suite(.enabled(if: Corpus.isPresent)) struct TraceTests {
  static let sliceComparison = TraceComparison(
    unprinted: ["alignment_bit_equal_to_one", "alignment_bit_equal_to_zero"])

  /// All units of a file in the order of decoding: of a movie, first those of its records.
  static func units(_ name: String) throws -> [NALUnit] {
    guard let movie = CorpusMovie(name) else { return try CorpusStreams.units(name) }
    return try movie.recordUnits + movie.samples.flatMap { try movie.units($0) }
  }

  /// A slice or an SEI message of the reference.
  struct Part {
    var unit: ReferenceTrace.NALUnit
    var elements: [ReferenceTrace.Element]
    var isLast = false

    /// The type of a message.
    var payloadType: UInt32 {
      elements.prefix { $0.name == "payload_type" }.reduce(0) { $0 + UInt32(clamping: $1.value) }
    }
  }

  /// The slices of a trace, and its SEI messages.
  static func parts(_ trace: ReferenceTrace) -> (slices: [Part], messages: [Part]) {
    var slices: [Part] = [], messages: [Part] = []
    for unit in trace.nalUnits {
      let header = unit.elements.filter { $0.structure.hasPrefix("Slice ") }
      if !header.isEmpty { slices.append(Part(unit: unit, elements: header)) }
      var isInType = false
      for element in unit.elements where element.structure.hasSuffix("SEI message") {
        if element.name == "payload_type", !isInType { messages.append(Part(unit: unit, elements: [])) }
        isInType = element.name == "payload_type"
        if !element.name.hasPrefix("rbsp_") { messages[messages.count - 1].elements.append(element) }
      }
    }
    if !messages.isEmpty { messages[messages.count - 1].isLast = true }
    if !slices.isEmpty { slices[slices.count - 1].isLast = true }
    return (slices, messages)
  }

  @Test(arguments: Corpus.files(with: "HTM16.TraceDec.txt"))
  func slicesAndOrderCountsEqualTheReference(_ name: String) throws {
    let trace = ReferenceTrace(try #require(Corpus.truth(name, "HTM16.TraceDec.txt")))
    var store = ParameterSetStore()
    var counter = PictureOrderCounter()
    var reference = Self.parts(trace).slices[...]
    var previous: SliceSegmentHeader?
    var compared = 0, slices = 0, orderCounts = 0
    for unit in try Self.units(name) {
      store.insert(unit)
      if unit.type == .endOfSequence { counter.endOfSequence(layerID: unit.layerID) }
      var sink = TraceSink()
      guard let their = reference.first,
        let slice = store.traceSliceSegment(unit, after: previous, into: &sink)
      else { continue }
      reference.removeFirst()
      #expect(slice.error == nil, "\(name)")
      #expect(slice.header.endsProperly, "\(name)")
      #expect(their.unit.type == Int(unit.type.rawValue) && their.unit.layerID == Int(unit.layerID))
      previous = slice.header
      let outcome = Self.sliceComparison.compare(
        their.elements, Self.divided(sink.elements, as: their.elements), isPrefix: their.isLast)
      if let difference = outcome.difference { Issue.record("\(name), slice \(slices): \(difference)") }
      compared += outcome.equal
      slices += 1
      let count = counter.orderCount(of: slice.header)
      if let expected = their.unit.pictureOrderCounts.first {
        #expect(count == expected, "\(name), slice \(slices)")
        orderCounts += 1
      }
    }
    #expect(reference.isEmpty, "\(name) lacks slices")
    print(
      "\(name): \(compared) elements of \(slices) slices and \(orderCounts) order counts equal the reference's"
    )
  }

  static let messageComparison = TraceComparison(
    names: [
      // Its name for the same element of the NAL parameters.
      "vcl_initial_cpb_removal_offset": "nal_initial_cpb_removal_offset"
    ],
    regrouped: [
      // The reference decoder prints these byte by byte.
      "picture_checksum", "picture_crc",
      // It does not know this message.
      "unknown prefix SEI payload byte", "max_content_light_level", "max_pic_average_light_level",
    ])

  @Test(arguments: Corpus.files(with: "HTM16.TraceDec.txt"))
  func messagesEqualTheReference(_ name: String) throws {
    let trace = ReferenceTrace(try #require(Corpus.truth(name, "HTM16.TraceDec.txt")))
    var store = ParameterSetStore()
    var reference = Self.parts(trace).messages
    var compared = 0, messages = 0
    var differences: [String: Int] = [:]
    for unit in try Self.units(name) {
      store.insert(unit)
      guard unit.type.isSEI else { continue }
      for message in unit.seiMessages().messages {
        // The trace of a movie has the messages of its records behind those of its first sample.
        guard let place = reference.firstIndex(where: { $0.payloadType == message.payloadType.rawValue })
        else {
          continue
        }
        #expect(place == 0 || name.hasSuffix(".mov"), "\(name)")
        let their = reference.remove(at: place)
        let outcome = compare(message, their, in: store.seiContext(layerID: unit.layerID))
        if outcome.difference != nil, message.payloadType.rawValue == 0, unit.layerID == 1 {
          // The encoder repeats the message of the base layer in front of the picture of layer 1, and it still names
          // the base layer's sequence. Read with that (D.3.2) it ends with its stop bit; the reference decoder
          // takes the sequence of layer 1, which has no lengths.
          #expect(message.content(in: store.seiContext(layerID: 1))?.tail.stopBit == 1)
          differences["buffering_period that names the base layer's sequence (D.3.2)", default: 0] += 1
          continue
        }
        if let difference = outcome.difference {
          Issue.record("\(name): \(message.payloadType): \(difference)")
        }
        compared += outcome.equal
        messages += 1
      }
    }
    #expect(reference.isEmpty, "\(name) lacks messages")
    print("\(name): \(compared) elements of \(messages) SEI messages equal the reference's")
    for (text, count) in differences.sorted(by: { $0.key < $1.key }) { print("  \(count) times", text) }
  }

  private func compare(
    _ message: SEIMessage, _ their: Part, in context: SEIContext
  ) -> TraceComparison.Outcome {
    var sink = TraceSink()
    if let error = message.trace(into: &sink, in: context) {
      return TraceComparison.Outcome(difference: "\(error)")
    }
    return Self.messageComparison.compare(
      their.elements, Self.divided(sink.elements, as: their.elements), isPrefix: their.isLast)
  }

  /// Bytes one by one, and kept bits bit by bit, as the reference prints them.
  static func divided(_ elements: [SyntaxElement], as reference: [ReferenceTrace.Element]) -> [SyntaxElement]
  {
    elements.flatMap { element -> [SyntaxElement] in
      let digits = element.value.compactMap(\.hexDigitValue)
      switch element.descriptor {
      case "b(8)":
        return stride(from: 0, to: digits.count - 1, by: 2).map {
          SyntaxElement(
            name: element.name, descriptor: "u(8)", value: String(digits[$0] * 16 + digits[$0 + 1]))
        }
      case "u(v)":
        // The number of bits is not in the description; the rest of the last byte is zero.
        let count = reference.count { $0.name == element.name }
        return (0..<count).map {
          let bit = $0 / 4 < digits.count ? digits[$0 / 4] >> (3 - $0 % 4) & 1 : 0
          return SyntaxElement(name: element.name, descriptor: "u(1)", value: String(bit))
        }
      default: return [element]
      }
    }
  }
}
