// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

@testable import HEVCEncoding

/// What blocks are worth in pictures of which that is known.
@Suite struct BlockWorthTests {
  private static let format = SourceFormat(size: PictureSize(width: 192, height: 128))

  /// A picture of a texture that is not the same anywhere; `luma` may change it.
  private static func picture(
    format: SourceFormat = format, _ luma: (_ x: Int, _ y: Int) -> Int
  ) throws -> SourcePicture {
    let width = format.size.width, height = format.size.height
    var bytes: [UInt8] = []
    for y in 0..<height { for x in 0..<width { bytes.append(UInt8(truncatingIfNeeded: luma(x, y))) } }
    return try SourcePicture(
      format, bytes: ByteView(bytes + [UInt8](repeating: 128, count: width * height / 2)))
  }

  /// Noise in squares of 4x4, which a half picture still has.
  private static func texture(_ x: Int, _ y: Int, seed: UInt64 = 1) -> Int {
    var random = SplitMix(seed: UInt64(bitPattern: Int64(x >> 2 + (y >> 2) * 1_000)) &* 31 &+ seed)
    return random.next(20...220)
  }

  /// The offsets of pictures in groups of 8, all of which are known.
  private static func offsets(_ pictures: [SourcePicture]) -> [Int: QuantisationOffsets] {
    var worth = BlockWorth(ctbLog2Size: 5)
    var planner = GroupPlanner(PictureOrder(groupSize: 8, anchorCount: 1), keyInterval: 100)
    var planned: [PlannedPicture] = []
    for (number, picture) in pictures.enumerated() {
      worth.add(number, [picture])
      planned += planner.add()
    }
    planned += planner.finish()
    worth.look(at: planned)
    let offsets = worth.offsets(planned, first: planned.count)
    return Dictionary(uniqueKeysWithValues: zip(planned.map(\.number), offsets.map { $0[0] }))
  }

  /// All that follows is a copy of the first picture: it is worth much, what nothing refers to nothing.
  @Test func whatStaysIsWorthMuch() throws {
    let still = try Self.picture { Self.texture($0, $1) }
    let offsets = Self.offsets(Array(repeating: still, count: 17))
    #expect(offsets.count == 17 && offsets.values.allSatisfy { $0.units.count == 6 * 4 })
    let first = try #require(offsets[0]), middle = try #require(offsets[4]), leaf = try #require(offsets[5])
    #expect(first.picture < -6 && first.picture < middle.picture && middle.picture < -1)
    #expect(leaf.picture == 0 && leaf.units.allSatisfy { $0 == 0 })
  }

  /// What is not known yet is taken to be like what is known: if all stays, that is what comes.
  @Test func whatFollowsIsLikeWhatIsKnown() throws {
    let still = try Self.picture { Self.texture($0, $1) }
    func offset(_ count: Int, isEnd: Bool) -> Double {
      var worth = BlockWorth(ctbLog2Size: 5)
      var planner = GroupPlanner(PictureOrder(groupSize: 8, anchorCount: 1), keyInterval: 100)
      var planned: [PlannedPicture] = []
      for number in 0..<count {
        worth.add(number, [still])
        planned += planner.add()
      }
      worth.look(at: planned)
      return worth.offsets(planned, first: 1, isEnd: isEnd)[0][0].picture
    }
    let known = offset(17, isEnd: true), end = offset(9, isEnd: true), more = offset(9, isEnd: false)
    #expect(more < end - 0.5 && abs(more - known) < 0.2, "\(end), \(more), \(known)")
  }

  /// A group alone is taken to be worth to what follows what the picture before it is worth to it.
  @Test func aGroupAloneIsWorthWhatThoseBeforeItWere() throws {
    // The left half stays, the right one changes.
    func offsets(ahead: Int, isEnd: Bool) throws -> QuantisationOffsets {
      var worth = BlockWorth(ctbLog2Size: 5)
      var planner = GroupPlanner(PictureOrder(groupSize: 8, anchorCount: 2), keyInterval: 100)
      var groups: [[PlannedPicture]] = []
      for number in 0..<(17 + ahead) {
        worth.add(
          number,
          [
            try Self.picture {
              $0 < 96 ? Self.texture($0, $1) : Self.texture($0, $1, seed: UInt64(100 + number))
            }
          ])
        let planned = planner.add()
        if !planned.isEmpty { groups.append(planned) }
      }
      for group in groups { worth.look(at: group) }
      worth.forget(groups[0])
      worth.forget(groups[1])
      let planned = Array(groups[2...].joined())
      return worth.offsets(planned, first: 8, isEnd: isEnd)[0][0]
    }
    let alone = try offsets(ahead: 0, isEnd: false), known = try offsets(ahead: 16, isEnd: true)
    let end = try offsets(ahead: 0, isEnd: true)
    for row in 0..<4 {
      for column in 0..<2 {
        let unit = row * 6 + column
        #expect(abs(alone.units[unit] - known.units[unit]) < 1, "\(alone.units[unit]), \(known.units[unit])")
        #expect(alone.units[unit] < end.units[unit] - 0.5)
        #expect(alone.units[unit + 4] > alone.units[unit] + 1)
      }
    }
  }

