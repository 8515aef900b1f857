// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The first bytes of every box: how long it is, and what. ISO/IEC 14496-12, 4.2.2
public struct BoxHeader: Hashable, Sendable {
  /// How the size is written.
  public enum SizeForm: UInt8, Sendable {
    /// In 32 bits.
    case compact
    /// In 64 bits after the type.
    case large
    /// As 0: to the end of what contains the box.
    case toEnd
  }

  /// What the box is.
  public var type: FourCC
  /// How many bytes the box says it has, header included; of a box to the end, those that are there.
  public var size: UInt64
  /// How many bytes the header takes: 8, or 16 with a large size, and 16 more with a user type.
  public var headerSize: Int
  /// How the size is written.
  public var sizeForm: SizeForm

  /// Whether an extended type of 16 bytes belongs to the header.
  public var hasUserType: Bool { type == "uuid" }

  /// The longest header.
  public static let maximumSize = 32

  /// Why no header can be read.
  public enum Problem: Hashable, Sendable {
    /// Fewer bytes are left than the shortest header takes.
    case truncated
    /// The size is smaller than the header itself.
    case tooSmall(UInt64)
    /// The size does not fit into 63 bits.
    case tooLarge(UInt64)
  }

  /// Reads the header at `index` of `bytes`, which holds the container (or as much as was loaded) up to its end;
  /// `available` counts the bytes from `index` to the end of the container.
  public static func read(
    _ bytes: ByteView, at index: Int, available: UInt64
  ) -> Result<BoxHeader, BoxHeaderError> {
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

/// Why no box begins where one should.
public struct BoxHeaderError: Error, Hashable, Sendable {
  /// What is wrong.
  public var problem: BoxHeader.Problem
  /// The type, where it could be read.
  public var type: FourCC?

  /// Makes an error.
  public init(problem: BoxHeader.Problem, type: FourCC? = nil) {
    self.problem = problem
    self.type = type
  }
}

extension BoxHeaderError: CustomStringConvertible {
  /// The whole sentence.
  public var description: String {
    let name = type.map { " of '\($0)'" } ?? ""
    return switch problem {
    case .truncated: "the box header\(name) is cut off"
    case .tooSmall(let size): "the size\(name) is \(size), less than its header"
    case .tooLarge(let size): "the size\(name), \(size), is not a possible file size"
    }
  }
}
