// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import HEVC
import HEVCEncoding
import ISOBMFF
import MovieEditing
import MovieEncoding
import MoviePictures
import Multiview
import TestSupport
import Testing

/// Pictures are shown when they are said to be shown.
@Suite struct EncodedTimesTests {
  private let folder: TemporaryFolder
  private let format = SourceFormat(size: PictureSize(width: 16, height: 16))

  /// The least effort: what pictures look like does not matter here.
  private let settings: SpatialMovieSettings

  init() throws {
    folder = try TemporaryFolder()
    var settings = SpatialMovieSettings()
    settings.compression.effort = 1
    self.settings = settings
  }

  private func picture(_ number: Int) throws -> SourcePicture {
    try SourcePicture(format, bytes: ByteView(EncodeTests.planes(width: 16, height: 16, number)))
  }

  /// A source of two eyes whose pictures are shown at these times, the last one for as long as it is said.
  private func source(_ times: [MediaTime?], last: MediaTime? = nil) throws -> StereoSource {
    var number = 0
    return try StereoSource(format) {
      guard number < times.count else { return nil }
      defer { number += 1 }
      return StereoPictures(
        left: try picture(number), right: try picture(number + 3), time: times[number], duration: last)
    }
  }

  private func time(_ value: Int64, _ timescale: UInt32) -> MediaTime {
    MediaTime(value: value, timescale: timescale)
  }

  /// When the pictures of a movie are shown, and for how long the last one is.
  private func times(_ path: String) throws -> (starts: [MediaTime], last: MediaTime?) {
    let reader = try #require(try MovieFile(path: path).mainVideoTrack).pictures()
    var starts: [MediaTime] = [], last: MediaTime?
    while let group = try reader.next() {
      starts.append(try #require(group.presentationTime))
      last = group.duration
    }
    #expect(reader.takeProblems().isEmpty)
    return (starts, last)
  }

  /// Times that no single rate has, in several timescales; more of them than a group of pictures has.
  private var oddTimes: [MediaTime] {
    [
      time(0, 1), time(1, 24), time(1, 12), time(1_001, 7_500), time(1, 5), time(1, 4), time(500, 600),
      time(900, 1_000), time(901, 1_000), time(2, 1), time(2_001, 1_000), time(7, 2), time(4, 1),
    ]
  }

  @Test(arguments: [true, false]) func timesOfPicturesAreKept(isReordered: Bool) throws {
    let output = folder.path + "/odd.mov"
    var settings = settings
    settings.compression.allowsReordering = isReordered
    settings.checksPictures = true
    let report = try SpatialMovieWriter(try source(oddTimes, last: time(1, 3)), settings: settings)
      .write(to: output)
    #expect(report.duration == time(13, 3) && report.encoding.pictures == oddTimes.count)
    let shown = try times(output)
    #expect(shown.starts == oddTimes && shown.last == time(1, 3))
    let check = mvdump("check", "--json", output).json
    #expect(check?["classification"]?.text == "stereo")
    #expect(check?["findings"]?.elements.contains { $0["severity"]?.text == "error" } != true)
  }

  /// What is late at first is late in the movie, and what is encoded again keeps its times.
  @Test func aMovieOfOddTimesIsEncodedAgain() throws {
    let first = folder.path + "/first.mov", again = folder.path + "/again.mov"
    let late = oddTimes.map { $0 + time(1, 7) }
    try SpatialMovieWriter(try source(late), settings: settings).write(to: first)
    #expect(try times(first).starts == late)
    // As long as the one before.
    #expect(try times(first).last == time(1, 2))
    let run = mvedit(["encode", "--effort", "1", "-o", again, first])
    #expect(run.code == .success, "\(run.errors)")
    #expect(try times(again).starts == late && times(again).last == time(1, 2))
    // A rate that is asked for comes before times.
    let even = mvedit(["encode", "--fps", "30", "--effort", "1", "-f", "-o", again, first])
    #expect(even.code == .success, "\(even.errors)")
    #expect(try times(again).starts == (0..<13).map { time($0, 30) })
  }

  /// Sound that begins with the movie still begins before pictures that are late.
  @Test func soundStaysInTime() throws {
    let silent = folder.path + "/silent.mov", movie = folder.path + "/movie.mov",
      again = folder.path + "/again.mov"
    let late = oddTimes.map { $0 + time(1, 4) }
    try SpatialMovieWriter(try source(late), settings: settings).write(to: silent)
    var writer = SpatialMovieWriter(try source(late), settings: settings)
    writer.soundSource = try MovieFile(path: Fixtures.path("metadata-keys.mov"))
    try writer.write(to: movie)
    #expect(try times(movie).starts == times(silent).starts)
    let run = mvedit(["encode", "--effort", "1", "-o", again, movie])
    #expect(run.code == .success, "\(run.errors)")
    #expect(try times(again).starts == times(movie).starts)
    func edits(_ path: String) throws -> [JSONValue] {
      mvdump("info", "--json", path).json?["tracks"]?.elements.filter { $0["handler"]?.text == "soun" } ?? []
    }
    #expect(try edits(again) == edits(movie) && edits(movie).count == 1)
  }

  /// Sound is in the file near the pictures that are shown with it, whatever their rate is.
  @Test(arguments: [(4, 30), (60, 150), (0, 40)])
  func soundIsNearItsPictures(rate: UInt32, count: Int) throws {
    let long = folder.path + "/long.mov", movie = folder.path + "/near.mov"
    let short = Fixtures.path("metadata-keys.mov")
    #expect(mvedit("join", "-o", long, short, short, short, short).code == .success)
    // Without a rate, half of the pictures are fast and half are slow.
    var times: [MediaTime] = []
    for number in 0..<Int64(count) {
      if rate > 0 {
        times.append(time(number, rate))
      } else {
        times.append(number < 20 ? time(number, 60) : time(number - 19, 3))
      }
    }
    var writer = SpatialMovieWriter(try source(times), settings: settings)
    writer.soundSource = try MovieFile(path: long)
    try writer.write(to: movie)
    var places: [(offset: UInt64, time: Double, isSound: Bool)] = []
    for track in try MovieFile(path: movie).tracks where [.video, .audio].contains(track.mediaType) {
      for sample in try track.samples() {
        places.append(
          (
            sample.range.lowerBound, Double(sample.decodeTime) / Double(track.timescale),
            track.mediaType == .audio
          ))
      }
    }
    places.sort { $0.offset < $1.offset }
    var last: [Bool: Double] = [:], farthest = 0.0
    let end = try #require(times.last).seconds
    for place in places {
      last[place.isSound] = place.time
      // After the last picture, nothing but sound is left.
      if let sound = last[true], let picture = last[false], picture < end - 1 {
        farthest = max(farthest, abs(sound - picture))
      }
    }
    #expect(places.contains { $0.isSound } && farthest > 0.5 && farthest < 1.4, "\(farthest)")
  }

  /// The sound of a picture that lasts long is in chunks that are as long as others.
  @Test func soundOfALongPictureIsInChunks() throws {
    let long = folder.path + "/long.mov", movie = folder.path + "/chunks.mov"
    let short = Fixtures.path("metadata-keys.mov")
    #expect(mvedit(["join", "-o", long] + Array(repeating: short, count: 8)).code == .success)
    var writer = SpatialMovieWriter(try source([time(0, 1), time(7, 1), time(8, 1)]), settings: settings)
    writer.soundSource = try MovieFile(path: long)
    try writer.write(to: movie)
    let sound = try #require(try MovieFile(path: movie).tracks.first { $0.mediaType == .audio })
    let samples = try sound.samples()
    let rows = try #require(sound.box?["mdia/minf/stbl/stsc"]?.payload(SampleToChunkBox.self)).entries
    let most = rows.map(\.samplesPerChunk).max() ?? 0
    let seconds = Double(most) * Double(samples.sample(at: 0)?.duration ?? 0) / Double(sound.timescale)
    #expect(
      Double(samples.endTime) / Double(sound.timescale) > 4 && seconds > 0 && seconds < 1.6, "\(seconds)")
  }

