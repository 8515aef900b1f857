// swift-multiview · SPDX-License-Identifier: Apache-2.0

#if canImport(CoreMedia)
public import CoreMedia
public import CoreVideo
public import MoviePictures
import Multiview

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PictureGroup {
  /// The pictures of both eyes as AVFoundation takes and gives them, with the tags of their layers and eyes; pictures
  /// of no known eye are left out. Eyes that share a layer have no tag for it.
  ///
  /// - Parameter makeBuffer: makes the pixel buffer of a picture, for example from a pool.
  public func taggedBuffers(
    _ makeBuffer: (Picture) throws -> CVPixelBuffer = { try $0.makePixelBuffer() }
  ) throws -> [CMTaggedBuffer] {
    var buffers: [CMTaggedBuffer] = []
    for eye in StereoEye.allCases {
      guard let picture = self[eye] else { continue }
      var tags: [CMTag] = [.stereoView(eye == .left ? .leftEye : .rightEye)]
      if picture.part == nil { tags.insert(.videoLayerID(Int64(picture.layerID)), at: 0) }
      buffers.append(CMTaggedBuffer(tags: tags, buffer: .pixelBuffer(try makeBuffer(picture))))
    }
    return buffers
  }
}
#endif
