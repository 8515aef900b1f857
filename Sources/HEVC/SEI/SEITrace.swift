// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// A sink into which SEI messages can be described, payloads included.
public protocol SEISink: FieldSink {
  /// Whether type and size of a message are shown byte by byte, as they stand in the bitstream, or each as one number.
  static var showsHeaderBytes: Bool { get }
  /// Describes a payload of a known kind as it is read.
  mutating func describe(_ kind: SEIPayloadKind, _ bytes: ByteView, _ context: SEIContext) -> ParseError?
}

extension SEISink {
  /// Each as one number, unless a sink says otherwise.
  public static var showsHeaderBytes: Bool { false }
}

extension TextSink: SEISink {
  public mutating func describe(
    _ kind: SEIPayloadKind, _ bytes: ByteView, _ context: SEIContext
  ) -> ParseError? { kind.traceText(bytes, context, &self) }
}

extension JSONSink: SEISink {
  public mutating func describe(
    _ kind: SEIPayloadKind, _ bytes: ByteView, _ context: SEIContext
  ) -> ParseError? {
    // Through a sink of its own: what a damaged payload leaves open ends with it, and nothing around it does.
    var inner = JSONSink(writer, tableRows: tableRows, byteLimit: byteLimit)
    return kind.traceJSON(bytes, context, &inner)
  }
}

extension TraceSink: SEISink {
  public static var showsHeaderBytes: Bool { true }

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
    if Sink.showsHeaderBytes {
      var describer = Describer(sink)
      var copy = self
      defer { sink = describer.sink }
      do throws(ParseError) { _ = try copy.layoutHeader(&describer) } catch { return error }
    } else {
      sink.unsigned(FieldNote("payload_type", .unsigned(bits: 8)), UInt64(payloadType.rawValue))
      sink.unsigned(FieldNote("payload_size", .unsigned(bits: 8)), UInt64(payload.count))
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
      return nil
    }
    return sink.describe(kind, payload, context)
  }
}
