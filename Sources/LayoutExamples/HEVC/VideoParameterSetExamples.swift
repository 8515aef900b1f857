// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import HEVC

extension VideoParameterSet {
  /// A video of one layer, and videos of several layers with few and with all optional fields; with the base layer
  /// in the stream, and outside of it.
  package static var examples: [VideoParameterSet] {
    let plain = ProfileTierLevel.examples.map { profile in
      var sample = VideoParameterSet()
      sample.vpsMaxSubLayersMinus1 = profile.maxNumSubLayersMinus1
      sample.profileTierLevel = profile
      sample.vpsSubLayerOrderingInfoPresentFlag = profile.maxNumSubLayersMinus1 == 0
      return sample
    }
    var followed = VideoParameterSet()
    followed.trailing.following = ByteView([0])
    return plain + [followed] + timed + LayeredVideo.all.flatMap(\.samples)
  }

  private static var timed: [VideoParameterSet] {
    var sample = VideoParameterSet()
    sample.timing = VPSTiming()
    sample.vpsExtension = VPSExtension()
    sample.vpsExtension?.repFormats = RepFormat.examples
    return [sample] + [4, 6].map { timed(layerSets: $0) }
  }

  private static func timed(layerSets: Int) -> VideoParameterSet {
    var sample = VideoParameterSet()
    sample.vpsMaxSubLayersMinus1 = 3
    sample.profileTierLevel.subLayers = Array(repeating: .init(), count: 3)
    sample.subLayerOrdering = Array(repeating: SubLayerOrdering(), count: 4)
    sample.layerIDIncludedFlags = Array(repeating: [0], count: layerSets)
    sample.timing = VPSTiming()
    sample.timing?.numTicksPocDiffOneMinus1 = 0
    var hrds = HRDParameters.examples(subLayers: 3)
    hrds.append(hrds[hrds.count - 1])
    // The last set shares the common part of the previous one.
    hrds[hrds.count - 1].commonInfPresentFlag = false
    sample.timing?.hrds = hrds.map { parameters in
      var hrd = VPSTiming.HRD()
      hrd.parameters = parameters
      return hrd
    }
    return sample
  }
}

/// Four layers: layer 1 depends on the base layer, layer 2 is independent, and layer 3 depends on one or two of
/// them. The first three are separate views. Counts, and the field widths that depend on them, differ between the
/// videos.
private struct LayeredVideo {
  var isBaseInternal: Bool
  var subLayers: UInt8
  /// Whether layer 3 depends on layer 2, and lists of variable length have more elements.
  var isLarge: Bool

  static let all = [
    LayeredVideo(isBaseInternal: true, subLayers: 1, isLarge: false),
    LayeredVideo(isBaseInternal: true, subLayers: 2, isLarge: true),
    LayeredVideo(isBaseInternal: false, subLayers: 1, isLarge: false),
  ]

  var references: [LayerIDSet] { isLarge ? [[0], [], [2]] : [[0], [], [0, 1]] }
  var pairs: Int { references.reduce(0) { $0 + $1.count } }
  var layerSets: [LayerIDSet] { isLarge ? [[0, 1], [0, 2], [0, 2, 3], [0]] : [[0, 1], [0, 2]] }
  var describedLayers: Int { isBaseInternal ? 4 : 3 }

  var samples: [VideoParameterSet] {
    let described = described
    var small = described
    small.vui = VPSVUI()
    small.vui?.videoSignalInfos = Array(repeating: VideoSignalInfo(), count: describedLayers)
    var unused = small
    unused.vui?.bspHRD = BSPHRDParameters()
    unused.vui?.tilesNotInUseFlag = true
    unused.vui?.wppNotInUseFlag = true
    unused.vui?.vpsNumVideoSignalInfoMinus1 = 0
    unused.vui?.videoSignalInfos = [VideoSignalInfo()]
    var split = plain
    split.splittingFlag = true
    split.scalabilityMask = 0x4000
    let profiles = ProfileTierLevel.examples(subLayers: subLayers).map { profile in
      var sample = plain
      sample.baseLayerProfileTierLevel = isBaseInternal ? profile : nil
      return sample
    }
    return ([plain, split, small, unused, described] + profiles).map(video)
  }

