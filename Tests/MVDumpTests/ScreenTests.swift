// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The screens that README.md shows are what the commands write.
@Suite(.enabled(if: BuiltProducts.folder != nil)) struct ScreenTests {
  @Test func readmeShowsWhatIsWritten() throws {
    guard try shell("command -v bash").status == 0 else { return print("skipped: no bash on this machine") }
    let run = try shell("docs/screens --print \"$MVDUMP\"")
    #expect(run.status == 0 && run.errors.isEmpty)
    let difference = Golden.difference(run.output, file: PackageFolder.root + "/README.md")
    #expect(difference == nil, "\(difference ?? ""); docs/screens writes them anew")
    let commands = run.output.split(separator: "\n").filter { $0.hasPrefix("$ mvdump") }
    #expect(commands.count >= 8)
  }
}
