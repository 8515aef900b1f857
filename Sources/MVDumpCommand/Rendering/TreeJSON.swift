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
    diagnostics = DiagnosticList()
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
      let json: JSONObject = [
        "code": error.code.diagnosticCode.rawValue, "offset": error.offset, "message": error.sentence,
      ]
      writer.key("error")
      json.inline.write(to: writer)
    }
  }
}

extension ParseError {
  /// What is wrong with which field, without the place.
  var sentence: String {
    field.isEmpty || reason.hasPrefix(field + " ") ? reason : field + " " + reason
  }
}

extension DiagnosticList {
  /// The members that all commands have for diagnostics.
  var json: JSONObject {
    let all: JSONObject = [
      "diagnostics": JSONList(rows: self) {
        [
          "severity": "\($0.severity)", "code": $0.code.rawValue, "path": $0.path, "offset": $0.offset,
          "message": $0.message,
        ]
      }
    ]
    return omitted > 0 ? all + ["diagnosticsOmitted": omitted] : all
  }
}
