// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding

/// A picture at half its size, in blocks of 8x8 samples, which are 16x16 of the picture: what is known of it before it is
/// coded.
final class Preview: Sendable {
  /// How many blocks there are in a row, and in a column.
  let columns: Int
  let rows: Int
  /// What each block costs if it is predicted from the samples around it.
  let intraCosts: [Int32]
  /// The average sample of each block.
  private let means: [Int16]
  /// How busy each block is beside the whole picture: the logarithm to base 2 of its variance, less the average of those. Empty if that is
  /// not asked for.
  let activities: [Float]
  fileprivate let luma: Plane

  init(_ picture: PictureBuffer, hasActivities: Bool = false) {
    let full = picture.planes[0]
    let width = full.width / 2, height = full.height / 2
    columns = (width + 7) / 8
    rows = (height + 7) / 8
    luma = Plane(width: columns * 8, height: rows * 8, bitDepth: full.bitDepth, isWide: full.isWide)
    HalfPlanes.reduce(full, to: luma)
    luma.extend(width: width, height: height)
    intraCosts = Self.intraCosts(luma, columns, rows)
    means = Self.means(luma, columns, rows)
    activities = hasActivities ? Self.activities(luma, columns, rows) : []
  }

  deinit { luma.free() }

  /// Whether it shows something else than the picture before it: its blocks are not as bright as those were, and that picture
  /// predicts them hardly better than the samples around them do. Noise and slow motion change the brightness of blocks little, and fast
  /// motion can be predicted.
  func isCut(after before: Preview) -> Bool {
    let difference = zip(means, before.means).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
    guard difference >> (luma.bitDepth - 8) >= 8 * means.count else { return false }
    let moved = PreviewMotion(of: self, before: before, after: nil).costs.reduce(0) { $0 + Int($1) }
    return 4 * moved >= 3 * intraCosts.reduce(0) { $0 + Int($1) }
  }

  private static func means(_ luma: Plane, _ columns: Int, _ rows: Int) -> [Int16] {
    var means: [Int16] = []
    means.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = 0
        for y in 0..<8 { for x in 0..<8 { sum += luma[column * 8 + x, row * 8 + y] } }
        means.append(Int16(truncatingIfNeeded: sum >> 6))
      }
    }
    return means
  }

  private static func activities(_ luma: Plane, _ columns: Int, _ rows: Int) -> [Float] {
    let scale = Double(1 << (2 * (luma.bitDepth - 8)))
    var logarithms: [Double] = []
    logarithms.reserveCapacity(columns * rows)
    for row in 0..<rows {
      for column in 0..<columns {
        var sum = 0, squares = 0
        for y in 0..<8 {
          for x in 0..<8 {
            let sample = luma[column * 8 + x, row * 8 + y]
            sum += sample
            squares += sample * sample
          }
        }
        let variance = Double(64 * squares - sum * sum) / 4096 / scale
        logarithms.append(PortableMath.log2(1 + variance))
      }
    }
    let average = logarithms.reduce(0, +) / Double(max(1, logarithms.count))
    return logarithms.map { Float($0 - average) }
  }

  /// The cost of the side information of a block.
  private static let said = 4

  /// The transformed difference from the best of three predictions: the average of the samples around a block, or their
  /// rows or columns.
  private static func intraCosts(_ luma: Plane, _ columns: Int, _ rows: Int) -> [Int32] {
    let predicted = Plane(width: 8, height: 8, bitDepth: luma.bitDepth, isWide: luma.isWide)
    defer { predicted.free() }
    var costs: [Int32] = []
    costs.reserveCapacity(columns * rows)
    var above = [Int](repeating: 0, count: 8), left = above
    for row in 0..<rows {
      for column in 0..<columns {
        let x = column * 8, y = row * 8
        // At an edge the samples of the block itself are the best that is known.
        for index in 0..<8 {
          above[index] = luma[x + index, max(0, y - 1)]
          left[index] = luma[max(0, x - 1), y + index]
        }
        let average = (above.reduce(0, +) + left.reduce(0, +) + 8) / 16
        var least = Int.max
        for mode in 0..<3 {
          for b in 0..<8 {
            for a in 0..<8 { predicted[a, b] = mode == 0 ? average : mode == 1 ? above[a] : left[b] }
          }
          least = min(
            least,
            DifferenceKernels.satd(
              luma, predicted, DifferenceKernels.Places(x: x, y: y, otherX: 0, otherY: 0), width: 8, height: 8
            ))
        }
        costs.append(Int32(truncatingIfNeeded: least + said))
      }
    }
    return costs
  }
}

/// How the blocks of a picture are predicted best from those before and after it, and from that of the base layer, as far
/// as that is known before they are coded.
struct PreviewMotion: Sendable {
  /// Where a block is predicted from, in samples of the half picture.
  struct Vector: Hashable, Sendable {
    private var storedX: Int16
    private var storedY: Int16

    init(x: Int = 0, y: Int = 0) {
      storedX = Int16(clamping: x)
      storedY = Int16(clamping: y)
    }

    var x: Int { Int(storedX) }
    var y: Int { Int(storedY) }
  }

  /// What each block costs if it is predicted from the samples around it.
  let intraCosts: [Int32]
  /// How busy each block is, if that is known.
  let activities: [Float]
  /// How many blocks there are in a row, and in a column.
  let columns: Int
  let rows: Int
  /// The number of bits of a sample, which costs are in units of.
  let bitDepth: Int
  /// What each block costs at least.
  private(set) var costs: [Int32]
  /// The vector into the picture before it; `nil` if that is not used.
  private(set) var before: [Vector?]
  /// The vector into the picture after it.
  private(set) var after: [Vector?]
  /// The vector into the picture of the base layer at the same time.
  private(set) var base: [Vector?]

