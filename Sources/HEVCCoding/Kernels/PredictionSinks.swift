// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What is done with rows of predicted numbers.
protocol PredictionSink {
  /// Takes eight numbers of a row, of which those beyond its end mean nothing.
  mutating func put(_ numbers: Words, _ column: Int)
  mutating func endRow()
}

/// Keeps the numbers, row by row without gaps. What is beyond the end of a row is the beginning of the next one, which
/// must be written afterwards, or the margin of the memory.
@safe
struct StoredPrediction: PredictionSink {
  private var row: UnsafeMutablePointer<Int16>
  private let width: Int

  @unsafe
  @inline(__always)
  init(_ target: UnsafeMutablePointer<Int16>, width: Int) {
    unsafe row = target
    self.width = width
  }

  @inline(__always)
  mutating func put(_ numbers: Words, _ column: Int) { unsafe numbers.store(at: row + column) }

  @inline(__always)
  mutating func endRow() { unsafe row += width }
}

/// Makes samples of one prediction. Equation 8-262
struct RoundedSamples<Rows: SampleRows>: PredictionSink {
  private var target: Rows
  private let rounding: SampleRounding

  @inline(__always)
  init(_ target: Rows, bitDepth: Int) {
    self.target = target
    rounding = SampleRounding(bitDepth: bitDepth)
  }

  @inline(__always)
  mutating func put(_ numbers: Words, _ column: Int) { target.put(rounding.samples(numbers), column) }

  @inline(__always)
  mutating func endRow() { target.endRow() }
}

/// Makes samples of two predictions, of which one is stored. Equation 8-264
@safe
struct AveragedSamples<Rows: SampleRows>: PredictionSink {
  private var target: Rows
  private var other: UnsafePointer<Int16>
  private let width: Int
  private let rounding: SampleRounding

  @unsafe
  @inline(__always)
  init(_ target: Rows, _ other: UnsafePointer<Int16>, width: Int, bitDepth: Int) {
    self.target = target
    unsafe self.other = other
    self.width = width
    rounding = SampleRounding(bitDepth: bitDepth)
  }

  @inline(__always)
  mutating func put(_ numbers: Words, _ column: Int) {
    let first = unsafe Words(at: other + column)
    // Half of the sum, which itself would not fit: the bits that both have, plus half of the bits that only one has.
    target.put(rounding.samples((first & numbers) &+ ((first ^ numbers) &>> 1)), column)
  }

  @inline(__always)
  mutating func endRow() {
    target.endRow()
    unsafe other += width
  }
}

/// How a prediction becomes a sample.
///
/// Numbers, not vectors of them: a shift by a vector from memory is not known to be the same for all lanes, and slow.
struct SampleRounding {
  private let shift: Int16
  private let high: Int16

  @inline(__always)
  init(bitDepth: Int) {
    shift = Int16(truncatingIfNeeded: max(2, 14 &- bitDepth))
    high = Int16(truncatingIfNeeded: 1 &<< min(14, bitDepth) &- 1)
  }

  @inline(__always)
  func samples(_ numbers: Words) -> Words {
    // The bias, half of the range, is a multiple of `1 << shift`: it may be added after the shift.
    let half = Words(repeating: 1 &<< (shift &- 1)), bias = Words(repeating: (1 &<< 13) &>> shift)
    return (((numbers &+ half) &>> Words(repeating: shift)) &+ bias).held(to: Words(repeating: high))
  }
}

/// Rows of a block of a plane, which must be inside it.
protocol SampleRows {
  /// Writes eight samples, or fewer at the end of a row of an even number of them.
  func put(_ samples: Words, _ column: Int)
  mutating func endRow()
}

/// Rows of samples of one byte.
@safe
struct ByteRows: SampleRows {
  private var row: UnsafeMutablePointer<UInt8>
  private let stride: Int
  private let width: Int

  @unsafe
  @inline(__always)
  init(_ row: UnsafeMutablePointer<UInt8>, stride: Int, width: Int) {
    unsafe self.row = row
    self.stride = stride
    self.width = width
  }

  @inline(__always)
  func put(_ samples: Words, _ column: Int) {
    let bytes = unsafe unsafeBitCast(samples.bytes, to: UInt64.self)
    let to = unsafe UnsafeMutableRawPointer(row + column), left = width &- column
    if left >= 8 {
      unsafe to.storeBytes(of: bytes, as: UInt64.self)
    } else {
      if left & 4 != 0 { unsafe to.storeBytes(of: UInt32(truncatingIfNeeded: bytes), as: UInt32.self) }
      if left & 2 != 0 {
        let place = left & 4
        unsafe to.storeBytes(
          of: UInt16(truncatingIfNeeded: bytes &>> UInt64(truncatingIfNeeded: 8 &* place)),
          toByteOffset: place, as: UInt16.self)
      }
    }
  }

  @inline(__always)
  mutating func endRow() { unsafe row += stride }
}

/// Rows of samples of two bytes.
@safe
struct WordRows: SampleRows {
  private var row: UnsafeMutablePointer<UInt16>
  private let stride: Int
  private let width: Int

  @unsafe
  @inline(__always)
  init(_ row: UnsafeMutablePointer<UInt16>, stride: Int, width: Int) {
    unsafe self.row = row
    self.stride = stride
    self.width = width
  }

  @inline(__always)
  func put(_ samples: Words, _ column: Int) {
    let to = unsafe UnsafeMutableRawPointer(row + column), left = width &- column
    if left >= 8 {
      unsafe to.storeBytes(of: samples, as: Words.self)
    } else {
      let pairs = samples.pairs
      if left & 4 != 0 { unsafe to.storeBytes(of: pairs[0], as: Int64.self) }
      if left & 2 != 0 {
        let longs = samples.longs, place = left & 4
        unsafe to.storeBytes(
          of: place == 0 ? longs[0] : longs[2], toByteOffset: 2 &* place, as: Int32.self)
      }
    }
  }

  @inline(__always)
  mutating func endRow() { unsafe row += stride }
}
