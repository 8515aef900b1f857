// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCCoding

/// Encodes the pictures of one layer, one after the other, as their slice plans say.
final class PictureEncoder {
  private let plan: CodingPlan
  private let layer: Int
  private let effort: SearchEffort
  private let sps: SequenceParameterSet
  private let pps: PictureParameterSet
  private let parameters: SliceParameters
  private let geometry: PictureGeometry
  private let context: PictureContext
  private let pool = PicturePool(nil)
  /// The decisions about the coding tree units of a picture.
  private var trees: [CodedTree] = []

  init(_ plan: CodingPlan, layer: Int, effort: SearchEffort) throws {
    self.plan = plan
    self.layer = layer
    self.effort = effort
    sps = plan.sequenceParameterSet(layer)
    pps = plan.pictureParameterSet(layer)
    parameters = SliceParameters(
      layerID: UInt8(clamping: layer), pps: pps, sps: sps, vps: plan.videoParameterSet)
    geometry = try PictureGeometry(sps, pps)
    guard let format = SampleFormat(sps) else {
      throw ParseError(.missing("the picture format"), offset: 0, field: "sequence_parameter_set")
    }
    context = PictureContext(
      sps: sps, pps: pps, geometry: geometry, format: format, scaling: nil,
      pool: CodingMemoryPool(capacity: 1))
    trees = (0..<geometry.sizeInCtbs).map { _ in CodedTree(ctbLog2Size: plan.ctbLog2Size) }
  }

  deinit {
    pool.close()
    for tree in trees { tree.free() }
  }

  /// Encodes a picture.
  ///
  /// - Parameters:
  ///   - source: its samples, which have the format of the layer.
  ///   - slice: what its slice header says; this decides whether offsets are used.
  ///   - lists: the coded pictures that its lists have.
  ///   - hasHash: whether a message has the sums of its samples.
  /// - Returns: its units, and the picture as decoders see it.
  func encode(
    _ source: PictureBuffer, _ slice: SlicePlan, _ lists: SliceReferences = SliceReferences(), hasHash: Bool
  ) throws -> (units: [NALUnit], picture: PictureBuffer) {
    var slice = slice
    slice.isSaoLuma = plan.isSaoEnabled
    slice.isSaoChroma = plan.isSaoEnabled
    let header = try slice.header(plan, parameters)
    guard let own = header.slice else {
      throw ParseError(.missing("the slice"), offset: 0, field: "slice_segment_header")
    }
    let picture = PictureBuffer(source.format, pool)
    picture.layerID = UInt8(clamping: layer)
    picture.orderCount = slice.orderCount
    context.begin(picture)
    let hasCollocated = context.setReferences(own, lists)
    let values = SliceValues(geometry, sps, pps, own, sliceAddress: 0, isTemporalMotion: hasCollocated)
    decide(values, source, picture)
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
    return (units, picture)
  }

  /// Decides everything about a picture; its samples are deblocked afterwards.
  private func decide(_ values: SliceValues, _ source: PictureBuffer, _ picture: PictureBuffer) {
    var blocks = context.blocks(values, picture, lastQp: values.sliceQp)
    let search = TreeSearch(values, context.tables, source, trees[0], effort: effort)
    for address in trees.indices {
      blocks.beginCtu(address: address, tileScan: address)
      trees[address] = search.decide(&blocks, in: trees[address])
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
