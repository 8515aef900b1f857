// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

/// Makes what is shown of what each eye sees: one picture for both, or one for each. AVFoundation: `AVVideoCompositing`
///
/// A compositor takes the pictures of one moment and gives others back. ``StereoArrangement`` is one that puts both eyes into one
/// picture; one's own can draw into the pictures, mix them, or pass one on.
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
  /// What is shown at the moment of `group`.
  func compose(_ group: PictureGroup) throws(PictureError) -> ComposedPictures
}

/// What is shown at one moment.
public enum ComposedPictures: Hashable, Sendable {
  /// Both eyes see the same.
  case mono(RGBPicture)
  /// Each eye sees its own.
  case stereo(left: RGBPicture, right: RGBPicture)
}

/// What a ``PictureCompositor`` has made of the pictures of one moment.
public struct ComposedGroup: Sendable {
  /// When it can be seen; `nil` in a raw stream.
  public let presentationTime: MediaTime?
  /// For how long; `nil` in a raw stream, and where nothing follows that ends it.
  public let duration: MediaTime?
  /// What is seen.
  public let pictures: ComposedPictures
}

extension StereoArrangement: PictureCompositor {
  /// Both eyes in one picture; what only one eye sees is passed on as it is.
  public func compose(_ group: PictureGroup) throws(PictureError) -> ComposedPictures {
    guard let left = group[.left], let right = group[.right] else {
      guard let only = group.layers.first else { throw .unsupported("the moment has no picture") }
      return .mono(try only.rgb(range: .standard))
    }
    return .mono(
      try .combining(left: left.rgb(range: .standard), right: right.rgb(range: .standard), self))
  }
}

extension Track {
  /// What a compositor makes of the pictures that the track shows from a time on, as a sequence to wait for: see
  /// ``PictureGroups``.
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
