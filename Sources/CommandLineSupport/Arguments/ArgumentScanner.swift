// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Understands a command line by declared options, in the conventions of POSIX and GNU: `--name value`, `--name=value`,
/// `-n value`, `-nvalue`, flags together as `-ab`, `--` before operands that begin with a hyphen, options anywhere.
package struct ArgumentScanner {
  private let command: String
  private let options: [Option]
  private let operands: Operands

  /// A scanner for the command of that name; the name is for messages.
  package init(command: String, options: [Option], operands: Operands) {
    self.command = command
    self.options = options
    self.operands = operands
  }

  /// Understands `arguments`, which come after the command's name.
  package func scan(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        for operand in rest { try add(operand, to: &parsed) }
        break
      } else if argument.hasPrefix("--") {
        try scanLong(argument, &rest, &parsed)
      } else if argument.hasPrefix("-"), argument != "-" {
        try scanShort(argument, &rest, &parsed)
      } else {
        try add(argument, to: &parsed)
      }
    }
    return parsed
  }

  /// Checks that enough operands were given; apart, because `--help` needs none.
  package func checkOperands(_ parsed: ParsedArguments) throws(UsageError) {
    if options.contains(where: { $0.standsAlone && parsed.has($0) }) { return }
    switch operands {
    case .none: break
    case .file, .files:
      if parsed.operands.isEmpty {
        throw UsageError("no file given; - is standard input")
      }
    case .twoFiles(let first, let second):
      if let missing = [first, second].dropFirst(parsed.operands.count).first {
        throw UsageError("\(missing) is missing: \(command) takes two files")
      }
    case .words(let placeholder, let minimum, _, _):
      if parsed.operands.count < minimum { throw UsageError("\(placeholder) is missing") }
    }
  }

  private func add(_ operand: String, to parsed: inout ParsedArguments) throws(UsageError) {
    switch operands {
    case .none: throw UsageError("unexpected argument '\(operand)': \(command) takes no operands")
    case .files: break
    case .file:
      if !parsed.operands.isEmpty {
        throw UsageError("unexpected argument '\(operand)': \(command) takes one file")
      }
    case .twoFiles:
      if parsed.operands.count >= 2 {
        throw UsageError("unexpected argument '\(operand)': \(command) takes two files")
      }
      if operand == "-", parsed.operands.contains("-") {
        throw UsageError("only one of the files can be standard input")
      }
    case .words(let placeholder, _, let maximum, let allowed):
      if parsed.operands.count >= maximum { throw UsageError("unexpected argument '\(operand)'") }
      if let allowed, !allowed.contains(operand) {
        throw UsageError(
          "'\(operand)' is not a \(placeholder)" + didYouMean(operand, among: allowed, orList: true))
      }
    }
    parsed.add(operand: operand)
  }

  private func scanLong(
    _ argument: String, _ rest: inout ArraySlice<String>, _ parsed: inout ParsedArguments
  ) throws(UsageError) {
    let body = argument.dropFirst(2)
    let equals = body.firstIndex(of: "=")
    let name = String(equals.map { body[..<$0] } ?? body)
    guard let option = options.first(where: { $0.name == name }) else {
      let meant = options.first { $0.foreignNames.contains(name) }
      let known = options.filter { !$0.isHidden }.map { "--" + $0.name }
      throw UsageError(
        "unknown option '--\(name)'"
          + (meant.map { "; did you mean '--\($0.name)'?" } ?? didYouMean("--" + name, among: known)))
    }
    guard option.value != nil else {
      if equals != nil { throw UsageError("--\(name) takes no value") }
      return try parsed.add(option, "")
    }
    if let equals {
      let value = String(body[body.index(after: equals)...])
      try parsed.add(option, checked(value, for: option, "--\(name)"))
    } else {
      try parsed.add(option, value(for: option, "--\(name)", &rest))
    }
  }

  private func scanShort(
    _ argument: String, _ rest: inout ArraySlice<String>, _ parsed: inout ParsedArguments
  ) throws(UsageError) {
    var letters = argument.dropFirst()
    // `-only` is a slip for `--only`, and not `-o nly`.
    let long = String(letters.prefix { $0 != "=" })
    if letters.count > 1, options.contains(where: { $0.name == long }) {
      throw UsageError("unknown option '-\(long)'; did you mean '--\(long)'?")
    }
    while let letter = letters.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else {
        throw UsageError("unknown option '-\(letter)'")
      }
      guard option.value != nil else {
        try parsed.add(option, "")
        continue
      }
      if letters.isEmpty {
        try parsed.add(option, value(for: option, "-\(letter)", &rest))
      } else {
        let value = letters.first == "=" ? letters.dropFirst() : letters
        try parsed.add(option, checked(String(value), for: option, "-\(letter)"))
      }
      return
    }
  }

  private func value(
    for option: Option, _ spelling: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst() else {
      throw UsageError("\(spelling) needs a value: \(spelling) \(option.placeholder ?? "")")
    }
    return try checked(value, for: option, spelling)
  }

  private func checked(_ value: String, for option: Option, _ spelling: String) throws(UsageError) -> String {
    switch option.value {
    case .number(let placeholder, let range):
      guard let number = Int(value) else {
        throw UsageError("\(spelling) needs a number for \(placeholder), not '\(value)'")
      }
      try check(number, range, spelling)
    case .numberOrWord(_, let range, let words):
      if words.contains(value) { break }
      guard let number = Int(value) else {
        throw UsageError(
          "\(spelling) needs a number or \(listed(words, "or")), not '\(value)'"
            + didYouMean(value, among: words))
      }
      try check(number, range, spelling)
    case .choice(_, let words):
      guard words.contains(value) else {
        throw UsageError(
          "\(spelling) cannot be '\(value)'" + didYouMean(value, among: words, orList: true))
      }
    case .text(let placeholder, hint: .file):
      if value.isEmpty { throw UsageError("\(spelling) needs a name for \(placeholder), not ''") }
    case .text, nil: break
    }
    return value
  }

  private func check(_ number: Int, _ range: ClosedRange<Int>, _ spelling: String) throws(UsageError) {
    guard !range.contains(number) else { return }
    throw UsageError(
      range.upperBound == .max
        ? "\(spelling) must be at least \(range.lowerBound), not \(number)"
        : "\(spelling) must be from \(range.lowerBound) to \(range.upperBound), not \(number)")
  }
}

/// `a, b or c`
package func listed(_ words: [String], _ conjunction: String) -> String {
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " " + conjunction + " " + last
}
