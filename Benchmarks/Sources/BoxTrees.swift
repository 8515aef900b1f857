// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// A movie of many fragments, as `count` pairs of `moof` and `mdat`.
func fragmentedMovie(_ count: Int) -> [UInt8] {
  func box(_ type: FourCC, _ body: [UInt8]) -> [UInt8] {
    big(UInt32(8 + body.count)) + big(type.rawValue) + body
  }
  func big(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
  }
  var bytes = box("ftyp", big(FourCC("iso6").rawValue) + big(0))
  for index in 0..<count {
    let header = box("tfhd", big(0x02_0000) + big(1))
    let time = box("tfdt", big(0x0100_0000) + big(0) + big(UInt32(index * 48)))
    var run = big(0x0000_0301) + big(48) + big(600)
    for sample in 0..<48 { run += big(1) + big(UInt32(100 + sample)) }
    let fragment = box(
      "moof", box("mfhd", big(0) + big(UInt32(index + 1))) + box("traf", header + time + box("trun", run)))
    bytes += fragment + box("mdat", [UInt8](repeating: 0x55, count: 64))
  }
  return bytes
}

func boxTreeBenchmarks() -> [Benchmark] {
  let count = 2_000
  let movie = ByteView(fragmentedMovie(count))
  let tree = BoxTree(movie, registry: .iso)
  let boxes = Double(count * 7 + 1)
  func sum() -> UInt64 {
    var total: UInt64 = 0
    var index = 0
    while let word = movie.bigEndian(at: index, width: 8) {
      total &+= word
      index += 8
    }
    return total
  }
  return [
    Benchmark(
      "boxes/build-tree", work: boxes, unit: "boxes", yardstick: "summing the bytes as 64-bit words",
      reference: sum
    ) { UInt64(BoxTree(movie, registry: .iso).boxes.count) },
    Benchmark("boxes/re-encode", work: boxes, unit: "boxes") {
      do { return UInt64(try tree.encoded().count) } catch { return 0 }
    },
    Benchmark("boxes/decode-payloads", work: boxes, unit: "boxes") {
      var total: UInt64 = 0
      tree.forEachBox { box, _ in total &+= box.decodePayload() == nil ? 0 : 1 }
      return total
    },
    Benchmark("boxes/describe-text", work: boxes, unit: "boxes") {
      var bytes = 0
      let buffer = OutputBuffer { bytes += $0.count }
      var sink = TextSink(buffer)
      tree.forEachBox { box, _ in _ = box.describeFields(into: &sink) }
      buffer.flush()
      return UInt64(bytes)
    },
    Benchmark("boxes/describe-json", work: boxes, unit: "boxes") {
      var bytes = 0
      let buffer = OutputBuffer { bytes += $0.count }
      let writer = JSONWriter(buffer, pretty: false)
      var sink = JSONSink(writer)
      writer.beginArray()
      tree.forEachBox { box, _ in
        writer.beginObject()
        _ = box.describeFields(into: &sink)
        writer.endObject()
      }
      writer.endArray()
      buffer.flush()
      return UInt64(bytes)
    },
  ]
}
