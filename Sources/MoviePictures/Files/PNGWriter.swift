// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension RGBPicture {
  /// Returns the picture as a PNG file with 8 or 16 bits per sample.
  ///
  /// If the primaries and the transfer function are known, a `cICP` chunk names them (BT.2020, PQ and HLG too),
  /// and an `sRGB` chunk follows for sRGB. If there is an ICC profile, an `iCCP` chunk has it instead. W3C Portable Network Graphics, third edition
  public func png() -> [UInt8] {
    var out: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    var header = UInt32(clamping: width).bigEndianBytes + UInt32(clamping: height).bigEndianBytes
    // Colour type 2 (RGB) or 6 (with alpha); deflate; a filter for each row; not interlaced.
    header += [UInt8(depth.rawValue), hasAlpha ? 6 : 2, 0, 0, 0]
    Self.append("IHDR", header, to: &out)
    for chunk in colourChunks { Self.append(chunk.type, chunk.content, to: &out) }
    let content = Deflate.zlib(PNGFilters(self).bytes)
    var rest = content[...]
    while !rest.isEmpty {
      Self.append("IDAT", rest.prefix(1 << 20), to: &out)
      rest = rest.dropFirst(1 << 20)
    }
    Self.append("IEND", [], to: &out)
    return out
  }

  private var colourChunks: [(type: StaticString, content: [UInt8])] {
    if let iccProfile {
      // A name, the end of the name, and 0 for deflate.
      return [("iCCP", Array("ICC profile".utf8) + [0, 0] + Deflate.zlib(iccProfile))]
    }
    guard let primaries = primaries.flatMap({ UInt8(exactly: $0) }),
      let transfer = transfer.flatMap({ UInt8(exactly: $0) }), primaries != 2, transfer != 2
    else { return [] }
    // The samples are red, green and blue (0) in full range (1).
    var chunks: [(StaticString, [UInt8])] = [("cICP", [primaries, transfer, 0, 1])]
    // The rendering intent is perceptual (0).
    if primaries == 1, transfer == 13 { chunks.append(("sRGB", [0])) }
    return chunks
  }

  private static func append(
    _ type: StaticString, _ content: some Collection<UInt8>, to out: inout [UInt8]
  ) {
    out += UInt32(clamping: content.count).bigEndianBytes
    let name = Array(type.description.utf8)
    var check = CRC32()
    check.add(name)
    check.add(content)
    out += name
    out += content
    out += check.value.bigEndianBytes
  }
}

/// The filtered rows of a picture, each with the filter that is likely to compress best.
struct PNGFilters {
  /// The filtered rows, each preceded by the number of its filter.
  private(set) var bytes: [UInt8] = []

  init(_ picture: RGBPicture) {
    let isWide = picture.depth == .sixteen
    let step = picture.channels * (isWide ? 2 : 1)
    let count = picture.width * step
    bytes.reserveCapacity(picture.height * (count + 1))
    // `Array` has no spans before macOS 26 and iOS 26.
    var above = ContiguousArray<UInt8>(repeating: 0, count: count), row = above
    var candidates = [ContiguousArray<UInt8>](repeating: above, count: 5)
    for y in 0..<picture.height {
      Self.load(y, of: picture, isWide, into: &row)
      let best = Self.choose(row, above, step, &candidates)
      bytes.append(UInt8(best))
      bytes += candidates[best]
      swap(&above, &row)
    }
  }

  private static func load(
    _ y: Int, of picture: RGBPicture, _ isWide: Bool, into row: inout ContiguousArray<UInt8>
  ) {
    let count = picture.channels * picture.width, start = y * count
    for index in 0..<count {
      let sample = picture.samples[start &+ index]
      if isWide {
        row[2 &* index] = UInt8(truncatingIfNeeded: sample &>> 8)
        row[2 &* index &+ 1] = UInt8(truncatingIfNeeded: sample)
      } else {
        row[index] = UInt8(truncatingIfNeeded: sample)
      }
    }
  }

  /// Returns the filter whose differences have the smallest sum of magnitudes, the usual estimate of how well
  /// they compress.
  private static func choose(
    _ row: ContiguousArray<UInt8>, _ above: ContiguousArray<UInt8>, _ step: Int,
    _ candidates: inout [ContiguousArray<UInt8>]
  ) -> Int {
    var best = 0, least = Int.max
    for filter in 0..<5 {
      let sum = apply(filter, row.span, above.span, step, &candidates[filter])
      if sum < least { (best, least) = (filter, sum) }
    }
    return best
  }

  /// Applies one filter to a row and returns the sum of the magnitudes of the differences.
  private static func apply(
    _ filter: Int, _ row: Span<UInt8>, _ above: Span<UInt8>, _ step: Int,
    _ result: inout ContiguousArray<UInt8>
  ) -> Int {
    var result = result.mutableSpan
    var sum = 0
    // The values to the left of the first pixel are taken as 0.
    for index in 0..<min(step, row.count) {
      let predicted: UInt8 =
        switch filter {
        case 2, 4: above[index]
        case 3: above[index] &>> 1
        default: 0
        }
      put(row[index] &- predicted, index, &result, &sum)
    }
    let rest = min(step, row.count)..<row.count
    switch filter {
    case 0: for index in rest { put(row[index], index, &result, &sum) }
    case 1: for index in rest { put(row[index] &- row[index &- step], index, &result, &sum) }
    case 2: for index in rest { put(row[index] &- above[index], index, &result, &sum) }
    case 3:
      for index in rest {
        let mean = (UInt16(row[index &- step]) &+ UInt16(above[index])) &>> 1
        put(row[index] &- UInt8(truncatingIfNeeded: mean), index, &result, &sum)
      }
    default:
      for index in rest {
        let predicted = paeth(row[index &- step], above[index], above[index &- step])
        put(row[index] &- predicted, index, &result, &sum)
      }
    }
    return sum
  }

  @inline(__always)
  private static func put(
    _ difference: UInt8, _ index: Int, _ result: inout MutableSpan<UInt8>, _ sum: inout Int
  ) {
    result[index] = difference
    sum &+= Int(min(difference, 0 &- difference))
  }

  /// The one of left, above and above left that is nearest to left + above - above left. 9.4
  private static func paeth(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt8 {
    let toA = Int16(b) &- Int16(c), toB = Int16(a) &- Int16(c)
    let fromA = abs(toA), fromB = abs(toB), fromC = abs(toA &+ toB)
    let other = fromB <= fromC ? b : c
    return fromA <= fromB && fromA <= fromC ? a : other
  }
}
