// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The NAL units of a sample, each after its length. ISO/IEC 14496-15, 4.3.3
///
/// Units that are too short for a header give an error and are passed over (a run of empty ones gives one error); a
/// length that reaches beyond the sample gives an error and ends it.
@frozen
public struct LengthPrefixedNALUnits: Sequence, Sendable {
  /// The sample.
  public let bytes: ByteView
  /// How many bytes a length takes: 1, 2 or 4 by the standard; 3 is read, too.
  public let lengthSize: Int

  /// The units in `bytes`.
  @inlinable
  public init(_ bytes: ByteView, lengthSize: Int) {
    self.bytes = bytes
    self.lengthSize = Swift.min(Swift.max(lengthSize, 1), 4)
  }

  @inlinable
  public func makeIterator() -> Iterator { Iterator(bytes: bytes, lengthSize: lengthSize) }

  /// Walks the units of a sample.
  @frozen
  public struct Iterator: IteratorProtocol, Sendable {
    @usableFromInline let bytes: ByteView
    @usableFromInline let lengthSize: Int
    @usableFromInline var position = 0

    @inlinable
    init(bytes: ByteView, lengthSize: Int) {
      self.bytes = bytes
      self.lengthSize = lengthSize
    }

    @inlinable
    public mutating func next() -> Result<NALUnit, ParseError>? {
      guard let prefix = bytes.bigEndian(at: position, width: lengthSize) else { return endOrCutLength() }
      let length = Int(truncatingIfNeeded: prefix)
      let start = position &+ lengthSize
      guard length >= NALUnitHeader.byteCount, length <= bytes.count &- start,
        let slice = bytes.slice(start..<(start &+ length)), let unit = NALUnit(slice)
      else { return damaged(length) }
      position = start &+ length
      return .success(unit)
    }

    /// Nothing is left, or less than a length takes.
    @usableFromInline
    mutating func endOrCutLength() -> Result<NALUnit, ParseError>? {
      let left = bytes.count - position
      guard left > 0 else { return nil }
      defer { position = bytes.count }
      return .failure(
        ParseError(
          .truncated(neededBits: lengthSize * 8, availableBits: left * 8),
          offset: bytes.fileOffset(at: position), field: "NALUnitLength"))
    }

    @usableFromInline
    mutating func damaged(_ length: Int) -> Result<NALUnit, ParseError>? {
      let offset = bytes.fileOffset(at: position)
      let start = position + lengthSize
      if length > bytes.count - start {
        let left = bytes.count - start
        position = bytes.count
        return .failure(
          ParseError(
            .truncated(neededBits: length * 8, availableBits: left * 8), offset: offset, field: "NALUnit"))
      }
      position = start + length
      guard length == 0 else {
        return .failure(
          ParseError(
            .invalidSize(UInt64(length), reason: "is too short for a NAL unit header"), offset: offset,
            field: "NALUnitLength"))
      }
      var empty = 1
      while bytes.bigEndian(at: position, width: lengthSize) == 0 {
        position += lengthSize
        empty += 1
      }
      return .failure(
        ParseError(
          .invalidSize(0, reason: empty == 1 ? "of a NAL unit" : "of \(empty) NAL units in a row"),
          offset: offset, field: "NALUnitLength"))
    }
  }
}

extension LengthPrefixedNALUnits {
  /// The units one after the other, each with its length in front; a unit too long for the length is an error.
  public static func join(_ units: some Sequence<NALUnit>, lengthSize: Int) throws(ParseError) -> [UInt8] {
    let size = Swift.min(Swift.max(lengthSize, 1), 4)
    var encoder = FieldEncoder()
    for unit in units {
      var length = UInt64(unit.bytes.count)
      try encoder.u("NALUnitLength", &length, size * 8)
      encoder.append(unit.bytes)
    }
    return encoder.bytes
  }
}
