// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A box as another tool prints it: its type, its size, and its children.
public struct ReferenceBox: Sendable {
  /// The type, as the tool spells it.
  public var type: String
  /// The size, including the header.
  public var size: Int
  /// The children.
  public var children: [ReferenceBox]

  /// Makes a box.
  public init(type: String, size: Int, children: [ReferenceBox]) {
    self.type = type
    self.size = size
    self.children = children
  }

  /// Returns the boxes of an XML dump: all elements with a `Size` and a `Type`. Other elements only contain boxes.
  public static func boxes(inXML text: String) -> [ReferenceBox] {
    var reader = XMLBoxReader(bytes: Array(text.utf8))
    return reader.boxes()
  }

  /// Returns the boxes of the same dump converted to JSON, in which siblings of one type are together, whatever
  /// their order.
  public static func boxes(inJSON value: JSONValue) -> [ReferenceBox] {
    guard case .object(let members) = value else { return [] }
    var found: [ReferenceBox] = []
    for (_, member) in members {
      var elements = member.elements
      if case .object = member { elements = [member] }
      for element in elements {
        let inside = boxes(inJSON: element)
        if let type = element["@Type"]?.text, let size = element["@Size"]?.text.flatMap({ Int($0) }) {
          found.append(ReferenceBox(type: type, size: size, children: inside))
        } else {
          found += inside
        }
      }
    }
    return found
  }
}

/// Reads the parts of XML that a dump of boxes uses: elements, attributes in quotation marks, comments.
private struct XMLBoxReader {
  private struct Element {
    var name: String
    var attributes: [String: String]
    var children: [ReferenceBox] = []
  }

  let bytes: [UInt8]
  private var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func boxes() -> [ReferenceBox] {
    var open = [Element(name: "", attributes: [:])]
    while skip(past: UInt8(ascii: "<")) {
      if bytes[index...].starts(with: "!--".utf8) {
        while !bytes[index...].starts(with: "-->".utf8), index < bytes.count { index += 1 }
      } else if take("?") {
        _ = skip(past: UInt8(ascii: ">"))
      } else if take("/") {
        let name = word()
        while let last = open.last, open.count > 1 {
          close(&open)
          if last.name == name { break }
        }
      } else {
        let (element, isClosed) = element()
        open.append(element)
        if isClosed { close(&open) }
      }
    }
    while open.count > 1 { close(&open) }
    return open[0].children
  }

  private func close(_ open: inout [Element]) {
    guard let element = open.popLast(), let around = open.indices.last else { return }
    if let type = element.attributes["Type"], let size = element.attributes["Size"].flatMap({ Int($0) }) {
      open[around].children.append(ReferenceBox(type: type, size: size, children: element.children))
    } else {
      open[around].children += element.children
    }
  }

  private mutating func element() -> (Element, isClosed: Bool) {
    var element = Element(name: word(), attributes: [:])
    while index < bytes.count, !take(">") {
      if take("/") { continue }
      let name = word()
      guard !name.isEmpty else {
        index += 1
        continue
      }
      guard take("="), take("\"") else { continue }
      let start = index
      guard skip(past: UInt8(ascii: "\"")) else { break }
      element.attributes[name] = String(decoding: bytes[start..<(index - 1)], as: UTF8.self)
    }
    return (element, index >= 2 && index <= bytes.count && bytes[index - 2] == UInt8(ascii: "/"))
  }

  private mutating func skip(past byte: UInt8) -> Bool {
    guard let found = bytes[index...].firstIndex(of: byte) else {
      index = bytes.count
      return false
    }
    index = found + 1
    return true
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func word() -> String {
    let start = index
    while index < bytes.count, !" \t\r\n=<>/\"?".utf8.contains(bytes[index]) { index += 1 }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }
}
