// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let boxesFit = Rule(
    "MV001", .error, "Boxes do not fit into one another",
    source: "ISO/IEC 14496-12, 4.2", for: [.iso],
    why: "A box that is longer than what contains it, or shorter than its own header, ends the reading "
      + "there: what stands behind it is lost, or taken for something else.",
    mend: "Write the file anew with a program that computes sizes, or repair the size field at the offset. "
      + "A file that was cut short has to be copied again."
  ) { (context: RuleContext, findings: inout FindingSink) in
    // What a limit leaves out may be sound.
    for item in context.movie.tree?.diagnostics ?? DiagnosticList()
    where item.severity == .error && item.code != "limit-exceeded" {
      findings.add(item)
    }
  }
}
