// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport

/// A NAL unit of a raw stream, taken apart by a few plain lines that share nothing with the library.
struct StreamNALUnit {
  var type: Int
  var layerID: UInt8
  var temporalIDPlus1: Int
  /// The bytes as they are in the stream, header included.
  var bytes: [UInt8]

  /// The payload without emulation prevention bytes.
  var rbsp: ByteView { ByteView(Self.unescaped(bytes.dropFirst(2))) }

  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    type = Int(bytes[0] >> 1 & 63)
    layerID = (bytes[0] & 1) << 5 | bytes[1] >> 3
    temporalIDPlus1 = Int(bytes[1] & 7)
    self.bytes = bytes
  }

  /// The NAL units of an Annex B stream.
  static func all(in stream: [UInt8]) -> [StreamNALUnit] {
    var units: [StreamNALUnit] = []
    var start: Int?
    var index = 0
    while index + 2 < stream.count {
      if stream[index + 2] > 1 {
        index += 3
      } else if stream[index] == 0, stream[index + 1] == 0, stream[index + 2] == 1 {
        append(stream, start, index, &units)
        start = index + 3
        index += 3
      } else {
        index += 1
      }
    }
    append(stream, start, stream.count, &units)
    return units
  }

  private static func append(
    _ stream: [UInt8], _ start: Int?, _ end: Int, _ units: inout [StreamNALUnit]
  ) {
    guard let start else { return }
    var end = end
    while end > start, stream[end - 1] == 0 { end -= 1 }
    if let unit = StreamNALUnit(Array(stream[start..<end])) { units.append(unit) }
  }

  /// An RBSP with emulation prevention bytes, and where each of its bytes then is.
  static func escaped(_ rbsp: some Sequence<UInt8>) -> (bytes: [UInt8], places: [Int]) {
    var bytes: [UInt8] = [], places: [Int] = []
    var zeros = 0
    for byte in rbsp {
      if zeros >= 2, byte <= 3 {
        bytes.append(3)
        zeros = 0
      }
      places.append(bytes.count)
      bytes.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return (bytes, places)
  }

  static func unescaped(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }
}
