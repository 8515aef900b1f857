// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess

extension WritePlan {
  private static let windowBytes: UInt64 = 1 << 18
  /// How many bytes are compared at a place of a copied range, and at its beginning and its end.
  private static let probeBytes: UInt64 = 1 << 16
  private static let edgeBytes: UInt64 = 1 << 9
  /// The number of copied ranges whose ends are compared: of more of them, some, evenly distributed.
  private static let maximumEdges = 1 << 12

  /// Compares what was written with the plan, and returns the first place found at which it differs; `nil` if there is none.
  ///
  /// Bytes that are made for the plan are all compared. Of bytes that are copied, those in `whole` are; of the others, which may be
  /// many gigabytes, the ends of the ranges are, and `probes` places evenly distributed over all of them.
  ///
  /// - Parameter whole: the ranges of the output that are compared completely, in order.
  package func firstDifference(
    in written: any ByteSource, whole: [Range<UInt64>], probes: Int
  ) throws(SourceError) -> UInt64? {
    guard written.size == byteCount else { return min(written.size ?? 0, byteCount) }
    for range in whole {
      if let place = try firstDifference(in: written, range.clamped(to: 0..<byteCount)) { return place }
    }
    var copied = CopiedRanges()
    var found: UInt64?
    var position: UInt64 = 0
    for end in whole + [byteCount..<byteCount] where end.lowerBound >= position {
      try forEachPart(of: position..<end.lowerBound) { (part, place) throws(SourceError) in
        let range = place..<(place + part.count)
        guard case .bytes(let bytes) = part else {
          copied.add(range)
          return true
        }
        if try written.read(range) != bytes { found = place }
        return found == nil
      }
      if let found { return found }
      position = end.upperBound
    }
    for range in copied.compared(
      probes: probes, bytes: Self.probeBytes, edges: (Self.maximumEdges, Self.edgeBytes))
    {
      if let place = try firstDifference(in: written, range) { return place }
    }
    return nil
  }

  /// Compares all bytes of a range, in windows: the memory does not depend on its length. Bytes of files are compared where they
  /// were read.
  private func firstDifference(
    in written: any ByteSource, _ range: Range<UInt64>
  ) throws(SourceError) -> UInt64? {
    var position = range.lowerBound
    while position < range.upperBound {
      let end = min(range.upperBound, position + Self.windowBytes)
      var found: UInt64?
      try forEachPart(of: position..<end) { (part, place) throws(SourceError) in
        let planned =
          switch part {
          case .bytes(let bytes): bytes
          case .range(let range, let source): try source.read(range)
          }
        // A source that has become shorter differs, too.
        if try written.read(place..<(place + part.count)) != planned { found = place }
        return found == nil
      }
      if let found { return found }
      position = end
    }
    return nil
  }
}

/// The ranges of an output that are copied from files.
private struct CopiedRanges {
  private var ranges: [Range<UInt64>] = []
  private var count: UInt64 = 0

  mutating func add(_ range: Range<UInt64>) {
    ranges.append(range)
    count += range.upperBound - range.lowerBound
  }

  /// The parts that are compared.
  func compared(
    probes: Int, bytes: UInt64, edges: (count: Int, bytes: UInt64)
  ) -> [Range<UInt64>] {
    guard count > UInt64(clamping: probes) * bytes else { return ranges }
    var parts: [Range<UInt64>] = []
    let stride = (ranges.count - 1) / edges.count + 1
    let step = count / UInt64(max(1, probes))
    /// The number of copied bytes before the next place that is compared.
    var next = step / 2
    var position: UInt64 = 0
    for (index, range) in ranges.enumerated() {
      let length = range.upperBound - range.lowerBound
      if index % stride == 0 || index == ranges.count - 1 {
        parts.append(range.lowerBound..<(range.lowerBound + min(edges.bytes, length)))
        parts.append((range.upperBound - min(edges.bytes, length))..<range.upperBound)
      }
      while next < position + length {
        let start = range.lowerBound + (next - position)
        parts.append(start..<min(range.upperBound, start + bytes))
        next += step
      }
      position += length
    }
    return parts
  }
}
