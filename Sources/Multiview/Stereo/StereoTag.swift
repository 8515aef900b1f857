// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// One of the stereo and spatial tags of a sample entry, by the name that reports use.
public enum StereoTag: String, Hashable, Sendable, CaseIterable {
  /// The eyes that the track has views for (`stri`).
  case eyes
  /// Whether the view of the right eye comes first (`stri`).
  case reversed
  /// Whether there are views other than those of the two eyes (`stri`).
  case additionalViews = "additional-views"
  /// The eye whose view is shown if only one can be (`hero`).
  case hero
  /// The distance between the cameras (`blin`).
  case baseline
  /// How far the views are shifted apart for presentation (`dadj`).
  case disparity
  /// How the picture maps to viewing directions (`prji`).
  case projection
  /// How two views share a picture (`pkin`).
  case packing
  /// The horizontal field of view, as an angle (`hfov`).
  case fieldOfView = "field-of-view"

  /// A value that a tag is given, or its removal.
  public struct Change: Hashable, Sendable {
    /// The tag.
    public var tag: StereoTag
    /// The value as text; `nil` removes the tag.
    public var value: String?

    /// Gives a tag a value.
    public static func set(_ tag: StereoTag, _ value: String) -> Change { Change(tag: tag, value: value) }
    /// Removes a tag.
    public static func remove(_ tag: StereoTag) -> Change { Change(tag: tag, value: nil) }
  }
}

extension Advice.Step {
  /// Give a tag a value; without one, it is for the maker to say.
  package static func set(_ tag: StereoTag, _ value: String? = nil) -> Advice.Step {
    .setTag(tag.rawValue, value)
  }
  /// Remove a tag.
  package static func remove(_ tag: StereoTag) -> Advice.Step { .removeTag(tag.rawValue) }
}
