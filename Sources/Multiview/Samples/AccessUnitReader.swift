// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

/// Reads access units as a decoder gets them: from all tracks that hold layers of one bitstream, extractors replaced by
/// what they stand for, aggregators taken apart. ISO/IEC 14496-15, 9.5 and Annex A
///
/// One reader serves one task.
final class AccessUnitReader {
  /// How deep extractors may stand for extractors: none should at all, and some could stand for themselves.
  private static let maximumDepth = 4
  /// How many NAL units and constructors are looked at for one access unit.
  private static let maximumUnits = SampleWalker.maximumUnits
  /// How long an extractor may be.
  private static let maximumExtractorBytes = 1 << 16

  /// One track, with what is needed to read its samples.
  private final class Part {
    let track: Track
    let samples: TrackSamples
    let walker: SampleWalker
    let sources: [UInt32]

    init(_ track: Track) throws(SourceError) {
      self.track = track
      samples = try track.samples()
      walker = SampleWalker(track)
      sources = track.references("scal")
    }

    /// The last sample that is decoded at or before a time.
    func index(atOrBefore time: MediaTime) -> Int? {
      samples.index(atDecodeTime: time.roundedDown(to: track.timescale).value)
    }

    /// The sample that is decoded at exactly that time.
    func sample(decodedAt time: MediaTime) -> Sample? {
      index(atOrBefore: time).flatMap(samples.sample(at:)).flatMap { self.time(of: $0) == time ? $0 : nil }
    }

    func time(of sample: Sample) -> MediaTime {
      MediaTime(value: sample.decodeTime, timescale: track.timescale)
    }
  }

  /// What has been found of the access unit that is being read.
  private struct Content {
    var units: [NALUnitPlace] = []
    var error: ParseError?
    /// Whether a unit may come twice: from its own track, and through an extractor.
    let mayRepeat: Bool
    /// Where units stand, if so, so that none is taken twice.
    var taken: Set<Range<UInt64>> = []
    /// How many NAL units have been looked at.
    var lookedAt = 0
    var composedBytes = 0

    init(mayRepeat: Bool) { self.mayRepeat = mayRepeat }

    mutating func note(_ found: ParseError?) { error = error ?? found }

    mutating func add(_ unit: NALUnitPlace) {
      guard !mayRepeat || unit.composed != nil || taken.insert(unit.range).inserted else { return }
      units.append(unit)
    }
  }

  private let context: MovieContext
  private let parts: [Part]
  private var referenced: [UInt32: Part] = [:]
  private var content: Content

  /// A reader of a track, or of the tracks that it joins.
  init(_ track: Track) throws(SourceError) {
    context = track.context
    var parts: [Part] = []
    for member in track.joinedTracks { parts.append(try Part(member)) }
    self.parts = parts
    content = Content(mayRepeat: parts.count > 1 || parts.contains { $0.track.hasExtractors })
    for part in parts { referenced[part.track.id] = part }
  }

  /// The walker of the first track: it reads any unit.
  var walker: SampleWalker? { parts.first?.walker }

  /// The access unit to which a sample of the first track belongs.
  func accessUnit(of sample: Sample) throws(SourceError) -> AccessUnitPlaces {
    content = Content(mayRepeat: content.mayRepeat)
    if let first = parts.first {
      let time = first.time(of: sample)
      try read(sample.range, decodedAt: time, of: first, depth: 0)
      for part in parts.dropFirst() {
        guard let other = part.sample(decodedAt: time) else { continue }
        try read(other.range, decodedAt: time, of: part, depth: 0)
      }
    }
    return AccessUnitPlaces(
      index: sample.index, sample: sample, units: AccessUnitReader.inOrder(content.units),
      error: content.error)
  }

  /// The end of the bitstream ends all layers, and so stands last. ISO/IEC 23008-2, F.7.4.2.4.4
  private static func inOrder(_ units: [NALUnitPlace]) -> [NALUnitPlace] {
    let isEnd = { (unit: NALUnitPlace) in unit.header.type == .endOfBitstream }
    guard let end = units.first(where: isEnd) else { return units }
    return units.filter { !isEnd($0) } + [end]
  }

  /// Reads part of a sample.
  private func read(
    _ range: Range<UInt64>, decodedAt time: MediaTime, of part: Part, depth: Int
  ) throws(SourceError) {
    var found: [NALUnitPlace] = []
    let room = max(0, Self.maximumUnits - content.lookedAt)
    content.note(try part.walker.walk(range, atMost: room) { found.append($0) })
    content.lookedAt += found.count
    for unit in found {
      switch unit.header.type {
      case .aggregator:
        // The header, and the number of bytes behind the aggregator that belong to it: those are read anyway.
        let start = unit.range.lowerBound + UInt64(NALUnitHeader.byteCount + part.track.lengthSize)
        if start < unit.range.upperBound, depth < Self.maximumDepth {
          try read(start..<unit.range.upperBound, decodedAt: time, of: part, depth: depth + 1)
        }
      case .extractor:
        try extract(unit, decodedAt: time, of: part, depth: depth)
      default:
        content.add(unit)
      }
    }
  }

