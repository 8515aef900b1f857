// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// All that the classification of a movie depends on: what is known of its first video sample entry, and of
/// what surrounds it.
public struct ClassificationFacts: Hashable, Sendable {
  /// Whether there is a video track.
  public var hasVideo = true
  /// Why the video cannot be judged; `nil` if it can.
  public var unreadable: String?
  /// The codec: the type of the sample entry, of protected video that of the original format.
  public var codec: FourCC?
  /// Whether the sample entry configures layers beyond the base layer. (`lhvC`)
  public var hasLayeredConfiguration = false
  /// Whether the parameter sets describe a second layer that is a view, and not alpha or depth; `nil` where
  /// they were not examined.
  public var hasSecondViewInParameterSets: Bool?
  /// Whether the samples contain that layer; `nil` if they were not examined.
  public var hasSecondViewInSamples: Bool?
  /// Whether the second view of the bitstream is in a track of its own.
  public var hasSecondViewInAnotherTrack = false
  /// The eye that another video track serves, by its own `stri`.
  public var eyeOfAnotherTrack: StereoEye?
  /// The eyes, cameras, projection and packing in the sample entry.
  public var layout = StereoLayout()
  /// Whether the movie has the venue description of Apple Immersive Video.
  /// (`com.apple.quicktime.aime-data`)
  public var hasImmersiveVenue = false
  /// Whether the movie has timed presentation metadata of Apple Immersive Video.
  public var hasImmersivePresentation = false
  /// Whether Google's boxes say that the video is spherical or stereo. (`sv3d`, `st3d`, or their `uuid`)
  public var hasGoogleSpherical = false

  /// The facts of a plain video of which nothing else is known.
  public init() {}

  /// Makes the facts of a video sample entry from its boxes; parameter sets and samples are not read.
  ///
  /// - Parameters:
  ///   - sampleEntry: the box.
  ///   - path: its path, for the places of values.
  public init(sampleEntry: Box, path: String? = nil) {
    // Protected and restricted video keeps the type of its codec within.
    let original = sampleEntry["sinf/frma"] ?? sampleEntry["rinf/frma"]
    codec = original?.body.fourCC(at: 0) ?? sampleEntry.type
    hasLayeredConfiguration = sampleEntry.first("lhvC") != nil
    layout = StereoLayout(sampleEntry: sampleEntry, path: path)
    hasGoogleSpherical = !layout.googleSphericalBoxes.isEmpty
  }

  /// Whether the bitstream is HEVC.
  public var codecIsHEVC: Bool { codec.map(FormatDescription.hevcCodecs.contains) ?? false }

  /// Whether two views are coded as layers and configured as such in one track.
  public var hasConfiguredSecondView: Bool {
    codecIsHEVC && hasLayeredConfiguration && hasSecondViewInParameterSets != false
      && hasSecondViewInSamples != false
  }

  /// Whether anything shows that the bitstream has two views, signalled or not.
  public var hasSecondView: Bool {
    hasConfiguredSecondView || hasSecondViewInParameterSets == true || hasSecondViewInSamples == true
  }
}

extension ClassificationFacts {
  /// How two views are carried, as far as they are signalled.
  public var stereoKind: StereoKind {
    guard hasVideo, let eyes = layout.stereoView else { return .notStereo }
    if eyes == [.leftEye, .rightEye] {
      if hasConfiguredSecondView { return .multiview }
      if layout.packing?.isFramePacked == true { return .packed }
      return hasSecondViewInAnotherTrack ? .twoTrack : .notStereo
    }
    guard let other = eyeOfAnotherTrack, !eyes.isEmpty else { return .notStereo }
    return eyes == StereoViewComponents(other.opposite) ? .twoTrack : .notStereo
  }

  /// What AVFoundation would say of the track by its format description, as far as this module knows it.
  public var mediaCharacteristics: Set<MediaCharacteristic> {
    guard hasVideo else { return [] }
    var found: Set<MediaCharacteristic> = [.visual, .frameBased]
    if stereoKind == .multiview { found.insert(.containsStereoMultiviewVideo) }
    if layout.heroEye?.eye != nil || layout.baseline != nil || layout.disparityAdjustment != nil {
      found.insert(.carriesVideoStereoMetadata)
    }
    if layout.horizontalFieldOfView != nil { found.insert(.indicatesHorizontalFieldOfView) }
    if !layout.isRectilinear { found.insert(.indicatesNonRectilinearProjection) }
    return found
  }
}
