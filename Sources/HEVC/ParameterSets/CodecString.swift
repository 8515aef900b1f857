// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension ProfileTier {
  /// The part of a codec string after the sample entry type: `1.6.L60.B0`. RFC 6381 and ISO/IEC 14496-15, Annex E
  ///
  /// The compatibility flags are written with flag 0 as the least significant bit, and constraint bytes up to
  /// the last one that is not zero.
  public func codecParameters(level: Level) -> String {
    let space = ["", "A", "B", "C"][Int(profileSpace & 3)]
    var flags = compatibilityFlags, reversed: UInt32 = 0
    for _ in 0..<32 {
      reversed = reversed &<< 1 | flags & 1
      flags &>>= 1
    }
    var text = "\(space)\(profileIdc.rawValue).\(String(reversed, radix: 16, uppercase: true))"
    text += ".\(tierFlag ? "H" : "L")\(level.rawValue)"
    var rest = constraintFlags &<< 16
    while rest != 0 {
      text += "." + String(rest &>> 56, radix: 16, uppercase: true)
      rest &<<= 8
    }
    return text
  }
}

extension ProfileTierLevel {
  /// The part of a codec string after the sample entry type: `1.6.L60.B0`; `nil` if the profile is that of an
  /// earlier structure. RFC 6381 and ISO/IEC 14496-15, Annex E
  public var codecParameters: String? { general?.codecParameters(level: generalLevelIdc) }

  /// A whole codec string: `hvc1.1.6.L60.B0`.
  public func codecString(sampleEntry: String) -> String? {
    codecParameters.map { sampleEntry + "." + $0 }
  }
}