  private func failure(_ code: ParseError.Code, _ range: Range<UInt64>) -> ParseError {
    ParseError(code, offset: Int(clamping: range.lowerBound), field: "extractor")
  }
}

// MARK: - Extractors

extension AccessUnitReader {
  /// Adds what an extractor stands for.
  private func extract(
    _ place: NALUnitPlace, decodedAt time: MediaTime, of part: Part, depth: Int
  ) throws(SourceError) {
    guard depth < Self.maximumDepth else {
      content.note(failure(.invalid("stands for itself, or for too many others in turn"), place.range))
      return
    }
    guard let unit = try part.walker.unit(place, limit: Self.maximumExtractorBytes) else { return }
    var (extractor, _, error) = unit.payload.decode(Extractor(lengthSize: part.track.lengthSize))
    content.note(error?.inField("extractor"))
    // The last one is where reading stopped.
    if error != nil { extractor.constructors.removeLast(min(1, extractor.constructors.count)) }
    content.lookedAt += extractor.constructors.count
    guard extractor.constructors.allSatisfy({ $0.type == .sample }) else {
      return try compose(extractor, at: place, decodedAt: time, of: part)
    }
    for constructor in extractor.constructors {
      guard let piece = try locate(constructor, place, decodedAt: time, of: part) else { continue }
      try read(piece.range, decodedAt: piece.part.time(of: piece.sample), of: piece.part, depth: depth + 1)
    }
  }

  /// Adds units whose bytes stand partly in the extractor itself.
  private func compose(
    _ extractor: Extractor, at place: NALUnitPlace, decodedAt time: MediaTime, of part: Part
  ) throws(SourceError) {
    var bytes: [UInt8] = []
    for constructor in extractor.constructors {
      if constructor.type == .inline { bytes += constructor.inlineData.array }
      guard constructor.type == .sample,
        let piece = try locate(constructor, place, decodedAt: time, of: part)
      else { continue }
      content.composedBytes += piece.range.count
      guard content.composedBytes <= context.limits.maximumSampleBytes else {
        content.note(
          failure(
            .limitExceeded(limit: "maximumSampleBytes", value: UInt64(content.composedBytes)), place.range))
        return
      }
      bytes += try context.source.read(piece.range).array
    }
    for unit in LengthPrefixedNALUnits(ByteView(bytes), lengthSize: part.track.lengthSize) {
      content.lookedAt += 1
      guard content.lookedAt < Self.maximumUnits else { return }
      switch unit {
      case .success(let unit): content.add(NALUnitPlace(composed: unit, by: place))
      case .failure(let error): content.note(failure(error.code, place.range))
      }
    }
  }

  private struct Piece {
    let part: Part
    let sample: Sample
    let range: Range<UInt64>
  }

  /// Finds the bytes that a constructor names.
  private func locate(
    _ constructor: Extractor.Constructor, _ place: NALUnitPlace, decodedAt time: MediaTime, of part: Part
  ) throws(SourceError) -> Piece? {
    let number = Int(constructor.trackReferenceIndex) - 1
    guard part.sources.indices.contains(number), let source = try source(part.sources[number]) else {
      content.note(failure(.missing("track \(number + 1) of the 'scal' references"), place.range))
      return nil
    }
    guard let aligned = source.index(atOrBefore: time),
      let sample = source.samples.sample(at: aligned + Int(constructor.sampleOffset))
    else {
      content.note(failure(.missing("the sample of track \(source.track.id)"), place.range))
      return nil
    }
    let start = sample.range.lowerBound &+ UInt64(constructor.dataOffset)
    var length = UInt64(constructor.dataLength)
    if length == 0 {
      let size = source.track.lengthSize
      let prefix = try source.walker.bytes(at: Int(clamping: start), count: size)
      length = (prefix.bigEndian(at: 0, width: size) ?? 0) + UInt64(size)
    }
    guard sample.range.lowerBound <= start, start <= sample.range.upperBound,
      length <= sample.range.upperBound - start
    else {
      content.note(
        failure(.invalidSize(length, reason: "reaches beyond the sample that it is taken from"), place.range))
      return nil
    }
    return Piece(part: source, sample: sample, range: start..<(start + length))
  }

  /// A track that extractors take bytes from.
  private func source(_ id: UInt32) throws(SourceError) -> Part? {
    if let known = referenced[id] { return known }
    guard let track = context.track(id: id), track.isHEVC else { return nil }
    let part = try Part(track)
    referenced[id] = part
    return part
  }
}
