// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How a picture is divided into coding tree blocks and tiles, and in which order they are coded.
///
/// It depends only on a sequence and a picture parameter set, and is computed once for each pair of them.
/// ISO/IEC 23008-2, 6.3.1, 6.5.1 and 6.5.2
package struct PictureGeometry: Hashable, Sendable {
  /// The width of a coded picture in luma samples. `pic_width_in_luma_samples`
  package let width: Int
  /// The height of a coded picture in luma samples. `pic_height_in_luma_samples`
  package let height: Int
  /// The chroma format: 0 without chroma, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4 (`ChromaArrayType`).
  package let chromaArrayType: Int
  /// The number of bits of a luma sample (`BitDepthY`).
  package let bitDepthLuma: Int
  /// The number of bits of a chroma sample (`BitDepthC`).
  package let bitDepthChroma: Int

  /// Log2 of the size of a coding tree block in luma samples (`CtbLog2SizeY`).
  package let ctbLog2Size: Int
  /// Log2 of the size of the smallest coding block in luma samples (`MinCbLog2SizeY`).
  package let minCbLog2Size: Int
  /// Log2 of the size of the smallest transform block in luma samples (`MinTbLog2SizeY`).
  package let minTbLog2Size: Int
  /// Log2 of the size of the largest transform block in luma samples (`MaxTbLog2SizeY`).
  package let maxTbLog2Size: Int
  /// The width of a picture in coding tree blocks (`PicWidthInCtbsY`).
  package let widthInCtbs: Int
  /// The height of a picture in coding tree blocks (`PicHeightInCtbsY`).
  package let heightInCtbs: Int

  /// The first column of coding tree blocks of each tile column, and PicWidthInCtbsY at the end (`colBd`).
  package let tileColumnBoundaries: [Int]
  /// The first row of coding tree blocks of each tile row, and PicHeightInCtbsY at the end (`rowBd`).
  package let tileRowBoundaries: [Int]
  /// The position in coding order, by the address in raster scan (`CtbAddrRsToTs`).
  package let rasterToTileScan: [Int32]
  /// The address in raster scan, by the position in coding order (`CtbAddrTsToRs`).
  package let tileToRasterScan: [Int32]
  /// The tile of each coding tree block, by the position in coding order (`TileId`).
  package let tileIDs: [Int32]
  /// The z-scan index of each smallest transform block within its coding tree block, row by row.
  package let zScanInCtb: [UInt16]

  /// The number of coding tree blocks in a picture (`PicSizeInCtbsY`).
  package var sizeInCtbs: Int { widthInCtbs * heightInCtbs }
  /// How many luma samples are as wide as one chroma sample (`SubWidthC`).
  package var subWidthC: Int { chromaArrayType == 1 || chromaArrayType == 2 ? 2 : 1 }
  /// How many luma samples are as high as one chroma sample (`SubHeightC`).
  package var subHeightC: Int { chromaArrayType == 1 ? 2 : 1 }

  /// The z-scan address of the smallest transform block at a position inside the picture, in units of such blocks
  /// (`MinTbAddrZs`). Equation 6-10
  package func minTbAddrZs(_ x: Int, _ y: Int) -> Int {
    let shift = ctbLog2Size - minTbLog2Size
    let ctb = (y >> shift) * widthInCtbs + (x >> shift)
    let mask = (1 << shift) - 1
    return (Int(rasterToTileScan[ctb]) << (2 * shift)) + Int(zScanInCtb[(y & mask) << shift | (x & mask)])
  }

  /// How many luma samples a picture may have to be decoded at all: those of levels 7 to 7.2, the most of any level with
  /// limits. ISO/IEC 23008-2, Table A.8
  package static let maximumLumaSamples = 142_606_336
  /// How many it may have unless more are asked for: those of level 6.3, and room for the longest side.
  package static let usualLumaSamples = 1 << 27

  /// The geometry of pictures of `sps` that refer to `pps`.
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

  /// The boundaries of tile columns or rows. Equations 6-3 and 6-4, accumulated
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

  /// The order of the blocks: tiles in raster order, and the blocks of each in raster order. Equations 6-7 to 6-9
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

  /// The z-scan within a coding tree block, by interleaving the bits of both coordinates. Equation 6-10
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
