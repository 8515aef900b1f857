// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension Plane {
  /// A part of the plane that shares its memory: one of two pictures side by side, or one above the other. `nil` if it
  /// is not inside the plane. The memory is that of the whole plane, which must outlive it.
  package func part(x: Int, y: Int, width: Int, height: Int) -> Plane? {
    guard contains(x: x, y: y, width: width, height: height) else { return nil }
    return unsafe Plane(
      base: base + (y &* stride &+ x) &* (isWide ? 2 : 1), width: width, height: height, stride: stride,
      isWide: isWide, bitDepth: bitDepth)
  }

  /// Copies a smaller plane of the same form to the upper left corner, and repeats its last column and its last row to
  /// the end of this one: what is coded of a picture whose size is not a multiple of blocks. Does nothing if the other
  /// plane is larger, empty or of another form.
  package func pad(_ other: Plane) {
    guard isWide == other.isWide, other.width > 0, other.height > 0, other.width <= width,
      other.height <= height
    else { return }
    copy(from: other, x: 0, y: 0, width: other.width, height: other.height)
    if isWide {
      unsafe repeatEdges(samples(UInt16.self), other.width, other.height)
    } else {
      unsafe repeatEdges(samples(UInt8.self), other.width, other.height)
    }
  }

  @unsafe
  private func repeatEdges<S: Sample>(_ samples: UnsafeMutablePointer<S>, _ columns: Int, _ rows: Int) {
    if columns < width {
      for y in 0..<rows {
        let line = unsafe samples + y &* stride
        unsafe (line + columns).update(repeating: line[columns &- 1], count: width &- columns)
      }
    }
    let last = unsafe samples + (rows &- 1) &* stride
    for y in rows..<max(rows, height) { unsafe (samples + y &* stride).update(from: last, count: width) }
  }

  /// Stores a part of a row that is given as it is in memory: one byte a sample, or two with the least significant
  /// first. Does nothing if it is not inside the plane.
  ///
  /// Bits of a sample beyond its depth are the caller's to avoid.
  package func store(_ y: Int, from x: Int, _ bytes: Span<UInt8>) {
    let size = isWide ? 2 : 1
    guard bytes.count % size == 0, contains(x: x, y: y, width: bytes.count / size, height: 1) else { return }
    let target = unsafe base + (y &* stride &+ x) &* size
    unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      unsafe target.copyMemory(from: start, byteCount: bytes.count)
    }
  }

  /// Writes to the upper left corner what lies as far beyond each sample of a block of `source` as the sample of `other`
  /// at the same place is before it, held to the range of samples: what a second prediction should be, so that the average
  /// of `other` and it is the block. The width is a multiple of eight; samples have at most 12 bits. Does nothing if a block
  /// is outside its plane or the planes have unlike forms.
  package func mirror(_ source: Plane, around other: Plane, x: Int, y: Int, width: Int, height: Int) {
    guard isWide == source.isWide, isWide == other.isWide, bitDepth <= 12, width & 7 == 0,
      contains(x: 0, y: 0, width: width, height: height),
      source.contains(x: x, y: y, width: width, height: height),
      other.contains(x: x, y: y, width: width, height: height)
    else { return }
    let high = Words(repeating: Int16(truncatingIfNeeded: 1 &<< bitDepth &- 1))
    for row in 0..<height {
      let from = (y &+ row) &* source.stride &+ x, beside = (y &+ row) &* other.stride &+ x
      var column = 0
      while column < width {
        if isWide {
          let twice = unsafe Words(at: UnsafePointer(source.samples(UInt16.self) + (from &+ column))) &<< 1
          let less = unsafe Words(at: UnsafePointer(other.samples(UInt16.self) + (beside &+ column)))
          unsafe UnsafeMutableRawPointer(samples(UInt16.self) + (row &* stride &+ column)).storeBytes(
            of: (twice &- less).held(to: high), as: Words.self)
        } else {
          let twice = unsafe Words(at: UnsafePointer(source.samples(UInt8.self) + (from &+ column))) &<< 1
          let less = unsafe Words(at: UnsafePointer(other.samples(UInt8.self) + (beside &+ column)))
          unsafe UnsafeMutableRawPointer(samples(UInt8.self) + (row &* stride &+ column)).storeBytes(
            of: (twice &- less).held(to: high).bytes, as: SIMD8<UInt8>.self)
        }
        column = column &+ 8
      }
    }
  }
}
