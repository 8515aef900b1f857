// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCCoding
import HEVCDecoding
import TestSupport
import Testing

@testable import HEVCEncoding

/// Whatever the search chooses, decoders see what the encoder saw: each picture carries the sums of its samples.
@Suite struct TreeSearchTests {
  /// What pictures are made of.
  enum Content: CaseIterable {
    case flat
    case noise
    case extremes
    case slopes
    case stripes

    /// A picture; `shift` moves what it shows to the left.
    func picture(_ plan: CodingPlan, shift: Int = 0, _ random: inout SplitMix) throws -> PictureBuffer {
      let format = try #require(SampleFormat(plan.sequenceParameterSet(0)))
      let picture = PictureBuffer(format)
      picture.allocate()
      for (component, plane) in picture.planes.enumerated() {
        let high = 1 << plane.bitDepth - 1, base = high / 3 + component * high / 8
        let moved = component == 0 ? shift : shift / 2
        for y in 0..<plane.height {
          for x in 0..<plane.width {
            let value: Int
            switch self {
            case .flat: value = base
            case .noise: value = random.next(0...high)
            case .extremes: value = random.next(0...1) * high
            case .slopes: value = base + ((x + moved) * 5 + y * 3) % 97 + random.next(0...2)
            case .stripes: value = base + (((x + moved) * 3 + y * 4) / 19 & 1) * high / 4
            }
            plane[x, y] = max(0, min(high, value))
          }
        }
      }
      picture.finish()
      return picture
    }
  }

  static func plan(_ width: Int, _ height: Int, layers: Int = 1, bitDepth: Int = 8) -> CodingPlan {
    var plan = CodingPlan(size: PictureSize(width: width, height: height))
    plan.layerCount = layers
    plan.bitDepth = bitDepth
    plan.isSaoEnabled = true
    plan.isSignHiding = true
    plan.isTemporalMotionEnabled = true
    plan.pictureBuffers = 3
    return plan
  }

  /// The pictures that a decoder makes of units.
  static func decode(_ units: [NALUnit]) -> [DecodedPicture] {
    let decoder = HEVCDecoder(HEVCDecoder.Options())
    var pictures: [DecodedPicture] = []
    for (index, unit) in AccessUnitGrouper.group(units).enumerated() {
      pictures += decoder.decode(unit.units, tag: index)
    }
    return pictures + decoder.finish()
  }

