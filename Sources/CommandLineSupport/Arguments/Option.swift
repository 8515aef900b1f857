// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// One option of a command. Parsing, help, completions and the man page all come from this declaration.
package struct Option: Sendable {
  /// What follows an option.
  package enum Value: Sendable {
    /// A whole number in a range.
    case number(_ placeholder: String, ClosedRange<Int>)
    /// A whole number in a range, or one of the words.
    case numberOrWord(_ placeholder: String, ClosedRange<Int>, words: [String])
    /// One of the words.
    case choice(_ placeholder: String, [String])
    /// Any text; `hint` is what completions offer.
    case text(_ placeholder: String, hint: Hint)
  }

  /// What completions offer for a text.
  package enum Hint: Sendable {
    case nothing, file
    /// Words that are usual, among others.
    case words([String])
  }

  /// The name, without the hyphens.
  package var name: String
  /// The letter, without the hyphen.
  package var short: Character?
  /// What follows; `nil` is a flag.
  package var value: Value?
  /// What it does, in one sentence without a full stop.
  package var help: String
  /// Whether it may be given several times.
  package var isRepeatable: Bool
  /// Left out of help and completions.
  package var isHidden: Bool
  /// Whether the last of several values counts: an alias may have one already.
  package var isReplaceable = false
  /// Whether a command line with it needs no operand.
  package var standsAlone = false
  /// What the option is called in other tools. These names are not accepted, but the message names the option.
  package var foreignNames: [String] = []

  /// An option that takes a value.
  package init(
    _ name: String, short: Character? = nil, _ value: Value, _ help: String, isRepeatable: Bool = false,
    isHidden: Bool = false
  ) {
    self.init(name, short: short, value: value, help, isRepeatable: isRepeatable, isHidden: isHidden)
  }

  /// A flag.
  package init(_ name: String, short: Character? = nil, _ help: String, isHidden: Bool = false) {
    self.init(name, short: short, value: nil, help, isRepeatable: false, isHidden: isHidden)
  }

  private init(
    _ name: String, short: Character?, value: Value?, _ help: String, isRepeatable: Bool, isHidden: Bool
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.help = help
    self.isRepeatable = isRepeatable
    self.isHidden = isHidden
  }

  /// The same option, for command lines without operands.
  package func standingAlone() -> Option {
    var copy = self
    copy.standsAlone = true
    return copy
  }

  /// The same option, of which the last value counts if it is given several times.
  package func replaceable() -> Option {
    var copy = self
    copy.isReplaceable = true
    return copy
  }

  /// The same option, with its names in other tools.
  package func called(_ names: String...) -> Option {
    var copy = self
    copy.foreignNames = names
    return copy
  }

  /// The name of the value in help.
  package var placeholder: String? {
    switch value {
    case .number(let name, _), .numberOrWord(let name, _, _), .choice(let name, _), .text(let name, _): name
    case nil: nil
    }
  }

  /// The words that completions offer.
  package var words: [String] {
    switch value {
    case .choice(_, let words), .numberOrWord(_, _, let words), .text(_, .words(let words)): words
    default: []
    }
  }

  /// What it does, and the words that it takes if they are few and not named already.
  package var fullHelp: String {
    guard case .choice(_, let words) = value else { return help }
    let named = Set(help.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
    guard !words.isEmpty, !named.isSuperset(of: words) else { return help }
    let list = listed(words, "or")
    return help.contains(where: { ";:".contains($0) }) ? help + " (\(list))" : help + ": " + list
  }

  /// `-p, --path PATH`
  package var usage: String {
    var text = short.map { "-\($0), " } ?? "    "
    text += "--" + name
    if let placeholder { text += " " + placeholder }
    return text
  }
}

/// What a command line has besides options.
package enum Operands: Sendable {
  /// Nothing.
  case none
  /// One file, or `-` for standard input.
  case file
  /// Files, folders, and `-` for standard input: at least one.
  case files
  /// Exactly two files, by what they are to each other; `-` for standard input may be one of them.
  case twoFiles(_ first: String, _ second: String)
  /// Words: `completing` are those that completions offer, `allowed` those that are accepted; `nil` is any.
  case words(_ placeholder: String, minimum: Int, maximum: Int, allowed: [String]?)

  /// How it is in a usage line.
  package var usage: String {
    switch self {
    case .none: ""
    case .file: " FILE"
    case .files: " FILE…"
    case .twoFiles(let first, let second): " \(first) \(second)"
    case .words(let placeholder, let minimum, let maximum, _):
      " " + (minimum == 0 ? "[\(placeholder)]" : placeholder) + (maximum > 1 ? "…" : "")
    }
  }
}
