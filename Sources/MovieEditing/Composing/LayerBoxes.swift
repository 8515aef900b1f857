// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import Multiview

// Changes of the boxes of a track that describe its layers, when layers are split, merged or removed.

extension Box {
  /// Refuses tables of sub-samples, because the samples are going to have other sizes.
  mutating func checkHasNoParts() throws(ParseError) {
    try editSampleTable { (tables) throws(ParseError) in
      guard let box = tables.first(where: { $0.type == "subs" }) else { return }
      throw ParseError(
        .invalid("lists the sizes of parts of samples, which would no longer be correct"), offset: box.offset,
        path: "stbl/subs")
    }
  }

  /// Changes the sample entries of a track.
  mutating func editSampleEntries(
    _ change: (_ index: Int, inout Box) throws(ParseError) -> Void
  ) throws(ParseError) {
    try editSampleTable { (tables) throws(ParseError) in
      for table in tables.indices where tables[table].type == "stsd" {
        for entry in tables[table].children.indices { try change(entry, &tables[table].children[entry]) }
      }
    }
  }

  /// The grouping type of a box of sample groups; `nil` for other boxes.
  var groupingType: FourCC? {
    payload(SampleGroupDescriptionBox.self)?.groupingType ?? payload(SampleToGroupBox.self)?.groupingType
      ?? payload(CompactSampleToGroupBox.self)?.groupingType
  }

  /// Removes the references between tracks with layers of one stream.
  mutating func removeLayerReferences() {
    editAll("tref") { tref in tref.children.removeAll { ["sbas", "oref", "scal"].contains($0.type) } }
    children.removeAll { $0.type == "tref" && $0.children.isEmpty }
  }
}

extension [Box] {
  /// The layers that a track declares (`linf`); `nil` if it has no or several declarations. ISO/IEC 14496-15, 9.6.3
  var layerInformation: [LayerInformationEntry.Layer]? {
    let boxes = compactMap { $0.payload(SampleGroupDescriptionBox.self) }.filter { $0.groupingType == "linf" }
    guard let box = boxes.first, boxes.count == 1, box.entries.count == 1 else { return nil }
    return (box.entries.first?.content as? LayerInformationEntry)?.layers
  }

  /// Replaces the layers that a track declares (`linf`), if it declares any.
  mutating func setLayerInformation(_ layers: [LayerInformationEntry.Layer]) {
    guard layerInformation != nil,
      let index = firstIndex(where: { $0.payload(SampleGroupDescriptionBox.self)?.groupingType == "linf" }),
      var box = self[index].payload(SampleGroupDescriptionBox.self), !layers.isEmpty
    else { return removeAll { $0.groupingType == "linf" } }
    var entry = LayerInformationEntry()
    entry.layers = layers
    box.entries = [SampleGroupDescriptionBox.Entry(entry)]
    if box.defaultLength != 0 { box.defaultLength = UInt32(clamping: box.entries[0].byteCount) }
    self[index].replacePayload(box)
  }

  /// Sets the type of sync samples (`sync`), if there is such a group and they have one type; otherwise removes
  /// the group. ISO/IEC 14496-15, 8.4.4
  mutating func setSyncTypes(_ types: Set<UInt8>) {
    guard let type = types.first, types.count == 1,
      let index = firstIndex(where: { $0.payload(SampleGroupDescriptionBox.self)?.groupingType == "sync" }),
      var box = self[index].payload(SampleGroupDescriptionBox.self), box.entries.count == 1,
      var entry = box.entries.first?.content as? SyncSampleEntry
    else { return removeAll { $0.groupingType == "sync" } }
    guard entry.nalUnitType != type else { return }
    entry.nalUnitType = type
    box.entries = [SampleGroupDescriptionBox.Entry(entry)]
    self[index].replacePayload(box)
  }
}

// MARK: - Splitting a track

extension Box {
  /// Changes the box of a track to that of its base layer alone.
  mutating func keepBaseLayer(syncTypes: Set<UInt8>) throws(ParseError) {
    try checkHasNoParts()
    removeLayerReferences()
    try editSampleEntries { (_, entry) in entry.children.removeAll { $0.type == "lhvC" } }
    editSampleTable { (tables) in
      let layers = tables.layerInformation ?? []
      tables.setLayerInformation(layers.filter { $0.layerID == 0 })
      tables.setSyncTypes(syncTypes)
    }
  }

