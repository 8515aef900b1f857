// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import HEVC

extension ActiveParameterSets: ExampleProviding {
  package static var examples: [ActiveParameterSets] {
    var sample = ActiveParameterSets()
    sample.idCountMinus1 = 1
    sample.sequenceParameterSetIDs = [0, 5]
    sample.layerCount = 1
    sample.layerIndices = [1]
    return [ActiveParameterSets(), sample]
  }
}

extension BufferingPeriod: ExampleProviding {
  package static var examples: [BufferingPeriod] {
    var context = SEIContext()
    var sequence = SEIContext.Sequence()
    var timing = SEIContext.Timing()
    timing.hasNALParameters = true
    timing.hasVCLParameters = true
    sequence.timing = timing
    context.sequences = [3: sequence]
    var sample = BufferingPeriod()
    sample.prepare(for: context)
    sample.sequenceParameterSetID = 3
    sample.hasAlternativeParameters = true
    sample.removalDelayOffset = 5
    sample.outputDelayOffset = 6
    var delays = Delays()
    delays.hasAlternative = true
    delays.initialRemovalDelay = 90_000
    delays.alternativeRemovalDelay = 45_000
    delays.alternativeRemovalOffset = 1
    sample.nal = [delays]
    delays.isVCL = true
    sample.vcl = [delays]
    sample.usesAlternativeParameters = false
    return [sample]
  }
}

extension MasteringDisplayColourVolume: ExampleProviding {
  package static var examples: [MasteringDisplayColourVolume] {
    var sample = MasteringDisplayColourVolume()
    sample.primaries = [
      Chromaticity(x: 13_250, y: 34_500), Chromaticity(x: 7_500, y: 3_000),
      Chromaticity(x: 34_000, y: 16_000),
    ]
    sample.whiteX = 15_635
    sample.whiteY = 16_450
    sample.maximumLuminance = 10_000_000
    sample.minimumLuminance = 1
    return [sample]
  }
}

extension ContentLightLevelInfo: ExampleProviding {
  package static var examples: [ContentLightLevelInfo] {
    var sample = ContentLightLevelInfo()
    sample.maxCLL = 1_000
    sample.maxFALL = 400
    return [sample]
  }
}

extension AlternativeTransferCharacteristics: ExampleProviding {
  package static var examples: [AlternativeTransferCharacteristics] {
    var sample = AlternativeTransferCharacteristics()
    sample.preferred = 18
    return [sample]
  }
}

extension AmbientViewingEnvironment: ExampleProviding {
  package static var examples: [AmbientViewingEnvironment] {
    var sample = AmbientViewingEnvironment()
    sample.illuminance = 314_000
    sample.lightX = 15_635
    sample.lightY = 16_450
    return [sample]
  }
}

extension ContentColourVolume: ExampleProviding {
  package static var examples: [ContentColourVolume] {
    var sample = ContentColourVolume()
    var primary = Primary()
    primary.x = -5
    sample.volume?.hasPrimaries = true
    sample.volume?.primaries = [primary, primary, Primary()]
    sample.volume?.hasMinimum = true
    sample.volume?.minimum = 1
    sample.volume?.hasMaximum = true
    sample.volume?.maximum = 10_000_000
    sample.volume?.hasAverage = true
    sample.volume?.average = 100
    var cancel = ContentColourVolume()
    cancel.cancels = true
    cancel.volume = nil
    return [sample, cancel]
  }
}

extension DecodedPictureHash: ExampleProviding {
  package static var examples: [DecodedPictureHash] {
    var md5 = DecodedPictureHash()
    md5.md5 = [MD5(), MD5(), MD5()]
    var crc = DecodedPictureHash()
    crc.hashType = 1
    crc.crc = [0x1D0F]
    var checksum = DecodedPictureHash()
    checksum.hashType = 2
    checksum.checksum = [1, 2, 0xFFFF_FFFF]
    return [md5, crc, checksum]
  }
}

extension DisplayOrientation: ExampleProviding {
  package static var examples: [DisplayOrientation] {
    var turned = DisplayOrientation()
    turned.orientation?.rotation = 0x4000
    var cancel = DisplayOrientation()
    cancel.cancels = true
    cancel.orientation = nil
    return [turned, cancel]
  }
}

extension FrameFieldInfo: ExampleProviding {
  package static var examples: [FrameFieldInfo] {
    var sample = FrameFieldInfo()
    sample.structure = 7
    sample.sourceScanType = 1
    return [sample]
  }
}

extension FramePackingArrangement: ExampleProviding {
  package static var examples: [FramePackingArrangement] {
    var plain = FramePackingArrangement()
    plain.arrangement?.contentInterpretation = 1
    plain.arrangement?.grid = Grid()
    var quincunx = FramePackingArrangement()
    quincunx.id = 7
    quincunx.arrangement?.isQuincunx = true
    var cancel = FramePackingArrangement()
    cancel.cancels = true
    cancel.arrangement = nil
    return [plain, quincunx, cancel]
  }
}

