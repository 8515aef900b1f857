// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import TestSupport
import Testing

@Suite struct RepairTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aSoundMovieNeedsNothing() throws {
    let movie = Fixtures.path("spatial.mov")
    #expect(mvedit("repair", "--dry-run", movie).output == "nothing needs to be repaired\n")
    let output = folder.path + "/copy.mov"
    let run = mvedit("repair", "--json", "-o", output, movie)
    #expect(run.code == .success && run.errors.isEmpty, "\(run.errors)")
    let json = try #require(run.json)
    #expect(JSONSchema(named: "repair")?.problems(json) == [])
    #expect(json["steps"]?.elements.isEmpty == true)
    // But for the contents of a free box, which has the name of a program.
    let bytes = try #require(contents(movie)), copy = try #require(contents(output))
    var boxes = PlainBox.boxes(bytes[...])
    for index in boxes.indices where boxes[index].type == "free" {
      boxes[index] = PlainBox("free", [UInt8](repeating: 0, count: boxes[index].bytes.count - 8))
    }
    #expect(copy == boxes.flatMap(\.bytes))
    #expect(copy != bytes)
    #expect(mvedit("repair", "--keep-free", "-f", "-o", output, movie).code == .success)
    #expect(contents(output) == bytes)
  }

  @Test func whatIsGoneIsNamedAndTakenFromADonor() throws {
    let broken = Fixtures.path("stereo-tags-without-lhvC.mov")
    let run = mvedit("repair", "--dry-run", broken)
    #expect(run.code == .no && run.errors.contains("--from"), "\(run.errors)\(run.output)")
    #expect(mvedit("repair", "--from", Fixtures.path("three-views.hevc"), "-n", broken).code == .no)
    #expect(filesBelow(folder.path).isEmpty)
  }

  @Test func whatMakesNoSenseIsWrongUsage() {
    let movie = Fixtures.path("spatial.mov")
    for line in [
      ["repair", movie], ["repair", "-o", "-", movie], ["repair", "-n"], ["repair", "-n", movie, movie],
      ["repair", "--fps", "0", "-n", movie],
    ] {
      let run = mvedit(line)
      #expect(run.code == .usage && run.output.isEmpty, "\(line): \(run.output)\(run.errors)")
    }
    #expect(mvedit("repair", "-n", Fixtures.path("two-views.hevc")).code == .no)
    #expect(mvedit("repair", "-n", folder.path + "/gone.mov").code == .unreadable)
  }

  /// What could not be repaired shows in the exit status, as for other commands that cannot do all.
  @Test func errorsThatAreLeftAreInTheStatus() throws {
    let run = mvedit("repair", "-n", Fixtures.path("stereo-no-hfov.mov"))
    #expect(run.code == .no && run.output.contains("not repaired: MV022"), "\(run.output)\(run.errors)")
  }

  /// Missing values of cameras have only one value that changes nothing.
  @Test func aMissingShiftIsAddedAlone() throws {
    let movie = folder.path + "/no-shift.mov"
    #expect(
      mvedit("tag", "--remove", "disparity", "-o", movie, Fixtures.path("spatial.mov")).code == .success)
    let run = mvedit("repair", "-n", movie)
    #expect(run.code == .success && run.output.contains("disparity: 0"), "\(run.output)\(run.errors)")
  }

  @Test func helpSaysThatItWritesToAFile() {
    let help = mvedit("repair", "--help").output
    #expect(!help.contains("standard output") && help.contains("--output"))
  }
}
