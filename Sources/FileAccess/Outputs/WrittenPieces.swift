// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

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

  private struct Stored {
    var range: Range<UInt64>
    var checksum: UInt64
  }

  private struct Copied {
    var range: Range<UInt64>
    var sourceStart: UInt64
    var source: FileBytes
  }

  private var stored = Thinned<Stored>()
  private var copied = Thinned<Copied>()

  /// Records bytes written from memory.
  mutating func add(_ bytes: ByteView, at offset: UInt64) {
    stored.append(
      Stored(range: offset..<(offset &+ UInt64(bytes.count)), checksum: Self.checksum(bytes)))
  }

  /// Records other bytes in place of a piece of the same size; returns whether there was such a piece. A piece
  /// that has since been forgotten is not compared at the end either.
  mutating func replace(_ bytes: ByteView, at offset: UInt64) -> Bool {
    let range = offset..<(offset &+ UInt64(bytes.count))
    let checksum = Self.checksum(bytes)
    return stored.change { piece in
      guard piece.range.overlaps(range) else { return nil }
      guard piece.range == range else { return false }
      piece.checksum = checksum
      return true
    } ?? true
  }

  /// Records a range that the kernel copied.
  mutating func add(_ range: Range<UInt64>, of source: FileBytes, at offset: UInt64) {
    if var last = copied.last, last.source === source, last.range.upperBound == offset,
      last.sourceStart &+ UInt64(last.range.count) == range.lowerBound
    {
      last.range = last.range.lowerBound..<(offset &+ UInt64(range.count))
      copied.replaceLast(with: last)
      return
    }
    copied.append(
      Copied(
        range: offset..<(offset &+ UInt64(range.count)), sourceStart: range.lowerBound, source: source))
  }

  /// Reads the output; returns the first offset at which it differs from what was written, or `nil`.
  func firstDifference(in output: FileBytes) throws(SourceError) -> UInt64? {
    for piece in stored.elements {
      let bytes = try output.read(piece.range)
      if bytes.count != piece.range.count || Self.checksum(bytes) != piece.checksum {
        return piece.range.lowerBound
      }
    }
    for piece in copied.elements {
      for place in Self.places(in: UInt64(piece.range.count)) {
        let here = piece.range.lowerBound + place.lowerBound
        let count = Int(place.count)
        let found = try output.read(at: here, count: count)
        if try found != piece.source.read(at: piece.sourceStart + place.lowerBound, count: count) {
          return here
        }
      }
    }
    return nil
  }

  /// The parts of a range of `count` bytes that are compared: its beginning, its end, and places between.
  private static func places(in count: UInt64) -> [Range<UInt64>] {
    guard count > sampleBytes * samplePlaces else { return [0..<count] }
    let step = (count - sampleBytes) / (samplePlaces - 1)
    return (0..<samplePlaces).map { index in
      let start = index == samplePlaces - 1 ? count - sampleBytes : index * step
      return start..<(start + sampleBytes)
    }
  }

  /// A checksum over eight bytes at a time; not protection against deliberate changes.
  static func checksum(_ bytes: ByteView) -> UInt64 {
    unsafe bytes.withUnsafeBytes { buffer in
      var sum: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(buffer.count)
      var index = 0
      while index + 8 <= buffer.count {
        // In bounds: at least eight bytes are left.
        sum =
          unsafe (sum ^ buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
        sum ^= sum >> 29
        index += 8
      }
      while index < buffer.count {
        sum = unsafe (sum ^ UInt64(buffer[index])) &* 0x100_0000_01B3
        index += 1
      }
      return sum
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
