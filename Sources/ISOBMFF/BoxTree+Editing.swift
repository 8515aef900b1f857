// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

// MARK: - Edits by path

extension BoxTree {
  /// The box at `path`; the first one if there are several.
  ///
  /// Setting replaces it; setting `nil` removes it. If there is no such box, the new one is appended to the box
  /// that the rest of the path leads to. A change that is impossible, because that does not exist either, is an
  /// error when the tree is written.
  public subscript(path: BoxPath) -> Box? {
    get { path.first(in: boxes) }
    set {
      do throws(ParseError) {
        if path.indices(in: boxes) != nil {
          if let newValue { try replace(path, with: newValue) } else { try remove(path) }
        } else if let newValue {
          try insert(newValue, in: path.parent)
        } else {
          throw nothing(at: path)
        }
      } catch {
        editProblem = editProblem ?? error
      }
    }
  }

  /// Changes the fields of the box at `path` as `Payload`. All fields are read for this, and any bytes after them
  /// are kept.
  ///
  /// ```swift
  /// try tree.edit("moov/trak[0]/tkhd", TrackHeaderBox.self) { $0.layer = 1 }
  /// ```
  public mutating func edit<Payload: BoxPayload>(
    _ path: BoxPath, _: Payload.Type, _ change: (inout Payload) throws(ParseError) -> Void
  ) throws(ParseError) {
    try edit(path) { (box) throws(ParseError) in
      do throws(ParseError) { try box.edit(Payload.self, change) } catch {
        throw error.inPath(path.parent.description)
      }
    }
  }

  /// Changes the box at `path`.
  public mutating func edit(
    _ path: BoxPath, _ change: (inout Box) throws(ParseError) -> Void
  ) throws(ParseError) {
    try withBox(try indices(path)[...], in: &boxes, change)
  }

  /// Inserts a box into the one that `path` leads to, at `index` of its children; without an index, at the end. An
  /// empty path is the top level.
  public mutating func insert(
    _ box: Box, in path: BoxPath = "", at index: Int? = nil
  ) throws(ParseError) {
    try box.checkUserType()
    func insert(_ siblings: inout [Box]) throws(ParseError) {
      let place = index ?? siblings.count
      guard place >= 0, place <= siblings.count else {
        throw ParseError(
          .outOfRange(value: Int64(place), allowed: 0...Int64(siblings.count)), offset: 0, field: "index",
          path: path.description)
      }
      siblings.insert(box, at: place)
    }
    if path.steps.isEmpty { return try insert(&boxes) }
    try edit(path) { (parent) throws(ParseError) in
      guard parent.isContainer || parent.isNew || parent.registration?.info.childrenFollow == true else {
        throw ParseError(
          .invalid("is not a box that contains boxes"), offset: parent.offset, path: path.description)
      }
      try insert(&parent.children)
    }
  }

  /// Inserts a box directly before the one that `path` leads to.
  public mutating func insert(_ box: Box, before path: BoxPath) throws(ParseError) {
    try box.checkUserType()
    try editSiblings(try indices(path)) { siblings, index in siblings.insert(box, at: index) }
  }

  /// Inserts a box directly after the one that `path` leads to.
  public mutating func insert(_ box: Box, after path: BoxPath) throws(ParseError) {
    try box.checkUserType()
    try editSiblings(try indices(path)) { siblings, index in siblings.insert(box, at: index + 1) }
  }

  /// Removes the box at `path`.
  @discardableResult
  public mutating func remove(_ path: BoxPath) throws(ParseError) -> Box {
    var removed: Box?
    try editSiblings(try indices(path)) { siblings, index in removed = siblings.remove(at: index) }
    guard let removed else { throw nothing(at: path) }
    return removed
  }

  /// Replaces the box at `path`.
  public mutating func replace(_ path: BoxPath, with box: Box) throws(ParseError) {
    try box.checkUserType()
    try editSiblings(try indices(path)) { siblings, index in siblings[index] = box }
  }

  /// Removes the box at `path` and appends it to the one that `target` leads to after the removal.
  public mutating func move(
    _ path: BoxPath, into target: BoxPath, at index: Int? = nil
  ) throws(ParseError) {
    var changed = self
    let box = try changed.remove(path)
    try changed.insert(box, in: target, at: index)
    self = changed
  }

  // MARK: Places

  private func indices(_ path: BoxPath) throws(ParseError) -> [Int] {
    guard let indices = path.indices(in: boxes) else { throw nothing(at: path) }
    return indices
  }

  /// The error for a path without a box: it names the deepest box of the path that exists.
  private func nothing(at path: BoxPath) -> ParseError {
    var ancestor = path.parent
    while !ancestor.steps.isEmpty, ancestor.indices(in: boxes) == nil { ancestor = ancestor.parent }
    let found = ancestor.first(in: boxes)
    let absent = BoxPath(steps: path.steps.dropFirst(ancestor.steps.count).prefix(1))
    return ParseError(
      .missing("the box '\(absent)'"), offset: found?.offset ?? 0, path: ancestor.description)
  }

  private mutating func editSiblings(
    _ indices: [Int], _ change: (inout [Box], Int) -> Void
  ) throws(ParseError) {
    guard let last = indices.last else { return }
    if indices.count == 1 { return change(&boxes, last) }
    try withBox(indices.dropLast(), in: &boxes) { (parent) throws(ParseError) in
      change(&parent.children, last)
    }
  }

  private func withBox(
    _ indices: ArraySlice<Int>, in boxes: inout [Box], _ change: (inout Box) throws(ParseError) -> Void
  ) throws(ParseError) {
    guard let first = indices.first else { return }
    if indices.count == 1 { return try change(&boxes[first]) }
    try withBox(indices.dropFirst(), in: &boxes[first].children, change)
  }
}

extension BoxPath {
  /// The path without its last step.
  var parent: BoxPath { BoxPath(steps: steps.dropLast()) }

  /// The position, as the index of the box on each level, of the first box that the path leads to.
  func indices(in boxes: [Box]) -> [Int]? { steps.isEmpty ? nil : indices(0, boxes) }

  private func indices(_ step: Int, _ boxes: [Box]) -> [Int]? {
    guard step < steps.count else { return nil }
    if steps[step] == .anyDepth {
      // A `**` matches no box, or one more and itself; the first match in the file is returned.
      let here = indices(step + 1, boxes)
      for index in boxes.indices {
        if let here, here[0] < index { return here }
        guard let below = indices(step, boxes[index].children) else { continue }
        let deeper = [index] + below
        guard let here else { return deeper }
        return here.lexicographicallyPrecedes(deeper) ? here : deeper
      }
      return here
    }
    var number = 0
    for index in boxes.indices {
      if case .type(let type, let wanted) = steps[step] {
        guard boxes[index].type == type else { continue }
        number += 1
        guard wanted == nil || wanted == number - 1 else { continue }
      }
      if step == steps.count - 1 { return [index] }
      if let below = indices(step + 1, boxes[index].children) { return [index] + below }
    }
    return nil
  }
}
