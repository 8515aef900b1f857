// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import Multiview
import TestSupport
import Testing

@testable import MoviePictures

/// Pictures in two planes, as pixel buffers have them. FFmpeg's formats of the same layout are the truth: `nv12` and its
/// relatives, and for more than 8 bits `p010le` and its relatives.
@Suite struct BiplanarTests {
  private static let formats = [
    "spatial.mov": "nv12", "pictures/crop_d.bit": "nv12", "pictures/rx_444_8.bit": "nv24",
    "hdr10.mp4": "p010le", "pictures/rx_422_10.bit": "p210le", "pictures/rx_sao_shift.bit": "p012le",
  ]

  private static func frames(_ name: String) throws -> [PlanarFrame] {
    let movie = try MovieFile(path: Fixtures.path(name))
    let track = try #require(movie.tracks.first { $0.mediaType == .video } ?? movie.tracks.first)
    let reader = try track.pictures(options: PictureOptions(layers: [0]))
    var frames: [PlanarFrame] = []
    while let group = try reader.next() {
      if let picture = group.layers.first { frames.append(try PlanarFrame(picture)) }
    }
    return frames
  }

  private static func bytes(_ frame: PlanarFrame) throws -> [UInt8] {
    let rows = try #require(BiplanarRows(frame))
    return (0..<2).flatMap { plane in
      (0..<rows.rowCount(ofPlane: plane)).flatMap { y in
        let row = rows.row(y, ofPlane: plane)
        #expect(row.count == rows.rowBytes(ofPlane: plane))
        return row
      }
    }
  }

  @Test(.enabled(if: VideoDecoder.installed != nil), arguments: formats.keys.sorted())
  func samplesAreWhereFFmpegHasThem(_ name: String) throws {
    let ffmpeg = try #require(VideoDecoder.installed)
    let input = name.hasSuffix(".bit") ? ["-f", "hevc"] : []
    let format = try #require(Self.formats[name])
    // Version 5.1 lacks a format, and moves the left edge of a crop unless asked not to.
    let known = try #require(run(ffmpeg.path, ["-v", "quiet", "-pix_fmts"]))
    guard String(decoding: known, as: UTF8.self).contains(" \(format) ") else {
      print("skipped: ffmpeg has no \(format)")
      return
    }
    let raw = run(
      ffmpeg.path,
      ["-v", "quiet", "-flags", "unaligned"] + input + ["-i", Fixtures.path(name), "-map", "0:v:0"]
        + ["-fps_mode", "passthrough", "-pix_fmt", format, "-f", "rawvideo", "-"])
    let truth = try #require(raw)
    try #require(!truth.isEmpty)
    let ours = try Self.frames(name).flatMap(Self.bytes)
    #expect(ours == truth)
  }

  /// The first samples, moved by hand; a picture of luma alone has no second plane.
  @Test func firstSamples() throws {
    let picture = try #require(try Self.frames("pictures/rx_400_8.bit").first)
    #expect(BiplanarRows(picture) == nil)
    let frame = try #require(try Self.frames("hdr10.mp4").first)
    let rows = try #require(BiplanarRows(frame))
    // The first sample of each component: its two bytes, moved by six bits.
    func first(_ component: Int) -> [UInt8] {
      let sample = UInt16(frame.planes[component][0]) | UInt16(frame.planes[component][1]) << 8
      let moved = sample << 6
      return [UInt8(moved & 0xFF), UInt8(moved >> 8)]
    }
    #expect(Array(rows.row(0, ofPlane: 0).prefix(2)) == first(0))
    #expect(Array(rows.row(0, ofPlane: 1).prefix(4)) == first(1) + first(2))
  }
}
