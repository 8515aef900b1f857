// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCDecoding
import HEVCEncoding

extension FuzzTarget {
  static let encode = FuzzTarget(
    "FuzzEncode",
    "Settings of the encoder, and what samples are made of: it refuses them, or all pictures decode to what it has.",
    // A few pictures of each view with all that is kept of them, in two encoders and a decoder.
    additionalMemory: 256 << 20, countsAllocations: false, seeds: encodeSeeds, mutator: mutateBits
  ) { bytes, findings in
    var reader = EncodeSettings(bytes)
    let format = SourceFormat(
      size: PictureSize(width: reader.below(103) * 2, height: reader.below(103) * 2),
      bitDepth: reader.below(4) == 0 ? 10 : 8)
    let views = reader.below(16) == 0 ? 3 : 1 + reader.below(2)
    var configuration = EncoderConfiguration()
    configuration.effort = 1 + reader.below(6)
    configuration.constantRateFactor = reader.below(54) - 1
    if reader.below(3) == 0 { configuration.constantQP = reader.below(52) }
    if reader.below(3) == 0 { configuration.averageBitRate = 1 << reader.below(40) }
    if reader.below(2) == 0 { configuration.maxKeyFrameInterval = reader.below(6) }
    if reader.below(3) == 0 { configuration.smoothAreaStrength = Double(reader.below(14)) / 4 }
    if reader.below(4) == 0 { configuration.maximumBitRate = 1 << reader.below(30) }
    configuration.allowsReordering = reader.below(3) > 0
    configuration.isBaseLeft = reader.below(2) == 0
    configuration.expectedFrameRate = [nil, 30, 0.01, 1e6, 24][reader.below(5)]
    configuration.writesPictureHashes = true
    configuration.threads = 1 + reader.below(3)
    // Large pictures are few, so that an input takes a second at most without optimisation.
    let area = max(64, format.size.width * format.size.height) * views
    let count = min(1 + reader.below(20), max(1, 20_000 / area))
    if area > 20_000 {
      configuration.effort = min(configuration.effort, 3)
      configuration.maximumBitRate = nil
    }
    do throws(EncodingError) {
      let encoder = try HEVCEncoder(format, views: views, configuration)
      let decoder = HEVCDecoder()
      decoder.insert(parameterSets: encoder.parameterSets)
      var decoded: [DecodedPicture] = []
      func decode(_ units: [EncodedAccessUnit]) {
        for unit in units { decoded += decoder.decode(unit.units, tag: unit.presentationIndex) }
      }
      for number in 0..<count {
        var pictures: [SourcePicture] = []
        for view in 0..<views {
          pictures.append(
            try SourcePicture(format, bytes: ByteView(reader.samples(format, number * 3 + view * 5))))
        }
        decode(try encoder.encode(pictures))
      }
      decode(try encoder.finish())
      decoded += decoder.finish()
      findings.expect(decoder.takeFailures().isEmpty, "what was encoded cannot be decoded")
      for layer in 0..<views {
        let own = decoded.filter { Int($0.layerID) == layer }
        findings.expect(
          own.map(\.tag) == Array(0..<count), "pictures \(own.map(\.tag)) of layer \(layer), of \(count)")
        for picture in own {
          findings.expect(
            picture.hash == .match && picture.problems.isEmpty && picture.size == format.size,
            "picture \(picture.tag) of layer \(layer) is another one: \(picture.hash), \(picture.problems)")
        }
      }
    } catch {
      findings.expect(error.kind == .unsupported && !error.reason.isEmpty, "\(error)")
    }
  }

  /// Flat pictures, noise, slopes, and samples from the input, at a few settings.
  @Sendable
  private static func encodeSeeds() -> [(String, [UInt8])] {
    (0..<12).map { seed in
      var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
      return (
        "settings-\(seed)",
        (0..<64).map { _ in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return UInt8(truncatingIfNeeded: state >> 40)
        }
      )
    }
  }
}

/// Reads an input as choices, and makes samples of what is left of it.
private struct EncodeSettings {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: ByteView) { self.bytes = bytes.prefix(4_096).array }

  /// The next choice, from 0 to less than a number; 0 after the end.
  mutating func below(_ count: Int) -> Int {
    guard place < bytes.count else { return 0 }
    defer { place += 1 }
    return Int(bytes[place]) % count
  }

  /// The samples of a picture; the kind of each plane is chosen by the first bytes that are left.
  func samples(_ format: SourceFormat, _ number: Int) -> [UInt8] {
    let rest = place < bytes.count ? bytes[place...] : [0]
    let high = 1 << format.bitDepth - 1
    var samples: [UInt8] = []
    samples.reserveCapacity(max(0, format.pictureBytes))
    for component in 0..<3 {
      let shift = component == 0 ? 0 : 1
      let kind = Int(rest[rest.startIndex + component % rest.count])
      var state = UInt64(kind) &+ UInt64(number) &* 977
      for y in 0..<(format.size.height >> shift) {
        for x in 0..<(format.size.width >> shift) {
          let value: Int
          switch kind % 5 {
          case 0: value = kind << (format.bitDepth - 8)
          case 1:
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            value = Int(state >> 40) & high
          case 2: value = ((x + number) / 5 + y / 3) % 2 * high
          case 3: value = (x * 3 + y * 5 + number * 7) & high
          default:
            value = Int(rest[rest.startIndex + (x + number + y * 13) % rest.count]) << (format.bitDepth - 8)
          }
          samples.append(UInt8(truncatingIfNeeded: value))
          if format.bitDepth > 8 { samples.append(UInt8(truncatingIfNeeded: value >> 8)) }
        }
      }
    }
    return samples
  }
}
