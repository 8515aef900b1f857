// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The payload of an SEI message of one type.
///
/// To add a type, write one file with a type that conforms, and one line in ``SEIRegistry``.
public protocol SEIPayload: FieldLayout {
  /// The type of message.
  static var payloadType: SEIPayloadType { get }
  /// The document and clause that define it.
  static var specification: StaticString { get }
  /// What the message is for, in one sentence.
  static var summary: StaticString { get }

  /// Takes values from the context that the layout depends on but does not contain.
  mutating func prepare(for context: SEIContext)
  /// Whether the last field belongs to a later edition, which readers recognise by the stop bit that must follow
  /// it.
  var endsWithExtension: Bool { get }
}

extension SEIPayload {
  /// Does nothing.
  public mutating func prepare(for context: SEIContext) {}
  /// By default, there is no such field.
  public var endsWithExtension: Bool { false }
}

/// What may follow the fields of a payload: fields of later editions, and padding of the last byte.
/// ISO/IEC 23008-2, 7.3.5 and D.2.1
public struct SEIPayloadTail: FieldLayout {
  /// Fields of later editions (`reserved_payload_extension_data`).
  public var extensionData = BitString()
  /// The stop bit; `nil` if the fields end exactly at the end of the payload (`payload_bit_equal_to_one`).
  public var stopBit: UInt8?
  /// The padding after the stop bit (`payload_bit_equal_to_zero`).
  public var zeroBits = BitString()

  public init() {}

  /// Makes the tail that pads a payload of `bits` bits to a whole number of bytes.
  init(filling bits: Int, mustStop: Bool) {
    guard bits & 7 != 0 || mustStop else { return }
    stopBit = 1
    zeroBits.bitCount = 7 - bits & 7
    zeroBits.bytes = zeroBits.bitCount > 0 ? [0] : []
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    var isPresent = stopBit != nil
    c.presence(&isPresent, whenBitsLeft: 1)
    guard isPresent else {
      stopBit = nil
      return
    }
    let extensionBits = c.bitsBeforeTrailing ?? extensionData.bitCount
    if extensionBits > 0 {
      try c.bitString("reserved_payload_extension_data", &extensionData, count: extensionBits)
    }
    var stop = stopBit ?? 1
    try c.reserved("payload_bit_equal_to_one", &stop, bits: 1, expecting: 1)
    stopBit = stop
    try layoutZeros(&c, count: c.bitsLeft ?? zeroBits.bitCount)
  }

  /// Codes each bit as a separate element if there are no more than fill a byte.
  private mutating func layoutZeros(_ c: inout some Coder, count: Int) throws(ParseError) {
    guard (1...7).contains(count) else {
      if count > 0 { try c.bitString("payload_bit_equal_to_zero", &zeroBits, count: count) }
      return
    }
    let old = zeroBits.bytes.first ?? 0
    var new: UInt8 = 0
    for index in 0..<UInt8(clamping: count) {
      var bit = old &>> (7 &- index) & 1
      try c.reserved("payload_bit_equal_to_zero", &bit, bits: 1, expecting: 0)
      new |= bit &<< (7 &- index)
    }
    zeroBits.bytes = [new]
    zeroBits.bitCount = count
  }
}

/// A payload with what follows its fields: all bytes of an SEI message.
package struct SEIPayloadWithTail<Payload: SEIPayload>: FieldLayout {
  /// The fields.
  package var payload = Payload()
  /// What follows them.
  package var tail = SEIPayloadTail()

  package init() {}

  package mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try payload.layout(&c)
    try tail.layout(&c)
  }
}

extension SEIMessage {
  /// Makes a message from its payload, padded to a whole number of bytes.
  public init<Payload: SEIPayload>(_ payload: Payload, tail: SEIPayloadTail? = nil) throws(ParseError) {
    var encoder = FieldEncoder()
    var whole = SEIPayloadWithTail<Payload>()
    whole.payload = payload
    try whole.payload.layout(&encoder)
    whole.tail = tail ?? SEIPayloadTail(filling: encoder.bitPosition, mustStop: payload.endsWithExtension)
    try whole.tail.layout(&encoder)
    self.init(Payload.payloadType, payload: ByteView(encoder.bytes))
  }

  /// The payload as a structure of a given type; `nil` if the message has another type.
  public func payload<Payload: SEIPayload>(
    as _: Payload.Type, in context: SEIContext = SEIContext()
  ) throws(ParseError) -> Payload? {
    guard payloadType == Payload.payloadType else { return nil }
    var initial = SEIPayloadWithTail<Payload>()
    initial.payload.prepare(for: context)
    return try payload.decoded(initial).payload
  }
}
