// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCCoding
import HEVCDecoding
import TestSupport
import Testing

@testable import HEVCEncoding

/// Pictures of slopes, noise, flat areas and the ends of the range.
enum SourceSamples {
  static func bytes(_ format: SourceFormat, seed: UInt64) -> ByteView {
    var random = SplitMix(seed: seed)
    let high = 1 << format.bitDepth - 1
    var bytes: [UInt8] = []
    for component in 0..<3 {
      let shift = component == 0 ? 0 : 1
      let kind = random.next(0...3), slope = random.next(-4...4), start = random.next(0...high)
      for y in 0..<(format.size.height >> shift) {
        for x in 0..<(format.size.width >> shift) {
          let value: Int
          switch kind {
          case 0: value = random.next(0...high)
          case 1: value = (x / 5 + y / 3) % 2 * high
          case 2: value = start
          default: value = max(0, min(high, start + slope * x + y + random.next(0...4)))
          }
          bytes.append(UInt8(truncatingIfNeeded: value))
          if format.bitDepth > 8 { bytes.append(UInt8(truncatingIfNeeded: value >> 8)) }
        }
      }
    }
    return ByteView(bytes)
  }
}

@Suite struct EncoderTests {
  private struct Case: Sendable, CustomStringConvertible {
    var width: Int, height: Int, depth: Int, views: Int, qp: Int
    var description: String { "\(width)x\(height) \(depth) bits \(views) views QP \(qp)" }
  }

  private static let cases: [Case] = [
    Case(width: 40, height: 48, depth: 8, views: 2, qp: 27),
    Case(width: 2, height: 2, depth: 8, views: 2, qp: 0),
    Case(width: 38, height: 66, depth: 8, views: 1, qp: 51),
    Case(width: 98, height: 34, depth: 10, views: 1, qp: 20),
    Case(width: 34, height: 70, depth: 10, views: 1, qp: 0),
    Case(width: 64, height: 40, depth: 8, views: 2, qp: 4),
  ]

  /// Each picture decodes to what the encoder has, inside the window to the size of the source.
  @Test(arguments: cases.indices) func decodedPicturesAreThoseOfTheEncoder(index: Int) throws {
    let test = Self.cases[index]
    let format = SourceFormat(
      size: PictureSize(width: test.width, height: test.height), bitDepth: test.depth)
    var configuration = EncoderConfiguration()
    configuration.constantQP = test.qp
    configuration.writesPictureHashes = true
    let encoder = try HEVCEncoder(format, views: test.views, configuration)
    let decoder = HEVCDecoder()
    decoder.insert(parameterSets: encoder.parameterSets)
    var pictures: [DecodedPicture] = [], units: [EncodedAccessUnit] = []
    for number in 0..<3 {
      let sources = try (0..<test.views).map { view in
        try SourcePicture(
          format, bytes: SourceSamples.bytes(format, seed: UInt64(index * 100 + number * 10 + view)))
      }
      units += try encoder.encode(sources)
    }
    units += try encoder.finish()
    #expect(units.map(\.presentationIndex).sorted() == [0, 1, 2])
    for unit in units {
      #expect(unit.isSync == (unit.presentationIndex == 0) && unit.layerBytes.count == test.views)
      pictures += decoder.decode(unit.units, tag: unit.presentationIndex)
    }
    pictures += decoder.finish()
    #expect(decoder.takeFailures() == [] && pictures.count == 3 * test.views, "\(test)")
    for picture in pictures {
      #expect(picture.hash == .match && picture.problems == [] && picture.size == format.size, "\(test)")
      let source = try SourcePicture(
        format,
        bytes: SourceSamples.bytes(
          format, seed: UInt64(index * 100 + picture.tag * 10 + Int(picture.layerID))))
      let samples = source.samples()
      // The distance of a quantised sample from the source is at most some steps of the quantiser.
      let step = 1 << max(0, (test.qp - 4) / 6)
      var largest = 0, sum = 0, squares = 0
      for y in 0..<test.height {
        for x in 0..<test.width {
          let distance = abs(picture.buffer.planes[0][x, y] - samples.planes[0][x, y])
          largest = max(largest, distance)
          sum += distance
          squares += distance * distance
        }
      }
      let layer = Int(picture.layerID)
      #expect(units.first { $0.presentationIndex == picture.tag }?.squaredErrors[layer][0] == squares)
      let scale = 1 << (test.depth - 8)
      #expect(sum <= test.width * test.height * 2 * step * scale, "\(test): \(sum), \(largest)")
    }
  }

