// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCCoding

/// How hard the search looks, as plain numbers.
struct SearchEffort: Hashable, Sendable {
  /// Whether all intra modes are tried, or some and then the neighbours of the best.
  var triesAllModes = false
  /// How many luma modes are coded completely, so that the best of them is taken.
  var completeModes = 2
  /// Whether coding units of 8x8 may be predicted in four parts.
  var isIntraSplit = true
  /// Whether they may be in slices that are not intra.
  var isIntraSplitInInter = true
  /// The step between the directions that are tried first: a power of two.
  var modeStep = 4
  /// Whether coding units of B slices may be predicted from samples around them.
  var isIntraInB = true
  /// Whether chroma may have another mode than luma.
  var triesChromaModes = true
  /// Up to what cost a unit that is merged and has no levels is taken without a look at anything else, in parts of 32768 of a
  /// bit for each of its samples; `nil` for any cost.
  var mergedCost: Int?
  /// Up to what cost a unit without levels is not divided further, likewise.
  var undividedCost: Int?
  /// The additional amount for another view, in eighths.
  var otherViewMargin = 0
  /// How many merge candidates are compared.
  var mergeCandidates = 5
  /// The first step of the search for motion, in samples: a power of two.
  var firstStep = 8
  /// Whether diagonal neighbours are tried between samples.
  var triesDiagonals = true
  /// How often the vectors of two pictures are sought again, each beside the other.
  var pairRounds = 1
  /// Whether motion of a block's own is also tried without a residual.
  var triesEmptyResidual = true
  /// How many kinds of motion, from one picture and from two, are coded completely.
  var completeMotions = 1
  /// In what pictures of a list motion of another view is sought between samples: where whole samples cost less than in the best of them
  /// and a part of that more, such as an eighth; `nil` for all.
  var referenceMargin: Int?
  /// Whether levels are chosen by the prices of all their bins: 2.8 % fewer bits at effort 3 for a twelfth of its time.
  var choosesLevels = false
  /// How much deeper units of another view may be than those of the base layer in the same place of the scene; `nil` for any
  /// depth.
  var deeperThanBase: Int?

  /// The choices of a level of effort, from 1 to 5.
  init(level: Int) {
    isIntraSplit = level >= 2
    isIntraSplitInInter = level >= 4
    triesEmptyResidual = level >= 2
    modeStep = level <= 3 ? 8 : 4
    isIntraInB = level >= 3
    triesChromaModes = level >= 2
    completeModes = level <= 2 ? 1 : level == 3 ? 2 : level == 4 ? 3 : 5
    triesAllModes = level >= 5
    // A unit that costs a fair part of a bit per sample has lost more than noise along with its levels. Without these bounds, effort 3
    // took 2.7 % more bits for one view and 4.6 % more for two, in three quarters of the time. In another view they are looser: units are
    // divided there only where the base layer's are, and 1.0 % more bits for both are a fifth less time for that view.
    switch level {
    case ...2: break
    case 3: (mergedCost, undividedCost, otherViewMargin) = (6_554, 13_107, 5)
    case 4: (mergedCost, undividedCost) = (3_277, 6_554)
    default: (mergedCost, undividedCost) = (0, 0)
    }
    mergeCandidates = level <= 2 ? 2 : level == 3 ? 3 : 5
    firstStep = level <= 2 ? 4 : level <= 4 ? 8 : 16
    triesDiagonals = level >= 2
    pairRounds = level <= 2 ? 0 : level == 3 ? 1 : 2
    completeMotions = level <= 3 ? 1 : 2
    choosesLevels = level >= 3
    // At effort 3 the two take 1.4 % more bits for two views, 3 % more for the second one, which takes about 0.7 of the time of the
    // first instead of as much; at effort 4, 0.3 % in four fifths of the time for both. At effort 1 the second one would take 9 % more.
    referenceMargin = level == 3 ? 8 : nil
    deeperThanBase = level == 3 ? 0 : level == 4 ? 1 : nil
  }
}

