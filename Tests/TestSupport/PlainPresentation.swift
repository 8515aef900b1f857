// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What a movie presents when, computed from the bytes of the file in the plainest way: every sample with every edit.
/// It does not use the library, so that movies which the library writes are compared with what was asked for.
///
/// Times are in seconds. Sample tables with one chunk offset per chunk, `ctts` of both versions, fragments with
/// `tfdt`, and edits at the recorded speed are read: what the tests and the library write.
public struct PlainPresentation {
  /// The bytes of a sample, and when they are presented.
  public struct Span: Equatable {
    /// When it begins and ends.
    public var start, end: Double
    /// The bytes of the sample.
    public var bytes: [UInt8]

    /// Makes a span.
    public init(start: Double, end: Double, bytes: [UInt8]) {
      (self.start, self.end, self.bytes) = (start, end, bytes)
    }
  }

  /// A track of the movie.
  public struct Track {
    /// The track ID, and the type of its handler: `vide`, `soun`.
    public var id: UInt64, handler: String
    /// The number of samples.
    public var sampleCount: Int
    /// The edits in seconds; the media time is `nil` for an empty edit, the end is `nil` if it is that of the media.
    public var edits: [(start: Double, end: Double?, media: Double?)]
    /// What is presented, in order.
    public var spans: [Span]

    /// When the presentation ends, which may be later than that of the last sample.
    public var end: Double { edits.last?.end ?? spans.last?.end ?? 0 }
  }

  private struct Sample {
    var time: Int64, offset: Int64, duration: Int64
    var place: Int, size: Int
  }

  /// The tracks in the order of the file.
  public private(set) var tracks: [Track] = []

  /// Reads the bytes of a movie.
  public init(_ file: [UInt8]) {
    let boxes = PlainBox.boxes(file[...])
    guard let moov = boxes.first(where: { $0.type == "moov" }), let header = moov["mvhd"] else { return }
    let movieScale = Double(Self.long(header.fields, header.fields[0] == 1 ? 20 : 12, 4))
    let isFragmented = boxes.contains { $0.type == "moof" }
    for trak in moov.children where trak.type == "trak" {
      guard let head = trak["tkhd"]?.fields, let media = trak["mdia/mdhd"]?.fields,
        let handler = trak["mdia/hdlr"]?.fields, let stbl = trak["mdia/minf/stbl"]
      else { continue }
      let id = Self.long(head, head[0] == 1 ? 20 : 12, 4)
      let scale = Double(Self.long(media, media[0] == 1 ? 20 : 12, 4))
      var samples = Self.table(stbl)
      let ownLast = samples.last
      let ownCount = samples.count
      samples += Self.fragments(
        of: id, boxes, moov, in: file, from: ownLast.map { $0.time + $0.duration } ?? 0)
      let rows = trak["edts/elst"].map { Self.edits($0.fields) } ?? []
      var track = Track(
        id: id, handler: String(decoding: handler[8..<12], as: UTF8.self), sampleCount: samples.count,
        edits: [], spans: [])
      var start = 0.0
      for (index, row) in rows.enumerated() {
        var isOpen =
          row.duration == 0 && index == rows.count - 1
          && (isFragmented || rows.allSatisfy { $0.duration == 0 })
        // The edits of a movie that continues in fragments were written when it had only its own samples.
        if index == rows.count - 1, let ownLast, ownCount < samples.count, row.media >= 0 {
          let reached = Double(row.media) / scale + Double(row.duration) / movieScale
          if reached > Double(ownLast.time) / scale { isOpen = true }
        }
        let end = isOpen ? nil : start + Double(row.duration) / movieScale
        track.edits.append((start, end, row.media < 0 ? nil : Double(row.media) / scale))
        start = end ?? start
      }
      if rows.isEmpty { track.edits = [(0, nil, 0)] }
      track.spans = Self.spans(samples, track.edits, scale, file)
      tracks.append(track)
    }
  }

  /// The first track with a handler.
  public func first(_ handler: String) -> Track? { tracks.first { $0.handler == handler } }

  private static func spans(
    _ samples: [Sample], _ edits: [(start: Double, end: Double?, media: Double?)], _ scale: Double,
    _ file: [UInt8]
  ) -> [Span] {
    // A sample lasts until the next one is composed, the last one until the media end.
    let order = samples.indices.sorted {
      (samples[$0].time + samples[$0].offset, $0) < (samples[$1].time + samples[$1].offset, $1)
    }
    let mediaEnd = samples.map { $0.time + $0.offset + max(1, $0.duration) }.max() ?? 0
    var spans: [Span] = []
    for edit in edits {
      guard let media = edit.media else { continue }
      let length = edit.end.map { $0 - edit.start } ?? .infinity
      for (rank, index) in order.enumerated() {
        let sample = samples[index]
        let next =
          rank + 1 < order.count
          ? samples[order[rank + 1]].time + samples[order[rank + 1]].offset : mediaEnd
        let low = max(Double(sample.time + sample.offset) / scale, media) - media
        let high = min(Double(next) / scale - media, length)
        guard high - low > 1e-9 else { continue }
        spans.append(
          Span(
            start: edit.start + low, end: edit.start + high,
            bytes: Array(file[sample.place..<(sample.place + sample.size)])))
      }
    }
    // What two edits present without a break is one span.
    return spans.reduce(into: []) { joined, span in
      if let last = joined.last, abs(last.end - span.start) < 1e-9, last.bytes == span.bytes {
        joined[joined.count - 1].end = span.end
      } else {
        joined.append(span)
      }
    }
  }

