// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import FileAccess
import ISOBMFF
import Multiview
import TestSupport

extension FuzzTarget {
  static let boxTree = FuzzTarget(
    "FuzzBoxTree",
    "A file of boxes: the tree writes itself back, boxes lie inside their parents, every payload is a fixed point.",
    seeds: { FuzzSeeds.movies(whole: false) + FuzzSeeds.boxes() },
    mutator: mutateBoxes
  ) { bytes, findings in
    let tree = BoxTree(bytes, registry: .standard)
    findings.checkTree(tree, bytes, .standard)
    findings.checkSource(tree, bytes)

    var limits = Limits.standard
    limits.maximumBoxes = 10
    findings.checkTree(BoxTree(bytes, registry: .standard, limits: limits), bytes, limits)
    findings.rewrite(tree, bytes)
  }
}

extension FuzzFindings {
  fileprivate mutating func checkTree(_ tree: BoxTree, _ bytes: ByteView, _ limits: Limits) {
    do {
      expect(try tree.encoded() == bytes.array, "the tree is written as other bytes")
    } catch { note("the tree cannot be written: \(error)") }
    var count = 0
    checkSiblings(tree.boxes, inside: 0..<bytes.count, depth: 0, limits, &count)
    expect(count <= limits.maximumBoxes, "\(count) boxes")
    expect(tree.diagnostics.count <= tree.diagnostics.limit + 1, "\(tree.diagnostics.count) diagnostics")
    for item in tree.diagnostics {
      expect(
        (0...bytes.count).contains(item.offset ?? 0), "a diagnostic at \(String(describing: item.offset))")
    }
    expect(
      tree.trailingRange.lowerBound >= 0 && tree.trailingRange.upperBound <= bytes.count,
      "trailing bytes at \(tree.trailingRange)")
  }

  private mutating func checkSiblings(
    _ boxes: [Box], inside outer: Range<Int>, depth: Int, _ limits: Limits, _ count: inout Int
  ) {
    expect(boxes.isEmpty || depth <= Limits.maximumDepth, "boxes at depth \(depth)")
    var last = outer.lowerBound
    for box in boxes {
      count += 1
      let range = box.fileRange
      expect(
        range.lowerBound >= last && range.upperBound <= outer.upperBound,
        "'\(box.type)' at \(range) in \(outer)")
      expect(
        box.headerSize <= box.size || box.structuralProblem != nil, "'\(box.type)' has \(box.size) bytes")
      last = range.upperBound
      let body = min(range.lowerBound + box.headerSize, range.upperBound)..<range.upperBound
      checkSiblings(box.children, inside: body, depth: depth + 1, limits, &count)
      if limits == .standard { checkPayload(box) }
    }
  }

  private mutating func checkPayload(_ box: Box) {
    guard let decoding = box.decodePayload() else { return }
    let name = "\(box.scope)/\(box.type)"
    let fields = box.fields
    if let error = decoding.error {
      checkPlace(error, box.body, name)
    } else {
      do {
        let written = try decoding.payload.encoded()
        // Of a box that holds boxes the fields alone are compared: its children follow them.
        expect(written + decoding.unread.array == fields.array, "\(name): written as other bytes")
        let again = box.registration?.decode(ByteView(written), box.context)
        expect(
          again?.error == nil && again?.unread.isEmpty == true, "\(name): what was written does not read")
        // What follows the name of a handler tells how it is laid out: without it, it may read in the other form.
        let isToldByRest = decoding.payload is HandlerBox && !decoding.unread.isEmpty
        if let again, !isToldByRest {
          expect(AnyHashable(again.payload) == AnyHashable(decoding.payload), "\(name): reads otherwise")
        }
      } catch { note("\(name): was read but cannot be written: \(error)") }
    }
    describe(box, decoding, name)
  }

  private mutating func describe(_ box: Box, _ decoding: BoxRegistration.Decoding, _ name: String) {
    let json = OutputBuffer()
    let writer = JSONWriter(json, pretty: false)
    writer.beginObject()
    let sink = JSONSink(writer)
    let traced = box.describeFields(into: sink)
    writer.endObject()
    expect(traced.error == decoding.error, "\(name): traced with \(String(describing: traced.error))")
    if let problem = jsonProblem(json.text) { note("\(name): JSON \(problem)") }
    let text = OutputBuffer()
    let textSink = TextSink(text, indentation: 2)
    _ = box.describeFields(into: textSink)
    expect(
      json.text.utf8.count + text.text.utf8.count <= 20_000 + 400 * box.size,
      "\(name): \(json.text.utf8.count) and \(text.text.utf8.count) bytes of description for \(box.size)")
  }

  /// Read piece by piece, a file has the same boxes as read in whole.
  fileprivate mutating func checkSource(_ tree: BoxTree, _ bytes: ByteView) {
    let other: BoxTree
    do { other = try BoxTree(MemoryBytes(bytes), registry: .standard) } catch {
      return note("the source cannot be read: \(error)")
    }
    expectSameLines(outline(other), outline(tree), "another tree when read piece by piece")
    do {
      expect(
        try other.encoded() == bytes.array, "the tree is written as other bytes when read piece by piece")
    } catch { note("the tree read piece by piece cannot be written: \(error)") }
  }

  private func outline(_ tree: BoxTree) -> String {
    var text = ""
    tree.forEachBox { box, path in text += "\(path) \(box.fileRange) \(box.isContainer)\n" }
    return text
  }

  /// Every payload put back into its box: the file stays as it was.
  fileprivate mutating func rewrite(_ tree: BoxTree, _ bytes: ByteView) {
    var tree = tree
    // A size that its box contradicts, or that takes more bytes than it needs, is written in another way.
    var isExact = true
    func touch(_ boxes: inout [Box]) {
      for index in boxes.indices {
        if boxes[index].structuralProblem != nil { isExact = false }
        if boxes[index].children.isEmpty, let decoding = boxes[index].decodePayload(), decoding.error == nil,
          decoding.unread.isEmpty
        {
          boxes[index].replacePayload(decoding.payload)
        }
        touch(&boxes[index].children)
      }
    }
    touch(&tree.boxes)
    do {
      // Damaged tables cannot follow what moves.
      let written = try tree.encodedAsItIs()
      if isExact {
        expect(written == bytes.array, "written anew from its payloads it has other bytes")
      } else {
        expect(
          written.count <= bytes.count + 16, "written anew it is longer: \(written.count) for \(bytes.count)")
      }
    } catch { note("cannot be written anew: \(error)") }
  }
}
