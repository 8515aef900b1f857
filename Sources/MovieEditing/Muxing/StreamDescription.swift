// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import Multiview

/// The parameter sets of the access unit of a picture.
struct SetsOfPicture {
  /// The sets that the current description does not have.
  var new: [(key: StreamDescription.Key, unit: NALUnit)] = []
  /// The sets that it has.
  var repeated: [(key: StreamDescription.Key, unit: NALUnit)] = []

  /// Returns whether there is a set with a key.
  func contains(_ key: StreamDescription.Key) -> Bool {
    new.contains { $0.key == key } || repeated.contains { $0.key == key }
  }
}

/// The contents of one sample entry: the parameter sets and messages that apply to its samples.
struct StreamDescription {
  /// The key by which pictures refer to a parameter set.
  struct Key: Hashable {
    var type: UInt8
    var layerID: UInt8
    var id: UInt32
  }

  /// The index of the sample entry that the original movie has for these samples; `nil` for a stream.
  let entry: Int?
  private(set) var sets: [(key: Key, unit: NALUnit)] = []
  /// The units of messages for the configuration record.
  var messages: [NALUnit] = []
  /// The sequence parameter set of the base layer's first picture.
  var base: SequenceParameterSet?
  /// The picture parameter set of that picture.
  var basePictures: PictureParameterSet?
  /// The number of temporal sub-layers.
  var subLayers = 1
  /// The layers that have pictures.
  var layers = LayerIDSet()

  init(entry: Int? = nil) { self.entry = entry }

  subscript(key: Key) -> NALUnit? { sets.first { $0.key == key }?.unit }

  /// Returns the key of a set with the same bytes; `nil` if there is none.
  func key(of unit: NALUnit) -> Key? { sets.first { $0.unit == unit }?.key }

  mutating func add(_ key: Key, _ unit: NALUnit) {
    // The copy does not keep a whole chunk of the stream in memory.
    guard let own = NALUnit(unit.bytes.copy()) else { return }
    if let index = sets.firstIndex(where: { $0.key == key }) {
      sets[index].unit = own
    } else {
      sets.append((key, own))
    }
  }

  /// Returns the description after a change of sets at a picture at which decoding can begin: with the changed
  /// sets, and without picture parameter sets that refer to replaced sets and are not repeated.
  func changed(by new: SetsOfPicture) -> StreamDescription {
    var changed = StreamDescription(entry: entry)
    let sequence = NALUnitType.sequenceParameterSet.rawValue
    let changedSequences = Set(
      new.new.filter {
        $0.key.type == sequence && self[$0.key].map { [unit = $0.unit] in $0 != unit } ?? false
      }
      .map(\.key))
    for (key, unit) in sets {
      if key.type == NALUnitType.pictureParameterSet.rawValue, !new.contains(key),
        changedSequences.contains(
          Key(type: sequence, layerID: key.layerID, id: Self.sequenceID(ofPictureSet: unit)))
      {
        continue
      }
      changed.sets.append((key, unit))
    }
    for (key, unit) in new.new { changed.add(key, unit) }
    return changed
  }

  /// Returns whether this description has all sets of another one.
  func includes(_ other: StreamDescription) -> Bool { other.sets.allSatisfy { self[$0.key] == $0.unit } }

  /// Returns whether both have the same sets.
  func isSame(as other: StreamDescription) -> Bool {
    entry == other.entry && Set(sets.map(\.unit)) == Set(other.sets.map(\.unit))
      && messages == other.messages && base?.croppedSize == other.base?.croppedSize
  }

  /// Returns the key by which pictures refer to a set; `nil` if the set cannot be read.
  static func key(of unit: NALUnit) -> Key? {
    let id: UInt32?
    switch unit.type {
    case .videoParameterSet: id = unit.rbsp(prefix: 1)[0].map { UInt32($0 &>> 4) }
    case .sequenceParameterSet:
      var initial = SequenceParameterSet()
      initial.nuhLayerID = unit.layerID
      id = unit.rbsp.decode(initial).value.spsSeqParameterSetID
    case .pictureParameterSet: id = unit.rbsp.decode(PictureParameterSet()).value.ppsPicParameterSetID
    default: return nil
    }
    return id.map { Key(type: unit.type.rawValue, layerID: unit.layerID, id: $0) }
  }

