// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// `multiview_acquisition_info` (179): the focal lengths, positions and orientations of the cameras.
/// ISO/IEC 23008-2, G.14.2.6
public struct MultiviewAcquisitionInfo: SEIPayload {
  public static let payloadType = SEIPayloadType(179)
  public static let specification: StaticString = "ISO/IEC 23008-2, G.14.2.6"
  public static let summary: StaticString = "The focal lengths, positions and orientations of the cameras."

  /// The intrinsic parameters of a camera: how it projects onto the picture.
  public struct Intrinsic: FieldLayout {
    /// The horizontal focal length.
    public var focalLengthX = SEINumber()
    /// The vertical focal length.
    public var focalLengthY = SEINumber()
    /// The horizontal position of the principal point.
    public var principalPointX = SEINumber()
    /// The vertical position of the principal point.
    public var principalPointY = SEINumber()
    /// The skew factor.
    public var skewFactor = SEINumber()
    package var precisions: (focal: UInt32, principal: UInt32, skew: UInt32) {
      get { (focalPrecision, principalPrecision, skewPrecision) }
      set { (focalPrecision, principalPrecision, skewPrecision) = newValue }
    }
    private var focalPrecision: UInt32 = 0
    private var principalPrecision: UInt32 = 0
    private var skewPrecision: UInt32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      try c.number(
        "sign_focal_length_x", "exponent_focal_length_x", "mantissa_focal_length_x", &focalLengthX,
        precision: focalPrecision)
      try c.number(
        "sign_focal_length_y", "exponent_focal_length_y", "mantissa_focal_length_y", &focalLengthY,
        precision: focalPrecision)
      try c.number(
        "sign_principal_point_x", "exponent_principal_point_x", "mantissa_principal_point_x",
        &principalPointX, precision: principalPrecision)
      try c.number(
        "sign_principal_point_y", "exponent_principal_point_y", "mantissa_principal_point_y",
        &principalPointY, precision: principalPrecision)
      try c.number(
        "sign_skew_factor", "exponent_skew_factor", "mantissa_skew_factor", &skewFactor,
        precision: skewPrecision)
    }
  }

  /// One row of a camera's rotation matrix, and its position along the same axis.
  public struct Row: FieldLayout {
    /// The row of the rotation matrix.
    public var rotation = [SEINumber](repeating: SEINumber(), count: 3)
    /// The position along the axis.
    public var translation = SEINumber()
    package var rotationPrecision: UInt32 = 0
    package var translationPrecision: UInt32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      let precision = rotationPrecision
      try c.array("rotation", &rotation, count: 3, minimumBits: 7, new: SEINumber()) {
        c, number throws(ParseError) in
        try c.number("sign_r", "exponent_r", "mantissa_r", &number, precision: precision)
      }
      try c.number("sign_t", "exponent_t", "mantissa_t", &translation, precision: translationPrecision)
    }
  }

  /// The extrinsic parameters of a camera: its position and direction.
  public struct Extrinsic: FieldLayout {
    /// The rows, one for each axis.
    public var rows = [Row](repeating: Row(), count: 3)
    package var rotationPrecision: UInt32 = 0
    package var translationPrecision: UInt32 = 0

    public init() {}

    public mutating func layout(_ c: inout some Coder) throws(ParseError) {
      let (rotation, translation) = (rotationPrecision, translationPrecision)
      try c.array("rows", &rows, count: 3, minimumBits: 28, new: Row()) { c, row throws(ParseError) in
        (row.rotationPrecision, row.translationPrecision) = (rotation, translation)
        c.beginStructure("row")
        try row.layout(&c)
        c.endScope()
      }
    }
  }

  /// Whether intrinsic parameters are given (`intrinsic_param_flag`).
  public var hasIntrinsic = false
  /// Whether extrinsic parameters are given (`extrinsic_param_flag`).
  public var hasExtrinsic = false
  /// Whether all cameras have the same intrinsic parameters; `nil` if absent (`intrinsic_params_equal_flag`).
  public var intrinsicIsEqual: Bool?
  /// The precision exponent of focal lengths; `nil` if absent (`prec_focal_length`).
  public var focalPrecision: UInt32?
  /// The precision exponent of principal points; `nil` if absent (`prec_principal_point`).
  public var principalPrecision: UInt32?
  /// The precision exponent of skew factors; `nil` if absent (`prec_skew_factor`).
  public var skewPrecision: UInt32?
  /// The intrinsic parameters of each view, or one entry for all.
  public var intrinsics: [Intrinsic] = []
  /// The precision exponent of rotations; `nil` if absent (`prec_rotation_param`).
  public var rotationPrecision: UInt32?
  /// The precision exponent of translations; `nil` if absent (`prec_translation_param`).
  public var translationPrecision: UInt32?
  /// The extrinsic parameters of each view; some encoders write fewer than there are views.
  public var extrinsics: [Extrinsic] = []
  /// The number of views, which is not in the message; `nil` if unknown.
  var viewCount: Int?

  public init() {}

  public mutating func prepare(for context: SEIContext) { viewCount = context.video?.viewCount }

  public mutating func layout(_ c: inout some Coder) throws(ParseError) {
    try c.flag("intrinsic_param_flag", &hasIntrinsic)
    try c.flag("extrinsic_param_flag", &hasExtrinsic)
    try c.flag("intrinsic_params_equal_flag", &intrinsicIsEqual, if: hasIntrinsic)
    try c.ue("prec_focal_length", &focalPrecision, if: hasIntrinsic, in: 0...31)
    try c.ue("prec_principal_point", &principalPrecision, if: hasIntrinsic, in: 0...31)
    try c.ue("prec_skew_factor", &skewPrecision, if: hasIntrinsic, in: 0...31)
    if hasIntrinsic { try layoutIntrinsics(&c) }
    try c.ue("prec_rotation_param", &rotationPrecision, if: hasExtrinsic, in: 0...31)
    try c.ue("prec_translation_param", &translationPrecision, if: hasExtrinsic, in: 0...31)
    if hasExtrinsic { try layoutExtrinsics(&c) }
  }

  private mutating func layoutIntrinsics(_ c: inout some Coder) throws(ParseError) {
    let areEqual = intrinsicIsEqual ?? false
    guard areEqual || viewCount != nil || !c.isDecoding else {
      throw c.failure(.missing("the number of views"), "focal_length")
    }
    var new = Intrinsic()
    new.precisions = (focalPrecision ?? 0, principalPrecision ?? 0, skewPrecision ?? 0)
    let count = areEqual ? 1 : min(63, viewCount ?? intrinsics.count)
    try c.array("intrinsics", &intrinsics, count: count, minimumBits: 35, new: new) {
      c, camera throws(ParseError) in
      c.beginStructure("intrinsic")
      try camera.layout(&c)
      c.endScope()
    }
  }

  private mutating func layoutExtrinsics(_ c: inout some Coder) throws(ParseError) {
    var new = Extrinsic()
    new.rotationPrecision = rotationPrecision ?? 0
    new.translationPrecision = translationPrecision ?? 0
    // The end of the payload ends the loop, too: x265 writes the first camera only.
    c.beginArray("extrinsics", count: 0)
    var index = 0
    var isPresent = index < extrinsics.count || c.isDecoding
    if c.isDecoding { extrinsics.removeAll() }
    while isPresent {
      if index == extrinsics.count { extrinsics.append(new) }
      try c.group("extrinsic", &extrinsics[index])
      index += 1
      isPresent = index < extrinsics.count
      if index < min(63, viewCount ?? 63) { c.presence(&isPresent, whenBitsLeft: 84) }
    }
    c.endScope()
  }
}
