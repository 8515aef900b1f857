// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// The kind of media of a track, by the code of its handler. AVFoundation: `AVMediaType`
public struct MediaType: RawRepresentable, Hashable, Sendable {
  /// The code.
  public var rawValue: FourCC
  public init(rawValue: FourCC) { self.rawValue = rawValue }

  /// Video.
  public static let video = MediaType(rawValue: "vide")
  /// Sound.
  public static let audio = MediaType(rawValue: "soun")
  /// Text.
  public static let text = MediaType(rawValue: "text")
  /// Subtitles.
  public static let subtitle = MediaType(rawValue: "sbtl")
  /// Closed captions.
  public static let closedCaption = MediaType(rawValue: "clcp")
  /// Timecode.
  public static let timecode = MediaType(rawValue: "tmcd")
  /// Timed metadata.
  public static let metadata = MediaType(rawValue: "meta")
  /// Several kinds in one.
  public static let muxed = MediaType(rawValue: "muxx")
  /// Vibrations.
  public static let haptic = MediaType(rawValue: "hapt")
  /// Depth.
  public static let depthData = MediaType(rawValue: "dpth")
  /// Pictures that belong to other pictures: alpha, depth.
  public static let auxiliaryPicture = MediaType(rawValue: "auxv")
  /// Single pictures.
  public static let picture = MediaType(rawValue: "pict")
  /// Instructions for streaming.
  public static let hint = MediaType(rawValue: "hint")
  /// Subtitles as documents.
  public static let subtitleDocument = MediaType(rawValue: "subt")

  /// Whether there are pictures to be seen.
  public var isVisual: Bool { self == .video || self == .auxiliaryPicture || self == .picture }
}

extension MediaType: CustomStringConvertible {
  /// The code.
  public var description: String { rawValue.description }
}

extension MediaType {
  /// A word for people; for unknown kinds, the code without the spaces that fill it.
  package var words: String {
    switch self {
    case .video: "video"
    case .audio: "audio"
    case .metadata: "timed metadata"
    case .timecode: "timecode"
    case .text: "text"
    case .subtitle, .subtitleDocument: "subtitle"
    case .closedCaption: "closed caption"
    case .hint: "hint"
    case .auxiliaryPicture: "auxiliary video"
    case .picture: "picture"
    default:
      rawValue.rawValue == 0
        ? "unknown" : "'\(String(rawValue.description.reversed().drop { $0 == " " }.reversed()))'"
    }
  }
}

/// A characteristic of a track. AVFoundation: `AVMediaCharacteristic`, with the same raw values.
public struct MediaCharacteristic: RawRepresentable, Hashable, Sendable {
  /// The name that programs compare.
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// There is something to see.
  public static let visual = MediaCharacteristic(rawValue: "AVMediaCharacteristicVisual")
  /// There is something to hear.
  public static let audible = MediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
  /// There is something to read.
  public static let legible = MediaCharacteristic(rawValue: "AVMediaCharacteristicLegible")
  /// The media is a row of frames.
  public static let frameBased = MediaCharacteristic(rawValue: "AVMediaCharacteristicFrameBased")
  /// The primaries are wider than those of BT.709.
  public static let usesWideGamutColorSpace = MediaCharacteristic(
    rawValue: "public.uses-wide-gamut-color-space")
  /// The transfer function is PQ or HLG.
  public static let containsHDRVideo = MediaCharacteristic(rawValue: "public.contains-hdr-video")
  /// There is an alpha plane.
  public static let containsAlphaChannel = MediaCharacteristic(rawValue: "public.contains-alpha-channel")
  /// Two views for two eyes, coded as layers of one bitstream.
  public static let containsStereoMultiviewVideo = MediaCharacteristic(
    rawValue: "public.contains-stereo-multiview-video")
  /// The sample entry says more about the views than that they exist.
  public static let carriesVideoStereoMetadata = MediaCharacteristic(
    rawValue: "com.apple.quicktime.video.stereo-metadata")
  /// The sample entry gives the field of view.
  public static let indicatesHorizontalFieldOfView = MediaCharacteristic(
    rawValue: "public.indicates-horizontal-field-of-view")
  /// The sample entry names a projection other than the flat one.
  public static let indicatesNonRectilinearProjection = MediaCharacteristic(
    rawValue: "public.indicates-non-rectilinear-projection")
}

extension MediaCharacteristic: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}
