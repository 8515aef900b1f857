// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import Foundation
import TestSupport
import Testing

@testable import MVDumpCommand

@Suite struct ConductTests {
  @Test func tellsItsVersion() {
    let run = mvdump("--version")
    #expect(run.code == .success && run.output == "mvdump \(MVDump.version)\n" && run.errors.isEmpty)
  }

  @Test func withoutFilesItSaysWhatToDo() {
    let run = mvdump()
    #expect(run.code == .usage && run.output.isEmpty)
    #expect(run.errors == "mvdump: no file given. Try: mvdump FILE, or mvdump --help\n")
  }

  @Test(arguments: [["--help"], ["-h"], ["help"]])
  func helpNamesEveryCommand(arguments: [String]) {
    let run = mvdump(arguments)
    #expect(run.code == .success && run.errors.isEmpty)
    for command in CommandList.all { #expect(run.output.contains("  " + command.name + " ")) }
    #expect(run.output.contains("Examples:"))
  }

  @Test(arguments: CommandList.all.map { $0.name })
  func everyCommandHasHelpWithExamples(name: String) throws {
    let command = try #require(CommandList.named(name))
    let run = mvdump(name, "--help")
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(mvdump("help", name).output == run.output)
    #expect(!command.examples.isEmpty)
    for example in command.examples { #expect(run.output.contains(example.line)) }
    for option in command.allOptions where !option.isHidden {
      #expect(run.output.contains("--" + option.name), "\(option.name)")
    }
    #expect(run.lines.allSatisfy { $0.count <= 100 })
    #expect(!command.summary.hasSuffix("."))
    let options = command.allOptions
    #expect(Set(options.map(\.name)).count == options.count, "a name stands for two options")
    let letters = options.compactMap(\.short)
    #expect(Set(letters).count == letters.count, "a letter stands for two options")
  }

  @Test(arguments: CommandList.all.map { $0.name })
  func everyExampleIsUnderstood(name: String) throws {
    let command = try #require(CommandList.named(name))
    for example in command.examples where example.line.hasPrefix("mvdump ") && !example.line.contains("|") {
      let words = splitWords(example.line.prefix { $0 != ">" })
      #expect(words[1] == name)
      let scanner = ArgumentScanner(command: name, options: command.allOptions, operands: command.operands)
      let parsed = try scanner.scan(Array(words.dropFirst(2)))
      try scanner.checkOperands(parsed)
    }
  }

  @Test(arguments: [
    (["tere", "x.mov"], "mvdump: no command or file 'tere'; did you mean 'mvdump tree'?"),
    (["help", "tre"], "mvdump: unknown command 'tre'; did you mean 'tree'?"),
    (["tree"], "mvdump: tree: no file given; - is standard input (see: mvdump tree --help)"),
    (
      ["tree", "--jsno", "x"],
      "mvdump: tree: unknown option '--jsno'; did you mean '--json'? (see: mvdump tree --help)"
    ),
    (
      ["--jsno", "x"],
      "mvdump: info: unknown option '--jsno'; did you mean '--json'? (see: mvdump info --help)"
    ),
    (
      ["tree", "--path", "moov/", "--depth", "0", "x"],
      "mvdump: tree: --depth must be at least 1, not 0 (see: mvdump tree --help)"
    ),
    (
      ["tree", "--path", "longtype", "x"],
      "mvdump: tree: 'longtype' is not a path: its steps are four-character types, * or **, separated by / "
        + "(see: mvdump tree --help)"
    ),
    (
      ["samples", "--csv", "--json", "x"],
      "mvdump: samples: --csv and --json cannot be used together (see: mvdump samples --help)"
    ),
    (
      ["completions", "bsh"],
      "mvdump: completions: 'bsh' is not a SHELL; did you mean 'bash' or 'zsh'? "
        + "(see: mvdump completions --help)"
    ),
    (
      ["tree", "--a\u{1B}[31m\n", "x"],
      "mvdump: tree: unknown option '--a\\u{1b}[31m\\n' (see: mvdump tree --help)"
    ),
  ])
  func wrongUsageIsOneLine(arguments: [String], message: String) {
    let run = mvdump(arguments)
    #expect(run.code == .usage)
    #expect(run.output.isEmpty)
    #expect(run.errors == message + "\n")
  }

  @Test func adviceNamesCommands() {
    let run = mvdump("nal", "-t", "2", Fixtures.path("edit-list-trim.mp4"))
    #expect(run.errors.contains("can be listed (mvdump samples)."), "\(run.errors)")
  }

  @Test func noSamplesAreNoRange() {
    let run = mvdump("samples", "--samples", "", spatial)
    #expect(run.code == .usage && run.errors.contains("'' is not a range of samples"), "\(run.errors)")
  }

  @Test func aFileAloneIsShown() {
    #expect(mvdump(spatial).output == mvdump(CommandList.standard.name, spatial).output)
  }

  @Test func standardInputIsAFile() {
    let run = mvdump("tree", "--no-fields", "-", input: Fixtures.bytes("spatial.mov"))
    #expect(run.code == .success && run.output == mvdump("tree", "--no-fields", spatial).output)
    #expect(mvdump("tree", "-").errors == "mvdump: standard input: is empty\n")
  }

  @Test func aBadFileDoesNotStopTheRest() throws {
    let folder = try TemporaryFolder()
    let text = try folder.write("notes.txt", Array("to do: buy a tripod\n".utf8))
    let jpeg = try folder.write("photo.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46])
    let empty = try folder.write("empty.mov", [])
    let zeros = try folder.write("zeros.mp4", [UInt8](repeating: 0, count: 5000))
    let stream = Fixtures.path("two-views.hevc")
    let pictures = try folder.write("sbs.y4m", Array("YUV4MPEG2 W64 H32 F30:1\nFRAME\n".utf8))
    let planes = try folder.write("sbs.yuv", (0..<3_000).map { UInt8(40 + $0 % 160) })
    let run = mvdump(
      "tree", "--no-fields", "--depth", "1", text, jpeg, empty, zeros, folder.path, folder.path + "/none.mov",
      stream, pictures, planes, spatial)
    #expect(run.code == .unreadable)
    #expect(
      run.errorLines == [
        "mvdump: \(text): is text, not an MP4 or QuickTime movie or an HEVC stream",
        "mvdump: \(jpeg): is a JPEG picture, not an MP4 or QuickTime movie or an HEVC stream",
        "mvdump: \(empty): is empty",
        "mvdump: \(zeros): is neither a movie nor an HEVC stream",
        "mvdump: \(folder.path): is a folder. Add -r to read the movies in it.",
        "mvdump: \(folder.path)/none.mov: no such file (ENOENT). Check the spelling of the path.",
        "mvdump: \(stream): is a raw HEVC stream: it has no boxes. Try mvdump nal or mvdump params.",
        "mvdump: \(pictures): is a Y4M stream, not an MP4 or QuickTime movie or an HEVC stream. "
          + "Try mvedit encode, which makes a movie of pictures.",
        "mvdump: \(planes): is neither a movie nor an HEVC stream",
      ])
    #expect(run.lines.first == spatial && run.output.contains("moov"))
  }

  @Test func namesCannotDisturbTheTerminal() throws {
    let folder = try TemporaryFolder()
    let name = "two\nlines\u{1B}[2J.mov"
    try folder.write(name, Array("text".utf8))
    let run = mvdump("tree", folder.path + "/" + name)
    #expect(
      run.errors == "mvdump: \(folder.path)/two\\nlines\\u{1b}[2J.mov: "
        + "is text, not an MP4 or QuickTime movie or an HEVC stream\n")
    try folder.write(name, Fixtures.bytes("spatial.mov").array)
    let good = mvdump("tree", "--depth", "1", folder.path + "/" + name, spatial)
    #expect(good.code == .success && good.lines[0].hasSuffix("/two\\nlines\\u{1b}[2J.mov"))
    let json = mvdump("tree", "--json", folder.path + "/" + name)
    #expect(json.json?["file"]?.text?.hasSuffix(name) == true)
  }

  /// What combines with a comma or a quotation mark does not hide it from a reader of CSV.
  @Test(arguments: [
    ("plain", "plain"), ("a,b", "\"a,b\""), ("a,\u{301}b", "\"a,\u{301}b\""),
    ("a\"b", "\"a\"\"b\""), ("a\"\u{301}b", "\"a\"\"\u{301}b\""), ("\u{301}a", "\u{301}a"),
    ("a\n\u{301}\"\u{301}", "\"a\n\u{301}\"\"\u{301}\""),
  ])
  func namesInCSVAreQuoted(name: String, quoted: String) {
    #expect(csvField(name).utf8.elementsEqual(quoted.utf8), "\(csvField(name))")
  }

  @Test func foldersAreReadInOrder() throws {
    let folder = try TemporaryFolder()
    let movie = Fixtures.bytes("spatial.mov").array
    for name in ["b.mov", "a/z.mp4", "a/y.MOV", "c.dat", ".hidden.mov", "a/.git/x.mov"] {
      try folder.write(name, movie)
    }
    try folder.write("readme.txt", Array("text".utf8))
    try folder.write("photo.jpg", [0xFF, 0xD8, 0xFF, 0xE0])
    try folder.write("stream.hevc", Fixtures.bytes("two-views.hevc").array)
    try folder.write("broken.mov", Array("this is not a movie".utf8))
    let run = mvdump("tree", "--json-lines", "--depth", "1", "-r", folder.path)
    #expect(run.code == .unreadable)
    #expect(
      run.errors
        == "mvdump: \(folder.path)/broken.mov: is text, not an MP4 or QuickTime movie or an HEVC stream\n")
    let names = run.lines.compactMap { JSONValue($0)?["file"]?.text?.dropFirst(folder.path.count + 1) }
    #expect(names == ["a/y.MOV", "a/z.mp4", "b.mov", "c.dat"])
  }

