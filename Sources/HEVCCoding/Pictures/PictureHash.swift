// swift-multiview · SPDX-License-Identifier: Apache-2.0

// The sums of samples that a picture hash message has. ISO/IEC 23008-2, D.3.19

extension PictureBuffer {
  /// The MD5 sum of a plane or a part of it: samples of up to 8 bits as one byte each, others as two, least
  /// significant first.
  package func md5(_ component: Int, x: Int = 0, y: Int = 0, width: Int? = nil, height: Int? = nil) -> [UInt8]
  {
    guard planes.indices.contains(component) else { return [] }
    let plane = planes[component]
    var sum = MD5()
    forEachRow(component, x: x, y: y, width: width ?? plane.width, height: height ?? plane.height) {
      sum.update($0)
    }
    return sum.sum()
  }

  /// Calls `body` with the samples of each row of a part of a plane: those of up to 8 bits as one byte each, others as
  /// two, least significant first.
  package func forEachRow(
    _ component: Int, x: Int, y: Int, width: Int, height: Int, _ body: (Span<UInt8>) -> Void
  ) {
    guard planes.indices.contains(component) else { return }
    let plane = planes[component]
    // If the other component has more bits, these samples take two bytes in memory.
    let isNarrowed = plane.isWide && plane.bitDepth <= 8
    var narrow = ContiguousArray<UInt8>(repeating: 0, count: isNarrowed ? max(0, width) : 0)
    for row in y..<(y &+ max(0, height)) {
      _ = plane.withRow(row, from: x, count: width) { bytes in
        guard isNarrowed else { return body(bytes) }
        for place in 0..<width { narrow[place] = bytes[2 &* place] }
        body(narrow.span)
      }
    }
  }

  /// The CRC of a plane (`pictureCrc`): the polynomial is 0x1021.
  package func crc(_ component: Int) -> UInt16 {
    let plane = planes[component]
    let isTwoBytes = plane.bitDepth > 8
    var crc: UInt32 = 0xFFFF
    func add(_ byte: UInt8) {
      for bit: UInt8 in 0..<8 {
        let top = crc &>> 15 & 1
        crc = ((crc &<< 1 | UInt32(byte &>> (7 &- bit) & 1)) & 0xFFFF) ^ (top &* 0x1021)
      }
    }
    forEachSample(plane) { _, _, low, high in
      add(low)
      if isTwoBytes { add(high) }
    }
    add(0)
    add(0)
    return UInt16(truncatingIfNeeded: crc)
  }

  /// The checksum of a plane (`pictureChecksum`).
  package func checksum(_ component: Int) -> UInt32 {
    let plane = planes[component]
    let isTwoBytes = plane.bitDepth > 8
    var sum: UInt32 = 0
    forEachSample(plane) { x, y, low, high in
      let mask = UInt8(truncatingIfNeeded: x & 255 ^ y & 255 ^ x &>> 8 ^ y &>> 8)
      sum &+= UInt32(low ^ mask)
      if isTwoBytes { sum &+= UInt32(high ^ mask) }
    }
    return sum
  }

  private func forEachSample(_ plane: Plane, _ body: (Int, Int, UInt8, UInt8) -> Void) {
    let step = plane.isWide ? 2 : 1
    for y in 0..<plane.height {
      _ = plane.withRow(y, from: 0, count: plane.width) { bytes in
        for x in 0..<plane.width {
          body(x, y, bytes[x &* step], plane.isWide ? bytes[x &* step &+ 1] : 0)
        }
      }
    }
  }
}
