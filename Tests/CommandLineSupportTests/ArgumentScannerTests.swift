// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Testing

@Suite struct NamePatternTests {
  /// A name that begins with a point has no ending there.
  @Test(arguments: [
    ("movies/a.b.mov", "a.b", "a.b.mov"), ("a", "a", "a"), (".hidden", ".hidden", ".hidden"),
    ("a/.hidden.mov", ".hidden", ".hidden.mov"), ("-", "standard-input", "standard-input"),
  ])
  func namesOfInputs(input: String, name: String, file: String) throws {
    #expect(try NamePattern("%n %f 100%%").name(for: input) == "\(name) \(file) 100%")
  }

  /// A number has at most 99 digits.
  @Test func digits() throws {
    let pattern = try NamePattern("%d-%03d", places: ["d"])
    #expect(
      pattern.name(for: "a", number: 7) == "7-007" && pattern.name(for: "a", number: 1_234) == "1234-1234")
    for name in ["%100d", "%3n", "%", "%e"] {
      #expect(throws: UsageError.self) { try NamePattern(name, places: ["d", "n"]) }
    }
  }
}

@Suite struct ArgumentScannerTests {
  static let json = Option("json", short: "j", "Write JSON")
  static let recursive = Option("recursive", short: "r", "Folders too")
  static let rows = Option("rows", short: "n", .numberOrWord("N", 0...100, words: ["all"]), "Rows")
    .called("lines")
  static let path = Option("path", short: "p", .text("PATH", hint: .nothing), "Path", isRepeatable: true)
  static let color = Option("color", .choice("WHEN", ["auto", "always", "never"]), "Colour")
  static let scanner = ArgumentScanner(
    command: "try", options: [json, recursive, rows, path, color], operands: .files)

  @Test func understandsEverySpelling() throws {
    for line in [
      ["--rows", "5", "a"], ["--rows=5", "a"], ["-n", "5", "a"], ["-n5", "a"], ["-n=5", "a"],
      ["a", "--rows", "5"],
    ] {
      let parsed = try Self.scanner.scan(line)
      #expect(parsed.number(Self.rows) == 5, "\(line)")
      #expect(parsed.operands == ["a"], "\(line)")
    }
    let combined = try Self.scanner.scan(["-rjp", "moov", "-pmoof", "--path=free", "-", "x"])
    #expect(combined.has(Self.json) && combined.has(Self.recursive))
    #expect(combined.texts(Self.path) == ["moov", "moof", "free"])
    #expect(combined.operands == ["-", "x"])
  }

  @Test func aSecondValueIsRefused() throws {
    #expect(throws: UsageError.self) { try Self.scanner.scan(["--color=never", "--color", "always", "a"]) }
    #expect(try Self.scanner.scan(["--color=never", "--color", "never", "a"]).text(Self.color) == "never")
  }

  @Test func everythingBehindTwoHyphensIsAnOperand() throws {
    let parsed = try Self.scanner.scan(["-j", "--", "--json", "-r", "--"])
    #expect(parsed.operands == ["--json", "-r", "--"])
    #expect(!parsed.has(Self.recursive))
  }

  @Test(arguments: [["-o", ""], ["-o="], ["--output="]]) func aFileHasAName(line: [String]) throws {
    let output = Option("output", short: "o", .text("FILE", hint: .file), "Where to write")
    let scanner = ArgumentScanner(command: "try", options: [output], operands: .files)
    let error = #expect(throws: UsageError.self) { try scanner.scan(line) }
    #expect(error?.message.hasSuffix(" needs a name for FILE, not ''") == true)
  }

  @Test func valuesMayBeginWithAHyphen() throws {
    #expect(try Self.scanner.scan(["--path", "-x", "a"]).text(Self.path) == "-x")
    #expect(try Self.scanner.scan(["--path=", "a"]).text(Self.path) == "")
  }

