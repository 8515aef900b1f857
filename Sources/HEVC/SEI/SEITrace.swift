// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

extension SEIMessage {
  /// Describes the message field by field, in bitstream order; if only the name of its type is known, describes
  /// the bytes of the payload.
  ///
  /// - Returns: the error that stopped reading the payload; `nil` if there was none.
  public func trace(
    into sink: any FieldSink, in context: SEIContext = SEIContext(), registry: SEIRegistry = .standard
  ) -> ParseError? {
    if sink.showsEncodedForm {
      // Type and size are sums of bytes.
      var describer = Describer(sink)
      var copy = self
      do throws(ParseError) { _ = try copy.layoutHeader(&describer) } catch { return error }
    } else {
      sink.unsigned(FieldNote("payload_type", .unsigned(bits: 8)), UInt64(payloadType.rawValue))
      sink.unsigned(FieldNote("payload_size", .unsigned(bits: 8)), UInt64(payload.count))
    }
    return tracePayload(into: sink, in: context, registry: registry)
  }

  /// Describes what follows type and size, field by field; if only the name of the type is known, as bytes.
  ///
  /// - Returns: the error that stopped reading; `nil` if there was none.
  public func tracePayload(
    into sink: any FieldSink, in context: SEIContext = SEIContext(), registry: SEIRegistry = .standard
  ) -> ParseError? {
    guard let kind = registry[payloadType] else {
      sink.bytes(FieldNote("sei_payload", .bytes), payload, .hexadecimal)
      return nil
    }
    return kind.trace(payload, context, sink)
  }
}
