// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The eyes that a view or a track serves, as bits. Core Media: `CMStereoViewComponents`
public struct StereoViewComponents: OptionSet, Hashable, Sendable {
  /// The bits.
  public var rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The left eye.
  public static let leftEye = StereoViewComponents(rawValue: 1)
  /// The right eye.
  public static let rightEye = StereoViewComponents(rawValue: 2)

  /// The bit of an eye.
  public init(_ eye: StereoEye) { self = eye == .left ? .leftEye : .rightEye }
}

extension StereoViewComponents: CustomStringConvertible {
  /// `none`, `left`, `right` or `left and right`; bits that are not known follow as a number.
  public var description: String {
    var parts: [String] = []
    if contains(.leftEye) { parts.append("left") }
    if contains(.rightEye) { parts.append("right") }
    let rest = rawValue & ~3
    if rest != 0 { parts.append("0x" + String(rest, radix: 16)) }
    return parts.isEmpty ? "none" : parts.joined(separator: " and ")
  }
}

/// How views are to be taken, as bits. Core Media: `CMStereoViewInterpretationOptions`
///
/// These are not the bits of `stri`: reversed order is 1 here and 8 there, additional views are 2 here and 4
/// there.
public struct StereoViewInterpretationOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  public var rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The right view comes first.
  public static let stereoOrderReversed = StereoViewInterpretationOptions(rawValue: 1)
  /// There are views beyond those for the two eyes.
  public static let additionalViews = StereoViewInterpretationOptions(rawValue: 2)
}

extension StereoViewInterpretationOptions: CustomStringConvertible {
  /// The options in words; bits that are not known follow as a number.
  public var description: String {
    var parts: [String] = []
    if contains(.stereoOrderReversed) { parts.append("reversed") }
    if contains(.additionalViews) { parts.append("additional views") }
    let rest = rawValue & ~3
    if rest != 0 { parts.append("0x" + String(rest, radix: 16)) }
    return parts.isEmpty ? "default" : parts.joined(separator: ", ")
  }
}
