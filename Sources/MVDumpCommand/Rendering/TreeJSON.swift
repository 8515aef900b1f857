// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import ISOBMFF

/// Writes boxes for programs; docs/schema/tree.json says what is where.
struct TreeJSON {
  private let writer: JSONWriter
  private let sink: JSONSink
  private let detail: TreeDetail
  private let tree: BoxTree
  private let isCancelled: () -> Bool
  /// Damage found in fields, while they were written.
  private(set) var diagnostics: DiagnosticList

  init(_ tree: BoxTree, _ detail: TreeDetail, _ writer: JSONWriter, _ invocation: Invocation) {
    self.tree = tree
    self.detail = detail
    self.writer = writer
    sink = JSONSink(writer, tableRows: detail.rows)
    diagnostics = DiagnosticList(limit: tree.limits.maximumDiagnostics)
    diagnostics.append(tree.diagnostics)
    isCancelled = { [surroundings = invocation.surroundings] in surroundings.output.isClosed }
  }

  /// Writes boxes that are next to one another as the elements of an array.
  mutating func write(_ boxes: [Box], path prefix: String, level: Int) {
    BoxPath.forEachSibling(boxes) { box, name, _ in
      if isCancelled() { return }
      write(box, path: prefix.isEmpty ? name : prefix + "/" + name, level: level)
    }
  }

  /// Writes a box as an object, without the boxes in it where that `isShownAbove`.
  mutating func write(_ box: Box, path: String, level: Int, isShownAbove: Bool = false) {
    writer.beginObject()
    writer.member("type", box.type.description)
    writer.member("path", path)
    writer.member("offset", box.offset)
    writer.member("size", box.size)
    writer.member("headerSize", box.headerSize)
    if let userType = box.userType { writer.member("userType", ValueText.uuid(userType)) }
    writer.member("name", box.registration?.name)
    writeFields(box, path)
    writer.key(field: "children")
    let isWhole = level + 1 < detail.depth && !isShownAbove
    writer.beginArray(inline: box.children.isEmpty)
    if isWhole { write(box.children, path: path, level: level + 1) }
    writer.endArray()
    if !isWhole, !box.children.isEmpty {
      writer.key("childrenOmitted")
      writer.value(box.children.count)
    }
    if !box.trailing.isEmpty {
      writer.key("trailing")
      writer.value(box.trailing, limit: 64)
    }
    writer.endObject()
  }

  private mutating func writeFields(_ box: Box, _ path: String) {
    var box = box
    var errors = box.structuralProblem.map { [$0] } ?? []
    if detail.hasFields {
      writer.key(field: "fields")
      if box.registration == nil || (box.bytes.isEmpty && box.size > 0) {
        writer.null()
        if box.registration == nil, !box.bytes.isEmpty {
          writer.key("data")
          writer.value(box.body, limit: 64)
        }
      } else {
        if !box.isLoaded, detail.needsWhole(box) {
          do { box = try tree.loaded(box) } catch {
            diagnostics.append(.error, "read-failed", path: path, offset: box.offset, "\(error)")
          }
        }
        writer.beginObject()
        let (unread, error) = box.describeFields(into: sink)
        writer.endObject()
        if !unread.isEmpty, !box.isContainer, box.isLoaded {
          writer.key("unread")
          writer.value(unread, limit: 64)
        }
        if let error {
          errors.append(error)
          diagnostics.append(error.inPath(path))
        }
      }
    }
    if let error = errors.last {
      writer.key("error")
      writer.beginObject(inline: true)
      writer.key("code")
      writer.value(error.code.diagnosticCode.rawValue)
      writer.key("offset")
      writer.value(error.offset)
      writer.key("message")
      writer.value(error.sentence)
      writer.endObject()
    }
  }
}

extension ParseError {
  /// What is wrong with which field, without the place.
  var sentence: String {
    field.isEmpty || reason.hasPrefix(field + " ") ? reason : field + " " + reason
  }
}

extension JSONWriter {
  /// A list of diagnostics, as the member that all commands have.
  func diagnostics(_ list: DiagnosticList) {
    key("diagnostics")
    beginArray(inline: list.isEmpty)
    for item in list {
      beginObject(inline: true)
      key("severity")
      value("\(item.severity)")
      key("code")
      value(item.code.rawValue)
      key("path")
      value(item.path)
      key("offset")
      value(item.offset)
      key("message")
      value(item.message)
      endObject()
    }
    endArray()
    if list.omitted > 0 {
      key("diagnosticsOmitted")
      value(list.omitted)
    }
  }
}