  private static func sequenceID(ofPictureSet unit: NALUnit) -> UInt32 {
    unit.rbsp.decode(PictureParameterSet()).value.ppsSeqParameterSetID
  }
}

// MARK: - The configuration records

extension StreamDescription {
  /// The layers that the video parameter set describes, and those that have pictures; `nil` without such a set. Of other layers
  /// there may be sets too: those of the sequence before. ISO/IEC 14496-15, 9.5.3
  private var usedLayers: LayerIDSet? {
    let id = UInt32(base?.spsVideoParameterSetID ?? 0)
    guard let video = self[Key(type: NALUnitType.videoParameterSet.rawValue, layerID: 0, id: id)] else {
      return nil
    }
    let vps = video.rbsp.decode(VideoParameterSet())
    return vps.error == nil ? vps.value.layerStructure.layers.reduce(into: layers) { $0.insert($1.id) } : nil
  }

  private func array(_ type: NALUnitType, inBase: Bool) -> NALUnitArray? {
    let used: LayerIDSet? = inBase ? [0] : usedLayers
    let units = sets.filter {
      $0.unit.type == type && ($0.key.layerID == 0) == inBase && used?.contains($0.key.layerID) != false
    }.map(\.unit.bytes)
    return units.isEmpty ? nil : NALUnitArray(type, isComplete: true, units)
  }

  /// Returns the configuration record of the base layer. ISO/IEC 14496-15, 8.3.3.1
  func baseRecord() throws(EditError) -> DecoderConfigurationRecord {
    guard let base, let format = base.format, let general = base.profileTierLevel?.general,
      let level = base.profileTierLevel?.generalLevelIdc
    else { throw EditError(.damaged, "the sequence parameter set of the base layer cannot be used") }
    guard let luma = UInt8(exactly: format.bitDepthLumaMinus8),
      let chroma = UInt8(exactly: format.bitDepthChromaMinus8), luma < 8, chroma < 8
    else {
      throw EditError(
        .exceedsLimit, "the configuration record of a movie (hvcC) cannot express samples of 16 bits")
    }
    var record = DecoderConfigurationRecord()
    record.setProfile(general, level: level)
    record.minSpatialSegmentationIdc = UInt16(
      clamping: min(4095, base.vui?.bitstreamRestriction?.minSpatialSegmentationIdc ?? 0))
    record.parallelismType = record.minSpatialSegmentationIdc == 0 ? 0 : parallelism
    record.chromaFormat = UInt8(clamping: format.chromaFormatIdc)
    record.bitDepthLumaMinus8 = luma
    record.bitDepthChromaMinus8 = chroma
    record.numTemporalLayers = UInt8(clamping: min(7, subLayers))
    record.temporalIDNested = base.spsTemporalIDNestingFlag ?? false
    record.arrays =
      [NALUnitType.videoParameterSet, .sequenceParameterSet, .pictureParameterSet].compactMap {
        array($0, inBase: true)
      }
    if !messages.isEmpty {
      record.arrays.append(NALUnitArray(.prefixSEI, isComplete: true, messages.map(\.bytes)))
    }
    try check(record.arrays)
    return record
  }

  /// The kind of parallelism: wavefronts if all pictures have them, tiles if all have them, otherwise unknown.
  /// ISO/IEC 14496-15, 8.3.3.1.3
  private var parallelism: UInt8 {
    guard let pps = basePictures else { return 0 }
    switch (pps.entropyCodingSyncEnabledFlag, pps.tiles != nil) {
    case (true, false): return 3
    case (false, true): return 2
    default: return 0
    }
  }

