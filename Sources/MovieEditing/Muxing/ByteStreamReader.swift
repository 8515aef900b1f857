// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
package import HEVC

/// A sequential source of NAL units.
package protocol UnitReader {
  /// Returns the next unit, with its offset; `nil` at the end.
  mutating func nextUnit() throws(EditError) -> NALUnit?
  /// The number of units that were too short for a header, and were not returned.
  var shortUnits: Int { get }
  /// Whether bytes other than zeros precede the first unit.
  var hasLeadingBytes: Bool { get }
  /// The index of the sample entry of the last unit's sample; `nil` for a stream.
  var entry: Int? { get }
  /// When the pictures so far are shown; `nil` if all are shown for the same time.
  var presentation: PresentationTimes? { get }
}

extension UnitReader {
  package var presentation: PresentationTimes? { nil }
}

/// Reads the NAL units of a byte stream once, from beginning to end, in constant memory. ISO/IEC 23008-2, annex B
struct ByteStreamReader: UnitReader {
  /// The first read is short: of a pipe, only the last bytes can be read again, and its beginning was read before.
  private static let firstRead = 1 << 15
  private static let laterRead = 1 << 20

  let entry: Int? = nil
  private let source: any ByteSource
  private let limits: Limits
  private var scanner = AnnexBScanner()
  /// The bytes that were read, from the beginning of the unit whose end is not known yet.
  private var pieces: [ByteView] = []
  private var pieceBytes = 0
  private var position: UInt64 = 0
  private var found: [NALUnit] = []
  private var next = 0
  private var isAtEnd = false

  init(_ source: any ByteSource, limits: Limits) {
    self.source = source
    self.limits = limits
  }

  /// The number of units that were too short for a header, and were not returned.
  var shortUnits: Int { scanner.shortUnits }
  /// Whether bytes other than zeros precede the first start code.
  var hasLeadingBytes: Bool { scanner.hasLeadingBytes }

  /// Returns the next unit, with its offset in the stream; `nil` at the end.
  mutating func nextUnit() throws(EditError) -> NALUnit? {
    while next == found.count {
      guard !isAtEnd else { return nil }
      found.removeAll(keepingCapacity: true)
      next = 0
      try reading(readMore())
    }
    defer { next += 1 }
    return found[next]
  }

  private mutating func readMore() throws(SourceError) {
    let count = UInt64(position == 0 ? Self.firstRead : Self.laterRead)
    let piece = try source.read(position..<(position + count))
    var units: [AnnexBScanner.Unit] = []
    if piece.isEmpty {
      isAtEnd = true
      scanner.finish { (unit: AnnexBScanner.Unit) in units.append(unit) }
    } else {
      position += UInt64(piece.count)
      pieces.append(piece)
      pieceBytes += piece.count
      scanner.scan(piece) { (unit: AnnexBScanner.Unit) in units.append(unit) }
    }
    for unit in units {
      if let unit = NALUnit(bytes(unit.range)) { found.append(unit) }
    }
    if let end = units.last?.range.upperBound { forget(before: end) }
    guard pieceBytes <= limits.maximumSampleBytes else {
      throw SourceError(
        .other("a NAL unit has more than \(limits.maximumSampleBytes) bytes"),
        offset: UInt64(clamping: pieces.first?.fileOffset ?? 0))
    }
  }

  private mutating func forget(before end: Int) {
    let kept = pieces.firstIndex { $0.fileRange.upperBound > end } ?? pieces.count
    for piece in pieces[..<kept] { pieceBytes -= piece.count }
    pieces.removeFirst(kept)
  }

  private func bytes(_ range: Range<Int>) -> ByteView {
    if let last = pieces.last?.slice(fileRange: range) { return last }
    var parts: [ByteView] = []
    for piece in pieces where piece.fileRange.overlaps(range) {
      if let part = piece.slice(fileRange: piece.fileRange.clamped(to: range)) { parts.append(part) }
    }
    return ByteView(joining: parts, fileOffset: range.lowerBound)
  }
}
