// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A value in JSON. A report is made of these: what it has to say is declared as data, in its order, and written by
/// ``JSONWriter/write(_:)``.
package protocol JSONValue {
  /// Writes the value.
  func write(to json: JSONWriter)
}

extension JSONValue where Self: BinaryInteger {
  package func write(to json: JSONWriter) { json.value(self) }
}

extension Int: JSONValue {}
extension Int32: JSONValue {}
extension Int64: JSONValue {}
extension UInt8: JSONValue {}
extension UInt16: JSONValue {}
extension UInt32: JSONValue {}
extension UInt64: JSONValue {}

extension String: JSONValue {
  package func write(to json: JSONWriter) { json.value(self) }
}

extension Bool: JSONValue {
  package func write(to json: JSONWriter) { json.value(self) }
}

extension Double: JSONValue {
  package func write(to json: JSONWriter) { json.value(self) }

  /// The number, rounded to a fraction of 1.
  package func rounded(toParts parts: Double) -> Double { (self * parts).rounded() / parts }
}

/// A number that is digits already.
package struct JSONNumber: JSONValue {
  private let digits: String

  /// Makes a number of its digits.
  package init(digits: String) { self.digits = digits }

  package func write(to json: JSONWriter) { json.number(digits) }
}

/// `null` for what is not known.
extension Optional: JSONValue where Wrapped: JSONValue {
  package func write(to json: JSONWriter) {
    if let self { self.write(to: json) } else { json.null() }
  }
}

/// An array with a line for each value.
extension Array: JSONValue where Element: JSONValue {
  package func write(to json: JSONWriter) { JSONArray(self, isInline: false).write(to: json) }

  /// The same array on one line.
  package var inline: JSONArray<Element> { JSONArray(self, isInline: true) }
}

/// An array of values, on one line or on several.
package struct JSONArray<Element: JSONValue>: JSONValue {
  private let values: [Element]
  private let isInline: Bool

  fileprivate init(_ values: [Element], isInline: Bool) { (self.values, self.isInline) = (values, isInline) }

  package func write(to json: JSONWriter) {
    json.beginArray(inline: isInline)
    for value in values { value.write(to: json) }
    json.endArray()
  }
}

/// An array of objects, which are made one at a time when they are written.
package struct JSONList<Elements: Sequence>: JSONValue {
  private let elements: Elements
  private let object: (Elements.Element) -> JSONObject
  private var hasRows = false
  private var isInline = false

  /// Makes an array whose objects have a line for each of their members.
  ///
  /// - Parameters:
  ///   - elements: what the objects are made of.
  ///   - object: makes an object.
  package init(_ elements: Elements, _ object: @escaping (Elements.Element) -> JSONObject) {
    (self.elements, self.object) = (elements, object)
  }

  /// Makes an array of which each object is on one line.
  ///
  /// - Parameters:
  ///   - elements: what the objects are made of.
  ///   - object: makes an object.
  package init(rows elements: Elements, _ object: @escaping (Elements.Element) -> JSONObject) {
    self.init(elements, object)
    hasRows = true
  }

  /// The same array on one line.
  package var inline: JSONList {
    var list = self
    list.isInline = true
    return list
  }

  package func write(to json: JSONWriter) {
    json.beginArray(inline: isInline)
    for element in elements {
      let object = object(element)
      (hasRows ? object.inline : object).write(to: json)
    }
    json.endArray()
  }
}

/// An object: a line for each member, or all on one line.
package struct JSONObject: JSONValue, ExpressibleByDictionaryLiteral {
  private var members: [(name: String, value: any JSONValue)]
  private var isInline = false

  /// Makes an object of its members, in their order.
  package init(dictionaryLiteral members: (String, any JSONValue)...) {
    self.members = members.map { (name: $0.0, value: $0.1) }
  }

  /// Makes an object on one line.
  package static func inline(_ object: JSONObject) -> JSONObject { object.inline }

  /// Makes an object of its members, in their order.
  package init(_ members: some Sequence<(String, any JSONValue)>) {
    self.members = members.map { (name: $0.0, value: $0.1) }
  }

  /// The same object on one line.
  package var inline: JSONObject {
    var object = self
    object.isInline = true
    return object
  }

  /// The members of one object, followed by those of another.
  package static func + (first: JSONObject, second: JSONObject) -> JSONObject {
    var object = first
    object.members += second.members
    return object
  }

  /// Writes the object.
  package func write(to json: JSONWriter) {
    json.beginObject(inline: isInline)
    writeMembers(to: json)
    json.endObject()
  }

  /// Writes the members into an object that has begun.
  package func writeMembers(to json: JSONWriter) {
    for member in members {
      json.key(member.name)
      member.value.write(to: json)
    }
  }
}

extension JSONWriter {
  /// Writes a whole document.
  package func write(_ document: JSONObject) {
    document.write(to: self)
    endDocument()
  }
}
