// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// The eyes, cameras, projection and packing in the boxes of one sample entry: `vexu` and `hfov`.
///
/// Every value is optional: what no box says is `nil`, and not zero. ``place(of:)`` returns the box of a value.
public struct StereoLayout: Hashable, Sendable {
  /// Whether there is a `vexu`.
  public var hasVideoExtendedUsage = false
  /// Whether there is an `eyes` box. Without one the video is not signalled as stereo.
  public var hasEyes = false
  /// Which eyes the views serve. (`stri`)
  public var viewInformation: StereoViewInformationBox?
  /// The eye whose view is shown where only one can be. (`hero`)
  public var heroEye: HeroEye?
  /// The distance between the cameras. (`blin`)
  public var baseline: Micrometers?
  /// How far the views are shifted apart for presentation. (`dadj`)
  public var disparityAdjustment: DisparityRatio?
  /// How wide the picture is, as an angle. (`hfov`)
  public var horizontalFieldOfView: Millidegrees?
  /// How the picture maps to directions of view; `nil` is to be taken as rectilinear. (`prji`)
  public var projection: Projection?
  /// How two views share a picture; `nil` if they do not. (`pkin`)
  public var packing: ViewPacking?
  /// Whether there is a lens collection. (`lnsc`)
  public var hasLensCollection = false
  /// The lenses of that collection.
  public var lenses: [CameraLens] = []
  /// The types of boxes that a reader has to understand; `nil` if nothing is required. (`must`)
  public var requiredBoxTypes: [FourCC]?
  /// The required types that this library does not know: if there are any, the signalling may have another meaning.
  public var unknownRequiredBoxTypes: [FourCC] = []
  /// Google's boxes for stereo and spherical video in the sample entry (`st3d`, `sv3d`).
  public var googleSphericalBoxes: [BoxPlace] = []
  /// The types of boxes that cannot be read: damaged, or absent from a box that needs them.
  public var unreadableBoxes: [FourCC] = []
  /// The problems of the boxes.
  public var diagnostics = DiagnosticList()
  /// The places of the boxes that were read, by their types.
  var places: [FourCC: BoxPlace] = [:]

  /// A layout that says nothing.
  public init() {}

  /// Reads the boxes of a sample entry, which must come from a tree built with `BoxRegistry.standard`.
  ///
  /// - Parameters:
  ///   - sampleEntry: the box.
  ///   - path: its path, for the places of values.
  public init(sampleEntry: Box, path: String? = nil) {
    var reader = StereoLayoutReader()
    reader.read(sampleEntry, path ?? "\(sampleEntry.type)")
    self = reader.layout
  }

  /// The box that a value was read from: `place(of: \.baseline)`.
  ///
  /// It is `nil` for values that were not read from a file, and for those that are not in one box.
  public func place(of value: PartialKeyPath<StereoLayout>) -> BoxPlace? {
    Self.box(of: value).flatMap { places[$0] }
  }

  private static func box(of value: PartialKeyPath<StereoLayout>) -> FourCC? {
    switch value {
    case \.hasVideoExtendedUsage: "vexu"
    case \.hasEyes: "eyes"
    case \.viewInformation, \.hasLeftEyeView, \.hasRightEyeView, \.hasBothEyeViews: "stri"
    case \.hasLensCollection, \.lenses: "lnsc"
    case \.requiredBoxTypes, \.unknownRequiredBoxTypes: "must"
    default: StereoTag.all.first { $0.source == value }?.boxType
    }
  }
}

extension StereoLayout {
  /// Whether a view for the left eye is signalled; `nil` if no `stri` says it.
  public var hasLeftEyeView: Bool? { viewInformation?.hasLeftEyeView }
  /// Whether a view for the right eye is signalled; `nil` if no `stri` says it.
  public var hasRightEyeView: Bool? { viewInformation?.hasRightEyeView }
  /// Whether views beyond those for the two eyes are signalled; `nil` if no `stri` says it.
  public var hasAdditionalViews: Bool? { viewInformation?.hasAdditionalViews }
  /// Whether the views are in the opposite of the default order; `nil` if no `stri` says it.
  public var eyeViewsReversed: Bool? { viewInformation?.eyeViewsReversed }
  /// The eyes that are signalled; `nil` if no `stri` says it.
  public var stereoView: StereoViewComponents? { viewInformation?.eyes }
  /// Whether views for both eyes are signalled.
  public var hasBothEyeViews: Bool { stereoView == [.leftEye, .rightEye] }
  /// The eye that is signalled, if it is only one; otherwise `nil`.
  package var onlyEye: StereoEye? {
    switch stereoView {
    case [.leftEye]: .left
    case [.rightEye]: .right
    default: nil
    }
  }
  /// Whether the projection is the flat one, stated or by default.
  public var isRectilinear: Bool { projection == nil || projection == .rectilinear }

  /// The tags that apply to all views of the track.
  public var tags: TagCollection {
    var tags: TagCollection = [.mediaType(.video)]
    if let projection { tags.append(.projectionType(projection)) }
    if let packing { tags.append(.packingType(packing)) }
    if let stereoView, !stereoView.isEmpty { tags.append(.stereoView(stereoView)) }
    var options: StereoViewInterpretationOptions = []
    if eyeViewsReversed == true { options.insert(.stereoOrderReversed) }
    if hasAdditionalViews == true { options.insert(.additionalViews) }
    if !options.isEmpty { tags.append(.stereoViewInterpretation(options)) }
    return tags
  }

  /// The tags of one layer: its number, and the eye that sees it.
  public static func tags(layerID: UInt8, eye: StereoEye?) -> TagCollection {
    var tags: TagCollection = [.mediaType(.video), .videoLayerID(Int64(layerID))]
    if let eye { tags.append(.stereoView(StereoViewComponents(eye))) }
    return tags
  }
}

/// The box of a value in a file.
public struct BoxPlace: Hashable, Sendable, CustomStringConvertible {
  /// The path of the box: `moov/trak[0]/…/hvc1/vexu/eyes/stri`.
  public var path: String
  /// The file offset of the box.
  public var offset: Int

  /// Makes a place.
  public init(path: String, offset: Int) {
    self.path = path
    self.offset = offset
  }

  /// The path and the offset.
  public var description: String { "\(path) at \(offset)" }
}
