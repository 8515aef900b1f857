// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FieldOutput
import HEVC

/// Answers about the profiles of HEVC, by name: `Multiview Main`.
package struct ProfileExplanations: ExplanationSource {
  package init() {}

  package var name: String { "profiles" }

  package var all: [Explanation] {
    Self.known.compactMap { number, title, clause in
      ProfileIdc(rawValue: number).name.map { name in
        var explanation = Explanation(
          kind: "profile", name: name, title: title, summary: "", specification: "ISO/IEC 23008-2, " + clause)
        explanation.remarks = [("number", "general_profile_idc \(number)")]
        return explanation
      }
    }
  }

  package func explanations(of topic: String) -> [Explanation] {
    let lowered = topic.lowercased()
    let families = all.filter { $0.name.lowercased() == lowered }
    return families.isEmpty ? Self.member(named: lowered).map { [$0] } ?? [] : families
  }

  /// A profile that its constraint flags tell from others of its family: `Main 4:2:2 10`.
  private static func member(named lowered: String) -> Explanation? {
    for (number, title, clause) in known {
      var profile = ProfileTier()
      profile.profileIdc = ProfileIdc(rawValue: number)
      // The ten flags from general_max_12bit_constraint_flag to general_max_14bit_constraint_flag.
      for flags: UInt64 in 0..<1 << 10 {
        profile.constraintFlags = flags << 34
        guard let name = profile.profileName, name.lowercased() == lowered else { continue }
        var explanation = Explanation(
          kind: "profile", name: name, title: "of " + title, summary: "",
          specification: "ISO/IEC 23008-2, " + clause)
        explanation.remarks = [
          ("number", "general_profile_idc \(number)"),
          ("set by", "the constraint flags after general_profile_idc"),
        ]
        return explanation
      }
    }
    return nil
  }

  private static let known: [(number: UInt8, title: String, clause: String)] = [
    (1, "4:2:0 with 8 bits", "A.3.2"),
    (2, "4:2:0 with up to 10 bits", "A.3.3"),
    (3, "a single picture, 4:2:0 with 8 bits", "A.3.4"),
    (4, "the family of profiles for other sample formats and more bits", "A.3.5"),
    (5, "the family of profiles for very high bit rates", "A.3.6"),
    (6, "layers that show other views, 4:2:0 with 8 bits: a second eye", "G.11.1.1"),
    (7, "the family of profiles for layers of higher resolution or quality", "H.11.1"),
    (8, "views with depth maps", "I.11.1"),
    (9, "the family of profiles for screen content", "A.3.7"),
    (10, "the family of profiles for scalable layers with other sample formats", "H.11.1"),
    (11, "the family of profiles for screen content at very high bit rates", "A.3.8"),
    (12, "layers that show other views, with extensions", "G.11"),
    (13, "layers that show other views, with extensions and up to 10 bits", "G.11"),
  ]
}
