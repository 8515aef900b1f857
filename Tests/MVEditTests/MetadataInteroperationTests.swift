// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

/// Every kind of metadata that is written is read by other tools, in movies of both brands.
@Suite struct MetadataInteroperationTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let tools: [(name: String, arguments: [String])] = [
    ("/usr/bin/exiftool", ["-a", "-G1", "-u"]), ("/usr/bin/mediainfo", ["--Full"]),
    ("/usr/bin/ffprobe", ["-v", "error", "-show_format"]),
  ]

  private func expectRead(_ path: String, _ values: [String], _ context: String) {
    for (tool, arguments) in Self.tools {
      guard FileManager.default.isExecutableFile(atPath: tool) else {
        print("skipped: \(tool) is not there")
        continue
      }
      let text = run(tool, arguments + [path]).map { String(decoding: $0, as: UTF8.self) } ?? ""
      for value in values {
        #expect(text.contains(value), "\(context): \(tool) does not show \(value): \(text)")
      }
      #expect(!text.contains("Terminator found"), "\(context): \(text)")
    }
  }

  @Test(arguments: ["spatial.mov", "metadata-keys.mov", "hdr10.mp4", "edit-list-trim.mp4"])
  func keysAreRead(_ name: String) throws {
    let output = folder.path + "/out.mov"
    let run = mvedit(
      "tag", "--key", "com.apple.quicktime.title=A title", "--key", "com.example.remark=Tést 3D", "--key",
      "com.apple.quicktime.spatial.low-motion=7", "-o", output, Fixtures.path(name))
    #expect(run.code == .success, "\(run.errors)")
    expectRead(output, ["A title", "Tést 3D"], name)
    // Added to keys that are there already.
    #expect(mvedit("tag", "--key", "com.example.second=Another one", "--in-place", output).code == .success)
    expectRead(output, ["A title", "Tést 3D", "Another one"], name)
  }

  /// Keys with version and flags before them, as this library once wrote them for MP4, are read and kept.
  @Test func keysInTheFormOfMP4AreKept() throws {
    let boxes = PlacedMovie.moved(Fixtures.bytes("spatial.mov").array) { moov in
      moov.children.removeAll { $0.type == "meta" }
      let meta = PlacedMovie.keys(isFullBox: true)
      moov.children.append(PlainBox("meta", Array(meta[8...])))
    }
    let path = try folder.write("full.mp4", boxes.flatMap(\.bytes))
    let output = folder.path + "/out.mp4"
    #expect(mvedit("tag", "--key", "a.b=c", "-o", output, path).code == .success)
    let box = try #require(try MovieFile(path: output).tree?["moov/meta"])
    #expect(box.payload(MetaBox.self)?.isFullBox == true)
    #expect(try MovieFile(path: output).metadata["com.apple.quicktime.title"]?.stringValue == "kept title")
  }

  /// Metadata that come with another movie.
  @Test(arguments: ["mov", "mp4"])
  func keysOfAnotherMovieAreRead(_ ending: String) throws {
    let donor = folder.path + "/donor.mov", output = folder.path + "/muxed.\(ending)"
    #expect(
      mvedit("tag", "--key", "com.example.remark=Tést 3D", "-o", donor, Fixtures.path("spatial.mov")).code
        == .success)
    let run = mvedit(
      "mux", "--fps", "30", "--metadata-from", donor, "-o", output, Fixtures.path("two-views.hevc"))
    #expect(run.code == .success, "\(run.errors)")
    expectRead(output, ["Tést 3D"], ending)
  }

  @Test func datesAreRead() throws {
    let output = folder.path + "/dated.mov"
    let run = mvedit(
      "tag", "--creation-date", "2024-05-01T12:30:00Z", "-o", output, Fixtures.path("spatial.mov"))
    #expect(run.code == .success, "\(run.errors)")
    let tool = "/usr/bin/exiftool"
    guard FileManager.default.isExecutableFile(atPath: tool) else {
      return print("skipped: \(tool) is not there")
    }
    let text = TestSupport.run(tool, ["-api", "QuickTimeUTC", "-CreateDate", "-s3", output])
    #expect(String(decoding: text ?? [], as: UTF8.self).hasPrefix("2024:05:01 12:30:00"))
  }
}
