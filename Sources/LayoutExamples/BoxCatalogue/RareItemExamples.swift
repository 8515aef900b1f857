// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension CameraIntrinsicMatrixProperty: ExampleProviding {
  package static var examples: [CameraIntrinsicMatrixProperty] {
    var simple = CameraIntrinsicMatrixProperty()
    simple.flags = 16 << 8
    (simple.focalLengthX, simple.principalPointX, simple.principalPointY) = (50_000, 32_768, 32_768)
    var full = simple
    full.flags |= 1 | 8 << 16
    (full.focalLengthY, full.skewFactor) = (66_667, -1)
    return [simple, full]
  }
}

extension CameraExtrinsicMatrixProperty: ExampleProviding {
  package static var examples: [CameraExtrinsicMatrixProperty] {
    var baseline = CameraExtrinsicMatrixProperty()
    baseline.flags = 1
    baseline.positionX = 19_240
    var full = baseline
    full.flags = 0x2F
    (full.positionY, full.positionZ, full.worldCoordinateSystemID) = (0, -5, 1)
    (full.quaternionX, full.quaternionY, full.quaternionZ) = (0, -164, 0)
    var wide = full
    wide.flags = 0x3F
    wide.quaternionZ = 1 << 29
    var turned = full
    turned.version = 1
    (turned.quaternionX, turned.quaternionY, turned.quaternionZ) = (nil, nil, nil)
    turned.angles = Angles()
    turned.angles?.yaw = 90 << 16
    return [CameraExtrinsicMatrixProperty(), baseline, full, wide, turned]
  }
}

extension RequiredReferenceTypesProperty: ExampleProviding {
  package static var examples: [RequiredReferenceTypesProperty] {
    var sample = RequiredReferenceTypesProperty()
    sample.referenceTypes = ["pred", "base"]
    return [sample]
  }
}

extension UserDescriptionProperty: ExampleProviding {
  package static var examples: [UserDescriptionProperty] {
    var sample = UserDescriptionProperty()
    sample.language = TerminatedString("en")
    sample.name = TerminatedString("Lake")
    sample.tags = TerminatedString("water,sky")
    return [sample]
  }
}

extension AccessibilityTextProperty: ExampleProviding {
  package static var examples: [AccessibilityTextProperty] {
    var sample = AccessibilityTextProperty()
    sample.text = TerminatedString("A lake")
    sample.language = TerminatedString("en")
    return [sample]
  }
}

extension CreationTimeProperty: ExampleProviding {
  package static var examples: [CreationTimeProperty] {
    var sample = CreationTimeProperty()
    sample.creationTime = 3_786_825_600_000_000
    return [sample]
  }
}

extension ModificationTimeProperty: ExampleProviding {
  package static var examples: [ModificationTimeProperty] {
    var sample = ModificationTimeProperty()
    sample.modificationTime = 3_786_825_600_000_000
    return [sample]
  }
}

extension MaskConfigurationProperty: ExampleProviding {
  package static var examples: [MaskConfigurationProperty] {
    [MaskConfigurationProperty()]
  }
}

extension JPEGConfigurationProperty: ExampleProviding {
  package static var examples: [JPEGConfigurationProperty] {
    var sample = JPEGConfigurationProperty()
    sample.prefix = ByteView([0xFF, 0xD8])
    return [sample]
  }
}

extension BrandProperty: ExampleProviding {
  package static var examples: [BrandProperty] {
    var sample = BrandProperty()
    sample.compatibleBrands = ["mif1", "heic"]
    return [sample]
  }
}

extension AV1LayeredImageIndexingProperty: ExampleProviding {
  package static var examples: [AV1LayeredImageIndexingProperty] {
    var sample = AV1LayeredImageIndexingProperty()
    sample.layerSizes = [1_200, 0, 0]
    var large = sample
    large.isLarge = true
    large.layerSizes = [120_000, 80_000, 0]
    return [sample, large]
  }
}

extension AV1OperatingPointSelectorProperty: ExampleProviding {
  package static var examples: [AV1OperatingPointSelectorProperty] {
    [AV1OperatingPointSelectorProperty()]
  }
}

extension FileDeliveryItemInformationBox: ExampleProviding {
  package static var examples: [FileDeliveryItemInformationBox] { [FileDeliveryItemInformationBox()] }
}

extension FilePartitionBox: ExampleProviding {
  package static var examples: [FilePartitionBox] {
    var sample = FilePartitionBox()
    sample.itemID = 1
    sample.packetPayloadSize = 1_400
    sample.entries = [Entry()]
    var wide = sample
    wide.version = 1
    wide.itemID = 70_000
    return [sample, wide]
  }
}

extension FileReservoirBox: ExampleProviding {
  package static var examples: [FileReservoirBox] {
    var sample = FileReservoirBox()
    sample.entries = [Entry(itemID: 1, symbolCount: 40)]
    var wide = sample
    wide.version = 1
    wide.entries = [Entry(itemID: 70_000, symbolCount: 40)]
    return [sample, wide]
  }
}

extension FileDeliverySessionGroupBox: ExampleProviding {
  package static var examples: [FileDeliverySessionGroupBox] {
    var session = Session()
    session.groupIDs = [1]
    session.hintTrackIDs = [3]
    var sample = FileDeliverySessionGroupBox()
    sample.sessions = [session]
    return [sample]
  }
}

extension GroupIDToNameBox: ExampleProviding {
  package static var examples: [GroupIDToNameBox] {
    var entry = Entry()
    entry.groupID = 1
    entry.name = TerminatedString("news")
    var sample = GroupIDToNameBox()
    sample.entries = [entry]
    return [sample]
  }
}

