// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import Multiview

/// The stereo and spatial tags of a sample entry, as values that can be changed.
///
/// A value of `nil` means that the tag is absent, which is not the same as 0. A change of one value does not
/// change others in the same box.
public struct StereoTags: Hashable, Sendable {
  /// The eyes that the track has views for (`stri`); `nil` if absent.
  public var eyes: StereoViewComponents?
  /// Whether the view of the right eye comes first (`stri`); `nil` if absent. A value other than `nil` implies
  /// ``eyes``.
  public var isReversed: Bool?
  /// Whether there are views other than those of the two eyes (`stri`); `nil` if absent. A value other than
  /// `nil` implies ``eyes``.
  public var hasAdditionalViews: Bool?
  /// The eye whose view is shown if only one can be (`hero`); `nil` if absent.
  public var heroEye: HeroEye?
  /// The distance between the cameras (`blin`); `nil` if absent.
  public var baseline: Micrometers?
  /// How far the views are shifted apart for presentation (`dadj`); `nil` if absent.
  public var disparityAdjustment: DisparityRatio?
  /// The horizontal field of view, as an angle (`hfov`); `nil` if absent.
  public var fieldOfView: Millidegrees?
  /// How the picture maps to viewing directions (`prji`); `nil` if absent.
  public var projection: Projection?
  /// How two views share a picture (`pkin`); `nil` if absent.
  public var packing: ViewPacking?

  /// Makes tags that are all absent.
  public init() {}

  /// Makes the tags of the boxes of a sample entry.
  public init(_ layout: StereoLayout) {
    eyes = layout.stereoView
    isReversed = layout.eyeViewsReversed
    hasAdditionalViews = layout.hasAdditionalViews
    heroEye = layout.heroEye
    baseline = layout.baseline
    disparityAdjustment = layout.disparityAdjustment
    fieldOfView = layout.horizontalFieldOfView
    projection = layout.projection
    packing = layout.packing
  }

  /// Whether a value is present that is stored in the box of the eyes (`eyes`).
  var needsEyes: Bool {
    isReversed != nil || hasAdditionalViews != nil || heroEye != nil || baseline != nil
      || disparityAdjustment != nil
  }

  /// The tags as they are written: values in the box `eyes` imply ``eyes``, which is both eyes unless specified.
  var completed: StereoTags {
    var tags = self
    if tags.eyes == nil, needsEyes { tags.eyes = [.leftEye, .rightEye] }
    if tags.eyes != nil {
      tags.isReversed = tags.isReversed ?? false
      tags.hasAdditionalViews = tags.hasAdditionalViews ?? false
    }
    return tags
  }
}

extension Micrometers {
  /// Makes a length from millimetres, rounded to micrometres. Values outside 0 to 4294967.295 mm are clamped.
  public static func millimeters(_ value: Double) -> Micrometers {
    Micrometers(rawValue: UInt32(clampedRounding: value * 1_000))
  }
}

extension Millidegrees {
  /// Makes an angle from degrees, rounded to thousandths. Values outside 0 to 4294967.295° are clamped; angles above
  /// 360° are not plausible (`isPlausible`), and an editor refuses to write them.
  public static func degrees(_ value: Double) -> Millidegrees {
    Millidegrees(rawValue: UInt32(clampedRounding: value * 1_000))
  }
}

extension DisparityRatio {
  /// Makes a ratio from a fraction of the picture width, rounded to ten-thousandths. Values that make sense are
  /// from −1 to 1; others are not changed.
  public static func fraction(_ value: Double) -> DisparityRatio {
    let scaled = (value * 10_000).rounded()
    return DisparityRatio(rawValue: scaled.isNaN ? 0 : Int32(min(max(scaled, -2_147_483_648), 2_147_483_647)))
  }
}

extension UInt32 {
  /// Makes the nearest integer; 0 for a value that is not a number.
  init(clampedRounding value: Double) {
    self = value.isNaN ? 0 : UInt32(Swift.min(Swift.max(value.rounded(), 0), 4_294_967_295))
  }
}

/// One of the values of ``StereoTags``, by the name that commands and reports use.
package struct StereoTagField: Sendable {
  package let name: String
  /// Returns the value as text; `nil` if it is absent.
  package let text: @Sendable (StereoTags) -> String?
  /// Copies the value from one set of tags to another.
  let copy: @Sendable (StereoTags, inout StereoTags) -> Void
  /// Removes the value, and those that cannot be present without it.
  package let remove: @Sendable (inout StereoTags) -> Void

  private init<Value: Sendable & Equatable>(
    _ tag: StereoTag, _ path: any WritableKeyPath<StereoTags, Value?> & Sendable,
    removing: (@Sendable (inout StereoTags) -> Void)? = nil,
    _ text: @escaping @Sendable (Value) -> String
  ) {
    name = tag.rawValue
    self.text = { $0[keyPath: path].map(text) }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
    remove = removing ?? { $0[keyPath: path] = nil }
  }

  /// All values, in the order of their boxes.
  package static let all: [StereoTagField] = [
    StereoTagField(
      .eyes, \.eyes,
      removing: {
        ($0.eyes, $0.isReversed, $0.hasAdditionalViews, $0.heroEye) = (nil, nil, nil, nil)
        ($0.baseline, $0.disparityAdjustment) = (nil, nil)
      }
    ) { eyes in
      let names = [(StereoViewComponents.leftEye, "left"), (.rightEye, "right")].filter {
        eyes.contains($0.0)
      }
      return names.isEmpty ? "none" : names.map(\.1).joined(separator: ",")
    },
    StereoTagField(.reversed, \.isReversed) { $0 ? "yes" : "no" },
    StereoTagField(.additionalViews, \.hasAdditionalViews) { $0 ? "yes" : "no" },
    StereoTagField(.hero, \.heroEye) { "\($0)" },
    StereoTagField(.baseline, \.baseline) { decimal(UInt64($0.rawValue), 3) + " mm" },
    StereoTagField(.disparity, \.disparityAdjustment) { value in
      (value.rawValue < 0 ? "-" : "") + decimal(UInt64(value.rawValue.magnitude), 4)
    },
    StereoTagField(.projection, \.projection) { $0.rawValue.description },
    StereoTagField(.packing, \.packing) { $0.rawValue.description },
    StereoTagField(.fieldOfView, \.fieldOfView) { decimal(UInt64($0.rawValue), 3) + "°" },
  ]

  /// Returns a value in units of 10 to the power of -`digits` as a decimal number, without trailing zeros.
  private static func decimal(_ value: UInt64, _ digits: Int) -> String {
    var scale: UInt64 = 1
    for _ in 0..<digits { scale *= 10 }
    var fraction = String(value % scale)
    fraction = String(repeating: "0", count: digits - fraction.count) + fraction
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(value / scale)" + (fraction.isEmpty ? "" : "." + fraction)
  }
}
