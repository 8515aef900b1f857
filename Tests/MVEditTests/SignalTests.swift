// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import TestSupport
import Testing

/// A signal right before and right after each call that changes something on the disk.
///
/// A small library is loaded into the command before all others: its versions of these calls send the signal. Linux only, and where
/// there is a C compiler.
@Suite struct SignalTests {
  /// The calls that are counted: each twice, before and after it.
  private static let library = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <fcntl.h>
    #include <signal.h>
    #include <stdarg.h>
    #include <stdlib.h>
    #include <sys/syscall.h>
    #include <sys/types.h>
    #include <time.h>
    #include <unistd.h>
    static int sent;
    static void rest(void) { struct timespec moment = {0, 2000000}; nanosleep(&moment, 0); }
    static void step(void) {
      static int left = -1;
      if (left < 0) left = getenv("MV_STEP") ? atoi(getenv("MV_STEP")) : 0;
      if (left == 0 || --left > 0) return;
      sent = 1;
      kill(getpid(), atoi(getenv("MV_SIGNAL")));
      rest();
    }
    #define CALL(result, name, types, values) \\
      result name types { \\
        result (*real) types = dlsym(RTLD_NEXT, #name); \\
        step(); result answer = real values; step(); return answer; }
    CALL(ssize_t, pwrite, (int d, const void *b, size_t n, off_t o), (d, b, n, o))
    CALL(ssize_t, pwrite64, (int d, const void *b, size_t n, off_t o), (d, b, n, o))
    CALL(int, ftruncate, (int d, off_t n), (d, n))
    CALL(int, ftruncate64, (int d, off_t n), (d, n))
    CALL(int, fsync, (int d), (d))
    CALL(int, link, (const char *a, const char *b), (a, b))
    CALL(int, rename, (const char *a, const char *b), (a, b))
    /* What the kernel copies; other calls by number change nothing on the disk. */
    long syscall(long k, ...) {
      long (*real)(long, ...) = dlsym(RTLD_NEXT, "syscall");
      long v[6]; va_list l; va_start(l, k); for (int i = 0; i < 6; i++) v[i] = va_arg(l, long); va_end(l);
      int counts = k == SYS_copy_file_range;
      if (counts) step();
      long answer = real(k, v[0], v[1], v[2], v[3], v[4], v[5]);
      if (counts) step();
      return answer; }
    /* A machine that has other work lets the handler wait: what another thread creates meanwhile would stay. */
    #define SLOW(name) \\
      int name(const char *p) { \\
        int (*real)(const char *) = dlsym(RTLD_NEXT, #name); if (sent) rest(); return real(p); }
    SLOW(unlink)
    SLOW(rmdir)
    #define OPEN(name) \\
      int name(const char *p, int f, ...) { \\
        int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #name); \\
        va_list l; va_start(l, f); int m = f & O_CREAT ? va_arg(l, int) : 0; va_end(l); \\
        if (!(f & O_CREAT)) return real(p, f, m); \\
        step(); int answer = real(p, f, m); step(); return answer; }
    OPEN(open)
    OPEN(open64)

    """

  private let folder: TemporaryFolder
  private let before: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    _ = try copied(Fixtures.path("edit-list-trim.mp4"), to: folder, as: "movie.mp4")
    before = contents(folder.path + "/movie.mp4") ?? []
  }

  private func sh(_ command: String, _ environment: [String: String] = [:]) throws -> ProcessResult {
    try shell(command, in: folder.path, environment: environment)
  }

  /// Makes the library; `false` where that cannot be done.
  private func hasLibrary() throws -> Bool {
    #if os(Linux)
    try folder.write("steps.c", Array(Self.library.utf8))
    let made = try sh(
      "cc -shared -fPIC -w -o steps.so steps.c -ldl || clang -shared -fPIC -w -o steps.so steps.c -ldl")
    if made.status == 0 { return true }
    print("skipped: no C compiler on this machine")
    #else
    print("skipped: only Linux loads a library before others like that")
    #endif
    return false
  }

  /// Runs the command with a signal at the first step, the second, and so on, until it is not reached any more.
  private func forEachStep(
    _ signal: Int32, _ command: String, _ body: (_ status: Int32, _ step: Int) throws -> Void
  ) throws -> Int {
    for step in 1..<200 {
      let run = try sh(
        "LD_PRELOAD=$PWD/steps.so exec \(command) 2> /dev/null",
        ["MV_STEP": "\(step)", "MV_SIGNAL": "\(signal)"])
      try body(run.status, step)
      if run.status == 0 { return step - 1 }
      #expect(run.status == -signal, "step \(step)")
    }
    Issue.record("never came to its end")
    return 0
  }

  private var files: [String] { filesBelow(folder.path).filter { !$0.hasPrefix("steps") } }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL]) func aNewFileIsThereOrNot(signal: Int32) throws {
    guard try hasLibrary() else { return }
    let command = "$MVEDIT tag --field-of-view 70 -o out.mp4 movie.mp4"
    #expect(try sh(command + " && mv out.mp4 wanted.mp4").status == 0)
    let wanted = contents(folder.path + "/wanted.mp4")
    let steps = try forEachStep(signal, command) { status, step in
      #expect(contents(folder.path + "/movie.mp4") == before, "step \(step)")
      let out = contents(folder.path + "/out.mp4")
      #expect(out == nil || out == wanted, "step \(step)")
      if status == 0 { #expect(out == wanted, "step \(step)") }
      // Nobody can clean up after SIGKILL.
      if signal != SIGKILL {
        #expect(files.allSatisfy { ["movie.mp4", "out.mp4", "wanted.mp4"].contains($0) }, "step \(step)")
      }
      _ = try sh("rm -f out.mp4 out.mp4.*.part")
    }
    // To make the file, to write before and after what the kernel copies, to flush, to link.
    #expect(steps >= 12, "\(steps)")
  }

  /// What `mvdump` writes is there or not, too.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func anExtractedStreamIsThereOrNot(signal: Int32) throws {
    guard try hasLibrary() else { return }
    _ = try copied(Fixtures.path("spatial.mov"), to: folder, as: "spatial.mov")
    let command = "$MVDUMP extract -l 0 -o out.hevc spatial.mov"
    #expect(try sh(command + " && mv out.hevc wanted.hevc").status == 0)
    let wanted = contents(folder.path + "/wanted.hevc")
    let steps = try forEachStep(signal, command) { status, step in
      let out = contents(folder.path + "/out.hevc")
      #expect(out == nil || out == wanted, "step \(step)")
      #expect(files.allSatisfy { !$0.hasSuffix(".part") }, "step \(step): \(files)")
      _ = try sh("rm -f out.hevc*")
    }
    // To make the file, to write, to flush, to link.
    #expect(steps >= 8, "\(steps)")
  }

  /// Movies that are made of streams, and those whose samples are written anew: in one go, or with the media beside the output first.
  @Test(
    arguments: [SIGINT, SIGTERM], ["mux --fps 30", "mux --fps 30 --faststart", "repair --from stream.hevc"])
  func aMovieThatIsMadeIsThereOrNot(signal: Int32, command: String) throws {
    guard try hasLibrary() else { return }
    let stream = Fixtures.bytes("two-views-cropped.hevc").array
    try folder.write("stream.hevc", stream)
    // A movie of which the second layer's sets and all composition times are lost.
    #expect(try sh("$MVEDIT mux --fps 30 -o whole.mov stream.hevc").status == 0)
    let whole = contents(folder.path + "/whole.mov") ?? []
    var broken = whole
    for type in ["lhvC", "ctts", "cslg"] {
      for place in broken.indices.dropLast(3) where Array(broken[place..<(place + 4)]) == Array(type.utf8) {
        broken.replaceSubrange(place..<(place + 4), with: Array("free".utf8))
      }
    }
    try folder.write("broken.mov", broken)
    let input = command.hasPrefix("mux") ? "stream.hevc" : "broken.mov"
    let line = "$MVEDIT \(command) -o out.mov \(input)"
    #expect(try sh(line + " && mv out.mov wanted.mov").status == 0)
    let wanted = contents(folder.path + "/wanted.mov")
    let inputs = ["movie.mp4", "stream.hevc", "whole.mov", "broken.mov", "wanted.mov"]
    let steps = try forEachStep(signal, line) { status, step in
      #expect(contents(folder.path + "/stream.hevc") == stream, "step \(step)")
      #expect(contents(folder.path + "/broken.mov") == broken, "step \(step)")
      let out = contents(folder.path + "/out.mov")
      #expect(out == nil || out == wanted, "step \(step)")
      if status == 0 { #expect(out == wanted, "step \(step)") }
      #expect(files.allSatisfy { inputs.contains($0) || $0 == "out.mov" }, "step \(step): \(files)")
      _ = try sh("rm -f out.mov out.mov*.part")
    }
    #expect(steps >= 8, "\(steps)")
  }

  /// What reads the output is gone, the disk is full, or a file may not be longer: nothing is left.
  @Test func aMovieThatCannotBeWrittenLeavesNothing() throws {
    try folder.write("stream.hevc", Fixtures.bytes("two-views.hevc").array)
    let names = files.sorted()
    for (command, words) in [
      ("(ulimit -f 8; exec $MVEDIT mux --fps 30 -o out.mov stream.hevc)", "too large"),
      ("(ulimit -f 8; cat stream.hevc | $MVEDIT mux --fps 30 -o out.mov -)", "too large"),
      ("(ulimit -f 8; exec $MVEDIT mux --fps 30 --faststart -o out.mov stream.hevc)", "too large"),
      ("$MVEDIT mux --fps 30 --brand mov --faststart -o - stream.hevc > /dev/full", "no space left"),
    ] where try !command.hasSuffix("/dev/full") || sh("test -e /dev/full").status == 0 {
      let run = try sh(command)
      #expect(run.status != 0 && run.errors.contains(words), "\(command): \(run.status) \(run.errors)")
      #expect(files.sorted() == names, "\(command): \(files)")
    }
    // Nobody reads the pipe any more.
    let run = try sh(
      """
      { sleep 0.2; $MVEDIT mux --fps 30 --brand mov --faststart -o - stream.hevc; echo $? > ../status.$$; } | true
      cat ../status.$$; rm ../status.$$
      """)
    #expect(!run.output.hasPrefix("0") && !run.output.isEmpty, "\(run.output) \(run.errors)")
    #expect(files.sorted() == names, "\(files)")
  }

  @Test(arguments: [SIGINT, SIGTERM]) func aFolderIsThereOrNot(signal: Int32) throws {
    guard try hasLibrary() else { return }
    let command = "$MVEDIT package --single-file --duration 1000 -o out movie.mp4"
    #expect(try sh(command + " && mv out wanted").status == 0)
    let wanted = filesBelow(folder.path + "/wanted").sorted()
    let steps = try forEachStep(signal, command) { status, step in
      let out = filesBelow(folder.path + "/out").sorted()
      #expect(out.isEmpty || out == wanted, "step \(step)")
      if status == 0 { #expect(out == wanted, "step \(step)") }
      let left = try sh("ls -d *.part out/*.part out/*/*.part").output
      #expect(left.isEmpty, "step \(step): \(left)")
      _ = try sh("rm -rf out *.part")
    }
    #expect(steps >= 40, "\(steps)")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL]) func inPlaceTheMovieIsOldOrNew(signal: Int32) throws {
    guard try hasLibrary() else { return }
    let command = "$MVEDIT tag --field-of-view 70 --in-place movie.mp4"
    #expect(
      try sh("cp movie.mp4 old.mp4; " + command + " && mv movie.mp4 new.mp4; cp old.mp4 movie.mp4").status
        == 0)
    let after = try #require(contents(folder.path + "/new.mp4"))
    let appended = after[before.count...]
    let steps = try forEachStep(signal, command) { _, step in
      let found = contents(folder.path + "/movie.mp4") ?? []
      if signal == SIGKILL {
        // What was appended may be there, and be the movie or not.
        let isKnown = found == before || found == after || found == before + appended
        #expect(isKnown, "step \(step)")
      } else {
        // Once it has begun, the change is completed before the signal counts.
        #expect(found == before || found == after, "step \(step)")
      }
      _ = try sh("cp old.mp4 movie.mp4")
    }
    #expect(steps >= 8, "\(steps)")
  }
}
