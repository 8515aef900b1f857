// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
package import ISOBMFF

/// One of the stereo and spatial tags of a sample entry: its names, its box, and how its value is written.
///
/// Everything that reports, commands and the editor need to know about a tag is in its row below. A new tag also needs
/// its box, which `StereoLayoutReader` reads, and a property in ``StereoTags`` and in ``StereoLayout``.
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
  /// The key in JSON; `nil` for tags that have several.
  package let jsonKey: StaticString?
  /// The key in a format description of Core Media; `nil` for tags that have none, or several.
  let coreMediaKey: FormatDescriptionExtensions.Key?
  /// Returns the value in the forms of reports; `nil` if it is absent.
  package let value: @Sendable (StereoTags) -> Value?
  /// The property of a layout that has the value.
  let source: any PartialKeyPath<StereoLayout> & Sendable
  /// Copies the value from a layout.
  let read: @Sendable (StereoLayout, inout StereoTags) -> Void
  /// Sets the value in the payload of the box, or in a new one, and returns it; `nil` if the value is absent.
  package let payload: @Sendable (StereoTags, (any BoxPayload)?) -> (any BoxPayload)?
  /// Copies the value, which may be absent, from one set of tags to another.
  package let copy: @Sendable (StereoTags, inout StereoTags) -> Void

  /// A value in the forms of reports.
  package struct Value {
    /// The value as it can be given to `edit`, with its unit.
    package let text: String
    /// The value in words.
    package let words: String
    /// The number in the box, if the words have another one.
    package let stored: String?
    /// The value in JSON.
    package let json: FormatDescriptionExtensions.Value
    /// The value in a format description of Core Media; `nil` if it is absent there.
    let coreMedia: FormatDescriptionExtensions.Value?
  }

  /// A change of tags.
  package typealias Edit = @Sendable (inout StereoTags) -> Void

  /// All tags, in the order in which reports and commands list them.
  public static let all: [StereoTag] = [
    eyes, reversed, additionalViews, hero, baseline, disparity, fieldOfView, projection, packing,
  ]

  /// The eyes that the track has views for (`stri`).
  public static let eyes = StereoTag(
    "eyes", \.eyes, \.stereoView, .eyes, in: ["vexu", "eyes"], \StereoViewInformationBox.eyes,
    summary: "The eyes that the track has views for", placeholder: "EYES", aliases: ["stereo", "stri"],
    spatial: [.view("hasLeftEyeView", of: .leftEye), .view("hasRightEyeView", of: .rightEye)])
  /// Whether the view of the right eye comes first (`stri`).
  public static let reversed = StereoTag(
    "reversed", \.isReversed, \.eyeViewsReversed, .truth, in: ["vexu", "eyes"],
    \StereoViewInformationBox.eyeViewsReversed,
    summary: "Whether the right eye comes first", placeholder: "YES",
    spatial: ["eyeViewsReversed"], json: "eyesReversed")
  /// Whether there are views other than those of the two eyes (`stri`).
  public static let additionalViews = StereoTag(
    "additional-views", \.hasAdditionalViews, \.hasAdditionalViews, .truth, in: ["vexu", "eyes"],
    \StereoViewInformationBox.hasAdditionalViews,
    summary: "Whether there are views for more than the two eyes", placeholder: "YES",
    spatial: ["hasAdditionalViews"], json: "hasAdditionalViews", coreMedia: .hasAdditionalViews)
  /// The eye whose view is shown if only one can be (`hero`).
  public static let hero = StereoTag(
    "hero", \.heroEye, \.heroEye, .hero, in: ["vexu", "eyes"], \HeroEyeBox.heroEye, label: "hero eye",
    summary: "The eye whose view is shown if only one can be shown", placeholder: "EYE",
    aliases: ["primary", "hero-eye", "primary-eye"],
    spatial: ["heroEyeIndicator"], json: "heroEye", coreMedia: .heroEye)
  /// The distance between the cameras (`blin`).
  public static let baseline = StereoTag(
    "baseline", \.baseline, \.baseline, .length, in: ["vexu", "eyes", "cams"], \CameraBaselineBox.baseline,
    label: "baseline",
    summary: "The distance between the cameras, in millimetres", placeholder: "MM",
    aliases: ["cdist", "blin", "ipd", "camera-baseline"],
    spatial: ["cameraBaseline"], json: "baselineMicrometers", coreMedia: .stereoCameraBaseline)
  /// How far the views are shifted apart for presentation (`dadj`).
  public static let disparity = StereoTag(
    "disparity", \.disparityAdjustment, \.disparityAdjustment, .ratio, in: ["vexu", "eyes", "cmfy"],
    \DisparityAdjustmentBox.adjustment,
    label: "disparity",
    summary: "How far the views are shifted apart, as a fraction of the width from -1 to 1",
    placeholder: "FRACTION", aliases: ["hadjust", "dadj", "disparity-adjustment", "disparityAdjustment"],
    spatial: ["horizontalDisparityAdjustment"], json: "disparityAdjustment",
    coreMedia: .horizontalDisparityAdjustment)
  /// The horizontal field of view, as an angle (`hfov`).
  public static let fieldOfView = StereoTag(
    "field-of-view", \.fieldOfView, \.horizontalFieldOfView, .angle, in: [],
    \HorizontalFieldOfViewBox.fieldOfView, label: "field of view",
    summary: "How wide the picture is, as an angle", placeholder: "DEGREES",
    aliases: ["hfov", "fov", "horizontal-field-of-view"],
    spatial: ["horizontalFieldOfView"], json: "horizontalFieldOfViewMillidegrees",
    coreMedia: .horizontalFieldOfView)
  /// How the picture maps to viewing directions (`prji`).
  public static let projection = StereoTag(
    "projection", \.projection, \.projection, .projection, in: ["vexu", "proj"],
    \ProjectionInformationBox.projection, label: "projection",
    summary: "How the picture maps to directions: rect, equi, hequ, prim, fish, or a four-character code",
    placeholder: "KIND", aliases: ["prji", "projection-kind"],
    spatial: ["projectionKind"], json: "projection", coreMedia: .projectionKind)
  /// How two views share a picture (`pkin`).
  public static let packing = StereoTag(
    "packing", \.packing, \.packing, .packing, in: ["vexu", "pack"], \ViewPackingInformationBox.packing,
    label: "packing",
    summary: "How two views share a picture", placeholder: "KIND",
    aliases: ["pkin", "view-packing", "layout"], json: "packing", coreMedia: .viewPackingKind)

  private init<Content: Sendable, Payload: BoxPayload>(
    _ name: String, _ property: any WritableKeyPath<StereoTags, Content?> & Sendable,
    _ source: any KeyPath<StereoLayout, Content?> & Sendable, _ form: StereoTagForm<Content>,
    in containers: [FourCC], _ field: any WritableKeyPath<Payload, Content> & Sendable, label: String? = nil,
    summary: String, placeholder: String, aliases: [String] = [],
    spatial: [SpatialName] = [], json: StaticString? = nil,
    coreMedia: FormatDescriptionExtensions.Key? = nil
  ) {
    self.name = name
    self.label = label
    box = containers + Payload.info.types.prefix(1)
    self.summary = summary
    self.placeholder = placeholder
    words = form.words
    isOpen = form.isOpen
    self.aliases = aliases
    spatialNames = spatial
    edit = { text throws(Problem) in
      let new = try form.parse(text)
      return { $0[keyPath: property] = new }
    }
    jsonKey = json
    coreMediaKey = coreMedia
    value = { $0[keyPath: property].map(form.value) }
    self.source = source
    read = { $1[keyPath: property] = $0[keyPath: source] }
    payload = { tags, old in
      guard let content = tags[keyPath: property] else { return nil }
      var new = old as? Payload ?? Payload()
      new[keyPath: field] = content
      return new
    }
    copy = { $1[keyPath: property] = $0[keyPath: property] }
  }

  /// Returns the value as it can be given to `edit`, with its unit; `nil` if it is absent.
  package func text(_ tags: StereoTags) -> String? { value(tags)?.text }

  /// The type of the box.
  package var boxType: FourCC { box[box.count - 1] }

  /// Whether the box is inside `eyes`, so that the value cannot be present without ``eyes``.
  private var isOfEyes: Bool { box.contains("eyes") }

  /// Removes the value, and those that cannot be present without it.
  package func remove(from tags: inout StereoTags) {
    copy(StereoTags(), &tags)
    guard self == .eyes else { return }
    for tag in Self.all where tag.isOfEyes { tag.copy(StereoTags(), &tags) }
  }
}

