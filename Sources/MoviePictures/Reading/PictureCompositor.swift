// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

/// Composes what is shown from the pictures of each eye: one picture for both, or one for each. AVFoundation:
/// `AVVideoCompositing`
///
/// A compositor receives the pictures of one time and returns others. ``StereoArrangement`` combines both eyes
/// into one picture; a compositor of your own can draw into the pictures, mix them, or return one of them.
///
/// ```swift
/// struct LeftEyeOnly: PictureCompositor {
///   func compose(_ group: PictureGroup) throws(PictureError) -> ComposedPictures {
///     guard let left = group[.left] else { throw .unknownEye(.left) }
///     return .mono(try left.rgb(range: .standard))
///   }
/// }
/// for try await moment in track.composedGroups(by: LeftEyeOnly()) { show(moment.pictures, moment.presentationTime) }
/// ```
public protocol PictureCompositor: Sendable {
  /// Returns what is shown at the time of `group`.
  func compose(_ group: PictureGroup) throws(PictureError) -> ComposedPictures
}

/// What is shown at one time.
public enum ComposedPictures: Hashable, Sendable {
  /// One picture for both eyes.
  case mono(RGBPicture)
  /// One picture for each eye.
  case stereo(left: RGBPicture, right: RGBPicture)
}

/// What a ``PictureCompositor`` has composed from the pictures of one time.
public struct ComposedGroup: Sendable {
  /// When it is shown; `nil` for a raw stream.
  public let presentationTime: MediaTime?
  /// How long it is shown; `nil` for a raw stream, and if it is shown without end.
  public let duration: MediaTime?
  /// What is shown.
  public let pictures: ComposedPictures
}

extension StereoArrangement: PictureCompositor {
  /// Combines both eyes into one picture. If not both eyes have a picture, that of the first layer is returned alone.
  public func compose(_ group: PictureGroup) throws(PictureError) -> ComposedPictures {
    guard let left = group[.left], let right = group[.right] else {
      guard let only = group.layers.first else { throw .unsupported("nothing is shown at this time") }
      return .mono(try only.rgb(range: .standard))
    }
    return .mono(
      try .combining(left: left.rgb(range: .standard), right: right.rgb(range: .standard), self))
  }
}

extension Track {
  /// Returns what a compositor composes from the pictures that the track shows from a time on, as an
  /// asynchronous sequence: see ``PictureGroups``.
  public func composedGroups<Compositor: PictureCompositor>(
    by compositor: Compositor, from time: MediaTime = .zero, options: PictureOptions = PictureOptions()
  ) -> AsyncThrowingMapSequence<PictureGroups, ComposedGroup> {
    pictureGroups(from: time, options: options).map { group in
      ComposedGroup(
        presentationTime: group.presentationTime, duration: group.duration,
        pictures: try compositor.compose(group))
    }
  }
}
