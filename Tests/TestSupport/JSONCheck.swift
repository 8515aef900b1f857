// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Returns what is wrong with `text` as a JSON document: bad syntax, or an object with the same key twice;
/// `nil` if it is correct.
///
/// Ordinary JSON readers silently keep one of two equal keys, which is why this one exists.
public func jsonProblem(_ text: String) -> String? {
  var scanner = JSONScanner(bytes: Array(text.utf8))
  return scanner.document()
}

private struct JSONScanner {
  let bytes: [UInt8]
  var index = 0
  var problem: String?

  init(bytes: [UInt8]) { self.bytes = bytes }

  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func document() -> String? {
    value()
    skipSpace()
    if problem == nil, index < bytes.count { fail("something follows the document") }
    return problem
  }

  mutating func fail(_ what: String) {
    if problem == nil { problem = "byte \(index): \(what)" }
    index = bytes.count
  }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  mutating func take(_ text: String) -> Bool {
    guard bytes[index...].starts(with: text.utf8) else { return false }
    index += text.utf8.count
    return true
  }

  mutating func value() {
    skipSpace()
    switch next {
    case 0x7B: members()
    case 0x5B: elements()
    case 0x22: _ = string()
    case .some(let byte) where byte == 0x2D || (0x30...0x39).contains(byte): number()
    default: if !take("true"), !take("false"), !take("null") { fail("no value") }
    }
  }

  mutating func members() {
    index += 1
    var keys: Set<String> = []
    skipSpace()
    if take("}") { return }
    while problem == nil {
      skipSpace()
      guard next == 0x22 else { return fail("no key") }
      let key = string()
      if !keys.insert(key).inserted { return fail("the key \"\(key)\" is twice in one object") }
      skipSpace()
      guard take(":") else { return fail("no colon after \"\(key)\"") }
      value()
      skipSpace()
      if take("}") { return }
      guard take(",") else { return fail("no comma after the value of \"\(key)\"") }
    }
  }

  mutating func elements() {
    index += 1
    skipSpace()
    if take("]") { return }
    while problem == nil {
      value()
      skipSpace()
      if take("]") { return }
      guard take(",") else { return fail("no comma between elements") }
    }
  }

  mutating func string() -> String {
    index += 1
    let start = index
    while let byte = next, byte != 0x22 {
      if byte < 0x20 { fail("a control character in a string") }
      index += byte == 0x5C ? 2 : 1
    }
    guard next == 0x22 else {
      fail("a string without end")
      return ""
    }
    defer { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  mutating func number() {
    let start = index
    while let byte = next, "+-.0123456789eE".utf8.contains(byte) { index += 1 }
    if Double(String(decoding: bytes[start..<index], as: UTF8.self)) == nil { fail("no number") }
  }
}
