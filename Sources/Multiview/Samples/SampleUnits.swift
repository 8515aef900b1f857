// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess
import HEVC
import ISOBMFF

/// The range of a NAL unit in the file, and its header, which are known without loading the unit.
public struct NALUnitPlace: NALUnitDescription, Sendable, Hashable {
  /// The bytes of the unit, header included, without length or start code; of a unit that an extractor puts together,
  /// those of the extractor.
  public let range: Range<UInt64>
  public let header: NALUnitHeader
  public let startsPicture: Bool
  /// The unit, if an extractor composes it from several pieces; `nil` if it is in the file in one piece.
  public let composed: ByteView?

  init(range: Range<UInt64>, header: NALUnitHeader, startsPicture: Bool) {
    self.range = range
    self.header = header
    self.startsPicture = startsPicture
    composed = nil
  }

  init(composed unit: NALUnit, by extractor: NALUnitPlace) {
    range = extractor.range
    header = unit.header
    startsPicture = unit.startsPicture
    composed = unit.bytes
  }

  /// How many bytes the unit has.
  public var byteCount: Int { composed?.count ?? Int(clamping: range.length) }

  /// The unit, read now; short where the file ends within it.
  func unit(in source: any ByteSource) throws(SourceError) -> NALUnit? {
    if let composed { return NALUnit(composed) }
    return NALUnit(try source.read(range))
  }
}

/// Walks the NAL units of samples by their lengths, and reads no more than their headers.
///
/// One walker serves one task: samples that are close together share its window.
public final class SampleWalker {
  /// How many units of one sample are found: no real one comes near, and a place takes many times the six bytes that the
  /// smallest unit has with its length.
  static let maximumUnits = 1 << 16

  private let reader: WindowReader
  private let lengthSize: Int
  /// The sample descriptions, counted from 1, whose samples are not read in the same way as those of the first.
  private let others: [UInt32: FormatDescription]
  /// The budget of the operation, shared by all of its walkers.
  let budget: WorkBudget

  /// A walker without bounds, unless it has a budget.
  init(
    _ source: any ByteSource, lengthSize: Int, others: [UInt32: FormatDescription] = [:],
    budget: WorkBudget = WorkBudget()
  ) {
    reader = WindowReader(source)
    self.lengthSize = Self.possible(lengthSize)
    self.others = others
    self.budget = budget
  }

  private static func possible(_ lengthSize: Int) -> Int { min(max(lengthSize, 1), 4) }

  /// A walker over the samples of a track.
  convenience init(_ track: Track, _ budget: WorkBudget? = nil) {
    self.init(
      track.context.source, lengthSize: track.lengthSize, others: track.otherDescriptions,
      budget: budget ?? WorkBudget(track))
  }

  /// Whether so much has been done that samples must overlap: the rest is not walked.
  var isExhausted: Bool { budget.isExhausted }

  /// Finds the units of a sample and hands each to `body`.
  ///
  /// - Returns: what is wrong with the sample; the units before that have been handed on. More than 65 536 are wrong, too.
  public func walk(_ sample: Sample, _ body: (NALUnitPlace) -> Void) throws(SourceError) -> ParseError? {
    try walk(sample.range, atMost: Self.maximumUnits, ofDescription: sample.descriptionIndex, body)
  }

  /// Why samples of a description cannot be read, if so: they are not HEVC, or are encrypted, and those of the first are not.
  func obstacle(_ description: UInt32, at offset: UInt64) -> ParseError? {
    guard !others.isEmpty, let other = others[description] else { return nil }
    guard other.isHEVC else {
      return ParseError(
        .invalid("sample description \(description) is '\(other.codec)', not HEVC"),
        offset: Int(clamping: offset), field: "sample")
    }
    guard other.isProtected else { return nil }
    return ParseError(
      .missing("the key of sample description \(description)"), offset: Int(clamping: offset), field: "sample"
    )
  }

  /// How many bytes the lengths of NAL units have in samples of a description.
  func lengthSize(ofDescription description: UInt32) -> Int {
    others.isEmpty ? lengthSize : Self.possible(others[description]?.lengthSize ?? lengthSize)
  }

