// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A command line that was understood.
package struct ParsedArguments: Sendable {
  /// The options that were given, each with its values in order; a flag has an empty one. There are few: to prepare a dictionary
  /// takes longer.
  private var given: [(name: String, values: [String])] = []
  /// Everything that is not an option.
  package private(set) var operands: [String] = []

  package init() {}

  /// Adds an option. One that was given before with another value is an error, rather than silently replaced.
  mutating func add(_ option: Option, _ value: String) throws(UsageError) {
    guard let index = given.firstIndex(where: { $0.name == option.name }) else {
      given.append((option.name, [value]))
      return
    }
    if option.isRepeatable {
      given[index].values.append(value)
      return
    }
    if let former = given[index].values.last, former != value, !option.isReplaceable {
      throw UsageError("--\(option.name) is given twice: '\(former)' and '\(value)'")
    }
    given[index].values = [value]
  }

  mutating func add(operand: String) { operands.append(operand) }

  /// Whether any option was given.
  package var hasOptions: Bool { !given.isEmpty }

  /// Whether the option was given.
  package func has(_ option: Option) -> Bool { given.contains { $0.name == option.name } }

  /// The option's value.
  package func text(_ option: Option) -> String? { texts(option).last }

  /// The option's values.
  package func texts(_ option: Option) -> [String] {
    given.first { $0.name == option.name }?.values ?? []
  }

  /// The options as they are typed into a shell, with their values.
  package var typed: [String] {
    given.flatMap { name, values in
      values.map { $0.isEmpty ? "--" + name : "--\(name) " + ShellWord.quoted($0) }
    }
  }

  /// The option's value as a number; `nil` if it was not given, or is a word.
  package func number(_ option: Option) -> Int? { text(option).flatMap { Int($0) } }
}

/// Why a command line was not understood: exit status 64.
package struct UsageError: Error, Hashable, Sendable {
  /// What is wrong, without a full stop.
  package var message: String

  package init(_ message: String) { self.message = message }
}