/// Decides how the coding tree units of a picture are divided and predicted: of what it tries, it takes what has the
/// least cost, which is the squared error of the samples and the price of the bins.
///
/// The chosen alternative is left in the picture (the samples before in-loop filters), in the tables (all but edges, see
/// ``settle(_:_:)``) and in a ``CodedTree``.
final class TreeSearch {
  /// What a node of the quadtree had before the next alternative was tried.
  final class Kept {
    fileprivate let luma: Plane
    fileprivate let cb: Plane
    fileprivate let cr: Plane
    fileprivate let levels: Memory<Int16>
    fileprivate let transforms: Memory<CodedTransform>
    /// The contexts before the node.
    let before = ContextStates()
    /// The contexts after it.
    fileprivate let after = ContextStates()
    fileprivate var unit = CodedUnit()
    /// Whether the unit that is kept has levels.
    var hasResidual: Bool { unit.kind != .skipped && unit.hasResidual }
    fileprivate var prediction = CodedPrediction()
    fileprivate var motion = Motion()
    fileprivate var transformCount = 0

    init(log2Size: Int, format: SampleFormat) {
      func plane(_ size: Int, _ component: Int) -> Plane {
        Plane(width: size, height: size, bitDepth: format.bitDepth(component), isWide: format.isWide)
      }
      let size = 1 << log2Size
      luma = plane(size, 0)
      cb = plane(size / 2, 1)
      cr = plane(size / 2, 2)
      levels = Memory(count: size * size * 3 / 2, repeating: 0)
      transforms = Memory(count: max(4, size * size >> 4), repeating: CodedTransform())
    }

    deinit {
      luma.free()
      cb.free()
      cr.free()
      levels.free()
      transforms.free()
      before.free()
      after.free()
    }
  }

  let effort: SearchEffort
  let coder: BlockCoder
  /// What is decided of the coding tree unit; its memory is the caller's.
  var tree: CodedTree
  /// Counts what the decisions cost.
  var writer: SyntaxWriter<BinCounter>
  /// The worth of bits in the current coding tree unit.
  private(set) var costs: RateCosts
  /// The quantisation parameter of the current coding tree unit.
  private var qp: Int
  let source: PlaneSet
  /// How the picture of the base layer is divided, for another view.
  let base: Divisions?
  /// The contexts at the current place.
  let states: ContextStates
  /// Contexts that a trial changes and then gives back.
  let trialStates = ContextStates()
  private let rowStates = ContextStates()
  /// For each depth, the undivided unit while the divided one is tried.
  private var kept: [Kept] = []
  /// For each depth, the best of the undivided units so far.
  private(set) var alternatives: [Kept] = []
  /// The vector that was found last in each entry; those of list 1 begin at 16.
  var lastVectors = [MotionVector](repeating: MotionVector(), count: 32)
  /// What the last search for whole samples found in each entry.
  var wholes = [WholeMotion](repeating: WholeMotion(), count: 32)
  /// What the second of two predictions should be.
  let mirror: Plane
  let values: SliceValues
  let nxn: NxNMemory

  /// The search for the picture `source`, with the values and the tables of its slice and memory for a tree; `base` is how the picture of
  /// the base layer is divided, for another view.
  init(
    _ values: SliceValues, _ tables: PictureTables, _ source: PictureBuffer, _ tree: CodedTree,
    effort: SearchEffort, base: Divisions? = nil
  ) {
    self.base = base
    self.values = values
    self.effort = effort
    self.source = PlaneSet(source)
    self.tree = tree
    states = ContextStates()
    coder = BlockCoder(effort.choosesLevels ? LevelChoice(states) : nil)
    writer = SyntaxWriter(BinCounter(states: states), values, tables)
    qp = values.sliceQp
    costs = RateCosts(qp: values.sliceQp, bitDepth: values.bitDepthLuma)
    // What is said of a parameter is not known before the unit is decided.
    writer.isQpDeltaCoded = true
    nxn = NxNMemory(source.format)
    mirror = Plane(
      width: 64, height: 64, bitDepth: source.format.bitDepth(0), isWide: source.format.isWide)
    // One for each size from that of coding tree blocks to 8x8.
    for log2Size in stride(from: values.ctbLog2Size, through: 3, by: -1) {
      kept.append(Kept(log2Size: log2Size, format: source.format))
      alternatives.append(Kept(log2Size: log2Size, format: source.format))
    }
    states.initialise(type: values.initType, sliceQp: values.sliceQp)
  }