  /// Pictures that have nothing in common are worth little to each other: what looks alike by chance.
  @Test func whatChangesWhollyIsWorthLittle() throws {
    let pictures = try (0..<9).map { number in
      try Self.picture { Self.texture($0, $1, seed: UInt64(100 + number)) }
    }
    for offset in Self.offsets(pictures).values { #expect(offset.picture > -2) }
  }

  /// A half of the picture stays, the other half changes: only units of that half are worth more.
  @Test func worthIsWhereItIsUsed() throws {
    let pictures = try (0..<9).map { number in
      try Self.picture { $0 < 96 ? Self.texture($0, $1) : Self.texture($0, $1, seed: UInt64(100 + number)) }
    }
    let first = try #require(Self.offsets(pictures)[0])
    for row in 0..<4 {
      for column in 0..<6 {
        let offset = first.units[row * 6 + column]
        #expect(column < 3 ? offset < -4 : offset > -2.5, "\(column), \(row): \(offset)")
      }
    }
  }

  /// The other view is the same picture, moved: it is predicted from the base layer, which is worth more for it, and only where it
  /// is seen.
  @Test func worthOfTheOtherView() throws {
    func offsets(_ other: (_ x: Int, _ y: Int) -> Int) throws -> [QuantisationOffsets] {
      var worth = BlockWorth(ctbLog2Size: 5)
      worth.add(0, [try Self.picture { Self.texture($0, $1) }, try Self.picture(other)])
      let planned = [PlannedPicture(number: 0, isKey: true)]
      worth.look(at: planned)
      return worth.offsets(planned, first: 1)[0]
    }
    let moved = try offsets { Self.texture($0 + 16, $1) }
    #expect(moved.count == 2 && moved[0].picture < -1.5 && moved[1].picture == 0)
    #expect(try offsets { Self.texture($0, $1, seed: 9) }[0].picture > -0.5)
    // The right half of the other view is hidden in this one.
    let half = try offsets { $0 < 96 ? Self.texture($0 + 16, $1) : Self.texture($0, $1, seed: 9) }[0]
    #expect(half.units[1] < -1.5 && half.units[5] > -0.5, "\(half.units)")
  }

  /// Where little happens, blocks are finer, by the strength for each doubling of the variance; on average nothing changes.
  @Test(arguments: [0.0, 0.5, 2])
  func smoothAreasAreFiner(strength: Double) throws {
    var random = SplitMix(seed: 3)
    // Of the left half, samples are one of two values, which are eight times as far apart in the right half. Neighbours are alike, so that
    // the half picture has them, too.
    let noise = (0..<(96 * 64)).map { _ in random.next(0...1) * 2 - 1 }
    let picture = try Self.picture { x, y in 128 + noise[(y / 2) * 96 + x / 2] * (x < 96 ? 4 : 32) }
    var worth = BlockWorth(ctbLog2Size: 5, smoothness: strength)
    worth.add(0, [picture])
    let planned = [PlannedPicture(number: 0, isKey: true)]
    worth.look(at: planned)
    let offsets = worth.offsets(planned, first: 1)[0][0]
    #expect(abs(offsets.picture) < 1e-5)
    // Variances of 16 and 1024: log2( 17 ) and log2( 1025 ), 5.91 apart.
    for row in 0..<4 {
      for column in 0..<6 {
        let expected = strength * 5.914 / 2 * (column < 3 ? -1 : 1)
        #expect(abs(offsets.units[row * 6 + column] - expected) < 0.1 * strength + 1e-9)
      }
    }
  }

  @Test func smoothAreasCannotBeFinerEverywhere() throws {
    let format = SourceFormat(size: PictureSize(width: 64, height: 64))
    var configuration = EncoderConfiguration()
    configuration.smoothAreaStrength = 1
    _ = try HEVCEncoder(format, views: 1, configuration)
    for change: (inout EncoderConfiguration) -> Void in [
      { $0.smoothAreaStrength = 3.5 }, { $0.smoothAreaStrength = .nan }, { $0.constantQP = 30 },
      { $0.maxKeyFrameInterval = 1 },
    ] {
      var changed = configuration
      change(&changed)
      #expect(throws: EncodingError.self) { try HEVCEncoder(format, views: 1, changed) }
    }
  }

  /// What moves is worth something where it was.
  @Test func worthFollowsMotion() throws {
    // A square of texture moves by 8 to the right on noise that is new in each picture.
    let pictures = try (0..<9).map { number in
      try Self.picture { x, y in
        let own = x - 8 * number
        return (32..<64).contains(own) && (32..<64).contains(y)
          ? Self.texture(own, y) : Self.texture(x, y, seed: UInt64(100 + number))
      }
    }
    let offsets = Self.offsets(pictures)
    let first = try #require(offsets[0])
    #expect(first.units[6 + 1] == first.units.min() && first.units[6 + 1] < -2)
    // Four pictures later it is one unit further.
    let middle = try #require(offsets[4])
    #expect(middle.units[6 + 2] == middle.units.min() && middle.units[6 + 2] < -1)
  }

  /// A cut is where everything is another, and not where it is brighter, noisier, or moves.
  @Test func cutsAreFound() throws {
    func preview(_ luma: (_ x: Int, _ y: Int) -> Int) throws -> Preview {
      Preview(try Self.picture(luma).samples())
    }
    var random = SplitMix(seed: 4)
    // Shapes that are larger than blocks.
    func scene(_ x: Int, _ y: Int, _ seed: UInt64) -> Int {
      Self.texture(x >> 2, y >> 2, seed: seed) / 2 + Self.texture(x, y, seed: seed) / 4
    }
    let before = try preview { scene($0, $1, 1) }
    #expect(try preview { scene($0, $1, 9) }.isCut(after: before))
    #expect(try !preview { scene($0, $1, 1) }.isCut(after: before))
    #expect(try !preview { scene($0, $1, 1) + 16 }.isCut(after: before), "brighter")
    #expect(try !preview { scene($0 + 6, $1 + 2, 1) }.isCut(after: before), "moved")
    let noise = try (0..<2).map { _ in try preview { _, _ in 100 + random.next(0...40) } }
    #expect(!noise[1].isCut(after: noise[0]), "noise")
  }

  /// Decoding can begin at a cut, unless it could just before, or cuts are not looked for.
  @Test(arguments: [true, false]) func decodingBeginsAtCuts(isFound: Bool) throws {
    let format = SourceFormat(size: PictureSize(width: 96, height: 64))
    let pictures = try (0..<4).map { scene in
      try Self.picture(format: format) {
        Self.texture($0 >> 2, $1 >> 2, seed: UInt64(scene)) / 2 + Self.texture($0, $1, seed: UInt64(scene))
          / 4
      }
    }
    let scenes = [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 0]
    var configuration = EncoderConfiguration()
    configuration.effort = 1
    configuration.findsSceneCuts = isFound
    let encoder = try HEVCEncoder(format, views: 1, configuration)
    var units: [EncodedAccessUnit] = []
    for scene in scenes { units += try encoder.encode([pictures[scene]]) }
    units += try encoder.finish()
    let sync = units.filter(\.isSync).map(\.presentationIndex)
    #expect(sync == (isFound ? [0, 11, 23] : [0]))
    #expect(units.map(\.presentationIndex).sorted() == Array(scenes.indices))
  }

  /// The first picture after a cut is worth what its own scene says, and not what the one before it was.
  @Test(arguments: [1, 3]) func aSceneIsCodedAsIfItWereAlone(effort: Int) throws {
    let format = SourceFormat(size: PictureSize(width: 96, height: 64))
    func scene(_ x: Int, _ y: Int, _ seed: UInt64) -> Int {
      Self.texture(x >> 2, y >> 2, seed: seed) / 2 + Self.texture(x, y, seed: seed) / 4
    }
    let still = try Self.picture(format: format) { scene($0, $1, 1) }
    // Shapes that stay, with other noise in each picture: little of it is of use to the next one.
    let noisy = try (0..<17).map { number in
      try Self.picture(format: format) { x, y in
        scene(x, y, 9) * 3 / 4 + Self.texture(x * 4, y * 4, seed: UInt64(100 + number)) / 4
      }
    }
    func keyBytes(_ pictures: [SourcePicture]) throws -> [Int] {
      var configuration = EncoderConfiguration()
      configuration.effort = effort
      configuration.maxKeyFrameIntervalDuration = 100
      let encoder = try HEVCEncoder(format, views: 1, configuration)
      var units: [EncodedAccessUnit] = []
      for picture in pictures { units += try encoder.encode([picture]) }
      units += try encoder.finish()
      return units.filter(\.isSync).map { $0.layerBytes[0] }
    }
    let alone = try keyBytes(noisy), after = try keyBytes(Array(repeating: still, count: 12) + noisy)
    #expect(alone.count == 1 && after.count == 2)
    #expect(abs(after[1] - alone[0]) * 50 < alone[0], "\(after), \(alone)")
  }
}
