// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A document of the project: its links, headings and code.
struct Markdown {
  /// A piece of code between fences.
  struct Block {
    var language: String
    /// Where it begins, counted from 1.
    var line: Int
    var lines: [String]
  }

  /// The path from the top of the package.
  let path: String
  /// The links to other places: what is in their parentheses.
  private(set) var links: [String] = []
  /// The names by which headings are linked to.
  private(set) var anchors: Set<String> = []
  /// The code.
  private(set) var blocks: [Block] = []

  init(_ path: String) {
    self.path = path
    let text = String(decoding: contents(PackageFolder.root + "/" + path) ?? [], as: UTF8.self)
    var open: Block?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(block)
          open = nil
        } else {
          open = Block(language: String(line.dropFirst(3)), line: index + 1, lines: [])
        }
      } else if open != nil {
        open?.lines.append(String(line))
      } else {
        links += Markdown.links(in: line)
        if line.hasPrefix("#") { anchors.insert(Markdown.anchor(line)) }
      }
    }
  }

  /// Every document of the project. What a build or another tool leaves is none.
  static let all: [Markdown] = projectFiles.filter { $0.hasSuffix(".md") }.map { Markdown($0) }

  private static func links(in line: Substring) -> [String] {
    var found: [String] = []
    var rest = line[...]
    // Code between back-ticks holds no links.
    var isCode = false
    while let character = rest.first {
      if character == "`" { isCode.toggle() }
      if !isCode, rest.hasPrefix("]("), let end = rest.firstIndex(of: ")") {
        found.append(String(rest[rest.index(rest.startIndex, offsetBy: 2)..<end]))
      }
      rest = rest.dropFirst()
    }
    return found
  }

  /// What a link leads to within the project, from the top of the package. Other sites, symbols and articles are not
  /// looked up here; docc does the last two.
  func target(of link: String) -> (path: String, anchor: String?)? {
    guard !link.contains(":"), !link.hasPrefix("../../security/") else { return nil }
    let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let anchor = parts.count == 2 ? parts[1] : nil
    guard let name = parts.first, !name.isEmpty else { return (path, anchor) }
    var folders = path.split(separator: "/").dropLast().map(String.init)
    for step in name.split(separator: "/") where step != "." {
      if step == ".." { _ = folders.popLast() } else { folders.append(String(step)) }
    }
    return (folders.joined(separator: "/"), anchor)
  }

  /// The name that a server of documents gives a heading.
  private static func anchor(_ heading: Substring) -> String {
    let words = heading.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
    return String(words.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" ? $0 : nil })
  }
}

/// Every file of the project, from the top of the package, without what builds and other tools leave.
let projectFiles: [String] = {
  let left: Set<String> = [".git", ".build", ".swiftpm", "fuzz-corpus", "__pycache__", "Package.resolved"]
  var files: [String] = []
  var folders = [""]
  while let folder = folders.popLast() {
    let path = PackageFolder.root + "/" + folder
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] where !left.contains(name)
    {
      switch try? FileManager.default.attributesOfItem(atPath: path + name)[.type] as? FileAttributeType {
      case .typeDirectory: folders.append(folder + name + "/")
      case .typeRegular: files.append(folder + name)
      default: break
      }
    }
  }
  return files.sorted()
}()

/// The text of a file of the project.
func projectText(_ path: String) -> String {
  String(decoding: contents(PackageFolder.root + "/" + path) ?? [], as: UTF8.self)
}