  /// Returns the configuration record of the other layers; `nil` for a stream of one layer. ISO/IEC 14496-15, 9.5.3.1
  func layeredRecord() throws(EditError) -> LayeredConfigurationRecord? {
    let arrays = [NALUnitType.sequenceParameterSet, .pictureParameterSet].compactMap {
      array($0, inBase: false)
    }
    guard layers.highest ?? 0 > 0 || !arrays.isEmpty else { return nil }
    var record = LayeredConfigurationRecord()
    record.numTemporalLayers = UInt8(clamping: min(7, subLayers))
    record.temporalIDNested = base?.spsTemporalIDNestingFlag ?? false
    record.arrays = arrays
    try check(arrays)
    return record
  }

  private func check(_ arrays: [NALUnitArray]) throws(EditError) {
    for array in arrays {
      guard array.units.count <= Int(UInt16.max) else {
        throw EditError(.exceedsLimit, "there are too many parameter sets for a configuration record")
      }
      if let long = array.units.first(where: { $0.count > Int(UInt16.max) }) {
        throw EditError(
          .exceedsLimit,
          "a \(array.nalUnitType.name) of \(long.count) bytes at \(long.fileOffset) does not fit into a configuration record"
        )
      }
    }
  }

  /// Returns the sample entry, without tags.
  func entry(isQuickTime: Bool) throws(EditError) -> Box {
    guard let size = base?.croppedSize, let width = UInt16(exactly: size.width),
      let height = UInt16(exactly: size.height)
    else { throw EditError(.damaged, "the size of the pictures is not known") }
    var entry = VisualSampleEntry(width: width, height: height)
    if isQuickTime {
      entry.compressorName = "HEVC"
      (entry.temporalQuality, entry.spatialQuality) = (512, 512)
    }
    func box(_ type: FourCC, _ payload: any BoxPayload) -> Box {
      Box(type, payload, in: .visualSampleEntry, registry: .standard)
    }
    var children = [box("hvcC", HEVCConfigurationBox(try baseRecord()))]
    if let layered = try layeredRecord() { children.append(box("lhvC", LHEVCConfigurationBox(layered))) }
    if let signal = base?.vui?.videoSignalType,
      let colour = ColourInformationBox.box(of: signal, isQuickTime: isQuickTime)
    {
      children.append(colour)
    }
    if let display = messages.firstMessage(MasteringDisplayColourVolume.self).flatMap(
      MasteringDisplayColourVolumeBox.init)
    {
      children.append(box("mdcv", display))
    }
    if let level = messages.firstMessage(ContentLightLevelInfo.self).map(ContentLightLevelBox.init) {
      children.append(box("clli", level))
    }
    if let ratio = base?.sampleAspectRatio, ratio.width != ratio.height, ratio.width > 0, ratio.height > 0 {
      var pixel = PixelAspectRatioBox()
      (pixel.hSpacing, pixel.vSpacing) = (UInt32(ratio.width), UInt32(ratio.height))
      children.append(box("pasp", pixel))
    }
    return Box("hvc1", entry, children: children, in: .visualSampleDescription, registry: .standard)
  }
}

extension ColourInformationBox {
  /// Returns a box with the colour of the bitstream; `nil` if the bitstream does not specify it.
  static func box(of signal: VideoSignalType, isQuickTime: Bool) -> Box? {
    guard let codes = signal.colour else { return nil }
    var payload = ColourInformationBox(
      primaries: UInt16(codes.colourPrimaries), transfer: UInt16(codes.transferCharacteristics),
      matrix: UInt16(codes.matrixCoeffs), isFullRange: signal.videoFullRangeFlag)
    // The QuickTime form has no range: it implies limited range.
    if isQuickTime, !signal.videoFullRangeFlag {
      payload.colourType = "nclc"
      payload.isFullRange = nil
    }
    return Box("colr", payload, in: .visualSampleEntry, registry: .standard)
  }
}
