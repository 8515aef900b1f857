// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

/// Reads access units as a decoder gets them: from all tracks that hold layers of one bitstream, extractors replaced by
/// what they stand for, aggregators taken apart. ISO/IEC 14496-15, 9.5 and Annex A
///
/// One reader serves one task.
final class AccessUnitReader {
  /// How deep extractors may stand for extractors: none should at all, and some could stand for themselves.
  private static let maximumDepth = 4
  /// How long an extractor may be.
  private static let maximumExtractorBytes = 1 << 16

  /// What has been found of the access unit that is being read.
  private struct Content {
    var units: [NALUnitPlace] = []
    var error: ParseError?
    /// Whether a unit may come twice: from its own track, and through an extractor.
    let mayRepeat: Bool
    /// If `mayRepeat`, the places of the units that were found: none is used twice.
    var taken: Set<Range<UInt64>> = []
    /// The number of NAL units that have been read.
    var lookedAt = 0
    var composedBytes = 0

    init(mayRepeat: Bool) { self.mayRepeat = mayRepeat }

    mutating func add(_ unit: NALUnitPlace) {
      guard !mayRepeat || unit.composed != nil || taken.insert(unit.range).inserted else { return }
      units.append(unit)
    }
  }

  private let context: MovieContext
  private let parts: [JoinedPart]
  private var referenced: [UInt32: JoinedPart] = [:]
  /// How much extractors may put together for one access unit: what they name may be the same bytes any number of times.
  private let maximumComposedBytes: Int
  private let budget: WorkBudget
  private var content: Content
  /// From when until when the other tracks have nothing, as far as it is known.
  private var quiet = MediaTime.zero..<MediaTime.zero

  /// A reader of a track, or of the tracks that it joins.
  init(_ track: Track, _ budget: WorkBudget? = nil) throws(SourceError) {
    context = track.context
    self.budget = budget ?? WorkBudget(context)
    maximumComposedBytes = min(
      context.limits.maximumSampleBytes, Int(clamping: context.source.size ?? .max))
    var parts: [JoinedPart] = []
    for member in track.joinedTracks { parts.append(try JoinedPart(member, self.budget)) }
    self.parts = parts
    content = Content(mayRepeat: parts.count > 1 || parts.contains { $0.track.hasExtractors })
    for part in parts { referenced[part.track.id] = part }
  }

  /// Whether so much has been done that samples or extractors must overlap: the rest is not read.
  var isExhausted: Bool { budget.isExhausted }

  /// The walker of the first track: it reads any unit.
  var walker: SampleWalker? { parts.first?.walker }

  /// The access unit to which a sample of the first track belongs. What the other tracks have after the last one is left
  /// out.
  func accessUnit(of sample: Sample, isLast: Bool = false) throws(SourceError) -> AccessUnitPlaces {
    content = Content(mayRepeat: content.mayRepeat)
    if let first = parts.first {
      let time = first.time(of: sample)
      try read(sample.range, of: sample, decodedAt: time, of: first, depth: 0)
      if !quiet.contains(time) { try readOthers(decodedAt: time) }
      for part in parts.dropFirst() where isLast {
        if let lost = part.next { noteLost(lost, part) }
      }
    }
    return AccessUnitPlaces(
      index: sample.index, sample: sample, units: AccessUnitReader.inOrder(content.units),
      error: content.error)
  }

  /// Reads the samples of the other tracks that are decoded at a time.
  private func readOthers(decodedAt time: MediaTime) throws(SourceError) {
    var quietUntil: MediaTime? = MediaTime(value: .max, timescale: 1)
    for part in parts.dropFirst() {
      let other = part.sample(decodedAt: time)
      guard !isExhausted else { return note(budget.exhaustion) }
      if let lost = part.takePassedOver() { noteLost(lost, part) }
      if let other {
        quietUntil = nil
        try read(other.range, of: other, decodedAt: time, of: part, depth: 0)
      } else if let next = part.nextTime, let known = quietUntil, next < known {
        quietUntil = next
      }
    }
    quiet = time..<max(time, quietUntil ?? time)
  }

