// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let limitReached = Rule(
    "MV100", .note, "Only a part of the file was looked at",
    source: "the limits of this library, which keep small files from asking for much work; its rules, which "
      + "go by the first sample description", .observed,
    for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "A limit was reached before everything was seen that decides, or samples have another description "
      + "than the first. Sound files hardly ever come near a limit: mostly boxes, samples or parameter sets "
      + "stand upon one another.",
    mend: "Look at what stands at that place with mvdump tree. Programs can raise the limit that is named, "
      + "for files that they know."
  ) { (context: RuleContext, findings: inout FindingSink) in
    for reason in context.readability.partial {
      findings.add(reason, path: context.mainTrack?.path ?? "", offset: context.mainTrack?.place?.offset)
    }
  }
}
