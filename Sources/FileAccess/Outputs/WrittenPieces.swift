// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// What was written where, so that it can be read again and compared before the file gets its name.
///
/// Bytes that passed through memory are compared by a checksum of all of them. Ranges that the kernel copied are compared with
/// their source at places spread over the range, both ends among them: to read all of both would cost as much again as
/// copying them did.
struct WrittenPieces {
  /// How many pieces of each kind are remembered; beyond that every second one is.
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

  /// Bytes from memory.
  mutating func add(_ bytes: ByteView, at offset: UInt64) {
    stored.append(
      Stored(range: offset..<(offset &+ UInt64(bytes.count)), checksum: Self.checksum(bytes)))
  }

  /// Takes note of other bytes in place of a piece of the same size; answers whether a piece was there. A piece that has been
  /// forgotten since is not compared at the end either.
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

  /// A range that the kernel copied.
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

  /// Reads the output; answers the first place that is not as it was written.
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

  /// Where a range of `count` bytes is compared: its beginning, its end, and places between.
  private static func places(in count: UInt64) -> [Range<UInt64>] {
    guard count > sampleBytes * samplePlaces else { return [0..<count] }
    let step = (count - sampleBytes) / (samplePlaces - 1)
    return (0..<samplePlaces).map { index in
      let start = index == samplePlaces - 1 ? count - sampleBytes : index * step
      return start..<(start + sampleBytes)
    }
  }

  /// A checksum of eight bytes at a time; not against anybody who wants to deceive.
  static func checksum(_ bytes: ByteView) -> UInt64 {
    unsafe bytes.withUnsafeBytes { buffer in
      var sum: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(buffer.count)
      var index = 0
      while index + 8 <= buffer.count {
        // In bounds: eight bytes are left.
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

/// Elements of which, when there are too many, only every second, fourth, eighth … is kept, and the last one.
private struct Thinned<Element> {
  private var kept: [Element] = []
  private(set) var last: Element?
  private var step = 1
  private var count = 0

  /// What was kept, in order.
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

  /// Calls `body` with each element until it answers something else than `nil`, and answers that.
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
