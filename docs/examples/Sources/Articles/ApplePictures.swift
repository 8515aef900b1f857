// swift-multiview · SPDX-License-Identifier: Apache-2.0

// The code for Apple's systems: of the article on pictures, and of docs/platforms.md.

#if canImport(CoreVideo) && canImport(CoreMedia) && canImport(CoreGraphics)
import CoreGraphics
import CoreMedia
import CoreVideo
import Foundation
import MovieEditing
import MoviePictures
import Multiview
import MultiviewApple

private func enqueue(_ buffer: CVPixelBuffer, _ image: CGImage?, at time: CMTime?) {}

func show(_ track: Track) throws {
  let pictures = try track.pictures(from: .zero)
  while let group = try pictures.next() {
    guard let left = group[.left] else { continue }
    let buffer: CVPixelBuffer = try left.makePixelBuffer()
    let image: CGImage? = try left.rgb().makeImage()
    let time = group.presentationTime.map { CMTime($0) }
    enqueue(buffer, image, at: time)
  }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
func taggedBuffers(_ track: Track) throws -> [[CMTaggedBuffer]] {
  let pictures = try track.pictures(from: .zero)
  var groups: [[CMTaggedBuffer]] = []
  while let group = try pictures.next() { groups.append(try group.taggedBuffers()) }
  return groups
}

func formatDescription(_ track: Track) throws -> CMFormatDescription? { try track.makeFormatDescription() }

func save(_ editor: MovieEditor, to url: URL) throws {
  let isGranted = url.startAccessingSecurityScopedResource()
  defer { if isGranted { url.stopAccessingSecurityScopedResource() } }
  let folder = try FileManager.default.url(
    for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: url, create: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  var options = MovieWriteOptions()
  options.isOverwriting = true
  options.temporaryFolder = folder.path
  try editor.write(to: url.path, options: options)
}
#endif
