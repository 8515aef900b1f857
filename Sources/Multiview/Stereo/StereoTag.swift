// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// One of the stereo and spatial tags of a sample entry: its names, its box, and how its value is written.
///
/// Everything that reports and commands need to know about a tag is in its row below.
public struct StereoTag: Sendable {
  /// The name in reports and of the option.
  public let name: String
  /// The name in summaries for people; `nil` for tags that summaries combine with others.
  package let label: String?
  /// The path of the box, relative to the sample entry.
  package let box: [FourCC]
  /// What the value means, in one sentence without a full stop.
  package let summary: String
  /// The word that stands for a value.
  package let placeholder: String
  /// The words to offer as values.
  package let words: [String]
  /// Whether other texts than ``words`` may be values.
  package let isOpen: Bool
  /// The names of the option in other tools.
  package let aliases: [String]
  /// The names in the tool `spatial`.
  package let spatialNames: [SpatialName]
  /// Makes the edit that a text asks for.
  package let edit: @Sendable (String) throws(Problem) -> Edit
  /// Returns the value as it is given to `edit`, with its unit; `nil` if it is absent.
  package let text: @Sendable (StereoTags) -> String?
  /// Copies the value from a layout.
  let read: @Sendable (StereoLayout, inout StereoTags) -> Void
  /// Copies the value, which may be absent, from one set of tags to another.
  package let copy: @Sendable (StereoTags, inout StereoTags) -> Void

  /// A change of tags.
  package typealias Edit = @Sendable (inout StereoTags) -> Void

  /// All tags, in the order in which reports and commands list them.
  public static let all: [StereoTag] = [
    eyes, reversed, additionalViews, hero, baseline, disparity, fieldOfView, projection, packing,
  ]

  /// The eyes that the track has views for (`stri`).
  public static let eyes = StereoTag(
    "eyes", \.eyes, \.stereoView, .eyes, in: ["vexu", "eyes", "stri"], label: nil, "EYES",
    "The eyes that the track has views for", aliases: ["stereo", "stri"],
    spatial: [.view("hasLeftEyeView", of: .leftEye), .view("hasRightEyeView", of: .rightEye)])
  /// Whether the view of the right eye comes first (`stri`).
  public static let reversed = StereoTag(
    "reversed", \.isReversed, \.eyeViewsReversed, .truth, in: ["vexu", "eyes", "stri"], label: nil, "YES",
    "Whether the right eye comes first", aliases: [], spatial: ["eyeViewsReversed"])
  /// Whether there are views other than those of the two eyes (`stri`).
  public static let additionalViews = StereoTag(
    "additional-views", \.hasAdditionalViews, \.hasAdditionalViews, .truth, in: ["vexu", "eyes", "stri"],
    label: nil, "YES", "Whether there are views for more than the two eyes", aliases: [],
    spatial: ["hasAdditionalViews"])
  /// The eye whose view is shown if only one can be (`hero`).
  public static let hero = StereoTag(
    "hero", \.heroEye, \.heroEye, .hero, in: ["vexu", "eyes", "hero"], label: "hero eye", "EYE",
    "The eye whose view is shown where only one can be", aliases: ["primary", "hero-eye", "primary-eye"],
    spatial: ["heroEyeIndicator"])
  /// The distance between the cameras (`blin`).
  public static let baseline = StereoTag(
    "baseline", \.baseline, \.baseline, .length, in: ["vexu", "eyes", "cams", "blin"], label: "baseline",
    "MM",
    "The distance between the cameras, in millimetres", aliases: ["cdist", "blin", "ipd", "camera-baseline"],
    spatial: ["cameraBaseline"])
  /// How far the views are shifted apart for presentation (`dadj`).
  public static let disparity = StereoTag(
    "disparity", \.disparityAdjustment, \.disparityAdjustment, .ratio, in: ["vexu", "eyes", "cmfy", "dadj"],
    label: "disparity", "FRACTION",
    "How far the views are shifted apart, as a fraction of the width from -1 to 1",
    aliases: ["hadjust", "dadj", "disparity-adjustment", "disparityAdjustment"],
    spatial: ["horizontalDisparityAdjustment"])
  /// The horizontal field of view, as an angle (`hfov`).
  public static let fieldOfView = StereoTag(
    "field-of-view", \.fieldOfView, \.horizontalFieldOfView, .angle, in: ["hfov"], label: "field of view",
    "DEGREES", "How wide the picture is, as an angle", aliases: ["hfov", "fov", "horizontal-field-of-view"],
    spatial: ["horizontalFieldOfView"])
  /// How the picture maps to viewing directions (`prji`).
  public static let projection = StereoTag(
    "projection", \.projection, \.projection, .projection, in: ["vexu", "proj", "prji"], label: "projection",
    "KIND", "How the picture maps to directions: rect, equi, hequ, prim, fish, or a code of four characters",
    aliases: ["prji", "projection-kind"], spatial: ["projectionKind"])
  /// How two views share a picture (`pkin`).
  public static let packing = StereoTag(
    "packing", \.packing, \.packing, .packing, in: ["vexu", "pack", "pkin"], label: "packing", "KIND",
    "How two views share a picture", aliases: ["pkin", "view-packing", "layout"], spatial: [])

