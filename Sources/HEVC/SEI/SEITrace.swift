// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// A sink into which SEI messages can be described, payloads included.
public protocol SEISink: FieldSink {
  /// Describes a payload of a known kind as it is read.
  mutating func describe(_ kind: SEIPayloadKind, _ bytes: ByteView, _ context: SEIContext) -> ParseError?
}

extension TextSink: SEISink {
  public mutating func describe(
    _ kind: SEIPayloadKind, _ bytes: ByteView, _ context: SEIContext
  ) -> ParseError? { kind.traceText(bytes, context, &self) }
}

extension JSONSink: SEISink {
  public mutating func describe(
    _ kind: SEIPayloadKind, _ bytes: ByteView, _ context: SEIContext
  ) -> ParseError? { kind.traceJSON(bytes, context, &self) }
}

extension TraceSink: SEISink {
  public mutating func describe(
    _ kind: SEIPayloadKind, _ bytes: ByteView, _ context: SEIContext
  ) -> ParseError? { kind.traceElements(bytes, context, &self) }
}

extension SEIMessage {
  /// Describes the message field by field, in the order of the bitstream; of a payload that is known by name only,
  /// its bytes.
  ///
  /// - Returns: what stopped the reading of the payload.
  public func trace<Sink: SEISink>(
    into sink: inout Sink, in context: SEIContext = SEIContext(), registry: SEIRegistry = .standard
  ) -> ParseError? {
    var describer = Describer(sink)
    var copy = self
    do throws(ParseError) {
      _ = try copy.layoutHeader(&describer)
      sink = describer.sink
    } catch {
      sink = describer.sink
      return error
    }
    return tracePayload(into: &sink, in: context, registry: registry)
  }

  /// Describes what stands behind type and size, field by field; of a payload that is known by name only, its bytes.
  ///
  /// - Returns: what stopped the reading.
  public func tracePayload<Sink: SEISink>(
    into sink: inout Sink, in context: SEIContext = SEIContext(), registry: SEIRegistry = .standard
  ) -> ParseError? {
    guard let kind = registry[payloadType] else {
      sink.bytes(FieldNote("sei_payload", .bytes), payload, .hexadecimal)
      sink.finish()
      return nil
    }
    return sink.describe(kind, payload, context)
  }
}