  /// The interval of pictures at which decoding can begin is one of time, not of a number of pictures.
  @Test func keyPicturesFollowTimes() throws {
    let output = folder.path + "/keys.mov"
    var settings = settings
    settings.compression.maxKeyFrameIntervalDuration = 1
    settings.compression.findsSceneCuts = false
    // 0.4 seconds of fast pictures, then two a second.
    let times =
      (0..<12).map { time($0, 30) } + (0..<12).map { time(12, 30) + time($0, 2) }
    try SpatialMovieWriter(try source(times), settings: settings).write(to: output)
    let track = try #require(try MovieFile(path: output).mainVideoTrack)
    let samples = try track.samples()
    let first = samples.map(\.compositionTime).min() ?? 0
    let starts = samples.filter(\.isSync).map {
      MediaTime(value: $0.compositionTime - first, timescale: track.timescale)
    }
    #expect(starts == [0, 14, 16, 18, 20, 22].map { times[$0] })
  }

  @Test func timesThatCannotBeAreRefused() throws {
    struct Broken: Error {}
    func refusal(_ source: StereoSource) -> EncodingError? {
      let output = folder.path + "/none.mov"
      do throws(EncodingError) {
        try SpatialMovieWriter(source).write(to: output)
        return nil
      } catch {
        #expect(contents(output) == nil)
        return error
      }
    }
    let back = refusal(try source([time(0, 1), time(1, 30), time(1, 30)]))
    #expect(back?.picture == 2 && back?.kind == .unsupported)
    #expect(refusal(try source([time(-1, 30), time(1, 30)]))?.picture == 0)
    #expect(refusal(try source([time(0, 1), nil]))?.kind == .unlikePictures)
    #expect(refusal(try source([nil, nil]))?.kind == .unsupported)
    #expect(refusal(try source([time(0, 1)], last: .zero))?.picture == 0)
    #expect(refusal(try source([]))?.kind == .unreadable)
    #expect(refusal(try StereoSource(format) { throw Broken() })?.reason == "Broken()")
    #expect(refusal(try StereoSource(format) { StereoPictures(left: try picture(0)) })?.picture == 0)
    // No timescale of 31 bits has all of these.
    let scales: [UInt32] = [4_093, 4_091, 4_079, 4_073]
    let primes = refusal(
      try source(scales.enumerated().map { time(Int64($0.offset * 5_000 + 1), $0.element) }))
    #expect(primes?.reason.contains("no timescale can express") == true, "\(String(describing: primes))")
  }
}
