// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import ISOBMFF

/// Which kinds of boxes have no description: what the next one to write is.
enum UnknownBoxes {
  private struct Kind {
    var count = 0
    var files = 0
    /// The number of the last file that has one.
    var lastFile = 0
    var bytes = 0
    var example: String
  }

  /// How many kinds are listed: each box of a file can be one of its own.
  private static let maximumKinds = 10_000

  static func list(_ batch: Batch, _ invocation: Invocation) -> ExitCode {
    var kinds: [String: Kind] = [:]
    var total = 0, known = 0, files = 0, unlisted = 0
    let code = batch.forEach { input throws(InputError) in
      let tree = try input.boxTree()
      files += 1
      visit(tree.boxes, "") { box, path in
        total += 1
        guard box.registration == nil else {
          known += 1
          return
        }
        let user = box.userType.map { " " + ValueText.uuid($0) } ?? ""
        let key = path + user
        guard var kind = kinds[key] ?? (kinds.count < maximumKinds ? Kind(example: input.name) : nil) else {
          unlisted += 1
          return
        }
        kind.count += 1
        kind.bytes += box.size
        if kind.lastFile != files { kind.files += 1 }
        kind.lastFile = files
        kinds[key] = kind
      }
      return .success
    }
    let sorted = kinds.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    if invocation.isJSON {
      writeJSON(sorted, total, known, files, unlisted, invocation)
    } else {
      writeText(sorted, total, known, files, unlisted, invocation)
    }
    return code
  }

  /// Visits boxes with the types on the way to each: like boxes in other files have the same path.
  private static func visit(_ boxes: [Box], _ prefix: String, _ body: (Box, String) -> Void) {
    for box in boxes {
      let path = prefix + box.type.description
      body(box, path)
      visit(box.children, path + "/", body)
    }
  }

  /// Hundredths of a per cent, never rounded up to a hundred.
  private static func percentage(_ known: Int, _ total: Int) -> String {
    guard total > 0 else { return "100" }
    return ValueText.quotient(Int64(known * 10_000 / total), 100)
  }

  private static func writeText(
    _ kinds: [(key: String, value: Kind)], _ total: Int, _ known: Int, _ files: Int, _ unlisted: Int,
    _ invocation: Invocation
  ) {
    let out = invocation.out
    if !kinds.isEmpty {
      out.append(invocation.style.faint("   count    files  path, and an example file") + "\n")
      for (path, kind) in kinds {
        let count = String(kind.count), inFiles = String(kind.files)
        out.append(spaces: 8 - count.utf8.count)
        out.append(count)
        out.append(spaces: 9 - inFiles.utf8.count)
        out.append(
          inFiles + "  " + path + "  " + invocation.style.faint(ValueText.printable(kind.example)) + "\n")
      }
    }
    if unlisted > 0 {
      out.append("… \(unlisted) more boxes are not listed: there are more than \(maximumKinds) kinds\n")
    }
    out.append(
      "\(total) boxes in \(files) file\(files == 1 ? "" : "s"), \(total - known) unknown: "
        + "\(percentage(known, total)) % are known\n")
  }

  private static func writeJSON(
    _ kinds: [(key: String, value: Kind)], _ total: Int, _ known: Int, _ files: Int, _ unlisted: Int,
    _ invocation: Invocation
  ) {
    let counts: JSONObject = [
      "schema": "mvdump.tree.unknown/1", "files": files, "boxes": total, "typed": known,
    ]
    invocation.jsonWriter().write(
      counts + (unlisted > 0 ? ["unlisted": unlisted] : [:]) + [
        "typedPercent": JSONNumber(digits: percentage(known, total)),
        "unknown": JSONList(rows: kinds) { path, kind in
          [
            "path": path, "count": kind.count, "files": kind.files, "bytes": kind.bytes,
            "example": kind.example,
          ]
        },
      ])
  }
}
