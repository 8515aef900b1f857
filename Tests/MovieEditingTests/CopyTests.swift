// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Tags that a tool has lost are brought back from the original, or from any movie that has them.
@Suite struct CopyTests {
  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: [
      "mvhevc/stereo_spatial_ffmpeg_unofficial.mov", "mvhevc/stereo_spatial_gpac.mp4",
      "mvhevc/stereo_spatial_ffmpeg_frag.mp4", "mvhevc/stereo_spatial_gpac_frag.mp4",
      "mvhevc/a320_default_gpac.mp4",
    ])
  func tagsOfTheOriginalComeBack(name: String) throws {
    let corpus = try #require(Corpus.folder)
    let folder = try TemporaryFolder()
    for donor in ["apple/stereo_spatial.mp4", "apple/iphone15promax.mov"] {
      let original = try MovieFile(path: corpus + "/" + donor)
      var editor = try MovieEditor(path: corpus + "/" + name)
      editor.allowsContradictions = true
      try editor.copyTags(from: original)
      let output = folder.path + "/out"
      try editor.write(
        to: output,
        options: {
          var o = MovieWriteOptions(); o.isOverwriting = true; return o
        }())
      let fixed = try MovieFile(path: output)
      let track = try #require(fixed.tracks.first { $0.layers.count > 1 } ?? fixed.tracks.first)
      let (new, old) = (track.formatDescriptions[0], original.tracks[0].formatDescriptions[0])
      #expect(StereoTags(new.stereo) == StereoTags(old.stereo), "\(name) from \(donor)")
      for type in ["vexu", "hfov"] as [FourCC] {
        #expect(new.box.first(type)?.bytes == old.box.first(type)?.bytes, "\(name) from \(donor)")
      }
      if track.layers.count > 1 { #expect(fixed.check().classification == .spatial, "\(name) from \(donor)") }
      let spatial = original.metadata.items.filter { EditedMetadata.isSpatial($0.key) }
      for item in spatial { #expect(fixed.metadata[item.key]?.value == item.value) }
    }
  }

  /// A movie without the boxes that older tools lose.
  private func stripped(_ path: String, of types: [String], to folder: TemporaryFolder) throws -> String {
    var tree = try BoxTree(FileBytes(path: path), registry: .standard)
    for type in types {
      try tree.remove(try #require(BoxPath("moov/trak[0]/mdia/minf/stbl/stsd/hvc1/" + type)))
    }
    let out = folder.path + "/stripped"
    try tree.write(toFile: out, overwriting: true)
    return out
  }

  /// Programs that know one layer copy the samples whole, and lose the configuration of the second layer with the tags.
  @Test(arguments: [["vexu", "hfov"], ["vexu", "hfov", "lhvC"]]) func theSecondLayerComesBack(types: [String])
    throws
  {
    let folder = try TemporaryFolder()
    var originals = [Fixtures.path("spatial.mov")]
    if let corpus = Corpus.folder {
      originals += ["apple/iphone15promax.mov", "apple/stereo_spatial.mp4"].map { corpus + "/" + $0 }
    }
    for path in originals {
      let original = try MovieFile(path: path)
      let lost = try stripped(path, of: types, to: folder)
      #expect(try MovieFile(path: lost).check().classification != .spatial, "\(path)")
      var editor = try MovieEditor(path: lost)
      try editor.copyTags(from: original)
      #expect(editor.changes.contains { $0.name == "layers" } == types.contains("lhvC"), "\(path)")
      let fixed = folder.path + "/fixed"
      if filesBelow(folder.path).contains("fixed") { try FileManager.default.removeItem(atPath: fixed) }
      try editor.write(to: fixed)
      let movie = try MovieFile(path: fixed)
      #expect(movie.check().classification == .spatial, "\(path)")
      for type in ["hvcC", "lhvC", "vexu", "hfov"] as [FourCC] {
        let boxes = [movie, original].map { $0.tracks[0].formatDescriptions[0].box.first(type)?.bytes }
        #expect(boxes[0] == boxes[1] && boxes[0] != nil, "\(path) \(type)")
      }
      #expect(MovieRules.newBreaches(contents(fixed) ?? [], since: contents(path) ?? []) == [], "\(path)")
    }
  }

  /// Of another stream the configuration says nothing: it is not taken, and without it the movie is not spatial.
  @Test(.enabled(if: Corpus.isPresent)) func theSecondLayerOfAnotherStreamStaysThere() throws {
    let folder = try TemporaryFolder()
    let corpus = try #require(Corpus.folder)
    let lost = try stripped(Fixtures.path("spatial.mov"), of: ["vexu", "hfov", "lhvC"], to: folder)
    let other = try MovieFile(path: corpus + "/apple/iphone15promax.mov")
    var editor = try MovieEditor(path: lost)
    let error = #expect(throws: EditError.self) { try editor.copyTags(from: other) }
    #expect(error?.kind == .contradiction && error?.reason.contains("lhvC") == true)
    // Who wants it nevertheless gets the tags alone.
    editor = try MovieEditor(path: lost)
    editor.allowsContradictions = true
    try editor.copyTags(from: other)
    #expect(!editor.changes.contains { $0.name == "layers" })
    try editor.write(to: folder.path + "/fixed")
    let fixed = try MovieFile(path: folder.path + "/fixed")
    #expect(fixed.tracks[0].formatDescriptions[0].box.first("lhvC") == nil)
    #expect(fixed.tracks[0].formatDescriptions[0].stereo.baseline == .millimeters(19.24))
    #expect(fixed.check().verdicts.first { $0.target == .spatial }?.outcome != .pass)
  }

  @Test func keysNeedTheOnlyMetaOfTheMovie() throws {
    var tree = try #require(try MovieFile(path: Fixtures.path("hdr10.mp4")).tree)
    let index = try #require(tree.boxes.firstIndex { $0.type == "moov" })
    let handler = Box("hdlr", HandlerBox("ID32", name: ""), in: .box("meta"), registry: .standard)
    tree.boxes[index].children.append(
      Box("meta", MetaBox(), children: [handler], in: .box("moov"), registry: .standard))
    let folder = try TemporaryFolder()
    let path = folder.path + "/tagged.mp4"
    try tree.write(toFile: path)
    var editor = try MovieEditor(path: path)
    editor.metadata[.spatialFormatVersion] = .text("1.0")
    let error = #expect(throws: EditError.self) { try editor.write(to: folder.path + "/none.mp4") }
    #expect(error?.kind == .refused)
    #expect(
      error?.reason
        == "keys cannot be added: moov/meta holds other metadata (ID32), and a movie can have only one meta"
    )
    // What needs no key is written, and the other metadata stays.
    editor.metadata[.spatialFormatVersion] = nil
    editor.setCreationDate(try #require(CreationDate("2024-05-01")))
    try editor.write(to: folder.path + "/dated.mp4")
    let boxes = try #require(MovieFile(path: folder.path + "/dated.mp4").tree?.first("moov")).children
    #expect(boxes.filter { $0.type == "meta" }.map { $0.first(HandlerBox.self)?.handlerType } == ["ID32"])
  }

  /// Without version and flags in MP4, too: other tools do not find them in the other form.
  @Test func keysAreWrittenInOneForm() throws {
    let folder = try TemporaryFolder()
    for name in ["spatial.mov", "hdr10.mp4", "timecode.mov"] {
      var editor = try MovieEditor(path: Fixtures.path(name))
      let before = editor.movie.metadata.items.map(\.description)
      editor.metadata[.spatialFormatVersion] = .text("1.0")
      editor.metadata[.spatialAggressorsSeen] = editor.metadata.value(of: "0", for: .spatialAggressorsSeen)
      let output = folder.path + "/" + name
      try editor.write(to: output)
      let movie = try MovieFile(path: output)
      #expect(movie.metadata[.spatialFormatVersion]?.stringValue == "1.0", "\(name)")
      #expect(movie.metadata[.spatialAggressorsSeen]?.value == .integer(0), "\(name)")
      #expect(movie.metadata.items.count == before.count + 2)
      let meta = try #require(movie.tree?["moov/meta"])
      #expect(meta.body.fourCC(at: 4) == "hdlr", "\(name)")
      var back = try MovieEditor(path: output)
      back.removeAllTags()
      back.metadata[.spatialFormatVersion] = nil
      var bare = try MovieEditor(path: Fixtures.path(name))
      bare.removeAllTags()
      try back.write(to: output + ".back")
      try bare.write(to: output + ".bare")
      #expect(contents(output + ".back") == contents(output + ".bare"), "\(name)")
    }
  }

  @Test func theOrderOfTheEyesIsReversedInTheMessageToo() throws {
    let folder = try TemporaryFolder()
    let path = Fixtures.path("spatial.mov")
    let before = try MovieFile(path: path)
    let eyes = before.tracks[0].layers.map(\.eye)
    var editor = try MovieEditor(path: path)
    #expect(editor.tracks[0].entries[0].hasEyeMessage)
    editor.tracks[0].entries[0].swapEyes(inMessage: true)
    editor.allowsContradictions = true
    let output = folder.path + "/swapped"
    try editor.write(to: output)
    let swapped = try MovieFile(path: output)
    let record = try #require(swapped.tracks[0].formatDescriptions[0].hevcConfiguration)
    let old = try #require(before.tracks[0].formatDescriptions[0].hevcConfiguration)
    #expect(record.nalUnits.map(\.bytes.count) == old.nalUnits.map(\.bytes.count) && record != old)
    #expect(swapped.tracks[0].formatDescriptions[0].stereo.eyeViewsReversed == true)
    // The same again is the first file.
    var back = try MovieEditor(path: output)
    back.allowsContradictions = true
    back.tracks[0].entries[0].swapEyes(inMessage: true)
    try back.write(to: output + "2")
    let again = try MovieFile(path: output + "2")
    #expect(again.tracks[0].formatDescriptions[0].hevcConfiguration == old)
    #expect(again.tracks[0].layers.map(\.eye) == eyes)
  }
}
