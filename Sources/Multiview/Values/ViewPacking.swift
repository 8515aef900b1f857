// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// How several views are in one picture, by the code that `pkin` and tags of the category `pack` use.
public struct ViewPacking: RawRepresentable, Hashable, Sendable {
  /// The code.
  public var rawValue: FourCC
  public init(rawValue: FourCC) { self.rawValue = rawValue }

  /// One view a picture. Tags have it; `pkin` does not need it.
  public static let oneView = ViewPacking(rawValue: "none")
  /// The left half of the picture is one view, by default the left eye's, the right half the other.
  public static let sideBySide = ViewPacking(rawValue: "side")
  /// The upper half of the picture is one view, by default the left eye's, the lower half the other.
  public static let overUnder = ViewPacking(rawValue: "over")

  /// Whether two views share the picture.
  public var isFramePacked: Bool { self == .sideBySide || self == .overUnder }

  /// Whether the code is one that the specification names.
  public var isKnown: Bool { name != nil }

  /// The packing in words; `nil` for a code that is not known.
  public var name: String? {
    switch self {
    case .oneView: "none"
    case .sideBySide: "side by side"
    case .overUnder: "over under"
    default: nil
    }
  }

  /// The value of the format description extension `ViewPackingKind`; `nil` if there is none.
  public var formatDescriptionValue: String? {
    switch self {
    case .sideBySide: "SideBySide"
    case .overUnder: "OverUnder"
    default: nil
    }
  }
}

extension ViewPacking: CustomStringConvertible {
  /// The name, or the code.
  public var description: String { name ?? "'\(rawValue)'" }
}
