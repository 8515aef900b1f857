// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import TestSupport
import Testing

/// The lines that `mvdump check` prints for what it finds do what they promise.
@Suite struct FixingCommandTests {
  @Test(arguments: [
    ("MV024", "spatial.mov", ["--remove", "disparity"]),
    ("MV016", "spatial.mov", ["--remove", "all"]),
    ("MV031", "spatial.mov", ["--eyes", "left", "--force-values"]),
  ])
  func theLineFixesTheFinding(rule: String, fixture: String, damage: [String]) throws {
    let folder = try TemporaryFolder()
    let broken = folder.path + "/it's broken.mov"
    let made = mvedit(["tag"] + damage + ["-o", broken, Fixtures.path(fixture)])
    #expect(made.code == .success, "\(made.errors)")
    let line = try #require(try command(for: rule, broken))
    let text = mvdump("check", broken).output
    #expect(text.contains("  run    \(line)\n"), "\(text)")
    let words = shellWords(line)
    #expect(words.first == "mvedit" && words.last == broken)
    let fixed = try #require(words.firstIndex(of: "-o").map { words[$0 + 1] })
    #expect(fixed == folder.path + "/it's broken-fixed.mov")
    let run = mvedit(Array(words.dropFirst()))
    #expect(run.code == .success, "\(run.errors)")
    #expect(try findings(fixed).allSatisfy { $0["rule"]?.text != rule })
    // The original needs nothing.
    #expect(try findings(Fixtures.path(fixture)).allSatisfy { $0["rule"]?.text != rule })
  }

  /// The lines for several tags are run one after another: the second one continues on what the first one wrote.
  @Test func linesForTagsFollowEachOther() throws {
    let folder = try TemporaryFolder()
    let broken = folder.path + "/broken.mov"
    let damage = ["--remove", "disparity", "--additional-views", "yes", "--force-values"]
    #expect(mvedit(["tag"] + damage + ["-o", broken, Fixtures.path("spatial.mov")]).code == .success)
    try runAllLines(of: broken, atLeast: 2)
    let left = try findings(folder.path + "/broken-fixed.mov").filter { $0["command"]?.text != nil }
    #expect(left.isEmpty, "\(left)")
  }

