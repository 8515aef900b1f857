// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview

/// Movies one after the other in the same tracks, with the sample descriptions of each: what joining makes, but made
/// without the library.
extension RemadeMovie {
  /// The HEVC tracks of a movie alone, without edits.
  public init(videoOf path: String) throws {
    let movie = try MovieFile(path: path)
    try self.init(movie)
    let isVideo = movie.tracks.map(\.isHEVC)
    var number = 0
    moov.children.removeAll { box in
      guard box.type == "trak" else { return false }
      number += 1
      return !isVideo[number - 1]
    }
    samples = zip(samples, isVideo).filter(\.1).map(\.0)
    moov.children.removeAll { $0.type == "mvex" }
    others = []
    editTracks { _, trak in trak.remove(["edts"], in: "") }
  }

  /// Appends the samples and descriptions of another movie, track by track.
  public mutating func append(_ other: RemadeMovie) {
    let theirs = other.moov.children.filter { $0.type == "trak" }
    var added = samples.map { _ in [Sample]() }
    editTracks { index, trak in
      guard theirs.indices.contains(index) else { return }
      let scale = Self.timescale(trak), other = (Self.timescale(theirs[index]), other.samples[index])
      precondition(scale % other.0 == 0, "the movie with the finer timescale comes first")
      let count = UInt32(trak["mdia/minf/stbl/stsd"]?.children.count ?? 0)
      trak.edit("mdia/minf/stbl/stsd") { stsd in
        stsd.children += theirs[index]["mdia/minf/stbl/stsd"]?.children ?? []
        stsd.fields.replaceSubrange(4..<8, with: PlainBox.bytes(UInt64(stsd.children.count), 4))
      }
      added[index] = other.1.map { sample in
        var sample = sample
        sample.duration *= scale / other.0
        sample.offset *= Int32(scale / other.0)
        sample.description += count
        return sample
      }
    }
    for index in samples.indices { samples[index] += added[index] }
  }

  /// Shifts the pictures of each track so that the first one is shown when it is decoded, and makes the last sample last until
  /// all have been shown.
  public mutating func standAlone() {
    for track in samples.indices {
      var time: Int64 = 0, first = Int64.max, end: Int64 = 0
      for sample in samples[track] {
        first = min(first, time + Int64(sample.offset))
        end = max(end, time + Int64(sample.offset) + Int64(sample.duration))
        time += Int64(sample.duration)
      }
      for place in samples[track].indices { samples[track][place].offset -= Int32(clamping: first) }
      guard let last = samples[track].indices.last else { continue }
      samples[track][last].duration += UInt32(clamping: max(0, end - first - time))
    }
  }

  /// Changes the timescale of each track to a multiple.
  public mutating func setTimescale(_ scale: UInt32) {
    var factors: [UInt32] = []
    editTracks { _, trak in
      factors.append(scale / Self.timescale(trak))
      trak.patch("mdia/mdhd", at: 12, UInt64(scale))
    }
    for (index, factor) in factors.enumerated() {
      for place in samples[index].indices {
        samples[index][place].duration *= factor
        samples[index][place].offset *= Int32(factor)
      }
    }
  }

  /// The number of units of media time per second; the header is one of version 0.
  private static func timescale(_ trak: PlainBox) -> UInt32 {
    UInt32(PlainBox.number((trak["mdia/mdhd"]?.fields ?? [])[12..<16]))
  }

  /// Exchanges the eyes of two views in every message on reference displays (SEI 176), of records and samples. The message
  /// is the one that the fixtures have: view 0 for the left eye, view 1 for the right one.
  public mutating func swapEyes() {
    func swap(_ bytes: inout [UInt8]) {
      var place = 0
      while place + 9 <= bytes.count {
        // payloadType 176 with four bytes: 31 as ue(v), two flags, then the views: 1 and 010.
        if bytes[place...].starts(with: [0x4E, 0x01, 0xB0, 0x04, 0x04, 0x0D]) {
          bytes[place + 5] = 0x0A
          bytes[place + 6] |= 0x80
        }
        place += 1
      }
    }
    editTracks { _, trak in
      trak.edit("mdia/minf/stbl/stsd") { stsd in
        for entry in stsd.children.indices {
          for child in stsd.children[entry].children.indices {
            swap(&stsd.children[entry].children[child].fields)
          }
        }
      }
    }
    for track in samples.indices {
      for place in samples[track].indices { swap(&samples[track][place].bytes) }
    }
  }

  /// Fixtures one after the other, as a file, of each no more than `count` samples. A name with `*` in front stands for the
  /// fixture with its eyes exchanged, one with `@` and a number at its end for the fixture from that sample on.
  ///
  /// - Parameter isOverlapping: whether the last pictures of a part are shown after the first ones of the next, where offsets
  ///   of composition delay them.
  public static func spliced(
    _ names: [String], first count: Int = 5, isOverlapping: Bool = false
  ) throws -> RemadeMovie {
    var all: RemadeMovie?
    for name in names {
      let isSwapped = name.hasPrefix("*")
      let words = name.drop { $0 == "*" }.split(separator: "@")
      let start = words.count > 1 ? Int(words[1]) ?? 0 : 0
      var part = try RemadeMovie(videoOf: Fixtures.path(String(words[0])))
      if isSwapped { part.swapEyes() }
      part.samples = part.samples.map { Array($0.dropFirst(start).prefix(count)) }
      if !isOverlapping { part.standAlone() }
      if all == nil {
        part.setTimescale(15_360)
        all = part
      } else {
        all?.append(part)
      }
    }
    return all ?? RemadeMovie()
  }

  private init() { (fileType, moov, samples, others) = ([], PlainBox("moov"), [], []) }
}
