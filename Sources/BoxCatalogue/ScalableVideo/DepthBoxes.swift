// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// `mvdC` and `a3dC`: the decoder configuration of a stream with views and their depth. Boxes may follow it.
public struct DepthConfigurationBox: BoxPayload {
  public static let info = BoxInfo(
    ["mvdC", "a3dC"], name: "depth configuration", in: [.visualSampleEntry], "ISO/IEC 14496-15",
    "The decoder configuration of a stream with views and their depth.", childrenFollow: true)

  /// The record, as bytes.
  public var record = ByteView() {
    didSet { recordSize = record.count }
  }
  var recordSize = 0

  public init() {}

  public mutating func prepare(for context: BoxContext, payload: ByteView) {
    recordSize = payload.startOfBoxes(from: 0) ?? payload.count
  }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.bytes("record", &record, count: recordSize)
  }
}

/// `3dpr`: the size of depth pictures, and how their samples correspond to those of the views.
public struct DepthResolutionBox: BoxPayload {
  public static let info = BoxInfo(
    ["3dpr"], name: "depth resolution", in: [.box("mvdC"), .box("a3dC")], "ISO/IEC 14496-15",
    "The size of depth pictures, and how their samples correspond to those of the views.")

  /// The position of a view's first depth sample.
  public struct GridPosition: PackedRecord {
    var reserved: UInt8 = 0
    /// The ID of the view.
    public var viewID: UInt16 = 0
    /// The position, in samples of the view.
    public var x: Int16 = 0, y: Int16 = 0
    public static var stride: Int { 6 }
    public init() {}
    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.reserved("reserved", &reserved, bits: 6, expecting: 0)
      try c.u("grid_pos_view_id", &viewID, 10)
      try c.i16("grid_pos_x", &x)
      try c.i16("grid_pos_y", &y)
    }
  }

  /// How depth samples correspond to those of the views.
  public struct Grid: FieldLayout {
    /// How many samples of the view correspond to one of the depth, before the shift, less 1.
    public var horizontalMultiplierMinus1: UInt16 = 0, verticalMultiplierMinus1: UInt16 = 0
    /// The number of bits by which positions are shifted to the right.
    public var horizontalShift: UInt8 = 0, verticalShift: UInt8 = 0
    /// The position of each view's first depth sample.
    public var positions: [GridPosition] = []

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u16("depth_hor_mult_minus1", &horizontalMultiplierMinus1)
      try c.u16("depth_ver_mult_minus1", &verticalMultiplierMinus1)
      try c.u("depth_hor_rsh", &horizontalShift, 4)
      try c.u("depth_ver_rsh", &verticalShift, 4)
      try c.array("grid_positions", &positions, countedBy: "grid_pos_num_views", UInt16.self, minimumBits: 48)
    }
  }

  /// The size of a depth picture in samples.
  public var width: UInt16 = 0, height: UInt16 = 0
  /// How depth samples correspond to those of the views; `nil` if not given.
  public var grid: Grid?

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.u16("depth_width", &width)
    try c.u16("depth_height", &height)
    var hasGrid = grid != nil
    c.presence(&hasGrid, whenBitsLeft: 56)
    try c.group("grid", &grid, if: hasGrid)
  }
}
