// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The first edit, in presentation order, that presents any part of a range of media. It is found in a few steps,
/// however many edits overlap: it may be needed for every sample of a movie, and samples may take no bytes.
struct FirstEdits: Sendable, Hashable {
  /// Where the pieces of media begin, in order: each piece is presented by the same edits from its beginning to
  /// its end, and the last one by none.
  private let starts: [Int64]
  /// A tree of minima: its leaves, the second half, hold the first edit of each piece; each other node holds the
  /// lesser of the two at twice its index and one after that.
  private let least: [UInt32]
  private static let none = UInt32.max

  /// Makes an index of which edits present which media, given in presentation order.
  init(_ shown: [(range: Range<Int64>, edit: Int)]) {
    guard !shown.isEmpty else {
      (starts, least) = ([], [])
      return
    }
    var starts: [Int64] = []
    starts.reserveCapacity(2 * shown.count)
    for (range, _) in shown where !range.isEmpty { starts += [range.lowerBound, range.upperBound] }
    starts.sort()
    var count = 0
    for start in starts where count == 0 || start != starts[count - 1] {
      starts[count] = start
      count += 1
    }
    starts.removeLast(starts.count - count)
    self.starts = starts

    var least = [UInt32](repeating: Self.none, count: 2 * count)
    // For each piece, the next one not yet taken by an edit; the last position is after all of them.
    var free = Array(0...count)
    func nextFree(_ piece: Int) -> Int {
      var found = piece
      while free[found] != found { found = free[found] }
      var passed = piece
      while passed != found {
        let next = free[passed]
        free[passed] = found
        passed = next
      }
      return found
    }
    for (range, edit) in shown where !range.isEmpty {
      let end = Self.piece(at: range.upperBound, starts)
      var piece = nextFree(Self.piece(at: range.lowerBound, starts))
      while piece < end {
        least[count + piece] = UInt32(clamping: edit)
        free[piece] = piece + 1
        piece = nextFree(piece + 1)
      }
    }
    for index in stride(from: count - 1, to: 0, by: -1) {
      least[index] = Swift.min(least[2 * index], least[2 * index + 1])
    }
    self.least = least
  }

  /// The piece that contains a time; -1 before all pieces.
  private static func piece(at time: Int64, _ starts: [Int64]) -> Int {
    starts.partitionIndex { $0 <= time } - 1
  }

  /// The first edit that presents any of the media from `time` through `last`.
  func first(from time: Int64, through last: Int64) -> Int? {
    let end = Self.piece(at: last, starts)
    guard end >= 0 else { return nil }
    var low = Swift.max(0, Self.piece(at: time, starts)) + starts.count
    var high = Swift.max(low, end + starts.count) + 1
    var found = Self.none
    while low < high {
      if low & 1 == 1 {
        found = Swift.min(found, least[low])
        low += 1
      }
      if high & 1 == 1 {
        high -= 1
        found = Swift.min(found, least[high])
      }
      low /= 2
      high /= 2
    }
    return found == Self.none ? nil : Int(found)
  }
}
