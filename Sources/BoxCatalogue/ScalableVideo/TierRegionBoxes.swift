// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `iroi`: the regions of a picture that can be decoded separately.
public struct InteractiveRegionBox: BoxPayload {
  public static let info = BoxInfo(
    ["iroi"], name: "interactive region", in: [.box("scif")], "ISO/IEC 14496-15, 6.7.2",
    "The regions of a picture that can be decoded separately.")

  /// A region, in macroblocks.
  public struct Region: PackedRecord {
    /// The number of the top left macroblock.
    public var topLeft: UInt32 = 0
    /// The size in macroblocks.
    public var width: UInt8 = 0, height: UInt8 = 0
    @inlinable
    public static var stride: Int { 6 }
    @inlinable
    public init() {}
    @inlinable
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u32("top_left_mb", &topLeft)
      try c.u8("roi_mb_width", &width)
      try c.u8("roi_mb_height", &height)
    }
  }

  /// How regions are described: 0 as a grid of equal regions, 1 as a list.
  public var regionType: UInt8 = 0
  /// The size of a region of the grid, in macroblocks; `nil` for a list.
  public var gridWidth: UInt8?, gridHeight: UInt8?
  /// The regions of the list; empty for a grid.
  public var regions: [Region] = []
  var reserved: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u("iroi_type", &regionType, 2)
    try c.reserved("reserved", &reserved, bits: 6, expecting: 0)
    try c.u("grid_roi_mb_width", &gridWidth, 8, if: regionType == 0)
    try c.u("grid_roi_mb_height", &gridHeight, 8, if: regionType == 0)
    guard regionType == 1 else { return }
    var count = UInt32(clamping: regions.count)
    try c.u24("num_roi", &count)
    try c.array("regions", &regions, count: count, minimumBits: 48)
  }
}

/// `rrgn`: the part of the picture that a tier covers.
public struct RectangularTierRegionBox: BoxPayload {
  public static let info = BoxInfo(
    ["rrgn"], name: "rectangular tier region", in: [.box("scif")], "ISO/IEC 14496-15, 6.7.2",
    "The part of the picture that a tier covers.")

  /// A rectangle in luma samples.
  public struct Rectangle: FieldLayout {
    /// The position of the top left corner.
    public var x: UInt16 = 0, y: UInt16 = 0
    /// The size in luma samples.
    public var width: UInt16 = 0, height: UInt16 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("horizontal_offset", &x)
      try c.u16("vertical_offset", &y)
      try c.u16("region_width", &width)
      try c.u16("region_height", &height)
    }
  }

  /// The tier whose picture contains the region.
  public var baseRegionTierID: UInt16 = 0
  /// The region; `nil` if it changes from picture to picture.
  public var rectangle: Rectangle?
  var reserved: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("base_region_tierID", &baseRegionTierID)
    var isDynamic = rectangle == nil
    try c.flag("dynamic_rect", &isDynamic)
    try c.reserved("reserved", &reserved, bits: 7, expecting: 0)
    try c.group("rectangle", &rectangle, if: !isDynamic)
  }
}
