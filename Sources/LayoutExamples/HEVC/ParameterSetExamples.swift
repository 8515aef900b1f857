// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import HEVC

// Parameter sets that together cover every branch of their layouts, like the examples of boxes and messages:
// `mvdump explain` lists their fields, and shows those as optional that only some of them have. Each kind has a
// plain set, one whose parts are present but empty, and sets with everything.

extension BitString {
  static func zeros(_ count: Int) -> BitString {
    var bits = BitString()
    bits.bytes = Array(repeating: 0, count: (count + 7) / 8)
    bits.bitCount = count
    return bits
  }
}

extension ProfileTier {
  /// The profile determines how the bits after the source flags are read; one profile for each form.
  static var examples: [ProfileTier] {
    ([.rangeExtensions, .screenContent, .scalable, .main, .main10] as [ProfileIdc]).map {
      profile in
      var sample = ProfileTier()
      sample.profileIdc = profile
      return sample
    }
  }
}

extension ProfileTierLevel {
  /// Without sub-layers, and with sub-layers that do or do not have a profile or level.
  static var examples: [ProfileTierLevel] {
    ProfileTier.examples.flatMap { profile in
      [0, 1, 2, 4].map { subLayers in
        var sample = ProfileTierLevel()
        sample.general = profile
        sample.maxNumSubLayersMinus1 = UInt8(subLayers)
        sample.subLayers = Array(repeating: SubLayer(), count: subLayers)
        if subLayers > 0 { sample.subLayers[0].profile = profile }
        if subLayers > 1 { sample.subLayers[1].levelIdc = Level(rawValue: 93) }
        return sample
      }
    }
  }

  /// Examples for a set with this many sub-layers.
  static func examples(subLayers: UInt8) -> [ProfileTierLevel] {
    examples.filter { $0.maxNumSubLayersMinus1 == subLayers }
  }
}

extension HRDParameters {
  /// With and without separate buffers for NAL units, slices and parts of pictures; sub-layers with a fixed rate,
  /// a rate that is fixed within a sequence, and a variable rate, with and without low delay.
  static func examples(subLayers: UInt8) -> [HRDParameters] {
    var fixed = HRDSubLayer(), within = HRDSubLayer(), variable = HRDSubLayer()
    fixed.fixedPicRateGeneralFlag = true
    fixed.cpbCntMinus1 = 1
    within.fixedPicRateWithinCvsFlag = true
    variable.lowDelayHrdFlag = true
    return [
      (nal: false, vcl: false, parts: false), (true, true, false), (false, true, true), (true, false, true),
    ].enumerated().map {
      index, has in
      var sample = HRDParameters()
      sample.maxNumSubLayersMinus1 = subLayers
      var common = HRDCommon()
      common.nalHrdParametersPresentFlag = has.nal
      common.vclHrdParametersPresentFlag = has.vcl
      common.subPicture = has.parts ? HRDCommon.SubPicture() : nil
      sample.common = common
      // Each begins with a different one of the four.
      let kinds = [fixed, within, variable, HRDSubLayer()]
      sample.subLayers = (0...Int(subLayers)).map { kinds[(index + $0) % kinds.count] }.map { subLayer in
        var subLayer = subLayer
        let schedules = Int(subLayer.cpbCntMinus1 ?? 0) + 1
        if has.nal { subLayer.nal = Array(repeating: HRDSubLayer.Schedule(), count: schedules) }
        if has.vcl { subLayer.vcl = Array(repeating: HRDSubLayer.Schedule(), count: schedules) }
        return subLayer
      }
      return sample
    }
  }
}

extension ScalingListData {
  /// Lists that are copies of others, and explicit lists.
  static var examples: [ScalingListData] {
    var referring = ScalingListData(), own = ScalingListData()
    referring.lists = Array(repeating: List(), count: 20)
    own.lists = (0..<20).map { index in
      var list = List()
      list.predMatrixIdDelta = nil
      list.deltaCoefs = Array(repeating: 0, count: index < 6 ? 16 : 64)
      return list
    }
    return [referring, own]
  }
}

extension ShortTermReferencePictureSet {
  /// Sets as in a sequence parameter set: explicit ones, and one predicted from the first.
  static var examples: [ShortTermReferencePictureSet] {
    var own = ShortTermReferencePictureSet(), more = own, predicted = own
    own.numNegativePics = 1
    own.numPositivePics = 1
    more.numNegativePics = 2
    predicted.prediction = Prediction()
    // Two pictures before the current one, both of which it uses.
    predicted.prediction?.deltaRpsSign = true
    predicted.prediction?.usedByCurrPicFlags = 0b101
    return [own, predicted, more]
  }
}

