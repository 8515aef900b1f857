// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC

extension Rule {
  static let recordProfile = Rule(
    "MV017", .error, "hvcC promises less than the base layer needs",
    source: "ISO/IEC 14496-15, 8.3.3.1.3", for: [.spatial, .stereo, .immersive, .hls, .iso],
    why: "Profile, tier and level of hvcC decide whether a player takes the track, and the CODECS string "
      + "is made from them. Less than the SPS asks for is a wrong promise.",
    mend: "Copy general_profile_idc, tier and level from the SPS of the base layer into hvcC."
  ) { (track: TrackFacts, findings: inout FindingSink) in
    guard let record = track.description?.hevcConfiguration, let needed = track.baseSPS?.profileTierLevel,
      let general = needed.general
    else { return }
    let place = track.place(of: "hvcC")
    if record.generalProfileIdc != general.profileIdc, !general.isCompatible(with: record.generalProfileIdc) {
      findings.add(
        "hvcC has profile \(record.generalProfileIdc.rawValue), the SPS \(general.profileIdc.rawValue)",
        at: place,
        found: "\(record.generalProfileIdc.rawValue)", wanted: "\(general.profileIdc.rawValue)")
    }
    if record.generalLevelIdc.rawValue < needed.generalLevelIdc.rawValue {
      findings.add(
        "hvcC has level \(record.generalLevelIdc.rawValue), the SPS needs \(needed.generalLevelIdc.rawValue)",
        at: place, found: "\(record.generalLevelIdc.rawValue)", wanted: "\(needed.generalLevelIdc.rawValue)")
    }
    if !record.generalTierFlag, general.tierFlag {
      findings.add("hvcC has the main tier, the SPS the high one", at: place, found: "main", wanted: "high")
    }
  }
}

extension ProfileTier {
  /// Whether a decoder of a profile can decode the stream. ISO/IEC 23008-2, A.3
  fileprivate func isCompatible(with profile: ProfileIdc) -> Bool {
    profile.rawValue < 32 && compatibilityFlags &<< UInt32(profile.rawValue) & 0x8000_0000 != 0
  }
}
