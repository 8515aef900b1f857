// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// The way to a box: `moov/trak[1]/mdia/minf/stbl/stsd/hvc1/vexu`.
///
/// A number in brackets counts boxes of the same type in the same box, from 0; `*` stands for any one box, `**` for
/// any number of boxes one in another.
public struct BoxPath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case type(FourCC, index: Int?)
    case any
    case anyDepth
  }

  let steps: [Step]

  /// Reads a path, or answers `nil` where a step has not four characters.
  public init?(_ text: some StringProtocol) {
    var steps: [Step] = []
    for part in text.split(separator: "/", omittingEmptySubsequences: true) {
      if part == "**" {
        steps.append(.anyDepth)
      } else if part == "*" {
        steps.append(.any)
      } else if let open = part.lastIndex(of: "["), part.hasSuffix("]"), part.unicodeScalars.count > 5,
        let index = Int(part[part.index(after: open)...].dropLast()), let type = FourCC(part[..<open])
      {
        steps.append(.type(type, index: index))
      } else if let type = FourCC(part) ?? FourCC(BoxPath.padded(part)) {
        steps.append(.type(type, index: nil))
      } else {
        return nil
      }
    }
    self.steps = steps
  }

  /// Types shorter than four characters are padded with spaces in files: `url` finds `url `.
  private static func padded(_ part: some StringProtocol) -> String {
    String(part) + String(repeating: " ", count: max(0, 4 - part.unicodeScalars.count))
  }

  /// A box that a path leads to, and the full path to it.
  public struct Match: Sendable {
    /// The box.
    public let box: Box
    /// The path to it, with numbers where siblings have the same type.
    public let path: String
  }

  /// The boxes that the path leads to from `boxes`, at most `limit`.
  public func matches(in boxes: [Box], limit: Int = .max) -> [Match] {
    var found: [Match] = []
    BoxPath.collect(steps[...], boxes, "", limit, &found)
    return found
  }

  private static func collect(
    _ steps: ArraySlice<Step>, _ boxes: [Box], _ prefix: String, _ limit: Int, _ found: inout [Match]
  ) {
    guard let step = steps.first, found.count < limit else { return }
    let rest = steps.dropFirst()
    if case .anyDepth = step {
      collect(rest, boxes, prefix, limit, &found)
      forEachSibling(boxes) { box, name, _ in
        if found.count < limit { collect(steps, box.children, prefix + name + "/", limit, &found) }
      }
      return
    }
    if case .type(let type, let wanted) = step {
      // By place: a box that is passed over is not copied. Names are made for boxes that match only: a movie may have
      // thousands of tracks.
      let places = boxes.indices.filter { boxes[$0].type == type }
      for (index, place) in places.enumerated() where wanted == nil || wanted == index {
        guard found.count < limit else { return }
        follow(
          rest, boxes[place], places.count > 1 ? "\(type)[\(index)]" : "\(type)", prefix, limit, &found)
      }
      return
    }
    forEachSibling(boxes) { box, name, _ in
      if found.count < limit { follow(rest, box, name, prefix, limit, &found) }
    }
  }

  private static func follow(
    _ rest: ArraySlice<Step>, _ box: Box, _ name: String, _ prefix: String, _ limit: Int,
    _ found: inout [Match]
  ) {
    if rest.isEmpty {
      found.append(Match(box: box, path: prefix + name))
    } else {
      collect(rest, box.children, prefix + name + "/", limit, &found)
    }
  }

  /// Calls `body` with each box, its name among its siblings, and its number among those of its type.
  public static func forEachSibling(_ boxes: [Box], _ body: (Box, String, Int) -> Void) {
    if boxes.count == 1 { return body(boxes[0], boxes[0].type.description, 0) }
    for (box, number) in zip(boxes, numbers(of: boxes)) {
      body(box, number.map { "\(box.type)[\($0)]" } ?? box.type.description, number ?? 0)
    }
  }

  /// The number of each box among those of its type, `nil` where it is the only one.
  static func numbers(of boxes: [Box]) -> [Int?] {
    var numbers = [Int?](repeating: nil, count: boxes.count)
    /// Where the last box of each type stands; among a few, looking is faster than hashing.
    var last: [FourCC: Int] = [:]
    for index in boxes.indices {
      let type = boxes[index].type
      let before =
        boxes.count <= 16
        ? boxes[..<index].lastIndex { $0.type == type } : last.updateValue(index, forKey: type)
      guard let before else { continue }
      let number = numbers[before] ?? 0
      numbers[before] = number
      numbers[index] = number + 1
    }
    return numbers
  }
}

extension BoxPath: ExpressibleByStringLiteral, CustomStringConvertible {
  /// A path in the program text; a malformed one leads nowhere.
  public init(stringLiteral value: String) { self = BoxPath(value) ?? BoxPath(steps: []) }

  private init(steps: [Step]) { self.steps = steps }

  /// The path as text.
  public var description: String {
    steps.map { step in
      switch step {
      case .type(let type, let index): index.map { "\(type)[\($0)]" } ?? "\(type)"
      case .any: "*"
      case .anyDepth: "**"
      }
    }.joined(separator: "/")
  }
}
