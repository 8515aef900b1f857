// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import Foundation
import MVDumpCommand
import TestSupport
import Testing

@testable import FileAccess

/// Inputs that are not movies, damaged, or change while they are read: one clear line each, the right exit status, and the
/// rest of the batch is done.
@Suite(.enabled(if: BuiltProducts.folder != nil)) struct BadInputTests {
  static let commands = ["info", "tree", "params", "nal", "samples", "layers", "eyes", "probe"]

  /// The file is good, and has nothing of what was asked for: 2, as for a track that it does not have.
  @Test(arguments: [
    "samples -s 100-", "nal -s 4", "nal -l 5", "pictures -s 7-9", "pictures -l 3", "nal --type AUD_NUT",
    "samples --track 9",
  ]) func whatTheFileDoesNotHaveIsSaid(command: String) throws {
    let run = try shell("$MVDUMP \(command) \(spatial)")
    #expect(run.status == 2 && run.errors.contains("has no "), "\(command): \(run.errors)")
  }

  /// The list of topics is for people: nothing that is not JSON goes to standard output.
  @Test func jsonNeedsATopic() throws {
    let run = try shell("$MVDUMP explain --json")
    #expect(run.status == 64 && run.output.isEmpty && run.errors.contains("needs a topic"))
  }

  /// Runs a command over bad inputs with good ones around them.
  @Test(arguments: commands) func theRestOfTheBatchIsDone(command: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("notes.txt", Array("to do: buy a tripod\n".utf8))
    try folder.write("photo.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46])
    try folder.write("two\nlines.mov", Array("not a movie".utf8))
    let run = try shell(
      """
      mkdir folder; mkfifo pipe; printf '' > pipe &
      $MVDUMP \(command) --json-lines \(spatial) folder /dev/null notes.txt photo.jpg 'two
      lines.mov' nothing.mov pipe \(spatial)
      """, in: folder.path)
    #expect(run.status == 2, "\(command)")
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "mvdump: folder: is a folder. Add -r to read the movies in it.",
        "mvdump: /dev/null: is empty",
        "mvdump: notes.txt: is text, not an MP4 or QuickTime movie or an HEVC stream",
        "mvdump: photo.jpg: is a JPEG picture, not an MP4 or QuickTime movie or an HEVC stream",
        "mvdump: two\\nlines.mov: is text, not an MP4 or QuickTime movie or an HEVC stream",
        "mvdump: nothing.mov: no such file (ENOENT). Check the spelling of the path.",
        "mvdump: pipe: is empty",
      ], "\(command)")
    let documents = run.output.split(separator: "\n").compactMap { JSONValue(String($0)) }
    #expect(documents.count == 2, "\(command)")
    #expect(documents.allSatisfy { $0["file"]?.text == spatial }, "\(command)")
  }

  /// Advice names only options that the command has.
  @Test func aFolderForACommandThatReadsOneFile() throws {
    for command in ["diff \(spatial)", "extract --layer 0 -o out.hevc"] {
      let folder = try TemporaryFolder()
      let run = try shell("mkdir folder; $MVDUMP \(command) folder", in: folder.path)
      #expect(run.status == 2, "\(command)")
      #expect(run.errors == "mvdump: folder: is a folder. Name a file in it.\n", "\(command)")
    }
  }

  @Test func aFileWithoutPermission() throws {
    guard try shell("test \"$(id -u)\" != 0").status == 0 else {
      return print("skipped: the superuser may read everything")
    }
    let folder = try TemporaryFolder()
    try folder.write("secret.mov", Fixtures.bytes("spatial.mov").array)
    let run = try shell("chmod 0 secret.mov; $MVDUMP secret.mov \(spatial)", in: folder.path)
    #expect(run.status == 2 && run.output.contains("spatial video"))
    #expect(run.errors.hasPrefix("mvdump: secret.mov: no permission (EACCES)."))
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  /// The media is at the end of this movie: what describes it is there, half of the samples are not.
  @Test(arguments: commands + ["extract"]) func aMovieCutInHalf(command: String) throws {
    let folder = try TemporaryFolder()
    let whole = Fixtures.bytes("spatial.mov")
    let half = try folder.write("half.mov", whole.prefix(whole.count / 2).array)
    let options = command == "extract" ? ["--layer", "0", "-o", "-"] : []
    let run = mvdump([command] + options + [half])
    #expect(!run.output.isEmpty, "\(command)")
    switch command {
    case "nal", "layers", "samples", "params":
      // These need the samples themselves: those of layers count the bytes of each.
      #expect(run.code == .unreadable, "\(command)")
      #expect(run.errorLines.count == 1, "\(run.errors)")
    case "info":
      #expect(
        run.code == .success && run.output.contains("error  mdat at 1278: 'mdat' specifies 8768 bytes"))
    case "tree":
      #expect(run.code == .success && run.errorLines.count == 1)
    case "extract":
      #expect(run.code == .no && run.errorLines.count == 1)
    default:
      // What is asked for is in the part that is there.
      #expect(run.code == .success && run.errors.isEmpty, "\(command)")
    }
    if let document = mvdump([command, "--json", half]).json, let schema = JSONSchema(named: command) {
      #expect(schema.problems(document) == [], "\(command)")
    }
  }

  /// A movie without its beginning, and one that ends within the description.
  @Test(arguments: commands) func aMovieWithoutItsDescription(command: String) throws {
    let folder = try TemporaryFolder()
    let whole = Fixtures.bytes("spatial.mov")
    let path = try folder.write("start.mov", whole.prefix(400).array)
    let run = mvdump(command, path)
    #expect(run.code == .success || run.code == .unreadable || run.code == .no, "\(command)")
    #expect(run.errorLines.count <= 1, "\(command): \(run.errors)")
    #expect(!run.output.isEmpty || !run.errors.isEmpty, "\(command)")
  }

  /// The reader takes one line, then the file loses its end, then the reader takes the rest: the pipe between is too small
  /// for all rows, so the tool is still reading when the file shrinks.
  @Test func aFileThatShrinksWhileItIsRead() throws {
    let folder = try TemporaryFolder()
    let stream = Fixtures.bytes("two-views.hevc").array
    var long: [UInt8] = []
    for _ in 0..<400 { long += stream }
    try folder.write("long.hevc", long)
    let run = try shell(
      """
      mkfifo rows
      { $MVDUMP nal long.hevc \(spatial); echo $? > status; } > rows &
      exec 3< rows
      read -r line <&3
      dd if=/dev/null of=long.hevc bs=500000 seek=1 count=0 2>/dev/null  # shortens in one go
      tail -n 1 <&3
      wait; cat status
      """, in: folder.path)
    #expect(run.output.hasSuffix("\n2\n"))
    // At its end, or at the next piece where the tool had come less far.
    let start = "mvdump: long.hevc: has become shorter while it was read at "
    #expect(run.errors.hasPrefix(start))
    #expect(Int(run.errors.dropFirst(start.count).prefix { $0.isNumber }) ?? 0 >= 500_000)
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test func aFileThatGrowsWhileItIsRead() throws {
    let folder = try TemporaryFolder()
    let stream = Fixtures.bytes("two-views.hevc").array
    var long: [UInt8] = []
    for _ in 0..<200 { long += stream }
    try folder.write("long.hevc", long)
    try folder.write("more.hevc", stream)
    let run = try shell(
      """
      mkfifo rows
      { $MVDUMP nal long.hevc \(spatial); echo $? > status; } > rows &
      exec 3< rows
      read -r line <&3
      cat more.hevc >> long.hevc
      tail -n 1 <&3
      wait; cat status
      """, in: folder.path)
    #expect(run.output.hasSuffix("\n0\n") && run.errors.isEmpty)
  }

  /// A movie's samples are where its tables say, whatever follows them.
  @Test func aMovieWithMoreBehindIt() throws {
    let folder = try TemporaryFolder()
    let movie = Fixtures.bytes("spatial.mov").array
    let path = try folder.write("more.mov", movie + [0, 0, 0, 0, 1, 2])
    let run = mvdump("nal", path), plain = mvdump("nal", spatial)
    #expect(run.code == .success && run.output == plain.output)
  }
}