  private func video(_ layers: VPSExtension) -> VideoParameterSet {
    var sample = VideoParameterSet()
    sample.vpsBaseLayerInternalFlag = isBaseInternal
    sample.vpsMaxLayersMinus1 = 3
    sample.vpsMaxSubLayersMinus1 = subLayers
    sample.profileTierLevel.subLayers = Array(repeating: .init(), count: Int(subLayers))
    sample.subLayerOrdering = Array(repeating: SubLayerOrdering(), count: Int(subLayers) + 1)
    sample.vpsMaxLayerID = 3
    sample.layerIDIncludedFlags = layerSets
    sample.vpsExtension = layers
    guard layers.vui != nil else { return sample }
    sample.vpsExtension2 = VPSExtension2()
    guard layers.numViews > 1, layers.vui?.bspHRD != nil else { return sample }
    var here = VPS3DExtension.View(), inSlices = here
    here.references = [VPS3DExtension.Reference()]
    here.cpInSliceSegmentHeaderFlag = false
    if isLarge { inSlices.references = here.references }
    inSlices.cpInSliceSegmentHeaderFlag = isLarge ? true : nil
    sample.vpsExtension2?.threeDimensional = VPS3DExtension()
    sample.vpsExtension2?.threeDimensional?.views = [here, inSlices]
    sample.vpsExtension2?.vpsExtensionData = .zeros(3)
    return sample
  }

  /// The mandatory fields.
  private var plain: VPSExtension {
    var sample = VPSExtension()
    if isBaseInternal {
      sample.baseLayerProfileTierLevel = ProfileTierLevel()
      sample.baseLayerProfileTierLevel?.subLayers = Array(repeating: .init(), count: Int(subLayers))
    }
    sample.layers = references.enumerated().map { index, references in
      var layer = VPSExtension.Layer()
      layer.layerIDInNuh = UInt8(index + 1)
      layer.directDependencyFlags = references
      return layer
    }
    sample.repFormats = [RepFormat.examples[0]]
    sample.outputLayerSets = Array(repeating: VPSExtension.OutputLayerSet(), count: layerSets.count)
    sample.dpbSize.outputLayerSets = dpbSizes(layerSets.count)
    sample.directDepTypeLenMinus2 = isLarge ? 1 : 0
    sample.directDependencyAllLayersType = 0
    return sample
  }

  private var described: VPSExtension {
    var sample = plain
    sample.scalabilityMask = 0x6000
    sample.dimensionIDLenMinus1 = [1, 0]
    sample.vpsNuhLayerIDPresentFlag = true
    for index in 0..<2 { sample.layers[index].dimensionIDs[0] = UInt8(index + 1) }
    sample.viewIDLen = isLarge ? 5 : 4
    sample.viewIDVal = [0, 1, 2]
    sample.highestLayerIdxPlus1 = [[isLarge ? 2 : 1]]
    sample.subLayersVpsMaxMinus1 = Array(repeating: subLayers, count: 4)
    sample.maxTidIlRefPicsPlus1 = Array(repeating: 7, count: pairs)
    var profiles = ProfileTierLevel.examples(subLayers: subLayers)
    if isLarge { profiles += profiles }
    profiles.append(ProfileTierLevel())
    profiles[profiles.count - 1].profilePresentFlag = false
    profiles[profiles.count - 1].subLayers = Array(repeating: .init(), count: Int(subLayers))
    sample.profileTierLevels = profiles
    sample.vpsNumProfileTierLevelMinus1 = UInt32(profiles.count + (isBaseInternal ? 1 : 0))
    sample.numAddOlss = 1
    sample.defaultOutputLayerIdc = isLarge ? 0 : 2
    // The first and the last set output only layer 1, which is predicted from another.
    sample.outputLayerSets = widths.enumerated().map { index, width in
      var set = VPSExtension.OutputLayerSet()
      set.outputLayerFlags = [0, widths.count - 1].contains(index) ? 2 : (1 << UInt64(width)) - 1
      return set
    }
    sample.outputLayerSets[widths.count - 1].layerSetIdxForOlsMinus1 = 0
    sample.repFormats = RepFormat.examples + (isLarge ? RepFormat.examples : [])
    sample.vpsRepFormatIdx = Array(repeating: 0, count: isBaseInternal ? 3 : 4)
    sample.dpbSize.outputLayerSets = dpbSizes(widths.count)
    sample.directDependencyAllLayersType = isBaseInternal ? nil : 0
    sample.directDependencyTypes = Array(repeating: 0, count: isBaseInternal ? pairs : 0)
    sample.vpsNonVUIExtensionData = [0]
    sample.vui = usability
    return sample
  }

