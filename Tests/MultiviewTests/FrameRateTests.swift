// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview
import TestSupport
import Testing

@Suite struct FrameRateTests {
  /// The media header of this file says 26 units of 1/30 s, for 24 samples of one unit each: the samples count.
  @Test func samplesAndTheirTimesMakeTheRate() throws {
    let track = try #require(try MovieFile(path: Fixtures.path("alpha-layer.mp4")).tracks.first)
    #expect(track.duration?.value == 26 && track.timescale == 30 && track.sampleCount == 24)
    #expect(track.nominalFrameRate == 30)
  }

  /// The number of samples of each duration, and the rate.
  struct Uneven: Sendable {
    let runs: [(count: Int, duration: UInt32)]
    let rate: Double
    var durations: [UInt32] { runs.flatMap { [UInt32](repeating: $0.duration, count: $0.count) } }
  }

  static let uneven: [Uneven] = [
    Uneven(runs: [(60, 20), (40, 10)], rate: 60), Uneven(runs: [(99, 20), (1, 10)], rate: 30.15),
    Uneven(runs: [(4, 20)], rate: 30), Uneven(runs: [(90, 20), (10, 1)], rate: 60_000 / 1_810),
    Uneven(runs: [(80, 20), (10, 19), (10, 21)], rate: 30),
    Uneven(runs: [(197, 20), (3, 10)], rate: 120_000 / 3_970),
  ]

  /// The rate of a playlist is the highest, and not that of a few samples, nor of rounding.
  @Test(arguments: uneven) func theHighestRate(_ uneven: Uneven) throws {
    let (durations, rate) = (uneven.durations, uneven.rate)
    var remade = try RemadeMovie(MovieFile(path: Fixtures.path("spatial.mov")))
    let samples = remade.samples[0]
    remade.samples[0] = durations.enumerated().map { index, duration in
      var sample = samples[index % samples.count]
      sample.duration = duration
      return sample
    }
    // Of a media header of version 0.
    remade.editTrack { trak in trak.patch("mdia/mdhd", at: 12, 600, width: 4) }
    for bytes in [remade.encoded(), remade.fragmented(samplesEach: 10)] {
      let found = try #require(try MovieFile(bytes: bytes).playlistAttributes?.frameRate)
      #expect(abs(found - rate) < 0.01, "\(found)")
    }
  }

  /// Raw streams have no times, and fragmented movies are measured by ffprobe from their first fragments.
  @Test(.enabled(if: Corpus.isPresent)) func asFFprobeSays() throws {
    var compared = 0
    for name in Corpus.files(with: "ffprobe.json") {
      guard let movie = try? MovieFile(path: (Corpus.folder ?? "") + "/" + name),
        movie.container.kind != .annexB, !movie.container.isFragmented,
        let json = Corpus.truth(name, "ffprobe.json").flatMap({ JSONValue($0) })
      else { continue }
      let streams = json["streams"]?.elements ?? []
      for (track, stream) in zip(movie.tracks, streams)
      where track.mediaType == .video && stream["codec_type"]?.text == "video" {
        guard let rate = stream["avg_frame_rate"]?.text?.split(separator: "/").compactMap({ Double($0) }),
          rate.count == 2, rate[1] > 0, rate[0] > 0
        else { continue }
        compared += 1
        let theirs = rate[0] / rate[1], ours = track.nominalFrameRate ?? 0
        #expect(abs(ours - theirs) < 0.000_001 * theirs, "\(name): \(ours), ffprobe \(theirs)")
      }
    }
    print("frame rates compared with ffprobe's: \(compared)")
    #expect(compared > 40)
  }

  /// The list has room for as many as it has: a count in front of it alone is none.
  @Test func syncSamplesThatAreListed() throws {
    let sound = try MovieFile(path: Fixtures.path("spatial.mov")).tracks[0].syncSampleCount
    let damaged = try BadInputTests.movie("spatial.mov") { bytes in
      let place = try BadInputTests.find("stss", in: bytes) + 8
      bytes.replaceSubrange(place..<(place + 4), with: [0xFF, 0xFF, 0xFF, 0xFF])
    }
    // The encoder of this fixture codes an I picture and three P pictures.
    #expect(sound == 1 && damaged.tracks[0].syncSampleCount == 1)
  }

  /// The fragments of a live stream begin where the stream is; what comes before is not in the file.
  @Test func partOfALiveStream() throws {
    let whole = try MovieFile(path: Fixtures.path("cmaf-hevc-sidx.mp4"))
    let part = try BadInputTests.movie("cmaf-hevc-sidx.mp4") { bytes in
      for number in 0..<8 {
        // The third of the eight bytes of baseMediaDecodeTime: 2^40 units later.
        bytes[try BadInputTests.find("tfdt", in: bytes, number: number) + 10] = 1
      }
    }
    for (track, original) in zip(part.tracks, whole.tracks) {
      #expect(try track.samples().startTime == 1 << 40)
      #expect(track.duration == original.duration)
      #expect(track.nominalFrameRate == original.nominalFrameRate)
    }
    let video = try #require(part.tracks.first)
    #expect(video.nominalFrameRate == 30 && video.duration?.seconds == 2)
    #expect(video.syncSampleCount == 4)
    #expect(try video.layerStatistics().seconds == 2)
    #expect(part.duration == whole.duration)
  }
}