extension VUIParameters {
  fileprivate static func examples(subLayers: UInt8) -> [VUIParameters] {
    var parts = VUIParameters()
    parts.aspectRatio = AspectRatio()
    parts.overscanAppropriateFlag = true
    parts.videoSignalType = VideoSignalType()
    parts.chromaLocation = ChromaLocation()
    parts.defaultDisplayWindow = DefaultDisplayWindow()
    parts.timing = VUITiming()
    parts.bitstreamRestriction = BitstreamRestriction()
    var whole = parts
    whole.aspectRatio?.aspectRatioIdc = 255
    whole.videoSignalType?.colour = ColourDescription()
    whole.timing?.numTicksPocDiffOneMinus1 = 0
    return [VUIParameters(), parts]
      + HRDParameters.examples(subLayers: subLayers).map { hrd in
        whole.timing?.hrd = hrd
        return whole
      }
  }
}

extension SPSExtensions {
  fileprivate static var examples: [SPSExtensions] {
    var parts = SPSExtensions()
    parts.range = SPSRangeExtension()
    parts.multilayer = SPSMultilayerExtension()
    parts.threeDimensional = SPS3DExtension()
    parts.screenContent = SPSSCCExtension()
    var palette = parts
    palette.screenContent?.palette = SPSSCCExtension.Palette()
    var whole = palette
    whole.screenContent?.palette?.predictorInitializers = [[0], [0], [0]]
    whole.spsExtension4Bits = 1
    whole.spsExtensionData = .zeros(3)
    return [SPSExtensions(), parts, palette, whole]
  }
}

extension SequenceParameterSet {
  /// Sets of the base layer, and of other layers in the form that takes the format from the video parameter set.
  package static var examples: [SequenceParameterSet] {
    var samples = [0, 1, 2, 4].flatMap { subLayers in plain(subLayers: UInt8(subLayers)) }
    samples += [1, 3].flatMap { subLayers in whole(subLayers: UInt8(subLayers)) }
    // One of them ends at a byte.
    samples += (0..<8).map { bits in
      var sample = samples[0]
      sample.extensions = SPSExtensions()
      sample.extensions?.spsExtension4Bits = 1
      sample.extensions?.spsExtensionData = .zeros(bits)
      return sample
    }
    samples[0].trailing.following = ByteView([0])
    return multilayer + samples
  }

  private static func plain(subLayers: UInt8) -> [SequenceParameterSet] {
    ProfileTierLevel.examples(subLayers: subLayers).map { profile in
      var sample = SequenceParameterSet()
      sample.spsMaxSubLayersMinus1 = subLayers
      sample.spsTemporalIDNestingFlag = true
      sample.profileTierLevel = profile
      sample.pictureFormat = PictureFormat()
      sample.subLayerOrdering = [SubLayerOrdering()]
      return sample
    }
  }

  private static func whole(subLayers: UInt8) -> [SequenceParameterSet] {
    let extensions = SPSExtensions.examples, lists = ScalingListData.examples
    var sample = SequenceParameterSet()
    sample.spsMaxSubLayersMinus1 = subLayers
    sample.profileTierLevel = ProfileTierLevel()
    sample.profileTierLevel?.subLayers = Array(repeating: .init(), count: Int(subLayers))
    sample.pictureFormat = PictureFormat()
    sample.pictureFormat?.chromaFormatIdc = 3
    sample.pictureFormat?.conformanceWindow = ConformanceWindow()
    sample.log2MaxPicOrderCntLsbMinus4 = UInt32(subLayers)
    sample.spsSubLayerOrderingInfoPresentFlag = true
    sample.subLayerOrdering = Array(repeating: SubLayerOrdering(), count: Int(subLayers) + 1)
    sample.scalingListEnabledFlag = true
    sample.pcm = PCMParameters()
    sample.shortTermRefPicSets = ShortTermReferencePictureSet.examples
    sample.longTermRefPics = [LongTermRefPic()]
    return VUIParameters.examples(subLayers: subLayers).enumerated().map { index, vui in
      sample.vui = vui
      sample.extensions = extensions[index % extensions.count]
      sample.scalingListData = index % 3 < lists.count ? lists[index % 3] : nil
      // Palette entries have the bit depths of the samples.
      sample.pictureFormat?.bitDepthLumaMinus8 = UInt32(subLayers)
      return sample
    }
  }

  private static var multilayer: [SequenceParameterSet] {
    var sample = SequenceParameterSet()
    sample.nuhLayerID = 1
    sample.spsMaxSubLayersMinus1 = 7
    var own = sample
    own.spsRepFormatIdx = 1
    own.scalingListEnabledFlag = true
    own.scalingListData = ScalingListData.examples.first
    var inferred = sample
    inferred.scalingListEnabledFlag = true
    inferred.spsScalingListRefLayerID = 0
    return [sample, inferred, own]
  }
}

