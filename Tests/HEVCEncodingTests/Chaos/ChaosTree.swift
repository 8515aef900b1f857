// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCCoding
import TestSupport

@testable import HEVCEncoding

/// Draws coding tree units: every choice that syntax allows comes from a generator, none from a cost.
struct ChaosTree {
  let v: SliceValues
  let tables: PictureTables
  private let qpRange: Int
  private let scans = ScanTables.shared

  init(_ values: SliceValues, _ tables: PictureTables) {
    v = values
    self.tables = tables
    qpRange = 25 + 3 * (values.bitDepthLuma - 8)
  }

  func fill(_ tree: inout CodedTree, ctbX: Int, ctbY: Int, _ random: inout SplitMix) {
    tree.reset()
    offsets(&tree, ctbX: ctbX, ctbY: ctbY, &random)
    quadtree(&tree, ctbX << v.ctbLog2Size, ctbY << v.ctbLog2Size, v.ctbLog2Size, 0, &random)
  }

  // MARK: Sample adaptive offset

  private func offsets(_ tree: inout CodedTree, ctbX: Int, ctbY: Int, _ random: inout SplitMix) {
    switch random.next(0...5) {
    case 0 where ctbX > 0: tree.offsets.merge = .left
    case 1 where ctbY > 0: tree.offsets.merge = .up
    default: break
    }
    let maximum = 1 << (min(10, v.bitDepthLuma) - 5) - 1
    for component in 0..<3 {
      var chosen = CodedOffsets.Component()
      chosen.type = component == 2 ? tree.offsets.cb.type : UInt8(random.next(0...2))
      chosen.place = UInt8(random.next(0...(chosen.type == 1 ? 31 : 3)))
      for index in 0..<4 {
        let size = Int8(random.next(0...3) == 0 ? maximum : random.next(0...maximum))
        let isNegative = chosen.type == 2 ? index > 1 : random.next(0...1) == 1
        chosen.offsets[index] = isNegative ? -size : size
      }
      tree.offsets[component] = chosen
    }
  }

  // MARK: Coding units

  private func quadtree(
    _ tree: inout CodedTree, _ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int, _ random: inout SplitMix
  ) {
    let size = 1 << log2Size
    guard x < v.width, y < v.height else { return }
    let isInside = x + size <= v.width && y + size <= v.height
    guard log2Size > v.minCbLog2Size, !isInside || random.next(0...2) != 0 else {
      return unit(&tree, x, y, log2Size, depth, &random)
    }
    for child in 0..<4 {
      quadtree(
        &tree, x + (child & 1) * size / 2, y + (child >> 1) * size / 2, log2Size - 1, depth + 1, &random)
    }
  }

  private func unit(
    _ tree: inout CodedTree, _ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int, _ random: inout SplitMix
  ) {
    var unit = CodedUnit()
    unit.x = UInt16(x)
    unit.y = UInt16(y)
    unit.log2Size = UInt8(log2Size)
    unit.qpDelta = Int8(random.next(0...2) == 0 ? random.next(-qpRange - 1...qpRange) : random.next(-3...3))
    if !v.isIntra { unit.kind = [.intra, .inter, .inter, .skipped][random.next(0...3)] }
    var info = UInt8(depth) << BlockInfo.depthShift | BlockInfo.decoded
    switch unit.kind {
    case .intra:
      info |= BlockInfo.intra
      if log2Size == v.minCbLog2Size, random.next(0...1) == 1 { unit.partMode = .quarters }
    case .skipped:
      info |= BlockInfo.skip
      unit.hasResidual = false
    case .inter: unit.partMode = partMode(log2Size, &random)
    }
    let place = (y >> 2) * tables.stride + x >> 2
    for row in 0..<(1 << (log2Size - 2)) {
      for column in 0..<(1 << (log2Size - 2)) { tables.info[place + row * tables.stride + column] = info }
    }
    if unit.kind == .intra {
      modes(&unit, x, y, log2Size, &random)
    } else {
      let isMerged = predictions(&tree, unit, log2Size, &random)
      if unit.kind == .inter, !(unit.partMode == .whole && isMerged) {
        unit.hasResidual = random.next(0...3) != 0
      }
    }
    tree.append(unit)
    if unit.hasResidual {
      let isSplit = unit.kind == .intra && unit.partMode == .quarters
      transforms(
        &tree, unit, x, y, log2Size, depth: 0, index: 0, part: 0,
        maxDepth: unit.kind == .intra ? v.maxDepthIntra + (isSplit ? 1 : 0) : v.maxDepthInter, &random)
    }
  }

