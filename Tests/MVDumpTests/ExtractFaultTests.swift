// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import MVDumpCommand
import TestSupport
import Testing

/// `extract` is the command that writes: never over something unasked, and nothing half done under the name that was asked for.
@Suite(.enabled(if: BuiltProducts.folder != nil)) struct ExtractFaultTests {
  private func names(_ folder: TemporaryFolder) -> [String] { filesBelow(folder.path) }

  @Test func aFileThatIsThereStays() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("out.hevc", "mine".utf8)
    let refused = try shell("$MVDUMP extract -l 0 -o \(path) \(spatial)")
    #expect(refused.status == 2 && refused.output.isEmpty)
    #expect(refused.errors.contains("cannot write \(path): already exists (EEXIST)"))
    #expect(contents(path) == Array("mine".utf8))
    let forced = try shell("$MVDUMP extract -f -l 0 -o \(path) \(spatial)")
    #expect(forced.status == 0 && contents(path)?.count ?? 0 > 1_000)
    #expect(names(folder) == ["out.hevc"])
  }

  /// A picture of both eyes cannot be divided without decoding, and one view has no eye of its own.
  @Test func whatAnEyeCannotBeExtractedFromIsSaid() throws {
    let packed = try shell(
      "$MVDUMP extract --eye left -o - \(Fixtures.path("side-by-side-packed.mov")) | wc -c")
    #expect(packed.status == 0 && packed.errors.contains("each picture holds both eyes"), "\(packed.errors)")
    let flat = try shell("$MVDUMP extract --eye left -o - \(Fixtures.path("hdr10.mp4"))")
    #expect(flat.status == 2 && flat.output.isEmpty)
    #expect(flat.errors.contains("there is only one view: name its layer, 0, instead"), "\(flat.errors)")
  }

  /// Not even with --force, by another name, or where the shell has opened it.
  @Test func theMovieIsNotReplacedByAPartOfIt() throws {
    let folder = try TemporaryFolder()
    let bytes = Fixtures.bytes("spatial.mov").array
    try folder.write("movie.mov", bytes)
    for output in [
      "-f -o movie.mov", "-f -o hard.mov", "-f -o soft.mov", "-o - 1<>movie.mov", "-o - >>movie.mov",
    ] {
      let run = try shell(
        "ln -f movie.mov hard.mov; ln -sf movie.mov soft.mov; $MVDUMP extract -l 0 movie.mov \(output)",
        in: folder.path)
      #expect(
        run.status == 2 && run.errors.contains("is the same file as the input movie.mov"), "\(run.errors)")
      #expect(contents(folder.path + "/movie.mov") == bytes, "\(output)")
    }
  }

  @Test func aFolderThatIsNotThereIsNamed() throws {
    let folder = try TemporaryFolder()
    let run = try shell("$MVDUMP extract -l 0 -o gone/out.hevc \(spatial)", in: folder.path)
    #expect(run.status == 2)
    #expect(run.errors.contains("cannot write gone/out.hevc: the folder does not exist. Create it first."))
  }

  @Test func aLinkThatLeadsNowhereIsThereToo() throws {
    let folder = try TemporaryFolder()
    let run = try shell("ln -s gone link; $MVDUMP extract -l 0 -o link \(spatial)", in: folder.path)
    #expect(run.status == 2 && names(folder).isEmpty)
  }

  /// With --force the file that a link leads to is replaced, wherever it is, and the link stays one.
  @Test func aLinkStaysALink() throws {
    let folder = try TemporaryFolder()
    let run = try shell(
      """
      mkdir inner; echo old > inner/file; ln -s file inner/near; ln -s inner/near link; ln -s gone empty
      for name in link empty; do $MVDUMP extract -f -l 0 -o $name \(spatial) 2> errors || cat errors; done
      test -L link -a -L inner/near -a -L empty || echo replaced
      $MVDUMP extract -l 0 -o - \(spatial) > whole
      cmp whole inner/file && cmp whole gone
      """, in: folder.path)
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)")
    #expect(names(folder) == ["errors", "gone", "inner/file", "whole"])
    let circle = try shell("ln -s a b; ln -s b a; $MVDUMP extract -f -l 0 -o a \(spatial)", in: folder.path)
    #expect(circle.status == 2 && circle.errors.contains("cannot write a: too many symbolic links"))
  }

  /// What stands for an open file is that file, not the name that it has. The links are of this test: a tool that
  /// replaced `/dev/stdout` itself, run by the superuser, would leave the machine without it.
  @Test(arguments: ["/dev/fd/1", "/proc/self/fd/1", "stdout", "link"])
  func anOpenFileIsWrittenTo(path: String) throws {
    guard try !path.hasPrefix("/") || shell("test -e \(path)").status == 0 else {
      return print("skipped: no \(path) on this machine")
    }
    let folder = try TemporaryFolder()
    let run = try shell(
      """
      ln -s /dev/fd/1 stdout; ln -s stdout link; echo before > out; ln out same
      (echo first; $MVDUMP extract -f -l 0 -o \(path) \(spatial) 2> /dev/null; echo last) >> out
      (echo before; echo first; $MVDUMP extract -l 0 -o - \(spatial); echo last) | cmp - out && cmp out same
      """, in: folder.path)
    #expect(run.status == 0 && run.output.isEmpty, "\(run.output)")
    #expect(names(folder) == ["out", "same"])
    let closed = try shell("$MVDUMP extract -f -l 0 -o \(path) \(spatial) >&-", in: folder.path)
    #expect(closed.status == 2 && closed.errors.contains("is not open"))
  }

  /// The name until then may not be longer than names can be, nor end within a character.
  @Test(arguments: [240, 241, 250, 251, 252, 253, 254, 255])
  func aLongNameIsAName(count: Int) throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "a", count: count - 240) + String(repeating: "\u{1F441}", count: 60)
    let run = try shell("$MVDUMP extract -l 0 -o './\(name)' \(spatial)", in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(names(folder) == [name])
    // Too long whether a file system counts bytes or characters.
    let longer = String(repeating: "a", count: 300)
    let refused = try shell("$MVDUMP extract -l 0 -o './\(longer)' \(spatial)", in: folder.path)
    #expect(refused.status == 2 && refused.errors.contains("too long"))
    #expect(names(folder) == [name])
  }

  @Test func theSameBytesComeOutOfAPipe() throws {
    let folder = try TemporaryFolder()
    let run = try shell(
      "$MVDUMP extract -l 1 -o a \(spatial) 2>/dev/null && $MVDUMP extract -l 1 -o - \(spatial) | cmp a -",
      in: folder.path)
    #expect(run.status == 0 && run.errors.isEmpty)
  }

  @Test func aFullDiskLeavesNothing() throws {
    let folder = try TemporaryFolder()
    // The system allows files of one block only. The signal for it would end the tool, and leave what it had written.
    let run = try shell("ulimit -f 1; $MVDUMP extract -l 0 -o out.hevc \(spatial)", in: folder.path)
    #expect(run.status == 2)
    #expect(run.errors.contains("cannot write out.hevc: the file would be too large"))
    #expect(run.errors.contains("Nothing was left behind."))
    #expect(names(folder).isEmpty)
    guard try shell("test -e /dev/full").status == 0 else {
      return print("skipped: no /dev/full on this machine")
    }
    let device = try shell("$MVDUMP extract -f -l 0 -o /dev/full \(spatial)")
    #expect(device.status == 2 && device.errors.contains("no space left"))
    #expect(try shell("test -c /dev/full").status == 0)
    let pipe = try shell("$MVDUMP extract -l 0 -o - \(spatial) > /dev/full")
    #expect(pipe.status == 2 && pipe.errors.contains("no space left"))
  }

  @Test func devicesAreWrittenToNotReplaced() throws {
    let run = try shell("$MVDUMP extract -f -l 0 -o /dev/null \(spatial); test -c /dev/null")
    #expect(run.status == 0)
    #expect(try shell("$MVDUMP extract -l 0 -o /dev/null \(spatial); test -c /dev/null").status == 0)
    let piped = try shell("$MVDUMP extract -l 0 -o /dev/stdout \(spatial) 2> /dev/null | wc -c")
    #expect(Int(piped.output.filter(\.isNumber)) ?? 0 > 1_000)
    #expect(try shell("$MVDUMP extract -f -l 0 -o /tmp \(spatial)").status == 2)
    #expect(try shell("$MVDUMP extract -l 0 -o /nowhere/out \(spatial)").status == 2)
  }

  @Test func aBlockDeviceIsNotReplacedEither() throws {
    let folder = try TemporaryFolder()
    // A device of a number for which this machine has no driver: it can be named, and not opened.
    guard try shell("mknod disk b 255 250", in: folder.path).status == 0 else {
      return print("skipped: only the superuser may make devices")
    }
    let run = try shell(
      "$MVDUMP extract -f -l 0 -o disk \(spatial); test -b disk || echo gone", in: folder.path)
    #expect(run.output.isEmpty && run.errors.contains("cannot write disk: "))
    let found = try shell("$MVDUMP tree -r .", in: folder.path)
    #expect(found.errors == "mvdump: .: contains nothing that this command reads\n")
  }

  @Test func aReaderThatGoesAwayIsNoFailure() throws {
    let run = try shell("($MVDUMP extract -l 0 -o - \(spatial); echo $? >&2) | head -c 10 > /dev/null")
    #expect(run.errors == "0\n")
  }

  @Test func aStreamThatIsNotWholeSaysSo() throws {
    let folder = try TemporaryFolder()
    // The media data of this movie follow its description, so that the end can be missing.
    try folder.write("cut.mov", Fixtures.bytes("spatial.mov").prefix(8_000).array)
    let run = try shell("$MVDUMP extract -l 1 -o out.hevc cut.mov", in: folder.path)
    #expect(run.status == 1 && run.errors.contains("the stream is incomplete"))
    #expect(names(folder).contains("out.hevc"))
  }

  @Test func aFileThatShrinksWhileItIsRead() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.mov", Fixtures.bytes("spatial.mov").array)
    // Whatever is there when the tool looks: it ends, and says what is missing.
    let run = try shell(
      "(while :; do head -c 3000 \(spatial) > a.mov; cp \(spatial) a.mov; done) & p=$!; "
        + "for i in 1 2 3 4 5 6 7 8 9 10; do $MVDUMP info a.mov > /dev/null 2>&1; s=$?; "
        + "[ $s -le 2 ] || echo bad $s; $MVDUMP extract -f -l 0 -o out a.mov > /dev/null 2>&1; s=$?; "
        + "[ $s -le 2 ] || echo bad $s; done; kill $p", in: folder.path)
    #expect(run.output.isEmpty)
  }

  @Test func aPipeThatStallsIsWaitedFor() throws {
    let run = try shell("(head -c 5000 \(spatial); sleep 0.2; tail -c +5001 \(spatial)) | $MVDUMP layers -")
    #expect(run.status == 0)
    #expect(try run.output == shell("$MVDUMP layers \(spatial) | sed 's|\(spatial)|-|'").output)
    let broken = try shell("head -c 9000 \(spatial) | $MVDUMP info -")
    #expect(broken.status <= 2 && broken.status >= 0)
  }

  /// What `eyes` and `info` say is there, `extract` finds, in whichever track it is.
  @Test func theTrackThatHasItIsFound() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out.hevc"
    let movie = Fixtures.path("two-tracks-lhv1.mp4")
    for option in [
      ["--eye", "right"], ["--layer", "1"], ["--eye", "left"], ["--track", "1", "--layer", "1"],
    ] {
      let run = mvdump(["extract", "--force", "-o", path, movie] + option)
      #expect(run.code == .success, "\(option): \(run.errors)")
      #expect(contents(path)?.count ?? 0 > 1_000)
    }
    let none = mvdump("extract", "--force", "-o", path, movie, "--layer", "5")
    #expect(none.errors.contains("the track has no layer 5; it has 0"))
  }
}
