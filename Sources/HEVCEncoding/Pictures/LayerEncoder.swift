// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCCoding

/// Encodes the pictures of one layer.
final class LayerEncoder {
  private let plan: CodingPlan
  private let layer: Int
  private let sps: SequenceParameterSet
  private let pps: PictureParameterSet
  private let parameters: SliceParameters
  private let geometry: PictureGeometry
  private let context: PictureContext
  private let coder: IntraCoder
  private let pool = PicturePool(nil)

  init(_ plan: CodingPlan, layer: Int) throws {
    self.plan = plan
    self.layer = layer
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
    coder = IntraCoder(ctbLog2Size: plan.ctbLog2Size)
  }

  deinit { pool.close() }

  /// Encodes a picture at which decoding can begin; returns its slice, and its message if it has one.
  ///
  /// - Parameter orderCount: its place in the order of output.
  func encode(_ source: SourcePicture, orderCount: Int, hasHash: Bool, qp: Int) throws -> [NALUnit] {
    // Apple's encoders pair these two. Later pictures do not begin a new sequence, which would have to do so in both layers.
    let isFirst = layer == 0 && orderCount == 0
    var slice = SlicePlan(type: isFirst ? .refreshWithoutLeading : .cleanRandomAccess, layer: layer)
    slice.orderCount = orderCount
    slice.qp = qp
    let header = try slice.header(plan, parameters)
    guard let own = header.slice else {
      throw ParseError(.missing("the slice"), offset: 0, field: "slice_segment_header")
    }
    let picture = PictureBuffer(source.buffer.format, pool)
    picture.layerID = UInt8(clamping: layer)
    picture.orderCount = orderCount
    context.begin(picture)
    _ = context.setReferences(own, SliceReferences())
    let values = SliceValues(geometry, sps, pps, own, sliceAddress: 0, isTemporalMotion: false)
    var blocks = context.blocks(values, picture, lastQp: values.sliceQp)
    let writer = SliceDataWriter(values, context.tables)
    for address in 0..<geometry.sizeInCtbs {
      blocks.beginCtu(address: address, tileScan: address)
      writer.write(coder.code(&blocks, source.buffer))
      if (address + 1) % geometry.widthInCtbs == 0 { context.filter(rows: address / geometry.widthInCtbs) }
    }
    context.finish()
    var units = [try SliceAssembly.unit(header, writer.substreams)]
    if hasHash {
      units.append(
        try SliceAssembly.hashUnit((0..<3).map { picture.md5($0) }, layer: layer, temporalID: 0))
    }
    return units
  }
}