  private init<Value: Sendable>(
    _ name: String, _ value: any WritableKeyPath<StereoTags, Value?> & Sendable,
    _ source: any KeyPath<StereoLayout, Value?> & Sendable, _ form: StereoTagForm<Value>, in box: [FourCC],
    label: String?, _ placeholder: String, _ summary: String, aliases: [String], spatial: [SpatialName]
  ) {
    self.name = name
    self.label = label
    self.box = box
    self.summary = summary
    self.placeholder = placeholder
    words = form.words
    isOpen = form.isOpen
    self.aliases = aliases
    spatialNames = spatial
    edit = { text throws(Problem) in
      let new = try form.parse(text)
      return { $0[keyPath: value] = new }
    }
    text = { $0[keyPath: value].map(form.text) }
    read = { $1[keyPath: value] = $0[keyPath: source] }
    copy = { $1[keyPath: value] = $0[keyPath: value] }
  }

  /// Whether the box is inside `eyes`, so that the value cannot be present without ``eyes``.
  package var isOfEyes: Bool { box.contains("eyes") }

  /// Removes the value, and those that cannot be present without it.
  package func remove(from tags: inout StereoTags) {
    copy(StereoTags(), &tags)
    guard self == .eyes else { return }
    for tag in Self.all where tag.isOfEyes { tag.copy(StereoTags(), &tags) }
  }
}

extension StereoTag {
  /// Why a text is not a value of a tag.
  package struct Problem: Error {
    /// What follows the name of the tag in a sentence: `needs a number of degrees, not 'x'`.
    package let reason: String
    /// The words that are values, if there are only these.
    package var words: [String] = []
  }

  /// A name of the tool `spatial`, which has two for the eyes.
  package struct SpatialName: Sendable, ExpressibleByStringLiteral {
    package let name: String
    /// Makes the edit that a text asks for; `nil` if it is that of the tag.
    fileprivate var edit: (@Sendable (String) throws(Problem) -> Edit)?

    package init(stringLiteral name: String) { self.name = name }

    /// The name that says whether there is a view for one eye.
    fileprivate static func view(_ name: String, of eye: StereoViewComponents) -> SpatialName {
      var name = SpatialName(stringLiteral: name)
      name.edit = { text throws(Problem) in
        let isPresent = try StereoTagForm<Bool>.truth.parse(text)
        return { tags in
          let others = (tags.eyes ?? []).subtracting(eye)
          tags.eyes = isPresent ? others.union(eye) : others
        }
      }
      return name
    }
  }

  /// The edits by the names of the tool `spatial`.
  package static var spatialEdits: [(name: String, edit: @Sendable (String) throws(Problem) -> Edit)] {
    all.flatMap { tag in tag.spatialNames.map { ($0.name, $0.edit ?? tag.edit) } }
  }

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

extension StereoTag: Hashable {
  /// Tags are equal if their names are: a name is used once.
  public static func == (left: StereoTag, right: StereoTag) -> Bool { left.name == right.name }
  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Advice.Step {
  /// Give a tag a value; without one, it is for the maker to say.
  package static func set(_ tag: StereoTag, _ value: String? = nil) -> Advice.Step {
    .setTag(tag.name, value)
  }
  /// Remove a tag.
  package static func remove(_ tag: StereoTag) -> Advice.Step { .removeTag(tag.name) }
}
