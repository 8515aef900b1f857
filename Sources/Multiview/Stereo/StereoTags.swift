// swift-multiview · SPDX-License-Identifier: Apache-2.0

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
    // By position: a copy of a tag counts 14 references.
    for index in StereoTag.all.indices { StereoTag.all[index].read(layout, &self) }
  }

  /// Whether all tags are absent.
  package var isEmpty: Bool { self == StereoTags() }
}
