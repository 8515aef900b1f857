// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The properties of video in a sample entry, under the names that Core Media gives to the extensions of a format
/// description (`kCMFormatDescriptionExtension_…`).
///
/// An extension that no box mentions is `nil`.
public struct FormatDescriptionExtensions: Hashable, Sendable {
  private let tags: StereoTags
  /// The lenses that took the views. (`lnsc`)
  public let cameraCalibrationDataLensCollection: [CameraLens]?

  /// The extensions that follow from the boxes of a sample entry.
  public init(_ layout: StereoLayout) {
    tags = StereoTags(layout)
    cameraCalibrationDataLensCollection = layout.hasLensCollection ? layout.lenses : nil
  }

  /// There is a view for the left eye. (`stri`)
  public var hasLeftStereoEyeView: Bool? { tags.eyes?.contains(.leftEye) }
  /// There is a view for the right eye. (`stri`)
  public var hasRightStereoEyeView: Bool? { tags.eyes?.contains(.rightEye) }
  /// There are views beyond those for the two eyes. (`stri`)
  public var hasAdditionalViews: Bool? { tags.hasAdditionalViews }
  /// The eye whose view is shown if only one can be (`hero`); `nil` for `none`, too.
  public var heroEye: StereoEye? { tags.heroEye?.eye }
  /// The distance between the cameras in millionths of a metre. (`blin`)
  public var stereoCameraBaseline: UInt32? { tags.baseline?.rawValue }
  /// The shift of the views in ten-thousandths of the width. (`dadj`)
  public var horizontalDisparityAdjustment: Int32? { tags.disparityAdjustment?.rawValue }
  /// How wide the picture is, in thousandths of a degree. (`hfov`)
  public var horizontalFieldOfView: UInt32? { tags.fieldOfView?.rawValue }
  /// How the picture maps to directions of view. (`prji`)
  public var projectionKind: Projection? { tags.projection }
  /// How two views share a picture. (`pkin`)
  public var viewPackingKind: ViewPacking? { tags.packing }

  /// The name of an extension: what follows the last underscore in Core Media's constant.
  public struct Key: RawRepresentable, Hashable, Sendable {
    /// The name, which is also the string that Core Media uses as a key.
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is a view for the left eye.
    public static let hasLeftStereoEyeView = Key(rawValue: "HasLeftStereoEyeView")
    /// There is a view for the right eye.
    public static let hasRightStereoEyeView = Key(rawValue: "HasRightStereoEyeView")
    /// There are views beyond those for the two eyes.
    public static let hasAdditionalViews = Key(rawValue: "HasAdditionalViews")
    /// The eye whose view is shown if only one can be.
    public static let heroEye = Key(rawValue: "HeroEye")
    /// The distance between the cameras.
    public static let stereoCameraBaseline = Key(rawValue: "StereoCameraBaseline")
    /// The shift of the views.
    public static let horizontalDisparityAdjustment = Key(rawValue: "HorizontalDisparityAdjustment")
    /// How wide the picture is.
    public static let horizontalFieldOfView = Key(rawValue: "HorizontalFieldOfView")
    /// How the picture maps to directions of view.
    public static let projectionKind = Key(rawValue: "ProjectionKind")
    /// How two views share a picture.
    public static let viewPackingKind = Key(rawValue: "ViewPackingKind")
    /// The lenses that took the views.
    public static let cameraCalibrationDataLensCollection = Key(
      rawValue: "CameraCalibrationDataLensCollection")
  }

  /// The value of an extension, in the types that a property list has.
  public indirect enum Value: Hashable, Sendable {
    /// A truth value.
    case boolean(Bool)
    /// A whole number.
    case integer(Int64)
    /// Text.
    case string(String)
    /// Numbers: a matrix column by column, or coefficients.
    case numbers([Double])
    /// Values under names.
    case dictionary([Entry])
    /// Values in a row.
    case array([Value])
  }

  /// A value under a name.
  public struct Entry: Hashable, Sendable {
    /// The name.
    public var key: Key
    /// The value.
    public var value: Value
    /// Makes an entry.
    public init(_ key: Key, _ value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// The extensions that are present, in the order of the properties above.
  public var entries: [Entry] {
    var entries: [Entry] = []
    func add(_ key: Key, _ value: Value?) {
      if let value { entries.append(Entry(key, value)) }
    }
    add(.hasLeftStereoEyeView, hasLeftStereoEyeView.map(Value.boolean))
    add(.hasRightStereoEyeView, hasRightStereoEyeView.map(Value.boolean))
    for tag in StereoTag.all {
      if let key = tag.coreMediaKey { add(key, tag.value(tags)?.coreMedia) }
    }
    add(
      .cameraCalibrationDataLensCollection,
      cameraCalibrationDataLensCollection.map { .array($0.map { .dictionary($0.formatDescriptionEntries) }) })
    return entries
  }

  /// The value under a key; `nil` if it is absent.
  public subscript(key: Key) -> Value? { entries.first { $0.key == key }?.value }
}

extension FormatDescriptionExtensions.Value: CustomStringConvertible {
  /// The value as text.
  public var description: String {
    switch self {
    case .boolean(let value): String(value)
    case .integer(let value): String(value)
    case .string(let value): value
    case .numbers(let values): "[" + values.map { "\($0)" }.joined(separator: ", ") + "]"
    case .dictionary(let entries):
      "{" + entries.map { "\($0.key.rawValue): \($0.value)" }.joined(separator: ", ") + "}"
    case .array(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
    }
  }
}
