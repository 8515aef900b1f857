// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A frame as video hardware keeps it: the luma samples in one plane, those of both chroma components in turn in the
/// other. Samples of more than 8 bits are in the upper bits of 16, least significant byte first.
package struct BiplanarRows {
  private let frame: PlanarFrame
  private let sampleBytes: Int

  /// Makes the two planes of a frame; `nil` if it has luma only.
  package init?(_ frame: PlanarFrame) {
    guard frame.chromaArrayType != 0, frame.planes.count == 3 else { return nil }
    self.frame = frame
    sampleBytes = frame.bitDepth > 8 ? 2 : 1
  }

  /// How many rows a plane has.
  package func rowCount(ofPlane plane: Int) -> Int {
    plane > 0 && frame.chromaArrayType == 1 ? (frame.height + 1) / 2 : frame.height
  }

  /// How many bytes the samples of a row take.
  package func rowBytes(ofPlane plane: Int) -> Int {
    plane == 0 ? frame.width * sampleBytes : 2 * chromaWidth * sampleBytes
  }

  private var chromaWidth: Int { frame.chromaArrayType == 3 ? frame.width : (frame.width + 1) / 2 }

  /// The samples of a row.
  package func row(_ y: Int, ofPlane plane: Int) -> [UInt8] {
    if plane == 0 { return shifted(frame.planes[0], y * rowBytes(ofPlane: 0), count: frame.width) }
    let start = y * chromaWidth * sampleBytes
    let first = shifted(frame.planes[1], start, count: chromaWidth)
    let second = shifted(frame.planes[2], start, count: chromaWidth)
    var row: [UInt8] = []
    row.reserveCapacity(2 * first.count)
    for sample in stride(from: 0, to: first.count, by: sampleBytes) {
      row += first[sample..<(sample + sampleBytes)]
      row += second[sample..<(sample + sampleBytes)]
    }
    return row
  }

  /// Returns samples of a plane in the upper bits.
  private func shifted(_ plane: [UInt8], _ start: Int, count: Int) -> [UInt8] {
    let bytes = plane[start..<(start + count * sampleBytes)]
    guard sampleBytes == 2, frame.bitDepth < 16 else { return Array(bytes) }
    var shifted: [UInt8] = []
    shifted.reserveCapacity(bytes.count)
    for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: 2) {
      let sample = UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8
      let moved = sample << UInt16(16 - frame.bitDepth)
      shifted.append(UInt8(truncatingIfNeeded: moved))
      shifted.append(UInt8(truncatingIfNeeded: moved >> 8))
    }
    return shifted
  }
}
