// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `three_dimensional_reference_displays_info` (176): which view is for which eye, and on which displays the stereo
/// was judged. ISO/IEC 23008-2, G.14.2.3
public struct ThreeDimensionalReferenceDisplaysInfo: SEIPayload {
  public static let payloadType = SEIPayloadType(176)
  public static let specification: StaticString = "ISO/IEC 23008-2, G.14.2.3"
  public static let summary: StaticString = "Which view is for which eye, and the displays it was made for."

  /// A pair of views and a display for it.
  public struct Display: FieldLayout {
    /// `left_view_id`: the ViewId of the layer for the left eye.
    public var leftViewID: UInt32 = 0
    /// `right_view_id`: the ViewId of the layer for the right eye.
    public var rightViewID: UInt32 = 1
    /// `exponent_ref_display_width`, `mantissa_ref_display_width`
    public var width = SEINumber()
    /// `exponent_ref_viewing_distance`, `mantissa_ref_viewing_distance`
    public var viewingDistance: SEINumber?
    /// `additional_shift_present_flag`
    public var hasShift = false
    /// `num_sample_shift_plus512`
    public var shiftPlus512: UInt16?

    /// `prec_ref_display_width`, which lengths depend on.
    var widthPrecision: UInt32 = 31
    /// `prec_ref_viewing_dist`, where distances are given.
    var distancePrecision: UInt32?

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

    /// How many samples the left view is shifted to the right against the right view; 0 where nothing is said.
    public var shift: Int { shiftPlus512.map { Int($0) - 512 } ?? 0 }
    /// The width of the display in centimetres; 0 is unspecified.
    public var widthInCentimetres: Double { width.value(precision: widthPrecision) }
    /// The distance of the viewer in centimetres; 0 is unspecified.
    public var viewingDistanceInCentimetres: Double? {
      guard let distancePrecision else { return nil }
      return viewingDistance?.value(precision: distancePrecision)
    }
  }

  /// `prec_ref_display_width`
  public var widthPrecision: UInt32 = 31
  /// `ref_viewing_distance_flag`
  public var hasViewingDistance = false
  /// `prec_ref_viewing_dist`
  public var distancePrecision: UInt32?
  /// `num_ref_displays_minus1`
  public var displayCountMinus1: UInt32 = 0
  /// The displays.
  public var displays: [Display] = [Display()]
  /// `three_dimensional_reference_displays_extension_flag`
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

  public static var samples: [ThreeDimensionalReferenceDisplaysInfo] {
    var full = ThreeDimensionalReferenceDisplaysInfo()
    full.widthPrecision = 12
    full.hasViewingDistance = true
    full.distancePrecision = 9
    var display = Display()
    display.widthPrecision = 12
    display.distancePrecision = 9
    display.width = SEINumber(exponent: 36, mantissa: 74_565)
    display.viewingDistance = SEINumber(exponent: 37, mantissa: 6_844)
    display.hasShift = true
    display.shiftPlus512 = 492
    full.displays = [display]
    return [ThreeDimensionalReferenceDisplaysInfo(), full]
  }
}