  /// Several movies are read at a time: what is said of them comes in the order of their names.
  @Test func aLinkToNothingIsAFaultIfItsNameIsThatOfAMovie() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.mov", Fixtures.bytes("spatial.mov").array)
    for (name, target) in [("gone.mov", "nothing.mov"), ("gone.txt", "nothing"), ("there.mov", "a.mov")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + name, withDestinationPath: target)
    }
    let run = mvdump("probe", "-r", folder.path)
    #expect(run.code == .unreadable && run.lines.count == 2)
    #expect(
      run.errors
        == "mvdump: \(folder.path)/gone.mov: is a link, and what it leads to is gone or may not be read\n")
  }

  @Test(arguments: ["probe", "check"]) func manyMoviesAreReportedInOrder(command: String) throws {
    let folder = try TemporaryFolder()
    let movies = ["spatial.mov", "alpha-layer.mp4", "side-by-side-packed.mov"].map {
      Fixtures.bytes($0).array
    }
    var names: [String] = []
    for index in 0..<60 {
      let name = (index < 10 ? "0" : "") + "\(index).mov"
      let isBroken = index == 7 || index == 41
      if !isBroken { names.append(name) }
      try folder.write(name, isBroken ? Array("text".utf8) : movies[index % movies.count])
    }
    let run = mvdump(command, "--json-lines", "-r", folder.path)
    #expect(run.code == .unreadable)
    let reported = run.lines.compactMap { JSONValue($0)?["file"]?.text?.dropFirst(folder.path.count + 1) }
    #expect(reported.map(String.init) == names)
    #expect(
      run.errorLines.map { $0.split(separator: ":")[1].suffix(6) } == ["07.mov", "41.mov"], "\(run.errors)")
    for (line, name) in zip(run.lines, names) {
      let alone = mvdump(command, "--json-lines", folder.path + "/" + name)
      #expect(alone.lines == [line])
    }
  }

  @Test func aFolderWithoutMoviesIsNamed() throws {
    let folder = try TemporaryFolder()
    try folder.write("notes/readme.txt", Array("text".utf8))
    let run = mvdump("probe", "-r", folder.path)
    #expect(run.code == .success && run.output.isEmpty)
    #expect(run.errors == "mvdump: \(folder.path): contains nothing that this command reads\n")
    #expect(mvdump("probe", "-r", Fixtures.folder).errors.contains("contains nothing") == false)
  }

  @Test func aWordThatIsNothingLeadsToHelp() {
    let run = mvdump("nosuch")
    #expect(run.code == .usage && run.output.isEmpty)
    #expect(run.errors == "mvdump: no command or file 'nosuch'; mvdump --help lists the commands\n")
    #expect(mvdump("help", "help").output == mvdump("--help").output)
  }

  @Test func colourIsForTerminals() {
    let plain = mvdump("tree", spatial).output
    #expect(!plain.contains("\u{1B}"))
    #expect(mvdump("tree", spatial, columns: 100).output.contains("\u{1B}[1;36mmoov\u{1B}[0m"))
    #expect(mvdump("tree", "--color=always", spatial).output.contains("\u{1B}["))
    for (arguments, environment) in [
      (["--color", "never"], [:]), ([], ["NO_COLOR": "1"]), ([], ["TERM": "dumb"]),
    ] {
      let run = mvdump(["tree", spatial] + arguments, columns: 100, environment: environment)
      #expect(run.output == plain, "\(arguments) \(environment)")
    }
    #expect(mvdump("tree", spatial, columns: 100, environment: ["NO_COLOR": ""]).output.contains("\u{1B}["))
    let forced = mvdump("tree", "--color=always", spatial, environment: ["NO_COLOR": "1"])
    #expect(forced.output.contains("\u{1B}["))
  }

  @Test func colourChangesNothingElse() {
    var text = mvdump("tree", "--color=always", spatial).output
    while let start = text.range(of: "\u{1B}["), let end = text[start.lowerBound...].firstIndex(of: "m") {
      text.removeSubrange(start.lowerBound...end)
    }
    #expect(text == mvdump("tree", spatial).output)
  }
}
