// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `imif`: how a stream of an MPEG-4 presentation is protected.
public struct IPMPInfoBox: FullBox {
  public static let info = BoxInfo(
    ["imif"], name: "IPMP info", in: [.box("sinf")], "ISO/IEC 14496-12 (2005), 8.45.6",
    "How a stream of an MPEG-4 presentation is protected.", versions: 0...0)

  /// No flags are defined.
  public var flags: UInt32 = 0
  /// IPMP descriptors.
  public var descriptors: [Descriptor] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.descriptorsToEnd(&descriptors, depth: NestingDepth())
  }
}

/// `ipmc`: the tools that protect an MPEG-4 presentation.
public struct IPMPControlBox: FullBox {
  public static let info = BoxInfo(
    ["ipmc"], name: "IPMP control", in: [.box("moov"), .box("meta")], "ISO/IEC 14496-12 (2005), 8.45.5",
    "The tools that protect an MPEG-4 presentation.", versions: 0...0)

  /// No flags are defined.
  public var flags: UInt32 = 0
  /// The list of tools, one descriptor.
  public var toolList = Descriptor(.init(rawValue: 0x60), .other(ByteView()))
  /// The number of descriptors that follow.
  public var descriptorCount: UInt8 = 0
  /// IPMP descriptors.
  public var descriptors: [Descriptor] = []

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.fullBox(&flags)
    try c.group("IPMP_ToolListDescriptor", &toolList)
    try c.u8("no_of_IPMPDescriptors", &descriptorCount)
    try c.descriptorsToEnd(&descriptors, depth: NestingDepth())
  }
}
