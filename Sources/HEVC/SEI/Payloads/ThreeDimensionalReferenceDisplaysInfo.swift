// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `three_dimensional_reference_displays_info` (176): which view is for which eye, and for which displays the
/// stereo effect was designed. ISO/IEC 23008-2, G.14.2.3
public struct ThreeDimensionalReferenceDisplaysInfo: SEIPayload {
  public static let payloadType = SEIPayloadType(176)
  public static let specification: StaticString = "ISO/IEC 23008-2, G.14.2.3"
  public static let summary: StaticString =
    "Which view is for which eye, and for which displays the stereo effect was designed."

  /// A pair of views and a display for which it is suitable.
  public struct Display: FieldLayout {
    /// The view for the left eye, by the ViewId of its layer (`left_view_id`).
    public var leftViewID: UInt32 = 0
    /// The view for the right eye, by the ViewId of its layer (`right_view_id`).
    public var rightViewID: UInt32 = 1
    /// The width of the display (`exponent_ref_display_width`, `mantissa_ref_display_width`).
    public var width = SEINumber()
    /// The distance of the viewer; `nil` if not given (`exponent_ref_viewing_distance`,
    /// `mantissa_ref_viewing_distance`).
    public var viewingDistance: SEINumber?
    /// Whether a shift of the views is given (`additional_shift_present_flag`).
    public var hasShift = false
    /// The shift of the views in samples, plus 512; `nil` if not given (`num_sample_shift_plus512`).
    public var shiftPlus512: UInt16?

    /// The precision of the width (`prec_ref_display_width`).
    package var widthPrecision: UInt32 = 31
    /// The precision of the distance; `nil` if not given (`prec_ref_viewing_dist`).
    package var distancePrecision: UInt32?

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.ue("left_view_id", &leftViewID, in: 0...0xFFFF)
      try c.ue("right_view_id", &rightViewID, in: 0...0xFFFF)
      try c.number(
        "exponent_ref_display_width", "mantissa_ref_display_width", &width, precision: widthPrecision)
      if let distancePrecision {
        var distance = viewingDistance ?? SEINumber()
        try c.number(
          "exponent_ref_viewing_distance", "mantissa_ref_viewing_distance", &distance,
          precision: distancePrecision)
        viewingDistance = distance
      }
      try c.flag("additional_shift_present_flag", &hasShift)
      try c.u("num_sample_shift_plus512", &shiftPlus512, 10, if: hasShift)
    }

    /// How many samples the left view is shifted to the right relative to the right view; 0 if not given.
    public var shift: Int { shiftPlus512.map { Int($0) - 512 } ?? 0 }
    /// The width of the display in centimetres; 0 is unspecified.
    public var widthInCentimetres: Double { width.value(precision: widthPrecision) }
    /// The distance of the viewer in centimetres; 0 is unspecified, `nil` not given.
    public var viewingDistanceInCentimetres: Double? {
      guard let distancePrecision else { return nil }
      return viewingDistance?.value(precision: distancePrecision)
    }
  }

  /// The precision of widths (`prec_ref_display_width`).
  public var widthPrecision: UInt32 = 31
  /// Whether viewing distances are given (`ref_viewing_distance_flag`).
  public var hasViewingDistance = false
  /// The precision of viewing distances; `nil` if not given (`prec_ref_viewing_dist`).
  public var distancePrecision: UInt32?
  /// The number of displays, less 1 (`num_ref_displays_minus1`).
  public var displayCountMinus1: UInt32 = 0
  /// The displays.
  public var displays: [Display] = [Display()]
  /// A flag for later editions (`three_dimensional_reference_displays_extension_flag`).
  public var extensionFlag: UInt8 = 0

  public init() {}

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.ue("prec_ref_display_width", &widthPrecision, in: 0...31)
    try c.flag("ref_viewing_distance_flag", &hasViewingDistance)
    try c.ue("prec_ref_viewing_dist", &distancePrecision, if: hasViewingDistance, in: 0...31)
    try c.ue("num_ref_displays_minus1", &displayCountMinus1, in: 0...31)
    var new = Display()
    new.widthPrecision = widthPrecision
    new.distancePrecision = distancePrecision
    try c.array(
      "displays", &displays, count: Int(clamping: displayCountMinus1) + 1, minimumBits: 9, new: new
    ) { c, display throws(ParseError) in
      c.beginStructure("display")
      try display.layout(&c)
      c.endScope()
    }
    try c.reserved(
      "three_dimensional_reference_displays_extension_flag", &extensionFlag, bits: 1, expecting: 0)
  }
}