  private func partMode(_ log2Size: Int, _ random: inout SplitMix) -> PartMode {
    var modes: [PartMode] = [.whole, .whole, .halvesOneAbove, .halvesSideBySide]
    if log2Size == v.minCbLog2Size {
      if log2Size > 3 { modes.append(.quarters) }
    } else if v.isAmpEnabled {
      modes += [.upperQuarter, .lowerQuarter, .leftQuarter, .rightQuarter]
    }
    return modes[random.next(0...(modes.count - 1))]
  }

  /// Draws prediction units; returns whether the last of them is merged.
  private func predictions(
    _ tree: inout CodedTree, _ unit: CodedUnit, _ log2Size: Int, _ random: inout SplitMix
  ) -> Bool {
    let count = unit.partMode == .whole ? 1 : unit.partMode == .quarters ? 4 : 2
    var isMerged = false
    for _ in 0..<count {
      var prediction = CodedPrediction()
      isMerged = unit.kind == .skipped || random.next(0...1) == 1
      if isMerged {
        prediction.mergeIndex = Int8(random.next(0...(v.maxMergeCandidates - 1)))
      } else {
        let isSmall = log2Size == 3 && count == 2
        let direction = v.isB ? random.next(0...(isSmall ? 1 : 2)) : 0
        if direction != 1 {
          prediction.index0 = Int8(random.next(0...(v.count0 - 1)))
          prediction.difference0 = vector(&random)
        }
        if direction != 0 {
          prediction.index1 = Int8(random.next(0...(v.count1 - 1)))
          prediction.difference1 = vector(&random)
        }
        prediction.isSecondPredictor0 = random.next(0...1) == 1
        prediction.isSecondPredictor1 = random.next(0...1) == 1
      }
      tree.append(prediction)
    }
    return isMerged
  }

  private func vector(_ random: inout SplitMix) -> MotionVector {
    func part(_ random: inout SplitMix) -> Int16 {
      switch random.next(0...9) {
      case 0...2: 0
      case 3...5: Int16(random.next(-3...3))
      case 6...8: Int16(random.next(-200...200))
      default: Int16(random.next(-2_000...2_000))
      }
    }
    return MotionVector(x: part(&random), y: part(&random))
  }

  // MARK: Intra modes. 8.4.2 and 8.4.3

  private func modes(
    _ unit: inout CodedUnit, _ x: Int, _ y: Int, _ log2Size: Int, _ random: inout SplitMix
  ) {
    let isSplit = unit.partMode == .quarters
    let size = 1 << (isSplit ? log2Size - 1 : log2Size)
    for part in 0..<(isSplit ? 4 : 1) {
      let blockX = x + (part & 1) * size, blockY = y + (part >> 1) * size
      let candidates = candidates(blockX, blockY)
      let choice = random.next(0...1) == 0 ? random.next(0...2) : 3 + random.next(0...31)
      let others = (0..<35).filter { !candidates.contains($0) }
      let mode = choice < 3 ? candidates[choice] : others[choice - 3]
      unit.lumaChoices[part] = UInt8(choice)
      if isSplit {
        unit.lumaModes[part] = UInt8(mode)
      } else {
        unit.lumaModes = .init(repeating: UInt8(mode))
      }
      for row in 0..<(size >> 2) {
        for column in 0..<(size >> 2) {
          tables.intraMode[((blockY >> 2) + row) * tables.stride + blockX >> 2 + column] = UInt8(mode)
        }
      }
    }
    unit.chromaChoice = UInt8(random.next(0...4))
    let luma = unit.lumaModes[0]
    let explicit: [UInt8] = [0, 26, 10, 1]
    if unit.chromaChoice == 4 {
      unit.chromaMode = luma
    } else {
      let mode = explicit[Int(unit.chromaChoice)]
      unit.chromaMode = mode == luma ? 34 : mode
    }
  }

  /// candModeList
  private func candidates(_ x: Int, _ y: Int) -> [Int] {
    func mode(_ x: Int, _ y: Int) -> Int {
      guard x >= 0, y >= 0 else { return 1 }
      let place = (y >> 2) * tables.stride + x >> 2
      return tables.info[place] & BlockInfo.intra != 0 ? Int(tables.intraMode[place]) : 1
    }
    let a = mode(x - 1, y), b = y % (1 << v.ctbLog2Size) == 0 ? 1 : mode(x, y - 1)
    if a == b {
      return a < 2 ? [0, 1, 26] : [a, 2 + (a + 29) % 32, 2 + (a - 2 + 1) % 32]
    }
    return [a, b, a != 0 && b != 0 ? 0 : a != 1 && b != 1 ? 1 : 26]
  }

  // MARK: Transform units