  private func noteLost(_ sample: Sample, _ part: JoinedPart) {
    note(
      ParseError(
        .invalid(
          "is decoded at a time at which track \(parts.first?.track.id ?? 0) has no sample, and is left out"),
        offset: Int(clamping: sample.offset), field: "sample \(sample.index) of track \(part.track.id)"))
  }

  /// The end of the bitstream ends all layers, and so is last. ISO/IEC 23008-2, F.7.4.2.4.4
  private static func inOrder(_ units: [NALUnitPlace]) -> [NALUnitPlace] {
    let isEnd = { (unit: NALUnitPlace) in unit.header.type == .endOfBitstream }
    guard let end = units.first(where: isEnd) else { return units }
    return units.filter { !isEnd($0) } + [end]
  }

  /// Reads part of a sample.
  private func read(
    _ range: Range<UInt64>, of sample: Sample, decodedAt time: MediaTime, of part: JoinedPart, depth: Int
  ) throws(SourceError) {
    var found: [NALUnitPlace] = []
    let room = max(0, SampleWalker.maximumUnits - content.lookedAt)
    let error = try part.walker.walk(range, atMost: room, ofDescription: sample.descriptionIndex) {
      found.append($0)
    }
    note(error)
    content.lookedAt += found.count
    for unit in found {
      switch unit.header.type {
      case .aggregator:
        // The header, and the number of bytes after the aggregator that belong to it: those are read anyway.
        let start =
          unit.range.lowerBound
          + UInt64(
            NALUnitHeader.byteCount + part.walker.lengthSize(ofDescription: sample.descriptionIndex))
        if start < unit.range.upperBound, depth < Self.maximumDepth {
          try read(
            start..<unit.range.upperBound, of: sample, decodedAt: time, of: part, depth: depth + 1)
        }
      case .extractor:
        try extract(unit, of: sample, decodedAt: time, of: part, depth: depth)
      default:
        content.add(unit)
      }
    }
  }

  /// Keeps the first error. Further ones are not made: every constructor of a thousand may be wrong.
  private func note(_ found: @autoclosure () -> ParseError?) {
    guard content.error == nil, let error = found() else { return }
    content.error = error
  }

  private func failure(_ code: ParseError.Code, _ range: Range<UInt64>) -> ParseError {
    ParseError(code, offset: Int(clamping: range.lowerBound), field: "extractor")
  }
}

// MARK: - Extractors

extension AccessUnitReader {
  /// Adds what an extractor stands for.
  private func extract(
    _ place: NALUnitPlace, of sample: Sample, decodedAt time: MediaTime, of part: JoinedPart, depth: Int
  ) throws(SourceError) {
    let lengthSize = part.walker.lengthSize(ofDescription: sample.descriptionIndex)
    guard depth < Self.maximumDepth else {
      note(failure(.invalid("refers to itself, or to a chain of too many others"), place.range))
      return
    }
    guard hasRoom(place),
      let unit = try part.walker.unit(place, limit: Self.maximumExtractorBytes)
    else { return }
    var (extractor, _, error) = unit.payload.decode(Extractor(lengthSize: lengthSize))
    note(error?.inField("extractor"))
    // The last one is where reading stopped.
    if error != nil { extractor.constructors.removeLast(min(1, extractor.constructors.count)) }
    content.lookedAt += extractor.constructors.count
    guard admits(.searches(extractor.constructors.count), place) else { return }
    guard extractor.constructors.allSatisfy({ $0.type == .sample }) else {
      return try compose(extractor, lengthSize: lengthSize, at: place, decodedAt: time, of: part)
    }
    for constructor in extractor.constructors {
      guard hasRoom(place) else { return }
      guard let piece = try locate(constructor, place, decodedAt: time, of: part) else { continue }
      try read(
        piece.range, of: piece.sample, decodedAt: piece.part.time(of: piece.sample), of: piece.part,
        depth: depth + 1)
    }
  }

