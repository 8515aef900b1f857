// swift-multiview · SPDX-License-Identifier: Apache-2.0

// Sample adaptive offset. ISO/IEC 23008-2, 8.7.3

extension LoopFilters {
  /// Applies offsets to the samples of a row of coding tree blocks. Neighbouring samples are read without offset:
  /// the row above is kept for that.
  package func offset(_ picture: PictureBuffer, row: Int) {
    let unfiltered = rows.unfiltered
    for component in picture.planes.indices {
      let plane = picture.planes[component]
      let above = component == 0 ? rows.above.0 : component == 1 ? rows.above.1 : rows.above.2
      let shiftY = component == 0 ? 0 : geometry.chromaShiftY
      let top = (row << geometry.ctbLog2Size) >> shiftY
      let bottom = min(plane.height, ((row + 1) << geometry.ctbLog2Size) >> shiftY)
      let first = row * geometry.widthInCtbs
      let isAny = (first..<(first + geometry.widthInCtbs)).contains {
        tables.saoType[$0 &* 3 &+ component] != 0
      }
      if isAny {
        unfiltered.copyRow(0, from: above, row: 0, count: plane.width)
        for y in top..<min(plane.height, bottom + 1) {
          unfiltered.copyRow(y - top + 1, from: plane, row: y, count: plane.width)
        }
      }
      above.copyRow(0, from: plane, row: bottom - 1, count: plane.width)
      guard isAny else { continue }
      for column in 0..<geometry.widthInCtbs where tables.saoType[(first + column) * 3 + component] != 0 {
        offset(plane, component, column, row, top: top, bottom: bottom)
      }
    }
  }

  private func offset(_ plane: Plane, _ component: Int, _ column: Int, _ row: Int, top: Int, bottom: Int) {
    let address = row &* geometry.widthInCtbs &+ column
    let index = address &* 3 &+ component
    let shiftX = component == 0 ? 0 : geometry.chromaShiftX
    let left = (column &<< geometry.ctbLog2Size) &>> shiftX
    let right = min(plane.width, ((column &+ 1) &<< geometry.ctbLog2Size) &>> shiftX)
    let area = BlockArea(x: left, y: top, width: right &- left, height: bottom &- top)
    let offsets = OffsetKernels.Offsets(
      tables.saoOffset[index &* 4], tables.saoOffset[index &* 4 &+ 1], tables.saoOffset[index &* 4 &+ 2],
      tables.saoOffset[index &* 4 &+ 3])
    let band = Int(tables.saoBand[index])
    if tables.saoType[index] == 1 {
      OffsetKernels.band(rows.unfiltered, to: plane, area, offsets, position: band)
    } else {
      OffsetKernels.edge(rows.unfiltered, to: plane, area, offsets, edgeClass: band)
      restoreBorder(plane, area, edgeClass: band, allowed: neighbours(column, row))
    }
    if tables.filterFlags[address] & 2 != 0 { restoreUnfiltered(plane, component, area) }
  }

  /// Which of the coding tree blocks around one, and itself, may be read: bits 0 to 8, row by row.
  private func neighbours(_ column: Int, _ row: Int) -> Int {
    let address = row &* geometry.widthInCtbs &+ column
    var bits = 0
    for dy in -1...1 {
      for dx in -1...1 {
        let x = column &+ dx, y = row &+ dy
        guard x >= 0, y >= 0, x < geometry.widthInCtbs, y < geometry.heightInCtbs else { continue }
        let other = y &* geometry.widthInCtbs &+ x
        var isAllowed = geometry.isFilteredAcrossTiles || tables.tile[other] == tables.tile[address]
        if tables.sliceAddress[other] != tables.sliceAddress[address] {
          // The setting of the later of the two slices applies.
          let later = tables.tileScan[other] < tables.tileScan[address] ? address : other
          if tables.filterFlags[later] & 1 == 0 { isAllowed = false }
        }
        if isAllowed { bits |= 1 &<< ((dy &+ 1) &* 3 &+ dx &+ 1) }
      }
    }
    return bits
  }

  /// Restores the samples at the border of a block that depend on samples that may not be read.
  private func restoreBorder(_ plane: Plane, _ area: BlockArea, edgeClass: Int, allowed: Int) {
    guard allowed != 0x1FF else { return }
    let dx = edgeClass == 1 ? 0 : edgeClass == 3 ? 1 : -1, dy = edgeClass == 0 ? 0 : -1
    func restore(_ x: Int, _ y: Int) {
      for sign in [1, -1] {
        let otherX = x &+ sign &* dx, otherY = y &+ sign &* dy
        let column = otherX < 0 ? 0 : otherX >= area.width ? 2 : 1
        let row = otherY < 0 ? 0 : otherY >= area.height ? 2 : 1
        if (allowed &>> (row &* 3 &+ column)) & 1 == 0 {
          plane[area.x &+ x, area.y &+ y] = rows.unfiltered[area.x &+ x, y &+ 1]
          return
        }
      }
    }
    for x in 0..<area.width {
      restore(x, 0)
      if area.height > 1 { restore(x, area.height &- 1) }
    }
    for y in 1..<max(1, area.height &- 1) {
      restore(0, y)
      if area.width > 1 { restore(area.width &- 1, y) }
    }
  }

  /// Restores the blocks that no filter may change: SaoTypeIdx is treated as 0 there.
  private func restoreUnfiltered(_ plane: Plane, _ component: Int, _ area: BlockArea) {
    let shiftX = component == 0 ? 0 : geometry.chromaShiftX,
      shiftY = component == 0 ? 0 : geometry.chromaShiftY
    for y in 0..<area.height {
      let row = (((area.y &+ y) &<< shiftY) &>> 2) &* tables.stride
      for x in 0..<area.width
      where tables.info[row &+ ((area.x &+ x) &<< shiftX) &>> 2] & BlockInfo.unfiltered != 0 {
        plane[area.x &+ x, area.y &+ y] = rows.unfiltered[area.x &+ x, y &+ 1]
      }
    }
  }
}
