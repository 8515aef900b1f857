// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import Foundation
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// Movies whose groups of pictures are open: decoding can begin at samples that are no sync samples, in the group `rap ` or, in
/// QuickTime, in the list `stps`. ISO/IEC 14496-12, 10.4; QuickTime File Format, "Partial sync sample atom"
@Suite struct OpenGroupTests {
  /// How a movie names the samples that begin open groups.
  enum Form: CaseIterable { case group, partialSync }

  /// The number of samples of each group, and of those before the first open one; and that of open groups.
  private static let (length, first, groups) = (14, 13, 20)

  /// A movie with one sync sample, and twenty open groups, each of which begins with a CRA picture and two that lead it.
  private func movie(_ form: Form) throws -> MovieFile {
    let source = try MovieFile(path: Fixtures.path("cmaf-hevc-sidx.mp4"))
    var remade = try RemadeMovie(MovieFlattener(source).plannedMovie())
    remade.dropOtherTracks()
    let (first, length) = (Self.first, Self.length)
    var group = Array(remade.samples[0][first..<(first + length)])
    group[0].isSync = false
    remade.samples[0] = Array(remade.samples[0][..<first])
    for _ in 0..<Self.groups { remade.samples[0] += group }
    let count = UInt64(remade.samples[0].count)
    func number(_ value: Int) -> [UInt8] { PlainBox.bytes(UInt64(value), 4) }
    var boxes: [PlainBox] = []
    switch form {
    case .group:
      let runs = (0..<Self.groups).flatMap { _ in number(1) + number(1) + number(length - 1) + number(0) }
      boxes = [
        PlainBox(
          "sgpd", [1, 0, 0, 0] + Array("rap ".utf8) + number(1) + number(1) + [0x80 | 2]),
        PlainBox(
          "sbgp",
          [0, 0, 0, 0] + Array("rap ".utf8) + number(1 + 2 * Self.groups) + number(first) + number(0) + runs),
      ]
    case .partialSync:
      let list = (0..<Self.groups).flatMap { number(first + $0 * length + 1) }
      boxes = [PlainBox("stps", [0, 0, 0, 0] + number(Self.groups) + list)]
    }
    remade.editTrack { trak in
      trak.remove(["edts"], in: "")
      trak.edit("mdia/minf/stbl") { stbl in
        stbl.children.removeAll { ["sgpd", "sbgp"].contains($0.type) }
        stbl.children += boxes
      }
      trak.patch("mdia/mdhd", at: 16, count * 512)
    }
    return try MovieFile(bytes: remade.encoded())
  }

  /// The type of the first NAL unit with a slice.
  private func type(_ sample: Sample, _ movie: MovieFile) throws -> UInt8? {
    let bytes = try movie.source.read(sample.range).array
    var place = 0
    while place + 4 < bytes.count {
      let type = bytes[place + 4] >> 1 & 63
      if type < 32 { return type }
      place += 4 + Int(PlainBox.number(bytes[place..<(place + 4)]))
    }
    return nil
  }

  @Test(arguments: Form.allCases) func aPartBeginsWithItsOwnGroup(form: Form) throws {
    let movie = try movie(form)
    let old = try #require(movie.mainVideoTrack)
    var trimmer = try MovieTrimmer(movie)
    // The middle of the eleventh open group, and the end of the next one.
    let start = Self.first + 10 * Self.length + 7
    (trimmer.start, trimmer.end) = (.picture(start), .picture(start + 15))
    let report = try trimmer.plannedReport()
    #expect(report.tracks[0].hiddenSamples < Self.length)
    #expect(!report.notices.contains { $0.kind == "lacksStart" })
    let made = try trimmer.plannedMovie()
    let new = try #require(made.mainVideoTrack)
    let wanted = try ShownSamples(old, of: movie).part(
      report.range.lowerBound.seconds, report.range.upperBound.seconds)
    #expect(try ShownSamples(new, of: made).difference(wanted, within: 1e-6) == nil)
    // Decoding begins with a CRA picture (21), which is a sync sample as the first one of a movie, and only once.
    let samples = try Array(new.samples())
    #expect(try type(samples[0], made) == 21)
    #expect(samples[0].isSync && !samples[0].isPartialSync)
    #expect(samples.dropFirst().allSatisfy { !$0.isSync })
    // The next group begins as it did.
    let open = samples.filter { new.isOpenAccessPoint($0) }
    #expect(open.map(\.index) == [Self.length])
  }

