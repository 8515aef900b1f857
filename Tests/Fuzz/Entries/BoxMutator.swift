// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import LayoutExamples
import Multiview
import TestSupport

/// Bytes as the payload of a box, whatever they are.
struct RawPayload: BoxPayload {
  static let info = BoxInfo([], name: "raw payload", "", "")
  var bytes = ByteView()
  mutating func layout(_ c: inout some Coder) throws(ParseError) { try c.remainder("bytes", &bytes) }
}

extension BoxRegistration {
  /// The kinds of boxes that have examples.
  fileprivate static let withExamples = BoxRegistry.standard.all.filter {
    !$0.examples.isEmpty && !$0.types.isEmpty
  }
}

/// Changes boxes and lets the sizes around follow; now and then a size that does not.
@Sendable
func mutateBoxes(_ mutation: inout FuzzMutation) {
  var tree = BoxTree(ByteView(mutation.bytes), registry: .standard)
  var places: [[Int]] = []
  func collect(_ boxes: [Box], _ prefix: [Int]) {
    for (index, box) in boxes.enumerated() where places.count < 5_000 {
      places.append(prefix + [index])
      collect(box.children, prefix + [index])
    }
  }
  collect(tree.boxes, [])
  guard !places.isEmpty else { return mutation.mutatePlainly() }
  let place = places[mutation.below(places.count)]
  guard let box = box(at: place[...], in: tree.boxes) else { return }

  switch mutation.below(12) {
  case 0: change(&tree.boxes, place.dropLast()) { $0.remove(at: min(place[place.count - 1], $0.count - 1)) }
  case 1:
    let position = mutation.below(9)
    change(&tree.boxes, place.dropLast()) { $0.insert(box, at: min(position, $0.count)) }
  case 2, 3:
    insertSample(&tree, places, &mutation)
  case 4:
    // Into another box, where it may not belong.
    let other = places[mutation.below(places.count)]
    change(&tree.boxes, other[...]) { $0.append(box) }
  case 5:
    // A wrong size, which nothing follows.
    let value = mutation.edgeValue()
    for index in 0..<4 where box.offset + index < mutation.bytes.count {
      mutation.bytes[box.offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(24 - 8 * index))
    }
    return
  case 6:
    guard let kind = BoxRegistration.withExamples.randomElement(using: &mutation.random),
      let type = kind.types.randomElement(using: &mutation.random)
    else { return }
    let bytes = type.bytes
    for (index, byte) in [bytes.0, bytes.1, bytes.2, bytes.3].enumerated()
    where box.offset + 4 + index < mutation.bytes.count {
      mutation.bytes[box.offset + 4 + index] = byte
    }
    return
  case 7:
    setNumber(in: box, &tree, place, &mutation)
  default:
    var fields = box.fields.array
    mutation.plain(&fields, &mutation.random)
    replaceFields(&tree, place, fields)
  }
  if let bytes = try? tree.encodedAsItIs() { mutation.bytes = bytes }
}

extension BoxTree {
  /// The tree as bytes, with offsets as they are and whatever payloads its boxes were given.
  func encodedAsItIs() throws -> [UInt8] {
    var options = WriteOptions()
    options.relocatesOffsets = false
    options.allowsAnyPayload = true
    let plan = try writePlan(options)
    return try plan.read(0..<plan.byteCount).array
  }
}

private func insertSample(_ tree: inout BoxTree, _ places: [[Int]], _ mutation: inout FuzzMutation) {
  let parent = places[mutation.below(places.count)]
  let scope =
    box(at: parent[...], in: tree.boxes).map { $0.children.first?.scope ?? .box($0.type) } ?? .anywhere
  // Where it belongs, most of the time.
  let fitting = BoxRegistration.withExamples.filter { $0.scopes.contains(scope) }
  let kinds = fitting.isEmpty || mutation.chance(4) ? BoxRegistration.withExamples : fitting
  let kind = kinds[mutation.below(kinds.count)]
  let sample = kind.examples[mutation.below(kind.examples.count)]
  let new = Box(kind.types[mutation.below(kind.types.count)], sample)
  let position = mutation.below(9)
  change(&tree.boxes, parent[...]) { $0.insert(new, at: min(position, $0.count)) }
}

/// A number somewhere in the fields, where it may be a count, an offset or an identifier.
private func setNumber(in box: Box, _ tree: inout BoxTree, _ place: [Int], _ mutation: inout FuzzMutation) {
  var fields = box.fields.array
  let width = [1, 2, 4, 4, 8][mutation.below(5)]
  guard fields.count >= width else { return }
  let index = mutation.below(min(fields.count - width, 256) + 1) & ~(width - 1)
  let value = mutation.edgeValue()
  for offset in 0..<width where index + offset < fields.count {
    fields[index + offset] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (width - 1 - offset)))
  }
  replaceFields(&tree, place, fields)
}

private func replaceFields(_ tree: inout BoxTree, _ place: [Int], _ fields: [UInt8]) {
  let payload = RawPayload(bytes: ByteView(fields))
  change(&tree.boxes, place.dropLast()) {
    $0[min(place[place.count - 1], $0.count - 1)].replacePayload(payload)
  }
}

private func box(at place: ArraySlice<Int>, in boxes: [Box]) -> Box? {
  guard let index = place.first, boxes.indices.contains(index) else { return nil }
  return place.count == 1 ? boxes[index] : box(at: place.dropFirst(), in: boxes[index].children)
}

/// Changes the children of the box at `place`; of none, the boxes at the top level.
private func change(_ boxes: inout [Box], _ place: ArraySlice<Int>, _ body: (inout [Box]) -> Void) {
  guard let index = place.first else { return body(&boxes) }
  guard boxes.indices.contains(index) else { return }
  change(&boxes[index].children, place.dropFirst(), body)
}
