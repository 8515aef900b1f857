// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The name of a piece of metadata. AVFoundation: `AVMetadataKey`
public struct MetadataKey: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(stringLiteral value: String) { rawValue = value }

  // MARK: Stereo and immersive video

  /// The version of the format of a spatial capture: cameras write it.
  public static let spatialFormatVersion = MetadataKey(rawValue: "com.apple.quicktime.spatial.format-version")
  /// Whether the capture may cause discomfort.
  public static let spatialAggressorsSeen = MetadataKey(
    rawValue: "com.apple.quicktime.spatial.aggressors-seen")
  /// Whether the camera hardly moved.
  public static let spatialLowMotion = MetadataKey(rawValue: "com.apple.quicktime.spatial.low-motion")
  /// The venue of Apple Immersive Video: cameras and masks.
  public static let immersiveVenue = MetadataKey(rawValue: "com.apple.quicktime.aime-data")
  /// How Apple Immersive Video is to be presented, frame by frame. (Timed metadata)
  public static let immersivePresentation = MetadataKey(
    rawValue: "com.apple.quicktime.video.presentation.immersive-media")
  /// How the camera was held, over time. (Timed metadata)
  public static let videoOrientation = MetadataKey(rawValue: "com.apple.quicktime.video-orientation")

  // MARK: Captures

  /// The maker of the camera.
  public static let make = MetadataKey(rawValue: "com.apple.quicktime.make")
  /// The camera.
  public static let model = MetadataKey(rawValue: "com.apple.quicktime.model")
  /// The version of its software.
  public static let software = MetadataKey(rawValue: "com.apple.quicktime.software")
  /// When it was taken.
  public static let creationDate = MetadataKey(rawValue: "com.apple.quicktime.creationdate")
  /// The location at which it was taken.
  public static let locationISO6709 = MetadataKey(rawValue: "com.apple.quicktime.location.ISO6709")
  /// How exact that place is, in metres.
  public static let locationHorizontalAccuracy = MetadataKey(
    rawValue: "com.apple.quicktime.location.accuracy.horizontal")
  /// The identifier that links the movie to a photo.
  public static let contentIdentifier = MetadataKey(rawValue: "com.apple.quicktime.content.identifier")
  /// Whether it should be played at its full frame rate.
  public static let fullFrameRatePlaybackIntent = MetadataKey(
    rawValue: "com.apple.quicktime.full-frame-rate-playback-intent")
  /// The lens.
  public static let cameraLensModel = MetadataKey(rawValue: "com.apple.quicktime.camera.lens_model")
  /// The focal length that a camera of 35 mm film would have.
  public static let cameraFocalLength35mmEquivalent = MetadataKey(
    rawValue: "com.apple.quicktime.camera.focal_length.35mm_equivalent")
}

extension MetadataKey: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

/// The namespace of keys. AVFoundation: `AVMetadataKeySpace`
public struct MetadataKeySpace: RawRepresentable, Hashable, Sendable {
  /// The name of the space.
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Reverse domain names, listed in `keys`.
  public static let quickTimeMetadata = MetadataKeySpace(rawValue: "mdta")
  /// Four characters in an `ilst`.
  public static let iTunes = MetadataKeySpace(rawValue: "itsk")
  /// A domain and a name in an `ilst`.
  public static let iTunesLong = MetadataKeySpace(rawValue: "itlk")
  /// Four characters in a `udta`, as QuickTime defines them.
  public static let quickTimeUserData = MetadataKeySpace(rawValue: "udta")
  /// Four characters in a `udta`, as ISO and 3GPP define them.
  public static let isoUserData = MetadataKeySpace(rawValue: "uiso")
}

extension MetadataKeySpace: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

// MARK: - User data

// The four characters of user data and of the lists of iTunes. QuickTime File Format, "User data atoms".

extension MetadataKey {
  /// The location at which it was taken, in user data (`©xyz`).
  public static let userDataLocation = MetadataKey(rawValue: "©xyz")
  /// The title. (`©nam`)
  public static let title = MetadataKey(rawValue: "©nam")
  /// Who made it. (`©ART`)
  public static let artist = MetadataKey(rawValue: "©ART")
  /// The album. (`©alb`)
  public static let album = MetadataKey(rawValue: "©alb")
  /// A remark. (`©cmt`)
  public static let comment = MetadataKey(rawValue: "©cmt")
  /// Who has the rights. (`©cpy`)
  public static let copyright = MetadataKey(rawValue: "©cpy")
  /// When it was made, in user data. (`©day`)
  public static let userDataCreationDate = MetadataKey(rawValue: "©day")
  /// The description. (`©des`)
  public static let userDataDescription = MetadataKey(rawValue: "©des")
  /// The genre. (`©gen`)
  public static let genre = MetadataKey(rawValue: "©gen")
  /// The maker of the camera, in user data. (`©mak`)
  public static let userDataMake = MetadataKey(rawValue: "©mak")
  /// The camera, in user data. (`©mod`)
  public static let userDataModel = MetadataKey(rawValue: "©mod")
  /// The software, in user data. (`©swr`)
  public static let userDataSoftware = MetadataKey(rawValue: "©swr")
  /// The program that encoded it. (`©too`)
  public static let encodingTool = MetadataKey(rawValue: "©too")
  /// Who wrote it. (`©wrt`)
  public static let writer = MetadataKey(rawValue: "©wrt")
}
