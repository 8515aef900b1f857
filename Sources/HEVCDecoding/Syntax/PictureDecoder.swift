// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
package import HEVC
package import HEVCCoding

/// Decodes the slice segments of pictures, one picture at a time, that use one sequence and one picture parameter
/// set.
///
/// Call ``begin(_:isInOrder:)``, then ``decode(_:data:references:until:)`` for each slice segment, then ``finish()``.
package final class PictureDecoder {
  private let geometry: PictureGeometry
  private let sps: SequenceParameterSet
  private let pps: PictureParameterSet
  /// The format of the pictures it decodes.
  package let format: SampleFormat
  private let memory: CodingMemory
  private let coded = CodedBytes()
  private let pool: CodingMemoryPool
  private let tables: PictureTables
  private let scratch: BlockScratch
  private let scaling: Memory<UInt8>
  private var references: ReferenceTables
  private let states = ContextStates()
  /// The contexts after the second coding tree block of a row. 9.3.2.4
  private let rowStates = ContextStates()
  /// The contexts at the end of the previous slice segment.
  private let segmentStates = ContextStates()
  private let filters: LoopFilters
  private let pictures = ReferencePictures()

  private var picture: PictureBuffer?
  /// The pictures referred to, by slot: kept until the current picture is finished.
  private var referred: [ReferenceEntry] = []
  /// SliceAddrRs, and QpY of the last coding unit, which dependent slice segments take over.
  private var sliceAddress = 0
  private var lastQp = 0
  private var hasSegmentStates = false
  /// Whether coding tree units arrive in raster scan, so that rows may be filtered as soon as they are complete.
  private var isInOrder = false
  /// How many coding tree units are decoded without a gap, counted from the first.
  private var decodedInOrder = 0
  /// How many rows of coding tree blocks are filtered.
  private var filteredRows = 0

  /// A decoder for pictures of `sps` that refer to `pps`. Its memory comes from `pool`, and is returned there.
  package init(
    sps: SequenceParameterSet, pps: PictureParameterSet, geometry: PictureGeometry,
    scaling factors: ScalingFactors?, pool: CodingMemoryPool
  ) throws(UnsupportedPicture) {
    guard let format = SampleFormat(sps) else {
      throw UnsupportedPicture("the size of pictures is not known")
    }
    if let screen = sps.extensions?.screenContent,
      screen.spsCurrPicRefEnabledFlag || screen.palette != nil || screen.motionVectorResolutionControlIdc != 0
        || screen.intraBoundaryFilteringDisabledFlag
    {
      throw UnsupportedPicture("coding tools for screen content")
    }
    if let screen = pps.extensions?.screenContent,
      screen.ppsCurrPicRefEnabledFlag || screen.colourTransform != nil
    {
      throw UnsupportedPicture("coding tools for screen content")
    }
    guard format.planeCount == 1 || geometry.chromaArrayType == format.chromaArrayType,
      geometry.minCbLog2Size >= 3, geometry.ctbLog2Size <= 6, geometry.ctbLog2Size >= geometry.minCbLog2Size,
      geometry.maxTbLog2Size <= 5, geometry.width > 0, geometry.height > 0,
      geometry.width & 7 == 0, geometry.height & 7 == 0
    else { throw UnsupportedPicture("the sizes of its blocks") }
    self.sps = sps
    self.pps = pps
    self.geometry = geometry
    self.format = format
    let isExtended = sps.extensions?.range?.extendedPrecisionProcessingFlag ?? false
    let depth = max(format.bitDepthLuma, format.chromaArrayType == 0 ? 0 : format.bitDepthChroma)
    self.pool = pool
    memory = pool.take(geometry, isLong: depth > 12 || isExtended && depth > 8)
    tables = memory.tables
    scratch = memory.scratch
    let all = factors?.factors ?? []
    scaling = Memory(count: all.count, repeating: 16)
    for (index, factor) in all.enumerated() { scaling[index] = factor }
    references = ReferenceTables(any: scratch.patch)
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
    states.free()
    rowStates.free()
    segmentStates.free()
  }

  /// Begins a picture, whose format must be ``format``. Order count and layer are those of the buffer.
  ///
  /// - Parameter isInOrder: whether the addresses of its slice segments are ascending.
  package func begin(_ picture: PictureBuffer, isInOrder: Bool = false) throws(UnsupportedPicture) {
    guard picture.format == format else { throw UnsupportedPicture("a picture of another format") }
    picture.allocate()
    self.picture = picture
    self.isInOrder = isInOrder && pps.tiles == nil
    decodedInOrder = 0
    filteredRows = 0
    referred = []
    hasSegmentStates = false
    sliceAddress = 0
    tables.reset()
  }

  /// Decodes a slice segment.
  ///
  /// - Parameters:
  ///   - header: its header.
  ///   - data: `slice_segment_data()` without emulation prevention.
  ///   - lists: RefPicList0 and RefPicList1 of its slice, as long as the header specifies.
  ///   - next: the address of the next slice segment: if segments are in order, it is an error if the data continues there.
  package func decode(
    _ header: SliceSegmentHeader, data: ByteView, references lists: SliceReferences, until next: Int = .max
  ) throws(SliceDataError) {
    let address = Int(clamping: header.sliceSegmentAddress ?? 0)
    guard let picture, let slice = header.slice, address < geometry.sizeInCtbs else {
      throw SliceDataError("its picture or its header is missing", ctbAddress: address)
    }
    if !header.isDependent { sliceAddress = address }
    let hasCollocated = setReferences(slice, lists, picture)
    let values = SliceValues(
      geometry, sps, pps, slice, sliceAddress: sliceAddress, isTemporalMotion: hasCollocated)
    guard lists.l0.count >= values.count0, lists.l1.count >= values.count1,
      (lists.l0 + lists.l1).allSatisfy({ $0.picture.format == format })
    else { throw SliceDataError("pictures that it refers to are missing", ctbAddress: address) }
    guard values.isIntra || !values.isWeighted || slice.predWeightTable != nil,
      !values.hasScalingLists || scaling.count > 0
    else { throw SliceDataError("weights are missing", ctbAddress: address) }
    if let weights = slice.predWeightTable { references.setWeights(weights, values) }
    try decode(header, values, picture, data, until: next)
  }

  private func decode(
    _ header: SliceSegmentHeader, _ values: SliceValues, _ picture: PictureBuffer, _ data: ByteView,
    until next: Int
  ) throws(SliceDataError) {
    var tileScan = Int(geometry.rasterToTileScan[Int(clamping: header.sliceSegmentAddress ?? 0)])
    if !header.isDependent { lastQp = values.sliceQp }
    var decoder = SliceDecoder(
      values, tables, scratch, PlaneSet(picture), references, pictures, scaling,
      ArithmeticDecoder(coded.words(data), states: states), lastQp: lastQp)
    var isFirst = true
    defer { lastQp = decoder.lastQp }
    while true {
      let address = Int(geometry.tileToRasterScan[tileScan])
      decoder.beginCtu(address: address, tileScan: tileScan)
      startContexts(&decoder, isFirst: isFirst, isDependent: header.isDependent, tileScan)
      isFirst = false
      decoder.codingTreeUnit()
      if let damage = decoder.damage { throw SliceDataError("\(damage)", ctbAddress: address) }
      if decoder.cabac.isExhausted { throw SliceDataError("the data end too early", ctbAddress: address) }
      if values.isWavefront, isSecondOfRow(tileScan) { rowStates.copy(from: states) }
      let isEnd = decoder.cabac.terminate()
      tileScan += 1
      guard isEnd || tileScan < geometry.sizeInCtbs else {
        throw SliceDataError("the data continue after the last coding tree unit", ctbAddress: address)
      }
      guard isEnd || !isInOrder || tileScan < next else {
        throw SliceDataError("the data continue in the next slice segment", ctbAddress: address)
      }
      if !isEnd, startsSubstream(tileScan) {
        guard decoder.cabac.terminate() else {
          throw SliceDataError("a substream does not end", ctbAddress: address)
        }
        decoder.cabac.start(at: decoder.cabac.nextPosition)
      }
      noteDecoded(address, in: picture)
      if isEnd { break }
    }
    segmentStates.copy(from: states)
    hasSegmentStates = true
  }

  /// Whether a coding tree block is the first of a tile.
  private func startsTile(_ tileScan: Int) -> Bool {
    tileScan == 0 || geometry.tileIDs[tileScan] != geometry.tileIDs[tileScan - 1]
  }

  /// Whether a coding tree block is the first of a row in its tile.
  private func startsRow(_ tileScan: Int) -> Bool {
    if startsTile(tileScan) { return true }
    let address = geometry.tileToRasterScan[tileScan]
    return address != geometry.tileToRasterScan[tileScan - 1] + 1
      || Int(address) % geometry.widthInCtbs == 0
  }

  /// Whether a coding tree block begins a new substream of the arithmetic decoder. 7.3.8.1
  private func startsSubstream(_ tileScan: Int) -> Bool {
    if pps.tiles != nil, startsTile(tileScan) { return true }
    return pps.entropyCodingSyncEnabledFlag && startsRow(tileScan)
  }

  /// Whether the row below starts with the contexts after this coding tree block. 9.3.2.4
  private func isSecondOfRow(_ tileScan: Int) -> Bool {
    tileScan > 0 && !startsRow(tileScan) && startsRow(tileScan - 1)
  }

  /// Sets the contexts before a coding tree unit if it begins a slice segment, tile or row. 9.3.1
  private func startContexts(
    _ decoder: inout SliceDecoder, isFirst: Bool, isDependent: Bool, _ tileScan: Int
  ) {
    let values = decoder.v
    let isTileStart = startsTile(tileScan)
    let isRowStart = values.isWavefront && !isTileStart && startsRow(tileScan)
    guard isFirst || isRowStart || (isTileStart && values.hasTiles) else { return }
    if isTileStart {
      decoder.lastQp = values.sliceQp
    } else if isRowStart {
      decoder.lastQp = values.sliceQp
      if decoder.isCtbAvailable(decoder.ctbX + 1, decoder.ctbY - 1) {
        states.copy(from: rowStates)
        return
      }
    } else if isDependent, hasSegmentStates {
      states.copy(from: segmentStates)
      return
    }
    decoder.cabac.initialiseContexts(type: values.initType, sliceQp: values.sliceQp)
  }

  /// Stores the lists of a slice; returns whether there is a picture to predict motion from.
  private func setReferences(
    _ slice: SliceHeader, _ lists: SliceReferences, _ picture: PictureBuffer
  ) -> Bool {
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

  /// Ends a picture: filters it, and keeps its motion for later pictures. Returns how many coding tree units are
  /// missing.
  @discardableResult
  package func finish() -> Int {
    guard let picture else { return 0 }
    filter(picture, rows: geometry.heightInCtbs)
    keepMotion(picture, row: geometry.heightInCtbs - 1)
    picture.finish()
    self.picture = nil
    referred = []
    pictures.removeAll()
    var missing = 0
    for address in 0..<geometry.sizeInCtbs where tables.sliceAddress[address] < 0 { missing += 1 }
    return missing
  }

  /// Records a coding tree unit without errors; if it completes a row, the row above can be filtered.
  private func noteDecoded(_ address: Int, in picture: PictureBuffer) {
    guard isInOrder, address == decodedInOrder else { return }
    decodedInOrder += 1
    guard decodedInOrder % geometry.widthInCtbs == 0 else { return }
    filter(picture, rows: decodedInOrder / geometry.widthInCtbs - 1)
  }

  /// Filters the first `rows` rows of coding tree blocks, except those already filtered. All but the last are then
  /// final, with their motion.
  private func filter(_ picture: PictureBuffer, rows: Int) {
    while filteredRows < rows {
      filters.filter(picture, row: filteredRows)
      if filteredRows > 0 {
        keepMotion(picture, row: filteredRows - 1)
        picture.finish(rows: min(geometry.height, filteredRows << geometry.ctbLog2Size))
      }
      filteredRows += 1
    }
  }

  /// Whether a coding tree unit, given by its address in raster scan, has been decoded, even if only in part.
  package func isDecoded(ctbAddress: Int) -> Bool {
    ctbAddress >= 0 && ctbAddress < geometry.sizeInCtbs && tables.sliceAddress[ctbAddress] >= 0
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
