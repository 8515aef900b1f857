// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import ISOBMFF
public import Multiview

/// A movie that is rewritten as another tool would write it: in another layout, with other samples, with boxes
/// that were changed or left out. The writing does not use the library.
public struct RemadeMovie {
  /// A sample.
  public struct Sample: Equatable {
    /// The bytes of the sample.
    public var bytes: [UInt8]
    /// The duration in decoding time.
    public var duration: UInt32
    /// The composition time minus the decoding time.
    public var offset: Int32
    /// Whether decoding can begin at the sample.
    public var isSync: Bool
    /// How the sample depends on others, as in `sdtp`.
    public var dependency: UInt8
    /// The number of its sample description, from 1.
    public var description: UInt32 = 1

    /// Makes a sample.
    public init(
      _ bytes: [UInt8], duration: UInt32, offset: Int32 = 0, isSync: Bool = true, dependency: UInt8 = 0
    ) {
      self.bytes = bytes
      (self.duration, self.offset, self.isSync, self.dependency) = (duration, offset, isSync, dependency)
    }

    /// The NAL units of the sample, each preceded by a length of four bytes.
    public var units: [[UInt8]] {
      get {
        var units: [[UInt8]] = []
        var position = 0
        while position + 4 <= bytes.count {
          let length = Int(PlainBox.number(bytes[position..<(position + 4)]))
          units.append(Array(bytes[(position + 4)..<(position + 4 + length)]))
          position += 4 + length
        }
        return units
      }
      set { bytes = newValue.flatMap { PlainBox.bytes(UInt64($0.count), 4) + $0 } }
    }
  }

  /// How tables and files are written.
  public struct Layout: Sendable {
    /// The number of samples of each chunk; the last number applies to all further chunks.
    public var chunks = [Int.max]
    /// The number of bytes between chunks.
    public var gap = 0
    /// Whether the movie box precedes the samples.
    public var isFront = false
    /// Whether chunks have offsets of 64 bits.
    public var hasLargeOffsets = false
    /// Whether each sample has a row of its own in tables of runs.
    public var spellsOutRuns = false
    /// How composition offsets are written.
    public var offsets = Offsets.signed
    /// Whether dependencies are written.
    public var hasDependencies = true

    public enum Offsets: Sendable {
      /// Version 1.
      case signed
      /// Version 0 with negative numbers, as in QuickTime.
      case signedOld
      /// Version 0, shifted so that no offset is negative; the edit list must be shifted, too.
      case shifted
      /// No table.
      case none
    }

    public init() {}
  }

  /// The payload of the `ftyp`.
  public var fileType: [UInt8]
  /// The `moov`, without sample tables.
  public var moov: PlainBox
  /// The samples of each track, in the order of the `trak` boxes.
  public var samples: [[Sample]]
  /// The other top-level boxes.
  public var others: [PlainBox]

  private static let tables = [
    "stts", "ctts", "cslg", "stss", "sdtp", "stsc", "stsz", "stz2", "stco", "co64",
  ]

  /// Reads a movie.
  public init(_ movie: MovieFile) throws {
    let file = try movie.source.read(at: 0, count: Int(movie.source.size ?? 0)).array
    let boxes = PlainBox.boxes(file[...])
    fileType = boxes.first { $0.type == "ftyp" }?.fields ?? []
    moov = boxes.first { $0.type == "moov" } ?? PlainBox("moov")
    others = boxes.filter { !["ftyp", "moov", "mdat", "free", "wide", "skip"].contains($0.type) }
    samples = []
    for track in movie.tracks {
      samples.append(
        try track.samples().map { sample in
          Sample(
            Array(file[Int(sample.range.lowerBound)..<Int(sample.range.upperBound)]),
            duration: UInt32(sample.duration), offset: Int32(sample.compositionOffset), isSync: sample.isSync,
            dependency: UInt8(truncatingIfNeeded: sample.flags.rawValue >> 20))
        })
    }
    let tables = Self.tables
    editTracks { _, trak in trak.remove(tables, in: "mdia/minf/stbl") }
  }

  /// Changes the `trak` boxes.
  public mutating func editTracks(_ change: (_ index: Int, inout PlainBox) -> Void) {
    var number = 0
    for place in moov.children.indices where moov.children[place].type == "trak" {
      change(number, &moov.children[place])
      number += 1
    }
  }

  /// Changes the first `trak`.
  public mutating func editTrack(_ change: (inout PlainBox) -> Void) {
    editTracks { index, trak in if index == 0 { change(&trak) } }
  }

