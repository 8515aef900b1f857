// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension DepthConfigurationBox: ExampleProviding {
  package static var examples: [DepthConfigurationBox] {
    var sample = DepthConfigurationBox()
    sample.record = ByteView([1, 138, 0, 40])
    return [sample]
  }
}

extension DepthResolutionBox: ExampleProviding {
  package static var examples: [DepthResolutionBox] {
    var plain = DepthResolutionBox()
    plain.width = 960
    plain.height = 540
    var position = GridPosition()
    position.viewID = 1
    position.x = -1
    var placed = plain
    var grid = Grid()
    grid.horizontalMultiplierMinus1 = 1
    grid.verticalMultiplierMinus1 = 1
    grid.positions = [position]
    placed.grid = grid
    return [plain, placed]
  }
}

extension MultiviewInformationBox: ExampleProviding {
  package static var examples: [MultiviewInformationBox] { [MultiviewInformationBox()] }
}

extension MultiviewGroupBox: ExampleProviding {
  package static var examples: [MultiviewGroupBox] {
    var sample = MultiviewGroupBox()
    sample.groupID = 1
    sample.entries = (0...4 as ClosedRange<UInt8>).map { type in
      var entry = Entry()
      entry.entryType = type
      return entry
    }
    sample.entries[1].tierID = 2
    sample.entries[3].viewCount = 3
    return [sample]
  }
}

extension MultiviewGroupRelationBox: ExampleProviding {
  package static var examples: [MultiviewGroupRelationBox] {
    var sample = MultiviewGroupRelationBox()
    sample.groupIDs = [1, 2]
    return [sample]
  }
}

extension MultiviewRelationAttributeBox: ExampleProviding {
  package static var examples: [MultiviewRelationAttributeBox] {
    var sample = MultiviewRelationAttributeBox()
    sample.commonAttributes = [Attribute()]
    sample.differentiatingAttributes = ["bitr"]
    return [sample]
  }
}

extension MultiviewSceneInfoBox: ExampleProviding {
  package static var examples: [MultiviewSceneInfoBox] { [MultiviewSceneInfoBox()] }
}

extension ViewIdentifierBox: ExampleProviding {
  package static var examples: [ViewIdentifierBox] {
    var second = View()
    second.viewID = 1
    second.viewOrderIndex = 1
    second.baseViewType = 1
    second.references = [Reference()]
    var sample = ViewIdentifierBox()
    sample.views = [View(), second]
    return [sample]
  }
}

extension ScalableConfigurationBox: ExampleProviding {
  package static var examples: [ScalableConfigurationBox] {
    var sample = ScalableConfigurationBox()
    sample.sequenceParameterSets = [ByteView([0x6F, 0x76, 0x00, 0x28])]
    sample.pictureParameterSets = [ByteView([0x68, 0xEE])]
    return [sample]
  }
}

extension OpaqueScalableConfigurationBox: ExampleProviding {
  package static var examples: [OpaqueScalableConfigurationBox] {
    var sample = OpaqueScalableConfigurationBox()
    sample.data = ByteView([1, 2, 3])
    return [sample]
  }
}

extension PriorityAssignmentBox: ExampleProviding {
  package static var examples: [PriorityAssignmentBox] {
    var sample = PriorityAssignmentBox()
    sample.uris = [TerminatedString("urn:example:priority")]
    return [sample]
  }
}

extension MPEG4ExtensionDescriptorsBox: ExampleProviding {
  package static var examples: [MPEG4ExtensionDescriptorsBox] {
    var sample = MPEG4ExtensionDescriptorsBox()
    sample.descriptors = [Descriptor(Descriptor.Tag(rawValue: 0x0C), .other(ByteView([1])))]
    return [MPEG4ExtensionDescriptorsBox(), sample]
  }
}

extension PriorityLayerInfoBox: ExampleProviding {
  package static var examples: [PriorityLayerInfoBox] {
    var sample = PriorityLayerInfoBox()
    sample.layers = [Layer()]
    return [sample]
  }
}

extension SVCMetadataConfigBox: ExampleProviding {
  package static var examples: [SVCMetadataConfigBox] {
    var statement = Statement()
    statement.namespace = TerminatedString("urn:example")
    var sample = SVCMetadataConfigBox()
    sample.statements = [statement]
    return [sample]
  }
}

extension VVCNALUnitConfigBox: ExampleProviding {
  package static var examples: [VVCNALUnitConfigBox] { [VVCNALUnitConfigBox()] }
}

