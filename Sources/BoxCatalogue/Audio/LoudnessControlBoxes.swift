// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `dmix`: how channels are mixed down to fewer.
public struct DownmixInstructionsBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["dmix"], name: "downmix instructions", in: [.audioSampleEntry], "ISO/IEC 14496-12, 12.2.5",
    "How channels are mixed down to fewer.", versions: 0...2)

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// A bit of version 1 that should be 0.
  public var reserved: UInt8 = 0
  /// The number of instructions; always 1 in version 0.
  public var instructionCount: UInt8 = 1
  /// The instructions, as bytes: their length depends on the number of channels in the sample entry.
  public var instructions = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...2)
    if version >= 1 {
      try c.reserved("reserved", &reserved, bits: 1, expecting: 0)
      try c.u("downmix_instructions_count", &instructionCount, 7)
    }
    try c.remainder("instructions", &instructions)
  }
}

/// `udc1`, `udc2`, `udi1`, `udi2`, `udex`: how the dynamic range of audio is controlled.
public struct DynamicRangeControlBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["udc1", "udc2", "udi1", "udi2", "udex"], name: "dynamic range control", in: [.audioSampleEntry],
    "ISO/IEC 14496-12, 12.2.6; ISO/IEC 23003-4", "How the dynamic range of audio is controlled.",
    versions: 0...255)

  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The coefficients or instructions, as bytes.
  public var data = ByteView()

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...255)
    try c.remainder("data", &data)
  }
}
