// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The sizes of the samples: all the same, or in rows of 4, 8, 16 or 32 bits.
struct SampleSizes: Sendable {
  let bytes: ByteView
  /// How many bits a row takes; 0 if all samples have the same size.
  let width: Int
  let constant: UInt32
  let count: Int

  static let none = SampleSizes(bytes: ByteView(), width: 0, constant: 0, count: 0)

  init(bytes: ByteView, width: Int, constant: UInt32, count: Int) {
    self.bytes = bytes
    self.width = width
    self.constant = constant
    self.count = count
  }

  init(_ box: SampleSizeBox) {
    if box.sampleSize != 0 {
      self.init(
        bytes: ByteView(), width: 0, constant: box.sampleSize, count: Int(box.sampleCount))
    } else {
      self.init(bytes: box.entries.bytes, width: 32, constant: 0, count: box.entries.count)
    }
  }

  init(_ box: CompactSampleSizeBox) {
    self.init(
      bytes: box.entries.bytes, width: Int(box.entries.format), constant: 0, count: box.entries.count)
  }

  /// The size of `sample`; 0 outside.
  @inline(__always)
  func size(of sample: Int) -> UInt32 {
    if width == 32 { return bytes.word32(sample) }
    if width == 0 { return constant }
    return narrowSize(of: sample)
  }

  private func narrowSize(of sample: Int) -> UInt32 {
    switch width {
    case 4:
      let pair = UInt32(bytes[sample &>> 1] ?? 0)
      return sample & 1 == 0 ? pair &>> 4 : pair & 15
    case 8: return UInt32(bytes[sample] ?? 0)
    default: return UInt32(truncatingIfNeeded: bytes.bigEndian(at: sample &* 2, width: 2) ?? 0)
    }
  }

  /// The sum of the sizes of `samples`.
  func sum(_ samples: Range<Int>) -> UInt64 {
    if width == 32 { return bytes.sumOfWords32(samples) }
    if width == 0 { return UInt64(samples.count) &* UInt64(constant) }
    var sum: UInt64 = 0
    for sample in samples { sum &+= UInt64(narrowSize(of: sample)) }
    return sum
  }
}

/// The sums of the sizes of all samples before every 512th.
struct SizeSums: Sendable {
  static let step = 512
  private let sums: ContiguousArray<UInt64>

  init(_ sizes: SampleSizes) {
    var sums = ContiguousArray<UInt64>()
    sums.reserveCapacity(sizes.count / Self.step + 1)
    var sum: UInt64 = 0
    for first in stride(from: 0, to: sizes.count, by: Self.step) {
      sums.append(sum)
      sum &+= sizes.sum(first..<min(sizes.count, first + Self.step))
    }
    self.sums = sums
  }

  /// The sum of the sizes of `samples`.
  func sum(_ samples: Range<Int>, _ sizes: SampleSizes) -> UInt64 {
    before(samples.upperBound, sizes) &- before(samples.lowerBound, sizes)
  }

  private func before(_ sample: Int, _ sizes: SampleSizes) -> UInt64 {
    guard !sums.isEmpty else { return 0 }
    let note = min(sample / Self.step, sums.count - 1)
    return sums[note] &+ sizes.sum(note * Self.step..<max(note * Self.step, sample))
  }
}
