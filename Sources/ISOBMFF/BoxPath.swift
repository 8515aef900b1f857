// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// The path to a box: `moov/trak[1]/mdia/minf/stbl/stsd/hvc1/vexu`.
///
/// A number in brackets counts boxes of the same type in the same box, from 0; `*` matches any one box, `**` any
/// number of nested boxes.
public struct BoxPath: Hashable, Sendable {
  enum Step: Hashable, Sendable {
    case type(FourCC, index: Int?)
    case any
    case anyDepth
  }

  let steps: [Step]

  /// Reads a path; `nil` if a step does not have four characters.
  public init?(_ text: some StringProtocol) {
    if let steps = Self.types(in: text.utf8) {
      self.steps = steps
      return
    }
    var steps: [Step] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let bytes = rest.prefix { $0 != UInt8(ascii: "/") }
      rest = rest.dropFirst(bytes.count + 1)
      if bytes.isEmpty { continue }
      let part = String(decoding: bytes, as: UTF8.self)
      if part == "**" {
        // Two in succession mean the same as one.
        if steps.last != .anyDepth { steps.append(.anyDepth) }
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

  /// The steps of a path of types of four ASCII characters each, as nearly all are; `nil` for any other. Rules look up many: to
  /// find characters and make strings takes ten times as long.
  private static func types(in text: some Collection<UInt8>) -> [Step]? {
    var steps: [Step] = []
    steps.reserveCapacity((text.count + 1) / 5)
    var type: UInt32 = 0, count = 0
    for byte in text {
      if byte == UInt8(ascii: "/") {
        guard count == 4 else { return nil }
        steps.append(.type(FourCC(type), index: nil))
        count = 0
      } else {
        guard byte < 0x80, count < 4 else { return nil }
        type = type &<< 8 | UInt32(byte)
        count += 1
      }
    }
    guard count == 4 else { return nil }
    steps.append(.type(FourCC(type), index: nil))
    return steps
  }

  /// The path of the only box of a type in the box at `path`.
  package static func join(_ path: String, _ type: FourCC) -> String {
    let name = type.description
    var joined = ""
    joined.reserveCapacity(path.utf8.count + 1 + name.utf8.count)
    joined.append(path)
    joined.append("/")
    joined.append(name)
    return joined
  }

  /// Types shorter than four characters are padded with spaces in files: `url` finds `url `.
  private static func padded(_ part: some StringProtocol) -> String {
    String(part) + String(repeating: " ", count: max(0, 4 - part.unicodeScalars.count))
  }

  /// The first box that the path leads to from `boxes`: without names, which take most of the time of ``matches(in:limit:)``.
  func first(in boxes: [Box]) -> Box? {
    // With several `**`, only that way visits no box twice.
    if steps.contains(.anyDepth) { return matches(in: boxes, limit: 1).first?.box }
    guard let indices = indices(in: boxes), let last = indices.last else { return nil }
    return indices.dropLast().reduce(boxes) { $0[$1].children }[last]
  }

  /// A box that a path leads to, and the full path of the box.
  public struct Match: Sendable {
    /// The box.
    public let box: Box
    /// The path of the box, with numbers where siblings have the same type.
    public let path: String
  }

  /// The boxes that the path leads to from `boxes`, at most `limit`, each once and in file order.
  public func matches(in boxes: [Box], limit: Int = .max) -> [Match] {
    var found: [Match] = []
    forEachMatch(in: boxes, limit: limit) { found.append($0) }
    return found
  }

  /// Calls `body` with each box that the path leads to, without collecting them: `**/*` leads to all boxes.
  package func forEachMatch(in boxes: [Box], limit: Int = .max, _ body: (Match) -> Void) {
    var left = limit
    collect(0, boxes, "", &left, body)
  }

  /// Follows paths without `**`, where each step has its own level, so that no box is reached twice.
  private func collect(
    _ position: Int, _ boxes: [Box], _ prefix: String, _ left: inout Int, _ body: (Match) -> Void
  ) {
    guard position < steps.count, left > 0 else { return }
    switch steps[position] {
    case .anyDepth: search(reached([position]), boxes, prefix, &left, body)
    case .type(let type, let wanted):
      // By position: a box that is skipped is not copied. Names are made only for boxes that match: a movie may
      // have thousands of tracks.
      let places = boxes.indices.filter { boxes[$0].type == type }
      for (index, place) in places.enumerated() where wanted == nil || wanted == index {
        guard left > 0 else { return }
        let name = places.count > 1 ? "\(type)[\(index)]" : "\(type)"
        follow(position + 1, boxes[place], name, prefix, &left, body)
      }
    case .any:
      BoxPath.forEachSibling(boxes) { box, name, _ in
        if left > 0 { follow(position + 1, box, name, prefix, &left, body) }
      }
    }
  }

  private func follow(
    _ position: Int, _ box: Box, _ name: String, _ prefix: String, _ left: inout Int, _ body: (Match) -> Void
  ) {
    if position == steps.count {
      left -= 1
      body(Match(box: box, path: prefix + name))
    } else {
      collect(position, box.children, prefix + name + "/", &left, body)
    }
  }

  /// Follows all the steps at once that a box can be at after a `**`: `**/a/**/b` reaches a `b` below ten `a` in
  /// ten ways, but the levels below are visited only once.
  private func search(
    _ positions: [Int], _ boxes: [Box], _ prefix: String, _ left: inout Int, _ body: (Match) -> Void
  ) {
    let numbers = BoxPath.numbers(of: boxes)
    for index in boxes.indices {
      guard left > 0 else { return }
      var next: [Int] = []
      var isMatch = false
      for position in positions {
        switch steps[position] {
        case .anyDepth: next.append(position)
        case .type(let type, let wanted):
          guard boxes[index].type == type, wanted == nil || wanted == numbers[index] ?? 0 else { continue }
          fallthrough
        case .any:
          if position + 1 == steps.count { isMatch = true } else { next.append(position + 1) }
        }
      }
      let children = boxes[index].children
      let isSearched = !next.isEmpty && !children.isEmpty
      guard isMatch || isSearched else { continue }
      let path = prefix + BoxPath.name(of: boxes[index], numbers[index])
      if isMatch {
        left -= 1
        body(Match(box: boxes[index], path: path))
      }
      if isSearched { search(reached(next), children, path + "/", &left, body) }
    }
  }

  /// The positions, each once, with those reached from them because `**` may match no box at all.
  private func reached(_ positions: [Int]) -> [Int] {
    var all = positions
    for position in positions where steps[position] == .anyDepth && position + 1 < steps.count {
      all.append(position + 1)
    }
    return all.count > 1 ? Array(Set(all)).sorted() : all
  }

  /// Calls `body` with each box, its name among its siblings, and its number among those of the same type.
  public static func forEachSibling(_ boxes: [Box], _ body: (Box, String, Int) -> Void) {
    if boxes.count == 1 { return body(boxes[0], boxes[0].type.description, 0) }
    let numbers = numbers(of: boxes)
    for index in boxes.indices {
      body(boxes[index], name(of: boxes[index], numbers[index]), numbers[index] ?? 0)
    }
  }

  /// Calls `body` with some of the children and their steps in a path.
  ///
  /// - Parameter isWanted: whether `body` is called with the box at a position. Steps are made only for these.
  package static func forEachSibling(
    _ boxes: [Box], where isWanted: (_ boxes: [Box], _ index: Int) -> Bool, _ body: (Int, String) -> Void
  ) {
    let wanted = boxes.indices.filter { isWanted(boxes, $0) }
    guard !wanted.isEmpty else { return }
    if boxes.count <= 16 {
      let numbers = numbers(of: boxes)
      for index in wanted { body(index, name(of: boxes[index], numbers[index])) }
      return
    }
    let types = Set(wanted.map { boxes[$0].type })
    // To look for one of a few takes less time than to hash it.
    let few = types.count <= 8 ? Array(types) : []
    var totals: [FourCC: Int] = [:], numbers: [Int: Int] = [:]
    var next = wanted[...]
    for index in boxes.indices {
      guard few.isEmpty ? types.contains(boxes[index].type) : few.contains(boxes[index].type) else {
        continue
      }
      let number = totals[boxes[index].type, default: 0]
      totals[boxes[index].type] = number + 1
      if index == next.first {
        numbers[index] = number
        next = next.dropFirst()
      }
    }
    for index in wanted {
      body(index, name(of: boxes[index], totals[boxes[index].type] == 1 ? nil : numbers[index]))
    }
  }

  /// The steps that lead to the boxes in one box, for places that are rarely asked for: the boxes are numbered with the first
  /// request, once.
  package struct Steps {
    private let boxes: [Box]
    private var numbers: [Int?]?

    package init(_ boxes: [Box]) { self.boxes = boxes }

    /// The step that leads to the box at a position.
    package subscript(index: Int) -> String {
      mutating get {
        let known = numbers ?? BoxPath.numbers(of: boxes)
        numbers = known
        return BoxPath.name(of: boxes[index], known[index])
      }
    }
  }

  static func name(of box: Box, _ number: Int?) -> String {
    number.map { "\(box.type)[\($0)]" } ?? box.type.description
  }

  /// The number of each box among those of its type; `nil` if it is the only one.
  static func numbers(of boxes: [Box]) -> [Int?] {
    var numbers = [Int?](repeating: nil, count: boxes.count)
    /// The position of the last box of each type; among a few boxes, searching is faster than hashing.
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

extension BoxPath: ExpressibleByStringInterpolation, CustomStringConvertible {
  /// A path in source code; a malformed one matches nothing.
  public init(stringLiteral value: String) { self = BoxPath(value) ?? .nowhere }

  /// A path that no box has.
  static let nowhere = BoxPath(steps: CollectionOfOne(.type("????", index: -1)))

  init(steps: some Sequence<Step>) { self.steps = Array(steps) }

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
