// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// What is in an SEI message of one type.
///
/// A new one is one file with a type that conforms, and one line in ``SEIRegistry``.
public protocol SEIPayload: FieldLayout {
  /// The type of message.
  static var payloadType: SEIPayloadType { get }
  /// The document and clause that define it.
  static var specification: StaticString { get }
  /// What the message is for, in one sentence.
  static var summary: StaticString { get }
  /// At least one value, together covering every branch of the layout: for tests, examples and documentation.
  static var samples: [Self] { get }

  /// Takes from the surroundings what the layout depends on but does not contain.
  mutating func prepare(for context: SEIContext)
  /// Whether the last field is one of a later edition, which readers know by the stop bit that must follow it.
  var endsWithExtension: Bool { get }
}

extension SEIPayload {
  /// Takes nothing.
  public mutating func prepare(for context: SEIContext) {}
  /// No such field.
  public var endsWithExtension: Bool { false }
}

/// What may follow the fields of a payload: fields of later editions, and bits that fill the last byte.
/// ISO/IEC 23008-2, 7.3.5 and D.2.1
public struct SEIPayloadTail: FieldLayout {
  /// `reserved_payload_extension_data`
  public var extensionData = BitString()
  /// `payload_bit_equal_to_one`; `nil` where the fields end at the end of the payload.
  public var stopBit: UInt8?
  /// `payload_bit_equal_to_zero`, each.
  public var zeroBits = BitString()

  public init() {}

  /// The tail that fills the last byte of a payload of `bits` bits.
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

  /// Each bit is an element of its own, as far as there are no more than fill a byte.
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
  /// Makes a message from its payload, filled up to a whole number of bytes.
  public init<Payload: SEIPayload>(_ payload: Payload, tail: SEIPayloadTail? = nil) throws(ParseError) {
    var encoder = FieldEncoder()
    var whole = SEIPayloadWithTail<Payload>()
    whole.payload = payload
    try whole.payload.layout(&encoder)
    whole.tail = tail ?? SEIPayloadTail(filling: encoder.bitPosition, mustStop: payload.endsWithExtension)
    try whole.tail.layout(&encoder)
    self.init(Payload.payloadType, payload: ByteView(encoder.bytes))
  }

  /// The payload as a structure of a type that is known beforehand; `nil` for a message of another type.
  public func payload<Payload: SEIPayload>(
    as _: Payload.Type, in context: SEIContext = SEIContext()
  ) throws(ParseError) -> Payload? {
    guard payloadType == Payload.payloadType else { return nil }
    var initial = SEIPayloadWithTail<Payload>()
    initial.payload.prepare(for: context)
    return try payload.decoded(initial).payload
  }
}
