// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The first bytes of every box: its length and its type. ISO/IEC 14496-12, 4.2.2
public struct BoxHeader: Hashable, Sendable {
  /// How the size is coded.
  public enum SizeForm: UInt8, Sendable {
    /// In 32 bits.
    case compact
    /// In 64 bits after the type.
    case large
    /// As 0: to the end of the enclosing container.
    case toEnd
  }

  /// The type of the box.
  public var type: FourCC
  /// The length of the box in bytes according to the header, including the header; for a box that extends to the
  /// end, the bytes present.
  public var size: UInt64
  /// How many bytes the header takes: 8, or 16 with a large size, plus 16 with a user type.
  public var headerSize: Int
  /// How the size is coded.
  public var sizeForm: SizeForm

  /// Whether the header includes an extended type of 16 bytes.
  public var hasUserType: Bool { type == "uuid" }

  /// The length of the longest header in bytes.
  public static let maximumSize = 32

  /// Why a header cannot be read.
  public enum Problem: Hashable, Sendable {
    /// Fewer bytes are left than the shortest header takes.
    case truncated
    /// The size is smaller than the header itself.
    case tooSmall(UInt64)
    /// The size does not fit into 63 bits.
    case tooLarge(UInt64)
  }

  /// The header that the first eight bytes are on their own; `nil` if more follow, and if it must be examined.
  private static func short(_ word: UInt64) -> BoxHeader? {
    let header = BoxHeader(
      type: FourCC(UInt32(truncatingIfNeeded: word)), size: word &>> 32, headerSize: 8, sizeForm: .compact)
    return header.size >= 8 && !header.hasUserType ? header : nil
  }

  /// Reads the header at `index` of `bytes`, which hold the container (or as much of it as is loaded) up to its
  /// end; `available` is the number of bytes from `index` to the end of the container.
  public static func read(
    _ bytes: ByteView, at index: Int, available: UInt64
  ) -> Result<BoxHeader, BoxHeaderError> {
    // Nearly all headers are of this form, and a movie of many fragments has a hundred thousand.
    if available >= 8, let word = bytes.bigEndian(at: index, width: 8), let header = short(word) {
      return .success(header)
    }
    guard available >= 8, let size32 = bytes.bigEndian(at: index, width: 4),
      let type = bytes.fourCC(at: index + 4)
    else { return .failure(BoxHeaderError(problem: .truncated)) }
    var header = BoxHeader(type: type, size: size32, headerSize: 8, sizeForm: .compact)
    if size32 == 1 {
      guard available >= 16, let size64 = bytes.bigEndian(at: index + 8, width: 8) else {
        return .failure(BoxHeaderError(problem: .truncated, type: type))
      }
      header.size = size64
      header.headerSize = 16
      header.sizeForm = .large
    } else if size32 == 0 {
      header.size = available
      header.sizeForm = .toEnd
    }
    if header.hasUserType { header.headerSize += 16 }
    guard header.size >= UInt64(header.headerSize) else {
      return .failure(BoxHeaderError(problem: .tooSmall(header.size), type: type))
    }
    guard header.size <= UInt64(Int64.max) else {
      return .failure(BoxHeaderError(problem: .tooLarge(header.size), type: type))
    }
    return .success(header)
  }
}

/// Why no box begins where one is expected.
public struct BoxHeaderError: Error, Hashable, Sendable {
  /// What is wrong.
  public var problem: BoxHeader.Problem
  /// The type, if it could be read.
  public var type: FourCC?

  /// Makes an error.
  public init(problem: BoxHeader.Problem, type: FourCC? = nil) {
    self.problem = problem
    self.type = type
  }
}

extension BoxHeaderError: CustomStringConvertible {
  /// The complete message.
  public var description: String {
    let name = type.map { " of '\($0)'" } ?? ""
    return switch problem {
    case .truncated: "the box header\(name) is cut off"
    case .tooSmall(let size): "the size\(name) is \(size), less than its header"
    case .tooLarge(let size): "the size\(name), \(size), is not a possible file size"
    }
  }
}
