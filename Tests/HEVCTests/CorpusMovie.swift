// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import TestSupport

/// The NAL units of a movie of the corpus: its records are found by their four characters and its samples by
/// what another tool says of their places, so that nothing of the library's reading of boxes is needed.
struct CorpusMovie {
  var base: DecoderConfigurationRecord?
  var layered: LayeredConfigurationRecord?
  /// The samples of the first video track.
  var samples: [ByteView] = []
  /// The samples of each video track, by the index of its stream.
  var tracks: [Int: [ByteView]] = [:]

  /// The units of the records, base layer first.
  var recordUnits: [NALUnit] { (base?.nalUnits ?? []) + (layered?.nalUnits ?? []) }
  var lengthSize: Int { base?.lengthSize ?? layered?.lengthSize ?? 4 }

  /// `nil` where the file has no record, or where nothing is known of its samples.
  init?(_ name: String) {
    let bytes = Corpus.bytes(name)
    for box in Self.boxes("hvcC", in: bytes) where base == nil {
      base = try? box.decoded(DecoderConfigurationRecord())
    }
    for box in Self.boxes("lhvC", in: bytes) where layered == nil {
      layered = try? box.decoded(LayeredConfigurationRecord())
    }
    guard base != nil || layered != nil, let packets = Corpus.truth(name, "ffprobe.packets.csv") else {
      return nil
    }
    for line in packets.split(separator: "\n") where line.contains("codec_type=video") {
      func number(_ key: String) -> Int? {
        line.split(separator: ",").first { $0.hasPrefix(key + "=") }.flatMap {
          Int($0.dropFirst(key.count + 1))
        }
      }
      guard let stream = number("stream_index"), let size = number("size"), let position = number("pos"),
        let sample = bytes.slice(position..<(position + size))
      else { continue }
      tracks[stream, default: []].append(sample)
    }
    guard let first = tracks.keys.min() else { return nil }
    samples = tracks[first] ?? []
  }

  /// The contents of every box of a type, found by its four characters.
  static func boxes(_ type: FourCC, in bytes: ByteView) -> [ByteView] {
    let first = type.bytes.0
    let raw = bytes.array
    return raw.indices.dropFirst(4).compactMap { index in
      guard raw[index] == first, bytes.fourCC(at: index) == type,
        let size = bytes.bigEndian(at: index - 4, width: 4)
      else { return nil }
      return bytes.slice((index + 4)..<max(index + 4, index - 4 + Int(size)))
    }
  }

  /// The units of a sample.
  func units(_ sample: ByteView) throws -> [NALUnit] {
    try LengthPrefixedNALUnits(sample, lengthSize: lengthSize).map { try $0.get() }
  }
}

/// The raw streams of the corpus.
enum CorpusStreams {
  static let names = (Corpus.files("mvhevc") + Corpus.files("lhevc") + Corpus.files("third-party")).filter {
    $0.hasSuffix(".hevc") || $0.hasSuffix(".bit") || $0.hasSuffix(".265") || $0.hasSuffix(".h265")
  }

  /// The movies whose samples another tool has listed.
  static let movies = Corpus.files(with: "ffprobe.packets.csv").filter {
    $0.hasSuffix(".mp4") || $0.hasSuffix(".mov") || $0.hasSuffix(".heic")
  }

  static func units(_ name: String) throws -> [NALUnit] {
    try AnnexBNALUnits(Corpus.bytes(name)).map { try $0.get() }
  }
}
