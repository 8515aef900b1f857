// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import Multiview

/// The stereo and spatial tags of a sample entry, as values that can be changed.
///
/// A value that is `nil` has no box: absent is not zero. Values that share a box with others, or are contained in the same box,
/// keep those others as they are.
public struct StereoTags: Hashable, Sendable {
  /// The eyes that the track has views for. (`stri`)
  public var eyes: StereoViewComponents?
  /// Whether the right eye comes first. Means something only where ``eyes`` is set. (`stri`)
  public var isReversed: Bool?
  /// Whether there are views for more than the two eyes. Means something only where ``eyes`` is set. (`stri`)
  public var hasAdditionalViews: Bool?
  /// The eye whose view is shown where only one can be. (`hero`)
  public var heroEye: HeroEye?
  /// The distance between the cameras. (`blin`)
  public var baseline: Micrometers?
  /// How far the views are shifted apart for presentation. (`dadj`)
  public var disparityAdjustment: DisparityRatio?
  /// How wide the picture is, as an angle. (`hfov`)
  public var fieldOfView: Millidegrees?
  /// How the picture maps to directions of view. (`prji`)
  public var projection: Projection?
  /// How two views share a picture. (`pkin`)
  public var packing: ViewPacking?

  /// No tags.
  public init() {}

  /// The tags that the boxes of a sample entry have.
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

  /// Whether some value can only be kept in the box that says which eyes there are.
  var needsEyes: Bool {
    isReversed != nil || hasAdditionalViews != nil || heroEye != nil || baseline != nil
      || disparityAdjustment != nil
  }

  /// The tags as they are written: what is kept in `eyes` comes with the eyes, both where none are named.
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
  /// A length in millimetres, rounded to micrometres. What is not between 0 and 4294967.295 mm becomes the nearest of the two.
  public static func millimeters(_ value: Double) -> Micrometers {
    Micrometers(rawValue: UInt32(clampedRounding: value * 1_000))
  }
}

extension Millidegrees {
  /// An angle in degrees, rounded to thousandths.
  public static func degrees(_ value: Double) -> Millidegrees {
    Millidegrees(rawValue: UInt32(clampedRounding: value * 1_000))
  }
}

extension DisparityRatio {
  /// A fraction of the width of the picture, −1 to 1, rounded to ten-thousandths.
  public static func fraction(_ value: Double) -> DisparityRatio {
    let scaled = (value * 10_000).rounded()
    return DisparityRatio(rawValue: scaled.isNaN ? 0 : Int32(min(max(scaled, -2_147_483_648), 2_147_483_647)))
  }
}

extension UInt32 {
  /// The nearest number; 0 for what is not a number.
  init(clampedRounding value: Double) {
    self = value.isNaN ? 0 : UInt32(Swift.min(Swift.max(value.rounded(), 0), 4_294_967_295))
  }
}

/// One of the values of ``StereoTags``, by the name that commands and reports use.
package struct StereoTagField: Sendable {
  package let name: String
  /// The value as text; `nil` where it is absent.
  package let text: @Sendable (StereoTags) -> String?
  /// Copies the value from one set of tags to another.
  let copy: @Sendable (StereoTags, inout StereoTags) -> Void
  /// Removes the value, and those that cannot be without it.
  package let remove: @Sendable (inout StereoTags) -> Void

  private init<Value: Sendable & Equatable>(
    _ name: String, _ path: any WritableKeyPath<StereoTags, Value?> & Sendable,
    removing: (@Sendable (inout StereoTags) -> Void)? = nil,
    _ text: @escaping @Sendable (Value) -> String
  ) {
    self.name = name
    self.text = { $0[keyPath: path].map(text) }
    copy = { $1[keyPath: path] = $0[keyPath: path] }
    remove = removing ?? { $0[keyPath: path] = nil }
  }

  /// All of them, in the order of the boxes.
  package static let all: [StereoTagField] = [
    StereoTagField(
      "eyes", \.eyes,
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
    StereoTagField("reversed", \.isReversed) { $0 ? "yes" : "no" },
    StereoTagField("additional-views", \.hasAdditionalViews) { $0 ? "yes" : "no" },
    StereoTagField("hero", \.heroEye) { "\($0)" },
    StereoTagField("baseline", \.baseline) { decimal(UInt64($0.rawValue), 3) + " mm" },
    StereoTagField("disparity", \.disparityAdjustment) { value in
      (value.rawValue < 0 ? "-" : "") + decimal(UInt64(value.rawValue.magnitude), 4)
    },
    StereoTagField("projection", \.projection) { $0.rawValue.description },
    StereoTagField("packing", \.packing) { $0.rawValue.description },
    StereoTagField("field-of-view", \.fieldOfView) { decimal(UInt64($0.rawValue), 3) + "°" },
  ]

  /// A count of tenths, hundredths … as a decimal number, without zeros at its end.
  private static func decimal(_ value: UInt64, _ digits: Int) -> String {
    var scale: UInt64 = 1
    for _ in 0..<digits { scale *= 10 }
    var fraction = String(value % scale)
    fraction = String(repeating: "0", count: digits - fraction.count) + fraction
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(value / scale)" + (fraction.isEmpty ? "" : "." + fraction)
  }
}