extension PixelInformationProperty: ExampleProviding {
  package static var examples: [PixelInformationProperty] {
    var sample = PixelInformationProperty()
    sample.bitsPerChannel = [8, 8, 8]
    var extended = sample
    extended.flags = 1
    extended.rest = ByteView([0x20, 0x20, 0x20])
    return [sample, extended]
  }
}

extension ImageRotationProperty: ExampleProviding {
  package static var examples: [ImageRotationProperty] {
    var sample = ImageRotationProperty()
    sample.angle = 3
    return [sample]
  }
}

extension ImageMirrorProperty: ExampleProviding {
  package static var examples: [ImageMirrorProperty] {
    var sample = ImageMirrorProperty()
    sample.axis = 1
    return [ImageMirrorProperty(), sample]
  }
}

extension RelativeLocationProperty: ExampleProviding {
  package static var examples: [RelativeLocationProperty] {
    var sample = RelativeLocationProperty()
    sample.horizontalOffset = 512
    return [sample]
  }
}

extension LayerSelectorProperty: ExampleProviding {
  package static var examples: [LayerSelectorProperty] {
    var sample = LayerSelectorProperty()
    sample.layerID = 1
    return [sample]
  }
}

extension TargetOutputLayerSetProperty: ExampleProviding {
  package static var examples: [TargetOutputLayerSetProperty] {
    var sample = TargetOutputLayerSetProperty()
    sample.targetOutputLayerSetIndex = 1
    return [sample]
  }
}

extension ImageScalingProperty: ExampleProviding {
  package static var examples: [ImageScalingProperty] {
    var sample = ImageScalingProperty()
    sample.targetWidthDenominator = 2
    return [sample]
  }
}

extension MD5IntegrityBox: ExampleProviding {
  package static var examples: [MD5IntegrityBox] {
    var ofSamples = MD5IntegrityBox()
    ofSamples.input = "sgpd"
    var groups = Groups()
    groups.descriptionIndices = [1, 2]
    ofSamples.groups = groups
    var parameter = ofSamples
    parameter.flags = 1
    groups.groupingTypeParameter = 4
    parameter.groups = groups
    return [MD5IntegrityBox(), ofSamples, parameter]
  }
}

extension MinimizedImageBox: ExampleProviding {
  package static var examples: [MinimizedImageBox] {
    var sample = MinimizedImageBox()
    sample.data = ByteView([0x08, 0x08, 0x3F])
    return [sample]
  }
}

extension SampleGroupProperty: ExampleProviding {
  package static var examples: [SampleGroupProperty] {
    info.types.compactMap { type in
      guard let example = SampleGroupEntryRegistry.standard[type]?.examples.first else { return nil }
      var sample = SampleGroupProperty()
      sample.content = example
      return sample
    }
  }
}

extension WipeTransitionProperty: ExampleProviding {
  package static var examples: [WipeTransitionProperty] {
    [WipeTransitionProperty()]
  }
}

extension ZoomTransitionProperty: ExampleProviding {
  package static var examples: [ZoomTransitionProperty] {
    [ZoomTransitionProperty()]
  }
}

extension FadeTransitionProperty: ExampleProviding {
  package static var examples: [FadeTransitionProperty] {
    [FadeTransitionProperty()]
  }
}

extension SplitTransitionProperty: ExampleProviding {
  package static var examples: [SplitTransitionProperty] {
    [SplitTransitionProperty()]
  }
}

extension SuggestedTransitionPeriodProperty: ExampleProviding {
  package static var examples: [SuggestedTransitionPeriodProperty] {
    [SuggestedTransitionPeriodProperty()]
  }
}

extension SuggestedDisplayDurationProperty: ExampleProviding {
  package static var examples: [SuggestedDisplayDurationProperty] {
    [SuggestedDisplayDurationProperty()]
  }
}

extension ComponentDefinitionBox: ExampleProviding {
  package static var examples: [ComponentDefinitionBox] {
    var other = Component(0x8000)
    other.typeURI = TerminatedString("urn:example:heat")
    var sample = ComponentDefinitionBox()
    sample.components = [Component(4), Component(5), Component(6), other]
    return [sample]
  }
}

extension UncompressedFrameConfigBox: ExampleProviding {
  package static var examples: [UncompressedFrameConfigBox] {
    var sample = UncompressedFrameConfigBox()
    sample.profile = "rgb3"
    var details = Details()
    details.components = [Component(), Component(), Component()]
    details.tileColumnsMinus1 = 3
    sample.details = details
    var short = UncompressedFrameConfigBox()
    short.version = 1
    short.profile = "rgba"
    short.details = nil
    return [sample, short]
  }
}

extension GenericCompressionConfigBox: ExampleProviding {
  package static var examples: [GenericCompressionConfigBox] { [GenericCompressionConfigBox()] }
}

extension CompressedUnitsItemBox: ExampleProviding {
  package static var examples: [CompressedUnitsItemBox] {
    var sizes = CompressedUnitsItemBox()
    sizes.units = [Unit(size: 900), Unit(size: 70_000)]
    var offsets = CompressedUnitsItemBox()
    offsets.offsetCode = 4
    offsets.sizeCode = 0
    offsets.units = [Unit(offset: 0, size: 200)]
    return [sizes, offsets]
  }
}

extension CompressedRangesBox: ExampleProviding {
  package static var examples: [CompressedRangesBox] { [CompressedRangesBox()] }
}
