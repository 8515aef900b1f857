// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import HEVC
import LayoutExamples
import TestSupport

extension FuzzTarget {
  static let sei = FuzzTarget(
    "FuzzSEI",
    "Two bytes that decide what is known around, and the RBSP of an SEI NAL unit: messages and payloads are fixed points.",
    seeds: {
      let units = FuzzSeeds.units(\.isSEI).map { ($0, [0xFF, 0xFF] + $1.rbsp.array) }
      let samples = SEIRegistry.standard.all.flatMap { kind in
        kind.examples.enumerated().compactMap { index, sample -> (String, [UInt8])? in
          guard let message = try? SEIMessage(sample) else { return nil }
          return (
            "\(kind.payloadType)-\(index)", [0xFF, 0xFF] + ((try? SEIMessages([message]).encoded()) ?? [])
          )
        }
      }
      return units + samples
    },
    mutator: mutateMessages
  ) { bytes, findings in
    guard let word = bytes.bigEndian(at: 0, width: 2) else { return }
    let rbsp = bytes.suffix(from: 2)
    let context = SEIContext(bits: UInt16(word))
    findings.checkLayout(SEIMessages(), rbsp, "SEI")
    findings.checkMessages(rbsp.decode(SEIMessages()).value.messages, context)
  }
}

extension SEIContext {
  /// Surroundings by the bits of a number.
  fileprivate init(bits: UInt16) {
    self.init()
    func bit(_ index: Int) -> Bool { bits >> UInt16(index) & 1 == 1 }
    var sequence = Sequence()
    sequence.hasFrameFieldInfo = bit(0)
    sequence.sizeInCodingTreeBlocks = bit(1) ? 40_000 : 6
    if bit(2) {
      var timing = Timing()
      timing.hasNALParameters = bit(3)
      timing.hasVCLParameters = bit(4)
      timing.hasSubPictureParameters = bit(5)
      timing.hasSubPictureTimingInPictureTiming = bit(6)
      timing.initialRemovalDelayLength = bit(7) ? 32 : 1
      timing.bufferCount = bit(8) ? 32 : 1
      sequence.timing = timing
    }
    if bit(9) { activeSequence = sequence }
    sequences = bit(10) ? [0: sequence, 15: sequence] : [:]
    if bit(11) {
      var video = Video()
      video.maxLayersMinus1 = bit(12) ? 62 : 1
      video.baseLayerIsInternal = bit(13)
      video.viewCount = bit(14) ? 63 : 2
      self.video = video
    }
  }
}

extension FuzzFindings {
  mutating func checkMessages(_ messages: [SEIMessage], _ context: SEIContext) {
    for message in messages {
      guard let content = message.content(in: context) else { continue }
      let name = "SEI \(message.payloadType.rawValue)"
      describe(message, context, name)
      if let error = content.error {
        checkPlace(error, message.payload, name)
        continue
      }
      do {
        let again = try SEIMessage(content)
        expect(again.payload == message.payload, "\(name): written as other bytes")
      } catch { note("\(name): was read but cannot be written: \(error)") }
      if let nesting = content.payload as? ScalableNesting {
        var inner = context
        inner.nesting += 1
        expect(inner.nesting <= 4, "\(name): nested \(inner.nesting) deep")
        checkMessages(nesting.messages, inner)
      }
    }
  }

  private mutating func describe(_ message: SEIMessage, _ context: SEIContext, _ name: String) {
    let json = OutputBuffer()
    let writer = JSONWriter(json, pretty: false)
    writer.beginObject()
    let sink = JSONSink(writer)
    _ = message.trace(into: sink, in: context)
    sink.finish()
    writer.endObject()
    if let problem = jsonProblem(json.text) { note("\(name): JSON \(problem)") }
    let text = OutputBuffer()
    let textSink = TextSink(text)
    _ = message.trace(into: textSink, in: context)
    textSink.finish()
    let size = json.text.utf8.count + text.text.utf8.count
    expect(
      size <= 4_000 + 1_000 * message.payload.count,
      "\(name): \(size) bytes describe \(message.payload.count)")
  }
}

/// Changes the payload of one message, whose size follows, or the order of messages.
@Sendable
func mutateMessages(_ mutation: inout FuzzMutation) {
  let body = ByteView(mutation.bytes).suffix(from: 2)
  var messages = body.decode(SEIMessages()).value.messages
  guard mutation.bytes.count > 2, !messages.isEmpty, !mutation.chance(6) else { return mutateBits(&mutation) }
  let index = mutation.below(messages.count)
  switch mutation.below(8) {
  case 0: messages[index].payloadType = SEIPayloadType(UInt32(mutation.below(220)))
  case 1:
    let kind = SEIRegistry.standard.all[mutation.below(SEIRegistry.standard.all.count)]
    messages[index].payloadType = kind.type
  case 2:
    // One in another.
    let inner = (try? messages[index].encoded()) ?? []
    messages[index] = SEIMessage(ScalableNesting.payloadType, payload: ByteView([0x20] + inner))
  case 3: messages.append(messages[mutation.below(messages.count)])
  default:
    messages[index].payload = ByteView(mutatedBits(of: messages[index].payload.array, &mutation))
  }
  let head =
    mutation.chance(8)
    ? [UInt8(mutation.below(256)), UInt8(mutation.below(256))] : Array(mutation.bytes.prefix(2))
  if let bytes = try? SEIMessages(messages).encoded() { mutation.bytes = head + bytes }
}
