// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// Collects the fields that declarations name, in their order, over several values of one structure: what some have and
/// others have not is optional. Every element of an array is such a value of its structure.
package final class FieldCatalog: FieldSink {
  private struct Entry {
    var field: FieldDescription
    /// In how many values of the structure around it it was there, and the last of them.
    var visits = 0
    var lastVisit: Int?
    /// The nested fields in the order of discovery, and which fields directly followed each.
    var children: [String] = []
    var followers: [String: Set<String>] = [:]
    /// How many values of it could have had these.
    var openings = 0
  }

  private struct Frame {
    var path: String
    /// The name of an array; `nil` for a structure, or for an element of an array.
    var array: String?
    /// Whether it is in the names of what is in it; elements of arrays do not.
    var isNamed: Bool
    /// Which value it is, of all.
    let value: Int
    var isOpen = false
    var last: String?
  }

  package let tableRows = 2
  /// The entries by path; the empty path is the whole structure.
  private var entries: [String: Entry] = [:]
  private var frames: [Frame] = []
  private var scopes: [String] = []
  private var values = 0

  /// The fields of a structure, in the order of the bitstream, from values that together have each of them.
  package static func fields(of examples: [any FieldLayout]) -> [FieldDescription] {
    let catalog = FieldCatalog()
    for example in examples { example.describe(into: catalog) }
    return catalog.fields
  }

  package init() { begin() }

  private func begin() {
    frames = []
    scopes = []
    entries["", default: Entry(field: FieldDescription(name: "", scopes: [], format: .decimal))].openings += 1
    push("", array: nil, isNamed: false)
  }

  /// Another value of the structure may follow.
  package func finish() { begin() }

  // MARK: Result

  /// The fields, in the order of the bitstream.
  package var fields: [FieldDescription] {
    var found: [FieldDescription] = []
    collect("", &found)
    return found
  }

  private func collect(_ path: String, _ found: inout [FieldDescription]) {
    guard let parent = entries[path] else { return }
    // The last value of the whole structure has only been begun.
    let openings = path.isEmpty ? parent.openings - 1 : parent.openings
    for child in sorted(parent) {
      guard let entry = entries[child] else { continue }
      var field = entry.field
      field.isOptional = entry.visits < openings
      found.append(field)
      collect(child, &found)
    }
  }

  /// The children so that each precedes those that came after it, otherwise in the order of discovery.
  private func sorted(_ parent: Entry) -> [String] {
    var left = parent.children
    var result: [String] = []
    while !left.isEmpty {
      let index =
        left.firstIndex { candidate in
          !left.contains { $0 != candidate && parent.followers[$0]?.contains(candidate) == true }
        } ?? 0
      result.append(left.remove(at: index))
    }
    return result
  }

  // MARK: Collecting

  private func add(
    _ name: String, _ coding: FieldCoding?, _ format: FieldFormat = .decimal,
    allowed: ClosedRange<Int64>? = nil, expected: UInt64? = nil
  ) {
    guard let top = frames.indices.last else { return }
    let around = frames[top].path
    if let array = frames[top].array {
      // An element that is a bare number: its coding is given for the array.
      if coding != nil, name.isEmpty || name == array {
        return note(coding, format, allowed, of: around)
      }
      open(at: top)
    }
    let path = around.isEmpty ? name : around + "." + name
    if entries[path] == nil {
      entries[path] = Entry(
        field: FieldDescription(
          name: name, scopes: scopes, coding: coding, format: format, allowed: allowed, expected: expected))
      entries[around]?.children.append(path)
    } else if coding != nil {
      note(coding, format, allowed, of: path)
    }
    if entries[path]?.lastVisit != frames[top].value {
      entries[path]?.visits += 1
      entries[path]?.lastVisit = frames[top].value
    }
    if let last = frames[top].last, last != path {
      entries[around]?.followers[last, default: []].insert(path)
    }
    frames[top].last = path
  }

  /// Records the coding of a field. If it differs from value to value, it depends on other fields.
  private func note(
    _ coding: FieldCoding?, _ format: FieldFormat, _ allowed: ClosedRange<Int64>?, of path: String
  ) {
    guard let known = entries[path]?.field else { return }
    guard known.coding != nil else {
      entries[path]?.field.coding = coding
      entries[path]?.field.format = format
      entries[path]?.field.allowed = allowed
      return
    }
    if known.coding != coding { entries[path]?.field.hasVariableWidth = true }
    if known.allowed != allowed { entries[path]?.field.allowed = nil }
  }

  private func add(_ note: FieldNote) {
    add(note.name.description, note.coding, note.format, allowed: note.allowed)
  }

  package func unsigned(_ note: FieldNote, _ value: UInt64) { add(note) }
  package func signed(_ note: FieldNote, _ value: Int64) { add(note) }
  package func reserved(_ note: FieldNote, _ value: UInt64, expected: UInt64) {
    add(note.name.description, note.coding, expected: expected)
  }
  package func bytes(_ note: FieldNote, _ value: ByteView, _ format: BytesFormat) { add(note) }
  package func text(_ note: FieldNote, _ value: TerminatedString) { add(note) }
  package func bitString(_ note: FieldNote, _ value: BitString) { add(note) }

  package func beginStructure(_ name: StaticString) {
    if let top = frames.last, top.array != nil {
      push(top.path, array: nil, isNamed: false)
    } else {
      add(name.description, nil)
      push(inside: name.description, array: nil)
    }
    open(at: frames.count - 1)
  }

  package func beginArray(_ name: StaticString, count: Int) {
    add(name.description + "[]", nil)
    push(inside: name.description + "[]", array: name.description)
  }

  private func push(inside name: String, array: String?) {
    let around = frames.last?.path ?? ""
    push(around.isEmpty ? name : around + "." + name, array: array, isNamed: true)
    scopes.append(name)
  }

  private func push(_ path: String, array: String?, isNamed: Bool) {
    values += 1
    frames.append(Frame(path: path, array: array, isNamed: isNamed, value: values))
  }

  /// The innermost value can have something in it.
  private func open(at index: Int) {
    guard !frames[index].isOpen else { return }
    frames[index].isOpen = true
    entries[frames[index].path]?.openings += 1
  }

  package func endScope(omitted: Int) {
    guard frames.count > 1, let frame = frames.popLast(), frame.isNamed else { return }
    scopes.removeLast()
  }
}
