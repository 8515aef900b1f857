// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

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