extension InterLayerConstrainedTileSets: ExampleProviding {
  package static var examples: [InterLayerConstrainedTileSets] {
    var all = InterLayerConstrainedTileSets()
    all.hasOneTilePerSet = true
    all.constraintOfAll = 2
    var listed = InterLayerConstrainedTileSets()
    listed.setCountMinus1 = 1
    listed.hasSkippedSet = true
    var set = TileSet()
    set.hasMatch = true
    set.matchesExactly = false
    listed.sets = [set]
    return [all, listed]
  }
}

extension LayersNotPresent: ExampleProviding {
  package static var examples: [LayersNotPresent] {
    var sample = LayersNotPresent()
    sample.layerCount = 3
    sample.areMissing = [false, true, true]
    return [sample]
  }
}

extension PictureTiming: ExampleProviding {
  package static var examples: [PictureTiming] {
    var sequence = SEIContext.Sequence()
    sequence.hasFrameFieldInfo = true
    var fields = PictureTiming()
    fields.sequence = sequence
    fields.structure = 9
    fields.sourceScanType = 0
    fields.isDuplicate = false
    var timing = SEIContext.Timing()
    timing.hasVCLParameters = true
    timing.hasSubPictureParameters = true
    timing.hasSubPictureTimingInPictureTiming = true
    sequence.hasFrameFieldInfo = false
    sequence.timing = timing
    sequence.sizeInCodingTreeBlocks = 9
    var timed = PictureTiming()
    timed.sequence = sequence
    timed.removalDelayMinus1 = 1
    timed.outputDelay = 2
    timed.unitOutputDelay = 3
    var units = Units()
    var unit = Unit()
    unit.nalUnitCountMinus1 = 4
    units.maximumCount = 9
    units.countMinus1 = 1
    unit.hasIncrement = true
    unit.removalDelayIncrementMinus1 = 5
    units.units = [unit, Unit()]
    timed.units = units
    return [fields, timed]
  }
}

extension RecoveryPoint: ExampleProviding {
  package static var examples: [RecoveryPoint] {
    var sample = RecoveryPoint()
    sample.orderCount = -3
    sample.isExact = true
    return [sample]
  }
}

extension RegisteredUserData: ExampleProviding {
  package static var examples: [RegisteredUserData] {
    var captions = RegisteredUserData()
    captions.data = ByteView([0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03, 0xC0])
    var extended = RegisteredUserData()
    extended.countryCode = 0xFF
    extended.countryCodeExtension = 1
    return [captions, extended]
  }
}

extension ScalableNesting: ExampleProviding {
  package static var examples: [ScalableNesting] {
    let nested = SEIMessage(SEIPayloadType(144), payload: ByteView([3, 0xE8, 1, 0x90]))
    var layers = ScalableNesting()
    layers.layers?.maxTemporalIDPlus1 = 7
    layers.layers?.countMinus1 = 1
    layers.layers?.ids = [0, 1]
    layers.zeroBits.bitCount = 3
    layers.zeroBits.bytes = [0]
    layers.messages = [nested, nested]
    var points = ScalableNesting()
    points.isForOperationPoints = true
    points.layers = nil
    points.operationPoints = OperationPoints()
    points.operationPoints?.includesDefault = true
    points.zeroBits.bitCount = 4
    points.zeroBits.bytes = [0]
    points.messages = [nested]
    return [layers, points]
  }
}

extension SubBitstreamProperty: ExampleProviding {
  package static var examples: [SubBitstreamProperty] { [SubBitstreamProperty()] }
}

extension TemporalMVPredictionConstraints: ExampleProviding {
  package static var examples: [TemporalMVPredictionConstraints] {
    var sample = TemporalMVPredictionConstraints()
    sample.usesNoPicturesOfTheLayer = true
    return [sample]
  }
}

extension TimeCode: ExampleProviding {
  package static var examples: [TimeCode] {
    var full = TimeCode()
    full.timestamps[0].clock?.isFull = true
    full.timestamps[0].clock?.seconds = 59
    full.timestamps[0].clock?.minutes = 58
    full.timestamps[0].clock?.hours = 23
    full.timestamps[0].clock?.offsetLength = 24
    full.timestamps[0].clock?.offset = -7
    var partial = TimeCode()
    partial.count = 3
    var absent = Timestamp()
    absent.isPresent = false
    absent.clock = nil
    var short = Timestamp()
    short.clock?.hasSeconds = true
    short.clock?.seconds = 4
    short.clock?.hasMinutes = false
    var none = Timestamp()
    none.clock?.hasSeconds = false
    partial.timestamps = [absent, short, none]
    return [full, partial]
  }
}

extension UnregisteredUserData: ExampleProviding {
  package static var examples: [UnregisteredUserData] {
    var sample = UnregisteredUserData()
    sample.uuid = ByteView((0...15).map { UInt8($0) })
    sample.data = ByteView([0, 0, 0, 1])
    return [sample]
  }
}
