// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// What a movie that is made of a stream takes over from other movies.
@Suite struct MuxedMetadataTests {
  private let folder: TemporaryFolder
  private let date: UInt64 = 3_803_922_693

  init() throws { folder = try TemporaryFolder() }

  private func muxed(_ name: String, sound: String? = nil, metadata: String) throws -> MovieFile {
    var options = MuxOptions()
    options.frameRate = FrameRate(30)
    var muxer = StreamMuxer(source: MemoryBytes(Fixtures.bytes("two-views.hevc")), options: options)
    muxer.soundSource = try sound.map { try MovieFile(path: $0) }
    muxer.metadataSource = try MovieFile(path: metadata)
    try muxer.write(to: folder.path + "/" + name)
    return try MovieFile(path: folder.path + "/" + name)
  }

  /// A movie of pictures, sound and timed metadata that describe both. ISO/IEC 14496-12, 8.3.3
  private func described() throws -> String {
    let plain = try muxed(
      "plain.mov", sound: Fixtures.path("edit-list-trim.mp4"), metadata: Fixtures.path("timed-metadata.mov"))
    try #require(plain.tracks.map(\.mediaType) == [.video, .audio, .metadata])
    var tree = try #require(plain.tree)
    try tree.edit("moov/mvhd") { (box: inout Box) throws(ParseError) in
      try box.edit(MovieHeaderBox.self) { [date] in $0.creationTime = date }
    }
    try tree.edit("moov/trak[2]") { (trak: inout Box) throws(ParseError) in
      var reference = TrackReferenceTypeBox()
      reference.trackIDs = [1, 2]
      let box = Box("cdsc", reference, in: .box("tref"), registry: .standard)
      trak.children.insert(Box("tref", nil, children: [box], registry: .standard), at: 1)
    }
    return try folder.write("described.mov", try tree.encoded())
  }

  private func references(_ movie: MovieFile) throws -> [UInt32] {
    let track = try #require(movie.tracks.first { $0.mediaType == .metadata })
    return track.box?["tref/cdsc"]?.payload(TrackReferenceTypeBox.self)?.trackIDs ?? []
  }

  @Test func metadataDescribeTheNewPictures() throws {
    let path = try described()
    #expect(try references(muxed("one.mov", metadata: path)) == [1])
    // Sound and metadata of one movie keep what they refer to of each other.
    let both = try muxed("both.mov", sound: path, metadata: path)
    #expect(try references(both) == [1, 2])
    #expect(both.tracks.map(\.mediaType) == [.video, .audio, .metadata])
    #expect(both.check().findings.filter { $0.severity == .error && $0.rule.id != "MV016" }.isEmpty)
  }

  @Test func theDateIsThatOfAllHeaders() throws {
    let movie = try muxed("dated.mov", metadata: try described())
    let tree = try #require(movie.tree)
    #expect(tree["moov/mvhd"]?.payload(MovieHeaderBox.self)?.creationTime == date)
    #expect(tree["moov/trak/tkhd"]?.payload(TrackHeaderBox.self)?.creationTime == date)
    #expect(tree["moov/trak/mdia/mdhd"]?.payload(MediaHeaderBox.self)?.creationTime == date)
  }
}
