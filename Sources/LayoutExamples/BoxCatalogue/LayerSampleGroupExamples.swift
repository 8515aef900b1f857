// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import BoxCatalogue
import ByteCoding
import ISOBMFF

extension OperatingPointsInformationEntry: ExampleProviding {
  package static var examples: [OperatingPointsInformationEntry] {
    var sample = OperatingPointsInformationEntry()
    sample.record = .example
    return [sample, OperatingPointsInformationEntry()]
  }
}

extension LayerInformationEntry: ExampleProviding {
  package static var examples: [LayerInformationEntry] {
    var second = Layer()
    second.layerID = 1
    second.isComplete = true
    var sample = LayerInformationEntry()
    sample.layers = [Layer(), second]
    return [sample]
  }
}

extension TemporalLayerEntry: ExampleProviding {
  package static var examples: [TemporalLayerEntry] {
    var sample = TemporalLayerEntry()
    sample.compatibilityFlags = 0x6000_0000
    sample.constraintFlags = 0x9000_0000_0000
    sample.levelIDC = 93
    sample.averageFrameRate = 7_680
    return [sample]
  }
}

extension ExternalBaseLayerEntry: ExampleProviding {
  package static var examples: [ExternalBaseLayerEntry] {
    var sample = ExternalBaseLayerEntry()
    sample.isIRAP = true
    sample.nalUnitType = 21
    sample.sampleOffset = -1
    return [sample]
  }
}

extension OperatingPointDecodeTimeHintEntry: ExampleProviding {
  package static var examples: [OperatingPointDecodeTimeHintEntry] {
    var sample = OperatingPointDecodeTimeHintEntry()
    sample.deltaTime = -20
    return [sample]
  }
}

extension RectangularRegionEntry: ExampleProviding {
  package static var examples: [RectangularRegionEntry] {
    var whole = RectangularRegionEntry()
    var region = Region()
    region.width = 3_840
    region.height = 1_920
    whole.region = region
    var part = whole
    region.independentIDC = 2
    region.offset = Offset()
    region.dependencies = [2, 3]
    part.region = region
    return [RectangularRegionEntry(), whole, part]
  }
}

extension NALUnitMapEntry: ExampleProviding {
  package static var examples: [NALUnitMapEntry] {
    var each = NALUnitMapEntry()
    each.entries = [Entry(groupID: 1), Entry(groupID: 2)]
    var runs = NALUnitMapEntry()
    runs.isRunLength = true
    runs.entries = [Entry(groupID: 1, startNumber: 1), Entry(groupID: 0, startNumber: 4)]
    var large = runs
    large.isLarge = true
    return [each, runs, large]
  }
}

extension AccessUnitDelimiterEntry: ExampleProviding {
  package static var examples: [AccessUnitDelimiterEntry] {
    var sample = AccessUnitDelimiterEntry()
    sample.nalUnit = 0x00A138
    return [sample]
  }
}

extension EndOfSequenceEntry: ExampleProviding {
  package static var examples: [EndOfSequenceEntry] {
    var sample = EndOfSequenceEntry()
    sample.nalUnits = [0x00A9, 0x08A9]
    return [EndOfSequenceEntry(), sample]
  }
}

extension EndOfBitstreamEntry: ExampleProviding {
  package static var examples: [EndOfBitstreamEntry] { [EndOfBitstreamEntry()] }
}

extension ParameterSetEntry: ExampleProviding {
  package static var examples: [ParameterSetEntry] {
    var sample = ParameterSetEntry()
    sample.nalUnit = ByteView([0x00, 0x81, 0x10])
    return [sample]
  }
}

extension ParameterSetPresenceEntry: ExampleProviding {
  package static var examples: [ParameterSetPresenceEntry] {
    var sample = ParameterSetPresenceEntry()
    sample.hasPPS = true
    return [sample]
  }
}

extension ScalableNALUnitMapEntry: ExampleProviding {
  package static var examples: [ScalableNALUnitMapEntry] {
    var sample = ScalableNALUnitMapEntry()
    sample.groupIDs = [1, 1, 2]
    return [sample]
  }
}

extension AVCLayerEntry: ExampleProviding {
  package static var examples: [AVCLayerEntry] {
    var sample = AVCLayerEntry()
    sample.isAccurate = true
    sample.averageBitRate = 900
    sample.averageFrameRate = 6_400
    return [sample]
  }
}

extension AVCSubSequenceEntry: ExampleProviding {
  package static var examples: [AVCSubSequenceEntry] {
    var sample = AVCSubSequenceEntry()
    sample.duration = 90_000
    sample.rate = Rate()
    sample.dependencies = [Dependency()]
    return [AVCSubSequenceEntry(), sample]
  }
}

extension DecodeRetimingEntry: ExampleProviding {
  package static var examples: [DecodeRetimingEntry] {
    var tier = Tier()
    tier.tierID = 1
    tier.delta = -40
    var sample = DecodeRetimingEntry()
    sample.tiers = [tier]
    return [sample]
  }
}

