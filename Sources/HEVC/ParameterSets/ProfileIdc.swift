// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The family of a profile (`general_profile_idc`). ISO/IEC 23008-2, A.3, G.11, H.11 and I.11
public struct ProfileIdc: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Main. A.3.2
  public static let main = ProfileIdc(rawValue: 1)
  /// Main 10. A.3.3
  public static let main10 = ProfileIdc(rawValue: 2)
  /// Main Still Picture. A.3.4
  public static let mainStillPicture = ProfileIdc(rawValue: 3)
  /// Format range extensions. A.3.5
  public static let rangeExtensions = ProfileIdc(rawValue: 4)
  /// High throughput. A.3.6
  public static let highThroughput = ProfileIdc(rawValue: 5)
  /// Multiview Main. G.11.1.1
  public static let multiviewMain = ProfileIdc(rawValue: 6)
  /// Scalable. H.11.1
  public static let scalable = ProfileIdc(rawValue: 7)
  /// 3D Main. I.11.1
  public static let threeDimensionalMain = ProfileIdc(rawValue: 8)
  /// Screen content coding extensions. A.3.7
  public static let screenContent = ProfileIdc(rawValue: 9)
  /// Scalable format range extensions. H.11.1
  public static let scalableRangeExtensions = ProfileIdc(rawValue: 10)
  /// High throughput screen content coding extensions. A.3.8
  public static let highThroughputScreenContent = ProfileIdc(rawValue: 11)
  /// Multiview Extended. G.11
  public static let multiviewExtended = ProfileIdc(rawValue: 12)
  /// Multiview Extended 10. G.11
  public static let multiviewExtended10 = ProfileIdc(rawValue: 13)

  /// The name of the family; `nil` if it is unknown.
  public var name: String? {
    switch rawValue {
    case 1: "Main"
    case 2: "Main 10"
    case 3: "Main Still Picture"
    case 4: "Format Range Extensions"
    case 5: "High Throughput"
    case 6: "Multiview Main"
    case 7: "Scalable"
    case 8: "3D Main"
    case 9: "Screen Content Coding"
    case 10: "Scalable Format Range Extensions"
    case 11: "High Throughput Screen Content Coding"
    case 12: "Multiview Extended"
    case 13: "Multiview Extended 10"
    default: nil
    }
  }
}
