// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import HEVC
import HEVCDecoding
import TestSupport
import Testing

@testable import HEVCEncoding

/// Streams in which every choice is drawn: they reach syntax that good decisions never do.
@Suite struct ChaosTests {
  /// How many streams of each kind; `MV_CHAOS_STREAMS` says otherwise.
  static let count = ProcessInfo.processInfo.environment["MV_CHAOS_STREAMS"].flatMap { Int($0) } ?? 12
  /// Where streams are written with hashes of their pictures, for other decoders.
  static let folder = ProcessInfo.processInfo.environment["MV_CHAOS_FOLDER"]

  @Test(arguments: 0..<count) func intra(seed: Int) throws { try check(seed, isIntra: true, layers: 1) }
  @Test(arguments: 0..<count) func inter(seed: Int) throws { try check(seed, isIntra: false, layers: 1) }
  @Test(arguments: 0..<count) func twoViews(seed: Int) throws { try check(seed, isIntra: false, layers: 2) }

  /// What a search is told that syntax costs is what the writer spends on it.
  @Test(arguments: 0..<4) func pricesAreWhatIsWritten(seed: Int) throws {
    let (price, bits) = try ChaosEncoder.priceAndBits(seed: UInt64(seed))
    let ratio = price / Double(bits)
    #expect((0.985...1.015).contains(ratio), "\(price) \(bits)")
  }

  private func check(_ seed: Int, isIntra: Bool, layers: Int) throws {
    let number = UInt64(seed) * 3 + UInt64(layers) + (isIntra ? 0x1_0000 : 0)
    let stream = ChaosStream(
      seed: number, isIntra: isIntra, layers: layers, pictures: isIntra ? 2 : layers == 1 ? 6 : 4)
    let units = try ChaosEncoder.units(stream, seed: number)
    let decoder = HEVCDecoder()
    decoder.insert(parameterSets: units[0])
    var pictures: [DecodedPicture] = []
    for (index, unit) in units.dropFirst().enumerated() { pictures += decoder.decode(unit, tag: index) }
    pictures += decoder.finish()
    #expect(decoder.takeFailures() == [])
    #expect(pictures.count == stream.pictures.count * layers)
    for picture in pictures { #expect(picture.problems == [] && picture.hash == .match) }
    guard let folder = Self.folder else { return }
    let name = "\(folder)/\(isIntra ? "intra" : layers == 1 ? "inter" : "views")\(seed)"
    try Data(AnnexBNALUnits.join(units.joined())).write(to: URL(fileURLWithPath: name + ".hevc"))
  }
}
