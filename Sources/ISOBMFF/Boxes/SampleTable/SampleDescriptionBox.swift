// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `stsd`: how the samples are coded: one sample entry for each kind.
public struct SampleDescriptionBox: VersionedFullBox {
  public static let info = BoxInfo(
    ["stsd"], name: "sample description", in: [.box("stbl")], "ISO/IEC 14496-12, 8.5.2",
    "How the samples are coded: one sample entry for each kind.", versions: 0...1, childrenFollow: true)

  /// 1 means that audio entries have the second layout of ISO/IEC 14496-12.
  public var version: UInt8 = 0
  public var flags: UInt32 = 0
  /// The number of sample entries according to the box.
  public var entryCount: UInt32 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&version, &flags, versions: 0...1)
    try c.u32("entry_count", &entryCount)
  }
}

extension SampleDescriptionBox {
  public func counting(_ children: [Box]) -> Self? {
    var counting = self
    counting.entryCount = children.counted()
    return counting
  }
}
