// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCDecoding
import Multiview
import TestSupport
import Testing

@testable import MoviePictures

/// Layers that say how opaque others are.
@Suite struct AlphaTests {
  private static let name = "alpha-layer.mp4"

  /// The colours are those of the base layer, and the alpha channel is the luma of the other, sample for sample: its message says
  /// that 0 is transparent, 255 opaque, and that colours are not multiplied.
  @Test func alphaLayersAreComposed() throws {
    let track = try PictureReaderTests.track(Self.name)
    let decoder = try TrackDecoder(track, HEVCDecoder.Options())
    var luma: [Int: [UInt8]] = [:], colours: [Int: RGBPicture] = [:]
    while let pictures = try decoder.next() {
      for picture in pictures {
        let plain = Picture(picture, eye: nil, PictureLook(track))
        if picture.layerID == 1 {
          luma[picture.tag] = plain.bytes(ofPlane: 0)
        } else {
          colours[picture.tag] = try plain.rgb()
        }
      }
    }
    let reader = try track.pictures(options: PictureOptions(layers: [0]))
    var count = 0
    while let group = try reader.next() {
      #expect(group.layers.map(\.layerID) == [0] && group[.left] == nil && group[.right] == nil)
      let picture = try #require(group[layer: 0])
      let found = try picture.rgb(), colour = try #require(colours[group.sample])
      #expect(picture.hasAlpha && found.hasAlpha && !colour.hasAlpha)
      let alpha = try #require(luma[group.sample])
      #expect(Set(alpha).count > 1)
      let expected = (0..<alpha.count).flatMap { pixel in
        colour.samples[(3 * pixel)..<(3 * pixel + 3)] + [UInt16(alpha[pixel])]
      }
      #expect(found.samples == expected, "sample \(group.sample)")
      count += 1
      if count == 3 { break }
    }
    #expect(count == 3)
    // All layers: those that say how opaque others are, are there too.
    let all = try #require(try track.pictures().next())
    #expect(all.layers.map(\.layerID) == [0, 1] && all.layers.map(\.hasAlpha) == [true, false])
    #expect(try track.thumbnail(maximumWidth: 32).hasAlpha)
  }

  /// What each sample counts, by the words of F.14.3.7.
  @Test func samplesAreInterpreted() {
    func use(_ change: (inout AlphaChannelInfo.Use) -> Void) -> [Int32] {
      var use = AlphaChannelInfo.Use()
      change(&use)
      return AlphaInterpretation(use).table(bitDepth: 8)
    }
    let plain = use { _ in }
    #expect(plain.indices.allSatisfy { plain[$0] == Int32($0) })
    // Limited range, as encoders write it that know no other.
    let limited = use {
      $0.transparentValue = 16
      $0.opaqueValue = 235
    }
    #expect(limited[0] == 0 && limited[16] == 0 && limited[235] == 255 && limited[255] == 255)
    // (126 - 16) / 219 of 255 is 128.08.
    #expect(limited[126] == 128)
    let turned = use {
      $0.transparentValue = 255
      $0.opaqueValue = 0
    }
    #expect(turned[0] == 255 && turned[255] == 0 && turned[55] == 200)
    let clipped = use {
      $0.clips = true
      $0.clipType = false
    }
    #expect(clipped[127] == 0 && clipped[128] == 255)
    let ranged = use {
      $0.clips = true
      $0.clipType = true
      $0.transparentValue = 100
      $0.opaqueValue = 200
    }
    #expect(ranged[99] == 0 && ranged[150] == 128 && ranged[220] == 255)
    // Samples above the smaller value count one more.
    let increased = use {
      $0.increments = true
      $0.opaqueValue = 256
    }
    #expect(increased[0] == 0 && increased[255] == 255 && increased[127] == 128)
    let same = use { $0.opaqueValue = 0 }
    #expect(same[7] == 7)
  }

  /// Colours that were multiplied are divided again.
  @Test func premultipliedColours() throws {
    let track = try PictureReaderTests.track(Self.name)
    let group = try track.pictureGroup(at: .zero)
    let base = try #require(group[layer: 0]), other = try #require(group[layer: 1])
    var plain = base
    plain.alpha = nil
    let colour = try plain.rgb()
    var multiplied = base
    var interpretation = AlphaInterpretation()
    interpretation.isPremultiplied = true
    multiplied.alpha = Picture.Alpha(decoded: other.decoded, interpretation: interpretation)
    let found = try multiplied.rgb()
    let alpha = try #require(other.bytes(ofPlane: 0))
    for pixel in stride(from: 0, to: alpha.count, by: 97) {
      for channel in 0..<3 {
        let value = Double(colour.samples[3 * pixel + channel])
        let expected =
          alpha[pixel] == 0
          ? 0 : min(255, (value * 255 / Double(alpha[pixel])).rounded(.toNearestOrAwayFromZero))
        #expect(Double(found.samples[4 * pixel + channel]) == expected)
      }
    }
  }
}