/// A disk that fails from a place on: whatever the bytes before seem to be, that is no answer.
@Suite struct DiskFaultTests {
  private let folder: TemporaryFolder
  private let movie: String

  init() throws {
    folder = try TemporaryFolder()
    let bytes = Fixtures.bytes("spatial.mov").array
    let start = Int(bytes[3])
    // The movie box is behind what is read first.
    let free = [0, 3, 0, 0] + Array("free".utf8) + [UInt8](repeating: 0, count: 0x30000 - 8)
    movie = try folder.write("movie.mov", bytes[..<start] + free + bytes[start...])
  }

  /// Runs the tool with a file as standard input that cannot be read from an offset on.
  private func run(_ arguments: [String], _ path: String, failingFrom offset: UInt64) -> ToolRun {
    let output = OutputChannel(), errors = OutputChannel()
    let surroundings = Surroundings(
      output: output, errors: errors, environment: { _ in nil },
      openStandardInput: { _ throws(SourceError) in
        var calls = SystemCalls.standard
        let read = unsafe calls.readAt
        unsafe calls.readAt = { descriptor, buffer, place in
          guard place < offset else { return -Int(EIO) }
          return unsafe read(descriptor, .init(rebasing: buffer.prefix(Int(offset - place))), place)
        }
        return try FileBytes(descriptor: unsafe open(path, O_RDONLY), path: path, owned: true, calls: calls)
      })
    let code = MVDump.run(arguments, in: surroundings)
    return ToolRun(code: code, output: output.buffer.text, errors: errors.buffer.text)
  }

  @Test(arguments: [
    "probe", "eyes", "samples", "layers", "nal", "params", "pictures", "verify", "probe --is stereo",
    "probe --only multiview", "samples --json", "render -o out.png", "extract -l 0 -o out.hevc",
    "diff \(spatial)", "info", "tree", "check", "tree --path moov", "tree --unknown", "check --json",
    "info --json",
  ]) func whatCannotBeReadIsNotMissing(command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let run = run(words + ["-"], movie, failingFrom: 0x28000)
    #expect(run.code == .unreadable)
    let last = try #require(run.errorLines.last)
    #expect(
      last.hasPrefix("mvdump: standard input: the disk or its connection failed (EIO) at "), "\(run.errors)")
    // Boxes are shown as far as they could be read.
    #expect(run.output.isEmpty || words[0] == "tree" || command == "samples --json", "\(run.output)")
    #expect(!run.output.contains("moov"))
    #expect(run.errorLines.count == 1, "\(run.errors)")
  }

  @Test(arguments: ["probe", "eyes", "layers", "info", "check"])
  func norIsTheRestOfAStream(command: String) throws {
    let run = run([command, "-"], Fixtures.path("two-views.hevc"), failingFrom: 5_000)
    #expect(run.code == .unreadable)
    #expect(run.errors.contains("standard input: the disk or its connection failed (EIO)"), "\(run.errors)")
    if ["probe", "check"].contains(command) { #expect(run.output.isEmpty) }
  }
}