extension ColourMappingTable {
  fileprivate static var examples: [ColourMappingTable] {
    var coded = Coefficient()
    coded.quotient = 1
    var flat = ColourMappingTable(), deep = flat
    flat.octants = [[nil, [Coefficient(), coded, coded], nil, nil]]
    deep.cmOctantDepth = 1
    deep.lumaBitDepthCmInputMinus8 = 2
    deep.octants = flat.octants
    return [flat, deep]
  }
}

extension PPS3DExtension {
  fileprivate static var examples: [PPS3DExtension] {
    var flags = Table(), two = Table(), three = Table(), predicted = Table()
    flags.valueFlags = .zeros(256)
    two.numValDelta = 2
    two.maxDiff = 3
    two.deltaValDiffMinusMin = [0]
    three.numValDelta = 3
    three.maxDiff = 3
    three.minDiffMinus1 = 0
    three.deltaValDiffMinusMin = [0, 0]
    predicted.predFlag = true
    predicted.numValDelta = 1
    var many = three
    many.maxDiff = 9
    many.deltaValDiffMinusMin = [0, 0]
    var sample = PPS3DExtension(), deeper = PPS3DExtension()
    sample.depthLookUpTables = DepthLookUpTables()
    sample.depthLookUpTables?.tables = [nil, flags, two, three, predicted, Table()]
    deeper.depthLookUpTables = DepthLookUpTables()
    deeper.depthLookUpTables?.bitDepthForDepthLayersMinus8 = 1
    deeper.depthLookUpTables?.tables = [many]
    return [PPS3DExtension(), sample, deeper]
  }
}

extension PPSExtensions {
  fileprivate static var examples: [PPSExtensions] {
    var parts = PPSExtensions()
    parts.range = PPSRangeExtension()
    parts.multilayer = PPSMultilayerExtension()
    parts.threeDimensional = PPS3DExtension()
    parts.screenContent = PPSSCCExtension()
    var whole = parts
    whole.range?.diffCuChromaQpOffsetDepth = 0
    whole.range?.chromaQpOffsets = [.init()]
    whole.multilayer?.ppsScalingListRefLayerID = 0
    var location = PPSMultilayerExtension.ReferenceLocation()
    location.scaledRefLayerOffset = .init()
    location.refRegionOffset = .init()
    location.resamplePhaseSet = .init()
    whole.multilayer?.referenceLocations = [.init(), location]
    whole.screenContent?.colourTransform = .init()
    whole.screenContent?.paletteInitializers = .init()
    whole.ppsExtension4Bits = 1
    whole.ppsExtensionData = .zeros(3)
    let palettes: [(isMonochrome: Bool, depth: UInt32)] = [(true, 0), (false, 1)]
    return [PPSExtensions(), parts, whole]
      + palettes.enumerated().map { index, format in
        whole.multilayer?.colourMapping = ColourMappingTable.examples[index]
        whole.threeDimensional = PPS3DExtension.examples[index + 1]
        whole.screenContent?.paletteInitializers?.monochromePaletteFlag = format.isMonochrome
        whole.screenContent?.paletteInitializers?.lumaBitDepthEntryMinus8 = format.depth
        whole.screenContent?.paletteInitializers?.components =
          Array(repeating: [0], count: format.isMonochrome ? 1 : 3)
        return whole
      }
  }
}

extension PictureParameterSet {
  /// Sets with and without tiles, filters, lists and extensions.
  package static var examples: [PictureParameterSet] {
    var parts = PictureParameterSet()
    parts.diffCuQpDeltaDepth = 0
    parts.tiles = Tiles()
    parts.deblockingFilterControl = DeblockingFilterControl()
    parts.deblockingFilterControl?.filterDisabledFlag = true
    var whole = parts
    whole.transformSkipEnabledFlag = true
    whole.tiles?.uniformSpacingFlag = false
    whole.tiles?.numTileColumnsMinus1 = 1
    whole.tiles?.numTileRowsMinus1 = 1
    whole.tiles?.columnWidthMinus1 = [0]
    whole.tiles?.rowHeightMinus1 = [0]
    whole.deblockingFilterControl?.filterDisabledFlag = false
    let extensions = PPSExtensions.examples, lists = ScalingListData.examples
    // One of them ends at a byte.
    let later = (0..<8).map { bits in
      var sample = PictureParameterSet()
      sample.extensions = PPSExtensions()
      sample.extensions?.ppsExtension4Bits = 1
      sample.extensions?.ppsExtensionData = .zeros(bits)
      return sample
    }
    parts.trailing.following = ByteView([0])
    return [PictureParameterSet(), parts] + later
      + extensions.indices.map { index in
        var sample = index == 1 ? parts : whole
        sample.extensions = extensions[index]
        sample.scalingListData = lists[index % lists.count]
        return sample
      }
  }
}
