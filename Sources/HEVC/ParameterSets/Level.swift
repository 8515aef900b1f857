// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// A level, as thirty times its number (`general_level_idc`). ISO/IEC 23008-2, A.4
public struct Level: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Level 8.5, which has no limits.
  package static let withoutLimits = Level(rawValue: 255)

  /// The level as people write it, `4.1` for 123; `nil` if the number is not a multiple of 3.
  public var name: String? {
    guard rawValue > 0, rawValue % 3 == 0 else { return nil }
    let tenths = rawValue / 3
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// What a level allows. Table A.8 and Table A.9
  public struct Limits: Hashable, Sendable {
    /// The number of luma samples in a picture (`MaxLumaPs`).
    public let maximumLumaPictureSize: UInt64
    /// The number of luma samples per second (`MaxLumaSr`).
    public let maximumLumaSampleRate: UInt64
    /// The bit rate in the Main tier, in units of 1000 bits per second (1100 for whole NAL units) (`MaxBR`).
    public let maximumBitRateMain: UInt32
    /// The bit rate in the High tier, in the same units; `nil` if the level does not have a High tier (`MaxBR`).
    public let maximumBitRateHigh: UInt32?
    /// The buffer size in the Main tier, in units of 1000 bits (1100 for whole NAL units) (`MaxCPB`).
    public let maximumCPBMain: UInt32
    /// The buffer size in the High tier, in the same units; `nil` if the level does not have a High tier
    /// (`MaxCPB`).
    public let maximumCPBHigh: UInt32?
    /// How many slice segments a picture may have (`MaxSliceSegmentsPerPicture`).
    public let maximumSliceSegments: UInt32
    /// How many rows of tiles a picture may have (`MaxTileRows`).
    public let maximumTileRows: UInt32
    /// How many columns of tiles a picture may have (`MaxTileCols`).
    public let maximumTileColumns: UInt32
  }

  /// The limits of the level; `nil` for level 8.5, which has none, and for unknown levels.
  public var limits: Limits? {
    switch rawValue {
    case 30: levelLimits(36_864, 552_960, 128, nil, 350, nil, 16, 1, 1)
    case 60: levelLimits(122_880, 3_686_400, 1_500, nil, 1_500, nil, 16, 1, 1)
    case 63: levelLimits(245_760, 7_372_800, 3_000, nil, 3_000, nil, 20, 1, 1)
    case 90: levelLimits(552_960, 16_588_800, 6_000, nil, 6_000, nil, 30, 2, 2)
    case 93: levelLimits(983_040, 33_177_600, 10_000, nil, 10_000, nil, 40, 3, 3)
    case 120: levelLimits(2_228_224, 66_846_720, 12_000, 30_000, 12_000, 30_000, 75, 5, 5)
    case 123: levelLimits(2_228_224, 133_693_440, 20_000, 50_000, 20_000, 50_000, 75, 5, 5)
    case 150: levelLimits(8_912_896, 267_386_880, 25_000, 100_000, 25_000, 100_000, 200, 11, 10)
    case 153: levelLimits(8_912_896, 534_773_760, 40_000, 160_000, 40_000, 160_000, 200, 11, 10)
    case 156: levelLimits(8_912_896, 1_069_547_520, 60_000, 240_000, 60_000, 240_000, 200, 11, 10)
    case 180: levelLimits(35_651_584, 1_069_547_520, 60_000, 240_000, 60_000, 240_000, 600, 22, 20)
    case 183: levelLimits(35_651_584, 2_139_095_040, 120_000, 480_000, 120_000, 480_000, 600, 22, 20)
    case 186: levelLimits(35_651_584, 4_278_190_080, 240_000, 800_000, 240_000, 800_000, 600, 22, 20)
    default: nil
    }
  }

  /// How many pictures of this many luma samples the decoded picture buffer holds; `nil` if the level has no
  /// limits (`MaxDpbSize`). A.4.2
  public func maximumDPBSize(lumaPictureSize size: UInt64) -> Int? {
    guard let maximum = limits?.maximumLumaPictureSize, size <= maximum else { return nil }
    let perPicture = 6
    if size <= maximum / 4 { return min(4 * perPicture, 16) }
    if size <= maximum / 2 { return min(2 * perPicture, 16) }
    if size <= 3 * maximum / 4 { return min(4 * perPicture / 3, 16) }
    return perPicture
  }
}

private func levelLimits(
  _ pictureSize: UInt64, _ sampleRate: UInt64, _ bitRateMain: UInt32, _ bitRateHigh: UInt32?,
  _ cpbMain: UInt32, _ cpbHigh: UInt32?, _ sliceSegments: UInt32, _ tileRows: UInt32,
  _ tileColumns: UInt32
) -> Level.Limits {
  Level.Limits(
    maximumLumaPictureSize: pictureSize, maximumLumaSampleRate: sampleRate,
    maximumBitRateMain: bitRateMain, maximumBitRateHigh: bitRateHigh, maximumCPBMain: cpbMain,
    maximumCPBHigh: cpbHigh, maximumSliceSegments: sliceSegments, maximumTileRows: tileRows,
    maximumTileColumns: tileColumns)
}
