// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCCoding
import HEVCDecoding
import TestSupport

@testable import HEVCEncoding

/// Writes the streams that a seed gives.
enum ChaosEncoder {
  /// The units of a stream, access unit by access unit; the parameter sets come first.
  static func units(_ stream: ChaosStream, seed: UInt64) throws -> [[NALUnit]] {
    let plan = stream.plan
    var random = SplitMix(seed: seed ^ 0xC0DE)
    var result = [try plan.units()]
    var tree = CodedTree(ctbLog2Size: plan.ctbLog2Size)
    defer { tree.free() }
    for picture in stream.pictures {
      var units: [NALUnit] = []
      for slice in picture.slices { units.append(try unit(slice, plan, &tree, &random)) }
      result.append(units)
    }
    return result
  }

  private static func unit(
    _ slice: SlicePlan, _ plan: CodingPlan, _ tree: inout CodedTree, _ random: inout SplitMix
  ) throws -> NALUnit {
    let sps = plan.sequenceParameterSet(slice.layer), pps = plan.pictureParameterSet(slice.layer)
    let parameters = SliceParameters(
      layerID: UInt8(slice.layer), pps: pps, sps: sps, vps: plan.videoParameterSet)
    let header = try slice.header(plan, parameters)
    let geometry = try PictureGeometry(sps, pps)
    guard let own = header.slice else { throw ParseError(.missing("slice"), offset: 0, field: "") }
    let values = SliceValues(
      geometry, sps, pps, own, sliceAddress: 0, isTemporalMotion: slice.collocated != nil)
    let tables = PictureTables(geometry)
    defer { tables.free() }
    let chaos = ChaosTree(values, tables)
    let writer = SliceDataWriter(values, tables)
    for ctbY in 0..<values.heightInCtbs {
      for ctbX in 0..<values.widthInCtbs {
        chaos.fill(&tree, ctbX: ctbX, ctbY: ctbY, &random)
        writer.write(tree)
      }
    }
    return try SliceAssembly.unit(header, writer.substreams)
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