  @Test(arguments: [
    (["--jsno"], "unknown option '--jsno'; did you mean '--json'?"),
    (["--zebra"], "unknown option '--zebra'"),
    (["--rec"], "unknown option '--rec'; did you mean '--recursive'?"),
    (["-json"], "unknown option '-json'; did you mean '--json'?"),
    (["-path", "moov"], "unknown option '-path'; did you mean '--path'?"),
    (["-path=moov"], "unknown option '-path'; did you mean '--path'?"),
    (["-x"], "unknown option '-x'"),
    (["--lines", "4"], "unknown option '--lines'; did you mean '--rows'?"),
    (["--json=1"], "--json takes no value"),
    (["--rows"], "--rows needs a value: --rows N"),
    (["-n"], "-n needs a value: -n N"),
    (["--rows", "ten"], "--rows needs a number or all, not 'ten'"),
    (["--rows", "al"], "--rows needs a number or all, not 'al'; did you mean 'all'?"),
    (["--rows", "101"], "--rows must be from 0 to 100, not 101"),
    (["--rows=-1"], "--rows must be from 0 to 100, not -1"),
    (["--rows", "99999999999999999999"], "--rows needs a number or all, not '99999999999999999999'"),
    (["--color", "alwyas"], "--color cannot be 'alwyas'; did you mean 'always'?"),
    (["--color="], "--color cannot be '': it must be auto, always or never"),
  ])
  func saysWhatIsWrong(line: [String], message: String) {
    #expect(throws: UsageError(message)) { try Self.scanner.scan(line) }
  }

  @Test func checksOperands() throws {
    let none = ArgumentScanner(command: "try", options: [], operands: .none)
    #expect(throws: UsageError("unexpected argument 'a': try takes no operands")) { try none.scan(["a"]) }
    let files = try Self.scanner.scan([])
    #expect(throws: UsageError("no file given; - is standard input")) {
      try Self.scanner.checkOperands(files)
    }
    let shells = ArgumentScanner(
      command: "try", options: [],
      operands: .words("SHELL", minimum: 1, maximum: 1, allowed: ["bash", "fish"]))
    #expect(throws: UsageError("'fihs' is not a SHELL; did you mean 'fish'?")) { try shells.scan(["fihs"]) }
    #expect(throws: UsageError("unexpected argument 'fish'")) { try shells.scan(["bash", "fish"]) }
  }

  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("tree", "tree", 0), ("tree", "tere", 1), ("tree", "trees", 1),
    ("tree", "free", 1),
    ("kitten", "sitting", 3), ("ca", "abc", 3), ("params", "parmas", 1),
  ])
  func countsChanges(left: String, right: String, distance: Int) {
    #expect(editDistance(left, right) == distance)
    #expect(editDistance(right, left) == distance)
  }

  @Test func suggestsTheNearestFirst() {
    #expect(nearest("tre", among: ["free", "tree", "explain"]) == ["tree"])
    #expect(nearest("xpl", among: ["tree", "explain"]).isEmpty)
    #expect(nearest("EXPLAIN", among: ["explain"]) == ["explain"])
    let long = String(repeating: "a", count: 64)
    #expect(nearest(long, among: [long + "b", "b"]) == [long + "b"])
    #expect(nearest(long + "a", among: [long + "b"]).isEmpty)
  }
}

@Suite struct OptionHelpTests {
  /// Words that are allowed are in the help, once.
  @Test func allowedWordsAreNamed() {
    func help(_ text: String, _ words: [String]) -> String {
      Option("try", .choice("WORD", words), text).fullHelp
    }
    #expect(help("The eye", ["left", "right"]) == "The eye: left or right")
    #expect(help("The order", ["ctts1", "ctts0", "edit"]) == "The order: ctts1, ctts0 or edit")
    #expect(
      help("The eye; left by default", ["left", "right"]) == "The eye; left by default (left or right)")
    // "no" is not named by "not".
    #expect(help("Not now", ["no", "yes"]) == "Not now: no or yes")
    #expect(help("yuv420p or yuv420p10", ["yuv420p", "yuv420p10"]) == "yuv420p or yuv420p10")
    #expect(Option("flag", "A flag").fullHelp == "A flag")
  }
}
