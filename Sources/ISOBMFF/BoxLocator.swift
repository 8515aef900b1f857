// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Finds the path to the box that contains a byte. Numbers of siblings on the path are cached: a damaged file may
/// have half a million siblings, and a thousand places to report.
struct BoxLocator {
  let boxes: [Box]
  /// The numbers of siblings, by the offset of the first of them, which is different on each level.
  private var levels: [Int: [Int?]] = [:]

  init(_ boxes: [Box]) { self.boxes = boxes }

  /// The path to the innermost box that contains the byte at `offset`; empty if no box does.
  mutating func path(at offset: Int) -> String {
    var path = ""
    var level = boxes
    while let index = Self.index(of: offset, in: level) {
      let box = level[index]
      path += (path.isEmpty ? "" : "/") + "\(box.type)"
      if let number = numbers(of: level)[index] { path += "[\(number)]" }
      level = box.children
    }
    return path
  }

  /// The box of a level that contains the byte: boxes are ordered by offset.
  private static func index(of offset: Int, in level: [Box]) -> Int? {
    let index = level.partitionIndex { $0.offset <= offset } - 1
    return index >= 0 && level[index].fileRange.contains(offset) ? index : nil
  }

  private mutating func numbers(of level: [Box]) -> [Int?] {
    guard let first = level.first else { return [] }
    if let known = levels[first.offset] { return known }
    let numbers = BoxPath.numbers(of: level)
    levels[first.offset] = numbers
    return numbers
  }
}
