// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess
import HEVC
import ISOBMFF

/// The error of an access unit of a raw stream that has the maximum number of units: it may have been cut there.
private func cut(_ units: [NALUnitPlace], _ limit: Int) -> ParseError? {
  guard units.count >= limit, let last = units.last else { return nil }
  return ParseError(
    .limitExceeded(limit: "\(limit) NAL units of an access unit", value: UInt64(clamping: units.count) &+ 1),
    offset: Int(clamping: last.range.upperBound), field: "NALUnit")
}

/// Reads the samples of a track, or the access units of a raw stream, one after the other, on demand.
///
/// For a separate track, the samples are those of the file; for a joined track, they are what a decoder gets. One iterator
/// serves one task.
package final class AccessUnitIterator {
  private enum Source {
    case samples(SampleWalker)
    case absent(ParseError, SampleWalker)
    case joined(AccessUnitReader, SampleWalker)
    case stream(Stream)
  }

  private let source: Source
  /// The samples of a track; `nil` for a raw stream.
  private var samples: TrackSamples.Iterator?
  /// The sample after the one that a joined track gives next.
  private var following: Sample?
  /// How many units the last sample has: the next one is likely to have as many.
  private var unitCount = 0
  private let range: Range<Int>
  private let budget: WorkBudget
  /// The costs of changes of the sample description; `nil` for a track with a single one.
  private var changes: DescriptionChanges?
  /// Whether so much was read that samples must overlap: the rest is not read.
  package var isExhausted: Bool { budget.isExhausted }
  /// Whether the range ended before the access units of a raw stream did.
  private(set) var isCutShort = false

  /// The access units at `range`, by their numbers.
  ///
  /// - Throws: `SourceError` if samples cannot be read, and where the track is not HEVC: of other codecs the NAL units are
  ///   not known.
  package convenience init(_ track: Track, _ range: Range<Int> = 0..<Int.max) throws(SourceError) {
    try self.init(track, range, WorkBudget(track))
  }

  /// The same, within the budget of an operation that reads more than this.
  package init(_ track: Track, _ range: Range<Int>, _ budget: WorkBudget) throws(SourceError) {
    (self.range, self.budget) = (range, budget)
    changes = track.hasSeveralDescriptions ? DescriptionChanges(track) : nil
    guard !track.isRawStream else {
      source = .stream(Stream(track.context.source))
      return
    }
    guard track.isHEVC else {
      throw SourceError(
        .other("\(track.path) \(track.codec.map { "is '\($0)'" } ?? "has an unknown codec"), not HEVC"),
        advice: "NAL units are read from HEVC only; samples of any codec can be listed\(.showSamples).")
    }
    var samples = try track.samples().makeIterator(at: max(0, range.lowerBound))
    if let absence = track.absence {
      // What is in this file at the place of samples that are in another is not theirs: each of them says so.
      source = .absent(absence, SampleWalker(track, budget))
    } else if track.isJoined {
      let reader = try AccessUnitReader(track, budget)
      // Without tracks to join no sample is found.
      if reader.walker != nil { following = samples.next() }
      source = .joined(reader, reader.walker ?? SampleWalker(track, budget))
    } else {
      source = .samples(SampleWalker(track, budget))
    }
    self.samples = samples
  }

  /// The next access unit, and what reads its units.
  package func next() throws(SourceError) -> (AccessUnitPlaces, SampleWalker)? {
    guard !isExhausted else { return nil }
    switch source {
    case .samples(let walker):
      guard let sample = nextSample() else { return nil }
      if let excess = excess(sample) { return (nothing(of: sample, excess), walker) }
      var units: [NALUnitPlace] = []
      units.reserveCapacity(unitCount)
      let error = try walker.walk(sample) { units.append($0) }
      unitCount = units.count
      return (AccessUnitPlaces(index: sample.index, sample: sample, units: units, error: error), walker)
    case .absent(let absence, let walker):
      guard let sample = nextSample() else { return nil }
      return (nothing(of: sample, excess(sample) ?? absence), walker)
    case .joined(let reader, let walker):
      guard let sample = following, sample.index < range.upperBound else { return nil }
      following = samples?.next()
      if let excess = excess(sample) { return (nothing(of: sample, excess), walker) }
      return (try reader.accessUnit(of: sample, isLast: following == nil), walker)
    case .stream(let stream):
      while let unit = try stream.next() {
        guard unit.index < range.upperBound else {
          isCutShort = true
          return nil
        }
        if unit.index >= range.lowerBound { return (unit, stream.walker) }
      }
      return nil
    }
  }

  /// The error if parameter sets would be read too often: whenever the sample description changes, the receiver of the units
  /// reads its parameter sets again.
  private func excess(_ sample: Sample) -> ParseError? {
    guard let cost = changes?.cost(at: sample), !budget.admits(.bytes(cost), at: sample.offset) else {
      return nil
    }
    return budget.exhaustion
  }

  private func nothing(of sample: Sample, _ error: ParseError) -> AccessUnitPlaces {
    AccessUnitPlaces(index: sample.index, sample: sample, units: [], error: error)
  }

  private func nextSample() -> Sample? {
    guard let sample = samples?.next(), sample.index < range.upperBound else { return nil }
    return sample
  }
}

