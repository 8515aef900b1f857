// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCCoding
import HEVCDecoding
import TestSupport

@testable import HEVCEncoding

/// Writes the streams that a seed gives, with the sums of the pictures that an encoder makes of its own decisions.
enum ChaosEncoder {
  /// The units of a stream, access unit by access unit; the parameter sets come first.
  static func units(_ stream: ChaosStream, seed: UInt64) throws -> [[NALUnit]] {
    let plan = stream.plan
    var random = SplitMix(seed: seed ^ 0xC0DE)
    var result = [try plan.units()]
    var tree = CodedTree(ctbLog2Size: plan.ctbLog2Size)
    defer { tree.free() }
    let pool = CodingMemoryPool(capacity: 1)
    var buffers: [[Int: PictureBuffer]] = [[:], [:]]
    for picture in stream.pictures {
      var units: [NALUnit] = []
      for slice in picture.slices {
        let (unit, own) = try code(slice, plan, buffers, pool, &tree, &random)
        units.append(unit)
        units.append(
          try SliceAssembly.hashUnit((0..<3).map { own.md5($0) }, layer: slice.layer, temporalID: 0))
        buffers[slice.layer][slice.orderCount] = own
      }
      result.append(units)
    }
    return result
  }

  private static func code(
    _ slice: SlicePlan, _ plan: CodingPlan, _ buffers: [[Int: PictureBuffer]], _ pool: CodingMemoryPool,
    _ tree: inout CodedTree, _ random: inout SplitMix
  ) throws -> (NALUnit, PictureBuffer) {
    let sps = plan.sequenceParameterSet(slice.layer), pps = plan.pictureParameterSet(slice.layer)
    let parameters = SliceParameters(
      layerID: UInt8(slice.layer), pps: pps, sps: sps, vps: plan.videoParameterSet)
    let header = try slice.header(plan, parameters)
    let geometry = try PictureGeometry(sps, pps)
    guard let own = header.slice, let format = SampleFormat(sps) else {
      throw ParseError(.missing("slice"), offset: 0, field: "")
    }
    let context = PictureContext(
      sps: sps, pps: pps, geometry: geometry, format: format, scaling: nil, pool: pool)
    let picture = PictureBuffer(format)
    picture.orderCount = slice.orderCount
    picture.layerID = UInt8(slice.layer)
    context.begin(picture)
    let lists = own.referencePictureLists(orderCount: slice.orderCount)
    func entries(_ list: [ReferencePicture]) -> [ReferenceEntry] {
      list.compactMap { reference in
        buffers[Int(reference.layerID)][reference.orderCount].map {
          ReferenceEntry($0, isLongTerm: reference.isLongTerm)
        }
      }
    }
    let references = SliceReferences(l0: entries(lists.l0), l1: entries(lists.l1))
    let hasCollocated = context.setReferences(own, references)
    let values = SliceValues(geometry, sps, pps, own, sliceAddress: 0, isTemporalMotion: hasCollocated)
    guard references.l0.count >= values.count0, references.l1.count >= values.count1 else {
      throw ParseError(.missing("a reference picture"), offset: 0, field: "")
    }
    var blocks = context.blocks(values, picture, lastQp: values.sliceQp)
    let chaos = ChaosTree(values, context.tables), writer = SliceDataWriter(values, context.tables)
    var reconstruction = ChaosReconstruction()
    for address in 0..<geometry.sizeInCtbs {
      blocks.beginCtu(address: address, tileScan: address)
      if values.isWavefront, blocks.ctbX == 0 { blocks.lastQp = values.sliceQp }
      chaos.fill(&tree, ctbX: blocks.ctbX, ctbY: blocks.ctbY, &random)
      reconstruction.reconstruct(tree, &blocks)
      writer.write(tree)
      if (address + 1) % geometry.widthInCtbs == 0 { context.filter(rows: address / geometry.widthInCtbs) }
    }
    context.finish()
    return (try SliceAssembly.unit(header, writer.substreams), picture)
  }

  /// What a picture of many coding tree units costs by its prices, in bits, and how many bits it takes.
  static func priceAndBits(seed: UInt64) throws -> (price: Double, bits: Int) {
    var random = SplitMix(seed: seed)
    var plan = CodingPlan(size: PictureSize(width: 256, height: 192))
    plan.isWavefront = false
    plan.isSaoEnabled = true
    plan.isSignHiding = true
    plan.transformDepthIntra = 2
    plan.qpGroupDepth = 2
    var slice = SlicePlan(type: .refreshWithoutLeading)
    slice.isSaoLuma = true
    slice.isSaoChroma = true
    let sps = plan.sequenceParameterSet(0), pps = plan.pictureParameterSet(0)
    let header = try slice.header(
      plan, SliceParameters(layerID: 0, pps: pps, sps: sps, vps: plan.videoParameterSet))
    let geometry = try PictureGeometry(sps, pps)
    guard let own = header.slice else { throw ParseError(.missing("slice"), offset: 0, field: "") }
    let values = SliceValues(geometry, sps, pps, own, sliceAddress: 0, isTemporalMotion: false)
    let tables = PictureTables(geometry), states = ContextStates()
    var tree = CodedTree(ctbLog2Size: plan.ctbLog2Size)
    defer {
      tables.free()
      states.free()
      tree.free()
    }
    states.initialise(type: values.initType, sliceQp: values.sliceQp)
    let chaos = ChaosTree(values, tables), writer = SliceDataWriter(values, tables)
    var counter = SyntaxWriter(BinCounter(states: states), values, tables)
    for ctbY in 0..<values.heightInCtbs {
      for ctbX in 0..<values.widthInCtbs {
        chaos.fill(&tree, ctbX: ctbX, ctbY: ctbY, &random)
        counter.codingTreeUnit(tree, ctbX: ctbX, ctbY: ctbY)
        writer.write(tree)
      }
    }
    return (Double(counter.sink.price) / 32_768, writer.substreams.reduce(0) { $0 + 8 * $1.count })
  }
}
