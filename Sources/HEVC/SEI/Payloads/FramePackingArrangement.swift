// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `frame_packing_arrangement` (45): how two views are packed into the pictures. ISO/IEC 23008-2, D.2.16
public struct FramePackingArrangement: SEIPayload {
  public static let payloadType = SEIPayloadType(45)
  public static let specification: StaticString = "ISO/IEC 23008-2, D.2.16"
  public static let summary: StaticString = "How two views are packed into the pictures."

  /// How two views are packed.
  public struct Arrangement: FieldLayout {
    /// The kind of packing: 3 side by side, 4 top and bottom, 5 alternating in time
    /// (`frame_packing_arrangement_type`).
    public var type: UInt8 = 3
    /// Whether samples are taken in a quincunx pattern (`quincunx_sampling_flag`).
    public var isQuincunx = false
    /// Which view frame 0 is: 1 the left one, 2 the right one (`content_interpretation_type`).
    public var contentInterpretation: UInt8 = 0
    /// Whether one of the frames is flipped (`spatial_flipping_flag`).
    public var isFlipped = false
    /// Whether that is frame 0, and not frame 1 (`frame0_flipped_flag`).
    public var flipsFrame0 = false
    /// Whether the two views are the two fields of a picture (`field_views_flag`).
    public var hasFieldViews = false
    /// Whether the current picture is frame 0, if the frames alternate in time (`current_frame_is_frame0_flag`).
    public var isFrame0 = false
    /// Whether frame 0 is not predicted from frame 1 (`frame0_self_contained_flag`).
    public var frame0IsSelfContained = false
    /// Whether frame 1 is not predicted from frame 0 (`frame1_self_contained_flag`).
    public var frame1IsSelfContained = false
    /// Where the samples are; `nil` if absent (`frame0_grid_position_x` and so on).
    public var grid: Grid?
    /// A reserved byte (`frame_packing_arrangement_reserved_byte`).
    public var reserved: UInt8 = 0
    /// Whether the message applies to later pictures as well (`frame_packing_arrangement_persistence_flag`).
    public var persists = false

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("frame_packing_arrangement_type", &type, 7, .named(Self.typeName(_:)))
      try c.flag("quincunx_sampling_flag", &isQuincunx)
      try c.u("content_interpretation_type", &contentInterpretation, 6, .named(Self.contentName(_:)))
      try c.flag("spatial_flipping_flag", &isFlipped)
      try c.flag("frame0_flipped_flag", &flipsFrame0)
      try c.flag("field_views_flag", &hasFieldViews)
      try c.flag("current_frame_is_frame0_flag", &isFrame0)
      try c.flag("frame0_self_contained_flag", &frame0IsSelfContained)
      try c.flag("frame1_self_contained_flag", &frame1IsSelfContained)
      try c.group("grid", &grid, if: !isQuincunx && type != 5)
      try c.reserved("frame_packing_arrangement_reserved_byte", &reserved, bits: 8, expecting: 0)
      try c.flag("frame_packing_arrangement_persistence_flag", &persists)
    }

    @Sendable
    private static func typeName(_ value: Int64) -> String? {
      switch value {
      case 3: "side by side"
      case 4: "top and bottom"
      case 5: "alternating frames"
      default: nil
      }
    }

    @Sendable
    private static func contentName(_ value: Int64) -> String? {
      switch value {
      case 0: "unspecified"
      case 1: "frame 0 is the left view"
      case 2: "frame 0 is the right view"
      default: nil
      }
    }
  }

  /// Where the samples of both frames are located.
  public struct Grid: FieldLayout {
    /// The horizontal position of frame 0, in 1/16 of a luma sample (`frame0_grid_position_x`).
    public var x0: UInt8 = 0
    /// The vertical position of frame 0, in 1/16 of a luma sample (`frame0_grid_position_y`).
    public var y0: UInt8 = 0
    /// The horizontal position of frame 1, in 1/16 of a luma sample (`frame1_grid_position_x`).
    public var x1: UInt8 = 0
    /// The vertical position of frame 1, in 1/16 of a luma sample (`frame1_grid_position_y`).
    public var y1: UInt8 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.u("frame0_grid_position_x", &x0, 4)
      try c.u("frame0_grid_position_y", &y0, 4)
      try c.u("frame1_grid_position_x", &x1, 4)
      try c.u("frame1_grid_position_y", &y1, 4)
    }
  }

  /// The number that identifies the arrangement (`frame_packing_arrangement_id`).
  public var id: UInt32 = 0
  /// Whether the message ends an earlier one (`frame_packing_arrangement_cancel_flag`).
  public var cancels = false
  /// How the views are packed; `nil` if the message ends an earlier one.
  public var arrangement: Arrangement? = Arrangement()
  /// Whether the aspect ratio in the VUI is that of the upsampled frames (`upsampled_aspect_ratio_flag`).
  public var hasUpsampledAspectRatio = false

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.ue("frame_packing_arrangement_id", &id, in: 0...UInt32.max - 1)
    try c.flag("frame_packing_arrangement_cancel_flag", &cancels)
    try c.group("arrangement", &arrangement, if: !cancels)
    try c.flag("upsampled_aspect_ratio_flag", &hasUpsampledAspectRatio)
  }
}