  /// Changes the box of a track to that of its other layers, which refers to the track of the base layer.
  /// ISO/IEC 14496-15, 9.5
  ///
  /// - Parameters:
  ///   - base: the ID of the track of the base layer.
  ///   - size: the picture size of the other layers; `nil` if not known.
  ///   - syncTypes: the NAL unit types of the pictures at which decoding can begin.
  ///   - extracting: whether its samples have extractors of the base layer.
  mutating func keepOtherLayers(
    base: UInt32, size: PictureSize?, syncTypes: Set<UInt8>, extracting: Bool
  ) throws(ParseError) {
    // Metadata and names stay with the first track.
    children.removeAll { ["tref", "udta", "meta"].contains($0.type) }
    var hasOperatingPoints = false
    try editSampleTable { (tables) throws(ParseError) in
      hasOperatingPoints = tables.contains { $0.groupingType == "oinf" }
      tables.removeAll { box in
        guard let type = box.groupingType else { return box.type == "stdp" }
        return !["linf", "sync", "rap ", "sap ", "roll"].contains(type)
      }
      let layers = tables.layerInformation ?? []
      tables.setLayerInformation(
        layers.compactMap { layer in
          guard layer.layerID == 0 else { return layer }
          var base = layer
          // None of the sub-layers of the base layer is in this track itself. ISO/IEC 14496-15, 9.6.3
          base.subLayerPresence = 0
          return extracting ? base : nil
        })
      tables.setSyncTypes(syncTypes)
    }
    var references: [Box] = []
    for type: FourCC in ["sbas"] + (hasOperatingPoints ? ["oref"] : []) + (extracting ? ["scal"] : []) {
      var reference = TrackReferenceTypeBox()
      reference.trackIDs = [base]
      references.append(Box(type, reference, in: .box("tref"), registry: .standard))
    }
    children.insert(
      Box("tref", nil, children: references, in: .box("trak"), registry: .standard), after: "tkhd")
    try editSampleEntries { (_, entry) throws(ParseError) in
      guard let other = extracting ? entry.ofExtractors : try entry.ofOtherLayers(size) else {
        throw ParseError(.missing("the sample entry of other layers"), offset: entry.offset, path: "stsd")
      }
      entry = other
    }
  }

  /// The sample entry for samples with the other layers and extractors of the base layer. For a reader that
  /// supports extractors, it has all layers and the tags of both eyes.
  private var ofExtractors: Box? {
    guard let fields = payload(VisualSampleEntry.self), let base = first(HEVCConfigurationBox.self)?.record
    else { return nil }
    var boxes = children.filter { $0.type != "btrt" }
    if first("lhvC") == nil {
      boxes.insert(
        Box("lhvC", LHEVCConfigurationBox(base.withoutUnits), in: .visualSampleEntry, registry: .standard),
        after: "hvcC")
    }
    return Box(
      type == "hvc1" ? "hvc2" : "hev2", fields, children: boxes, in: .visualSampleDescription,
      registry: .standard)
  }

  /// Returns the sample entry for the other layers of an entry of all layers. It has the video parameter set,
  /// without which the records of the other layers cannot be interpreted.
  private func ofOtherLayers(_ size: PictureSize?) throws(ParseError) -> Box? {
    guard var fields = payload(VisualSampleEntry.self), let base = first(HEVCConfigurationBox.self)?.record
    else {
      return nil
    }
    if let size, let width = UInt16(exactly: size.width), let height = UInt16(exactly: size.height) {
      (fields.width, fields.height) = (width, height)
    }
    var record = first(LHEVCConfigurationBox.self)?.record ?? base.withoutUnits
    let sets = base.arrays.filter { $0.nalUnitType == .videoParameterSet }
    if !record.arrays.contains(where: { $0.nalUnitType == .videoParameterSet }) {
      record.arrays.insert(contentsOf: sets, at: 0)
    }
    var boxes = [Box("lhvC", LHEVCConfigurationBox(record), in: .visualSampleEntry, registry: .standard)]
    boxes += children.filter { !["hvcC", "lhvC", "vexu", "hfov", "btrt"].contains($0.type) }
    return Box(
      type == "hvc1" ? "lhv1" : "lhe1", fields, children: boxes, in: .visualSampleDescription,
      registry: .standard)
  }
}

