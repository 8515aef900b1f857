// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// What an index of fragments says of times and of access points. ISO/IEC 14496-12, 8.16.3 and Annex I
@Suite struct FragmentIndexTests {
  private func index(
    _ movie: MovieFile, lasting seconds: MediaTime = MediaTime(value: 2, timescale: 1)
  ) throws -> SegmentIndexBox {
    var fragmenter = try MovieFragmenter(movie)
    fragmenter.duration = seconds
    fragmenter.writesIndex = true
    return try #require(
      fragmenter.plannedMovie().tree?.first("sidx")?.payload(SegmentIndexBox.self))
  }

  private func editList(_ entries: [(UInt32, Int32)]) -> PlainBox {
    let rows: [UInt8] = entries.flatMap { duration, media -> [UInt8] in
      PlainBox.bytes(UInt64(duration), 4) + PlainBox.bytes(UInt64(UInt32(bitPattern: media)), 4) + [
        0, 1, 0, 0,
      ]
    }
    return PlainBox(
      "edts", [], [PlainBox("elst", [0, 0, 0, 0] + PlainBox.bytes(UInt64(entries.count), 4) + rows)])
  }

  /// Presentation times count what is empty before the media: 3 s, and the media from 5/30 s on.
  @Test func emptyEditsPutThePresentationOff() throws {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    let edits = editList([(1_800, -1), (20, 1)])
    remade.editTrack { trak in
      trak.children.insert(edits, at: trak.children.firstIndex { $0.type == "mdia" } ?? 0)
    }
    let box = try index(MovieFile(bytes: remade.encoded()))
    // 90 units of nothing; the first sample is composed a unit before the edit begins.
    #expect(box.timescale == 30 && box.earliestPresentationTime == 89)
  }

  @Test func whatIsNoSyncSampleIsNoAccessPoint() throws {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    remade.samples[0][0].isSync = false
    remade.samples[0][2].isSync = true
    let box = try index(MovieFile(bytes: remade.encoded()), lasting: MediaTime(value: 1, timescale: 30))
    #expect(box.references.map(\.startsWithSAP) == [false, true])
    #expect(box.references.map(\.sapType) == [0, 1])
  }

  /// What is composed before its sync sample can be decoded where the group is closed (type 2); in an open one it cannot (type 3).
  @Test(.enabled(if: Corpus.isPresent), arguments: [("idr_radl", 2), ("cra_open", 3)])
  func whatLeadsDecidesOnTheType(name: String, type: UInt8) throws {
    var options = MuxOptions()
    options.frameRate = FrameRate(25)
    options.listsOpenAccessPoints = true
    let muxer = StreamMuxer(
      source: try FileBytes(path: try #require(Corpus.folder) + "/pictures/\(name).bit"), options: options)
    let box = try index(muxer.draftMovie().movie, lasting: MediaTime(value: 1, timescale: 25))
    let types = Set(box.references.map(\.sapType))
    #expect(box.references.count > 1 && types.subtracting([1]) == [type], "\(types)")
    #expect(box.references.allSatisfy { $0.startsWithSAP })
    // From the picture itself on, pictures of an open group are right: it comes that much later than those that lead.
    for row in box.references { #expect((row.sapDeltaTime > 0) == (row.sapType == 3)) }
  }

  /// A picture that the group `rap ` names is no sync sample, and an access point all the same. ISO/IEC 14496-12, 10.4
  @Test(.enabled(if: Corpus.isPresent)) func openAccessPointsOfAGroupAreOfTypeThree() throws {
    let corpus = try #require(Corpus.folder)
    let movie = try MovieFile(path: corpus + "/mvhevc/a320_opengop_gpac.mp4")
    let track = try #require(movie.mainVideoTrack)
    let samples = try track.samples()
    let open = try #require(samples.first { !$0.isSync && track.isOpenAccessPoint($0) })
    // The same movie without its first group, so that a fragment begins with that picture.
    var remade = try RemadeMovie(movie)
    let groups = PlainBox(
      "sbgp",
      [0, 0, 0, 0] + Array("rap ".utf8) + PlainBox.bytes(1, 4) + PlainBox.bytes(1, 4) + PlainBox.bytes(1, 4))
    remade.samples[0].removeFirst(open.index)
    remade.editTrack { trak in
      trak.edit("mdia/minf/stbl") { stbl in
        stbl.children.removeAll { $0.type == "sbgp" && Array($0.fields[4..<8]) == Array("rap ".utf8) }
        stbl.children.append(groups)
      }
      trak.remove(["edts"], in: "")
    }
    let box = try index(MovieFile(bytes: remade.encoded()))
    #expect(box.references.map(\.sapType) == [3] && box.references[0].startsWithSAP)
  }
}

/// Where fragments end that the main track does not decide on.
@Suite struct FragmentEndTests {
  private func starts(_ movie: MovieFile, _ track: Int) throws -> [[Double]] {
    let tree = try #require(movie.tree)
    let id = movie.tracks[track].id
    return tree.boxes.filter { $0.type == "moof" }.map { moof in
      moof.all("traf").filter { $0.first(TrackFragmentHeaderBox.self)?.trackID == id }.compactMap {
        $0.first(TrackFragmentDecodeTimeBox.self).map {
          Double($0.baseMediaDecodeTime) / Double(movie.tracks[track].timescale)
        }
      }
    }
  }

  /// Two seconds of pictures, and two minutes of sound.
  @Test func soundAfterTheEndOfTheVideoIsInFragmentsAsLong() throws {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("metadata-keys.mov")))
    remade.editTracks { _, trak in trak.remove(["edts"], in: "") }
    let sound = remade.samples[1]
    for _ in 1..<60 { remade.samples[1] += sound }
    let movie = try MovieFile(bytes: remade.encoded())
    var fragmenter = try MovieFragmenter(movie)
    fragmenter.writesIndex = true
    let report = try fragmenter.plannedReport()
    // 60 times 94 packets of 1024/48000 s and one of 768 are 121.28 s.
    #expect(report.fragments == 61 && report.notices == [])
    #expect(abs(report.longest.seconds - 2) < 0.03)
    let made = try fragmenter.plannedMovie()
    for (number, times) in try starts(made, 1).enumerated() {
      #expect(times.count == 1 && abs(times[0] - 2 * Double(number)) < 0.03, "fragment \(number)")
    }
    #expect(try starts(made, 0).map(\.count) == [1] + Array(repeating: 0, count: 60))
    // The index says how long they last, and that no picture is in them at which playing could begin.
    let index = try #require(made.tree?.first("sidx")?.payload(SegmentIndexBox.self))
    #expect(index.references.map(\.sapType) == [1] + Array(repeating: 0, count: 60))
    // The first picture is composed 1024/15360 s after it is decoded.
    let total = index.references.reduce(0) { $0 + Int($1.subsegmentDuration) }
    #expect(abs(Double(total) / 15_360 - (121.28 - 1_024.0 / 15_360)) < 1e-4)
    #expect(
      try ShownSamples(made.tracks[1], of: made).difference(
        ShownSamples(movie.tracks[1], of: movie), within: 1e-9) == nil)
  }

  /// A short rest is in the last fragment of the video, as it is of every movie whose sound lasts a packet longer.
  @Test func aShortRestMakesNoFragmentOfItsOwn() throws {
    let movie = try MovieFile(path: Fixtures.path("metadata-keys.mov"))
    #expect(try MovieFragmenter(movie).plannedReport().fragments == 1)
  }

  /// The sound of a stream that began before its video.
  @Test func soundBeforeTheVideoIsInFragmentsAsLong() throws {
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("metadata-keys.mov")))
    remade.editTracks { _, trak in trak.remove(["edts"], in: "") }
    let sound = remade.samples[1]
    for _ in 1..<10 { remade.samples[1] += sound }
    // The video begins at 19 s; the sound ends at 20.27 s.
    let movie = try MovieFile(
      bytes: remade.fragmented(samplesEach: 1_000, startTimes: [19 * 15_360, 0, 19 * 384_000]))
    let made = try MovieFragmenter(movie).plannedMovie()
    let times = try starts(made, 1)
    // 0, 2 … 16, and from 18 on with the video.
    #expect(times.count == 10)
    for (number, time) in zip(times.indices, times) {
      #expect(time.count == 1 && abs(time[0] - 2 * Double(number)) < 0.03, "fragment \(number)")
    }
    #expect(try starts(made, 0).map(\.count) == Array(repeating: 0, count: 9) + [1])
    for index in 0..<3 {
      #expect(
        try ShownSamples(made.tracks[index], of: made).difference(
          ShownSamples(movie.tracks[index], of: movie), within: 1e-9) == nil)
    }
  }
}
