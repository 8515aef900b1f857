// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import HEVC
import TestSupport
import Testing

/// Every syntax element of every parameter set, SEI message and slice segment header, and every picture order count,
/// against the trace of the reference decoder, NAL unit by NAL unit.
@Suite(.enabled(if: Corpus.isPresent)) struct ReferenceTraceTests {
  @Test func everyElementEqualsTheReference() throws {
    let names = Corpus.files(with: "HTM16.TraceDec.txt")
    #expect(names.count >= 23)
    var total = TraceTally()
    for name in names {
      let trace = ReferenceTrace(try #require(Corpus.truth(name, "HTM16.TraceDec.txt")))
      // What the reference decoder got of a movie is the stream that its records and samples give.
      let track = try #require(CorpusVideo(name)?.tracks.first)
      var comparison = TraceRun(name)
      comparison.compare(trace, track.streamUnits)
      print("\(name): \(comparison.tally)")
      total.add(comparison.tally)
    }
    print("\(names.count) streams together: \(total)")
    for (text, count) in total.differences.sorted(by: { $0.key < $1.key }) { print("  \(count) times", text) }
    for kind in TraceTally.Kind.allCases { #expect(total.elements[kind, default: 0] > 0, "\(kind)") }
    #expect(total.orderCounts > 500)
    // The one difference that is left, on as many messages as the encoder wrote wrongly.
    #expect(total.differences == [TraceRun.otherSequence: 1])
  }
}

/// How much of a trace was compared and found equal.
struct TraceTally: CustomStringConvertible {
  enum Kind: String, CaseIterable {
    case vps = "VPS"
    case sps = "SPS"
    case pps = "PPS"
    case message = "SEI"
    case slice = "slices"
    case delimiter = "AUD"
  }

  var structures: [Kind: Int] = [:]
  var elements: [Kind: Int] = [:]
  var orderCounts = 0
  /// Units that follow the place where the trace ends.
  var unitsBehindTheEnd = 0
  /// What differs, with the clause that decides it.
  var differences: [String: Int] = [:]

  mutating func count(_ kind: Kind, _ equal: Int) {
    structures[kind, default: 0] += 1
    elements[kind, default: 0] += equal
  }

  mutating func add(_ other: TraceTally) {
    structures.merge(other.structures, uniquingKeysWith: +)
    elements.merge(other.elements, uniquingKeysWith: +)
    orderCounts += other.orderCounts
    unitsBehindTheEnd += other.unitsBehindTheEnd
    differences.merge(other.differences, uniquingKeysWith: +)
  }

  var description: String {
    let kinds = Kind.allCases.map { kind in
      "\(kind.rawValue) \(structures[kind, default: 0])/\(elements[kind, default: 0])"
    }
    let sum = elements.values.reduce(0, +)
    return "\(sum) elements equal (structures/elements: \(kinds.joined(separator: ", "))), "
      + "\(orderCounts) order counts, \(unitsBehindTheEnd) NAL units after the end of the trace"
  }
}

/// Walks a stream and the reference decoder's trace of it side by side.
struct TraceRun {
  /// An encoder repeats the base layer's buffering period in front of the picture of layer 1. By D.3.2 the sequence
  /// parameter set is the one that `bp_seq_parameter_set_id` names; the reference decoder takes that of layer 1,
  /// which has no lengths.
  static let otherSequence = "buffering_period that names the base layer's sequence (D.3.2)"

  let name: String
  var tally = TraceTally()
  private var store = ParameterSetStore()
  private var counter = PictureOrderCounter()
  private var previous: SliceSegmentHeader?
  /// The messages that were read, in order. The reference prints them after the slice that follows.
  private var messages: [Message] = []

  /// A message of the stream, with the end of its NAL unit if it is the last one there.
  private struct Message {
    var message: SEIMessage
    var layerID: UInt8
    var elements: [SyntaxElement]
    var error: ParseError?
  }

  init(_ name: String) { self.name = name }

  mutating func compare(_ trace: ReferenceTrace, _ units: [NALUnit]) {
    guard units.count >= trace.nalUnits.count else {
      Issue.record("\(name): \(units.count) NAL units, and \(trace.nalUnits.count) in the trace")
      return
    }
    for (index, (their, unit)) in zip(trace.nalUnits, units).enumerated() {
      let isLast = index == trace.nalUnits.count - 1
      guard
        their.type == Int(unit.type.rawValue), their.layerID == Int(unit.layerID),
        their.temporalIDPlus1 == Int(unit.temporalID) + 1
      else {
        Issue.record("\(name), unit \(index): \(unit.type) of layer \(unit.layerID), not \(their.label)")
        return
      }
      store.insert(unit)
      compare(unit, their, isLast: isLast)
      compareMessages(their.elements.filter { $0.structure.hasSuffix("SEI message") }, isLast: isLast)
    }
    tally.unitsBehindTheEnd = units.count - trace.nalUnits.count
    // Messages in front of a slice that the trace does not have any more.
    #expect(messages.isEmpty || tally.unitsBehindTheEnd > 0, "\(name): messages that the trace lacks")
  }

  private mutating func compare(_ unit: NALUnit, _ their: ReferenceTrace.NALUnit, isLast: Bool) {
    let elements = their.elements.filter { !$0.structure.hasSuffix("SEI message") }
    let sink = TraceSink()
    switch unit.type {
    case .videoParameterSet:
      var set = VideoParameterSet()
      let error = unit.rbsp.trace(&set, into: sink).error
      judge(.vps, elements, sink.elements, error, isLast)
    case .sequenceParameterSet:
      var set = SequenceParameterSet()
      set.nuhLayerID = unit.layerID
      let error = unit.rbsp.trace(&set, into: sink).error
      judge(.sps, elements, sink.elements, error, isLast)
    case .pictureParameterSet:
      var set = PictureParameterSet()
      let error = unit.rbsp.trace(&set, into: sink).error
      judge(.pps, elements, sink.elements, error, isLast)
    case .prefixSEI, .suffixSEI:
      #expect(elements.isEmpty, "\(name)")
      read(messagesOf: unit)
    case let type where type.isSliceSegment:
      guard let slice = store.traceSliceSegment(unit, after: previous, into: sink) else { return }
      #expect(slice.header.endsProperly, "\(name)")
      judge(.slice, elements, sink.elements, slice.error, isLast)
      previous = slice.header
      let count = counter.orderCount(of: slice.header)
      if let expected = their.pictureOrderCounts.first {
        #expect(count == expected, "\(name)")
        tally.orderCounts += 1
      }
    case .accessUnitDelimiter:
      var delimiter = AccessUnitDelimiter()
      let error = unit.rbsp.trace(&delimiter, into: sink).error
      judge(.delimiter, elements, sink.elements, error, isLast)
    default:
      if unit.type == .endOfSequence { counter.endOfSequence(layerID: unit.layerID) }
      #expect(elements.isEmpty, "\(name): \(unit.type)")
    }
  }

  private mutating func judge(
    _ kind: TraceTally.Kind, _ their: [ReferenceTrace.Element], _ our: [SyntaxElement], _ error: ParseError?,
    _ isLast: Bool
  ) {
    #expect(error == nil, "\(name)")
    let outcome = ReferenceNames.comparison.compare(
      their, ReferenceNames.divided(our, as: their), isPrefix: isLast)
    if let difference = outcome.difference { Issue.record("\(name): \(kind): \(difference)") }
    tally.count(kind, outcome.equal)
  }

  // MARK: Messages

  private mutating func read(messagesOf unit: NALUnit) {
    let (content, _, error) = unit.rbsp.decode(SEIMessages())
    #expect(error == nil, "\(name)")
    for (index, message) in content.messages.enumerated() {
      let sink = TraceSink()
      let error = message.trace(into: sink, in: store.seiContext(layerID: unit.layerID))
      var elements = sink.elements
      if index == content.messages.count - 1 {
        let end = TraceSink()
        content.trailing.describe(into: end)
        elements += end.elements
      }
      messages.append(Message(message: message, layerID: unit.layerID, elements: elements, error: error))
    }
  }

  /// Compares what the reference printed of messages with the first of those that were read.
  private mutating func compareMessages(_ their: [ReferenceTrace.Element], isLast: Bool) {
    let parts = Self.messages(in: their)
    for (index, part) in parts.enumerated() {
      guard !messages.isEmpty else {
        Issue.record("\(name): line \(part[0].line): a message that the stream lacks")
        return
      }
      let our = messages.removeFirst()
      let outcome = ReferenceNames.comparison.compare(
        part, ReferenceNames.divided(our.elements, as: part), isPrefix: isLast && index == parts.count - 1)
      if outcome.difference != nil, our.message.payloadType == BufferingPeriod.payloadType, our.layerID == 1,
        our.error == nil,
        our.message.content(in: store.seiContext(layerID: 1))?.tail.stopBit == 1
      {
        tally.differences[Self.otherSequence, default: 0] += 1
        continue
      }
      #expect(our.error == nil, "\(name): \(our.message.payloadType)")
      if let difference = outcome.difference {
        Issue.record("\(name): \(our.message.payloadType): \(difference)")
      }
      tally.count(.message, outcome.equal)
    }
  }

  /// Each message begins with its type, which may take several elements.
  private static func messages(in elements: [ReferenceTrace.Element]) -> [[ReferenceTrace.Element]] {
    var parts: [[ReferenceTrace.Element]] = []
    var isInType = false
    for element in elements {
      if element.name == "payload_type", !isInType { parts.append([]) }
      isInType = element.name == "payload_type"
      if !parts.isEmpty { parts[parts.count - 1].append(element) }
    }
    return parts
  }
}