  private func transforms(
    _ tree: inout CodedTree, _ unit: CodedUnit, _ x: Int, _ y: Int, _ log2Size: Int, depth: Int, index: Int,
    part: Int, maxDepth: Int, _ random: inout SplitMix
  ) {
    let isIntra = unit.kind == .intra
    let isIntraSplit = isIntra && unit.partMode == .quarters && depth == 0
    let isInterSplit = v.maxDepthInter == 0 && !isIntra && unit.partMode != .whole && depth == 0
    var isSplit = log2Size > v.maxTbLog2Size || isIntraSplit || isInterSplit && log2Size > 2
    if !isSplit, log2Size > 2, depth < maxDepth { isSplit = random.next(0...1) == 1 }
    guard !isSplit else {
      let half = 1 << (log2Size - 1)
      for child in 0..<4 {
        transforms(
          &tree, unit, x + (child & 1) * half, y + (child >> 1) * half, log2Size - 1, depth: depth + 1,
          index: child, part: isIntraSplit ? child : part, maxDepth: maxDepth, &random)
      }
      return
    }
    var transform = CodedTransform(log2Size: UInt8(log2Size), coded: 0)
    if random.next(0...2) != 0 { transform.coded |= CodedTransform.luma }
    if log2Size > 2 || index == 3 {
      if random.next(0...2) == 0 { transform.coded |= CodedTransform.cb }
      if random.next(0...2) == 0 { transform.coded |= CodedTransform.cr }
    }
    // Without any flag, that of luma would be inferred.
    if !isIntra, depth == 0, transform.coded == 0 { transform.coded = CodedTransform.luma }
    tree.append(transform)
    if transform.coded & CodedTransform.luma != 0 {
      levels(
        tree, tree.levelPlace(x: x, y: y, component: 0), log2Size, isIntra: isIntra, component: 0,
        mode: unit.lumaModes[part], &random)
    }
    let chromaX = log2Size > 2 ? x : x - 4, chromaY = log2Size > 2 ? y : y - 4
    for component in 1...2
    where transform.coded & (component == 1 ? CodedTransform.cb : CodedTransform.cr) != 0 {
      levels(
        tree, tree.levelPlace(x: chromaX, y: chromaY, component: component), max(2, log2Size - 1),
        isIntra: isIntra, component: component, mode: unit.chromaMode, &random)
    }
  }

  private func levels(
    _ tree: CodedTree, _ start: Int, _ log2Size: Int, isIntra: Bool, component: Int, mode: UInt8,
    _ random: inout SplitMix
  ) {
    let count = 1 << (2 * log2Size)
    for place in 0..<count { tree.levels[start + place] = 0 }
    let density = [1, 2, count / 8, count / 2, count][random.next(0...4)]
    let corner = random.next(0...2) == 0 ? 1 << log2Size : min(1 << log2Size, 4)
    let largest = [1, 1, 2, 3, 40, 600, 32_767][random.next(0...6)]
    for _ in 0..<max(1, density) {
      let x = random.next(0...(corner - 1)), y = random.next(0...(corner - 1))
      let size = random.next(0...2) == 0 ? random.next(1...largest) : 1
      tree.levels[start + y << log2Size + x] = Int16(random.next(0...1) == 0 ? size : -size)
    }
    guard v.isSignHiding else { return }
    var scan = 0
    if isIntra, log2Size == 2 || log2Size == 3 && component == 0 {
      scan = (6...14).contains(mode) ? 2 : (22...30).contains(mode) ? 1 : 0
    }
    hideSigns(tree, start, log2Size, scan)
  }

  /// Makes the parity of each sub-block that of the sign that is not coded. 7.4.9.11
  private func hideSigns(_ tree: CodedTree, _ start: Int, _ log2Size: Int, _ scan: Int) {
    let subBlocks = scans.subBlocks(log2Size: log2Size, scan: scan), positions = scans.positions(scan: scan)
    for index in 0..<(1 << (2 * (log2Size - 2))) {
      let subBlock = Int(subBlocks[index])
      let places = (0..<16).map { position in
        let xy = Int(positions[position])
        return start + ((subBlock >> 4) * 4 + xy >> 2) << log2Size + (subBlock & 15) * 4 + xy & 3
      }
      let coded = (0..<16).filter { tree.levels[places[$0]] != 0 }
      guard let first = coded.first, let last = coded.last, last - first > 3 else { continue }
      let sum = coded.reduce(0) { $0 + Int(tree.levels[places[$1]].magnitude) }
      let level = tree.levels[places[first]]
      if (sum & 1 == 1) != (level < 0) {
        tree.levels[places[first]] =
          level < 0 ? max(-32_768, level - 1) : level == 32_767 ? 32_766 : level + 1
      }
    }
  }
}
