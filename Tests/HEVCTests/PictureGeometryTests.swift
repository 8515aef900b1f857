// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

/// Tables of tree blocks, and weights of coefficients, against values worked out by hand.
@Suite struct PictureGeometryTests {
  /// 5 by 3 tree blocks of 16, of which the last column and row are cut.
  private func sets() -> (SequenceParameterSet, PictureParameterSet) {
    (plainSequence(width: 72, height: 40), PictureParameterSet())
  }

  @Test func withoutTiles() throws {
    let (sps, pps) = sets()
    let geometry = try PictureGeometry(sps, pps)
    #expect(geometry.widthInCtbs == 5 && geometry.heightInCtbs == 3)
    #expect(geometry.rasterToTileScan == Array(0..<15))
    #expect(geometry.tileToRasterScan == Array(0..<15))
    #expect(geometry.tileIDs == Array(repeating: 0, count: 15))
    #expect(geometry.zScanInCtb == [0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15])
    #expect(geometry.minTbAddrZs(6, 5) == 6 * 16 + 6)
  }

  /// As large as levels 7 to 7.2 allow, and one row of blocks more. Table A.8
  @Test func largestPictures() throws {
    var sps = plainSequence(width: 16_384, height: 8_704)
    let pps = PictureParameterSet()
    sps.log2DiffMaxMinLumaCodingBlockSize = 3
    #expect(try PictureGeometry(sps, pps).sizeInCtbs == 256 * 136)
    sps.pictureFormat?.picHeightInLumaSamples += 8
    #expect(throws: PictureProblem.unsupported("a picture of 16384x8712")) { try PictureGeometry(sps, pps) }
  }

  @Test func explicitTiles() throws {
    var (sps, pps) = sets()
    var tiles = PictureParameterSet.Tiles()
    tiles.numTileColumnsMinus1 = 1
    tiles.numTileRowsMinus1 = 1
    tiles.uniformSpacingFlag = false
    tiles.columnWidthMinus1 = [2]
    tiles.rowHeightMinus1 = [0]
    pps.tiles = tiles
    let geometry = try PictureGeometry(sps, pps)
    #expect(geometry.tileColumnBoundaries == [0, 3, 5] && geometry.tileRowBoundaries == [0, 1, 3])
    #expect(geometry.tileToRasterScan == [0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 8, 9, 13, 14])
    #expect(geometry.tileIDs == [0, 0, 0, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3])
    for place in 0..<15 {
      #expect(geometry.rasterToTileScan[Int(geometry.tileToRasterScan[place])] == place)
    }
    sps.log2DiffMaxMinLumaCodingBlockSize = 3
    #expect(throws: PictureProblem.self) { try PictureGeometry(sps, pps) }
  }

  @Test func uniformTiles() throws {
    var (sps, pps) = sets()
    var tiles = PictureParameterSet.Tiles()
    tiles.numTileColumnsMinus1 = 2
    pps.tiles = tiles
    #expect(try PictureGeometry(sps, pps).tileColumnBoundaries == [0, 1, 3, 5])
    pps.tiles?.numTileColumnsMinus1 = 5
    #expect(throws: PictureProblem.self) { try PictureGeometry(sps, pps) }
    sps.pictureFormat?.picWidthInLumaSamples = 65_535
    #expect(throws: PictureProblem.self) { try PictureGeometry(sps, pps) }
  }

  /// The default matrices, as reference software prints them: row by row.
  @Test func defaultScaling() {
    let intra = [
      16, 16, 16, 16, 17, 18, 21, 24, 16, 16, 16, 16, 17, 19, 22, 25, 16, 16, 17, 18, 20, 22, 25, 29,
      16, 16, 18, 21, 24, 27, 31, 36, 17, 17, 20, 24, 30, 35, 41, 47, 18, 19, 22, 27, 35, 44, 54, 65,
      21, 22, 25, 31, 41, 54, 70, 88, 24, 25, 29, 36, 47, 65, 88, 115,
    ]
    let inter = [
      16, 16, 16, 16, 17, 18, 20, 24, 16, 16, 16, 17, 18, 20, 24, 25, 16, 16, 17, 18, 20, 24, 25, 28,
      16, 17, 18, 20, 24, 25, 28, 33, 17, 18, 20, 24, 25, 28, 33, 41, 18, 20, 24, 25, 28, 33, 41, 54,
      20, 24, 25, 28, 33, 41, 54, 71, 24, 25, 28, 33, 41, 54, 71, 91,
    ]
    let scaling = ScalingFactors(nil)
    for matrix in 0..<6 {
      for size in 0..<4 {
        for y in 0..<(4 << size) {
          for x in 0..<(4 << size) {
            let shift = max(0, size - 1), place = (y >> shift) * 8 + (x >> shift)
            let expected = size == 0 ? 16 : matrix < 3 ? intra[place] : inter[place]
            #expect(scaling.factor(sizeID: size, matrixID: matrix, x: x, y: y) == expected)
          }
        }
      }
    }
  }

  /// Coded lists, copies of others, and the chroma lists of 32x32 that only 4:4:4 has.
  @Test func codedScaling() {
    var data = ScalingListData()
    data.lists = Array(repeating: .init(), count: 20)
    // 4x4, Y: 9, 10, 11, … along the diagonals; Cb copies it.
    data.lists[0].predMatrixIdDelta = nil
    data.lists[0].deltaCoefs = Array(repeating: 1, count: 16)
    data.lists[1].predMatrixIdDelta = 1
    // 16x16, Cr: 8 everywhere, 40 for the lowest coefficient, and then 40 for all of the list.
    data.lists[14].predMatrixIdDelta = nil
    data.lists[14].dcCoefMinus8 = 32
    data.lists[14].deltaCoefs = [-32] + Array(repeating: 0, count: 63)
    let scaling = ScalingFactors(data)
    // The order of 6.5.3: up and to the right.
    let diagonal = [9, 11, 14, 18, 10, 13, 17, 21, 12, 16, 20, 23, 15, 19, 22, 24]
    for matrix in 0...1 {
      let found = (0..<16).map { scaling.factor(sizeID: 0, matrixID: matrix, x: $0 % 4, y: $0 / 4) }
      #expect(found == diagonal)
    }
    #expect(scaling.factor(sizeID: 2, matrixID: 2, x: 0, y: 0) == 40)
    #expect(scaling.factor(sizeID: 2, matrixID: 2, x: 1, y: 0) == 8)
    #expect(scaling.factor(sizeID: 3, matrixID: 2, x: 0, y: 0) == 40)
    #expect(scaling.factor(sizeID: 3, matrixID: 2, x: 31, y: 31) == 8)
    #expect(scaling.factor(sizeID: 3, matrixID: 1, x: 31, y: 31) == 115)
  }
}
