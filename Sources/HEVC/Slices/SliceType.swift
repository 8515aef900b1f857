// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Which prediction the blocks of a slice may use. ISO/IEC 23008-2, 7.4.7.1
public struct SliceType: RawRepresentable, Hashable, Sendable {
  /// The code of the type (`slice_type`).
  public var rawValue: UInt32

  /// Makes a type from its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Prediction from up to two pictures.
  public static let b = SliceType(rawValue: 0)
  /// Prediction from one picture.
  public static let p = SliceType(rawValue: 1)
  /// Prediction within the picture only.
  public static let i = SliceType(rawValue: 2)

  /// Whether blocks may be predicted from other pictures.
  public var isInter: Bool { self == .b || self == .p }

  /// `B`, `P` or `I`.
  public var name: String? { Self.name(Int64(rawValue)) }

  @Sendable
  static func name(_ value: Int64) -> String? {
    switch value {
    case 0: "B"
    case 1: "P"
    case 2: "I"
    default: nil
    }
  }
}

extension SliceType: CustomStringConvertible {
  /// The letter, or the number.
  public var description: String { name ?? "slice type \(rawValue)" }
}
