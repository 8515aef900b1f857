// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import HEVC

/// What both decoding and encoding need for the pictures, one at a time, that use one sequence and one picture parameter set:
/// memory, references, and rows that become final.
package final class PictureContext {
  private let geometry: PictureGeometry
  private let format: SampleFormat
  private let memory: CodingMemory
  private let pool: CodingMemoryPool
  /// What is stored about the blocks of the picture.
  package let tables: PictureTables
  private let scaling: Memory<UInt8>
  private var references: ReferenceTables
  /// The in-loop filters.
  package let filters: LoopFilters
  private let pictures = ReferencePictures()

  private var picture: PictureBuffer?
  /// The pictures referred to, by slot: kept until the current picture is finished.
  private var referred: [ReferenceEntry] = []
  /// How many rows of coding tree blocks are filtered.
  private var filteredRows = 0
  /// Whether all rows are deblocked already.
  private var isDeblocked = false

  /// The context of pictures of `sps` that refer to `pps`. Its memory comes from `pool`, and is returned there.
  package init(
    sps: SequenceParameterSet, pps: PictureParameterSet, geometry: PictureGeometry, format: SampleFormat,
    scaling factors: ScalingFactors?, pool: CodingMemoryPool
  ) {
    self.geometry = geometry
    self.format = format
    let isExtended = sps.extensions?.range?.extendedPrecisionProcessingFlag ?? false
    let depth = max(format.bitDepthLuma, format.chromaArrayType == 0 ? 0 : format.bitDepthChroma)
    self.pool = pool
    memory = pool.take(geometry, isLong: depth > 12 || isExtended && depth > 8)
    tables = memory.tables
    let all = factors?.factors ?? []
    scaling = Memory(count: all.count, repeating: 16)
    for (index, factor) in all.enumerated() { scaling[index] = factor }
    references = ReferenceTables(any: memory.scratch.patch)
    let offsets = pps.extensions?.range?.chromaQpOffsets ?? []
    references.chromaOffsetCount = min(8, offsets.count)
    for (index, offset) in offsets.prefix(8).enumerated() {
      references.chromaOffsets[2 * index] = Int8(truncatingIfNeeded: offset.cb)
      references.chromaOffsets[2 * index + 1] = Int8(truncatingIfNeeded: offset.cr)
    }
    filters = LoopFilters(geometry, sps, pps, memory)
  }

  deinit {
    pool.takeBack(memory)
    scaling.free()
    references.free()
  }

  /// Whether there are factors of scaling lists.
  package var hasScaling: Bool { scaling.count > 0 }

  /// Begins a picture, whose format must be that of the context. Order count and layer are those of the buffer.
  package func begin(_ picture: PictureBuffer) {
    picture.allocate()
    self.picture = picture
    filteredRows = 0
    isDeblocked = false
    referred = []
    tables.reset()
  }

  /// Stores the weights of a slice.
  package func setWeights(_ table: PredictionWeightTable, _ values: SliceValues) {
    references.setWeights(table, values)
  }

  /// What the blocks of a slice need, after its references are set.
  package func blocks(_ values: SliceValues, _ picture: PictureBuffer, lastQp: Int) -> BlockContext {
    BlockContext(
      values, tables, memory.scratch, PlaneSet(picture), references, pictures, scaling, lastQp: lastQp)
  }

  /// Stores the lists of a slice; returns whether there is a picture to predict motion from.
  package func setReferences(_ slice: SliceHeader, _ lists: SliceReferences) -> Bool {
    guard let picture else { return false }
    references.currentOrderCount = picture.orderCount
    references.hasNoBackward = true
    for (list, entries) in [lists.l0, lists.l1].enumerated() {
      for (index, entry) in entries.prefix(16).enumerated() where entry.picture.format == format {
        let place = list * 16 + index
        // A picture that was begun earlier gets its memory as soon as a thread starts on it.
        entry.picture.wait(forRows: 0)
        let planes = PlaneSet(entry.picture)
        for component in 0..<3 { references.planes[place * 3 + component] = planes[component] }
        references.orderCount[place] = Int32(truncatingIfNeeded: entry.picture.orderCount)
        references.isLongTerm[place] = entry.isLongTerm
        references.finishedRows[place] = 0
        pictures.set(entry.picture, entry: place)
        references.slot[place] = slot(of: entry)
        if entry.picture.orderCount > picture.orderCount { references.hasNoBackward = false }
      }
    }
    guard slice.sliceTemporalMvpEnabledFlag == true, slice.sliceType.isInter else { return false }
    references.isCollocatedFromL0 = slice.collocatedFromL0Flag ?? true
    let list = references.isCollocatedFromL0 ? lists.l0 : lists.l1
    let index = Int(clamping: slice.collocatedRefIdx ?? 0)
    guard index < list.count, list[index].picture.format == format,
      let collocated = list[index].picture.collocated
    else { return false }
    references.collocated = collocated
    references.collocatedStride = list[index].picture.collocatedStride
    references.collocatedOrderCount = list[index].picture.orderCount
    references.collocatedEntry = (references.isCollocatedFromL0 ? 0 : 16) + min(index, 15)
    return true
  }

  /// The number of a picture among those that the current one refers to.
  private func slot(of entry: ReferenceEntry) -> UInt8 {
    let known = referred.firstIndex {
      $0.picture === entry.picture && $0.isLongTerm == entry.isLongTerm
    }
    if let known { return UInt8(truncatingIfNeeded: known) }
    // Conforming pictures refer to 16 pictures and a few of other layers; more than 255 share the last number.
    guard referred.count < 255 else { return 255 }
    referred.append(entry)
    let slot = referred.count - 1
    tables.slotOrderCount[slot] = Int32(truncatingIfNeeded: entry.picture.orderCount)
    tables.slotIsLongTerm[slot] = entry.isLongTerm
    return UInt8(truncatingIfNeeded: slot)
  }

  /// Deblocks the whole picture, of which nothing may be filtered yet, so that offsets can be chosen by what is left of
  /// errors. Ending the picture then applies them.
  package func deblock() {
    guard let picture, filteredRows == 0 else { return }
    for row in 0..<geometry.heightInCtbs { filters.deblock(picture, row: row) }
    isDeblocked = true
  }

  /// Ends a picture: filters it, and keeps its motion for later pictures.
  package func finish() {
    guard let picture else { return }
    filter(rows: geometry.heightInCtbs)
    keepMotion(picture, row: geometry.heightInCtbs - 1)
    picture.finish()
    self.picture = nil
    referred = []
    pictures.removeAll()
  }

  /// Filters the first `rows` rows of coding tree blocks, except those already filtered. All but the last are then
  /// final, with their motion.
  package func filter(rows: Int) {
    guard let picture else { return }
    while filteredRows < rows {
      if !isDeblocked {
        filters.filter(picture, row: filteredRows)
      } else if filters.geometry.isOffset {
        filters.offset(picture, row: filteredRows)
      }
      if filteredRows > 0 {
        keepMotion(picture, row: filteredRows - 1)
        picture.finish(rows: min(geometry.height, filteredRows << geometry.ctbLog2Size))
      }
      filteredRows += 1
    }
  }

  /// The motion of the upper left block of each 16x16 in a row of coding tree blocks. 8.5.3.2.9
  private func keepMotion(_ picture: PictureBuffer, row: Int) {
    let blocks = 1 << (geometry.ctbLog2Size - 2)
    guard let collocated = picture.collocated else { return }
    var place = row * (blocks / 4) * picture.collocatedStride
    for y in stride(from: row * blocks, to: min(tables.rows, (row + 1) * blocks), by: 4) {
      for x in stride(from: 0, to: tables.stride, by: 4) {
        let motion = tables.motion[y * tables.stride + x]
        var kept = CollocatedMotion()
        if tables.info[y * tables.stride + x] & (BlockInfo.intra | BlockInfo.decoded) == BlockInfo.decoded {
          if motion.uses0 {
            kept.flags |= tables.slotIsLongTerm[Int(motion.slot0)] ? 5 : 1
            kept.vector0 = motion.vector0
            kept.orderCount0 = tables.slotOrderCount[Int(motion.slot0)]
          }
          if motion.uses1 {
            kept.flags |= tables.slotIsLongTerm[Int(motion.slot1)] ? 10 : 2
            kept.vector1 = motion.vector1
            kept.orderCount1 = tables.slotOrderCount[Int(motion.slot1)]
          }
        }
        collocated[place] = kept
        place += 1
      }
    }
  }
}