extension StereoTag.Value {
  /// Makes the forms of a value.
  ///
  /// - Parameters:
  ///   - text: the value as it can be given to `edit`, with its unit.
  ///   - words: the value in words, if they are not the text.
  ///   - stored: the number in the box, if the words have another one.
  ///   - json: the value in JSON, if it is not the text.
  ///   - coreMedia: returns the value in a format description, if it is not that of JSON.
  init(
    _ text: String, words: String? = nil, stored: String? = nil,
    json: FormatDescriptionExtensions.Value? = nil,
    coreMedia: (() -> FormatDescriptionExtensions.Value?)? = nil
  ) {
    self.text = text
    self.words = words ?? text
    self.stored = stored
    self.json = json ?? .string(text)
    self.coreMedia = coreMedia.map { $0() } ?? self.json
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
    /// The eye for which the name says whether there is a view; `nil` if it is a name of the tag.
    fileprivate var eye: StereoViewComponents?

    package init(stringLiteral name: String) { self.name = name }

    /// The name that says whether there is a view for one eye.
    fileprivate static func view(_ name: String, of eye: StereoViewComponents) -> SpatialName {
      var name = SpatialName(stringLiteral: name)
      name.eye = eye
      return name
    }

    /// Makes the edit of a tag with this name that a text asks for.
    package func edit(_ text: String, of tag: StereoTag) throws(Problem) -> Edit {
      guard let eye else { return try tag.edit(text) }
      let isPresent = try StereoTagForm<Bool>.truth.parse(text)
      return { tags in
        let others = (tags.eyes ?? []).subtracting(eye)
        tags.eyes = isPresent ? others.union(eye) : others
      }
    }
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
