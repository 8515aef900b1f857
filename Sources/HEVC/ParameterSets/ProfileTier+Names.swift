// swift-multiview · SPDX-License-Identifier: Apache-2.0

extension ProfileTier {
  /// The name of the profile, determined by its number and its constraint flags; if no profile has these flags,
  /// the name of the family. `nil` if the number is unknown. ISO/IEC 23008-2, A.3, G.11, H.11 and I.11
  ///
  /// `general_lower_bit_rate_constraint_flag` is ignored: encoders disagree about it.
  public var profileName: String? {
    guard profileSpace == 0 else { return nil }
    return profile(profileIdc) ?? profileIdc.name
  }

  /// The flags from `general_max_12bit_constraint_flag` to `general_one_picture_only_constraint_flag`.
  private var constraints: UInt8 { UInt8(truncatingIfNeeded: constraintFlags &>> 36) }

  /// Whether samples have at most 14 bits (`general_max_14bit_constraint_flag`).
  private var max14Bit: Bool { constraint(34) }

  private func profile(_ idc: ProfileIdc) -> String? {
    switch idc {
    case .main10: constraint(36) ? "Main 10 Still Picture" : nil
    case .rangeExtensions: rangeExtensionProfile
    case .highThroughput: highThroughputProfile
    case .scalable:
      switch constraints {
      case 0b1111_1000: "Scalable Main"
      case 0b1101_1000: "Scalable Main 10"
      default: nil
      }
    case .screenContent:
      switch constraints {
      case 0b1111_1000: "Screen-Extended Main"
      case 0b1101_1000: "Screen-Extended Main 10"
      case 0b1110_0000: "Screen-Extended Main 4:4:4"
      case 0b1100_0000: "Screen-Extended Main 4:4:4 10"
      default: nil
      }
    case .scalableRangeExtensions:
      switch constraints {
      case 0b1111_1100: "Scalable Monochrome"
      case 0b1001_1100: "Scalable Monochrome 12"
      case 0b0001_1100: "Scalable Monochrome 16"
      case 0b1110_0000: "Scalable Main 4:4:4"
      default: nil
      }
    case .highThroughputScreenContent:
      switch (constraints, max14Bit) {
      case (0b1110_0000, true): "Screen-Extended High Throughput 4:4:4"
      case (0b1100_0000, true): "Screen-Extended High Throughput 4:4:4 10"
      case (0b0000_0000, true): "Screen-Extended High Throughput 4:4:4 14"
      default: nil
      }
    default: nil
    }
  }

  private var highThroughputProfile: String? {
    switch (constraints, max14Bit) {
    case (0b1110_0000, true): "High Throughput 4:4:4"
    case (0b1100_0000, true): "High Throughput 4:4:4 10"
    case (0b0000_0000, true): "High Throughput 4:4:4 14"
    case (0b0000_0010, false): "High Throughput 4:4:4 16 Intra"
    default: nil
    }
  }

  /// The format range extensions profile by its flags (table A.2): 12, 10 and 8 bits, 4:2:2, 4:2:0, monochrome,
  /// intra, one picture.
  private var rangeExtensionProfile: String? {
    switch constraints {
    case 0b1111_1100: "Monochrome"
    case 0b1101_1100: "Monochrome 10"
    case 0b1001_1100: "Monochrome 12"
    case 0b0001_1100: "Monochrome 16"
    case 0b1001_1000: "Main 12"
    case 0b1101_0000: "Main 4:2:2 10"
    case 0b1001_0000: "Main 4:2:2 12"
    case 0b1110_0000: "Main 4:4:4"
    case 0b1100_0000: "Main 4:4:4 10"
    case 0b1000_0000: "Main 4:4:4 12"
    case 0b1111_1010: "Main Intra"
    case 0b1101_1010: "Main 10 Intra"
    case 0b1001_1010: "Main 12 Intra"
    case 0b1101_0010: "Main 4:2:2 10 Intra"
    case 0b1001_0010: "Main 4:2:2 12 Intra"
    case 0b1110_0010: "Main 4:4:4 Intra"
    case 0b1100_0010: "Main 4:4:4 10 Intra"
    case 0b1000_0010: "Main 4:4:4 12 Intra"
    case 0b0000_0010: "Main 4:4:4 16 Intra"
    case 0b1110_0011: "Main 4:4:4 Still Picture"
    case 0b0000_0011: "Main 4:4:4 16 Still Picture"
    default: nil
    }
  }

  /// `Main` or `High`.
  public var tierName: String { tierFlag ? "High" : "Main" }
}
