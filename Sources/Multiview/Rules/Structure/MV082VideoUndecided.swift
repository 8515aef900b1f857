// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

extension Rule {
  static let videoUndecided = Rule(
    "MV082", .error, "What decides what the video is cannot be read",
    source: "ISO/IEC 14496-12, 8.5.2; ISO/IEC 14496-15, 8.3.3.1; ISO/IEC 23008-2, 7.3.2",
    for: [.spatial, .stereo, .immersive, .hls, .iso],
    why:
      "Sample description, parameter sets or samples are missing or damaged. A prediction would be a guess, "
      + "so the verdicts are unknown; players refuse the track.",
    mend: "Make the file again from its source, or copy it again where it was cut short. mvdump params and "
      + "mvdump tree show how far it can be read."
  ) { (context: RuleContext, findings: inout FindingSink) in
    findings.trackID = context.mainTrack.flatMap { $0.track.isRawStream ? nil : $0.track.id }
    for reason in context.readability.untold {
      findings.add(reason, path: context.mainTrack?.path ?? "", offset: context.mainTrack?.place?.offset)
    }
    findings.trackID = nil
  }
}