  /// How many layers each output layer set has: those of the layer sets, of one additional set, and the first once
  /// more.
  private var widths: [Int] { layerSets.map(\.count) + [isLarge ? 2 : 1, layerSets[0].count] }

  /// For each set, the sizes for further sub-layers are present, absent, or those of the first.
  private func dpbSizes(_ count: Int) -> [DPBSize.OutputLayerSet] {
    (0..<count).map { index in
      var sizes = DPBSize.OutputLayerSet()
      sizes.subLayerFlagInfoPresentFlag = index > 0
      sizes.subLayers =
        [DPBSize.SubLayer()] + Array(repeating: index > 1 ? DPBSize.SubLayer() : nil, count: Int(subLayers))
      return sizes
    }
  }

  private var usability: VPSVUI {
    var sample = VPSVUI()
    sample.crossLayerPicTypeAlignedFlag = !isLarge && isBaseInternal
    sample.crossLayerIrapAlignedFlag = isLarge
    sample.bitRatePresentVpsFlag = isBaseInternal
    sample.picRatePresentVpsFlag = !isLarge
    var rated = VPSVUI.Rate()
    rated.avgBitRate = isBaseInternal ? 1 : nil
    rated.avgPicRate = isLarge ? nil : 1
    // For each sub-layer of all layer sets; if the base layer is external, of all except the first.
    let sets = layerSets.count + (isBaseInternal ? 2 : 1)
    sample.rates = [rated] + Array(repeating: VPSVUI.Rate(), count: sets * Int(subLayers + 1) - 1)
    sample.vpsNumVideoSignalInfoMinus1 = isLarge ? nil : 1
    sample.videoSignalInfos = Array(repeating: VideoSignalInfo(), count: isLarge ? describedLayers : 2)
    sample.vpsVideoSignalInfoIdx = isLarge ? [] : Array(repeating: 0, count: describedLayers)
    sample.tilesInUseFlags = [0, 1, 3]
    var near = VPSVUI.ReferenceRestriction(), exact = near
    near.minSpatialSegmentOffsetPlus1 = 1
    exact.minSpatialSegmentOffsetPlus1 = 1
    exact.ctuBasedOffsetEnabledFlag = true
    sample.referenceRestrictions = isBaseInternal ? Array([near, exact, .init()].prefix(pairs)) : nil
    sample.bspHRD = bitstreamPartitions
    return sample
  }

  private var bitstreamPartitions: BSPHRDParameters {
    var sample = BSPHRDParameters()
    let hrds = HRDParameters.examples(subLayers: 0) + HRDParameters.examples(subLayers: 1)
    sample.hrds = Array(hrds.prefix(isLarge ? 8 : isBaseInternal ? 4 : 1))
    if isBaseInternal, var inherited = sample.hrds.last {
      inherited.commonInfPresentFlag = false
      sample.hrds.append(inherited)
    }
    sample.outputLayerSets = widths.map { width in
      var set = BSPHRDParameters.OutputLayerSet()
      set.signalledSchemes = [[1]]
      // Each layer is a partition of its own; the coded scheme has a single partition.
      set.schedules = [width, 1].map { partitions in
        var schedule = BSPHRDParameters.Schedule()
        schedule.partitions = Array(repeating: .init(), count: partitions)
        return Array(repeating: [schedule], count: Int(subLayers) + 1)
      }
      return set
    }
    return sample
  }
}

extension RepFormat {
  fileprivate static var examples: [RepFormat] {
    var format = RepFormat(), whole = format
    format.sampleFormat = SampleFormat()
    whole.sampleFormat = SampleFormat()
    whole.sampleFormat?.chromaFormatIdc = 3
    whole.conformanceWindow = ConformanceWindow()
    return [format, whole, RepFormat()]
  }
}
