// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import ISOBMFF

/// Boxes of a movie of many fragments.
func boxTreeBenchmarks() -> [Benchmark] {
  let movie = MadeMovie.fragments(2_000).head
  let view = ByteView(movie)
  let tree = BoxTree(view, registry: .iso)
  // A box before all others moves them.
  var moved = tree
  moved.boxes.insert(Box("free"), at: 0)
  let movedTree = moved
  var count = 0
  tree.forEachBox { _, _ in count += 1 }
  let boxes = Double(count)
  let sum = { sumOfWords(movie) }
  return [
    Benchmark("boxes/build-tree", work: boxes, unit: "boxes", yardstick: summingWords, reference: sum) {
      UInt64(BoxTree(view, registry: .iso).boxes.count)
    },
    Benchmark("boxes/re-encode", work: boxes, unit: "boxes", yardstick: summingWords, reference: sum) {
      do { return UInt64(try tree.encoded().count) } catch { return 0 }
    },
    Benchmark("boxes/move", work: boxes, unit: "boxes", yardstick: summingWords, reference: sum) {
      do { return UInt64(try movedTree.encoded().count) } catch { return 0 }
    },
    Benchmark("boxes/decode-payloads", work: boxes, unit: "boxes", yardstick: summingWords, reference: sum) {
      var total: UInt64 = 0
      tree.forEachBox { box, _ in total &+= box.decodePayload() == nil ? 0 : 1 }
      return total
    },
    Benchmark("boxes/describe-text", work: boxes, unit: "boxes", yardstick: summingWords, reference: sum) {
      describeText(tree)
    },
    Benchmark("boxes/describe-json", work: boxes, unit: "boxes", yardstick: summingWords, reference: sum) {
      describeJSON(tree)
    },
  ]
}

private func describeText(_ tree: BoxTree) -> UInt64 {
  var bytes = 0
  let buffer = OutputBuffer { bytes += $0.count }
  let sink = TextSink(buffer)
  tree.forEachBox { box, _ in _ = box.describeFields(into: sink) }
  buffer.flush()
  return UInt64(bytes)
}

private func describeJSON(_ tree: BoxTree) -> UInt64 {
  var bytes = 0
  let buffer = OutputBuffer { bytes += $0.count }
  let writer = JSONWriter(buffer, pretty: false)
  let sink = JSONSink(writer)
  writer.beginArray()
  tree.forEachBox { box, _ in
    writer.beginObject()
    _ = box.describeFields(into: sink)
    writer.endObject()
  }
  writer.endArray()
  buffer.flush()
  return UInt64(bytes)
}
