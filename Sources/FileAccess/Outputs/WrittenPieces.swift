// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Threads

/// Which bytes were written where, so that they can be read again and compared before the file gets its name.
///
/// Bytes that passed through memory are compared by a checksum of all of them. Ranges that the kernel copied are
/// compared with their source at places spread over the range, including both ends: reading all of both would cost
/// as much again as copying them did.
struct WrittenPieces {
  /// How many pieces of each kind are remembered; when there are more, every second one is forgotten.
  static let maximumCount = 4096
  /// How many bytes are compared at one place of a copied range, and at how many places at most.
  private static let sampleBytes: UInt64 = 4096
  private static let samplePlaces: UInt64 = 16
  /// The least number of bytes of one checksum; larger files have longer spans, so that every byte is covered.
  private static let leastSpan: UInt64 = 64 << 20

  private struct Stored: Sendable {
    var range: Range<UInt64>
    var checksum: ByteChecksum
    /// Whether the piece may be replaced, as a whole; other pieces may not be replaced.
    var isFixed: Bool
  }

  private struct Copied {
    var range: Range<UInt64>
    var sourceStart: UInt64
    /// `nil` for zeros.
    var source: FileBytes?
  }

  private var stored = Thinned<Stored>()
  private var copied = Thinned<Copied>()

  /// Adds bytes from memory.
  ///
  /// - Parameter isFixed: whether they are a piece that may be replaced, as a whole.
  mutating func add(_ bytes: ByteView, at offset: UInt64, isFixed: Bool = false) {
    let end = offset &+ UInt64(bytes.count)
    if var last = stored.last, !isFixed, !last.isFixed, last.range.upperBound == offset,
      last.range.upperBound - last.range.lowerBound < max(Self.leastSpan, offset / 1024)
    {
      last.checksum.add(bytes)
      last.range = last.range.lowerBound..<end
      stored.replaceLast(with: last)
      return
    }
    var checksum = ByteChecksum()
    checksum.add(bytes)
    stored.append(Stored(range: offset..<end, checksum: checksum, isFixed: isFixed))
  }

  /// Records other bytes in place of a piece of the same size; returns whether there was such a piece. A piece
  /// that has since been forgotten is not compared at the end either.
  mutating func replace(_ bytes: ByteView, at offset: UInt64) -> Bool {
    let range = offset..<(offset &+ UInt64(bytes.count))
    var checksum = ByteChecksum()
    checksum.add(bytes)
    return stored.change { piece in
      guard piece.range.overlaps(range) else { return nil }
      guard piece.range == range, piece.isFixed else { return false }
      piece.checksum = checksum
      return true
    } ?? true
  }

  /// Records a range that the kernel copied, or a hole; of `nil`, it is zeros.
  mutating func add(_ range: Range<UInt64>, of source: FileBytes?, at offset: UInt64) {
    if var last = copied.last, last.source === source, last.range.upperBound == offset,
      last.sourceStart &+ last.range.length == range.lowerBound
    {
      last.range = last.range.lowerBound..<(offset &+ range.length)
      copied.replaceLast(with: last)
      return
    }
    copied.append(
      Copied(
        range: offset..<(offset &+ range.length), sourceStart: range.lowerBound, source: source))
  }

  /// Reads the output; returns the first offset at which it differs from what was written, or `nil`.
  func firstDifference(in output: FileBytes) throws(SourceError) -> UInt64? {
    if let place = try Self.firstDifference(of: stored.elements, in: output) { return place }
    for piece in copied.elements {
      for place in Self.places(in: piece.range.length) {
        let here = piece.range.lowerBound + place.lowerBound
        let count = Int(place.count)
        let found = try output.read(at: here, count: count)
        let planned = try piece.source?.read(at: piece.sourceStart + place.lowerBound, count: count)
        if planned.map({ $0 != found }) ?? (!found.isAllZero || found.count < count) { return here }
      }
    }
    return nil
  }

  /// The number of bytes from which two threads read: a single one waits for memory half of the time.
  private static let bytesForTwo: UInt64 = 256 << 20

  private static func firstDifference(
    of pieces: [Stored], in output: FileBytes
  ) throws(SourceError) -> UInt64? {
    let total = pieces.reduce(0) { $0 + $1.range.length }
    guard total >= bytesForTwo, pieces.count > 1, processorCount > 1 else {
      return try firstDifferenceInOrder(of: pieces[...], in: output)
    }
    let middle = pieces.count / 2
    let other = Monitor<Result<UInt64?, SourceError>?>(nil)
    let failed = startThread {
      let result = Result { () throws(SourceError) in
        try firstDifferenceInOrder(of: pieces[middle...], in: output)
      }
      other.change { $0 = result }
    }
    if failed != nil { return try firstDifferenceInOrder(of: pieces[...], in: output) }
    let first = Result { () throws(SourceError) in
      try firstDifferenceInOrder(of: pieces[..<middle], in: output)
    }
    let second = other.read { $0 }
    if let place = try first.get() { return place }
    return try second.get()
  }

  private static func firstDifferenceInOrder(
    of pieces: ArraySlice<Stored>, in output: FileBytes
  ) throws(SourceError) -> UInt64? {
    for piece in pieces {
      var checksum = ByteChecksum()
      let count = try unsafe output.readPieces(piece.range) { bytes in unsafe checksum.add(bytes) }
      if count != piece.range.length || checksum.value != piece.checksum.value {
        return piece.range.lowerBound
      }
    }
    return nil
  }

  /// The parts of a range of `count` bytes that are compared: its beginning, its end, and positions between.
  private static func places(in count: UInt64) -> [Range<UInt64>] {
    guard count > sampleBytes * samplePlaces else { return [0..<count] }
    let step = (count - sampleBytes) / (samplePlaces - 1)
    return (0..<samplePlaces).map { index in
      let start = index == samplePlaces - 1 ? count - sampleBytes : index * step
      return start..<(start + sampleBytes)
    }
  }
}

/// A list that, when it grows too long, keeps only every second, fourth, eighth … element, and the last one.
private struct Thinned<Element> {
  private var kept: [Element] = []
  private(set) var last: Element?
  private var step = 1
  private var count = 0

  /// The elements kept, in order.
  var elements: [Element] { last.map { kept + [$0] } ?? kept }

  mutating func append(_ element: Element) {
    if let last {
      if count % step == 0 { kept.append(last) }
      count += 1
      if kept.count >= WrittenPieces.maximumCount {
        kept = stride(from: 0, to: kept.count, by: 2).map { kept[$0] }
        step &*= 2
      }
    }
    last = element
  }

  mutating func replaceLast(with element: Element) { last = element }

  /// Calls `body` with each element until it returns something other than `nil`, and returns that.
  mutating func change(_ body: (inout Element) -> Bool?) -> Bool? {
    if var element = last, let answer = body(&element) {
      last = element
      return answer
    }
    for index in kept.indices {
      if let answer = body(&kept[index]) { return answer }
    }
    return nil
  }
}
