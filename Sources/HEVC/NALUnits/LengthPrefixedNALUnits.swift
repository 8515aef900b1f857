// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The NAL units of a sample, each preceded by its length. ISO/IEC 14496-15, 4.3.3
///
/// Units that are too short for a header produce an error and are skipped (a run of empty ones produces one
/// error); a length that reaches beyond the sample produces an error and ends the iteration.
@frozen
public struct LengthPrefixedNALUnits: Sequence, Sendable {
  /// The sample.
  public let bytes: ByteView
  /// How many bytes a length takes: the standard allows 1, 2 and 4; 3 is accepted, too.
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

    /// Called when nothing is left, or fewer bytes than a length takes.
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
          .invalidSize(
            0, reason: empty == 1 ? "means an empty NAL unit" : "means \(empty) empty NAL units in a row"),
          offset: offset, field: "NALUnitLength"))
    }
  }
}

extension LengthPrefixedNALUnits {
  /// The units in order, each preceded by its length; throws if a unit is too long for the length.
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