  /// Changes the sample entry of the first track.
  public mutating func editEntry(_ change: (inout PlainBox) -> Void) {
    editTrack { trak in
      trak.edit("mdia/minf/stbl/stsd") { stsd in if !stsd.children.isEmpty { change(&stsd.children[0]) } }
    }
  }

  /// Removes all tracks but the first.
  public mutating func dropOtherTracks() {
    var number = 0
    moov.children.removeAll { box in
      if box.type == "trak" { number += 1 }
      return box.type == "trak" && number > 1
    }
    samples = Array(samples.prefix(1))
  }

  // MARK: Writing

  /// The movie as a file.
  public func encoded(_ layout: Layout = Layout()) -> [UInt8] {
    let head = PlainBox("ftyp", fileType).bytes
    let (media, places) = self.media(layout)
    let data = PlainBox("mdat", media).bytes
    let rest = others.flatMap(\.bytes)
    // Sizes do not depend on the offsets of chunks.
    let size = movieBox(places, at: 0, layout).bytes.count
    let start = head.count + (layout.isFront ? size : 0) + 8
    let moov = movieBox(places, at: start, layout).bytes
    return head + (layout.isFront ? moov + data : data + moov) + rest
  }

  /// Returns the movie in fragments, each with the same number of samples of each track.
  ///
  /// - Parameters:
  ///   - startTimes: the decoding time of the first sample of each track; 0 for tracks that are not listed.
  ///   - own: the number of samples of each track that the movie box lists itself, before all fragments.
  public func fragmented(samplesEach count: Int, startTimes: [UInt64] = [], after own: Int = 0) -> [UInt8] {
    var copy = self
    let empty = [("stts", 8), ("stsc", 8), ("stsz", 12), ("stco", 8)].map {
      PlainBox($0.0, [UInt8](repeating: 0, count: $0.1))
    }
    var trackIDs: [[UInt8]] = []
    copy.editTracks { _, trak in
      if own == 0 { trak.edit("mdia/minf/stbl") { $0.children += empty } }
      // In version 0, two dates precede the number.
      trackIDs.append(Array(trak["tkhd"]?.fields[12..<16] ?? [0, 0, 0, 1]))
    }
    let defaults = trackIDs.map {
      PlainBox("trex", [0, 0, 0, 0] + $0 + [0, 0, 0, 1] + [UInt8](repeating: 0, count: 12))
    }
    copy.moov.children.append(PlainBox("mvex", [], defaults))
    var file = PlainBox("ftyp", fileType).bytes
    var times = samples.indices.map { startTimes.indices.contains($0) ? startTimes[$0] : 0 }
    if own > 0 {
      for track in samples.indices {
        for sample in samples[track].prefix(own) { times[track] += UInt64(sample.duration) }
        copy.samples[track] = Array(samples[track].prefix(own))
      }
      let (media, chunks) = copy.media(Layout())
      let start = file.count + 8
      file += PlainBox("mdat", media).bytes + copy.movieBox(chunks, at: start, Layout()).bytes
    } else {
      file += copy.moov.bytes
    }
    let most = samples.map(\.count).max() ?? 0
    for (number, first) in stride(from: 0, to: most, by: max(1, count)).enumerated() {
      let parts = samples.map { Array($0.dropFirst(own + first).prefix(max(1, count))) }
      if parts.allSatisfy(\.isEmpty) { break }
      func fragment(_ start: Int) -> PlainBox {
        var position = start
        var children = [PlainBox("mfhd", [0, 0, 0, 0] + PlainBox.bytes(UInt64(number + 1), 4))]
        for (track, part) in parts.enumerated() where !part.isEmpty {
          var run =
            [1, 0, 0x0F, 1] + PlainBox.bytes(UInt64(part.count), 4) + PlainBox.bytes(UInt64(position), 4)
          for sample in part {
            let flags = UInt64(sample.dependency) << 20 | (sample.isSync ? 0 : 0x1_0000)
            run += PlainBox.bytes(UInt64(sample.duration), 4) + PlainBox.bytes(UInt64(sample.bytes.count), 4)
            run += PlainBox.bytes(flags, 4) + PlainBox.bytes(UInt64(UInt32(bitPattern: sample.offset)), 4)
            position += sample.bytes.count
          }
          children.append(
            PlainBox(
              "traf", [],
              [
                PlainBox("tfhd", [0, 2, 0, 0] + trackIDs[track]),
                PlainBox("tfdt", [1, 0, 0, 0] + PlainBox.bytes(times[track], 8)), PlainBox("trun", run),
              ]))
        }
        return PlainBox("moof", [], children)
      }
      file +=
        fragment(fragment(0).bytes.count + 8).bytes
        + PlainBox("mdat", parts.flatMap { $0.flatMap(\.bytes) }).bytes
      for (track, part) in parts.enumerated() { times[track] += part.reduce(0) { $0 + UInt64($1.duration) } }
    }
    return file
  }

