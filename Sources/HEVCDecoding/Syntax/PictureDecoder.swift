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
  private let context: PictureContext
  private let coded = CodedBytes()
  private let states = ContextStates()
  /// The contexts after the second coding tree block of a row. 9.3.2.4
  private let rowStates = ContextStates()
  /// The contexts at the end of the previous slice segment.
  private let segmentStates = ContextStates()

  private var picture: PictureBuffer?
  /// SliceAddrRs, and QpY of the last coding unit, which dependent slice segments take over.
  private var sliceAddress = 0
  private var lastQp = 0
  private var hasSegmentStates = false
  /// Whether coding tree units arrive in raster scan, so that rows may be filtered as soon as they are complete.
  private var isInOrder = false
  /// How many coding tree units are decoded without a gap, counted from the first.
  private var decodedInOrder = 0

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
    context = PictureContext(
      sps: sps, pps: pps, geometry: geometry, format: format, scaling: factors, pool: pool)
  }

  deinit {
    states.free()
    rowStates.free()
    segmentStates.free()
  }

  /// Begins a picture, whose format must be ``format``. Order count and layer are those of the buffer.
  ///
  /// - Parameter isInOrder: whether the addresses of its slice segments are ascending.
  package func begin(_ picture: PictureBuffer, isInOrder: Bool = false) throws(UnsupportedPicture) {
    guard picture.format == format else { throw UnsupportedPicture("a picture of another format") }
    context.begin(picture)
    self.picture = picture
    self.isInOrder = isInOrder && pps.tiles == nil
    decodedInOrder = 0
    hasSegmentStates = false
    sliceAddress = 0
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
    let hasCollocated = context.setReferences(slice, lists)
    let values = SliceValues(
      geometry, sps, pps, slice, sliceAddress: sliceAddress, isTemporalMotion: hasCollocated)
    guard lists.l0.count >= values.count0, lists.l1.count >= values.count1,
      (lists.l0 + lists.l1).allSatisfy({ $0.picture.format == format })
    else { throw SliceDataError("pictures that it refers to are missing", ctbAddress: address) }
    guard values.isIntra || !values.isWeighted || slice.predWeightTable != nil,
      !values.hasScalingLists || context.hasScaling
    else { throw SliceDataError("weights are missing", ctbAddress: address) }
    if let weights = slice.predWeightTable { context.setWeights(weights, values) }
    try decode(header, values, picture, data, until: next)
  }

  private func decode(
    _ header: SliceSegmentHeader, _ values: SliceValues, _ picture: PictureBuffer, _ data: ByteView,
    until next: Int
  ) throws(SliceDataError) {
    var tileScan = Int(geometry.rasterToTileScan[Int(clamping: header.sliceSegmentAddress ?? 0)])
    if !header.isDependent { lastQp = values.sliceQp }
    var decoder = SliceDecoder(
      context.blocks(values, picture, lastQp: lastQp), ArithmeticDecoder(coded.words(data), states: states))
    var isFirst = true
    defer { lastQp = decoder.blocks.lastQp }
    while true {
      let address = Int(geometry.tileToRasterScan[tileScan])
      decoder.blocks.beginCtu(address: address, tileScan: tileScan)
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
      noteDecoded(address)
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
    let values = decoder.blocks.v
    let isTileStart = startsTile(tileScan)
    let isRowStart = values.isWavefront && !isTileStart && startsRow(tileScan)
    guard isFirst || isRowStart || (isTileStart && values.hasTiles) else { return }
    if isTileStart {
      decoder.blocks.lastQp = values.sliceQp
    } else if isRowStart {
      decoder.blocks.lastQp = values.sliceQp
      if decoder.blocks.isCtbAvailable(decoder.blocks.ctbX + 1, decoder.blocks.ctbY - 1) {
        states.copy(from: rowStates)
        return
      }
    } else if isDependent, hasSegmentStates {
      states.copy(from: segmentStates)
      return
    }
    decoder.cabac.initialiseContexts(type: values.initType, sliceQp: values.sliceQp)
  }

  /// Ends a picture: filters it, and keeps its motion for later pictures. Returns how many coding tree units are
  /// missing.
  @discardableResult
  package func finish() -> Int {
    guard picture != nil else { return 0 }
    let missing = fillMissing()
    context.finish()
    picture = nil
    return missing
  }

  /// Gives the coding tree units that were not decoded a quantisation parameter, that of the picture parameter set, and
  /// no motion: deblocking the edges beside them uses both, and the tables still have those of an earlier picture.
  /// Returns how many they are.
  ///
  /// The rows that are filtered by now have neighbours that are complete.
  private func fillMissing() -> Int {
    let tables = context.tables
    let size = 1 << (geometry.ctbLog2Size - 2)
    let qp = Int8(clamping: 26 &+ pps.initQpMinus26)
    var missing = 0
    for address in 0..<geometry.sizeInCtbs where tables.sliceAddress[address] < 0 {
      missing += 1
      let x = address % geometry.widthInCtbs * size, y = address / geometry.widthInCtbs * size
      let width = min(size, tables.stride - x), height = min(size, tables.rows - y)
      tables.qp.fill(x: x, y: y, width: width, height: height, stride: tables.stride, with: qp)
      tables.motion.fill(x: x, y: y, width: width, height: height, stride: tables.stride, with: Motion())
    }
    return missing
  }

  /// Records a coding tree unit without errors; if it completes a row, the row above can be filtered.
  private func noteDecoded(_ address: Int) {
    guard isInOrder, address == decodedInOrder else { return }
    decodedInOrder += 1
    guard decodedInOrder % geometry.widthInCtbs == 0 else { return }
    context.filter(rows: decodedInOrder / geometry.widthInCtbs - 1)
  }

  /// Whether a coding tree unit, given by its address in raster scan, has been decoded, even if only in part.
  package func isDecoded(ctbAddress: Int) -> Bool {
    ctbAddress >= 0 && ctbAddress < geometry.sizeInCtbs && context.tables.sliceAddress[ctbAddress] >= 0
  }
}
