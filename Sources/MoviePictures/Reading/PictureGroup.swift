// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
public import Multiview

/// The pictures of one time: those of both eyes, if there are two. Core Media: `CMTaggedBufferGroup`
public struct PictureGroup: Sendable {
  /// When the pictures are shown; `nil` for a raw stream and for photos.
  public let presentationTime: MediaTime?
  /// How long the pictures are shown; `nil` for a raw stream, for photos, and if they are shown without end.
  public let duration: MediaTime?
  /// The index of their sample, or of the access unit of a raw stream, counted from 0; of a photo the item ID.
  public let sample: Int
  /// The pictures, by ascending layer; of a stereo pair of images, those of the left eye first.
  public let layers: [Picture]

  /// The halves of a picture that both eyes share; empty if each eye has its own picture.
  let halves: [Picture]

  init(
    presentationTime: MediaTime?, duration: MediaTime?, sample: Int, layers: [Picture], halves: [Picture]
  ) {
    self.presentationTime = presentationTime
    self.duration = duration
    self.sample = sample
    self.layers = layers
    self.halves = halves
  }

  /// The picture that an eye sees: that of its layer, or its half of a picture that both eyes share; `nil` if
  /// there is none.
  public subscript(eye: StereoEye) -> Picture? {
    halves.first { $0.eye == eye } ?? layers.first { $0.eye == eye }
  }

  /// The picture of a layer; `nil` if there is none.
  public subscript(layer layerID: UInt8) -> Picture? { layers.first { $0.layerID == layerID } }

  /// Returns the same pictures at another time, as edits show them.
  func presented(at time: MediaTime, for duration: MediaTime?) -> PictureGroup {
    PictureGroup(presentationTime: time, duration: duration, sample: sample, layers: layers, halves: halves)
  }
}

/// Which pictures are read, and how.
public struct PictureOptions: Hashable, Sendable {
  /// The layers to read; `nil` for all output layers. Only these and the layers that they depend on are decoded. Samples
  /// whose sample description has none of them, in a movie with several, are skipped.
  public var layers: Set<UInt8>?
  /// How many threads decode. More than one is faster for reading all pictures of a movie; for a single
  /// picture, it decodes more than is needed.
  public var threads = 1
  /// How many luma samples a picture may have; a larger one is not decoded.
  public var maximumLumaSamples = PictureGeometry.usualLumaSamples

  /// Makes options for all output layers.
  public init() {}

  /// Makes options for these layers alone.
  public init(layers: Set<UInt8>) { self.layers = layers }
}
