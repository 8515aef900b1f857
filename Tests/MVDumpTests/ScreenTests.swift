// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The screens in README.md and docs/tour.md are what the commands write.
@Suite(.enabled(if: BuiltProducts.folder != nil)) struct ScreenTests {
  @Test func documentsShowWhatIsWritten() throws {
    guard try shell("command -v bash").status == 0 else { return print("skipped: no bash on this machine") }
    let run = try shell("docs/screens --print \"$MVDUMP\"")
    #expect(run.status == 0 && run.errors.isEmpty)
    let documents = ["README.md", "docs/tour.md"].map {
      String(decoding: contents(PackageFolder.root + "/" + $0) ?? [], as: UTF8.self)
    }
    #expect(run.output == documents.joined(), "docs/screens writes the screens again")
    let commands = run.output.split(separator: "\n").filter { $0.hasPrefix("$ mvdump") }
    #expect(commands.count >= 8)
  }
}
