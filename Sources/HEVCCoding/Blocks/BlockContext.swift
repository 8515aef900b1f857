// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// What both decoding and encoding know of the coding unit at hand, and do with its blocks: prediction, residuals, motion
/// and modes of neighbours, edges, quantisation parameters.
///
/// A plain value that owns nothing. ``PictureContext`` makes it for a slice; who parses or decides sets the variables of
/// the coding unit and calls the methods in the order of the standard.
package struct BlockContext: ~Copyable {
  /// Values of parameter sets and the slice header.
  package let v: SliceValues
  /// What is stored about the blocks of the picture.
  package let tables: PictureTables
  /// Memory for intermediate results of a block.
  package let scratch: BlockScratch
  /// The samples of the picture.
  package let planes: PlaneSet

  // References.
  package let references: ReferenceTables
  package let pictures: ReferencePictures
  /// The factors of scaling lists.
  package let scaling: Memory<UInt8>

  // Of the coding tree unit.
  package var ctbX = 0
  package var ctbY = 0
  package var ctbAddress = 0
  package var ctbTileScan = 0

  // Of the quantisation group. 7.4.9.14
  /// CuQpDeltaVal
  package var qpDelta = 0
  /// qPY_PRED
  package var predictedQp = 0
  /// QpY of the previous coding unit in decoding order.
  package var lastQp = 0
  package var cuCbOffset = 0
  package var cuCrOffset = 0

  // Of the coding unit.
  package var cuX = 0
  package var cuY = 0
  package var cuLog2Size = 0
  package var isCuIntra = false
  package var isCuBypass = false
  /// QpY
  package var cuQp = 0
  package var partMode = PartMode.whole

  // Of the transform block.
  /// Whether the samples that cross-component prediction uses are present.
  package var hasLumaResidual = false

  /// Nothing. A member whose size the compiler does not know keeps this value, and what has it, in memory; else all of it, more than
  /// 1.5 kB, is copied for each call of a method that does not change it.
  private let anchor: (any Sendable)? = nil

  package init(
    _ values: SliceValues, _ tables: PictureTables, _ scratch: BlockScratch, _ planes: PlaneSet,
    _ references: ReferenceTables, _ pictures: ReferencePictures, _ scaling: Memory<UInt8>, lastQp: Int
  ) {
    v = values
    self.tables = tables
    self.scratch = scratch
    self.planes = planes
    self.references = references
    self.pictures = pictures
    self.scaling = scaling
    self.lastQp = lastQp
  }
}

extension BlockContext {
  /// Whether a block has been decoded that a block at (`fromX`, `fromY`) of this coding tree block may use. 6.4.1
  package func isAvailable(fromX: Int, fromY: Int, _ x: Int, _ y: Int) -> Bool {
    guard x >= 0, y >= 0, x < v.width, y < v.height else { return false }
    let otherX = x &>> v.ctbLog2Size, otherY = y &>> v.ctbLog2Size
    if otherX == ctbX, otherY == ctbY {
      let mask = (1 &<< v.ctbLog2Size) &- 1
      let other = ((y & mask) &>> 2) &<< 4 | (x & mask) &>> 2
      let current = ((fromY & mask) &>> 2) &<< 4 | (fromX & mask) &>> 2
      return tables.zScan[other] <= tables.zScan[current]
    }
    return isCtbAvailable(otherX, otherY)
  }

  /// The same for a coding tree block as a whole.
  package func isCtbAvailable(_ x: Int, _ y: Int) -> Bool {
    guard x >= 0, y >= 0, x < v.widthInCtbs, y < v.heightInCtbs else { return false }
    let address = y &* v.widthInCtbs &+ x
    return Int(tables.sliceAddress[address]) == v.sliceAddress
      && Int(tables.tileScan[address]) < ctbTileScan && tables.tile[address] == tables.tile[ctbAddress]
  }

  /// What is stored about the block at a position inside the picture.
  package func info(_ x: Int, _ y: Int) -> UInt8 { tables.info[(y &>> 2) &* tables.stride &+ x &>> 2] }

  /// Prepares the tables of this coding tree unit. 7.3.8.2
  package mutating func beginCtu(address: Int, tileScan: Int) {
    ctbAddress = address
    ctbTileScan = tileScan
    ctbY = address / v.widthInCtbs
    ctbX = address &- ctbY &* v.widthInCtbs
    tables.sliceAddress[address] = Int32(truncatingIfNeeded: v.sliceAddress)
    tables.betaOffset[address] = Int8(truncatingIfNeeded: v.betaOffset)
    tables.tcOffset[address] = Int8(truncatingIfNeeded: v.tcOffset)
    tables.filterFlags[address] = v.isFilteredAcrossSlices ? 1 : 0
  }

  /// Sets what is stored about the blocks of the coding unit.
  package func setInfo(_ info: UInt8) {
    let size = 1 &<< (cuLog2Size &- 2)
    tables.info.fill(
      x: cuX &>> 2, y: cuY &>> 2, width: size, height: size, stride: tables.stride, with: info)
  }

  /// Sets the mode of intra prediction of a block.
  package func setIntraMode(_ x: Int, _ y: Int, _ size: Int, mode: Int) {
    tables.intraMode.fill(
      x: x &>> 2, y: y &>> 2, width: size &>> 2, height: size &>> 2, stride: tables.stride,
      with: UInt8(truncatingIfNeeded: mode))
  }

  /// Sets the pictures of a motion, and limits its indices to the lists. Returns whether it refers to a picture. If not, it
  /// becomes one to the first picture: all samples of a block must be written, because later ones may be predicted
  /// from them.
  package func setSlots(_ motion: inout Motion) -> Bool {
    if Int(motion.index0) >= v.count0 { motion.index0 = -1 }
    if Int(motion.index1) >= v.count1 { motion.index1 = -1 }
    let isKnown = motion.uses0 || motion.uses1
    if !isKnown {
      motion = Motion()
      motion.index0 = 0
    }
    if motion.uses0 { motion.slot0 = references.slot[Int(motion.index0)] }
    if motion.uses1 { motion.slot1 = references.slot[16 &+ Int(motion.index1)] }
    return isKnown
  }
}
