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
