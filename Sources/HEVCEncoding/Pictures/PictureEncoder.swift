// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCCoding

/// A picture that is encoded.
struct CodedPicture {
  /// Its slice, and the message with the sums of its samples if it was asked for.
  var units: [NALUnit]
  /// The picture as decoders see it.
  var picture: PictureBuffer
  /// How its coding tree units are divided, if another view is to know it.
  var divisions: Divisions?
  /// The part of its coding tree units that have sample adaptive offsets; `nil` if they were not tried.
  var offsetShare: Double?
}

/// Encodes pictures of one layer as their slice plans say. Several threads may use it at once.
final class PictureEncoder: Sendable {
  private let plan: CodingPlan
  private let layer: Int
  private let effort: SearchEffort
  private let sps: SequenceParameterSet
  private let pps: PictureParameterSet
  private let parameters: SliceParameters
  private let geometry: PictureGeometry
  private let format: SampleFormat
  private let memory: EncodingMemory

  init(
    _ plan: CodingPlan, layer: Int, effort: SearchEffort, memory: EncodingMemory = EncodingMemory()
  ) throws {
    self.plan = plan
    self.layer = layer
    self.effort = effort
    self.memory = memory
    sps = plan.sequenceParameterSet(layer)
    pps = plan.pictureParameterSet(layer)
    parameters = SliceParameters(
      layerID: UInt8(clamping: layer), pps: pps, sps: sps, vps: plan.videoParameterSet)
    geometry = try PictureGeometry(sps, pps)
    guard let format = SampleFormat(sps) else {
      throw ParseError(.missing("the picture format"), offset: 0, field: "sequence_parameter_set")
    }
    self.format = format
  }

  /// A picture that is to be encoded: it gets its memory then.
  func picture(orderCount: Int) -> PictureBuffer {
    let picture = PictureBuffer(format, memory.pictures)
    picture.layerID = UInt8(clamping: layer)
    picture.orderCount = orderCount
    return picture
  }

  /// The samples of a picture that is to be encoded.
  func samples(of source: SourcePicture) -> PictureBuffer { source.samples(memory.pictures) }

  /// The pictures that the lists of a slice have, of those that `pictures` knows by layer and order count.
  func lists(
    _ slice: SlicePlan, _ pictures: (_ layer: Int, _ orderCount: Int) -> PictureBuffer?
  ) throws(ParseError) -> SliceReferences {
    guard slice.sliceType.isInter else { return SliceReferences() }
    let header = try slice.header(plan, parameters)
    guard let lists = header.slice?.referencePictureLists(orderCount: slice.orderCount) else {
      throw ParseError(.missing("the slice"), offset: 0, field: "slice_segment_header")
    }
    func entries(_ list: [ReferencePicture]) throws(ParseError) -> [ReferenceEntry] {
      var entries: [ReferenceEntry] = []
      for reference in list {
        guard let picture = pictures(Int(reference.layerID), reference.orderCount) else {
          throw ParseError(.missing("a reference picture"), offset: 0, field: "slice_segment_header")
        }
        entries.append(ReferenceEntry(picture, isLongTerm: reference.isLongTerm))
      }
      return entries
    }
    return SliceReferences(l0: try entries(lists.l0), l1: try entries(lists.l1))
  }

  /// Encodes a picture.
  ///
  /// - Parameters:
  ///   - source: its samples, which have the format of the layer.
  ///   - slice: what its slice header says; this decides whether offsets are used.
  ///   - lists: the coded pictures that its lists have.
  ///   - parameters: the quantisation parameters of its coding tree units; empty for that of the slice.
  ///   - base: how the picture of the base layer is divided, for another view; `nil` if that is not known.
  ///   - triesOffsets: whether sample adaptive offsets are tried, if the layer has them.
  ///   - picture: where its samples are coded; `nil` for a new one.
  ///   - hasHash: whether a message has the sums of its samples.
  func encode(
    _ source: PictureBuffer, _ slice: SlicePlan, _ lists: SliceReferences = SliceReferences(),
    parameters: [Int8] = [], base: Divisions? = nil, triesOffsets: Bool = true,
    into picture: PictureBuffer? = nil, hasHash: Bool
  ) throws(ParseError) -> CodedPicture {
    var slice = slice
    slice.isSaoLuma = plan.isSaoEnabled && triesOffsets
    slice.isSaoChroma = slice.isSaoLuma
    let header = try slice.header(plan, self.parameters)
    guard let own = header.slice else {
      throw ParseError(.missing("the slice"), offset: 0, field: "slice_segment_header")
    }
    let picture = picture ?? self.picture(orderCount: slice.orderCount)
    let context = PictureContext(
      sps: sps, pps: pps, geometry: geometry, format: format, scaling: nil, pool: memory.coding)
    context.begin(picture)
    let hasCollocated = context.setReferences(own, lists)
    let values = SliceValues(geometry, sps, pps, own, sliceAddress: 0, isTemporalMotion: hasCollocated)
    var trees = memory.takeTrees(geometry.sizeInCtbs, ctbLog2Size: plan.ctbLog2Size)
    defer { memory.takeBack(trees) }
    decide(&trees, values, context, source, parameters, base, picture)
    let divisions = layer == 0 && plan.layerCount > 1 ? Divisions(values, context.tables) : nil
    // The bins are written after all decisions, so that the offsets of a block can depend on its deblocked samples.
    let writer = SliceDataWriter(values, context.tables)
    for tree in trees { writer.write(tree) }
    context.finish()
    var units = [try SliceAssembly.unit(header, writer.substreams)]
    if hasHash {
      units.append(
        try SliceAssembly.hashUnit(
          picture.planes.indices.map { picture.md5($0) }, layer: layer, temporalID: slice.temporalID))
    }
    var coded = CodedPicture(units: units, picture: picture, divisions: divisions)
    if slice.isSaoLuma {
      coded.offsetShare = Double(trees.count { $0.offsets.isUsed }) / Double(trees.count)
    }
    return coded
  }

  /// Decides everything about a picture; its samples are deblocked afterwards.
  private func decide(
    _ trees: inout [CodedTree], _ values: SliceValues, _ context: PictureContext, _ source: PictureBuffer,
    _ parameters: [Int8], _ base: Divisions?, _ picture: PictureBuffer
  ) {
    var blocks = context.blocks(values, picture, lastQp: values.sliceQp)
    let search = TreeSearch(values, context.tables, source, trees[0], effort: effort, base: base)
    for address in trees.indices {
      blocks.beginCtu(address: address, tileScan: address)
      let qp =
        values.isQpDeltaEnabled && address < parameters.count ? Int(parameters[address]) : values.sliceQp
      trees[address] = search.decide(&blocks, in: trees[address], qp: qp)
    }
    context.deblock()
    guard values.isSaoLuma || values.isSaoChroma else { return }
    let choice = OffsetChoice(values, source, picture)
    for address in trees.indices {
      let ctbY = address / geometry.widthInCtbs
      trees[address].offsets = choice.choose(ctbX: address - ctbY * geometry.widthInCtbs, ctbY: ctbY)
      context.tables.setOffsets(trees[address].offsets, address: address)
    }
  }
}
