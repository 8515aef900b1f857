// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `md5i`: an MD5 checksum of something in the file, by which later changes can be detected.
public struct MD5IntegrityBox: FullBox {
  public static let info = BoxInfo(
    ["md5i"], name: "MD5 integrity", in: [.box("meta")], "ISO/IEC 23008-12, 6.12",
    "An MD5 checksum of something in the file, by which later changes can be detected.", versions: 0...0)

  /// The samples of some groups.
  public struct Groups: Hashable, Sendable {
    /// The sample grouping.
    public var groupingType: FourCC = "roll"
    /// A number that distinguishes groupings of the same type; `nil` if not given.
    public var groupingTypeParameter: UInt32?
    /// The groups of the grouping, counted from 1.
    public var descriptionIndices: [UInt32] = []
    /// Makes an empty list.
    public init() {}
  }

  /// 1 means that a parameter is given.
  public var flags: UInt32 = 0
  /// The MD5 sum.
  public var sum = ByteView.sixteenZeros
  /// What the sum covers, as the type of a box.
  public var input: FourCC = "mdat"
  /// The groups, if the sum covers samples; otherwise `nil`.
  public var groups: Groups?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.bytes("input_MD5", &sum, count: 16)
    try c.fourCC("input_4cc", &input)
    if input == "sgpd" {
      var list = groups ?? Groups()
      try c.fourCC("grouping_type", &list.groupingType)
      try c.u("grouping_type_parameter", &list.groupingTypeParameter, 32, if: flags & 1 != 0)
      var count = UInt32(clamping: list.descriptionIndices.count)
      try c.u32("num_entries", &count)
      try c.array("group_description_index", &list.descriptionIndices, count: count, bits: 32)
      groups = list
    }
  }
}
