// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVC
import HEVCCoding
import TestSupport
import Testing

@testable import HEVCEncoding

/// The levels that are chosen beside all that could be: what they cost is counted by the writer of streams, whose contexts move.
@Suite struct LevelChoiceTests {
  /// A block, and what its levels cost.
  private final class Trial {
    let block: BlockCoder.Block
    let levels = Memory<Int16>(count: 1024, repeating: 0)
    let deltas = Memory<Int16>(count: 1024, repeating: 0)
    /// The magnitudes of the coefficients, in parts of 256 of a step.
    var magnitudes: [Int] = []
    private var values: SliceValues
    private let tables: PictureTables
    private let before = ContextStates()
    private let moved = ContextStates()

    init(log2Size: Int, component: Int, scan: Int) throws {
      block = BlockCoder.Block(
        component: component, x: 0, y: 0, log2Size: log2Size, scan: scan, isIntra: true)
      let plan = CodingPlan(size: PictureSize(width: 64, height: 64))
      let sps = plan.sequenceParameterSet(0), pps = plan.pictureParameterSet(0)
      let header = try SlicePlan(type: .refreshWithoutLeading).header(
        plan, SliceParameters(layerID: 0, pps: pps, sps: sps, vps: plan.videoParameterSet))
      let geometry = try PictureGeometry(sps, pps)
      values = SliceValues(
        geometry, sps, pps, try #require(header.slice), sliceAddress: 0, isTemporalMotion: false)
      tables = PictureTables(geometry)
      before.initialise(type: 0, sliceQp: 30)
    }

    deinit {
      levels.free()
      deltas.free()
      tables.free()
      before.free()
      moved.free()
    }

    var choice: LevelChoice { LevelChoice(before) }

    /// Draws coefficients that are the smaller the farther they are from the first one, and rounds them.
    func draw(_ random: inout SplitMix, size: Double) {
      magnitudes = []
      for at in 0..<(block.size * block.size) {
        let distance = at & (block.size - 1) + at >> block.log2Size
        let uniform = Double(random.next(1...65_535)) / 65_536
        // Of an exponential distribution, near enough.
        let magnitude = min(2_000.0, size * (1 / uniform - 1) / Double(1 + distance))
        magnitudes.append(Int(magnitude * 64))
        let level = (magnitudes[at] + 128) >> 8
        levels[at] = Int16(random.next(0...1) == 0 ? level : -level)
        deltas[at] = Int16(magnitudes[at] - level << 8)
      }
    }

    /// The squared error beside that of no levels, and the price, in parts of 65536 of a squared step.
    func cost(worth: Int = 7_652) -> Int {
      var error = 0, isCoded = false
      for at in magnitudes.indices {
        let left = magnitudes[at] - abs(Int(levels[at])) << 8
        error += left * left - magnitudes[at] * magnitudes[at]
        if levels[at] != 0 { isCoded = true }
      }
      moved.copy(from: before)
      var writer = SyntaxWriter(BinCounter(states: moved), values, tables)
      let flag = block.component == 0 ? Contexts.codedLuma + 1 : Contexts.codedChroma
      writer.sink.flag(isCoded, flag)
      if isCoded {
        writer.residual(
          levels, at: 0, log2Size: block.log2Size, component: block.component, scan: block.scan)
      }
      return error + (worth * Int(writer.sink.price)) >> 15
    }

    /// How many levels are not 0.
    var used: Int { magnitudes.indices.count { levels[$0] != 0 } }
  }

  @Test(arguments: [(0, 0), (0, 1), (0, 2), (1, 0)])
  func littleIsLostBesideAllThatCouldBe(component: Int, scan: Int) throws {
    let trial = try Trial(log2Size: 2, component: component, scan: scan)
    let choice = trial.choice
    var random = SplitMix(seed: UInt64(11 + component * 3 + scan))
    var chosen = 0, nearest = 0, best = 0, count = 0
    while count < 60 {
      trial.draw(&random, size: 1)
      let places = (0..<16).filter { trial.levels[$0] != 0 }
      guard (1...6).contains(places.count) else { continue }
      count += 1
      let rounded = places.map { trial.levels[$0] }
      nearest += trial.cost()
      // Each level as it is, smaller by one, or 0.
      var least = Int.max, combinations = 1
      for _ in places { combinations *= 3 }
      for combination in 0..<combinations {
        var rest = combination
        for (index, place) in places.enumerated() {
          let smaller = rounded[index] - rounded[index].signum()
          trial.levels[place] = [rounded[index], smaller, 0][rest % 3]
          rest /= 3
        }
        least = min(least, trial.cost())
      }
      for (index, place) in places.enumerated() { trial.levels[place] = rounded[index] }
      let left = choice.choose(trial.levels, trial.deltas, trial.block, steps: 0)
      #expect(left == trial.used)
      #expect(trial.cost() >= least)
      chosen += trial.cost()
      best += least
    }
    // Costs are below 0: that of no levels is about 0.
    #expect(chosen - best < (nearest - best) / 8, "\(chosen), nearest \(nearest), best \(best)")
  }

  @Test(arguments: [(3, 0, 0), (3, 0, 2), (4, 0, 0), (5, 0, 0), (2, 2, 0), (3, 1, 0), (4, 2, 0)])
  func largeBlocksCostLess(log2Size: Int, component: Int, scan: Int) throws {
    let trial = try Trial(log2Size: log2Size, component: component, scan: scan)
    let choice = trial.choice
    var random = SplitMix(seed: UInt64(log2Size * 9 + component))
    var chosen = 0, nearest = 0, finest = 0
    for index in 0..<20 {
      trial.draw(&random, size: [0.2, 1, 3, 12][index & 3])
      nearest += trial.cost()
      let left = choice.choose(trial.levels, trial.deltas, trial.block, steps: 0)
      #expect(left == trial.used)
      // The deltas are beyond the levels that were chosen.
      #expect(
        trial.magnitudes.indices.allSatisfy {
          Int(trial.deltas[$0]) == min(32_767, trial.magnitudes[$0] - abs(Int(trial.levels[$0])) << 8)
        })
      let cost = trial.cost()
      chosen += cost
      // No level that is smaller by one makes it much cheaper.
      var best = 0
      for at in trial.magnitudes.indices where trial.levels[at] != 0 {
        let kept = trial.levels[at]
        trial.levels[at] = kept - kept.signum()
        best = max(best, cost - trial.cost())
        trial.levels[at] = kept
      }
      finest += best
    }
    #expect(chosen < nearest)
    #expect(finest < (nearest - chosen) / 2, "\(finest), nearest \(nearest), chosen \(chosen)")
  }

  @Test func aBitIsWorthMoreWhereStepsAreSmaller() throws {
    let trial = try Trial(log2Size: 4, component: 1, scan: 0)
    let choice = trial.choice
    var used: [Int] = []
    for steps in [-6, 0, 6] {
      var random = SplitMix(seed: 5), sum = 0
      for _ in 0..<8 {
        trial.draw(&random, size: 2)
        sum += choice.choose(trial.levels, trial.deltas, trial.block, steps: steps)
      }
      used.append(sum)
    }
    #expect(used[0] > used[1] && used[1] > used[2], "\(used)")
  }
}
