// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Why bytes could not be read as the structure they should be, and exactly where reading failed.
///
/// One pointer wide, so that functions that throw it stay cheap when nothing is wrong.
public struct ParseError: Error, Hashable, Sendable {
  /// What is wrong. New cases may be added: handle them with a `default`.
  public enum Code: Hashable, Sendable {
    /// The structure needs more bits than are left.
    case truncated(neededBits: Int, availableBits: Int)
    /// A value outside the range that the specification allows.
    case outOfRange(value: Int64, allowed: ClosedRange<Int64>)
    /// A count of elements that do not fit into the bytes left.
    case countExceedsData(count: UInt64, availableBits: Int)
    /// A version of a full box, or of a record, that this library does not know.
    case unsupportedVersion(UInt64)
    /// One of the ``Limits`` was reached.
    case limitExceeded(limit: String, value: UInt64)
    /// A size field that contradicts what surrounds it.
    case invalidSize(UInt64, reason: String)
    /// The structure depends on another one that is absent.
    case missing(String)
    /// Any other problem, in words.
    case invalid(String)
  }

  private final class Backing: Sendable {
    let code: Code
    let offset: Int
    let bit: UInt8
    let field: String
    let path: String

    init(code: Code, offset: Int, bit: UInt8, field: String, path: String) {
      self.code = code
      self.offset = offset
      self.bit = bit
      self.field = field
      self.path = path
    }
  }

  private let backing: Backing

  /// Makes an error.
  public init(_ code: Code, offset: Int, bit: UInt8 = 0, field: String = "", path: String = "") {
    backing = Backing(code: code, offset: offset, bit: bit, field: field, path: path)
  }

  /// What is wrong.
  public var code: Code { backing.code }
  /// The file offset of the byte at which reading stopped.
  public var offset: Int { backing.offset }
  /// The bit in that byte, 0 being the most significant.
  public var bit: UInt8 { backing.bit }
  /// The field by its name in the specification; names of nested structures are joined by dots.
  public var field: String { backing.field }
  /// The boxes around it, outermost first: `moov/trak[1]/mdia`.
  public var path: String { backing.path }

  /// The same error, seen from one structure further out.
  public func inField(_ outer: String) -> ParseError {
    let joined = field.isEmpty ? outer : (outer.isEmpty ? field : outer + "." + field)
    return ParseError(code, offset: offset, bit: bit, field: joined, path: path)
  }

  /// The same error, seen from the box around it.
  public func inPath(_ outer: String) -> ParseError {
    let joined = path.isEmpty ? outer : (outer.isEmpty ? path : outer + "/" + path)
    return ParseError(code, offset: offset, bit: bit, field: field, path: joined)
  }

  /// Equal in every part.
  public static func == (left: ParseError, right: ParseError) -> Bool {
    left.code == right.code && left.offset == right.offset && left.bit == right.bit
      && left.field == right.field && left.path == right.path
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(offset)
    hasher.combine(bit)
    hasher.combine(field)
    hasher.combine(path)
  }
}

extension ParseError: CustomStringConvertible {
  /// What is wrong, in words, without the place.
  public var reason: String {
    switch code {
    case .truncated(let needed, let available):
      return "needs \(bitCount(needed)), has \(bitCount(available)) left"
    case .outOfRange(let value, let allowed):
      if allowed.lowerBound == allowed.upperBound {
        return "is \(value), must be \(allowed.lowerBound)"
      }
      return "is \(value), outside \(allowed.lowerBound)...\(allowed.upperBound)"
    case .countExceedsData(let count, let available):
      return "counts \(count) elements, which do not fit into the \(bitCount(available)) left"
    case .unsupportedVersion(let version):
      return "version \(version) is not known"
    case .limitExceeded(let limit, let value):
      return "\(value) is over the limit \(limit)"
    case .invalidSize(let size, let reason):
      return "size \(size) \(reason)"
    case .missing(let what):
      return "\(what) is missing"
    case .invalid(let reason):
      return reason
    }
  }

  /// The whole sentence: `moov/trak[0]/mdia/mdhd at 0x1f4+0: timescale needs 4 bytes, has 2 bytes left`.
  public var description: String {
    var text = path.isEmpty ? "" : path + " "
    text += "at \(offset)"
    if bit != 0 { text += " bit \(bit)" }
    text += ": "
    // The reason may begin with the word that the field is.
    if !field.isEmpty, field != "size" || !reason.hasPrefix("size ") { text += field + " " }
    return text + reason
  }

  private func bitCount(_ bits: Int) -> String {
    if bits & 7 == 0 { return bits == 8 ? "1 byte" : "\(bits >> 3) bytes" }
    return bits == 1 ? "1 bit" : "\(bits) bits"
  }
}
