// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import MVDumpCommand
import MVEditCommand
import TestSupport
import Testing

/// The two commands know each other, and what is missing for the next step is said.
@Suite struct NeighbourTests {
  @Test func eachKnowsTheCommandsOfTheOther() throws {
    for (program, other) in [(MVEdit.program, MVDump.program), (MVDump.program, MVEdit.program)] {
      let own = Set(program.commands.map { $0.name })
      let neighbour = try #require(program.neighbour)
      #expect(neighbour.name == other.name)
      #expect(Set(neighbour.commands) == Set(other.commands.map { $0.name }).subtracting(own))
    }
  }

  @Test func aCommandOfTheOtherIsNamed() {
    let movie = Fixtures.path("spatial.mov")
    #expect(mvedit("check", movie).errors == "mvedit: no command 'check'; that is mvdump check\n")
    #expect(mvdump("trim", movie).errors == "mvdump: no command 'trim'; that is mvedit trim\n")
    #expect(mvedit("cut", movie).errors == "mvedit: no command 'cut'; that is mvedit trim\n")
    #expect(mvdump("convert", movie).errors == "mvdump: no command 'convert'; that is mvedit encode\n")
    #expect(mvedit("tga", movie).errors.contains("did you mean 'mvedit tag'?"))
  }

  /// Without tags, players show one eye of two views.
  @Test func viewsWithoutTagsAreSaid() throws {
    let folder = try TemporaryFolder()
    let stream = Fixtures.path("two-views.hevc")
    let (bare, tagged) = (folder.path + "/bare.mov", folder.path + "/tagged.mov")
    let made = mvedit("mux", "--fps", "30", "-o", bare, stream)
    #expect(made.code == .success && made.errors.contains("no tags: players show one eye"), "\(made.errors)")
    let other = mvedit("mux", "--fps", "30", "--eyes", "left,right", "-o", tagged, stream)
    #expect(other.code == .success && !other.errors.contains("no tags"), "\(other.errors)")
    for (movie, isSaid) in [(bare, true), (tagged, false)] {
      let run = mvedit("package", "--dry-run", movie)
      #expect(run.code == .success, "\(run.errors)")
      #expect(run.output.contains("mvedit tag --eyes left,right") == isSaid, "\(run.output)")
    }
  }

  /// Y4M has one rate: a movie with two of them lasts for another time in it.
  @Test func aVariableRateIsSaid() throws {
    let folder = try TemporaryFolder()
    let stream = Fixtures.path("two-views.hevc")
    let (fast, slow, both) = (folder.path + "/fast.mov", folder.path + "/slow.mov", folder.path + "/both.mov")
    #expect(mvedit("mux", "--fps", "30", "-o", fast, stream).code == .success)
    #expect(mvedit("mux", "--fps", "10", "-o", slow, stream).code == .success)
    let joined = mvedit("join", "-o", both, fast, slow)
    #expect(joined.code == .success, "\(joined.errors)")
    let run = mvdump("render", "--all", "-o", folder.path + "/both.y4m", both)
    #expect(run.code == .success && run.errors.contains("s in Y4M instead of 0.53 s"), "\(run.errors)")
    let even = mvdump("render", "--all", "-o", folder.path + "/even.y4m", fast)
    #expect(even.code == .success && !even.errors.contains("in Y4M instead"), "\(even.errors)")
    let every = mvdump("render", "--every", "1/30", "-o", folder.path + "/every.y4m", both)
    #expect(every.code == .success && !every.errors.contains("in Y4M instead"), "\(every.errors)")
  }
}