  @Test func partsBecomeBrokenLinksAndSyncSamples() throws {
    let movie = try movie(.group)
    var trimmer = try MovieTrimmer(movie)
    let later = Self.first + 5 * Self.length + 6
    trimmer.parts = [
      .init(from: .picture(0), to: .picture(5)), .init(from: .picture(later), to: .picture(later + 4)),
    ]
    let made = try trimmer.plannedMovie()
    let samples = try Array(#require(made.mainVideoTrack).samples())
    let sync = samples.filter(\.isSync)
    #expect(try sync.map { try type($0, made) } == [type(samples[0], made), 16])
    #expect(samples.count < 5 + 3 + 2 * Self.length)
  }

  @Test(arguments: Form.allCases) func partsExtendToTheirGroups(form: Form) throws {
    let movie = try movie(form)
    var trimmer = try MovieTrimmer(movie)
    let start = Self.first + 10 * Self.length + 7
    (trimmer.start, trimmer.end) = (.picture(start), .picture(start + 2))
    trimmer.snapsToSyncSamples = true
    let report = try trimmer.plannedReport()
    #expect(report.duration.seconds < 1.01 * Double(Self.length) / 30)
    #expect(report.tracks[0].hiddenSamples <= 2)
  }

  @Test(arguments: Form.allCases) func fragmentsBeginWithOpenGroups(form: Form) throws {
    let movie = try movie(form)
    var fragmenter = try MovieFragmenter(movie)
    fragmenter.duration = MediaTime(value: 4, timescale: 10)
    let report = try fragmenter.plannedReport()
    #expect(report.fragments == 1 + Self.groups && report.notices == [])
    let made = try fragmenter.plannedMovie()
    let (old, new) = (try #require(movie.mainVideoTrack), try #require(made.mainVideoTrack))
    let shown = try ShownSamples(new, of: made)
    #expect(try shown.difference(ShownSamples(old, of: movie), within: 1e-6) == nil)
    // The group tells what the samples are, and they are no sync samples.
    let open = try new.samples().filter { new.isOpenAccessPoint($0) }
    #expect(open.map(\.index) == (0..<Self.groups).map { Self.first + $0 * Self.length })
    #expect(open.allSatisfy { !$0.isSync })
    let fragments = made.tree?.boxes.filter { $0.type == "moof" } ?? []
    #expect(fragments.dropFirst().allSatisfy { $0["traf/sbgp"] != nil })
  }

  /// Where a sync sample is near, a fragment rather begins with that.
  @Test func fragmentsBeginWithSyncSamplesThatAreNear() throws {
    let movie = try movie(.group)
    var remade = try RemadeMovie(movie)
    for index in stride(from: Self.first + Self.length, to: remade.samples[0].count, by: 2 * Self.length) {
      remade.samples[0][index].isSync = true
    }
    var fragmenter = try MovieFragmenter(MovieFile(bytes: remade.encoded()))
    fragmenter.duration = MediaTime(value: 1, timescale: 2)
    let made = try fragmenter.plannedMovie()
    let track = try #require(made.mainVideoTrack)
    var starts = [0]
    for moof in made.tree?.boxes ?? [] where moof.type == "moof" {
      starts.append(
        (starts.last ?? 0)
          + (moof.first("traf")?.all("trun") ?? []).reduce(0) {
            $0 + ($1.payload(TrackRunBox.self)?.rows.count ?? 0)
          })
    }
    let samples = try Array(track.samples())
    #expect(starts.count > 8)
    #expect(starts.dropLast().allSatisfy { samples[$0].isSync })
  }

  @Test func segmentsThatBeginOpenAreNotIndependent() throws {
    let folder = try TemporaryFolder()
    var packager = try MoviePackager([movie(.group)])
    packager.duration = MediaTime(value: 4, timescale: 10)
    let report = try packager.write(to: folder.path + "/stream")
    #expect(report.renditions.map(\.segments) == [1 + Self.groups])
    #expect(
      report.notices.contains { $0.message.contains("20 of 21 segments have pictures that need the segment") }
    )
    for name in ["master.m3u8", "video1/media.m3u8"] {
      let text = try String(contentsOfFile: folder.path + "/stream/" + name, encoding: .utf8)
      #expect(!text.contains("EXT-X-INDEPENDENT-SEGMENTS"), "\(name)")
    }
  }

  /// An index begins where something is presented, however much of the first fragment is hidden.
  @Test func anIndexLeavesOutWhatIsHidden() throws {
    var trimmer = try MovieTrimmer(movie(.group))
    let start = Self.first + 10 * Self.length + 7
    trimmer.start = .picture(start)
    let part = try trimmer.plannedMovie()
    var fragmenter = try MovieFragmenter(part)
    fragmenter.duration = MediaTime(value: 4, timescale: 10)
    fragmenter.writesIndex = true
    let made = try fragmenter.plannedMovie()
    let index = try #require(made.tree?.first("sidx")?.payload(SegmentIndexBox.self))
    let total = index.references.reduce(0.0) { $0 + Double($1.subsegmentDuration) } / Double(index.timescale)
    let shown = try ShownSamples(#require(part.mainVideoTrack), of: part)
    #expect(index.earliestPresentationTime == 0)
    // The second fragment begins with the first of the pictures that lead its CRA picture.
    let second = try Array(#require(part.mainVideoTrack).samples())[Self.length...].prefix(3)
    let edit = try #require(part.mainVideoTrack?.editListBox?.entries.first)
    let wanted = try #require(second.map(\.compositionTime).min()) - edit.mediaTime
    #expect(Int64(index.references[0].subsegmentDuration) == wanted)
    #expect(abs(total - (shown.spans.last?.end ?? 0)) < 0.1)
  }
}

/// Parts of AVC, whose pictures count on from those before except at IDR pictures. ISO/IEC 14496-10, 7.4.3
@Suite struct AVCPartTests {
  /// A movie of groups of five samples, some of which begin with an IDR picture (5), the others with another one (1).
  private func movie(_ types: [UInt8]) throws -> MovieFile {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("metadata-keys.mov")))
    remade.dropOtherTracks()
    let record = PlainBox("avcC", [1, 66, 0, 30, 0xFF, 0xE0, 0])
    remade.editEntry { entry in
      entry.type = "avc1"
      entry.children = [record]
    }
    remade.editTrack { $0.remove(["edts", "tref"], in: "") }
    remade.samples[0] = types.flatMap { type in
      (0..<5).map { number -> RemadeMovie.Sample in
        // An access unit delimiter precedes the slice.
        var sample = RemadeMovie.Sample([], duration: 20, isSync: number == 0)
        sample.units = [[9, 0x10], [number == 0 ? 0x60 | type : 0x41, UInt8(number)]]
        return sample
      }
    }
    return try MovieFile(bytes: remade.encoded())
  }

  @Test func laterPartsBeginWithIDRPictures() throws {
    let movie = try movie([5, 1, 5, 1, 1, 1])
    var trimmer = try MovieTrimmer(movie)
    trimmer.parts = [.init(from: .picture(0), to: .picture(3)), .init(from: .picture(22), to: .picture(24))]
    let made = try trimmer.plannedMovie()
    let samples = try Array(#require(made.mainVideoTrack).samples())
    // The first three, and those from the second IDR picture on; the others at which readers would begin are no sync samples.
    #expect(samples.count == 3 + (24 - 10))
    #expect(samples.filter(\.isSync).map(\.index) == [0, 3])
    let old = try ShownSamples(#require(movie.mainVideoTrack), of: movie)
    let tick = try trimmer.plannedReport().ranges
    #expect(tick.count == 2)
    var wanted = old.part(tick[0].lowerBound.seconds, tick[0].upperBound.seconds)
    let length = (tick[0].upperBound - tick[0].lowerBound).seconds
    for var span in old.part(tick[1].lowerBound.seconds, tick[1].upperBound.seconds).spans {
      (span.start, span.end) = (span.start + length, span.end + length)
      wanted.add(span)
    }
    #expect(try ShownSamples(#require(made.mainVideoTrack), of: made).difference(wanted, within: 1e-6) == nil)
    // A part that begins with another picture goes on to the next.
    trimmer.parts[0] = .init(from: .picture(6), to: .picture(8))
    trimmer.parts[1] = .init(from: .picture(16), to: .picture(18))
    var later = try MovieTrimmer(self.movie([5, 1, 1, 1]))
    later.parts = trimmer.parts
    let rest = try Array(#require(later.plannedMovie().mainVideoTrack).samples())
    #expect(rest.count == 18 - 5 && rest.filter(\.isSync).map(\.index) == [0])
    // The first part may begin with any sync sample.
    var first = try MovieTrimmer(movie)
    first.start = .picture(22)
    #expect(try first.plannedMovie().mainVideoTrack?.sampleCount == 10)
  }
}
