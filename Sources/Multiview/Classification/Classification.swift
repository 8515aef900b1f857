// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The kind of movie that viewers see, as predicted for Apple platforms.
public struct Classification: RawRepresentable, Hashable, Sendable {
  /// The name that programs compare.
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// One view, flat.
  public static let mono = Classification(rawValue: "mono")
  /// Two views, flat.
  public static let stereo = Classification(rawValue: "stereo")
  /// Two views, flat, with all that is known of the cameras: shown as spatial video.
  public static let spatial = Classification(rawValue: "spatial")
  /// The front half of the sphere, for one eye or two.
  public static let degrees180 = Classification(rawValue: "180")
  /// The whole sphere, for one eye or two.
  public static let degrees360 = Classification(rawValue: "360")
  /// A wide field of view, described by the lenses.
  public static let wide = Classification(rawValue: "wide")
  /// Apple Immersive Video.
  public static let immersive = Classification(rawValue: "immersive")
  /// Images instead of video, with a pair for the two eyes among them. ISO/IEC 23008-12, group `ster`
  public static let stereoPhoto = Classification(rawValue: "stereoPhoto")
  /// A stereo pair that also describes its cameras. ISO/IEC 23008-12, `cmin` and `cmex`
  public static let spatialPhoto = Classification(rawValue: "spatialPhoto")
  /// It cannot be determined.
  public static let unknown = Classification(rawValue: "unknown")
  /// There is no video.
  public static let noVideo = Classification(rawValue: "none")
}

/// How two views are carried.
public struct StereoKind: RawRepresentable, Hashable, Sendable {
  /// The name that programs compare.
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// As layers of one bitstream, in one track.
  public static let multiview = StereoKind(rawValue: "multiview")
  /// In one picture, side by side or one above the other.
  public static let packed = StereoKind(rawValue: "packed")
  /// In two tracks.
  public static let twoTrack = StereoKind(rawValue: "twoTrack")
  /// Not at all: there is one view, or none is signalled.
  public static let notStereo = StereoKind(rawValue: "none")
}

extension Classification: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

extension StereoKind: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}