  /// After a repair the movie is checked again: a line for its tags would begin with the broken movie.
  @Test func aRepairComesFirst() throws {
    let folder = try TemporaryFolder()
    let plain = folder.path + "/plain.mov"
    #expect(
      mvedit("tag", "--remove", "disparity", "-o", plain, Fixtures.path("spatial.mov")).code == .success)
    var bytes = try #require(contents(plain))
    let type = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("hvc1".utf8)) && $0 > 300 })
    // The width of a visual sample entry is 24 bytes after its type.
    bytes[type + 4 + 25] ^= 0x20
    let broken = try folder.write("broken.mov", bytes)
    let text = mvdump("check", broken).output
    #expect(text.contains("  run    mvedit repair -o "), "\(text)")
    #expect(!text.contains("mvedit tag "), "\(text)")
    #expect(text.contains("  run    the line for MV064 first, then check the new file\n"), "\(text)")
    try runAllLines(of: broken, atLeast: 1)
    // Here the repair has completed the tags, too.
    #expect(try findings(folder.path + "/broken-fixed.mov").allSatisfy { $0["command"]?.text == nil })
    // Programs get the line of each finding.
    #expect(try findings(broken).count { $0["command"]?.text != nil } > 1)
  }

  /// Two findings with one cure do not have the line twice: the second time, its output would be there already.
  @Test func aLineIsPrintedOnce() throws {
    let folder = try TemporaryFolder()
    let broken = try copied(Fixtures.path("two-tracks-lhv1.mp4"), to: folder, as: "two.mp4")
    #expect(try findings(broken).count { $0["command"]?.text?.hasPrefix("mvedit merge") == true } > 1)
    try runAllLines(of: broken, atLeast: 1)
    #expect(mvdump("check", broken).output.contains("  run    the same line as for MV016\n"))
  }

  /// Runs what `check` prints for a movie, in order.
  private func runAllLines(of path: String, atLeast count: Int) throws {
    let text = mvdump("check", path).output
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("  run    mvedit ") }
    #expect(lines.count >= count, "\(text)")
    #expect(Set(lines).count == lines.count, "\(text)")
    for line in lines {
      let run = mvedit(Array(shellWords(String(line.dropFirst(9))).dropFirst()))
      #expect(run.code == .success, "\(line): \(run.errors)")
    }
  }

  /// A shell runs the line whatever the movie is called, and the new movie is beside it.
  @Test(arguments: [
    ("100%.mov", "100%-fixed.mov"), ("%n.mov", "%n-fixed.mov"), ("two\nlines'.mov", "two\nlines'-fixed.mov"),
    ("-\u{1B}[7m.mov", "-\u{1B}[7m-fixed.mov"), ("'\u{301}", "'\u{301}-fixed"),
  ])
  func aShellRunsTheLine(name: String, fixed: String) throws {
    guard try shell("command -v bash").status == 0 else { return print("skipped: no bash on this machine") }
    let folder = try TemporaryFolder()
    let plain = folder.path + "/plain"
    #expect(
      mvedit("tag", "--remove", "disparity", "-o", plain, Fixtures.path("spatial.mov")).code == .success)
    let broken = try copied(plain, to: folder, as: name)
    for typed in [broken, "file://" + percentEncoded(broken)] {
      let line = try #require(try command(for: "MV024", typed))
      #expect(mvdump("check", typed).output.contains("  run    \(line)\n"))
      let script = try folder.write("script", Array("mvedit() { \"$MVEDIT\" \"$@\"; }\n\(line) --force".utf8))
      let run = try shell("bash \(script)")
      #expect(run.status == 0, "\(line): \(run.errors)")
      #expect(try findings(folder.path + "/" + fixed).allSatisfy { $0["rule"]?.text != "MV024" })
    }
  }

  private func percentEncoded(_ path: String) -> String {
    path.utf8.map { byte in
      byte == UInt8(ascii: "/") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
        || (0x41...0x5A).contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + String(Int(byte) + 256, radix: 16).dropFirst()
    }.joined()
  }

  @Test(arguments: ["two-tracks-lhv1.mp4", "two-tracks-hvc2.mp4"]) func mergingFixesTheFinding(
    fixture: String
  ) throws {
    let folder = try TemporaryFolder()
    let broken = try copied(Fixtures.path(fixture), to: folder, as: fixture)
    let line = try #require(try command(for: "MV020", broken))
    let words = shellWords(line)
    #expect(words.starts(with: ["mvedit", "merge"]))
    let run = mvedit(Array(words.dropFirst()))
    #expect(run.code == .success, "\(run.errors)")
    let fixed = try #require(words.firstIndex(of: "-o").map { words[$0 + 1] })
    #expect(try findings(fixed).allSatisfy { $0["rule"]?.text != "MV020" })
  }

  /// What takes more than tags has no line.
  @Test func whatTagsCannotFixHasNoLine() throws {
    let found = try findings(Fixtures.path("stereo-tags-without-lhvC.mov"))
    #expect(!found.isEmpty && found.allSatisfy { $0["command"] == .null })
  }

  /// What a repair fixes from the movie itself has a line, and what it cannot has none.
  @Test(
    .enabled(if: Corpus.isPresent),
    arguments: [
      ("mvhevc/a320_default_mp4ff.mp4", "MV054", true), ("mvhevc/c322_confwin_rh_gpac.mp4", "MV013", true),
      ("mvhevc/a320_default_ffmpeg.mov", "MV054", false), ("lhevc/htm_2view_nuh6_gpac.mp4", "MV013", false),
    ])
  func aRepairFixesTheFinding(name: String, rule: String, isFixable: Bool) throws {
    let folder = try TemporaryFolder()
    let file = String(name[name.index(after: name.lastIndex(of: "/") ?? name.startIndex)...])
    let broken = try copied(try #require(Corpus.folder) + "/" + name, to: folder, as: file)
    let line = try command(for: rule, broken)
    #expect((line?.hasPrefix("mvedit repair ") == true) == isFixable, "\(String(describing: line))")
    guard isFixable, let line else { return }
    let words = shellWords(line)
    let run = mvedit(Array(words.dropFirst()))
    #expect(run.code == .success, "\(run.errors)")
    let fixed = try #require(words.firstIndex(of: "-o").map { words[$0 + 1] })
    #expect(try findings(fixed).allSatisfy { $0["rule"]?.text != rule })
  }

  private func findings(_ path: String) throws -> [JSONValue] {
    let json = try #require(mvdump("check", "--json", path).json)
    return try #require(json["findings"]?.elements)
  }

  private func command(for rule: String, _ path: String) throws -> String? {
    try findings(path).first { $0["rule"]?.text == rule }?["command"]?.text
  }

  /// A line as a shell takes it apart: single quotes, and a backslash before one outside of them.
  private func shellWords(_ line: String) -> [String] {
    var words = [""], isQuoted = false, isEscaped = false
    for character in line {
      if isEscaped {
        words[words.count - 1].append(character)
        isEscaped = false
      } else if character == "'" {
        isQuoted.toggle()
      } else if character == "\\", !isQuoted {
        isEscaped = true
      } else if character == " ", !isQuoted {
        words.append("")
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words
  }
}
