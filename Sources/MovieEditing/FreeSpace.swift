// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

extension WritePlan {
  /// The same plan with zeros in some ranges.
  func blanking(_ ranges: [Range<UInt64>]) throws(ParseError) -> WritePlan {
    guard !ranges.isEmpty else { return self }
    var pieces: [Piece] = []
    var position: UInt64 = 0
    for range in ranges {
      if range.lowerBound > position { pieces.append(.range(position..<range.lowerBound, of: self)) }
      pieces.append(
        .range(
          0..<(range.upperBound - range.lowerBound), of: ZeroBytes(count: range.upperBound - range.lowerBound)
        ))
      position = range.upperBound
    }
    if position < byteCount { pieces.append(.range(position..<byteCount, of: self)) }
    return try WritePlan(pieces: pieces)
  }
}

extension Box {
  /// The box as bytes, with zeros in the free space inside it.
  func encodedWithoutFreeContents() throws(ParseError) -> [UInt8] {
    var bytes = try encoded()
    for range in FreeSpace(in: BoxTree(ByteView(bytes)).boxes).ranges {
      for index in Int(range.lowerBound)..<Int(range.upperBound) { bytes[index] = 0 }
    }
    return bytes
  }
}