  /// A picture of slopes that move.
  private static func moving(_ format: SourceFormat, _ number: Int, view: Int) throws -> SourcePicture {
    var bytes: [UInt8] = []
    for component in 0..<3 {
      let shift = component == 0 ? 0 : 1
      for y in 0..<(format.size.height >> shift) {
        for x in 0..<(format.size.width >> shift) {
          let place = x + (number * 3 + view * 4) >> shift
          bytes.append(UInt8(truncatingIfNeeded: 30 + (place * 7 ^ y * 5) % 90 + place * y / 60 % 90))
        }
      }
    }
    return try SourcePicture(format, bytes: ByteView(bytes))
  }

  private static func units(
    _ format: SourceFormat, views: Int, count: Int, _ configuration: EncoderConfiguration
  ) throws -> (sets: [NALUnit], units: [EncodedAccessUnit]) {
    let encoder = try HEVCEncoder(format, views: views, configuration)
    var units: [EncodedAccessUnit] = []
    for number in 0..<count {
      units += try encoder.encode((0..<views).map { try moving(format, number, view: $0) })
    }
    return (encoder.parameterSets, units + (try encoder.finish()))
  }

  /// Sequences of any length and order decode to the pictures of the encoder, in the order in which they were given, and
  /// with any number of threads to the same bytes.
  @Test(arguments: [1, 2], [true, false]) func sequencesDecodeInOrder(views: Int, isReordered: Bool) throws {
    let format = SourceFormat(size: PictureSize(width: 40, height: 16))
    for (index, count) in [1, 2, 4, 9, 14].enumerated() {
      var configuration = EncoderConfiguration()
      configuration.effort = 1 + index
      configuration.maxKeyFrameInterval = index == 4 ? 11 : 40
      configuration.allowsReordering = isReordered
      configuration.writesPictureHashes = true
      configuration.threads = 1
      let (sets, units) = try Self.units(format, views: views, count: count, configuration)
      let decoder = HEVCDecoder()
      decoder.insert(parameterSets: sets)
      var pictures: [DecodedPicture] = []
      for unit in units { pictures += decoder.decode(unit.units, tag: unit.presentationIndex) }
      pictures += decoder.finish()
      let what = "\(count) pictures of \(views) views, reordering \(isReordered)"
      #expect(decoder.takeFailures() == [], "\(what)")
      #expect(pictures.allSatisfy { $0.hash == .match && $0.problems == [] }, "\(what)")
      for layer in 0..<views {
        let numbers = pictures.filter { $0.layerID == UInt8(layer) }.map(\.tag)
        #expect(numbers == Array(0..<count), "\(what)")
      }
      let order = units.map(\.presentationIndex)
      #expect((order != Array(0..<count)) == (isReordered && count > 2), "\(what)")
      #expect(units.filter(\.isSync).map(\.presentationIndex) == (count > 11 ? [0, 11] : [0]), "\(what)")
      guard index == 1 || index == 4 else { continue }
      configuration.threads = isReordered ? 3 : 2
      let again = try Self.units(format, views: views, count: count, configuration)
      #expect(
        again.units.map { $0.units.map(\.bytes) } == units.map { $0.units.map(\.bytes) },
        "\(what), \(configuration.threads) threads")
    }
  }

  /// Where the pictures that a picture refers to have no offsets, it has none, nor has the other view: flat pictures need none, and a
  /// key picture tries.
  @Test func offsetsAreTriedWhereOthersHaveThem() throws {
    let format = SourceFormat(size: PictureSize(width: 64, height: 64))
    let flat = try SourcePicture(format, bytes: ByteView([UInt8](repeating: 100, count: 64 * 96)))
    let encoder = try HEVCEncoder(format, views: 2)
    var units: [EncodedAccessUnit] = []
    for _ in 0..<9 { units += try encoder.encode([flat, flat]) }
    units += try encoder.finish()
    var store = ParameterSetStore()
    for unit in encoder.parameterSets where unit.type.isParameterSet { store.insert(unit) }
    #expect(units.count == 9 && units.allSatisfy { $0.layerBytes.count == 2 })
    for unit in units {
      for slice in unit.units where slice.type.isSliceSegment {
        let header = try #require(store.sliceSegment(slice)?.header.slice)
        let isTried = slice.layerID == 0 && [0, 8].contains(unit.presentationIndex)
        #expect(header.sliceSaoLumaFlag == isTried && header.sliceSaoChromaFlag == isTried)
      }
    }
  }

  /// A stream of a wanted rate does not depend on threads, and costs more where more is wanted.
  @Test func ratesDoNotDependOnThreads() throws {
    let format = SourceFormat(size: PictureSize(width: 40, height: 16))
    var sizes: [Int] = []
    for (rate, threads) in [(20_000, [1, 2, 5]), (60_000, [3])] {
      var configuration = EncoderConfiguration()
      configuration.effort = 1
      configuration.averageBitRate = rate
      configuration.maxKeyFrameInterval = 20
      var streams: [[[ByteView]]] = []
      for count in threads {
        configuration.threads = count
        let units = try Self.units(format, views: 2, count: 40, configuration).units
        #expect(units.map(\.presentationIndex).sorted() == Array(0..<40))
        streams.append(units.map { $0.units.map(\.bytes) })
      }
      #expect(streams.allSatisfy { $0 == streams[0] }, "\(rate)")
      sizes.append(streams[0].joined().reduce(0) { $0 + $1.count })
    }
    #expect(sizes[0] < sizes[1], "\(sizes)")
  }

  @Test func whatCannotBeEncodedIsRefused() throws {
    func kind(_ width: Int, _ height: Int, depth: Int = 8, views: Int = 2, qp: Int = 27) -> EncodingError
      .Kind?
    {
      var configuration = EncoderConfiguration()
      configuration.constantQP = qp
      do {
        _ = try HEVCEncoder(
          SourceFormat(size: PictureSize(width: width, height: height), bitDepth: depth), views: views,
          configuration)
        return nil
      } catch { return error.kind }
    }
    #expect(kind(64, 48) == nil)
    for (width, height) in [
      (63, 48), (64, 47), (0, 48), (-2, 2), (16_890, 16), (9_000, 9_000), (.max - 1, .max - 1),
    ] {
      #expect(kind(width, height) == .unsupported, "\(width)x\(height)")
    }
    #expect(kind(64, 48, depth: 10, views: 1) == nil && kind(64, 48, depth: 10) == .unsupported)
    #expect(
      kind(64, 48, depth: 9, views: 1) == .unsupported && kind(64, 48, depth: 12, views: 1) == .unsupported)
    #expect(kind(64, 48, views: 3) == .unsupported && kind(64, 48, views: 0) == .unsupported)
    #expect(kind(64, 48, qp: 52) == .unsupported && kind(64, 48, qp: -1) == .unsupported)
  }

  @Test func unlikePicturesAreRefused() throws {
    let format = SourceFormat(size: PictureSize(width: 16, height: 16))
    let encoder = try HEVCEncoder(format, views: 2)
    let picture = try SourcePicture(format, bytes: SourceSamples.bytes(format, seed: 1))
    let small = SourceFormat(size: PictureSize(width: 16, height: 8))
    let other = try SourcePicture(small, bytes: SourceSamples.bytes(small, seed: 1))
    _ = try encoder.encode([picture, picture])
    for pictures in [[picture], [picture, other], [picture, picture, picture], []] {
      do {
        _ = try encoder.encode(pictures)
        Issue.record("\(pictures.count) pictures were encoded")
      } catch {
        #expect(error.kind == .unlikePictures && error.picture == 1)
      }
    }
    #expect(throws: EncodingError.self) { try SourcePicture(format, bytes: ByteView([1, 2, 3])) }
  }

  /// Table A.8: the lowest level that holds size and rate.
  @Test func timesAreGivenToAllPicturesInOrder() throws {
    let format = SourceFormat(size: PictureSize(width: 16, height: 16))
    let picture = try SourcePicture(format, bytes: SourceSamples.bytes(format, seed: 1))
    for (first, second) in [(nil, 0.5), (0.5, nil), (0.5, 0.25), (0.5, .nan)] as [(Double?, Double?)] {
      let encoder = try HEVCEncoder(format, views: 1)
      _ = try encoder.encode([picture], at: first)
      do throws(EncodingError) {
        _ = try encoder.encode([picture], at: second)
        Issue.record("\(String(describing: second)) was taken after \(String(describing: first))")
      } catch { #expect(error.kind == .unlikePictures && error.picture == 1) }
    }
    let encoder = try HEVCEncoder(format, views: 1)
    for time in [0.0, 0.5, 0.5, 0.75] { _ = try encoder.encode([picture], at: time) }
  }

  @Test func levelsAreTheLowestThatHold() {
    func level(_ width: Int, _ height: Int, _ rate: Double) -> UInt8 {
      CodingPlan.level(SourceFormat(size: PictureSize(width: width, height: height)), rate: rate).level
        .rawValue
    }
    #expect(level(176, 144, 15) == 30 && level(176, 144, 30) == 60)
    #expect(level(1280, 720, 30) == 93 && level(1920, 1080, 30) == 120 && level(1920, 1080, 60) == 123)
    #expect(level(3840, 2160, 30) == 150 && level(3840, 2160, 60) == 153 && level(3840, 2160, 120) == 156)
    // Narrow pictures are limited by their longest side.
    #expect(level(4_000, 16, 1) == 120)
  }

  /// Table A.8 and table A.9: the High tier of a level comes before higher levels.
  @Test func levelsHoldTheBitRate() throws {
    let format = SourceFormat(size: PictureSize(width: 1_280, height: 720))
    func level(_ bitRate: Int, _ buffer: Int = 0) -> [Int] {
      let found = CodingPlan.level(format, rate: 30, bitRate: bitRate, buffer: buffer)
      return [Int(found.level.rawValue), found.isHighTier ? 1 : 0]
    }
    // Level 3.1 has no High tier.
    #expect(level(11_000_000) == [93, 0] && level(11_000_001) == [120, 0])
    #expect(
      level(13_200_000) == [120, 0] && level(13_200_001) == [120, 1] && level(33_000_000) == [120, 1])
    #expect(
      level(33_000_001) == [123, 1] && level(55_000_001) == [150, 1] && level(110_000_001) == [153, 1])
    #expect(
      level(264_000_000) == [156, 1] && level(264_000_001) == [183, 1] && level(600_000_000) == [186, 1])
    #expect(level(1_000_000, 13_200_000) == [120, 0] && level(1_000_000, 13_200_001) == [120, 1])
    var configuration = EncoderConfiguration()
    configuration.averageBitRate = 15_000_000
    func plan() throws -> [Int] {
      let plan = try CodingPlan(format, layers: 1, configuration)
      return [Int(plan.level.rawValue), plan.isHighTier ? 1 : 0]
    }
    #expect(try plan() == [120, 1])
    configuration.maximumBitRate = 34_000_000
    #expect(try plan() == [123, 1])
    configuration.maximumBitRate = 300_000_000
    #expect(try plan() == [183, 1])
  }

  /// Key pictures are as far apart with times as without them, also if two pictures are as near to the interval.
  @Test(arguments: [(25.0, 0.5), (30.0, 2.0), (30.0, 0.25), (50.0, 0.25), (24.0, 0.9)])
  func keyPicturesAreAsFarApartWithTimes(rate: Double, seconds: Double) {
    var configuration = EncoderConfiguration()
    configuration.expectedFrameRate = rate
    configuration.maxKeyFrameIntervalDuration = seconds
    func keys(_ time: (Int) -> Double?) -> [Int] {
      var planner = GroupPlanner(
        configuration.pictureOrder, keyInterval: configuration.keyInterval,
        timedKeyInterval: configuration.maxKeyFrameInterval, keySeconds: configuration.keySeconds)
      let planned = (0..<1_000).flatMap { planner.add(time: time($0)) }
      return planned.filter(\.isKey).map(\.number)
    }
    let wanted = keys { _ in nil }
    #expect(wanted == Array(stride(from: 0, to: 1_000, by: Int((rate * seconds).rounded()))))
    let exact = keys { Double($0) / rate }
    #expect(exact == wanted)
    // Sums of seconds are rounded.
    var now = 1_000.0
    let summed = keys { _ in
      now += 1 / rate
      return now
    }
    #expect(summed == wanted)
  }
}