extension DecoderConfigurationRecord {
  /// A record for other layers with the NAL unit lengths of this record, without any units.
  fileprivate var withoutUnits: LayeredConfigurationRecord {
    var record = LayeredConfigurationRecord()
    record.numTemporalLayers = numTemporalLayers
    record.temporalIDNested = temporalIDNested
    record.lengthSizeMinusOne = lengthSizeMinusOne
    return record
  }
}

// MARK: - Merging tracks

extension Box {
  /// Changes the sample entry of a base layer to that of all layers.
  ///
  /// - Parameter others: the sample entries of the other layers.
  mutating func addLayers(of others: [Box]) throws(ParseError) {
    guard let base = first(HEVCConfigurationBox.self)?.record else {
      throw ParseError(.missing("the record of the base layer (hvcC)"), offset: offset, path: "stsd/\(type)")
    }
    var records = [first(LHEVCConfigurationBox.self)?.record].compactMap { $0 }
    records += others.compactMap { $0.first(LHEVCConfigurationBox.self)?.record }
    guard var record = records.first else {
      throw ParseError(.missing("the record of the other layers (lhvC)"), offset: offset, path: "stsd")
    }
    let known = Set(base.arrays.flatMap(\.units))
    record.arrays = []
    for array in records.flatMap(\.arrays) {
      var array = array
      let before = Set(record.arrays.flatMap(\.units))
      array.units.removeAll { known.contains($0) || before.contains($0) }
      if let index = record.arrays.firstIndex(where: { $0.nalUnitType == array.nalUnitType }) {
        record.arrays[index].units += array.units
        record.arrays[index].arrayCompleteness =
          record.arrays[index].arrayCompleteness && array.arrayCompleteness
      } else if !array.units.isEmpty {
        record.arrays.append(array)
      }
    }
    record.numTemporalLayers = records.map(\.numTemporalLayers).max() ?? record.numTemporalLayers
    record.temporalIDNested = records.allSatisfy(\.temporalIDNested)
    children.removeAll { $0.type == "lhvC" }
    children.insert(
      Box("lhvC", LHEVCConfigurationBox(record), in: .visualSampleEntry, registry: .standard), after: "hvcC")
    for type: FourCC in ["vexu", "hfov"] where first(type) == nil {
      if let box = others.lazy.compactMap({ $0.first(type) }).first { children.append(box) }
    }
    try addBitRates(of: others)
    // Parameter sets in samples of the other layers are then in samples of all layers.
    if type == "hvc1", others.contains(where: { ["lhe1", "hev1", "hev2"].contains($0.type) }) {
      self = Box(
        "hev1", payload(VisualSampleEntry.self), children: children, in: .visualSampleDescription,
        registry: .standard)
    }
  }

  /// Marks the parameter sets of the records as complete, where the type of the entry promises it. ISO/IEC 14496-15, 8.4.3
  mutating func markSetsComplete() throws(ParseError) {
    guard type == "hvc1" || type == "dvh1" else { return }
    for index in children.indices {
      if children[index].type == "hvcC" {
        try children[index].edit(HEVCConfigurationBox.self) { $0.record.arrays.markSetsComplete() }
      } else if children[index].type == "lhvC" {
        try children[index].edit(LHEVCConfigurationBox.self) { $0.record.arrays.markSetsComplete() }
      }
    }
  }

  /// Adds the bit rates of the other tracks.
  private mutating func addBitRates(of others: [Box]) throws(ParseError) {
    let rates = others.compactMap { $0.first(BitRateBox.self) }
    guard !rates.isEmpty, let index = children.firstIndex(where: { $0.type == "btrt" }) else { return }
    try children[index].edit(BitRateBox.self) { own in
      for rate in rates {
        own.bufferSizeDB = own.bufferSizeDB.saturating(adding: rate.bufferSizeDB)
        own.maxBitrate = own.maxBitrate.saturating(adding: rate.maxBitrate)
        own.avgBitrate = own.avgBitrate.saturating(adding: rate.avgBitrate)
      }
    }
  }
}

extension UInt32 {
  fileprivate func saturating(adding other: UInt32) -> UInt32 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

extension [NALUnitArray] {
  fileprivate mutating func markSetsComplete() {
    for index in indices where self[index].nalUnitType.isParameterSet { self[index].arrayCompleteness = true }
  }
}
