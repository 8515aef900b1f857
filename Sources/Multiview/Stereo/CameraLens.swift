// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import ISOBMFF

/// One lens of the camera system that took the views, as the boxes in a `lens` describe it.
public struct CameraLens: Hashable, Sendable {
  /// Which lens it is and how it is described. (`lnhd`)
  public var header: LensHeaderBox?
  /// The size of the picture that the intrinsics refer to. (`rdim`)
  public var referenceDimensions: LensReferenceDimensionsBox?
  /// Focal lengths and principal point. (`lnin`)
  public var intrinsics: LensIntrinsicsBox?
  /// How the lens distorts. (`ldst`)
  public var distortions: LensDistortionsBox?
  /// Polynomials that move the points of the frame. (`lfad`)
  public var frameAdjustment: LensFrameAdjustmentBox?
  /// What its position is measured from; `blin` is the middle of the baseline. (`lnex/corg`)
  public var origin: FourCC?
  /// How it is turned. (`lnex/cxfm/uqua`)
  public var orientation: UnitQuaternionBox?
  /// The box of the lens; `nil` for a lens that was not read from a file.
  public var place: BoxPlace?

  /// A lens of which nothing is known.
  public init() {}

  /// Reads the boxes in a `lens`.
  public init(_ lens: Box, path: String = "lens") {
    header = lens.first(LensHeaderBox.self)
    referenceDimensions = lens.first(LensReferenceDimensionsBox.self)
    intrinsics = lens.first(LensIntrinsicsBox.self)
    distortions = lens.first(LensDistortionsBox.self)
    frameAdjustment = lens.first(LensFrameAdjustmentBox.self)
    let extrinsics = lens.first("lnex")
    origin = extrinsics?.first(LensOriginBox.self)?.sourceOfOrigin
    orientation = extrinsics?.first("cxfm")?.first(UnitQuaternionBox.self)
    place = BoxPlace(path: path, offset: lens.offset)
  }

  /// The values that a player needs to draw by this lens but that are missing, by the names of Core Media. WebKit's open source
  /// requires them.
  public var missing: [String] {
    var names: [String] = []
    if header == nil { names += ["LensAlgorithmKind", "LensDomain", "LensIdentifier", "LensRole"] }
    if distortions == nil { names.append("LensDistortions") }
    if intrinsics == nil { names.append("IntrinsicMatrix") }
    if intrinsics?.projectionOffset == nil { names.append("IntrinsicMatrixProjectionOffset") }
    if referenceDimensions == nil { names.append("IntrinsicMatrixReferenceDimensions") }
    if origin == nil { names.append("ExtrinsicOriginSource") }
    if orientation == nil { names.append("ExtrinsicOrientationQuaternion") }
    if frameAdjustment == nil {
      names += ["LensFrameAdjustmentsPolynomialX", "LensFrameAdjustmentsPolynomialY"]
    }
    if distortions?.calibrationLimitRadialAngle == nil { names.append("RadialAngleLimit") }
    return names
  }
}

extension CameraLens {
  /// Values with which no picture can be computed, in words.
  var impossibleValues: [String] {
    var words: [String] = []
    if let intrinsics, intrinsics.horizontalFocalLength <= 0 || intrinsics.verticalFocalLength <= 0 {
      words.append("the focal length of the lens is not greater than 0")
    }
    if let size = referenceDimensions, size.referenceWidth == 0 || size.referenceHeight == 0 {
      words.append("the picture that the intrinsics of the lens refer to has no size")
    }
    if let orientation, !orientation.isUnit {
      words.append("the rotation of the lens is longer than 1, or not a number")
    }
    return words
  }
}

extension LensIntrinsicsBox {
  private func quotient(_ numerator: Int32, _ shift: Int16) -> Double {
    Double(sign: .plus, exponent: -Int(shift), significand: Double(numerator))
  }