  deinit {
    states.free()
    trialStates.free()
    rowStates.free()
    nxn.free()
    mirror.free()
  }

  /// Decides a coding tree unit, at which `blocks` must be, in the memory of a tree; they come in raster scan.
  ///
  /// - Parameter qp: its quantisation parameter; that of the slice if the plan has no others.
  func decide(_ blocks: inout BlockContext, in memory: CodedTree, qp: Int) -> CodedTree {
    tree = memory
    if qp != self.qp {
      self.qp = qp
      costs = RateCosts(qp: qp, bitDepth: values.bitDepthLuma)
    }
    if values.isWavefront, blocks.ctbX == 0, blocks.ctbY > 0 {
      if values.widthInCtbs > 1 {
        states.copy(from: rowStates)
      } else {
        states.initialise(type: values.initType, sliceQp: values.sliceQp)
      }
    }
    tree.reset()
    let log2Size = values.ctbLog2Size
    _ = node(
      &blocks, blocks.ctbX &<< log2Size, blocks.ctbY &<< log2Size, log2Size, 0, below: RateCosts.unreachable)
    settle(&blocks)
    if values.isWavefront, blocks.ctbX == 1 { rowStates.copy(from: states) }
    return tree
  }

  /// The cost of a node of the quadtree, as it is decided; `below` or more if it is not worth being finished.
  private func node(
    _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int, below: Int
  ) -> Int {
    let size = 1 &<< log2Size
    let fits = x &+ size <= values.width && y &+ size <= values.height
    let canSplit = log2Size > values.minCbLog2Size
    let isWhole = fits && log2Size <= values.maxTbLog2Size
    let first = mark()
    kept[depth].before.copy(from: states)
    var whole = RateCosts.unreachable
    if isWhole {
      let price = writer.sink.price
      if canSplit { writer.splitCodingUnitFlag(false, x, y, depth) }
      whole = costs.cost(squares: 0, price: writer.sink.price &- price)
      whole =
        whole
        &+ (values.isIntra
          ? intraUnit(&blocks, x, y, log2Size, depth) : interUnit(&blocks, x, y, log2Size, depth))
      if !canSplit || isDeepEnough(blocks, x, y, size, depth) { return whole }
      if isEmpty(from: first.transform), isCheap(whole, size &* size, effort.undividedCost) { return whole }
      keep(kept[depth], blocks, x, y, log2Size, first)
      states.copy(from: kept[depth].before)
      tree.unitCount = first.unit
      tree.predictionCount = first.prediction
      tree.transformCount = first.transform
    }
    let limit = min(whole, below)
    let price = writer.sink.price
    if fits { writer.splitCodingUnitFlag(true, x, y, depth) }
    var split = costs.cost(squares: 0, price: writer.sink.price &- price)
    let half = size &>> 1
    for child in 0..<4 where split < limit {
      let childX = x &+ (child & 1) &* half, childY = y &+ (child &>> 1) &* half
      guard childX < values.width, childY < values.height else { continue }
      split = split &+ node(&blocks, childX, childY, log2Size &- 1, depth &+ 1, below: limit &- split)
    }
    if split < whole { return split }
    if isWhole { restore(kept[depth], &blocks, x, y, log2Size, depth, first) }
    return whole
  }

  /// Whether a unit of another view has the depth that units of the base layer have where it shows the same.
  private func isDeepEnough(
    _ blocks: borrowing BlockContext, _ x: Int, _ y: Int, _ size: Int, _ depth: Int
  ) -> Bool {
    guard let base, let deeper = effort.deeperThanBase,
      let view = (0..<values.count0).first(where: { blocks.references.isLongTerm[$0] })
    else { return false }
    return base.deepest(x &+ Int(lastVectors[view].x) &>> 2, y, size) &+ deeper <= depth
  }

  /// Whether a unit costs at most so much for each of its samples.
  func isCheap(_ cost: Int, _ samples: Int, _ most: Int?) -> Bool {
    guard var most else { return true }
    if base != nil { most = most &+ most &* effort.otherViewMargin / 8 }
    return cost <= costs.cost(squares: 0, price: UInt64(samples &* most))
  }

