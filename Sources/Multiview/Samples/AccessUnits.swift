// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
import HEVC
import ISOBMFF

/// What stands together in time: a sample of a movie, or an access unit of a raw stream.
public struct AccessUnitPlaces: Sendable {
  /// Its number, from 0.
  public let index: Int
  /// The sample; `nil` in a raw stream.
  public let sample: Sample?
  /// Its NAL units.
  public let units: [NALUnitPlace]
  /// What is wrong with its framing.
  public let error: ParseError?

  /// How many bytes its units have, without lengths and start codes, by layer.
  public var bytesByLayer: [UInt8: Int] {
    var bytes: [UInt8: Int] = [:]
    for unit in units { bytes[unit.header.layerID, default: 0] += unit.byteCount }
    return bytes
  }
}

/// What is wrong with an access unit of a raw stream that has as many units as are looked for: it may have been cut there.
private func cut(_ units: [NALUnitPlace], _ limit: Int) -> ParseError? {
  guard units.count >= limit, let last = units.last else { return nil }
  return ParseError(
    .limitExceeded(limit: "\(limit) NAL units of an access unit", value: UInt64(clamping: units.count) &+ 1),
    offset: Int(clamping: last.range.upperBound), field: "NALUnit")
}

extension Track {
  /// Hands every sample, or access unit of a raw stream, to `body` in the order of decoding, until that answers `false`.
  /// Reads no more than NAL unit headers of samples; of a raw stream everything, in constant memory. Where samples lie
  /// upon one another too often, the walk ends with an error (`Limits.maximumSampleOverlap`). Where they are in another
  /// file, each has an error.
  ///
  /// Of a track of its own the samples are as the file has them, extractors included; a ``joined`` track has what a
  /// decoder gets.
  ///
  /// - Returns: whether the end was reached.
  /// - Throws: `SourceError` where bytes cannot be read, and where the track is no HEVC: of other codecs the NAL units are
  ///   not known.
  @discardableResult
  public func forEachAccessUnit(
    _ range: Range<Int> = 0..<Int.max, _ body: (AccessUnitPlaces, SampleWalker) -> Bool
  ) throws(SourceError) -> Bool {
    guard !isRawStream else { return try forEachAccessUnitOfStream(range, body) }
    guard isHEVC else {
      throw SourceError(
        .other("\(path) is \(codec.map { "'\($0)'" } ?? "of no known codec"), not HEVC"),
        advice: "Only HEVC has NAL units that are read here; samples() has the places of all samples.")
    }
    if let absence { return try handAbsence(absence, range, body) }
    guard !isJoined else { return try forEachJoinedAccessUnit(range, body) }
    let walker = SampleWalker(self)
    var iterator = try samples().makeIterator(at: max(0, range.lowerBound))
    while let sample = iterator.next(), sample.index < range.upperBound {
      var units: [NALUnitPlace] = []
      let error = try walker.walk(sample) { units.append($0) }
      let places = AccessUnitPlaces(index: sample.index, sample: sample, units: units, error: error)
      if !body(places, walker) || walker.isExhausted { return false }
    }
    return true
  }

  /// What is in this file at the place of samples that are in another is not theirs: each of them says so.
  private func handAbsence(
    _ absence: ParseError, _ range: Range<Int>, _ body: (AccessUnitPlaces, SampleWalker) -> Bool
  ) throws(SourceError) -> Bool {
    let walker = SampleWalker(self)
    var iterator = try samples().makeIterator(at: max(0, range.lowerBound))
    while let sample = iterator.next(), sample.index < range.upperBound {
      let places = AccessUnitPlaces(index: sample.index, sample: sample, units: [], error: absence)
      if !body(places, walker) { return false }
    }
    return true
  }

  private func forEachJoinedAccessUnit(
    _ range: Range<Int>, _ body: (AccessUnitPlaces, SampleWalker) -> Bool
  ) throws(SourceError) -> Bool {
    let reader = try AccessUnitReader(self)
    guard let walker = reader.walker else { return true }
    var iterator = try samples().makeIterator(at: max(0, range.lowerBound))
    var following = iterator.next()
    while let sample = following, sample.index < range.upperBound {
      following = iterator.next()
      let unit = try reader.accessUnit(of: sample, isLast: following == nil)
      if !body(unit, walker) || reader.isExhausted { return false }
    }
    return true
  }

  private func forEachAccessUnitOfStream(
    _ range: Range<Int>, _ body: (AccessUnitPlaces, SampleWalker) -> Bool
  ) throws(SourceError) -> Bool {
    let walker = SampleWalker(context.source, lengthSize: 4)
    var scanner = AnnexBScanner()
    var grouper = AccessUnitGrouper<NALUnitPlace>()
    var index = 0
    var goesOn = true
    func hand(_ units: [NALUnitPlace]?) {
      guard let units, goesOn else { return }
      if range.contains(index) {
        goesOn = body(
          AccessUnitPlaces(index: index, sample: nil, units: units, error: cut(units, grouper.maximumUnits)),
          walker)
      }
      index += 1
      if index >= range.upperBound { goesOn = false }
    }
    let found: (AnnexBScanner.Unit) -> Void = { unit in
      let place = NALUnitPlace(
        range: UInt64(clamping: unit.range.lowerBound)..<UInt64(clamping: unit.range.upperBound),
        header: unit.header,
        startsPicture: unit.startsPicture)
      hand(grouper.units(before: place))
    }
    var position: UInt64 = 0
    while goesOn {
      let chunk = try context.source.read(position..<(position + 0x4_0000))
      if chunk.isEmpty { break }
      position += UInt64(chunk.count)
      scanner.scan(chunk, found)
    }
    if goesOn {
      scanner.finish(found)
      hand(grouper.lastUnits())
    }
    if goesOn, let size = context.source.size, position < size {
      throw SourceError(.other("has become shorter while it was read"), offset: position)
    }
    return goesOn
  }
}
