// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

// Transform tree and transform unit. ISO/IEC 23008-2, 7.3.8.8 and 7.3.8.10

extension SyntaxWriter {
  /// transform_tree() of a coding unit.
  mutating func transformTree(
    _ tree: CodedTree, _ place: inout Place, _ unit: CodedUnit, _ x: Int, _ y: Int, _ log2Size: Int
  ) {
    let isIntra = unit.kind == .intra
    let isIntraSplit = isIntra && unit.partMode == .quarters
    let walk = TransformWalk(
      unit: unit, isIntra: isIntra, isIntraSplit: isIntraSplit,
      isInterSplit: v.maxDepthInter == 0 && !isIntra && unit.partMode != .whole,
      maxDepth: isIntra ? v.maxDepthIntra &+ (isIntraSplit ? 1 : 0) : v.maxDepthInter)
    transformTree(
      tree, &place, walk, x, y, log2Size, depth: 0, index: 0, part: 0,
      parent: CodedTransform.cb | CodedTransform.cr)
  }

  /// What the transform tree of a coding unit depends on.
  private struct TransformWalk {
    var unit: CodedUnit
    var isIntra: Bool
    var isIntraSplit: Bool
    /// interSplitFlag at depth 0
    var isInterSplit: Bool
    /// MaxTrafoDepth
    var maxDepth: Int
  }

  /// `parent` has the chroma flags of the enclosing block.
  private mutating func transformTree(
    _ tree: CodedTree, _ place: inout Place, _ walk: TransformWalk, _ x: Int, _ y: Int, _ log2Size: Int,
    depth: Int, index: Int, part: Int, parent: UInt8
  ) {
    let isSplit = Int(tree.transforms[place.transform].log2Size) < log2Size
    if log2Size <= v.maxTbLog2Size, log2Size > v.minTbLog2Size, depth < walk.maxDepth,
      !(walk.isIntraSplit && depth == 0), !(walk.isInterSplit && depth == 0)
    {
      sink.flag(isSplit, Contexts.splitTransform &+ 5 &- log2Size)
    }
    var chroma = parent
    if v.chromaArrayType == 0 {
      chroma = 0
    } else if log2Size > 2 {
      chroma = chromaFlags(tree, place.transform, log2Size)
      let context = Contexts.codedChroma &+ min(4, depth)
      if parent & CodedTransform.cb != 0 { sink.flag(chroma & CodedTransform.cb != 0, context) }
      if parent & CodedTransform.cr != 0 { sink.flag(chroma & CodedTransform.cr != 0, context) }
    }
    guard isSplit else {
      let transform = tree.transforms[place.transform]
      place.transform = place.transform &+ 1
      let isLuma = transform.coded & CodedTransform.luma != 0
      if walk.isIntra || depth != 0 || chroma != 0 {
        sink.flag(isLuma, Contexts.codedLuma &+ (depth == 0 ? 1 : 0))
      }
      return transformUnit(
        tree, walk.unit, x, y, log2Size, index, part, isLuma: isLuma, chroma: chroma)
    }
    let half = 1 &<< (log2Size &- 1)
    for child in 0..<4 {
      transformTree(
        tree, &place, walk, x &+ (child & 1) &* half, y &+ (child &>> 1) &* half, log2Size &- 1,
        depth: depth &+ 1, index: child, part: depth == 0 && walk.isIntraSplit ? child : part,
        parent: chroma)
    }
  }

  /// cbf_cb and cbf_cr of a block: whether any transform unit in it has levels of the component.
  private func chromaFlags(_ tree: CodedTree, _ first: Int, _ log2Size: Int) -> UInt8 {
    var flags: UInt8 = 0, covered = 0, place = first
    while covered < 1 &<< (2 &* log2Size) {
      let transform = tree.transforms[place]
      flags |= transform.coded
      covered = covered &+ 1 &<< (2 &* Int(transform.log2Size))
      place = place &+ 1
    }
    return flags & (CodedTransform.cb | CodedTransform.cr)
  }

  /// transform_unit(). `index` is that of the block among the four of its parent, `part` that of the intra mode, and `chroma`
  /// are the flags of the chroma blocks: of 4x4, those of all four units.
  mutating func transformUnit(
    _ tree: CodedTree, _ unit: CodedUnit, _ x: Int, _ y: Int, _ log2Size: Int, _ index: Int, _ part: Int,
    isLuma: Bool, chroma: UInt8
  ) {
    guard isLuma || chroma != 0 else { return }
    if v.isQpDeltaEnabled, !isQpDeltaCoded {
      isQpDeltaCoded = true
      qpDelta(Int(unit.qpDelta))
    }
    let isIntra = unit.kind == .intra
    if isLuma {
      residual(
        tree.levels, at: tree.levelPlace(x: x, y: y, component: 0), log2Size: log2Size, component: 0,
        scan: Self.scan(isIntra, log2Size, 0, mode: unit.lumaModes[part]))
    }
    guard chroma != 0, log2Size > 2 || index == 3 else { return }
    let chromaX = log2Size > 2 ? x : x &- 4, chromaY = log2Size > 2 ? y : y &- 4
    let chromaLog2 = max(2, log2Size &- 1)
    let scan = Self.scan(isIntra, chromaLog2, 1, mode: unit.chromaMode)
    for component in 1...2 where chroma & (component == 1 ? CodedTransform.cb : CodedTransform.cr) != 0 {
      residual(
        tree.levels, at: tree.levelPlace(x: chromaX, y: chromaY, component: component),
        log2Size: chromaLog2, component: component, scan: scan)
    }
  }

  /// scanIdx of a block in 4:2:0: 0 diagonal, 1 horizontal, 2 vertical. 7.4.9.11
  @inline(__always)
  static func scan(_ isIntra: Bool, _ log2Size: Int, _ component: Int, mode: UInt8) -> Int {
    guard isIntra, log2Size == 2 || log2Size == 3 && component == 0 else { return 0 }
    return mode >= 6 && mode <= 14 ? 2 : mode >= 22 && mode <= 30 ? 1 : 0
  }

  /// cu_qp_delta_abs and cu_qp_delta_sign_flag. 9.3.3.10
  mutating func qpDelta(_ delta: Int) {
    let size = abs(delta)
    for place in 0..<min(5, size) { sink.flag(true, Contexts.qpDelta &+ (place == 0 ? 0 : 1)) }
    if size < 5 {
      sink.flag(false, Contexts.qpDelta &+ (size == 0 ? 0 : 1))
    } else {
      sink.expGolomb(size &- 5, order: 0)
    }
    if size > 0 { sink.bypass(delta < 0 ? 1 : 0, 1) }
  }
}
