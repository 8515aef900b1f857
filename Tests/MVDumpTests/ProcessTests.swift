// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import MVDumpCommand
import TestSupport
import Testing

/// The built program, run as people and scripts run it.
@Suite(.enabled(if: BuiltProducts.folder != nil)) struct ProcessTests {
  @Test func exitStatusAndStreams() throws {
    let good = try shell("$MVDUMP tree --no-fields fixtures/spatial.mov")
    #expect(good.status == 0 && good.errors.isEmpty && good.output.contains("moov"))
    let no = try shell("$MVDUMP tree --path moov/zzzz fixtures/spatial.mov")
    #expect(no.status == 1 && no.errors.contains("no box at 'moov/zzzz'"))
    let missing = try shell("$MVDUMP tree nowhere.mov")
    #expect(missing.status == 2 && missing.output.isEmpty)
    #expect(missing.errors == "mvdump: nowhere.mov: no such file (ENOENT). Check the spelling of the path.\n")
    let usage = try shell("$MVDUMP tree --wrong")
    #expect(usage.status == 64 && usage.output.isEmpty && usage.errors.split(separator: "\n").count == 1)
    let batch = try shell("$MVDUMP tree --no-fields nowhere.mov fixtures/spatial.mov fixtures/hdr10.mp4")
    #expect(batch.status == 2 && batch.output.contains("fixtures/hdr10.mp4"))
    #expect(try shell("$MVDUMP --version").output == "mvdump \(MVDump.version)\n")
  }

  @Test func sameAsInThisProcess() throws {
    let outside = try shell("$MVDUMP tree --json \(spatial)")
    #expect(outside.output == mvdump("tree", "--json", spatial).output)
  }

  @Test func aClosedPipeEndsQuietly() throws {
    // More than a pipe holds, of movies without problems: what is read before the pipe closes depends on the machine.
    let movies = "fixtures/spatial.mov fixtures/hdr10.mp4 fixtures/two-views-fragmented.mp4 "
    let command = "$MVDUMP tree --rows all " + String(repeating: movies, count: 9)
    let run = try shell("(\(command); echo $? >&2) | head -n 1")
    #expect(run.output.hasPrefix("fixtures/"))
    #expect(run.errors == "0\n")
  }

  @Test func aFullDiskIsSaid() throws {
    guard try shell("test -e /dev/full").status == 0 else {
      return print("skipped: no /dev/full on this machine")
    }
    let run = try shell("$MVDUMP tree fixtures/spatial.mov > /dev/full")
    #expect(run.status == 2 && run.errors == "mvdump: standard output: no space left\n")
  }

  @Test func standardInputAsFileAndAsPipe() throws {
    let direct = try shell("$MVDUMP tree fixtures/spatial.mov").output
    #expect(try shell("$MVDUMP tree - < fixtures/spatial.mov").output == direct)
    #expect(try shell("cat fixtures/spatial.mov | $MVDUMP tree -").output == direct)
    #expect(try shell("$MVDUMP tree - < /dev/null").status == 2)
    let folder = try shell("$MVDUMP tree - < fixtures")
    #expect(folder.status == 2 && folder.errors.hasPrefix("mvdump: standard input: is a folder"))
    let closed = try shell("$MVDUMP tree - <&-")
    #expect(closed.status == 2 && closed.errors.split(separator: "\n").count == 1)
  }

  /// The file in which a pipe is kept would get the number of what is closed, and then what is written there.
  @Test(arguments: ["fixtures/two-views.hevc", "- < fixtures/two-views.hevc", "-"])
  func aClosedStandardOutputIsNoOtherFile(input: String) throws {
    // Where nobody reads the pipe its writer might have something to say.
    let pipe = input == "-" ? "cat fixtures/two-views.hevc | " : ""
    let run = try shell("\(pipe)$MVDUMP nal \(input) >&-")
    #expect(run.status == 2 && run.errors == "mvdump: standard output: is not open\n")
    let silent = try shell("\(pipe)$MVDUMP nal \(input) >&- 2>&-")
    #expect(silent.status == 2)
    let mute = try shell("\(pipe)$MVDUMP nal \(input) nowhere 2>&-")
    let whole = try shell("\(pipe)$MVDUMP nal \(input) nowhere")
    #expect(mute.status == 2 && mute.output == whole.output && !whole.output.isEmpty)
  }

  @Test func oddFiles() throws {
    let folder = try TemporaryFolder()
    let run = try shell(
      """
      cp fixtures/spatial.mov "\(folder.path)/a
      b.mov"; mkfifo \(folder.path)/pipe; cd \(folder.path)
      $MVDUMP tree --depth 1 --no-fields /dev/null pipe a*
      """, in: PackageFolder.root)
    #expect(run.status == 2)
    #expect(
      run.errors == "mvdump: /dev/null: is empty\n"
        + "mvdump: pipe: is empty\n")
    #expect(run.output.hasPrefix("a\\nb.mov\n"))
    let fed = try shell(
      "cat \(spatial) > pipe & $MVDUMP tree --depth 1 --no-fields pipe", in: folder.path)
    #expect(fed.status == 0 && fed.output.contains("moov"))
    let recursive = try shell("$MVDUMP tree --depth 1 --no-fields -r .", in: folder.path)
    #expect(recursive.status == 0 && recursive.output.hasPrefix("./a\\nb.mov\n"))
  }

  /// A name that is not UTF-8 is refused: with replacement characters in it, it is that of another file.
  @Test func namesThatAreNoText() throws {
    let folder = try TemporaryFolder()
    let movie = Fixtures.bytes("spatial.mov").array
    try folder.write("a\u{FFFD}.mov", movie)
    try folder.write("sub\u{FFFD}/inner.mov", movie)
    let read = try shell("$MVDUMP tree \"$(printf 'a\\377.mov')\"", in: folder.path)
    #expect(read.status == 2 && read.output.isEmpty)
    let words = "is not UTF-8. Rename the file, or send it through a pipe.\n"
    #expect(read.errors == "mvdump: the argument 'a\\xFF.mov' \(words)")
    // The value of an option need not be a file.
    let value = try shell("$MVDUMP tree --path \"$(printf 'a\\377')\" \(spatial)", in: folder.path)
    let other = "is not UTF-8. Give values in UTF-8; rename a file, or send it through a pipe.\n"
    #expect(value.status == 2 && value.errors == "mvdump: the argument 'a\\xFF' \(other)")
    let written = try shell(
      "$MVDUMP extract -f -l 0 -o \"$(printf 'a\\377.mov')\" \(spatial)", in: folder.path)
    #expect(written.status == 2 && written.errors == read.errors)
    #expect(contents(folder.path + "/a\u{FFFD}.mov") == movie)
    #expect(filesBelow(folder.path).count == 2)

    guard
      try shell(
        "printf x > \"$(printf 'b\\351t\\351.txt')\" && mkdir \"$(printf 'sub\\377')\"", in: folder.path
      ).status == 0
    else { return print("skipped: names on this disk are always UTF-8") }
    let found = try shell("$MVDUMP tree --depth 1 --no-fields -r . | grep 'mov$'", in: folder.path)
    #expect(found.output == "./a\u{FFFD}.mov\n./sub\u{FFFD}/inner.mov\n")
    let advice = "its name is not UTF-8. Rename it, or send it through a pipe."
    #expect(found.errors == "mvdump: ./b\\xE9t\\xE9.txt: \(advice)\nmvdump: ./sub\\xFF: \(advice)\n")
    #expect(try shell("$MVDUMP tree -r .", in: folder.path).status == 2)
    let link = try shell(
      "ln -s \"$(printf 'a\\377.mov')\" link; $MVDUMP extract -f -l 0 -o link \(spatial)", in: folder.path)
    #expect(link.status == 2 && link.errors.contains("cannot write link: its name, or one that it leads to"))
    #expect(contents(folder.path + "/a\u{FFFD}.mov") == movie)
  }

  @Test func aFileThatMayNotBeRead() throws {
    guard try shell("test \"$(id -u)\" != 0").status == 0 else {
      return print("skipped: the superuser may read everything")
    }
    let folder = try TemporaryFolder()
    try folder.write("secret.mov", [0])
    let run = try shell("chmod 0 secret.mov; $MVDUMP tree secret.mov", in: folder.path)
    #expect(run.status == 2 && run.errors.hasPrefix("mvdump: secret.mov: no permission (EACCES)."))
  }

  @Test func aTerminalGetsColour() throws {
    guard try shell("command -v script").status == 0 else {
      return print("skipped: no script(1) on this machine")
    }
    func run(_ command: String, _ environment: [String: String] = ["TERM": "xterm"]) throws -> String {
      try shell(inTerminal(command), environment: environment).output
    }
    let command = "$MVDUMP tree --no-fields fixtures/spatial.mov"
    #expect(try run(command).contains("\u{1B}[1;36mmoov\u{1B}[0m"))
    #expect(try !run(command, ["TERM": "xterm", "NO_COLOR": "1"]).contains("\u{1B}["))
    #expect(try !run(command, ["TERM": "dumb"]).contains("\u{1B}["))
    #expect(try !shell(command, environment: ["TERM": "xterm"]).output.contains("\u{1B}["))
    #expect(try run("$MVDUMP tree -").contains("is a terminal"))
  }

  /// Every command keeps data and messages apart, whatever it is given.
  @Test(arguments: ["info", "tree", "params", "nal", "samples", "layers", "eyes", "probe"])
  func dataAndMessagesAreApart(command: String) throws {
    let run = try shell("$MVDUMP \(command) fixtures/spatial.mov nothing.mov fixtures/hdr10.mp4")
    #expect(run.status == 2)
    #expect(run.errors == "mvdump: nothing.mov: no such file (ENOENT). Check the spelling of the path.\n")
    #expect(!run.output.contains("nothing.mov") && run.output.contains("fixtures/spatial.mov"))
    let quiet = try shell("$MVDUMP \(command) fixtures/spatial.mov 2>&1 >/dev/null")
    #expect(quiet.status == 0 && quiet.output.isEmpty)
  }

  @Test(arguments: ["info", "tree", "params", "nal", "samples", "layers", "eyes", "probe"])
  func everyCommandReadsAFolder(command: String) throws {
    let folder = try TemporaryFolder()
    for name in ["one.mov", "inner/two.mp4", ".hidden/three.mov"] {
      try folder.write(name, Fixtures.bytes("spatial.mov").array)
    }
    try folder.write("readme.txt", Array("text".utf8))
    let run = try shell("$MVDUMP \(command) --json-lines -r .", in: folder.path)
    #expect(run.status == 0 && run.errors.isEmpty)
    let names = run.output.split(separator: "\n").compactMap { JSONValue(String($0))?["file"]?.text }
    #expect(names == ["./inner/two.mp4", "./one.mov"])
    let refused = try shell("$MVDUMP \(command) .", in: folder.path)
    #expect(
      refused.status == 2 && refused.errors == "mvdump: .: is a folder. Add -r to read the movies in it.\n")
  }

  @Test(arguments: ["info", "params", "nal", "samples", "layers", "eyes", "probe"])
  func everyCommandReadsStandardInput(command: String) throws {
    let direct = try shell("$MVDUMP \(command) --json fixtures/spatial.mov").output
    let piped = try shell("cat fixtures/spatial.mov | $MVDUMP \(command) --json -")
    #expect(piped.status == 0 && piped.errors.isEmpty)
    guard case .object(let ours)? = JSONValue(direct), case .object(let theirs)? = JSONValue(piped.output)
    else {
      Issue.record("no documents")
      return
    }
    for (left, right) in zip(ours, theirs) where !["file", "size"].contains(left.key) {
      #expect(left.key == right.key && left.value == right.value, "\(command) \(left.key)")
    }
  }

  @Test(arguments: ["nal", "samples", "tree --rows all", "params", "info -r", "layers"])
  func everyLongAnswerMayBeCutShort(command: String) throws {
    let files = String(repeating: "fixtures/cmaf-hevc-sidx.mp4 fixtures/hdr10.mp4 ", count: 20)
    let run = try shell("($MVDUMP \(command) \(files); echo $? >&2) | head -n 1")
    #expect(!run.output.isEmpty)
    #expect(run.errors == "0\n", "\(command)")
  }

  @Test func exitStatusAnswersQuestions() throws {
    for (command, status) in [
      ("probe fixtures/spatial.mov", 0), ("probe fixtures/hdr10.mp4", 1),
      ("probe fixtures/spatial.mov fixtures/hdr10.mp4", 1), ("probe fixtures/hdr10.mp4 nothing.mov", 2),
      ("probe --is stereo fixtures/side-by-side-packed.mov", 0),
      ("probe --is round fixtures/spatial.mov", 64),
      ("explain stri", 0), ("explain nosuchthing", 1), ("nonsense", 64), ("nonsense.mov", 2), ("tere", 64),
      ("extract x.mov", 64),
      ("--version", 0), ("--help", 0), ("help nal", 0), ("help nla", 64), ("completions fish", 0),
    ] as [(String, Int32)] {
      let run = try shell("$MVDUMP \(command)")
      #expect(run.status == status, "\(command): \(run.status)")
      #expect((status > 1) == !run.errors.isEmpty || status == 1, "\(command): \(run.errors)")
      if status == 64 { #expect(run.output.isEmpty && run.errors.split(separator: "\n").count == 1) }
    }
  }

  /// An argument may have 128 KiB: none takes long, however many words it is compared with.
  @Test(arguments: ["explain", "explain x", "help", "tree --kind", "--", "", "nal --type", "tree --path"])
  func longWordsTakeNoTime(command: String) throws {
    let word = command == "--" ? "\(command)$w" : "\(command) $w"
    let run = try shell("w=$(printf '%130000s' '' | tr ' ' a); ulimit -t 10; $MVDUMP \(word)")
    #expect([1, 2, 64].contains(run.status), "\(run.status)")
  }

  @Test func linksNoFoundation() throws {
    guard try shell("command -v ldd").status == 0 else { return print("skipped: no ldd on this machine") }
    let libraries = try shell("ldd $MVDUMP").output
    #expect(!libraries.isEmpty && !libraries.contains("Foundation"))
  }
}