extension ScalableGroupEntry: ExampleProviding {
  package static var examples: [ScalableGroupEntry] {
    var sample = ScalableGroupEntry()
    sample.isTierIDR = true
    var unknown = EnclosedBox("abcd", inEntryOf: "scif")
    unknown.rest = ByteView([1, 2])
    sample.boxes = [
      EnclosedBox("tiri", TierInfoBox(), inEntryOf: "scif"),
      EnclosedBox("svdr", SVCDependencyRangeBox(), inEntryOf: "scif"),
      EnclosedBox("svpr", PriorityRangeBox(), inEntryOf: "scif"), unknown,
    ]
    return [sample]
  }
}

extension MultiviewGroupEntry: ExampleProviding {
  package static var examples: [MultiviewGroupEntry] {
    var member = MultiviewGroupEntry()
    member.primaryGroupID = 1
    var definition = MultiviewGroupEntry()
    definition.boxes = [EnclosedBox("vwid", ViewIdentifierBox(), inEntryOf: "mvif")]
    return [member, definition]
  }
}

extension ViewPriorityEntry: ExampleProviding {
  package static var examples: [ViewPriorityEntry] { [ViewPriorityEntry()] }
}

extension VVCMixedNALUnitTypesEntry: ExampleProviding {
  package static var examples: [VVCMixedNALUnitTypesEntry] {
    var sample = VVCMixedNALUnitTypesEntry()
    sample.pairs = [Pair()]
    sample.flagBitPosition = 13
    return [sample]
  }
}

extension VVCSubpictureIDEntry: ExampleProviding {
  package static var examples: [VVCSubpictureIDEntry] {
    var continuous = VVCSubpictureIDEntry()
    continuous.isContinuous = true
    continuous.subpictures = [Subpicture(subpictureID: 4)]
    continuous.impliedSubpictureCount = 2
    var regions = VVCSubpictureIDEntry()
    regions.isRectangularRegion = true
    regions.subpictures = [Subpicture(subpictureID: 0, groupID: 1), Subpicture(subpictureID: 9, groupID: 2)]
    return [VVCSubpictureIDEntry(), continuous, regions]
  }
}

extension VVCSubpictureOrderEntry: ExampleProviding {
  package static var examples: [VVCSubpictureOrderEntry] {
    var sample = VVCSubpictureOrderEntry()
    sample.trackReferenceIndices = [1, 2]
    var rewriting = sample
    rewriting.hasRewritingInformation = true
    rewriting.rewritingInformation = ByteView([1, 2, 3])
    return [sample, rewriting]
  }
}

extension SubpictureLevelEntry: ExampleProviding {
  package static var examples: [SubpictureLevelEntry] { [SubpictureLevelEntry()] }
}

extension VVCSubpictureLayoutMapEntry: ExampleProviding {
  package static var examples: [VVCSubpictureLayoutMapEntry] {
    var sample = VVCSubpictureLayoutMapEntry()
    sample.groupIDs = [1, 2]
    return [sample]
  }
}

extension RectangularRegionOrderEntry: ExampleProviding {
  package static var examples: [RectangularRegionOrderEntry] {
    var set = AlternateSet()
    set.setID = 1
    set.groupIDs = [3, 4]
    var sample = RectangularRegionOrderEntry()
    sample.alternateSets = [set]
    sample.regionIDs = [1, 2]
    var rewriting = RectangularRegionOrderEntry()
    rewriting.hasRewritingInformation = true
    rewriting.rewritingInformation = ByteView([1])
    return [sample, rewriting]
  }
}

extension VVCOperatingPointsEntry: ExampleProviding {
  package static var examples: [VVCOperatingPointsEntry] {
    var sample = VVCOperatingPointsEntry()
    sample.record = ByteView([0, 1, 2])
    return [sample]
  }
}

extension OperatingPointsRecord {
  /// Two views: the second depends on the first.
  fileprivate static var example: OperatingPointsRecord {
    var record = OperatingPointsRecord()
    record.scalabilityMask = 2
    var main = ProfileTierLevel()
    main.levelIDC = 93
    var multiview = main
    multiview.profileIDC = 6
    record.profileTierLevels = [main, multiview]
    var base = Layer()
    base.ptlIndex = 1
    base.isOutputLayer = true
    var second = base
    second.ptlIndex = 2
    second.layerID = 1
    var point = OperatingPoint()
    point.outputLayerSetIndex = 1
    point.layers = [base, second]
    point.minimumPictureWidth = 1_920
    point.minimumPictureHeight = 1_080
    point.maximumPictureWidth = 1_920
    point.maximumPictureHeight = 1_080
    var measured = point
    var frames = FrameRate()
    frames.averageFrameRate = 7_680
    frames.constantFrameRate = 1
    measured.frameRate = frames
    var bits = BitRate()
    bits.maximum = 8_000_000
    bits.average = 5_800_000
    measured.bitRate = bits
    record.operatingPoints = [point, measured]
    var baseView = Dependency()
    baseView.dimensionIdentifiers = [0]
    var secondView = Dependency()
    secondView.layerID = 1
    secondView.dependsOn = [0]
    secondView.dimensionIdentifiers = [1]
    record.dependencies = [baseView, secondView]
    return record
  }
}
