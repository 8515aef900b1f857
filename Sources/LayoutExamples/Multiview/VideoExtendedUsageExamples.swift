// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
package import Multiview

extension CameraBaselineBox: ExampleProviding {
  package static var examples: [CameraBaselineBox] {
    [CameraBaselineBox(), CameraBaselineBox(Micrometers(rawValue: 19_240))]
  }
}

extension CameraLensBox: ExampleProviding {
  package static var examples: [CameraLensBox] {
    var plain = CameraLensBox()
    plain.isFullBox = false
    return [CameraLensBox(), plain]
  }
}

extension DisparityAdjustmentBox: ExampleProviding {
  package static var examples: [DisparityAdjustmentBox] {
    [Int32(0), 200, -10_000, 10_000].map { DisparityAdjustmentBox(DisparityRatio(rawValue: $0)) }
  }
}

extension HeroEyeBox: ExampleProviding {
  package static var examples: [HeroEyeBox] {
    [HeroEye.noPreference, .left, .right, HeroEye(rawValue: 3)].map { HeroEyeBox($0) }
  }
}

extension HorizontalFieldOfViewBox: ExampleProviding {
  package static var examples: [HorizontalFieldOfViewBox] {
    [HorizontalFieldOfViewBox(), HorizontalFieldOfViewBox(Millidegrees(rawValue: 63_400))]
  }
}

extension LensDistortionsBox: ExampleProviding {
  package static var examples: [LensDistortionsBox] {
    var plain = LensDistortionsBox()
    plain.k1 = 0.5
    plain.p2 = -0.125
    var limited = plain
    limited.flags = 0x1
    limited.calibrationLimitRadialAngle = 95.5
    return [plain, limited]
  }
}

extension LensFrameAdjustmentBox: ExampleProviding {
  package static var examples: [LensFrameAdjustmentBox] {
    var sample = LensFrameAdjustmentBox()
    sample.x0 = 0.01
    sample.y2 = -0.5
    return [LensFrameAdjustmentBox(), sample]
  }
}

extension LensHeaderBox: ExampleProviding {
  package static var examples: [LensHeaderBox] {
    // The four-character codes in use are not known from any file yet: these show the layout only.
    var sample = LensHeaderBox()
    sample.lensIdentifier = 1
    sample.lensAlgorithmKind = "prim"
    sample.lensDomain = "colr"
    sample.lensRole = "left"
    return [sample]
  }
}

extension LensIntrinsicsBox: ExampleProviding {
  package static var examples: [LensIntrinsicsBox] {
    var plain = LensIntrinsicsBox()
    plain.denominatorShiftOperand = 16
    plain.focalLengthX = 1 << 26
    plain.principalPointX = 2160 << 16
    plain.principalPointY = 2160 << 16
    var skewed = plain
    skewed.flags = 0x1
    skewed.skewDenominatorShiftOperand = 20
    skewed.focalLengthY = (1 << 26) + 5
    skewed.skewFactor = -7
    var full = skewed
    full.flags = 0x3
    full.projectionOffset = 0.25
    var shifted = plain
    shifted.flags = 0x2
    shifted.projectionOffset = -1
    return [plain, skewed, full, shifted]
  }
}

extension LensOriginBox: ExampleProviding {
  package static var examples: [LensOriginBox] { [LensOriginBox()] }
}

extension LensReferenceDimensionsBox: ExampleProviding {
  package static var examples: [LensReferenceDimensionsBox] {
    var sample = LensReferenceDimensionsBox()
    sample.referenceWidth = 4320
    sample.referenceHeight = 4320
    return [sample]
  }
}

extension ProjectionInformationBox: ExampleProviding {
  package static var examples: [ProjectionInformationBox] {
    [ProjectionInformationBox(), ProjectionInformationBox(.halfEquirectangular)]
  }
}

extension ProjectionKindBox: ExampleProviding {
  package static var examples: [ProjectionKindBox] {
    var sample = ProjectionKindBox()
    sample.fields = ByteView([1, 2, 3])
    return [ProjectionKindBox(), sample]
  }
}

extension RequiredBoxTypesBox: ExampleProviding {
  package static var examples: [RequiredBoxTypesBox] {
    var sample = RequiredBoxTypesBox()
    sample.requiredBoxTypes = ["eyes", "proj"]
    return [RequiredBoxTypesBox(), sample]
  }
}

extension StereoViewInformationBox: ExampleProviding {
  package static var examples: [StereoViewInformationBox] {
    var both = StereoViewInformationBox()
    both.hasLeftEyeView = true
    both.hasRightEyeView = true
    var odd = both
    odd.eyeViewsReversed = true
    odd.hasAdditionalViews = true
    odd.reserved = 0b1010
    return [StereoViewInformationBox(), both, odd]
  }
}

extension UnitQuaternionBox: ExampleProviding {
  package static var examples: [UnitQuaternionBox] {
    var sample = UnitQuaternionBox()
    sample.x = 0.5
    sample.z = -0.25
    return [UnitQuaternionBox(), sample]
  }
}

extension ViewPackingInformationBox: ExampleProviding {
  package static var examples: [ViewPackingInformationBox] {
    [ViewPackingInformationBox(), ViewPackingInformationBox(.overUnder)]
  }
}