  /// Returns the media data, and the offsets of the chunks of each track in them. The chunks of the tracks are
  /// interleaved.
  private func media(_ layout: Layout) -> (
    bytes: [UInt8], chunks: [[(place: Int, count: Int, description: UInt32)]]
  ) {
    var media: [UInt8] = []
    var chunks: [[(place: Int, count: Int, description: UInt32)]] = samples.map { _ in [] }
    var taken = samples.map { _ in 0 }
    while taken.indices.contains(where: { taken[$0] < samples[$0].count }) {
      for track in samples.indices where taken[track] < samples[track].count {
        let number = chunks[track].count
        let wanted = number < layout.chunks.count ? layout.chunks[number] : layout.chunks.last ?? 1
        let rest = samples[track][taken[track]...]
        let same = rest.prefix { $0.description == rest.first?.description }
        let count = min(wanted, same.count)
        media += [UInt8](repeating: 0xEE, count: layout.gap)
        chunks[track].append((media.count, count, rest.first?.description ?? 1))
        for sample in samples[track][taken[track]..<(taken[track] + count)] { media += sample.bytes }
        taken[track] += count
      }
    }
    return (media, chunks)
  }

  private func movieBox(
    _ chunks: [[(place: Int, count: Int, description: UInt32)]], at start: Int, _ layout: Layout
  ) -> PlainBox {
    var copy = self
    copy.editTracks { index, trak in
      trak.edit("mdia/minf/stbl") { stbl in
        stbl.children += tables(samples[index], chunks[index], at: start, layout)
      }
    }
    return copy.moov
  }

  private func tables(
    _ samples: [Sample], _ chunks: [(place: Int, count: Int, description: UInt32)], at start: Int,
    _ layout: Layout
  ) -> [PlainBox] {
    func full(_ type: String, _ version: UInt8 = 0, _ count: Int?, _ rows: [UInt8]) -> PlainBox {
      PlainBox(type, [version, 0, 0, 0] + (count.map { PlainBox.bytes(UInt64($0), 4) } ?? []) + rows)
    }
    func runs(_ type: String, _ version: UInt8, _ values: [UInt32]) -> PlainBox {
      var rows: [(count: Int, value: UInt32)] = []
      for value in values {
        if let last = rows.last, last.value == value, !layout.spellsOutRuns {
          rows[rows.count - 1].count += 1
        } else {
          rows.append((1, value))
        }
      }
      let bytes = rows.flatMap { PlainBox.bytes(UInt64($0.count), 4) + PlainBox.bytes(UInt64($0.value), 4) }
      return full(type, version, rows.count, bytes)
    }
    func list(_ type: String, _ values: [Int], width: Int = 4) -> PlainBox {
      full(type, 0, values.count, values.flatMap { PlainBox.bytes(UInt64($0), width) })
    }
    var boxes = [runs("stts", 0, samples.map(\.duration))]
    let shift = layout.offsets == .shifted ? -min(0, samples.map(\.offset).min() ?? 0) : 0
    if layout.offsets != .none, samples.contains(where: { $0.offset + shift != 0 }) {
      boxes.append(
        runs("ctts", layout.offsets == .signed ? 1 : 0, samples.map { UInt32(bitPattern: $0.offset + shift) })
      )
    }
    let sync = samples.indices.filter { samples[$0].isSync }.map { $0 + 1 }
    if sync.count < samples.count { boxes.append(list("stss", sync)) }
    if layout.hasDependencies, samples.contains(where: { $0.dependency != 0 }) {
      boxes.append(full("sdtp", 0, nil, samples.map(\.dependency)))
    }
    var rows: [UInt8] = [], count = 0
    for (number, chunk) in chunks.enumerated()
    where number == 0 || layout.spellsOutRuns || chunk.count != chunks[number - 1].count
      || chunk.description != chunks[number - 1].description
    {
      count += 1
      rows += [number + 1, chunk.count, Int(chunk.description)].flatMap { PlainBox.bytes(UInt64($0), 4) }
    }
    boxes.append(full("stsc", 0, count, rows))
    let sizes =
      PlainBox.bytes(UInt64(samples.count), 4) + samples.flatMap { PlainBox.bytes(UInt64($0.bytes.count), 4) }
    boxes.append(full("stsz", 0, 0, sizes))
    let places = chunks.map { start + $0.place }
    boxes.append(layout.hasLargeOffsets ? list("co64", places, width: 8) : list("stco", places))
    return boxes
  }
}