  private func expectExact(_ units: [NALUnit], count: Int, _ what: String) {
    let pictures = Self.decode(units)
    #expect(pictures.count == count, "\(what)")
    for picture in pictures {
      #expect(
        picture.hash == .match && picture.problems.isEmpty,
        "\(what): layer \(picture.layerID), picture \(picture.orderCount), \(picture.hash), \(picture.problems)"
      )
    }
  }

  @Test(arguments: 1...5)
  func decodersSeeWhatTheEncoderSaw(effort: Int) throws {
    var random = SplitMix(seed: UInt64(effort))
    for content in Content.allCases {
      for (width, height) in [(8, 8), (24, 40), (72, 40), (32, 64)] {
        let plan = Self.plan(width, height, bitDepth: width == 24 ? 10 : 8)
        let encoder = try PictureEncoder(plan, layer: 0, effort: SearchEffort(level: effort))
        var slice = SlicePlan(type: .refreshWithoutLeading)
        slice.qp = random.next(0...51)
        let source = try content.picture(plan, &random)
        let units = try plan.units() + encoder.encode(source, slice, hasHash: true).units
        expectExact(units, count: 1, "\(content), \(width)x\(height), QP \(slice.qp)")
      }
    }
  }

  /// Coding tree units have parameters of their own, also where the first units, or all of them, have no levels.
  @Test(arguments: [4, 5, 6], [true, false])
  func unitsHaveParametersOfTheirOwn(log2Size: Int, isWavefront: Bool) throws {
    var random = SplitMix(seed: UInt64(log2Size))
    for content in Content.allCases {
      var plan = Self.plan(72, 72)
      plan.ctbLog2Size = log2Size
      plan.maxTbLog2Size = min(5, log2Size)
      plan.isWavefront = isWavefront
      plan.qpGroupDepth = 0
      let encoder = try PictureEncoder(plan, layer: 0, effort: SearchEffort(level: 3))
      var slice = SlicePlan(type: .refreshWithoutLeading)
      slice.qp = random.next(20...45)
      let source = try content.picture(plan, &random)
      let count = ((72 - 1) >> log2Size + 1) * ((72 - 1) >> log2Size + 1)
      let parameters = (0..<count).map { _ in Int8(clamping: slice.qp + random.next(-12...6)) }
      let first = try encoder.encode(source, slice, parameters: parameters, hasHash: true).units
      expectExact(try plan.units() + first, count: 1, "\(content), \(log2Size)")
      guard content == .slopes else { continue }
      // They are not ignored.
      let plain = try encoder.encode(source, slice, hasHash: true).units
      #expect(plain.map(\.bytes) != first.map(\.bytes))
    }
  }

  /// A change from one end of the range of parameters to the other is coded around the end: decoders refuse a larger CuQpDeltaVal.
  @Test(arguments: [8, 10], [Content.noise, .extremes])
  func parametersChangeFromOneEndToTheOther(bitDepth: Int, content: Content) throws {
    var random = SplitMix(seed: UInt64(bitDepth))
    var plan = Self.plan(96, 64, bitDepth: bitDepth)
    (plan.ctbLog2Size, plan.maxTbLog2Size) = (5, 5)
    plan.qpGroupDepth = 0
    let encoder = try PictureEncoder(plan, layer: 0, effort: SearchEffort(level: 1))
    let source = try content.picture(plan, &random)
    for parameters in [[0, 51, 0, 51, 0, 51], [51, 0, 26, 51, 25, 51], [0, 26, 51, 24, 50, 23]] as [[Int8]] {
      var slice = SlicePlan(type: .refreshWithoutLeading)
      slice.qp = 25
      let units = try encoder.encode(source, slice, parameters: parameters, hasHash: true).units
      expectExact(try plan.units() + units, count: 1, "\(content), \(bitDepth) bits, \(parameters)")
    }
  }

  @Test(arguments: [4, 5, 6])
  func sizesOfCodingTreeBlocks(log2Size: Int) throws {
    var random = SplitMix(seed: 9)
    for isWavefront in [true, false] {
      var plan = Self.plan(136, 72)
      plan.ctbLog2Size = log2Size
      plan.maxTbLog2Size = min(5, log2Size)
      plan.isWavefront = isWavefront
      let encoder = try PictureEncoder(plan, layer: 0, effort: SearchEffort(level: 3))
      var slice = SlicePlan(type: .refreshWithoutLeading)
      slice.qp = 30
      let source = try Content.slopes.picture(plan, &random)
      let units = try plan.units() + encoder.encode(source, slice, hasHash: true).units
      expectExact(units, count: 1, "coding tree blocks of \(1 << log2Size), wavefronts \(isWavefront)")
    }
  }

  /// Pictures that are predicted from the one before, and in layer 1 also from that of the other view.
  @Test(arguments: zip([1, 2, 2], [1, 3, 5]))
  func motionIsExact(layers: Int, effort: Int) throws {
    var random = SplitMix(seed: UInt64(layers * 10 + effort))
    for content in Content.allCases {
      let plan = Self.plan(56, 40, layers: layers)
      let encoders = try (0..<layers).map {
        try PictureEncoder(plan, layer: $0, effort: SearchEffort(level: effort))
      }
      var units = try plan.units(), last = [PictureBuffer?](repeating: nil, count: layers)
      for number in 0..<3 {
        var base: PictureBuffer?
        for layer in 0..<layers {
          var lists = SliceReferences(), slice = SlicePlan(type: .trailing, layer: layer)
          if number == 0 { slice.type = layer == 0 ? .refreshWithoutLeading : .cleanRandomAccess }
          slice.orderCount = number
          slice.qp = random.next(10...45)
          if let last = last[layer] {
            slice.references = [SlicePlan.Reference(orderCount: number - 1)]
            slice.collocated = 0
            lists.l0.append(ReferenceEntry(last, isLongTerm: false))
          }
          if let base { lists.l0.append(ReferenceEntry(base, isLongTerm: true)) }
          slice.count0 = lists.l0.count
          if !lists.l0.isEmpty { slice.sliceType = .p }
          let source = try content.picture(plan, shift: number * 3 + layer * 6, &random)
          let coded = try encoders[layer].encode(source, slice, lists, hasHash: true)
          units += coded.units
          last[layer] = coded.picture
          base = coded.picture
        }
      }
      expectExact(units, count: 3 * layers, "\(content)")
    }
  }

  /// Pictures between others, predicted from one or both of them, and in layer 1 also from those of the other view.
  @Test(arguments: zip([1, 2, 2], [1, 3, 5]))
  func motionFromTwoPicturesIsExact(layers: Int, effort: Int) throws {
    var random = SplitMix(seed: UInt64(layers * 20 + effort))
    for content in Content.allCases {
      var plan = Self.plan(40, 40, layers: layers)
      plan.pictureBuffers = 5
      plan.reorderedPictures = 2
      let encoders = try (0..<layers).map {
        try PictureEncoder(plan, layer: $0, effort: SearchEffort(level: effort))
      }
      var units = try plan.units(), coded = [[Int: PictureBuffer]](repeating: [:], count: layers)
      for (number, before, after) in [(0, nil, nil), (4, 0, nil), (2, 0, 4), (3, 2, 4)] {
        for layer in 0..<layers {
          var slice = SlicePlan(type: .trailing, layer: layer)
          if number == 0 { slice.type = layer == 0 ? .refreshWithoutLeading : .cleanRandomAccess }
          slice.orderCount = number
          slice.qp = random.next(10...45)
          slice.mergeCandidates = random.next(1...5)
          slice.isMvdL1Zero = number == 3
          if number != 0 {
            slice.references = coded[layer].keys.sorted().map {
              SlicePlan.Reference(orderCount: $0, isUsed: $0 == before || $0 == after)
            }
          }
          let lists = Self.lists(
            &slice, coded[layer], before, after, base: layer > 0 ? coded[0][number] : nil)
          let source = try content.picture(plan, shift: number * 3 + layer * 6, &random)
          let result = try encoders[layer].encode(source, slice, lists, hasHash: true)
          units += result.units
          coded[layer][number] = result.picture
        }
      }
      expectExact(units, count: 4 * layers, "\(content)")
    }
  }

  /// The lists of a picture between two others: of pictures without a later one, list 1 has the other view or the earlier
  /// picture again.
  private static func lists(
    _ slice: inout SlicePlan, _ coded: [Int: PictureBuffer], _ before: Int?, _ after: Int?,
    base: PictureBuffer?
  ) -> SliceReferences {
    var lists = SliceReferences()
    if let before = before.flatMap({ coded[$0] }) {
      lists.l0.append(ReferenceEntry(before, isLongTerm: false))
      slice.collocated = 0
    }
    if let base {
      lists.l0.append(ReferenceEntry(base, isLongTerm: true))
      if before == nil {
        (slice.count0, slice.sliceType) = (1, .p)
        return lists
      }
    }
    if let after = after.flatMap({ coded[$0] }) {
      lists.l1.append(ReferenceEntry(after, isLongTerm: false))
      slice.isCollocatedInList1 = true
      // In the order before changes: the later picture, the earlier one, the other view.
      if let base {
        lists.l1.append(ReferenceEntry(base, isLongTerm: true))
        slice.entries1 = [0, 2]
      }
    } else {
      lists.l1 = lists.l0
    }
    (slice.count0, slice.count1) = (lists.l0.count, lists.l1.count)
    if !lists.l0.isEmpty { slice.sliceType = .b }
    return lists
  }

  /// What a decoder makes of a choice: the mode itself.
  @Test func choicesSayTheirModes() {
    for a in 0...34 {
      for b in 0...34 where b != a {
        for c in [0, 1, 26, 34] where c != a && c != b {
          let wrong = (0...34).first { mode in
            let choice = TreeSearch.choice((a, b, c), mode)
            guard choice > 2 else { return [a, b, c][choice] != mode }
            var decoded = choice - 3
            for candidate in [a, b, c].sorted() where decoded >= candidate { decoded += 1 }
            return decoded != mode
          }
          #expect(wrong == nil)
        }
      }
    }
  }

  /// What has one colour takes one large block in each coding tree unit.
  @Test func flatPicturesTakeFewBits() throws {
    var random = SplitMix(seed: 4)
    let plan = Self.plan(128, 128)
    let encoder = try PictureEncoder(plan, layer: 0, effort: SearchEffort(level: 3))
    var slice = SlicePlan(type: .refreshWithoutLeading)
    slice.qp = 30
    let source = try Content.flat.picture(plan, &random)
    let units = try encoder.encode(source, slice, hasHash: false).units
    #expect(units.count == 1 && units[0].bytes.count < 60)
  }
}
