// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// An SEI message: a type, a size, and that many bytes. ISO/IEC 23008-2, 7.3.5
public struct SEIMessage: FieldLayout {
  /// The type of the message (`payloadType`).
  public var payloadType = SEIPayloadType(0)
  /// The payload without emulation prevention bytes; its bytes know their place in the file.
  public var payload = ByteView()

  public init() {}

  /// Makes a message.
  public init(_ payloadType: SEIPayloadType, payload: ByteView) {
    self.payloadType = payloadType
    self.payload = payload
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    let size = try layoutHeader(&c)
    try c.bytes("sei_payload", &payload, count: size)
  }

  /// Codes type and size; returns the size.
  mutating func layoutHeader(_ c: inout some Coder) throws(ParseError) -> Int {
    try c.sumOfBytes("payload_type", &payloadType.rawValue)
    var size = UInt32(clamping: payload.count)
    try c.sumOfBytes("payload_size", &size)
    return Int(clamping: size)
  }
}

extension FieldCoder where Self: ~Escapable {
  /// A number coded as a sum of bytes, all but the last of which are 255.
  fileprivate mutating func sumOfBytes(_ name: StaticString, _ value: inout UInt32) throws(ParseError) {
    var left = value, sum: UInt32 = 0
    var byte: UInt8
    beginArray(name, count: 0)
    repeat {
      byte = UInt8(clamping: left)
      try u8(name, &byte)
      left &-= min(left, 255)
      sum &+= UInt32(byte)
      guard sum <= 1 << 30 else {
        throw failure(.limitExceeded(limit: "1073741824", value: UInt64(sum)), name)
      }
    } while byte == 255
    endScope()
    value = sum
  }
}

/// All messages of an SEI NAL unit. ISO/IEC 23008-2, 7.3.2.4
public struct SEIMessages: FieldLayout {
  /// The messages.
  public var messages: [SEIMessage] = []
  /// The bits that end the NAL unit.
  public var trailing = RBSPTrailingBits()

  public init() {}

  /// Makes the content of an SEI NAL unit.
  public init(_ messages: [SEIMessage]) { self.messages = messages }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    c.beginArray("sei_messages", count: 0)
    if c.isDecoding {
      messages.removeAll()
      let end = c.bitPosition + (c.bitsBeforeTrailing ?? 0)
      while c.bitPosition < end {
        var message = SEIMessage()
        c.beginStructure("sei_message")
        do { try message.layout(&c) } catch { throw error.inField("sei_message[\(messages.count)]") }
        c.endScope()
        messages.append(message)
      }
    } else {
      for index in messages.indices { try c.group("sei_message", &messages[index]) }
    }
    c.endScope()
    try c.group("rbsp_trailing_bits", &trailing)
  }
}

extension NALUnit {
  /// The messages of an SEI NAL unit as far as they can be read, and the error that stopped reading.
  public func seiMessages() -> (messages: [SEIMessage], error: ParseError?) {
    let (value, _, error) = rbsp.decode(SEIMessages())
    return (value.messages, error)
  }
}
