// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import HEVC

extension AlphaChannelInfo: ExampleProviding {
  package static var examples: [AlphaChannelInfo] {
    var clipped = AlphaChannelInfo()
    clipped.use?.bitDepthMinus8 = 2
    clipped.use?.opaqueValue = 1_023
    clipped.use?.clips = true
    clipped.use?.clipType = true
    var cancel = AlphaChannelInfo()
    cancel.cancels = true
    cancel.use = nil
    return [AlphaChannelInfo(), clipped, cancel]
  }
}

extension DepthRepresentationInfo: ExampleProviding {
  package static var examples: [DepthRepresentationInfo] {
    var sample = DepthRepresentationInfo()
    sample.hasNear = true
    sample.hasMaximumDisparity = true
    sample.type = 3
    sample.disparityReferenceViewID = 1
    var element = Element()
    element.exponent = 33
    element.mantissaLengthMinus1 = 31
    element.mantissa = 0x8000_0000
    sample.near = element
    sample.maximumDisparity = Element()
    sample.modelCountMinus1 = 1
    sample.model = [5, 6]
    return [DepthRepresentationInfo(), sample]
  }
}

extension MultiviewAcquisitionInfo: ExampleProviding {
  package static var examples: [MultiviewAcquisitionInfo] {
    var sample = MultiviewAcquisitionInfo()
    sample.hasIntrinsic = true
    sample.hasExtrinsic = true
    sample.intrinsicIsEqual = true
    sample.focalPrecision = 31
    sample.principalPrecision = 31
    sample.skewPrecision = 31
    var camera = Intrinsic()
    camera.precisions = (31, 31, 31)
    camera.focalLengthX = SEINumber(exponent: 40, mantissa: 1 << 39, isNegative: true)
    sample.intrinsics = [camera]
    sample.rotationPrecision = 0
    sample.translationPrecision = 20
    var place = Extrinsic()
    (place.rotationPrecision, place.translationPrecision) = (0, 20)
    for row in 0..<3 { (place.rows[row].rotationPrecision, place.rows[row].translationPrecision) = (0, 20) }
    // Mantissas of rotations: 32 bits at the exponent 32 and a precision of 31.
    var turned = sample
    turned.rotationPrecision = 31
    var turnedPlace = Extrinsic()
    (turnedPlace.rotationPrecision, turnedPlace.translationPrecision) = (31, 20)
    for row in 0..<3 {
      (turnedPlace.rows[row].rotationPrecision, turnedPlace.rows[row].translationPrecision) = (31, 20)
      turnedPlace.rows[row].rotation[row] = SEINumber(exponent: 32, mantissa: 1 << 31)
      turnedPlace.rows[row].translation = SEINumber(exponent: 31, mantissa: 5, isNegative: true)
    }
    turned.extrinsics = [turnedPlace]
    sample.extrinsics = [place, place]
    return [MultiviewAcquisitionInfo(), sample, turned]
  }
}

extension MultiviewSceneInfo: ExampleProviding {
  package static var examples: [MultiviewSceneInfo] {
    var sample = MultiviewSceneInfo()
    sample.minimumDisparity = -333
    sample.disparityRange = 2_047
    return [sample]
  }
}

extension MultiviewViewPosition: ExampleProviding {
  package static var examples: [MultiviewViewPosition] {
    var sample = MultiviewViewPosition()
    sample.viewCountMinus1 = 1
    sample.positions = [1, 0]
    return [sample]
  }
}

extension EquirectangularProjection: ExampleProviding {
  package static var examples: [EquirectangularProjection] {
    var banded = EquirectangularProjection()
    banded.projection?.hasGuardBand = true
    banded.projection?.guardBand = GuardBand()
    var cancel = EquirectangularProjection()
    cancel.cancels = true
    cancel.projection = nil
    return [EquirectangularProjection(), banded, cancel]
  }
}

extension CubemapProjection: ExampleProviding {
  package static var examples: [CubemapProjection] {
    var cancel = CubemapProjection()
    cancel.cancels = true
    cancel.persists = nil
    return [CubemapProjection(), cancel]
  }
}

extension SphereRotation: ExampleProviding {
  package static var examples: [SphereRotation] {
    var turned = SphereRotation()
    turned.rotation?.yaw = -90 << 16
    var cancel = SphereRotation()
    cancel.cancels = true
    cancel.rotation = nil
    return [turned, cancel]
  }
}

extension OmniViewport: ExampleProviding {
  package static var examples: [OmniViewport] {
    var cancel = OmniViewport()
    cancel.id = 1_023
    cancel.cancels = true
    cancel.viewports = nil
    return [OmniViewport(), cancel]
  }
}

extension OverlayInfo: ExampleProviding {
  package static var examples: [OverlayInfo] {
    var sample = OverlayInfo()
    var overlay = Overlay()
    overlay.hasLanguage = true
    overlay.contentLayerID = 2
    overlay.hasLabel = true
    overlay.labelLayerID = 3
    overlay.hasAlpha = true
    overlay.alphaLayerID = 4
    overlay.elementCountMinus1 = 0
    overlay.elements = [Element()]
    var names = Names()
    names.hasLanguage = true
    names.elementCount = 1
    names.language = TerminatedString("en")
    names.name = TerminatedString("title")
    names.elements = [TerminatedString("a")]
    sample.overlays?.overlays = [overlay]
    sample.overlays?.names = [names]
    sample.overlays?.zeroBits.bitCount = 3
    sample.overlays?.zeroBits.bytes = [0]
    var cancel = OverlayInfo()
    cancel.cancels = true
    cancel.overlays = nil
    return [sample, cancel]
  }
}

extension RegionwisePacking: ExampleProviding {
  package static var examples: [RegionwisePacking] {
    var sample = RegionwisePacking()
    var banded = Region()
    banded.hasGuardBand = true
    banded.guardBand = GuardBand()
    sample.packing?.count = 2
    sample.packing?.regions = [Region(), banded]
    var cancel = RegionwisePacking()
    cancel.cancels = true
    cancel.packing = nil
    return [sample, cancel]
  }
}

extension ThreeDimensionalReferenceDisplaysInfo: ExampleProviding {
  package static var examples: [ThreeDimensionalReferenceDisplaysInfo] {
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
