// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import MVDumpCommand
import TestSupport
import Testing

/// What `mvdump tree` says of every fixture, as text and as JSON in fixtures/golden/tree; and the list of all boxes in
/// docs/boxes.md.
@Suite struct TreeGoldenTests {
  /// The output, with the folder as a reader of the project sees it.
  private func output(_ arguments: String...) -> String {
    mvdump(arguments).output.replacing(Fixtures.folder + "/", with: "fixtures/")
  }

  @Test(arguments: TreeTests.movies) func text(name: String) {
    #expect(Golden.difference(output("tree", Fixtures.path(name)), "tree/\(name).text") == nil)
  }

  @Test(arguments: TreeTests.movies) func json(name: String) {
    let json = output("tree", "--json", Fixtures.path(name))
    #expect(jsonProblem(json) == nil)
    #expect(Golden.difference(json, "tree/\(name).json") == nil)
  }

  @Test func goldensBelongToAFixture() {
    let names = Set(TreeTests.movies.flatMap { ["\($0).text", "\($0).json"] })
    #expect(Set(filesBelow(Fixtures.folder + "/golden/tree")).subtracting(names) == [])
  }

  @Test func listOfBoxesIsTrue() {
    let run = mvdump("explain", "--markdown", "boxes")
    #expect(run.code == .success && run.errors.isEmpty)
    #expect(Golden.difference(run.output, file: PackageFolder.root + "/docs/boxes.md") == nil)
    for line in run.lines where line.hasPrefix("|") {
      #expect(
        line.replacing("\\|", with: "").split(separator: "|", omittingEmptySubsequences: false).count == 8,
        "\(line)")
    }
  }
}
