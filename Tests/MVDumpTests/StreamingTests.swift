// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import TestSupport
import Testing

/// Rows come one after the other, as they are found: nothing is kept, whatever the length.
@Suite(.enabled(if: BuiltProducts.folder != nil)) struct StreamingTests {
  static let forms = ["", "--csv", "--json", "--json-lines"]

  /// A stream of so many copies of a small one.
  private static func write(_ copies: Int, _ name: String, to folder: TemporaryFolder) throws {
    let stream = Fixtures.bytes("two-views.hevc").array
    try folder.write(name, (0..<copies).flatMap { _ in stream })
  }

  /// The most memory that listing `file` took, in kilobytes. The tool is then made to wait for a pipe, and looked at.
  private static func peak(_ file: String, _ form: String, _ folder: TemporaryFolder) throws -> Int {
    let run = try shell(
      """
      rm -f gate; mkfifo gate
      $MVDUMP nal \(form) \(file) gate > /dev/null 2>&1 &
      tool=$!
      exec 4> gate
      sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$tool/status
      exec 4>&-
      wait
      """, in: folder.path)
    return try #require(run.output.split(separator: "\n").first.flatMap { Int($0) }, "\(run.errors)")
  }

  @Test(arguments: forms) func memoryIsConstant(form: String) throws {
    guard try shell("test -r /proc/self/status").status == 0 else {
      return print("skipped: no /proc on this machine")
    }
    let folder = try TemporaryFolder()
    try Self.write(20, "short.hevc", to: folder)
    try Self.write(800, "long.hevc", to: folder)
    let short = try Self.peak("short.hevc", form, folder), long = try Self.peak("long.hevc", form, folder)
    print("nal \(form): \(short) kB for 20 copies, \(long) kB for 800")
    // Forty times the rows; the windows through which files are read are all that may grow.
    #expect(long < short + 4_096)
  }

  /// The reader has the first row in hand while the tool still waits for its second file.
  @Test(
    arguments: ["nal", "samples", "layers"],
    [(form: "", lines: 4), (form: "--csv", lines: 2), (form: "--json", lines: 6)])
  func firstRowComesAtOnce(command: String, expected: (form: String, lines: Int)) throws {
    let folder = try TemporaryFolder()
    let run = try shell(
      """
      mkfifo gate rows
      $MVDUMP \(command) \(expected.form) \(spatial) gate > rows 2> errors &
      exec 3< rows
      for number in $(seq \(expected.lines)); do IFS= read -r line <&3; echo "$line"; done
      exec 4> gate; exec 4>&-
      cat <&3 > rest; wait
      """, in: folder.path)
    let start = run.output.split(separator: "\n")
    #expect(run.status == 0 && start.count == expected.lines)
    if expected.form == "--csv" { #expect(start.last?.hasPrefix(spatial + ",1,0,") == true, "\(command)") }
  }

  /// The last samples of a long movie are listed without those before them.
  @Test func rangesAreCutOut() throws {
    let name = Fixtures.path("cmaf-hevc-sidx.mp4")
    let all = mvdump("nal", "--json", name).json?["tracks"]?[0]?["nalUnits"]?.elements ?? []
    let last = try #require(all.last?["sample"]?.integer)
    for range in ["0-3", "\(last / 2)-", "\(last)", "\(last / 3)-\(last / 2)"] {
      let some = mvdump("nal", "--json", "--samples", range, name).json?["tracks"]?[0]?["nalUnits"]?.elements
      let ends = range.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      let first = ends[0] ?? 0, end = ends.count == 1 ? first : ends[1] ?? last
      #expect(some == all.filter { (first...end).contains($0["sample"]?.integer ?? -1) }, "\(range)")
    }
  }
}
