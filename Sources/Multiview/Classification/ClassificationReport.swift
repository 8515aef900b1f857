// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Whether a movie is spatial by one interpretation of the rules, and what it lacks.
public struct SpatialVerdict: Hashable, Sendable {
  /// Something that spatial video has to have.
  public struct Requirement: RawRepresentable, Hashable, Sendable {
    /// The name that programs compare.
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Two views as layers of HEVC, signalled for two eyes.
    public static let multiview = Requirement(rawValue: "multiview")
    /// The flat projection.
    public static let rectilinear = Requirement(rawValue: "rectilinear")
    /// The field of view.
    public static let fieldOfView = Requirement(rawValue: "hfov")
    /// The distance between the cameras.
    public static let baseline = Requirement(rawValue: "blin")
    /// The shift of the views.
    public static let disparityAdjustment = Requirement(rawValue: "dadj")

    /// The tag that has to be present; `nil` for requirements that are not the presence of a tag.
    package var tag: StereoTag? { Self.tags.first { $0.boxType.description == rawValue } }

    /// The tags that have to be present.
    fileprivate static let tags = [StereoTag.fieldOfView, .baseline, .disparity]
  }

  /// The requirements that are not met.
  public var lacking: [Requirement]

  /// Makes a verdict.
  public init(lacking: [Requirement]) {
    self.lacking = lacking
  }
  /// Whether nothing is.
  public var isSpatial: Bool { lacking.isEmpty }

  /// The requirements of spatial video that these tags do not meet.
  package static func lacking(_ tags: StereoTags) -> [Requirement] {
    let isFlat = tags.projection ?? .rectilinear == .rectilinear
    let missing = Requirement.tags.filter { $0.value(tags) == nil }
    return (isFlat ? [] : [.rectilinear]) + missing.map { Requirement(rawValue: $0.boxType.description) }
  }
}

/// The class of a movie, and why.
public struct ClassificationReport: Hashable, Sendable {
  /// The class.
  public var classification: Classification
  /// How two views are carried.
  public var stereoKind: StereoKind
  /// Spatial in the strict reading: field of view, baseline and disparity adjustment are all there, be they
  /// zero. `nil` if that cannot be determined.
  public var strict: SpatialVerdict?
  /// Spatial in the loose reading, which does without the disparity adjustment. `nil` if that cannot be
  /// determined.
  public var loose: SpatialVerdict?
  /// Whether the bitstream has two views that nothing signals: Apple platforms show the base layer alone.
  public var isUnsignalledMultiview: Bool
  /// Whether two eyes are signalled and a second view is nowhere to be found.
  public var claimsMissingView: Bool
  /// What decided the class, in words.
  public var facts: [Fact]

  /// Something that decided the class.
  public struct Fact: Hashable, Sendable, CustomStringConvertible {
    /// The fact in words.
    public var text: String
    /// The box that it comes from; `nil` for a fact about something absent, or from several boxes.
    public var place: BoxPlace?

    /// Makes a fact.
    public init(_ text: String, at place: BoxPlace? = nil) {
      self.text = text
      self.place = place
    }

    /// The words.
    public var description: String { text }
  }

  /// Classifies by the facts and nothing else.
  public init(_ facts: ClassificationFacts) {
    var classifier = Classifier(facts)
    self = classifier.report()
  }

  /// The value that a playlist should give as `REQ-VIDEO-LAYOUT`; `nil` if it should have none.
  public var requiredVideoLayout: String? {
    let channel = stereoKind == .notStereo ? "CH-MONO" : "CH-STEREO"
    switch classification {
    case .degrees180: return channel + "/PROJ-HEQU"
    case .degrees360: return channel + "/PROJ-EQUI"
    case .wide: return channel + "/PROJ-PRIM"
    case .immersive: return channel + "/PROJ-AIV"
    case .stereo, .spatial: return channel
    default: return nil
    }
  }
}

extension ClassificationFacts {
  /// Classifies by these facts and nothing else.
  public func classify() -> ClassificationReport { ClassificationReport(self) }
}
