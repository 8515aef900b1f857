// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// A run-length coded table (`stts`, `ctts`): pairs of a count and a value of 32 bits each, kept as bytes.
///
/// For every 64th row, the number of preceding samples and the sum of their values are stored: a look-up is a
/// binary search over these entries followed by a walk over at most 64 rows.
///
/// Arithmetic wraps around: results for a hostile file are wrong but harmless.
struct RunLengths: Sendable {
  static let rowsPerNote = 64

  struct Note: Sendable {
    var sample: Int
    var sum: Int64
  }

  /// A sample, and its position in the table.
  struct Position: Sendable {
    /// How many samples of the row are left, including this one.
    var left: Int
    /// The value of this sample.
    var value: Int64
    /// The sum of the values of all preceding samples.
    var sum: Int64
    var nextRow: Int
  }

  let bytes: ByteView
  let rowCount: Int
  /// Whether values of 2^31 and more represent negative numbers.
  let isSigned: Bool
  private let notes: ContiguousArray<Note>
  /// How many samples the rows cover.
  let count: Int
  /// The sum of the values of all samples.
  let sum: Int64
  /// Whether there are values of 2^31 or more, or negative ones.
  let hasLargeValues: Bool

  /// - Parameter needsSum: whether ``sum`` and ``Position/sum`` will be used.
  init(_ bytes: ByteView, isSigned: Bool, needsSum: Bool = true) {
    self.bytes = bytes
    self.isSigned = isSigned
    rowCount = bytes.count / 8
    var notes = ContiguousArray<Note>()
    notes.reserveCapacity(rowCount / Self.rowsPerNote + 1)
    var samples = 0
    var total: Int64 = 0
    var bits: UInt64 = 0
    for first in stride(from: 0, to: rowCount, by: Self.rowsPerNote) {
      notes.append(Note(sample: samples, sum: total))
      guard needsSum else {
        let words = 2 &* first..<2 &* min(rowCount, first &+ Self.rowsPerNote)
        samples &+= Int(truncatingIfNeeded: bytes.sumOfWords32(words, stride: 2))
        continue
      }
      bytes.forEachWord64(first..<min(rowCount, first + Self.rowsPerNote)) { word in
        let rowSamples = Int(truncatingIfNeeded: word &>> 32)
        samples &+= rowSamples
        bits |= word
        total &+= Int64(rowSamples) &* Self.value(word, isSigned: isSigned)
      }
    }
    self.notes = notes
    count = samples
    sum = total
    hasLargeValues = bits & 0x8000_0000 != 0
  }

  @inline(__always)
  private static func value(_ word: UInt64, isSigned: Bool) -> Int64 {
    isSigned ? Int64(Int32(truncatingIfNeeded: word)) : Int64(UInt32(truncatingIfNeeded: word))
  }

  /// The row at `index`.
  @inline(__always)
  func row(_ index: Int) -> (count: Int, value: Int64) {
    let word = bytes.word64(index)
    return (Int(truncatingIfNeeded: word &>> 32), Self.value(word, isSigned: isSigned))
  }

  /// The position of `sample`. After the end, values are 0.
  func position(of sample: Int) -> Position {
    let note = max(0, notes.partitionIndex { $0.sample <= sample } - 1)
    guard note < notes.count, sample < count else {
      return Position(left: .max, value: 0, sum: sum, nextRow: rowCount)
    }
    var position = Position(left: 0, value: 0, sum: notes[note].sum, nextRow: note &* Self.rowsPerNote)
    var left = sample &- notes[note].sample
    while true {
      let (rowCount, value) = row(position.nextRow)
      position.nextRow &+= 1
      if left < rowCount {
        position.left = rowCount &- left
        position.value = value
        position.sum &+= Int64(left) &* value
        return position
      }
      left &-= rowCount
      position.sum &+= Int64(rowCount) &* value
    }
  }

  /// Advances to `sample`, which is the next one.
  @inline(__always)
  func advance(_ position: inout Position, to sample: Int) {
    position.sum &+= position.value
    position.left &-= 1
    if position.left == 0 { nextRow(&position, sample) }
  }

  /// Advances to `sample`, which is `count` samples later and at most the first of the next row.
  func advance(_ position: inout Position, by count: Int, to sample: Int) {
    position.sum &+= Int64(count) &* position.value
    position.left &-= count
    if position.left == 0 { nextRow(&position, sample) }
  }

  @inline(__always)
  private func nextRow(_ position: inout Position, _ sample: Int) {
    // After many rows without samples, the position is looked up instead: a hundred thousand may follow any
    // sample.
    let last = min(rowCount, position.nextRow &+ Self.rowsPerNote)
    while position.nextRow < last {
      let (count, value) = row(position.nextRow)
      position.nextRow &+= 1
      if count > 0 {
        position.left = count
        position.value = value
        return
      }
    }
    if last < rowCount {
      position = self.position(of: sample)
    } else {
      position.left = .max
      position.value = 0
    }
  }

  /// The last sample whose sum is not above `target`; -1 if there is none. Only meaningful if values are not
  /// negative.
  func lastSample(atOrBelow target: Int64) -> Int {
    guard target >= 0, !notes.isEmpty else { return -1 }
    let note = max(0, notes.partitionIndex { $0.sum <= target } - 1)
    var sample = notes[note].sample
    var sum = notes[note].sum
    var index = note &* Self.rowsPerNote
    while index < rowCount {
      let (count, value) = row(index)
      let (rowSum, overflow) = Int64(count).multipliedReportingOverflow(by: value)
      if overflow || rowSum > target &- sum {
        // Inside this row: `value` is not 0 here.
        return value > 0 ? sample &+ Int((target &- sum) / value) : sample &+ count &- 1
      }
      sample &+= count
      sum &+= rowSum
      index &+= 1
    }
    return count &- 1
  }
}
