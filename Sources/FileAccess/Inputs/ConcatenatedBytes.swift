// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Several sources read as one file, each following the previous one: an initialisation segment and its media
/// segments.
public final class ConcatenatedBytes: ByteSource {
  let parts: [any ByteSource]
  /// Where each part begins.
  private let starts: [UInt64]

  /// Joins `parts` in this order. All but the last must know their size.
  public init(_ parts: [any ByteSource]) throws(SourceError) {
    var starts: [UInt64] = []
    var next: UInt64 = 0
    for (index, part) in parts.enumerated() {
      starts.append(next)
      guard index < parts.count - 1 else { break }
      guard let size = part.size else {
        throw SourceError(
          .other("the size of part \(index) is not known"), offset: next,
          advice: "Only the last part may be a pipe that has not ended.")
      }
      let (end, overflow) = next.addingReportingOverflow(size)
      guard !overflow else { throw SourceError(.tooLong(limit: .max), offset: next) }
      next = end
    }
    self.parts = parts
    self.starts = starts
  }

  public var size: UInt64? {
    guard let last = parts.last, let start = starts.last else { return 0 }
    return last.size.map { start.addingReportingOverflow($0).partialValue }
  }

  public func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    var pieces: [ByteView] = []
    var position = range.lowerBound
    var index = max(0, starts.partitionIndex { $0 <= position } - 1)
    while index < parts.count, position < range.upperBound {
      let start = starts[index]
      let end = index + 1 < starts.count ? min(range.upperBound, starts[index + 1]) : range.upperBound
      let piece: ByteView
      do { piece = try parts[index].read((position - start)..<(end - start)) } catch {
        var moved = error
        moved.offset = error.offset.map { start &+ $0 }
        throw moved
      }
      pieces.append(piece)
      position &+= UInt64(piece.count)
      // A part that has become shorter ends the data: whatever follows would be at the wrong place.
      if position < end { break }
      index += 1
    }
    guard let first = pieces.first else { return .empty(at: range.lowerBound) }
    if pieces.count == 1 {
      return first.fileOffset == Int(clamping: range.lowerBound) ? first : first.copy(at: range.lowerBound)
    }
    return ByteView(joining: pieces, fileOffset: Int(clamping: range.lowerBound))
  }
}
