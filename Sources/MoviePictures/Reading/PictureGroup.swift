// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
public import Multiview

/// The pictures of one moment: those of both eyes, where there are two. Core Media: `CMTaggedBufferGroup`
public struct PictureGroup: Sendable {
  /// When the pictures can be seen; `nil` in a raw stream.
  public let presentationTime: MediaTime?
  /// For how long; `nil` in a raw stream, and where nothing follows that ends it.
  public let duration: MediaTime?
  /// The sample that they are coded in, or the access unit of a raw stream, counted from 0.
  public let sample: Int
  /// The pictures, by ascending layer.
  public let layers: [Picture]

  /// The halves of the picture that two eyes share; empty where each has its own.
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

  /// The picture that an eye sees: that of its layer, or its half of a picture that both eyes share.
  public subscript(eye: StereoEye) -> Picture? {
    halves.first { $0.eye == eye } ?? layers.first { $0.eye == eye }
  }

  /// The picture of a layer.
  public subscript(layer layerID: UInt8) -> Picture? { layers.first { $0.layerID == layerID } }

  /// The same pictures at another time, as edits show them.
  func presented(at time: MediaTime, for duration: MediaTime?) -> PictureGroup {
    PictureGroup(presentationTime: time, duration: duration, sample: sample, layers: layers, halves: halves)
  }
}

/// Which pictures are read.
public struct PictureOptions: Hashable, Sendable {
  /// The layers whose pictures are wanted; `nil` for all that are meant to be shown. Only what these need is decoded.
  public var layers: Set<UInt8>?
  /// How many threads decode. Several are for reading all pictures of a movie: for a single one they would decode more than is
  /// needed.
  public var threads = 1
  /// How many luma samples a picture may have.
  public var maximumLumaSamples = PictureGeometry.maximumLumaSamples

  /// All layers that are meant to be shown.
  public init() {}

  /// Only these layers.
  public init(layers: Set<UInt8>) { self.layers = layers }
}
