// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How a picture is divided into coding tree blocks and tiles, and in which order these are coded.
///
/// It depends on a sequence and a picture parameter set alone, and is computed once for each pair of them.
/// ISO/IEC 23008-2, 6.3.1, 6.5.1 and 6.5.2
package struct PictureGeometry: Hashable, Sendable {
  /// The width of a coded picture in luma samples. `pic_width_in_luma_samples`
  package let width: Int
  /// The height of a coded picture in luma samples. `pic_height_in_luma_samples`
  package let height: Int
  /// ChromaArrayType: 0 without chroma, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  package let chromaArrayType: Int
  /// BitDepthY
  package let bitDepthLuma: Int
  /// BitDepthC
  package let bitDepthChroma: Int

  /// CtbLog2SizeY
  package let ctbLog2Size: Int
  /// MinCbLog2SizeY
  package let minCbLog2Size: Int
  /// MinTbLog2SizeY
  package let minTbLog2Size: Int
  /// MaxTbLog2SizeY
  package let maxTbLog2Size: Int
  /// PicWidthInCtbsY
  package let widthInCtbs: Int
  /// PicHeightInCtbsY
  package let heightInCtbs: Int

  /// colBd: the first column of coding tree blocks of each tile column, and PicWidthInCtbsY at the end.
  package let tileColumnBoundaries: [Int]
  /// rowBd: the first row of coding tree blocks of each tile row, and PicHeightInCtbsY at the end.
  package let tileRowBoundaries: [Int]
  /// CtbAddrRsToTs: the place in the order of coding, by the address in raster scan.
  package let rasterToTileScan: [Int32]
  /// CtbAddrTsToRs: the address in raster scan, by the place in the order of coding.
  package let tileToRasterScan: [Int32]
  /// TileId, by the place in the order of coding.
  package let tileIDs: [Int32]
  /// The place of each smallest transform block within its coding tree block, in z-scan, row by row.
  package let zScanInCtb: [UInt16]

  /// How many coding tree blocks a picture has. `PicSizeInCtbsY`
  package var sizeInCtbs: Int { widthInCtbs * heightInCtbs }
  /// How many luma samples are as wide as a chroma sample. `SubWidthC`
  package var subWidthC: Int { chromaArrayType == 1 || chromaArrayType == 2 ? 2 : 1 }
  /// How many luma samples are as high as a chroma sample. `SubHeightC`
  package var subHeightC: Int { chromaArrayType == 1 ? 2 : 1 }

  /// MinTbAddrZs of the smallest transform block at a place, in units of such blocks, inside of the picture. Equation 6-10
  package func minTbAddrZs(_ x: Int, _ y: Int) -> Int {
    let shift = ctbLog2Size - minTbLog2Size
    let ctb = (y >> shift) * widthInCtbs + (x >> shift)
    let mask = (1 << shift) - 1
    return (Int(rasterToTileScan[ctb]) << (2 * shift)) + Int(zScanInCtb[(y & mask) << shift | (x & mask)])
  }

  /// The greatest number of luma samples of a picture that is decoded: that of level 6.2, and room for the longest side.
  package static let maximumLumaSamples = 1 << 27

  /// The geometry of pictures of `sps` that name `pps`.
  package init(_ sps: SequenceParameterSet, _ pps: PictureParameterSet) throws(PictureProblem) {
    guard let format = sps.format else {
      throw .missing("the picture format of sequence parameter set \(sps.spsSeqParameterSetID)")
    }
    try Self.check(sps, format)
    width = format.codedSize.width
    height = format.codedSize.height
    chromaArrayType = format.chromaArrayType
    bitDepthLuma = format.bitDepthLuma
    bitDepthChroma = format.bitDepthChroma
    ctbLog2Size = sps.ctbLog2SizeY
    minCbLog2Size = sps.minCbLog2SizeY
    minTbLog2Size = sps.minTbLog2SizeY
    maxTbLog2Size = sps.maxTbLog2SizeY
    let columns = (width + sps.ctbSizeY - 1) >> ctbLog2Size
    let rows = (height + sps.ctbSizeY - 1) >> ctbLog2Size
    widthInCtbs = columns
    heightInCtbs = rows

    let tiles = pps.tiles
    tileColumnBoundaries = try Self.boundaries(
      of: columns, parts: Int(clamping: tiles?.numTileColumnsMinus1 ?? 0) + 1,
      explicit: tiles?.uniformSpacingFlag == false ? tiles?.columnWidthMinus1 : nil, "columns")
    tileRowBoundaries = try Self.boundaries(
      of: rows, parts: Int(clamping: tiles?.numTileRowsMinus1 ?? 0) + 1,
      explicit: tiles?.uniformSpacingFlag == false ? tiles?.rowHeightMinus1 : nil, "rows")
    (rasterToTileScan, tileToRasterScan, tileIDs) = Self.scans(
      columns, rows, tileColumnBoundaries, tileRowBoundaries)
    zScanInCtb = Self.zScan(ctbLog2Size - minTbLog2Size)
  }

  private static func check(_ sps: SequenceParameterSet, _ format: PictureFormat) throws(PictureProblem) {
    let size = format.codedSize
    guard size.width > 0, size.height > 0, size.width <= 65_535, size.height <= 65_535,
      size.width * size.height <= maximumLumaSamples
    else { throw .unsupported("a picture of \(size)") }
    let minimum = 1 << sps.minCbLog2SizeY
    guard size.width % minimum == 0, size.height % minimum == 0 else {
      throw .invalid("the picture size \(size) is not a multiple of the smallest coding block, \(minimum)")
    }
    guard (4...6).contains(sps.ctbLog2SizeY) else {
      throw .invalid("a coding tree block of \(sps.ctbSizeY) samples is not allowed")
    }
    guard sps.minTbLog2SizeY < sps.minCbLog2SizeY, sps.maxTbLog2SizeY <= min(sps.ctbLog2SizeY, 5) else {
      throw .invalid("the transform block sizes do not fit the coding block sizes")
    }
    guard format.separateColourPlaneFlag != true else { throw .unsupported("separately coded colour planes") }
  }

  /// Equations 6-3 and 6-4, accumulated.
  private static func boundaries(
    of size: Int, parts: Int, explicit: [UInt32]?, _ name: String
  ) throws(PictureProblem) -> [Int] {
    guard parts <= size else { throw .invalid("there are more tile \(name) than coding tree blocks") }
    guard let explicit else { return (0...parts).map { $0 * size / parts } }
    var result = [0], last = 0
    for length in explicit.prefix(parts - 1) {
      last += Int(length) + 1
      result.append(last)
    }
    guard last < size, result.count == parts else {
      throw .invalid("the tile \(name) are larger than the picture")
    }
    return result + [size]
  }

  /// Equations 6-7 to 6-9: the tiles in raster order, and within each its blocks in raster order.
  private static func scans(
    _ columns: Int, _ rows: Int, _ columnBoundaries: [Int], _ rowBoundaries: [Int]
  ) -> ([Int32], [Int32], [Int32]) {
    var toTile = [Int32](repeating: 0, count: columns * rows)
    var toRaster: [Int32] = [], tiles: [Int32] = []
    toRaster.reserveCapacity(columns * rows)
    tiles.reserveCapacity(columns * rows)
    var tile: Int32 = 0
    for row in 1..<rowBoundaries.count {
      for column in 1..<columnBoundaries.count {
        for y in rowBoundaries[row - 1]..<rowBoundaries[row] {
          for x in columnBoundaries[column - 1]..<columnBoundaries[column] {
            toTile[y * columns + x] = Int32(toRaster.count)
            toRaster.append(Int32(y * columns + x))
            tiles.append(tile)
          }
        }
        tile += 1
      }
    }
    return (toTile, toRaster, tiles)
  }

  /// The low bits of both coordinates, in turn: equation 6-10 within a coding tree block.
  private static func zScan(_ log2Size: Int) -> [UInt16] {
    let size = 1 << log2Size
    var result = [UInt16](repeating: 0, count: size * size)
    for y in 0..<size {
      for x in 0..<size {
        var place = 0
        for bit in 0..<log2Size {
          place |= (x >> bit & 1) << (2 * bit) | (y >> bit & 1) << (2 * bit + 1)
        }
        result[y * size + x] = UInt16(place)
      }
    }
    return result
  }
}
