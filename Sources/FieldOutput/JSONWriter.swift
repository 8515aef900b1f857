// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Writes JSON as it goes: keys in the order given, integers exact.
///
/// Integers beyond 2^53 are written as strings, because most readers of JSON would round them.
public final class JSONWriter {
  private let out: OutputBuffer
  private let isPretty: Bool
  private struct Container {
    var isArray = false
    var hasContent = false
    var isInline = false
  }

  /// The innermost open container. It is kept apart from those around it because every value consults it.
  private var container = Container()
  /// The containers around it; empty if nothing is open.
  private var around: [Container] = []
  private var depth = 0
  private var isAfterKey = false

  /// Writes to `out`: on many lines with indentation, or on one.
  public init(_ out: OutputBuffer, pretty: Bool) {
    self.out = out
    isPretty = pretty
  }

  private func beginValue() {
    if isAfterKey {
      isAfterKey = false
      return
    }
    separate()
  }

  private func separate() {
    guard depth > 0 else { return }
    if isPretty, !container.isInline {
      out.append(lineBreakAfterComma: container.hasContent, spaces: 2 * depth)
    } else if container.hasContent {
      out.append(isPretty ? ", " : ",")
    }
    container.hasContent = true
  }

  /// Whether the current container is an array, in which values have no keys.
  public var isInArray: Bool { container.isArray }

  /// The key of the next value.
  public func key(_ name: String) {
    separate()
    quote(name)
    out.append(isPretty ? ": " : ":")
    isAfterKey = true
  }

  /// The key of the next value: the name of a field, which needs no escaping.
  @usableFromInline
  package func key(field name: StaticString) {
    separate()
    out.append(quoted: name)
    out.append(isPretty ? ": " : ":")
    isAfterKey = true
  }

  /// `{`; an inline object stays on one line.
  public func beginObject(inline: Bool = false) { begin(0x7B, isArray: false, inline) }
  /// `}`
  public func endObject() { end(0x7D) }
  /// `[`; an inline array stays on one line.
  public func beginArray(inline: Bool = false) { begin(0x5B, isArray: true, inline) }
  /// `]`
  public func endArray() { end(0x5D) }

  private func begin(_ bracket: UInt8, isArray: Bool, _ inline: Bool) {
    beginValue()
    out.append(byte: bracket)
    around.append(container)
    container = Container(isArray: isArray, isInline: inline || container.isInline)
    depth = around.count
  }

  private func end(_ bracket: UInt8) {
    guard let outer = around.popLast() else { return }
    depth = around.count
    if container.hasContent, isPretty, !container.isInline {
      out.append(lineBreakAfterComma: false, spaces: 2 * depth)
    }
    container = outer
    out.append(byte: bracket)
  }

  /// Ends the document with a line break.
  public func endDocument() { out.append(byte: 0x0A) }

  /// `null`
  public func null() {
    beginValue()
    out.append("null")
  }

  /// `true` or `false`
  public func value(_ flag: Bool) {
    beginValue()
    out.append(flag ? "true" : "false")
  }

  /// A number; beyond 2^53, a string of its digits.
  @inlinable
  public func value(_ number: some BinaryInteger) {
    if let exact = Int64(exactly: number), exact.magnitude <= 1 << 53 {
      integer(exact)
    } else {
      value(String(number))
    }
  }

  @usableFromInline
  func integer(_ number: Int64) {
    beginValue()
    out.append(number)
  }

  /// A number that is not an integer; a string if JSON cannot represent it.
  public func value(_ number: Double) {
    beginValue()
    if number.isFinite {
      var text = "\(number)"
      if text.hasSuffix(".0") { text.removeLast(2) }
      out.append(text)
    } else {
      out.append("\"\(number)\"")
    }
  }

  /// Digits that already form a JSON number.
  public func number(_ digits: String) {
    beginValue()
    out.append(digits)
  }

  /// A string.
  public func value(_ text: String) {
    beginValue()
    quote(text)
  }

  /// A value, or `null`.
  @inlinable
  public func value<T: BinaryInteger>(_ number: T?) {
    if let number { value(number) } else { null() }
  }

  /// A value, or `null`.
  public func value(_ text: String?) {
    if let text { value(text) } else { null() }
  }

  /// Bytes: how many there are, the first `limit` of them in hexadecimal, and how many are not shown.
  public func value(_ bytes: ByteView, limit: Int) {
    beginObject(inline: true)
    key("size")
    value(bytes.count)
    key("hex")
    beginValue()
    out.append("\"")
    out.append(hexadecimal: bytes, limit: limit)
    out.append("\"")
    if bytes.count > limit {
      key("truncated")
      value(bytes.count - limit)
    }
    endObject()
  }

  private func quote(_ text: String) {
    if out.append(quotedIfPlain: text) { return }
    out.append(byte: 0x22)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: out.append("\\\"")
      case 0x5C: out.append("\\\\")
      case 0x0A: out.append("\\n")
      case 0x0D: out.append("\\r")
      case 0x09: out.append("\\t")
      case 0..<0x20, 0x7F, 0x2028, 0x2029: out.append("\\u" + hexadecimal(UInt64(scalar.value), digits: 4))
      case 0x20..<0x7F: out.append(byte: UInt8(truncatingIfNeeded: scalar.value))
      default: out.append(String(Character(scalar)))
      }
    }
    out.append(byte: 0x22)
  }
}

extension JSONWriter {
  /// A name and a text, or `null`.
  package func member(_ name: StaticString, _ text: String?) {
    key(field: name)
    value(text)
  }

  /// A name and a number, or `null`.
  @inlinable
  package func member<T: BinaryInteger>(_ name: StaticString, _ number: T?) {
    key(field: name)
    value(number)
  }

  /// A name and a Boolean, or `null`.
  package func member(_ name: StaticString, _ flag: Bool?) {
    key(field: name)
    if let flag { value(flag) } else { null() }
  }
}
