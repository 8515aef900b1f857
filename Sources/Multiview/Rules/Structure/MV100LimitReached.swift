// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let limitReached = Rule(
    "MV100", .note, "Only a part of the file was looked at",
    source: "the limits of this library, which keep small files from asking for much work", .observed,
    for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "A limit was reached before everything was seen that decides. Sound files hardly ever come near "
      + "one: mostly boxes, samples or parameter sets stand upon one another.",
    mend: "Look at what stands at that place with mvdump tree. Programs can raise the limit that is named, "
      + "for files that they know."
  ) { (context: RuleContext, findings: inout FindingSink) in
    for reason in context.readability.partial {
      findings.add(reason, path: context.mainTrack?.path ?? "", offset: context.mainTrack?.place?.offset)
    }
  }
}
