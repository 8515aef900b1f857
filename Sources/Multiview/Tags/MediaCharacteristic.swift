// swift-multiview · SPDX-License-Identifier: Apache-2.0

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
