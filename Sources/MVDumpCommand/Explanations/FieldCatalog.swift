// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// Collects the fields that declarations name, in their order, over several values of one structure: what is there in
/// some and not in others is optional.
package struct FieldCatalog: FieldSink {
  private enum Frame {
    /// Named structures and arrays stand in the path of what is in them.
    case structure
    case array(String)
    /// An element of an array, whose fields stand under the array's name.
    case element
  }

  package let tableRows = 2
  private var fieldsByPath: [String: FieldDescription] = [:]
  /// For each field, and for each structure, the values in which it was there.
  private var visits: [String: Set<Int>] = [:]
  private var structures: [String: Set<Int>] = ["": [0]]
  /// The paths in the order of the bitstream.
  private var order: [String] = []
  /// The field before, behind which a new one belongs.
  private var last: String?
  private var frames: [Frame] = []
  private var scopes: [String] = []
  private var pass = 0

  package init() {}

  /// Another value of the structure follows.
  package mutating func finish() {
    pass += 1
    last = nil
    frames = []
    scopes = []
    structures["", default: []].insert(pass)
  }

  /// The fields, in the order of the bitstream.
  package var fields: [FieldDescription] {
    order.compactMap { path in
      guard var field = fieldsByPath[path] else { return nil }
      let around = structures[field.scopes.joined(separator: "."), default: []]
      // `finish` has opened a value that nothing describes.
      field.isOptional = !around.subtracting([pass]).isSubset(of: visits[path, default: []])
      return field
    }
  }

  private mutating func add(
    _ name: String, _ coding: FieldCoding?, _ format: FieldFormat = .decimal,
    allowed: ClosedRange<Int64>? = nil, expected: UInt64? = nil
  ) {
    if case .array(let array)? = frames.last {
      if coding != nil, name.isEmpty || name == array { return setElement(coding, format, allowed) }
      structures[scopes.joined(separator: "."), default: []].insert(pass)
    }
    let field = FieldDescription(
      name: name, scopes: scopes, coding: coding, format: format, allowed: allowed, expected: expected)
    let path = field.path
    if fieldsByPath.updateValue(field, forKey: path) == nil {
      let index = last.flatMap { order.lastIndex(of: $0) }.map { $0 + 1 }
      order.insert(path, at: index ?? 0)
    }
    visits[path, default: []].insert(pass)
    last = path
  }

  /// The elements of an array are bare numbers: how they are coded is said of the array.
  private mutating func setElement(
    _ coding: FieldCoding?, _ format: FieldFormat, _ allowed: ClosedRange<Int64>?
  ) {
    let path = scopes.joined(separator: ".")
    fieldsByPath[path]?.coding = coding
    fieldsByPath[path]?.format = format
    fieldsByPath[path]?.allowed = allowed
  }

  private mutating func add(_ note: FieldNote) {
    add(note.name.description, note.coding, note.format, allowed: note.allowed)
  }

  package mutating func unsigned(_ note: FieldNote, _ value: UInt64) { add(note) }
  package mutating func signed(_ note: FieldNote, _ value: Int64) { add(note) }
  package mutating func reserved(_ note: FieldNote, _ value: UInt64, expected: UInt64) {
    add(note.name.description, note.coding, expected: expected)
  }
  package mutating func bytes(_ note: FieldNote, _ value: ByteView, _ format: BytesFormat) { add(note) }
  package mutating func text(_ note: FieldNote, _ value: TerminatedString) { add(note) }
  package mutating func bitString(_ note: FieldNote, _ value: BitString) { add(note) }

  package mutating func beginStructure(_ name: StaticString) {
    if case .array? = frames.last {
      frames.append(.element)
    } else {
      add(name.description, nil)
      frames.append(.structure)
      scopes.append(name.description)
    }
    structures[scopes.joined(separator: "."), default: []].insert(pass)
  }

  package mutating func beginArray(_ name: StaticString, count: Int) {
    let path = (scopes + [name.description + "[]"]).joined(separator: ".")
    let known = fieldsByPath[path]
    add(name.description + "[]", nil)
    // An empty array does not say how its elements are coded.
    if let known { fieldsByPath[path] = known }
    frames.append(.array(name.description))
    scopes.append(name.description + "[]")
  }

  package mutating func endScope(omitted: Int) {
    switch frames.popLast() {
    case .structure, .array: _ = scopes.popLast()
    case .element, nil: break
    }
  }
}
