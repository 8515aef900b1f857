// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import ISOBMFF
import MoviePictures
import Multiview
import TestSupport
import Testing

/// `mvdump render` of many pictures: where a series ends, and what does not end it.
@Suite struct RenderedSeriesTests {
  /// A picture that is held without end is written once.
  @Test func aPictureWithoutEndIsOne() throws {
    let folder = try TemporaryFolder()
    var tree = try #require(try MovieFile(path: spatial).tree)
    var list = EditListBox()
    var hold = EditListBox.Entry(editDuration: 0, mediaTime: 0)
    hold.mediaRateInteger = 0
    list.entries = [hold]
    if tree["moov/trak[0]/edts"] != nil { try tree.remove("moov/trak[0]/edts") }
    try tree.insert(Box("edts", children: [Box("elst", list)]), in: "moov/trak[0]")
    let path = folder.path + "/held.mov", output = folder.path + "/held.yuv"
    try tree.write(toFile: path)
    let run = mvdump("render", "--every", "0.1", "-o", output, path)
    #expect(run.code == .success && run.errors.hasSuffix(": 1 picture\n"), "\(run.errors)")
    #expect(contents(output)?.count == 320 * 180 * 3 / 2)
  }

  /// A movie in which layer 1 of one sample is filler data.
  private func withoutOneEye(in folder: TemporaryFolder, sample index: Int) throws -> String {
    var bytes = contents(spatial) ?? []
    let track = try #require(try MovieFile(path: spatial).tracks.first)
    let sample = try #require(try track.samples().sample(at: index))
    var place = Int(sample.offset)
    while place < Int(sample.offset) + Int(sample.size) {
      let length = Int(PlainBox.number(bytes[place..<(place + 4)]))
      let layer = (bytes[place + 4] & 1) << 5 | bytes[place + 5] >> 3
      // `nal_unit_type` 38. ISO/IEC 23008-2, table 7-1
      if layer == 1 { bytes[place + 4] = bytes[place + 4] & 0x81 | 38 << 1 }
      place += 4 + length
    }
    return try folder.write("one.mov", bytes)
  }

  /// A sample that lacks an eye is left out, and said; the others are written.
  @Test(arguments: ["y4m", "png"]) func aLostEyeDoesNotEndAll(_ format: String) throws {
    let folder = try TemporaryFolder()
    let count = try #require(try MovieFile(path: spatial).tracks.first?.samples().count)
    let path = try withoutOneEye(in: folder, sample: count - 1)
    let name = format == "png" ? "/p%d.png" : "/p.y4m"
    let run = mvdump("render", "--all", "--eye", "both", "-o", folder.path + name, path)
    #expect(run.code == .no)
    #expect(
      run.errors.contains("sample \(count - 1) cannot be decoded: the right eye has no picture there"),
      "\(run.errors)")
    if format == "png" {
      #expect(filesBelow(folder.path).count == count)
    } else {
      #expect(run.errors.contains(": \(count - 1) pictures"))
    }
  }

  /// A series that begins behind the last picture says so, as one picture does.
  @Test(arguments: [["--all"], ["--every", "1"], []]) func nothingBehindTheEnd(_ how: [String]) throws {
    let folder = try TemporaryFolder()
    let run = mvdump(["render", "--at", "100"] + how + ["-o", folder.path + "/a.y4m", spatial])
    #expect(run.code == .unreadable && run.errors.contains("nothing is shown at 100 s"), "\(run.errors)")
    #expect(filesBelow(folder.path).isEmpty)
  }

  /// A track that is not enabled is not shown, but its number chooses it. ISO/IEC 14496-12, 8.3.2
  @Test func tracksThatAreNotEnabledAreNotShown() throws {
    let folder = try TemporaryFolder()
    var tree = try #require(try MovieFile(path: spatial).tree)
    var copy = try #require(tree["moov/trak[0]"])
    try copy.editAll(TrackHeaderBox.self) { $0.trackID = 9 }
    try tree.edit("moov/trak[0]/tkhd", TrackHeaderBox.self) { $0.flags &= ~1 }
    let id = try #require(tree["moov/trak[0]"]?.first(TrackHeaderBox.self)).trackID
    try tree.insert(copy, in: "moov")
    let path = folder.path + "/off.mov", output = folder.path + "/a.png"
    try tree.write(toFile: path)
    let run = mvdump("render", "--json", "-o", output, path)
    #expect(run.output.contains("\"track\": 9"), "\(run.output) \(run.errors)")
    let chosen = mvdump("render", "-f", "--json", "--track", "\(id)", "-o", output, path)
    #expect(chosen.output.contains("\"track\": \(id)"), "\(chosen.output) \(chosen.errors)")
  }

  /// The matrix of the movie applies after that of the track. ISO/IEC 14496-12, 8.2.2
  @Test func theMovieTurnsItsTracks() throws {
    let folder = try TemporaryFolder()
    let unit: Int32 = 0x0001_0000
    let quarter = TransformationMatrix(a: 0, b: unit, c: -unit, d: 0)
    let upright = try #require(try MovieFile(path: spatial).tracks.first)
    let picture = try upright.thumbnail(eye: .left, maximumWidth: 10_000)
    for (own, rotation) in [(TransformationMatrix(), 90), (quarter, 180)] {
      var tree = try #require(try MovieFile(path: spatial).tree)
      try tree.edit("moov/trak[0]/tkhd", TrackHeaderBox.self) { $0.matrix = own }
      try tree.edit("moov/mvhd", MovieHeaderBox.self) { $0.matrix = quarter }
      let path = folder.path + "/\(rotation).mov", png = folder.path + "/\(rotation).png"
      try tree.write(toFile: path)
      #expect(mvdump("render", "--eye", "left", "-o", png, path).code == .success)
      #expect(contents(png) == picture.oriented(try #require(PictureOrientation(rotation: rotation))).png())
      #expect(mvdump("info", path).output.contains(rotation == 90 ? "rotated 90° clockwise" : "rotated 180°"))
    }
  }

  /// What is not tagged as two eyes has none, and a step is named.
  @Test func aFlatMovieHasNoEye() throws {
    let folder = try TemporaryFolder()
    let run = mvdump("render", "--eye", "left", "-o", folder.path + "/a.png", Fixtures.path("hdr10.mp4"))
    #expect(run.code == .unreadable && run.errors.contains("there is one view"), "\(run.errors)")
    #expect(run.errors.contains("Leave out --eye") && run.errors.contains("mvedit tag --packing"))
  }
}