  /// The horizontal focal length as a number. Whether its unit is a pixel or the reference width is open.
  public var horizontalFocalLength: Double { quotient(focalLengthX, denominatorShiftOperand) }
  /// The vertical focal length as a number; the horizontal one if there is no vertical one.
  public var verticalFocalLength: Double { quotient(focalLengthY ?? focalLengthX, denominatorShiftOperand) }
  /// The skew as a number; 0 if there is none.
  public var skew: Double { quotient(skewFactor ?? 0, skewDenominatorShiftOperand) }
  /// The principal point as numbers.
  public var principalPoint: (x: Double, y: Double) {
    (quotient(principalPointX, denominatorShiftOperand), quotient(principalPointY, denominatorShiftOperand))
  }
  /// The intrinsic matrix, column by column.
  public var intrinsicMatrix: [Double] {
    let point = principalPoint
    return [horizontalFocalLength, 0, 0, skew, verticalFocalLength, 0, point.x, point.y, 1]
  }
}

extension UnitQuaternionBox {
  /// Whether the imaginary part is a number and not longer than 1, but for what rounding adds.
  fileprivate var isUnit: Bool {
    let (x, y, z) = (Double(x.value), Double(y.value), Double(z.value))
    return x * x + y * y + z * z <= 1.0001
  }

  /// The real part, which follows from the unit length and is not negative; `nil` if the imaginary part is
  /// longer than 1 or not a number.
  public var w: Double? {
    let (x, y, z) = (Double(x.value), Double(y.value), Double(z.value))
    let square = 1 - x * x - y * y - z * z
    return square >= 0 ? square.squareRoot() : nil
  }
}

extension CameraLens {
  /// The lens under the names that Core Media gives to the parts of a calibration
  /// (`kCMFormatDescriptionCameraCalibration_…`). Codes are as they are in the file.
  public var formatDescriptionEntries: [FormatDescriptionExtensions.Entry] {
    var entries: [FormatDescriptionExtensions.Entry] = []
    func add(_ key: String, _ value: FormatDescriptionExtensions.Value?) {
      if let value { entries.append(.init(.init(rawValue: key), value)) }
    }
    func numbers(_ values: [Binary32]?) -> FormatDescriptionExtensions.Value? {
      values.map { .numbers($0.map { Double($0.value) }) }
    }
    add("LensAlgorithmKind", header.map { .string("\($0.lensAlgorithmKind)") })
    add("LensDomain", header.map { .string("\($0.lensDomain)") })
    add("LensIdentifier", header.map { .integer(Int64($0.lensIdentifier)) })
    add("LensRole", header.map { .string("\($0.lensRole)") })
    add("LensDistortions", numbers(distortions.map { [$0.k1, $0.k2, $0.p1, $0.p2] }))
    add(
      "LensFrameAdjustmentsPolynomialX", numbers(frameAdjustment.map { [$0.x0, $0.x1, $0.x2] }))
    add(
      "LensFrameAdjustmentsPolynomialY", numbers(frameAdjustment.map { [$0.y0, $0.y1, $0.y2] }))
    add("RadialAngleLimit", numbers(distortions?.calibrationLimitRadialAngle.map { [$0] }))
    add("IntrinsicMatrix", intrinsics.map { .numbers($0.intrinsicMatrix) })
    add("IntrinsicMatrixProjectionOffset", numbers(intrinsics?.projectionOffset.map { [$0] }))
    add(
      "IntrinsicMatrixReferenceDimensions",
      referenceDimensions.map {
        .dictionary([
          .init(.init(rawValue: "Width"), .integer(Int64($0.referenceWidth))),
          .init(.init(rawValue: "Height"), .integer(Int64($0.referenceHeight))),
        ])
      })
    add(
      "ExtrinsicOriginSource", origin.map { .string($0 == "blin" ? "StereoCameraSystemBaseline" : "\($0)") })
    add("ExtrinsicOrientationQuaternion", numbers(orientation.map { [$0.x, $0.y, $0.z] }))
    return entries
  }
}
