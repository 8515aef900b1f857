// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// How the picture maps to directions of view, by the code that `prji` and tags of the category `proj` use.
public struct Projection: RawRepresentable, Hashable, Sendable {
  /// The code.
  public var rawValue: FourCC
  public init(rawValue: FourCC) { self.rawValue = rawValue }

  /// The flat projection of ordinary cameras.
  public static let rectilinear = Projection(rawValue: "rect")
  /// The whole sphere, longitude and latitude mapped to the sides of the picture.
  public static let equirectangular = Projection(rawValue: "equi")
  /// The front half of the sphere.
  public static let halfEquirectangular = Projection(rawValue: "hequ")
  /// A projection that a model of the lenses describes.
  public static let parametricImmersive = Projection(rawValue: "prim")
  /// The projection of fisheye lenses, in a form that only Apple knows.
  public static let fisheye = Projection(rawValue: "fish")
  /// Core Media's name for ``rectilinear``.
  public static let rectangular = rectilinear

  /// Whether the code is one that the specification names.
  public var isKnown: Bool { name != nil }

  /// The projection in words; `nil` for a code that is not known.
  public var name: String? {
    switch self {
    case .rectilinear: "rectilinear"
    case .equirectangular: "equirectangular"
    case .halfEquirectangular: "half equirectangular"
    case .parametricImmersive: "parametric immersive"
    case .fisheye: "fisheye (proprietary)"
    default: nil
    }
  }

  /// The value of the format description extension `ProjectionKind`; `nil` for a code that is not known.
  ///
  /// That `fish` is `AppleImmersiveVideo` is inferred from how Apple's sample code pairs the two.
  public var formatDescriptionValue: String? {
    switch self {
    case .rectilinear: "Rectilinear"
    case .equirectangular: "Equirectangular"
    case .halfEquirectangular: "HalfEquirectangular"
    case .parametricImmersive: "ParametricImmersive"
    case .fisheye: "AppleImmersiveVideo"
    default: nil
    }
  }
}

extension Projection: CustomStringConvertible {
  /// The name, or the code.
  public var description: String { name ?? "'\(rawValue)'" }
}

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
