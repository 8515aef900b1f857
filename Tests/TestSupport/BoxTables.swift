// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation

/// The golden descriptions of boxes in fixtures/golden/boxes: two tables for each family, one of text and one
/// of JSON, each with the boxes in the order of their names.
public final class BoxTable: @unchecked Sendable {
  /// How the boxes of a table are separated.
  public enum Form: String, CaseIterable, Sendable {
    /// A line `== Name` precedes each.
    case text = "txt"
    /// An object that has a list of examples for each name.
    case json
  }

  private let path: String
  private let form: Form
  private let lock = NSLock()
  private var sections: [String: String]

  private init(family: String, form: Form) {
    path = BoxTable.folder + "/\(family).\(form.rawValue)"
    self.form = form
    let text = String(decoding: contents(path) ?? [], as: UTF8.self)
    sections = BoxTable.sections(of: text, form)
  }

  /// The folder of the tables.
  public static let folder = Fixtures.folder + "/golden/boxes"

  /// All box payloads that the sources declare, with the folder of their family in Sources.
  public static let families = declaredBoxPayloads(in: ["ISOBMFF", "BoxCatalogue", "Multiview"])

  private static let all: [String: BoxTable] = {
    var tables: [String: BoxTable] = [:]
    for family in Set(families.values) {
      for form in Form.allCases {
        tables["\(family).\(form.rawValue)"] = BoxTable(family: family, form: form)
      }
    }
    return tables
  }()

  /// The names of the boxes in the tables of all families.
  public static var recordedNames: Set<String> {
    Set(
      filesBelow(folder).flatMap { file in
        let text = String(decoding: contents(folder + "/" + file) ?? [], as: UTF8.self)
        return sections(of: text, file.hasSuffix(".json") ? .json : .text).keys
      })
  }

  /// Returns how `text` differs from the recorded text of the box with that name; `nil` if it does not.
  static func difference(_ text: String, of name: String, _ form: Form) -> String? {
    guard let family = families[name], let table = all["\(family).\(form.rawValue)"] else {
      return "\(name) is not declared in any family"
    }
    return table.difference(text, of: name)
  }

  private func difference(_ text: String, of name: String) -> String? {
    lock.lock()
    defer { lock.unlock() }
    let stored = sections[name]
    if stored == text { return nil }
    let place = path.replacingOccurrences(of: PackageFolder.root + "/", with: "")
    guard Golden.isUpdating else {
      return stored == nil
        ? "\(place) lacks \(name) (MV_UPDATE_GOLDEN=1 writes it)" : "\(name) differs from \(place)"
    }
    // Boxes that are no longer declared are removed when the table is written next.
    sections = sections.filter { BoxTable.families[$0.key] != nil }
    sections[name] = text
    do {
      try FileManager.default.createDirectory(atPath: BoxTable.folder, withIntermediateDirectories: true)
      try Data(whole().utf8).write(to: URL(fileURLWithPath: path))
    } catch { return "\(place) cannot be written: \(error)" }
    return nil
  }

  private func whole() -> String {
    let sorted = sections.sorted { $0.key < $1.key }
    switch form {
    case .text: return sorted.map { "== \($0.key)\n\($0.value)" }.joined(separator: "\n")
    case .json:
      let members = sorted.map { "\"\($0.key)\": " + $0.value.dropLast() }
      return "{\n" + members.joined(separator: ",\n") + "\n}\n"
    }
  }

  private static func sections(of text: String, _ form: Form) -> [String: String] {
    var found: [String: String] = [:]
    var name = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      switch form {
      case .text:
        if line.hasPrefix("== ") {
          name = String(line.dropFirst(3))
        } else if !line.isEmpty {
          found[name, default: ""] += line + "\n"
        }
      case .json:
        if line.hasPrefix("\""), let colon = line.firstIndex(of: ":") {
          name = String(line.dropFirst().prefix { $0 != "\"" })
          found[name] = line[colon...].dropFirst(2) + "\n"
        } else if !["{", "}", ""].contains(line) {
          // The comma after a list belongs to the table.
          found[name, default: ""] += (line == "]," ? "]" : line) + "\n"
        }
      }
    }
    return found
  }
}
