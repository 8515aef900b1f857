// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import MovieEditing
import Multiview
import TestSupport

extension FuzzTarget {
  static let compose = FuzzTarget(
    "FuzzCompose",
    "A movie that is cut, joined, split and merged, or whose sound is copied: what is made opens, lasts as long as was asked, and its samples are in it.",
    countsAllocations: false,
    seeds: {
      (FuzzSeeds.movies(whole: true) + FuzzSeeds.smallMovies()).map { name, bytes in
        (name, bytes + [UInt8](repeating: UInt8(truncatingIfNeeded: name.utf8.count), count: seedBytes))
      }
    },
    mutator: { mutation in
      // The last bytes choose what is done; the rest is a movie.
      let choice = Array(mutation.bytes.suffix(seedBytes))
      mutation.bytes.removeLast(choice.count)
      if mutation.chance(3) {
        mutation.bytes += choice.map { _ in UInt8.random(in: 0...255, using: &mutation.random) }
      } else {
        mutateBoxes(&mutation)
        mutation.bytes += choice
      }
    },
    readings: 32
  ) { bytes, findings in
    var limits = Limits.standard
    limits.maximumSamples = 1 << 12
    let movieBytes = bytes.prefix(max(0, bytes.count - seedBytes))
    guard let movie = try? MovieFile(source: MemoryBytes(movieBytes), limits: limits) else { return }
    var random = SeededGenerator(
      seed: bytes.suffix(from: movieBytes.count).array.reduce(11) { $0 &* 257 &+ UInt64($1) })
    do throws(EditError) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: findings.check(try MovieSplitter(movie).plannedMovie())
      case 1: findings.check(try MovieMerger(movie).plannedMovie())
      case 2:
        // A movie of one layer stays what it is, with what is wrong with it.
        let stripper = try MovieStripper(movie)
        guard try !stripper.plannedReport().unitsLeftOut.isEmpty else { break }
        findings.check(try stripper.plannedMovie())
      case 3: findings.check(try MovieJoiner([movie, movie]).plannedMovie())
      case 4:
        var options = MuxOptions()
        options.frameRate = FrameRate(30)
        var muxer = StreamMuxer(source: MemoryBytes(stream), options: options)
        muxer.soundSource = movie
        findings.checkSound(of: movie, try muxer.draftMovie().movie)
      default:
        let composition = try composed(of: movie, &random)
        let made = try composition.plannedMovie()
        findings.check(made)
        findings.checkTimes(composition, made)
      }
    } catch { findings.expect(!error.reason.isEmpty, "refused without a reason") }
  }

  private static let seedBytes = 8
  /// A stream beside which sound is copied: one of which a movie can be made.
  private static let stream = ByteView(
    FuzzSeeds.streams(prefix: [], size: 1_500).first { $0.0 == "three-views.hevc" }?.1 ?? [])

  /// Some edits of a movie.
  private static func composed(
    of movie: MovieFile, _ random: inout SeededGenerator
  ) throws(EditError) -> Composition {
    var composition = try Composition(movie)
    let full = composition.duration
    func time() -> MediaTime {
      let scale = [full.timescale, 1, 600, 48_000, .max].randomElement(using: &random) ?? 1
      let ticks = max(0, min(full.converted(to: scale).value, .max / 2))
      return MediaTime(value: Int64.random(in: 0...(ticks + 1), using: &random), timescale: scale)
    }
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let (first, second) = (time(), time())
      let range = min(first, second)..<max(first, second)
      do throws(EditError) {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: composition.removeTimeRange(range)
        case 1: composition.insertEmptyTimeRange(range)
        case 2: try composition.scaleTimeRange(range, toDuration: time())
        case 3:
          guard let index = composition.tracks.indices.randomElement(using: &random) else { continue }
          composition.tracks[index].removeTimeRange(range)
        default: try composition.insertTimeRange(range, of: movie, at: time())
        }
      } catch { continue }
    }
    return composition
  }
}

extension FuzzFindings {
  /// Whether what was made is a movie whose samples are in its file.
  fileprivate mutating func check(_ movie: MovieFile) {
    guard let size = movie.source.size else { return note("the size is not known") }
    expect(!movie.tracks.isEmpty, "there are no tracks")
    for track in movie.tracks {
      guard let samples = try? track.samples() else {
        note("the samples of track \(track.id) cannot be read")
        continue
      }
      var time: Int64 = 0
      for sample in samples where !track.externalMedia.contains(sample.descriptionIndex) {
        expect(
          sample.range.upperBound <= size, "sample \(sample.index) of track \(track.id) is beyond the end")
        expect(
          sample.decodeTime >= time, "sample \(sample.index) of track \(track.id) is decoded before others")
        time = sample.decodeTime
      }
    }
  }

  /// Whether copied sound has the bytes that it was copied from.
  fileprivate mutating func checkSound(of old: MovieFile, _ new: MovieFile) {
    check(new)
    let sound = { (movie: MovieFile) in movie.tracks.filter { $0.mediaType == .audio } }
    for (from, to) in zip(sound(old), sound(new)) {
      guard let (some, others) = try? (from.samples(), to.samples()) else {
        note("samples of sound cannot be read")
        continue
      }
      expect(some.count == others.count, "\(others.count) samples of sound instead of \(some.count)")
      for (sample, other) in zip(some, others) {
        guard let bytes = try? old.source.read(sample.range), let copy = try? new.source.read(other.range)
        else {
          note("sample \(sample.index) cannot be read")
          continue
        }
        expect(
          bytes == copy && bytes.count == Int(sample.size), "sample \(sample.index) of sound has other bytes")
      }
    }
  }

  /// Whether what was made lasts as long as what was asked.
  fileprivate mutating func checkTimes(_ composition: Composition, _ movie: MovieFile) {
    for track in composition.tracks {
      guard let made = movie.tracks.first(where: { $0.id == track.id }),
        let list = made.box?["edts/elst"]?.payload(EditListBox.self),
        let scale = movie.tree?["moov/mvhd"]?.payload(MovieHeaderBox.self)?.timescale
      else { continue }
      let ticks = list.entries.reduce(UInt64(0)) { $0 &+ $1.editDuration }
      // Nothing at the end is not written.
      let wanted = track.segments.last { !$0.isEmpty }?.timeRange.upperBound ?? .zero
      let found = MediaTime(value: Int64(clamping: ticks), timescale: scale)
      expect(found <= wanted, "track \(track.id) lasts \(found), not \(wanted)")
    }
  }
}