  // MARK: Boxes

  private static func long(_ bytes: [UInt8], _ place: Int, _ width: Int) -> UInt64 {
    PlainBox.number(bytes[place..<(place + width)])
  }

  private static func signed(_ bytes: [UInt8], _ place: Int, _ width: Int) -> Int64 {
    width == 8
      ? Int64(bitPattern: long(bytes, place, 8))
      : Int64(Int32(bitPattern: UInt32(long(bytes, place, 4))))
  }

  private static func edits(_ fields: [UInt8]) -> [(duration: UInt64, media: Int64)] {
    let width = fields[0] == 1 ? 8 : 4
    return (0..<Int(long(fields, 4, 4))).map { row in
      let place = 8 + row * (2 * width + 4)
      return (long(fields, place, width), signed(fields, place + width, width))
    }
  }

  /// Rows of a count and a value, one value for each sample.
  private static func runs(_ box: PlainBox?) -> [Int64] {
    guard let fields = box?.fields else { return [] }
    return (0..<Int(long(fields, 4, 4))).flatMap { row in
      Array(repeating: signed(fields, 12 + row * 8, 4), count: Int(long(fields, 8 + row * 8, 4)))
    }
  }

  private static func table(_ stbl: PlainBox) -> [Sample] {
    let durations = runs(stbl["stts"]), offsets = runs(stbl["ctts"])
    guard let sizes = stbl["stsz"]?.fields, let chunks = stbl["stsc"]?.fields else { return [] }
    let (only, count) = (Int(long(sizes, 4, 4)), Int(long(sizes, 8, 4)))
    let wide = stbl["co64"]
    guard let places = (wide ?? stbl["stco"])?.fields else { return [] }
    let width = wide == nil ? 4 : 8
    var samples: [Sample] = []
    var time: Int64 = 0
    for chunk in 0..<Int(long(places, 4, 4)) {
      var place = Int(long(places, 8 + chunk * width, width))
      var each = 0
      for row in 0..<Int(long(chunks, 4, 4)) where long(chunks, 8 + row * 12, 4) <= UInt64(chunk + 1) {
        each = Int(long(chunks, 12 + row * 12, 4))
      }
      for _ in 0..<each where samples.count < count {
        let index = samples.count
        let size = only > 0 ? only : Int(long(sizes, 12 + index * 4, 4))
        let duration = durations.indices.contains(index) ? durations[index] : 0
        samples.append(
          Sample(
            time: time, offset: offsets.indices.contains(index) ? offsets[index] : 0, duration: duration,
            place: place, size: size))
        place += size
        time += duration
      }
    }
    return samples
  }

  private static func fragments(
    of id: UInt64, _ boxes: [PlainBox], _ moov: PlainBox, in file: [UInt8], from start: Int64
  ) -> [Sample] {
    var samples: [Sample] = []
    var (time, place) = (start, 0)
    let extends = moov["mvex"]?.children.first { $0.type == "trex" && long($0.fields, 4, 4) == id }
    let general = extends?.fields ?? [UInt8](repeating: 0, count: 24)
    for box in boxes {
      defer { place += box.bytes.count }
      guard box.type == "moof" else { continue }
      for traf in box.children where traf.type == "traf" {
        guard let head = traf["tfhd"]?.fields, long(head, 4, 4) == id else { continue }
        let flags = long(head, 0, 4) & 0xFF_FFFF
        var field = 8
        func next(_ bit: UInt64, _ width: Int, _ otherwise: UInt64) -> UInt64 {
          guard flags & bit != 0 else { return otherwise }
          defer { field += width }
          return long(head, field, width)
        }
        let base = next(1, 8, UInt64(place))
        _ = next(2, 4, 0)
        let duration = next(8, 4, long(general, 12, 4)), size = next(16, 4, long(general, 16, 4))
        if let decode = traf["tfdt"]?.fields {
          time = Int64(long(decode, 4, decode[0] == 1 ? 8 : 4))
        }
        var position = Int(base)
        for run in traf.children where run.type == "trun" {
          let fields = run.fields, flags = long(fields, 0, 4) & 0xFF_FFFF
          var at = 8
          func value(_ bit: UInt64, _ otherwise: Int64) -> Int64 {
            guard flags & bit != 0 else { return otherwise }
            defer { at += 4 }
            return bit == 1 || bit == 0x800 ? signed(fields, at, 4) : Int64(long(fields, at, 4))
          }
          if flags & 1 != 0 { position = Int(base) + Int(value(1, 0)) }
          _ = value(4, 0)
          for _ in 0..<long(fields, 4, 4) {
            let (own, count) = (value(0x100, Int64(duration)), value(0x200, Int64(size)))
            _ = value(0x400, 0)
            let offset = value(0x800, 0)
            samples.append(
              Sample(time: time, offset: offset, duration: own, place: position, size: Int(count)))
            time += own
            position += Int(count)
          }
        }
      }
    }
    return samples
  }
}
