// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVC

/// What is stored about the blocks of the picture being decoded.
///
/// A plain value that owns nothing: ``CodingMemory`` allocates and frees its memory.
package struct PictureTables: @unchecked Sendable {
  /// How many blocks of 4x4 luma samples are in a row.
  package let stride: Int
  /// The number of rows of such blocks.
  package let rows: Int

  // By block of 4x4 luma samples.

  /// The bits of ``BlockInfo``.
  package let info: Memory<UInt8>
  /// QpY
  package let qp: Memory<Int8>
  /// IntraPredModeY of intra blocks.
  package let intraMode: Memory<UInt8>
  /// The motion of inter blocks.
  package let motion: Memory<Motion>
  /// The bits of ``BlockEdge``.
  package let edges: Memory<UInt8>

  // By coding tree block, in raster scan.

  /// SliceAddrRs; -1 if the block is not decoded yet.
  package let sliceAddress: Memory<Int32>
  /// CtbAddrRsToTs
  package let tileScan: Memory<Int32>
  /// TileId
  package let tile: Memory<Int32>
  /// slice_beta_offset_div2, doubled.
  package let betaOffset: Memory<Int8>
  /// slice_tc_offset_div2, doubled.
  package let tcOffset: Memory<Int8>
  /// slice_loop_filter_across_slices_enabled_flag, and in bit 1 whether some samples of the block must not be
  /// filtered.
  package let filterFlags: Memory<UInt8>
  /// SaoTypeIdx, three per block.
  package let saoType: Memory<UInt8>
  /// sao_band_position or SaoEoClass, three per block.
  package let saoBand: Memory<UInt8>
  /// SaoOffsetVal 1 to 4, three times four per block.
  package let saoOffset: Memory<Int16>

  /// The order count of each picture referred to, by slot.
  package let slotOrderCount: Memory<Int32>
  /// Whether each of them is used as a long-term reference picture.
  package let slotIsLongTerm: Memory<Bool>
  /// The z-scan index of a block of 4x4 in a coding tree block of 64x64.
  package let zScan: Memory<UInt8>

  package init(_ geometry: PictureGeometry) {
    stride = (geometry.width &+ 3) &>> 2
    rows = (geometry.height &+ 3) &>> 2
    let blocks = stride &* rows, ctbs = geometry.sizeInCtbs
    info = Memory(count: blocks, repeating: 0)
    qp = Memory(count: blocks, repeating: 0)
    intraMode = Memory(count: blocks, repeating: 1)
    motion = Memory(count: blocks, repeating: Motion())
    edges = Memory(count: blocks, repeating: 0)
    sliceAddress = Memory(count: ctbs, repeating: -1)
    tileScan = Memory(count: ctbs, repeating: 0)
    tile = Memory(count: ctbs, repeating: 0)
    for address in 0..<ctbs {
      let place = Int(geometry.rasterToTileScan[address])
      tileScan[address] = Int32(truncatingIfNeeded: place)
      tile[address] = geometry.tileIDs[place]
    }
    betaOffset = Memory(count: ctbs, repeating: 0)
    tcOffset = Memory(count: ctbs, repeating: 0)
    filterFlags = Memory(count: ctbs, repeating: 0)
    saoType = Memory(count: ctbs &* 3, repeating: 0)
    saoBand = Memory(count: ctbs &* 3, repeating: 0)
    saoOffset = Memory(count: ctbs &* 12, repeating: 0)
    slotOrderCount = Memory(count: 256, repeating: 0)
    slotIsLongTerm = Memory(count: 256, repeating: false)
    zScan = Memory(count: 256, repeating: 0)
    for y in 0..<16 {
      for x in 0..<16 {
        var place = 0
        for bit in 0..<4 {
          place |= ((x &>> bit) & 1) &<< (2 &* bit) | ((y &>> bit) & 1) &<< (2 &* bit &+ 1)
        }
        zScan[y &* 16 &+ x] = UInt8(truncatingIfNeeded: place)
      }
    }
  }

  package func free() {
    info.free()
    qp.free()
    intraMode.free()
    motion.free()
    edges.free()
    sliceAddress.free()
    tileScan.free()
    tile.free()
    betaOffset.free()
    tcOffset.free()
    filterFlags.free()
    saoType.free()
    saoBand.free()
    saoOffset.free()
    slotOrderCount.free()
    slotIsLongTerm.free()
    zScan.free()
  }

  /// Clears the data of the previous picture.
  ///
  /// The other tables keep theirs: each coding tree unit writes its entries before anything reads them. Only ``qp`` and
  /// ``motion`` are also read beside coding tree units that are missing, which get values when the picture ends.
  package func reset() {
    info.fill(with: 0)
    edges.fill(with: 0)
    sliceAddress.fill(with: -1)
    filterFlags.fill(with: 0)
    saoType.fill(with: 0)
  }
}

/// What is stored about a block of 4x4 luma samples, by bit.
@usableFromInline
package enum BlockInfo {
  /// CuPredMode is MODE_INTRA.
  @inlinable package static var intra: UInt8 { 1 }
  /// `cu_skip_flag`
  @inlinable package static var skip: UInt8 { 2 }
  /// CtDepth, in two bits from this one on.
  @inlinable package static var depthShift: UInt8 { 2 }
  /// The in-loop filters do not change the block: `cu_transquant_bypass_flag`, or `pcm_flag` with
  /// `pcm_loop_filter_disabled_flag`.
  @inlinable package static var unfiltered: UInt8 { 16 }
  /// Its luma transform block has coefficients.
  @inlinable package static var coded: UInt8 { 32 }
  /// The block was decoded.
  @inlinable package static var decoded: UInt8 { 64 }
}

/// Which edges of a block of 4x4 luma samples are filtered, by bit. 8.7.2.3
@usableFromInline
package enum BlockEdge {
  /// The left edge is one of a transform block.
  @inlinable package static var leftTransform: UInt8 { 1 }
  /// The left edge is one of a prediction block.
  @inlinable package static var leftPrediction: UInt8 { 2 }
  /// The upper edge is one of a transform block.
  @inlinable package static var topTransform: UInt8 { 4 }
  /// The upper edge is one of a prediction block.
  @inlinable package static var topPrediction: UInt8 { 8 }
}
