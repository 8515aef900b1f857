// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A command line that was understood.
package struct ParsedArguments: Sendable {
  /// For each option that was given, by name, its values in order; a flag has an empty one.
  private var values: [String: [String]] = [:]
  /// Everything that is not an option.
  package private(set) var operands: [String] = []

  package init() {}

  /// Adds an option. One that was given before with another value is an error, rather than silently replaced.
  mutating func add(_ option: Option, _ value: String) throws(UsageError) {
    if option.isRepeatable {
      values[option.name, default: []].append(value)
    } else {
      if let former = values[option.name]?.last, former != value, !option.isReplaceable {
        throw UsageError("--\(option.name) is given twice: '\(former)' and '\(value)'")
      }
      values[option.name] = [value]
    }
  }

  mutating func add(operand: String) { operands.append(operand) }

  /// Whether the option was given.
  package func has(_ option: Option) -> Bool { values[option.name] != nil }

  /// The option's value.
  package func text(_ option: Option) -> String? { values[option.name]?.last }

  /// The option's values.
  package func texts(_ option: Option) -> [String] { values[option.name] ?? [] }

  /// The option's value as a number; `nil` if it was not given, or is a word.
  package func number(_ option: Option) -> Int? { text(option).flatMap { Int($0) } }
}

/// Why a command line was not understood: exit status 64.
package struct UsageError: Error, Hashable, Sendable {
  /// What is wrong, without a full stop.
  package var message: String

  package init(_ message: String) { self.message = message }
}
