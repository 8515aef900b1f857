// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import MVDumpCommand
import TestSupport
import Testing

/// Inputs that are not movies, damaged, or change while they are read: one clear line each, the right exit status, and the
/// rest of the batch is done.
@Suite(.enabled(if: BuiltProducts.folder != nil)) struct BadInputTests {
  static let commands = ["info", "tree", "params", "nal", "samples", "layers", "eyes", "probe"]

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
        "mvdump: /dev/null: is empty, so there is no movie in it",
        "mvdump: notes.txt: is text, not an MP4 or QuickTime movie or an HEVC stream",
        "mvdump: photo.jpg: is a JPEG picture, not an MP4 or QuickTime movie or an HEVC stream",
        "mvdump: two\\nlines.mov: is text, not an MP4 or QuickTime movie or an HEVC stream",
        "mvdump: nothing.mov: no such file (ENOENT). Check the spelling of the path.",
        "mvdump: pipe: is empty, so there is no movie in it",
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