  init(of picture: Preview, before: Preview?, after: Preview?, base: Preview? = nil) {
    intraCosts = picture.intraCosts
    activities = picture.activities
    (columns, rows) = (picture.columns, picture.rows)
    bitDepth = picture.luma.bitDepth
    costs = intraCosts
    self.before = Array(repeating: nil, count: costs.count)
    self.after = self.before
    self.base = self.before
    let first = before.map { Self.search(picture, in: $0) },
      second = after.map { Self.search(picture, in: $0) }
    for index in costs.indices {
      if let found = first, found.costs[index] < costs[index] {
        costs[index] = found.costs[index]
        self.before[index] = found.vectors[index]
      }
      if let found = second, found.costs[index] < costs[index] {
        costs[index] = found.costs[index]
        self.before[index] = nil
        self.after[index] = found.vectors[index]
      }
    }
    if let before, let after, let first, let second {
      average(picture, before, first.vectors, after, second.vectors)
    }
    guard let base else { return }
    let other = Self.search(picture, in: base, reach: picture.columns)
    for index in costs.indices where other.costs[index] < costs[index] {
      costs[index] = other.costs[index]
      (self.before[index], self.after[index], self.base[index]) = (nil, nil, other.vectors[index])
    }
  }

  private static let said = 4

  /// Takes the average of both predictions where that is better.
  private mutating func average(
    _ picture: Preview, _ first: Preview, _ toFirst: [Vector], _ second: Preview, _ toSecond: [Vector]
  ) {
    let luma = picture.luma
    let predicted = Plane(width: luma.width, height: 8, bitDepth: luma.bitDepth, isWide: luma.isWide)
    let wanted = Plane(width: 8, height: 8, bitDepth: luma.bitDepth, isWide: luma.isWide)
    let own = Plane(width: luma.width, height: 8, bitDepth: luma.bitDepth, isWide: luma.isWide)
    defer {
      predicted.free()
      wanted.free()
      own.free()
    }
    for row in 0..<picture.rows {
      own.copy(from: luma, x: 0, y: row * 8, width: luma.width, height: 8, toX: 0, toY: 0)
      for column in 0..<picture.columns {
        let index = row * picture.columns + column, x = column * 8, y = row * 8
        let one = toFirst[index], other = toSecond[index]
        predicted.copy(from: first.luma, x: x + one.x, y: y + one.y, width: 8, height: 8, toX: x, toY: 0)
        // What the second prediction should be for the average to be the block: its difference counts half.
        wanted.mirror(own, around: predicted, x: x, y: 0, width: 8, height: 8)
        let cost =
          DifferenceKernels.satd(
            wanted, second.luma,
            DifferenceKernels.Places(x: 0, y: 0, otherX: x + other.x, otherY: y + other.y), width: 8,
            height: 8)
          / 2 + Self.said
        guard cost < Int(costs[index]) else { continue }
        costs[index] = Int32(truncatingIfNeeded: cost)
        (before[index], after[index]) = (one, other)
      }
    }
  }

  /// The best vector of each block into another picture, and the transformed difference there.
  ///
  /// - Parameter reach: how far to both sides something may be: in another view, what is near is far to one side.
  private static func search(
    _ picture: Preview, in other: Preview, reach: Int = 0
  ) -> (vectors: [Vector], costs: [Int32]) {
    let count = picture.columns * picture.rows
    var vectors = [Vector](repeating: Vector(), count: count)
    var costs = [Int32](repeating: .max, count: count)
    for row in 0..<picture.rows {
      for column in 0..<picture.columns {
        let index = row * picture.columns + column, x = column * 8, y = row * 8
        var best = Vector(), least = Int.max
        func trial(_ vector: Vector) {
          let cost =
            DifferenceKernels.sad(
              picture.luma, other.luma,
              DifferenceKernels.Places(x: x, y: y, otherX: x + vector.x, otherY: y + vector.y), width: 8,
              height: 8)
            + (vector == Vector() ? 0 : said)
          if cost < least { (best, least) = (vector, cost) }
        }
        trial(Vector())
        if column > 0 { trial(vectors[index - 1]) }
        if row > 0 { trial(vectors[index - picture.columns]) }
        if row > 0, column + 1 < picture.columns { trial(vectors[index - picture.columns + 1]) }
        // What the neighbours' vectors predict well is not looked for in the whole row.
        if reach > 0, 2 * least > Int(picture.intraCosts[index]) {
          for x in stride(from: 0 - reach, through: reach, by: 2) { trial(Vector(x: x, y: 0)) }
        }
        var step = 4
        while step > 0 {
          var rounds = 0, isBetter = true
          while isBetter, rounds < 6 {
            let centre = best, before = least
            trial(Vector(x: centre.x - step, y: centre.y))
            trial(Vector(x: centre.x + step, y: centre.y))
            trial(Vector(x: centre.x, y: centre.y - step))
            trial(Vector(x: centre.x, y: centre.y + step))
            isBetter = least < before
            rounds += 1
          }
          step /= 2
        }
        vectors[index] = best
        let cost = DifferenceKernels.satd(
          picture.luma, other.luma,
          DifferenceKernels.Places(x: x, y: y, otherX: x + best.x, otherY: y + best.y), width: 8, height: 8)
        costs[index] = Int32(clamping: cost + said)
      }
    }
    return (vectors, costs)
  }
}
