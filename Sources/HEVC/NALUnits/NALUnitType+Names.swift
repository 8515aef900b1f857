// swift-multiview · SPDX-License-Identifier: Apache-2.0

// The types once more, under the names that dumps, other tools and the specification print for them.

extension NALUnitType {
  /// The type that prints as `TRAIL_N`: ``trailingNonReference``.
  public static let trailN = trailingNonReference
  /// The type that prints as `TRAIL_R`: ``trailing``.
  public static let trailR = trailing
  /// The type that prints as `TSA_N`: ``temporalAccessNonReference``.
  public static let tsaN = temporalAccessNonReference
  /// The type that prints as `TSA_R`: ``temporalAccess``.
  public static let tsaR = temporalAccess
  /// The type that prints as `STSA_N`: ``stepwiseAccessNonReference``.
  public static let stsaN = stepwiseAccessNonReference
  /// The type that prints as `STSA_R`: ``stepwiseAccess``.
  public static let stsaR = stepwiseAccess
  /// The type that prints as `RADL_N`: ``decodableLeadingNonReference``.
  public static let radlN = decodableLeadingNonReference
  /// The type that prints as `RADL_R`: ``decodableLeading``.
  public static let radlR = decodableLeading
  /// The type that prints as `RASL_N`: ``skippedLeadingNonReference``.
  public static let raslN = skippedLeadingNonReference
  /// The type that prints as `RASL_R`: ``skippedLeading``.
  public static let raslR = skippedLeading
  /// The type that prints as `BLA_W_LP`: ``brokenLinkWithLeading``.
  public static let blaWLP = brokenLinkWithLeading
  /// The type that prints as `BLA_W_RADL`: ``brokenLinkWithDecodableLeading``.
  public static let blaWRADL = brokenLinkWithDecodableLeading
  /// The type that prints as `BLA_N_LP`: ``brokenLinkWithoutLeading``.
  public static let blaNLP = brokenLinkWithoutLeading
  /// The type that prints as `IDR_W_RADL`: ``refreshWithDecodableLeading``.
  public static let idrWRADL = refreshWithDecodableLeading
  /// The type that prints as `IDR_N_LP`: ``refreshWithoutLeading``.
  public static let idrNLP = refreshWithoutLeading
  /// The type that prints as `CRA_NUT`: ``cleanRandomAccess``.
  public static let craNUT = cleanRandomAccess
  /// The type that prints as `VPS_NUT`: ``videoParameterSet``.
  public static let vpsNUT = videoParameterSet
  /// The type that prints as `SPS_NUT`: ``sequenceParameterSet``.
  public static let spsNUT = sequenceParameterSet
  /// The type that prints as `PPS_NUT`: ``pictureParameterSet``.
  public static let ppsNUT = pictureParameterSet
  /// The type that prints as `AUD_NUT`: ``accessUnitDelimiter``.
  public static let audNUT = accessUnitDelimiter
  /// The type that prints as `EOS_NUT`: ``endOfSequence``.
  public static let eosNUT = endOfSequence
  /// The type that prints as `EOB_NUT`: ``endOfBitstream``.
  public static let eobNUT = endOfBitstream
  /// The type that prints as `FD_NUT`: ``fillerData``.
  public static let fdNUT = fillerData
  /// The type that prints as `PREFIX_SEI_NUT`: ``prefixSEI``.
  public static let prefixSEINUT = prefixSEI
  /// The type that prints as `SUFFIX_SEI_NUT`: ``suffixSEI``.
  public static let suffixSEINUT = suffixSEI

  /// The type with a name of the specification, such as `IDR_N_LP`; `nil` if no type has that name.
  public init?(name: String) {
    guard let number = Self.names.firstIndex(of: name) else { return nil }
    self.init(rawValue: UInt8(clamping: number))
  }
}