/// The cost of reading the parameter sets of a sample description when it changes.
private struct DescriptionChanges {
  private let track: Track
  private var current: [UInt32] = []
  private var costs: [[UInt32]: Int] = [:]

  init(_ track: Track) { self.track = track }

  /// 0 if the description is that of the sample before.
  mutating func cost(at sample: Sample) -> Int {
    let numbers = track.descriptionNumbers(of: sample)
    guard numbers != current else { return 0 }
    current = numbers
    if let known = costs[numbers] { return known }
    let cost = WorkBudget.Work.cost(of: track.described(for: sample).layerAnalysis.units.lazy.map(\.unit))
    costs[numbers] = cost
    return cost
  }
}

/// The access units of a raw stream, in constant memory.
private final class Stream {
  let walker: SampleWalker
  private let source: any ByteSource
  private var scanner = AnnexBScanner()
  private var grouper = AccessUnitGrouper<NALUnitPlace>()
  private var position: UInt64 = 0
  private var count = 0
  /// Access units that were found, the next one last.
  private var found: [AccessUnitPlaces] = []
  private var isRead = false

  init(_ source: any ByteSource) {
    self.source = source
    walker = SampleWalker(source, lengthSize: 4)
  }

  func next() throws(SourceError) -> AccessUnitPlaces? {
    while found.isEmpty, !isRead { try readChunk() }
    if let unit = found.popLast() { return unit }
    if let size = source.size, position < size {
      throw SourceError(.other("has become shorter while it was read"), offset: position)
    }
    return nil
  }

  private func readChunk() throws(SourceError) {
    var new: [AccessUnitPlaces] = []
    func hand(_ units: [NALUnitPlace]?) {
      guard let units else { return }
      new.append(
        AccessUnitPlaces(index: count, sample: nil, units: units, error: cut(units, grouper.maximumUnits)))
      count += 1
    }
    func take(_ unit: AnnexBScanner.Unit) {
      let place = NALUnitPlace(
        range: UInt64(clamping: unit.range.lowerBound)..<UInt64(clamping: unit.range.upperBound),
        header: unit.header,
        startsPicture: unit.startsPicture)
      hand(grouper.units(before: place))
    }
    let chunk = try source.read(position..<(position + 0x4_0000))
    if chunk.isEmpty {
      isRead = true
      scanner.finish(take)
      hand(grouper.lastUnits())
    } else {
      position += UInt64(chunk.count)
      scanner.scan(chunk, take)
    }
    found = new.reversed()
  }
}