  /// Whether no transform unit from one on has levels.
  private func isEmpty(from first: Int) -> Bool {
    (first..<tree.transformCount).allSatisfy { tree.transforms[$0].coded == 0 }
  }

  // MARK: Alternatives

  /// Keeps the undivided unit that was appended after `first`.
  func keep(
    _ kept: Kept, _ blocks: borrowing BlockContext, _ x: Int, _ y: Int, _ log2Size: Int,
    _ first: SyntaxWriter<BinCounter>.Place
  ) {
    let size = 1 &<< log2Size, half = size &>> 1, planes = blocks.planes
    kept.unit = tree.units[first.unit]
    kept.transformCount = tree.transformCount &- first.transform
    kept.transforms.copy(from: tree.transforms, first.transform..<tree.transformCount, to: 0)
    if kept.unit.kind != .intra {
      kept.prediction = tree.predictions[first.prediction]
      kept.motion = blocks.tables.motion[(y &>> 2) &* blocks.tables.stride &+ x &>> 2]
    }
    kept.after.copy(from: states)
    kept.luma.copy(from: planes.luma, x: x, y: y, width: size, height: size, toX: 0, toY: 0)
    kept.cb.copy(from: planes.cb, x: x &>> 1, y: y &>> 1, width: half, height: half, toX: 0, toY: 0)
    kept.cr.copy(from: planes.cr, x: x &>> 1, y: y &>> 1, width: half, height: half, toX: 0, toY: 0)
    guard kept.unit.hasResidual else { return }
    let count = size &* size
    var place = 0
    for component in 0..<3 {
      let start = tree.levelPlace(x: x, y: y, component: component)
      let length = component == 0 ? count : count &>> 2
      kept.levels.copy(from: tree.levels, start..<(start &+ length), to: place)
      place = place &+ length
    }
  }

  /// Puts the unit that was kept back, as the one after `first`.
  func restore(
    _ kept: Kept, _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ depth: Int,
    _ first: SyntaxWriter<BinCounter>.Place
  ) {
    let size = 1 &<< log2Size, half = size &>> 1, planes = blocks.planes
    planes.luma.copy(from: kept.luma, x: 0, y: 0, width: size, height: size, toX: x, toY: y)
    planes.cb.copy(from: kept.cb, x: 0, y: 0, width: half, height: half, toX: x &>> 1, toY: y &>> 1)
    planes.cr.copy(from: kept.cr, x: 0, y: 0, width: half, height: half, toX: x &>> 1, toY: y &>> 1)
    tree.transforms.copy(from: kept.transforms, 0..<kept.transformCount, to: first.transform)
    tree.units[first.unit] = kept.unit
    tree.unitCount = first.unit &+ 1
    tree.predictionCount = first.prediction
    tree.transformCount = first.transform &+ kept.transformCount
    states.copy(from: kept.after)
    enter(&blocks, kept.unit, depth)
    if kept.unit.kind != .intra {
      tree.append(kept.prediction)
      setMotion(blocks, kept.unit, kept.motion)
    }
    guard kept.unit.hasResidual else { return }
    let count = size &* size
    var place = 0
    for component in 0..<3 {
      let length = component == 0 ? count : count &>> 2
      tree.levels.copy(
        from: kept.levels, place..<(place &+ length),
        to: tree.levelPlace(x: x, y: y, component: component))
      place = place &+ length
    }
  }

  /// Makes a coding unit the current one, with its modes in the tables.
  func enter(_ blocks: inout BlockContext, _ unit: CodedUnit, _ depth: Int) {
    let size = 1 &<< Int(unit.log2Size)
    blocks.cuX = Int(unit.x)
    blocks.cuY = Int(unit.y)
    blocks.cuLog2Size = Int(unit.log2Size)
    blocks.isCuIntra = unit.kind == .intra
    blocks.partMode = unit.partMode
    blocks.cuQp = qp
    var info = UInt8(truncatingIfNeeded: depth) &<< BlockInfo.depthShift | BlockInfo.decoded
    if unit.kind == .intra { info |= BlockInfo.intra }
    if unit.kind == .skipped { info |= BlockInfo.skip }
    blocks.setInfo(info)
    guard unit.kind == .intra else { return }
    if unit.partMode == .quarters {
      let half = size &>> 1
      for part in 0..<4 {
        blocks.setIntraMode(
          blocks.cuX &+ (part & 1) &* half, blocks.cuY &+ (part &>> 1) &* half, half,
          mode: Int(unit.lumaModes[part]))
      }
    } else {
      blocks.setIntraMode(blocks.cuX, blocks.cuY, size, mode: Int(unit.lumaModes[0]))
    }
  }

