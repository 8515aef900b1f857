// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The types that a source file declares, and the names that it uses: enough to draw which folder refers to which.
struct SourceOutline {
  /// A declared type.
  struct Declaration {
    /// With the types around it: `Track.Kind`.
    var name: String
    var isPublic: Bool
    /// Whether other files do not see it.
    var isPrivate: Bool
    /// Whether it is in no other type.
    var isOuter: Bool { !name.contains(".") }
  }

  /// The path from the top of the package.
  let path: String
  private(set) var declarations: [Declaration] = []
  /// Names with a capital that begin an expression or a type, outside of comments and text.
  private(set) var names: Set<String> = []

  /// `Sources/Module/Folder/File.swift`: `Module`.
  var module: String { String(path.split(separator: "/")[1]) }
  /// The folder within the module; `.` for the module's own.
  var folder: String {
    let steps = path.split(separator: "/").dropFirst(2).dropLast()
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }

  /// Every source file of the project.
  static let all: [SourceOutline] = projectFiles.filter {
    $0.hasPrefix("Sources/") && $0.hasSuffix(".swift")
  }.map { SourceOutline($0) }

  private static let kinds: Set<Substring> = ["struct", "enum", "class", "protocol", "actor", "typealias"]
  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private", "final", "indirect", "nonisolated", "open",
  ]

  init(_ path: String) {
    self.path = path
    var around: [(indentation: Int, name: String)] = []
    var isInText = false
    for line in projectText(path).split(separator: "\n") {
      // The lines of long texts are no code; one that opens or closes such a text has none that matters here.
      if line.contains("\"\"\"") {
        isInText.toggle()
        continue
      }
      if isInText { continue }
      let code = SourceOutline.code(of: line)
      names.formUnion(SourceOutline.capitals(in: code))
      declare(code, &around)
    }
  }

  private mutating func declare(_ code: Substring, _ around: inout [(indentation: Int, name: String)]) {
    var words = code.split(separator: " ")[...]
    while let word = words.first, word.hasPrefix("@") { words.removeFirst() }
    var isPublic = false, isPrivate = false
    while let word = words.first, Self.modifiers.contains(word) {
      if word == "public" { isPublic = true }
      if word.hasSuffix("private") { isPrivate = true }
      words.removeFirst()
    }
    guard let kind = words.first, Self.kinds.contains(kind) || kind == "extension",
      let rest = words.dropFirst().first
    else { return }
    let name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." })
    guard !name.isEmpty, kind != "class" || !["func", "var"].contains(name) else { return }
    let indentation = code.prefix { $0 == " " }.count
    while let last = around.last, last.indentation >= indentation { around.removeLast() }
    if kind != "extension" {
      declarations.append(
        Declaration(
          name: (around.map(\.name) + [name]).joined(separator: "."), isPublic: isPublic, isPrivate: isPrivate
        ))
    }
    if kind != "typealias" { around.append((indentation, name)) }
  }

  /// A line without its comment and with empty texts.
  private static func code(of line: Substring) -> Substring {
    let bytes = line.utf8
    guard bytes.contains(0x22) || line.contains("//") else { return line }
    var kept: [UInt8] = []
    var isText = false, isEscaped = false, previous: UInt8 = 0
    for byte in bytes {
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isText = false
        }
        continue
      }
      if byte == 0x22 { isText = true }
      if byte == 0x2F, previous == 0x2F {
        kept.removeLast()
        break
      }
      kept.append(byte)
      previous = byte
    }
    return String(decoding: kept, as: UTF8.self)[...]
  }

  /// The words with a capital that do not follow a period: those are members.
  private static func capitals(in code: Substring) -> [String] {
    var found: [String] = []
    var word: [UInt8] = []
    var start: UInt8 = 0, previous: UInt8 = 0
    func isPart(_ byte: UInt8) -> Bool {
      byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte)
    }
    for byte in code.utf8 {
      if isPart(byte) {
        if word.isEmpty { start = previous }
        word.append(byte)
      } else if !word.isEmpty {
        if (0x41...0x5A).contains(word[0]), start != 0x2E {
          found.append(String(decoding: word, as: UTF8.self))
        }
        word.removeAll(keepingCapacity: true)
      }
      previous = byte
    }
    if let first = word.first, (0x41...0x5A).contains(first), start != 0x2E {
      found.append(String(decoding: word, as: UTF8.self))
    }
    return found
  }
}

extension SourceOutline {
  /// The rows of a table in a document, each as its cells, from the line that is its title.
  static func table(_ document: String, titled title: String) -> [[String]] {
    let lines = projectText(document).split(separator: "\n")
    guard let start = lines.firstIndex(where: { $0 == title }) else { return [] }
    return lines[(start + 1)...].dropFirst().prefix { $0.hasPrefix("|") }.map { row in
      row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { cell in
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
    }
  }

  /// What is between back-ticks in a cell.
  static func terms(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset.isMultiple(of: 2) ? nil : String($0.element) }
  }
}
