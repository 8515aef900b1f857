// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let fieldsReadable = Rule(
    "MV002", .error, "The fields of a box cannot be read",
    source: "ISO/IEC 14496-12, 4.2; the clause of each box", for: [.iso],
    why: "Fields that run over the end of their box, counts that promise more rows than there are and "
      + "values out of range make readers reject the box, or the whole track.",
    mend: "Write the box anew. mvdump tree --path with the path of the finding shows how far it could be "
      + "read."
  ) { (context: RuleContext, findings: inout FindingSink) in
    for item in context.fieldDiagnostics where item.severity == .error { findings.add(item) }
  }
}
