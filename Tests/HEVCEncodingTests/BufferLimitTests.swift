// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport
import Testing

@testable import HEVCEncoding

/// A player's buffer beside the bits of pictures.
@Suite struct BufferLimitTests {
  private static let format = SourceFormat(size: PictureSize(width: 40, height: 16))
  private static let count = 24

  /// The least that is in a buffer which fills at a constant rate, after a picture is taken out of it; negative if one comes too late.
  private static func least(_ units: [EncodedAccessUnit], rate: Double, size: Double, frameRate: Double)
    -> Double
  {
    var full = 0.9 * size, least = full
    for unit in units {
      var bytes = 0
      for part in unit.units { bytes += 4 + part.bytes.count }
      full -= Double(bytes * 8)
      least = min(least, full)
      full = min(size, full + rate / frameRate)
    }
    return least
  }

  /// Scenes without anything in them, and scenes that cost much.
  private static func pictures(_ number: Int, _ random: inout SplitMix) throws -> SourcePicture {
    let isHard = number / 6 % 2 == 1
    var bytes: [UInt8] = []
    for y in 0..<16 {
      for x in 0..<40 {
        bytes.append(isHard ? UInt8(random.next(40...200)) : UInt8(60 + (x + y + number) / 4))
      }
    }
    return try SourcePicture(format, bytes: ByteView(bytes + [UInt8](repeating: 128, count: 40 * 8)))
  }

  private static func encode(_ configuration: EncoderConfiguration, views: Int) throws -> [EncodedAccessUnit]
  {
    let encoder = try HEVCEncoder(Self.format, views: views, configuration)
    var random = SplitMix(seed: 3), units: [EncodedAccessUnit] = []
    for number in 0..<count {
      units += try encoder.encode((0..<views).map { _ in try Self.pictures(number, &random) })
    }
    units += try encoder.finish()
    #expect(units.count == count)
    return units
  }

  private struct Stream: Sendable {
    var views = 1
    var effort = 1
    var isReordered = true
    var limits: [Limit]
  }

  private struct Limit: Sendable {
    /// The part of the rate without a limit.
    var rate: Double
    /// How many seconds the buffer takes to be filled; `nil` for what is taken if nothing is said.
    var seconds: Double?
    var average: Double?
    /// With how many threads it is encoded.
    var threads = [2]
  }

  private static let streams = [
    Stream(limits: [Limit(rate: 0.4), Limit(rate: 1, seconds: 0.1)]),
    Stream(
      views: 2,
      limits: [
        Limit(rate: 0.3, seconds: 1.5), Limit(rate: 0.5, seconds: 0.3, average: 0.4, threads: [1, 3]),
      ]),
    Stream(effort: 3, limits: [Limit(rate: 0.6, seconds: 0.3)]),
    Stream(isReordered: false, limits: [Limit(rate: 0.5, seconds: 0.2, threads: [1, 3])]),
  ]

  @Test(arguments: streams.indices) func theBufferNeverRunsDry(index: Int) throws {
    let stream = Self.streams[index]
    var configuration = EncoderConfiguration()
    configuration.constantRateFactor = 16
    configuration.effort = stream.effort
    configuration.allowsReordering = stream.isReordered
    configuration.expectedFrameRate = 25
    let free = try Self.encode(configuration, views: stream.views)
    let bits = free.reduce(0) { $0 + $1.units.reduce(0) { $0 + 8 * ($1.bytes.count + 4) } }
    for limit in stream.limits {
      let rate = (limit.rate * Double(bits) * 25 / Double(Self.count)).rounded()
      let size = (rate * (limit.seconds ?? 1)).rounded()
      // The test can fail.
      #expect(Self.least(free, rate: rate, size: size, frameRate: 25) < 0, "\(limit)")
      configuration.averageBitRate = limit.average.map { Int(rate * $0) }
      configuration.maximumBitRate = Int(rate)
      configuration.bufferSize = limit.seconds == nil ? nil : Int(size)
      var results: [[[NALUnit]]] = []
      for threads in limit.threads {
        configuration.threads = threads
        let units = try Self.encode(configuration, views: stream.views)
        let least = Self.least(units, rate: rate, size: size, frameRate: 25)
        #expect(least >= 0, "\(limit): \(least)")
        results.append(units.map(\.units))
      }
      #expect(results.allSatisfy { $0 == results[0] }, "\(limit)")
    }
  }

  /// A limit that is far away changes nothing.
  @Test func aWideLimitChangesNothing() throws {
    var results: [[[NALUnit]]] = []
    for limit in [nil, 1_000_000_000] {
      var configuration = EncoderConfiguration()
      configuration.maximumBitRate = limit
      configuration.effort = 1
      let units = try Self.encode(configuration, views: 1)
      results.append(units.map(\.units))
    }
    #expect(results[0] == results[1])
  }

  @Test func limitsThatCannotBeAreRefused() {
    let wrong: [(inout EncoderConfiguration) -> Void] = [
      { $0.bufferSize = 1_000 }, { $0.maximumBitRate = 0 },
      {
        $0.maximumBitRate = 1_000
        $0.bufferSize = -1
      },
      {
        $0.maximumBitRate = 1_000
        $0.averageBitRate = 1_001
      },
      {
        $0.maximumBitRate = 1_000
        $0.constantQP = 30
      },
    ]
    for set in wrong {
      var configuration = EncoderConfiguration()
      set(&configuration)
      #expect(throws: EncodingError.self) { try HEVCEncoder(Self.format, views: 1, configuration) }
    }
  }
}
