// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// One of the two eyes.
public enum StereoEye: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The left eye.
  case left
  /// The right eye.
  case right

  /// The other one.
  public var opposite: StereoEye { self == .left ? .right : .left }
  /// `left` or `right`.
  public var description: String { rawValue }
}

/// The eye whose view is shown if only one can be, as coded in `hero`.
public struct HeroEye: RawRepresentable, Hashable, Sendable {
  /// The code.
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No eye is preferred.
  public static let noPreference = HeroEye(rawValue: 0)
  /// The left eye.
  public static let left = HeroEye(rawValue: 1)
  /// The right eye.
  public static let right = HeroEye(rawValue: 2)

  /// Makes the code of an eye.
  public init(_ eye: StereoEye) { self = eye == .left ? .left : .right }

  /// The eye; `nil` for none and for codes that are reserved.
  public var eye: StereoEye? {
    switch self {
    case .left: .left
    case .right: .right
    default: nil
    }
  }

  static let format = FieldFormat.named { code in
    switch code {
    case 0: "none"
    case 1: "left"
    case 2: "right"
    default: nil
    }
  }
}

extension HeroEye: CustomStringConvertible {
  /// `none`, `left`, `right`, or the number of a reserved code.
  public var description: String { self == .noPreference ? "none" : eye?.rawValue ?? "reserved \(rawValue)" }
}