  // MARK: What filters need

  /// Sets what depends on the final decisions alone: edges, quantisation parameters, and which blocks have levels.
  private func settle(_ blocks: inout BlockContext) {
    var transform = 0
    // Until a level is coded, a group has the parameter of what was coded before it. 8.6.1
    let predicted = values.isWavefront && blocks.ctbX == 0 ? values.sliceQp : blocks.lastQp
    var isCoded = !values.isQpDeltaEnabled
    for index in 0..<tree.unitCount {
      let unit = tree.units[index]
      let size = 1 &<< Int(unit.log2Size)
      enter(&blocks, unit, values.ctbLog2Size &- Int(unit.log2Size))
      if !isCoded {
        isCoded = hasLevels(unit, from: transform)
        if isCoded {
          tree.units[index].qpDelta = Int8(truncatingIfNeeded: values.qpDelta(from: predicted, to: qp))
        } else {
          blocks.cuQp = predicted
        }
      }
      blocks.markCodingUnitEdges(blocks.cuX, blocks.cuY, size)
      blocks.tables.qp.fill(
        x: blocks.cuX &>> 2, y: blocks.cuY &>> 2, width: size &>> 2, height: size &>> 2,
        stride: blocks.tables.stride, with: Int8(truncatingIfNeeded: blocks.cuQp))
      blocks.lastQp = blocks.cuQp
      guard unit.hasResidual, unit.kind != .skipped else { continue }
      settleTransforms(&blocks, blocks.cuX, blocks.cuY, Int(unit.log2Size), &transform)
    }
  }

  /// Whether a transform unit of a coding unit has levels; the first one is given.
  private func hasLevels(_ unit: CodedUnit, from first: Int) -> Bool {
    guard unit.hasResidual, unit.kind != .skipped else { return false }
    var area = 0, transform = first
    while area < 1 &<< (2 &* Int(unit.log2Size)), transform < tree.transformCount {
      if tree.transforms[transform].coded != 0 { return true }
      area = area &+ 1 &<< (2 &* Int(tree.transforms[transform].log2Size))
      transform = transform &+ 1
    }
    return false
  }

  private func settleTransforms(
    _ blocks: inout BlockContext, _ x: Int, _ y: Int, _ log2Size: Int, _ transform: inout Int
  ) {
    let unit = tree.transforms[transform], size = 1 &<< log2Size
    guard Int(unit.log2Size) == log2Size else {
      let half = size &>> 1
      for child in 0..<4 {
        settleTransforms(
          &blocks, x &+ (child & 1) &* half, y &+ (child &>> 1) &* half, log2Size &- 1, &transform)
      }
      return
    }
    transform = transform &+ 1
    blocks.markTransformEdges(x, y, size)
    guard unit.coded & CodedTransform.luma != 0 else { return }
    let info = blocks.tables.info[(y &>> 2) &* blocks.tables.stride &+ x &>> 2] | BlockInfo.coded
    blocks.tables.info.fill(
      x: x &>> 2, y: y &>> 2, width: size &>> 2, height: size &>> 2, stride: blocks.tables.stride, with: info)
  }
}

extension SliceValues {
  /// CuQpDeltaVal, which is from −(26 + QpBdOffset / 2) to 25 + QpBdOffset / 2: larger changes go around the end of the range of
  /// parameters. 7.4.9.14 and equation 8-283
  func qpDelta(from predicted: Int, to qp: Int) -> Int {
    let offset = 6 &* (bitDepthLuma &- 8), count = 52 &+ offset, half = count / 2
    let delta = qp &- predicted
    return delta < 0 &- half ? delta &+ count : delta >= half ? delta &- count : delta
  }
}