  /// Does the same with part of a sample, for at most a number of units; it is an error if there are more.
  func walk(
    _ range: Range<UInt64>, atMost limit: Int, ofDescription description: UInt32 = 1,
    _ body: (NALUnitPlace) -> Void
  ) throws(SourceError) -> ParseError? {
    if let obstacle = obstacle(description, at: range.lowerBound) { return obstacle }
    let lengthSize = lengthSize(ofDescription: description)
    let end = Int(clamping: range.upperBound)
    var position = Int(clamping: range.lowerBound)
    var count = 0
    while position < end {
      let (head, known) = try lengthAndHeader(at: position, before: end, lengthSize)
      guard known >= lengthSize else { return truncated(lengthSize, known, position, "NALUnitLength") }
      let start = position + lengthSize
      let length = Int(head >> UInt64(64 - 8 * lengthSize))
      guard length <= end - start else { return truncated(length, end - start, position, "NALUnit") }
      position = start + length
      let unit = head << UInt64(8 * lengthSize)
      let header = NALUnitHeader(
        first: UInt8(truncatingIfNeeded: unit >> 56), second: UInt8(truncatingIfNeeded: unit >> 48))
      let type = length < NALUnitHeader.byteCount ? nil : header.type
      guard budget.admits(.unit(type, bytes: length), at: UInt64(start)) else { return budget.exhaustion }
      if length < NALUnitHeader.byteCount { continue }
      guard known >= lengthSize + NALUnitHeader.byteCount else {
        return truncated(length, 0, start, "NALUnit")
      }
      guard count < limit else {
        return ParseError(
          .limitExceeded(
            limit: "\(limit) NAL units of a sample", value: UInt64(clamping: limit) &+ 1),
          offset: start, field: "NALUnit")
      }
      count += 1
      let hasPayload = length > NALUnitHeader.byteCount && known > lengthSize + NALUnitHeader.byteCount
      body(
        NALUnitPlace(
          range: UInt64(start)..<UInt64(position), header: header,
          startsPicture: hasPayload && unit >> 47 & 1 != 0))
    }
    return nil
  }

  /// The length of a unit, its header, and the byte after that, in the highest bytes of a number; and how many of these
  /// bytes there are.
  private func lengthAndHeader(
    at position: Int, before end: Int, _ lengthSize: Int
  ) throws(SourceError) -> (bytes: UInt64, known: Int) {
    let wanted = min(lengthSize + NALUnitHeader.byteCount + 1, end - position)
    if let word = reader.knownWord(at: position) { return (word, wanted) }
    let bytes = try reader.bytes(at: position, count: wanted)
    let value = bytes.bigEndian(at: 0, width: bytes.count) ?? 0
    return (value << UInt64(64 - 8 * bytes.count), bytes.count)
  }

  /// The bytes of a unit, at most `limit` of them.
  public func unit(_ place: NALUnitPlace, limit: Int = .max) throws(SourceError) -> NALUnit? {
    if let composed = place.composed { return NALUnit(composed) }
    return NALUnit(try bytes(place, limit: limit).compacted())
  }

  /// A parameter set that is going to be read. The walk that found it has paid for that.
  func parameterSet(_ place: NALUnitPlace) throws(SourceError) -> NALUnit? {
    // One byte more than is allowed, so that what is too long is refused and not cut.
    try unit(place, limit: Limits.maximumParameterSetBytes + 1)
  }

  /// The same for a unit that is read and not kept: it shares the memory of the window.
  func borrowedUnit(_ place: NALUnitPlace, limit: Int) throws(SourceError) -> NALUnit? {
    if let composed = place.composed { return NALUnit(composed) }
    return NALUnit(try bytes(place, limit: limit))
  }

  /// The eight bytes after the header of a unit, where they have been read already.
  func knownWord(in place: NALUnitPlace) -> UInt64? {
    guard place.composed == nil, place.range.length >= UInt64(NALUnitHeader.byteCount + 8) else { return nil }
    return reader.knownWord(at: Int(clamping: place.range.lowerBound) + NALUnitHeader.byteCount)
  }

  private func bytes(_ place: NALUnitPlace, limit: Int) throws(SourceError) -> ByteView {
    let count = min(Int(clamping: place.range.length), max(limit, NALUnitHeader.byteCount))
    return try reader.bytes(at: Int(clamping: place.range.lowerBound), count: count)
  }

  /// The bytes at a place of the file.
  func bytes(at offset: Int, count: Int) throws(SourceError) -> ByteView {
    try reader.bytes(at: offset, count: count)
  }

  private func truncated(_ needed: Int, _ available: Int, _ offset: Int, _ field: String) -> ParseError {
    ParseError(
      .truncated(
        neededBits: needed.multipliedReportingOverflow(by: 8).partialValue,
        availableBits: max(0, available) * 8),
      offset: offset, field: field)
  }
}
