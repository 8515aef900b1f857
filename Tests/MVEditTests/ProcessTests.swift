// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The command as a process of its own: files, pipes, devices, signals.
@Suite struct ProcessTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try copied(Fixtures.path("spatial.mov"), to: folder, as: "movie.mov")
  }

  private func sh(_ command: String) throws -> ProcessResult { try shell(command, in: folder.path) }
  private var names: [String] { filesBelow(folder.path) }

  @Test func aFileIsNotReplacedUnlessAsked() throws {
    let before = contents(folder.path + "/movie.mov")
    let run = try sh("echo old > out.mov; $MVEDIT tag --baseline 65 -o out.mov movie.mov")
    #expect(run.status == 2 && run.output.isEmpty && run.errors.contains("--force"), "\(run.errors)")
    #expect(contents(folder.path + "/out.mov") == Array("old\n".utf8))
    #expect(try sh("$MVEDIT tag --baseline 65 -f -o out.mov movie.mov").status == 0)
    #expect(contents(folder.path + "/out.mov")?.count == before?.count)
    #expect(names == ["movie.mov", "out.mov"])
  }

  @Test func anInputIsNeverTheOutput() throws {
    let before = contents(folder.path + "/movie.mov")
    for output in ["movie.mov", "./movie.mov", "hard.mov", "soft.mov"] {
      let run = try sh(
        "ln -f movie.mov hard.mov; ln -sf movie.mov soft.mov; $MVEDIT tag --baseline 65 -f -o \(output) movie.mov"
      )
      #expect(
        run.status == 2 && run.errors.contains("is the same file as the input"), "\(output): \(run.errors)")
    }
    // Nor is the movie that tags are copied from.
    let donor = try sh("cp movie.mov donor.mov; $MVEDIT tag --copy-from donor.mov -f -o donor.mov movie.mov")
    #expect(donor.status == 2 && donor.errors.contains("is the same file as the input"), "\(donor.errors)")
    #expect(contents(folder.path + "/movie.mov") == before && contents(folder.path + "/donor.mov") == before)
    #expect(!names.contains { $0.hasSuffix(".part") })
  }

  /// The shell may have opened the movie as standard output.
  @Test(arguments: ["1<>movie.mov", ">>movie.mov"]) func norIsStandardOutputTheInput(_ output: String) throws
  {
    let before = contents(folder.path + "/movie.mov")
    for command in ["tag --baseline 65 -o - movie.mov", "trim --to 0.1 -o - - < movie.mov"] {
      let run = try sh("$MVEDIT \(command) \(output)")
      #expect(run.status == 2 && run.errors.contains("standard output is the same file as"), "\(run.errors)")
    }
    #expect(contents(folder.path + "/movie.mov") == before)
  }

  @Test func anOutputIsNoLaterInputEither() throws {
    let before = contents(folder.path + "/movie.mov")
    let run = try sh(
      "cp movie.mov movie-fixed.mov; $MVEDIT trim --to 0.1 -f -o '%n-fixed.mov' movie.mov ./movie-fixed.mov")
    #expect(
      run.status == 64
        && run.errors.contains("movie.mov would be written over ./movie-fixed.mov, which is an input, too"),
      "\(run.errors)")
    #expect(
      contents(folder.path + "/movie-fixed.mov") == before && names == ["movie-fixed.mov", "movie.mov"])
  }

  @Test func aFolderForTemporaryFilesThatIsNotThereIsNamed() throws {
    let run = try sh("cat movie.mov | TMPDIR=/none $MVEDIT trim --to 0.1 -o out.mov -")
    #expect(
      run.errors
        == "mvedit: standard input: no temporary file can be made in /none: no such file (ENOENT). Set TMPDIR to "
        + "a folder that can be written.\n")
    #expect(run.status == 2 && names == ["movie.mov"])
    let small = try sh("cat movie.mov | (ulimit -f 1; TMPDIR=. $MVEDIT trim --to 0.1 -o out.mov -)")
    #expect(small.status == 2 && small.errors.contains("temporary file in .: set TMPDIR"), "\(small.errors)")
    let empty = try sh("cat movie.mov | TMPDIR= $MVEDIT tag --baseline 65 -o out.mov -")
    #expect(empty.status == 0 && names == ["movie.mov", "out.mov"], "\(empty.errors)")
  }

  @Test func pipesGoInAndOut() throws {
    let run = try sh(
      """
      $MVEDIT tag --baseline 65 -o file.mov movie.mov
      $MVEDIT tag --baseline 65 -o - movie.mov > out.mov && cmp file.mov out.mov && \
      cat movie.mov | $MVEDIT tag --baseline 65 -o - - | cmp file.mov -
      """)
    #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
  }

  @Test func aFullDiskLeavesNothing() throws {
    let run = try sh("ulimit -f 1; $MVEDIT tag --baseline 65 -o out.mov movie.mov")
    #expect(run.status == 2 && run.errors.contains("too large"), "\(run.errors)")
    #expect(names == ["movie.mov"])
    guard try sh("test -e /dev/full").status == 0 else {
      return print("skipped: no /dev/full on this machine")
    }
    let device = try sh("$MVEDIT tag --baseline 65 -o - movie.mov > /dev/full")
    #expect(device.status == 2 && device.errors.contains("no space left"), "\(device.errors)")
  }

  @Test func datesAndPermissionsAreKeptWhereAsked() throws {
    let run = try sh(
      """
      chmod 640 movie.mov; touch -d 2001-02-03T04:05:06Z movie.mov
      $MVEDIT tag --baseline 65 --keep-dates -o kept.mov movie.mov && $MVEDIT tag --baseline 65 -o new.mov movie.mov
      test "$(ls -l kept.mov | cut -c1-10)" = -rw-r----- && test ! kept.mov -nt movie.mov && test new.mov -nt movie.mov
      """)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func aMovieThatCannotBeWrittenIsNotChangedInPlace() throws {
    guard try sh("test \"$(id -u)\" = 0").status != 0 else {
      return print("skipped: the superuser may write everything")
    }
    let run = try sh("chmod 400 movie.mov; $MVEDIT tag --baseline 65 --in-place movie.mov")
    #expect(run.status == 2 && run.errors.contains("-o"), "\(run.errors)")
  }

  /// A movie that takes long enough to write is interrupted: nothing is left of the output, and the input is as it was.
  @Test(arguments: ["INT", "TERM", "HUP"]) func signalsLeaveNothing(name: String) throws {
    let run = try sh(
      """
      { cat movie.mov; printf '\\0\\0\\0\\0mdat'; head -c 150000000 /dev/zero; } > big.mov
      before=$(cksum < big.mov)
      $MVEDIT tag --baseline 65 -o out.mov big.mov 2> errors &
      pid=$!
      for i in $(seq 2000); do
        if ls | grep -q part; then kill -\(name) $pid; break; fi
        kill -0 $pid 2> /dev/null || break
      done
      wait $pid; status=$?
      ls | grep part && echo left behind
      test "$before" = "$(cksum < big.mov)" || echo changed
      if test -e out.mov; then test $status = 0 || echo "written, and status $status"; else test $status -gt 128 || echo "status $status"; fi
      """)
    #expect(run.output.isEmpty, "\(run.output)\(run.errors)")
  }
}