extension DefaultExtractorConstructorBox: ExampleProviding {
  package static var examples: [DefaultExtractorConstructorBox] {
    var sample = DefaultExtractorConstructorBox()
    sample.entryCount = 1
    sample.constructors = ByteView([2, 0, 1, 0xAA])
    return [sample]
  }
}

extension SubTrackViewBox: ExampleProviding {
  package static var examples: [SubTrackViewBox] {
    var view = View()
    view.viewID = 1
    var sample = SubTrackViewBox()
    sample.views = [View(), view]
    return [sample]
  }
}

extension SubTrackLayerBox: ExampleProviding {
  package static var examples: [SubTrackLayerBox] {
    var sample = SubTrackLayerBox()
    sample.layers = [Layer()]
    return [sample]
  }
}

extension SubTrackMultiviewGroupBox: ExampleProviding {
  package static var examples: [SubTrackMultiviewGroupBox] {
    var sample = SubTrackMultiviewGroupBox()
    sample.groupIDs = [1]
    return [sample]
  }
}

extension SubTrackTierBox: ExampleProviding {
  package static var examples: [SubTrackTierBox] {
    var sample = SubTrackTierBox()
    sample.groupIDs = [1, 2]
    return [sample]
  }
}

extension TierInfoBox: ExampleProviding {
  package static var examples: [TierInfoBox] {
    var sample = TierInfoBox()
    sample.tierID = 1
    sample.visualWidth = 1_280
    sample.visualHeight = 720
    sample.frameRate = 7_680
    return [sample]
  }
}

extension TierBitRateBox: ExampleProviding {
  package static var examples: [TierBitRateBox] {
    var sample = TierBitRateBox()
    sample.averageBitRate = 2_000_000
    return [sample]
  }
}

extension BufferingBox: ExampleProviding {
  package static var examples: [BufferingBox] {
    var point = Point()
    point.byteRate = 250_000
    point.cpbSize = 500_000
    var sample = BufferingBox()
    sample.points = [point]
    return [sample]
  }
}

extension SampleDependencyBox: ExampleProviding {
  package static var examples: [SampleDependencyBox] {
    var second = Entry()
    second.relativeSampleNumbers = [-1]
    var sample = SampleDependencyBox()
    sample.entries = [Entry(), second]
    return [sample]
  }
}

extension TierDependencyBox: ExampleProviding {
  package static var examples: [TierDependencyBox] {
    var sample = TierDependencyBox()
    sample.tierIDs = [1, 2]
    return [sample]
  }
}

extension SVCDependencyRangeBox: ExampleProviding {
  package static var examples: [SVCDependencyRangeBox] {
    var sample = SVCDependencyRangeBox()
    sample.maximum = Layer(dependencyID: 1, temporalID: 3, qualityID: 2)
    return [sample]
  }
}

extension InitialParameterSetBox: ExampleProviding {
  package static var examples: [InitialParameterSetBox] {
    var sample = InitialParameterSetBox()
    sample.spsIndices = [1]
    sample.ppsIndices = [1, 2]
    return [sample]
  }
}

extension PriorityRangeBox: ExampleProviding {
  package static var examples: [PriorityRangeBox] {
    var sample = PriorityRangeBox()
    sample.maximumPriorityID = 20
    return [sample]
  }
}

extension TranscodingInfoBox: ExampleProviding {
  package static var examples: [TranscodingInfoBox] {
    var result = Result()
    result.profileLevelIDC = 0x4D_4028
    result.maximumBitrate = 4_000_000
    result.averageBitrate = 2_000_000
    var sample = TranscodingInfoBox()
    sample.cavlc = result
    var both = sample
    both.conversionIDC = 1
    both.cabac = result
    return [TranscodingInfoBox(), sample, both]
  }
}

extension InteractiveRegionBox: ExampleProviding {
  package static var examples: [InteractiveRegionBox] {
    var grid = InteractiveRegionBox()
    grid.gridWidth = 8
    grid.gridHeight = 4
    var region = Region()
    region.topLeft = 90
    region.width = 10
    region.height = 6
    var list = InteractiveRegionBox()
    list.regionType = 1
    list.regions = [region]
    return [grid, list]
  }
}

extension RectangularTierRegionBox: ExampleProviding {
  package static var examples: [RectangularTierRegionBox] {
    var rectangle = Rectangle()
    rectangle.x = 320
    rectangle.width = 640
    rectangle.height = 360
    var fixed = RectangularTierRegionBox()
    fixed.baseRegionTierID = 1
    fixed.rectangle = rectangle
    return [fixed, RectangularTierRegionBox()]
  }
}