  /// Whether more may be read for this access unit; if not, something is left out, and that is recorded.
  private func hasRoom(_ place: NALUnitPlace) -> Bool {
    if content.lookedAt >= SampleWalker.maximumUnits {
      note(
        failure(
          .limitExceeded(
            limit: "\(SampleWalker.maximumUnits) NAL units and constructors of an access unit",
            value: UInt64(clamping: content.lookedAt)), place.range))
      return false
    }
    return !isExhausted
  }

  /// Pays for what an extractor asks for; returns whether it may be followed.
  private func admits(_ work: WorkBudget.Work, _ place: NALUnitPlace) -> Bool {
    if budget.admits(work, at: place.range.lowerBound) { return true }
    note(budget.exhaustion)
    return false
  }

  /// Adds units whose bytes are partly in the extractor itself.
  private func compose(
    _ extractor: Extractor, lengthSize: Int, at place: NALUnitPlace, decodedAt time: MediaTime,
    of part: JoinedPart
  ) throws(SourceError) {
    var bytes: [UInt8] = []
    for constructor in extractor.constructors {
      if constructor.type == .inline { bytes += constructor.inlineData.array }
      guard constructor.type == .sample,
        let piece = try locate(constructor, place, decodedAt: time, of: part)
      else { continue }
      content.composedBytes += piece.range.count
      guard content.composedBytes <= maximumComposedBytes else {
        note(
          failure(
            .limitExceeded(
              limit: "\(maximumComposedBytes) bytes of an access unit",
              value: UInt64(clamping: content.composedBytes)), place.range))
        return
      }
      guard admits(.bytes(piece.range.count), place) else { return }
      bytes += try context.source.read(piece.range).array
    }
    for unit in LengthPrefixedNALUnits(ByteView(bytes), lengthSize: lengthSize) {
      content.lookedAt += 1
      guard hasRoom(place) else { return }
      switch unit {
      case .success(let unit):
        // It is going to be read as often as it is put together.
        guard admits(.unit(unit.type, bytes: unit.bytes.count), place) else { return }
        content.add(NALUnitPlace(composed: unit, by: place))
      case .failure(let error): note(failure(error.code, place.range))
      }
    }
  }

  private struct Piece {
    let part: JoinedPart
    let sample: Sample
    let range: Range<UInt64>
  }

  /// Finds the bytes that a constructor names.
  private func locate(
    _ constructor: Extractor.Constructor, _ place: NALUnitPlace, decodedAt time: MediaTime,
    of part: JoinedPart
  ) throws(SourceError) -> Piece? {
    let number = Int(constructor.trackReferenceIndex) - 1
    guard part.sources.indices.contains(number), let source = try source(part.sources[number]) else {
      note(failure(.missing("track \(number + 1) of the 'scal' references"), place.range))
      return nil
    }
    guard let aligned = source.index(atOrBefore: time),
      let sample = source.samples.sample(at: aligned + Int(constructor.sampleOffset))
    else {
      note(failure(.missing("the sample of track \(source.track.id)"), place.range))
      return nil
    }
    if let obstacle = source.walker.obstacle(sample.descriptionIndex, at: sample.offset) {
      note(obstacle)
      return nil
    }
    let start = sample.range.lowerBound &+ UInt64(constructor.dataOffset)
    var length = UInt64(constructor.dataLength)
    if length == 0 {
      let size = source.walker.lengthSize(ofDescription: sample.descriptionIndex)
      let prefix = try source.walker.bytes(at: Int(clamping: start), count: size)
      length = (prefix.bigEndian(at: 0, width: size) ?? 0) + UInt64(size)
    }
    guard sample.range.lowerBound <= start, start <= sample.range.upperBound,
      length <= sample.range.upperBound - start
    else {
      note(
        failure(.invalidSize(length, reason: "reaches beyond the sample that it is taken from"), place.range))
      return nil
    }
    return Piece(part: source, sample: sample, range: start..<(start + length))
  }

  /// A track that extractors take bytes from.
  private func source(_ id: UInt32) throws(SourceError) -> JoinedPart? {
    if let known = referenced[id] { return known }
    guard let track = context.track(id: id), track.isHEVC else { return nil }
    let part = try JoinedPart(track, budget)
    referenced[id] = part
    return part
  }
}
