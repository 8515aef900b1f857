// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A four-character code: the type of a box, a brand, a handler, a codec.
///
/// Kept as the 32-bit number in the file, so codes that are not text survive unchanged.
@frozen
public struct FourCC: Hashable, Sendable, Comparable, RawRepresentable {
  /// The code as a big-endian number.
  public var rawValue: UInt32

  /// Makes a code from its number.
  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes a code from its number.
  @inlinable
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Makes a code from text of exactly four characters, each below U+0100 (`©` is the byte 0xA9).
  public init?(_ text: some StringProtocol) {
    var value: UInt32 = 0
    var count = 0
    for scalar in text.unicodeScalars {
      guard scalar.value < 0x100, count < 4 else { return nil }
      value = value << 8 | scalar.value
      count += 1
    }
    guard count == 4 else { return nil }
    rawValue = value
  }

  /// The four bytes, in file order.
  public var bytes: (UInt8, UInt8, UInt8, UInt8) {
    (
      UInt8(truncatingIfNeeded: rawValue >> 24), UInt8(truncatingIfNeeded: rawValue >> 16),
      UInt8(truncatingIfNeeded: rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)
    )
  }

  /// Whether every byte is printable text (MacRoman's `©` counts).
  public var isPrintable: Bool {
    for shift in [24, 16, 8, 0] {
      let byte = UInt8(truncatingIfNeeded: rawValue >> UInt32(shift))
      guard (0x20...0x7E).contains(byte) || byte == 0xA9 else { return false }
    }
    return true
  }

  /// Orders by numeric value.
  @inlinable
  public static func < (left: FourCC, right: FourCC) -> Bool { left.rawValue < right.rawValue }
}

extension FourCC: ExpressibleByStringLiteral {
  /// A literal of exactly four characters below U+0100; any other literal is a programming error and gives the
  /// code 0, which no box has.
  @inlinable
  public init(stringLiteral value: StaticString) {
    if value.hasPointerRepresentation, value.isASCII, value.utf8CodeUnitCount == 4 {
      // Nearly all literals are ASCII: the compiler turns these into constants.
      self.init(
        UInt32(bigEndian: unsafe UnsafeRawPointer(value.utf8Start).loadUnaligned(as: UInt32.self)))
    } else {
      self.init(spelled: value)
    }
  }

  @usableFromInline
  init(spelled value: StaticString) { self = FourCC(value.description) ?? FourCC(0) }
}

extension FourCC: CustomStringConvertible {
  /// Whether every byte is a printable ASCII character, as in nearly all codes.
  var isASCII: Bool {
    let (a, b, c, d) = bytes
    return min(a, b, c, d) >= 0x20 && max(a, b, c, d) <= 0x7E
  }

  /// The four characters; a byte that is not printable is written as `\xNN`.
  public var description: String {
    if isASCII {
      return unsafe withUnsafeBytes(of: rawValue.bigEndian) { unsafe String(decoding: $0, as: UTF8.self) }
    }
    var text = ""
    for shift in [24, 16, 8, 0] {
      let byte = UInt8(truncatingIfNeeded: rawValue >> UInt32(shift))
      if (0x20...0x7E).contains(byte) || byte == 0xA9 {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "\\x" + hexadecimal(UInt64(byte), digits: 2)
      }
    }
    return text
  }
}

extension UInt32 {
  /// The four bytes, most significant first.
  package var bigEndianBytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> UInt32($0)) }
  }
}
