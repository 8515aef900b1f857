// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import HEVC

/// What the samples of pictures mean, as far as that is known.
public struct SampleMeaning: Hashable, Sendable {
  /// What they mean as colour; `nil` if that is not known.
  public var colour: ColourDescription?
  /// Whether they use all their values; `nil` if that is not known, which means that they do not.
  public var isFullRange: Bool?
  /// Where chroma samples are (`chroma_sample_loc_type`); `nil` if that is not known.
  public var chromaLocation: UInt8?
  /// The shape of a pixel; `nil` if that is not known.
  public var pixelShape: AspectRatio?
  /// The display on which colours of high dynamic range were chosen; `nil` if that is not known.
  public var masteringDisplay: MasteringDisplayColourVolume?
  /// How bright the pictures become; `nil` if that is not known.
  public var contentLightLevel: ContentLightLevelInfo?

  /// Makes a meaning with no known values.
  public init() {}

  /// Fills unknown values from another meaning.
  package func completed(by other: SampleMeaning) -> SampleMeaning {
    var result = self
    result.colour = colour ?? other.colour
    result.isFullRange = isFullRange ?? other.isFullRange
    result.chromaLocation = chromaLocation ?? other.chromaLocation
    result.pixelShape = pixelShape ?? other.pixelShape
    result.masteringDisplay = masteringDisplay ?? other.masteringDisplay
    result.contentLightLevel = contentLightLevel ?? other.contentLightLevel
    return result
  }

  /// The VUI that signals it; `nil` if nothing is known.
  var vui: VUIParameters? {
    guard self != SampleMeaning() else { return nil }
    var vui = VUIParameters()
    vui.aspectRatio = pixelShape
    if colour != nil || isFullRange != nil {
      var signal = VideoSignalType()
      signal.videoFullRangeFlag = isFullRange ?? false
      signal.colour = colour
      vui.videoSignalType = signal
    }
    if let chromaLocation {
      var location = ChromaLocation()
      location.topField = UInt32(chromaLocation)
      location.bottomField = UInt32(chromaLocation)
      vui.chromaLocation = location
    }
    return vui == VUIParameters() ? nil : vui
  }
}
