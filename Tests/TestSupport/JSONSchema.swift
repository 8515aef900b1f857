// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Checks documents against a JSON Schema, with the part of the vocabulary that docs/schema uses. A keyword
/// that is not supported is itself a problem.
public struct JSONSchema {
  private let root: JSONValue

  /// Makes a schema from its text.
  public init?(_ text: String) {
    guard let root = JSONValue(text) else { return nil }
    self.root = root
  }

  /// Makes the schema of docs/schema with a name.
  public init?(named name: String) {
    guard let bytes = contents(PackageFolder.root + "/docs/schema/" + name + ".json") else { return nil }
    self.init(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns how `value` violates the schema, at most ten problems.
  public func problems(_ value: JSONValue) -> [String] {
    var problems: [String] = []
    check(value, root, "$", &problems)
    return Array(problems.prefix(10))
  }

  private func check(_ value: JSONValue, _ schema: JSONValue, _ path: String, _ problems: inout [String]) {
    guard problems.count < 10 else { return }
    guard case .object(let words) = schema else {
      if schema == .bool(false) { problems.append("\(path): must not be there") }
      return
    }
    for (word, rule) in words {
      switch word {
      case "$schema", "$id", "title", "description", "$defs", "examples": continue
      case "$ref": checkReference(value, rule, path, &problems)
      case "type": checkType(value, rule, path, &problems)
      case "const": if value != rule { problems.append("\(path): is not \(rule)") }
      case "enum":
        if !rule.elements.contains(value) {
          problems.append("\(path): \(value) is none of the values allowed")
        }
      case "required":
        for key in rule.elements.compactMap(\.text) where value[key] == nil && isObject(value) {
          problems.append("\(path): has no \(key)")
        }
      case "properties", "additionalProperties": checkMembers(value, schema, path, &problems, once: word)
      case "items":
        for (index, element) in value.elements.enumerated() {
          check(element, rule, "\(path)[\(index)]", &problems)
        }
      case "minItems":
        if case .array(let elements) = value, elements.count < rule.integer ?? 0 {
          problems.append("\(path): has too few elements")
        }
      case "minimum", "maximum":
        if case .number(let number) = value, case .number(let bound) = rule,
          word == "minimum" ? number < bound : number > bound
        {
          problems.append("\(path): \(number) is beyond the \(word) \(bound)")
        }
      case "anyOf":
        let fits = rule.elements.contains { option in
          var found: [String] = []
          check(value, option, path, &found)
          return found.isEmpty
        }
        if !fits { problems.append("\(path): is none of the forms allowed") }
      default: problems.append("\(path): the schema says '\(word)', which is not understood")
      }
    }
  }

  private func isObject(_ value: JSONValue) -> Bool {
    if case .object = value { return true }
    return false
  }

  private func checkReference(
    _ value: JSONValue, _ rule: JSONValue, _ path: String, _ problems: inout [String]
  ) {
    var target: JSONValue? = root
    for step in rule.text?.split(separator: "/").dropFirst() ?? [] { target = target?[String(step)] }
    guard let target else { return problems.append("the schema refers to \(rule), which is not there") }
    check(value, target, path, &problems)
  }

  private func checkType(_ value: JSONValue, _ rule: JSONValue, _ path: String, _ problems: inout [String]) {
    let types = rule.text.map { [$0] } ?? rule.elements.compactMap(\.text)
    let type =
      switch value {
      case .null: "null"
      case .bool: "boolean"
      case .number(let number): number == number.rounded() ? "integer" : "number"
      case .string: "string"
      case .array: "array"
      case .object: "object"
      }
    if !types.contains(type), !(type == "integer" && types.contains("number")) {
      problems.append("\(path): is of type \(type), not \(types.joined(separator: " or "))")
    }
  }

  private func checkMembers(
    _ value: JSONValue, _ schema: JSONValue, _ path: String, _ problems: inout [String], once word: String
  ) {
    guard case .object(let members) = value else { return }
    for (key, member) in members {
      if let rule = schema["properties"]?[key] {
        if word == "properties" { check(member, rule, path + "." + key, &problems) }
      } else if word == "additionalProperties", let rule = schema["additionalProperties"] {
        check(member, rule, path + "." + key, &problems)
      }
    }
  }
}
