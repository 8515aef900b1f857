// swift-multiview · SPDX-License-Identifier: Apache-2.0

// The sums of samples that a picture hash message has. ISO/IEC 23008-2, D.3.19

extension PictureBuffer {
  /// The MD5 sum of a plane or a part of it: samples of up to 8 bits as one byte each, others as two, least
  /// significant first.
  package func md5(_ component: Int, x: Int = 0, y: Int = 0, width: Int? = nil, height: Int? = nil) -> [UInt8]
  {
    guard planes.indices.contains(component) else { return [] }
    var sum = MD5()
    forEachRow(component, x: x, y: y, width: width, height: height) { sum.update($0) }
    return sum.sum()
  }

  /// Calls `body` with the samples of each row of a plane or a part of it: those of up to 8 bits as one byte each, others
  /// as two, least significant first.
  package func forEachRow(
    _ component: Int, x: Int = 0, y: Int = 0, width: Int? = nil, height: Int? = nil,
    _ body: (Span<UInt8>) -> Void
  ) {
    guard planes.indices.contains(component) else { return }
    let plane = planes[component]
    let (width, height) = (width ?? plane.width, height ?? plane.height)
    // If the other component has more bits, these samples take two bytes in memory.
    let isNarrowed = plane.isWide && plane.bitDepth <= 8
    var narrow: [UInt8] = []
    for row in y..<(y &+ max(0, height)) {
      guard isNarrowed else {
        _ = plane.withRow(row, from: x, count: width, body)
        continue
      }
      narrow.removeAll(keepingCapacity: true)
      plane.append(x: x, y: row, width: width, height: 1, to: &narrow)
      if !narrow.isEmpty { body(ContiguousArray(narrow).span) }
    }
  }

  /// The CRC of a plane (`pictureCrc`): the polynomial is 0x1021.
  package func crc(_ component: Int) -> UInt16 {
    let effects = Self.effectsOfLeavingBits
    var crc: UInt32 = 0xFFFF
    func add(_ byte: UInt8) {
      crc = (crc &<< 8 | UInt32(byte)) & 0xFFFF ^ effects[Int(crc &>> 8)]
    }
    forEachRow(component) { bytes in
      for place in bytes.indices { add(bytes[place]) }
    }
    add(0)
    add(0)
    return UInt16(truncatingIfNeeded: crc)
  }

  /// What the eight bits that leave a CRC at its top change in the sixteen that stay, for each value of the eight.
  private static let effectsOfLeavingBits: ContiguousArray<UInt32> = {
    var effects: ContiguousArray<UInt32> = []
    for top: UInt32 in 0..<256 {
      var crc = top &<< 8
      for _ in 0..<8 { crc = (crc &<< 1) & 0xFFFF ^ (crc &>> 15) &* 0x1021 }
      effects.append(crc)
    }
    return effects
  }()

  /// The checksum of a plane (`pictureChecksum`).
  package func checksum(_ component: Int) -> UInt32 {
    guard planes.indices.contains(component) else { return 0 }
    let shift = planes[component].bitDepth > 8 ? 1 : 0
    var sum: UInt32 = 0
    var y = 0
    forEachRow(component) { bytes in
      let rowMask = UInt8(truncatingIfNeeded: y ^ y &>> 8)
      for place in bytes.indices {
        let x = place &>> shift
        sum &+= UInt32(bytes[place] ^ rowMask ^ UInt8(truncatingIfNeeded: x ^ x &>> 8))
      }
      y &+= 1
    }
    return sum
  }
}
