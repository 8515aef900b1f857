// swift-multiview · SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The NAL units of a track as MP4Box lists them.
struct MP4BoxListing {
  /// A NAL unit.
  struct Unit: Hashable {
    var type: UInt8
    var layerID: UInt8
    var size: Int
    /// The picture order count, which it gets right in the base layer.
    var orderCount: Int?
    /// The kind of slice, which it gets right in the base layer.
    var slice: String?

    /// Type, layer and size.
    var identity: [Int] { [Int(type), Int(layerID), size] }
  }

  var trackID: UInt32 = 0
  /// The units of `hvcC` and `lhvC`, by kind.
  var records: [Unit] = []
  var samples: [[Unit]] = []

  /// The files that it has listed.
  static let names = Corpus.files(with: "MP4Box.dnal.xml")

  init?(_ name: String) {
    guard let text = Corpus.truth(name, "MP4Box.dnal.xml") else { return nil }
    var isInSamples = false
    for line in text.split(separator: "\n") {
      func attribute(_ key: String) -> String? {
        line.split(separator: " ").first { $0.hasPrefix(key + "=\"") }.map {
          String($0.dropFirst(key.count + 2).prefix { $0 != "\"" })
        }
      }
      if line.contains("<NALUTrack ") { trackID = attribute("trackID").flatMap { UInt32($0) } ?? 0 }
      if line.contains("<NALUSamples>") { isInSamples = true }
      if line.contains("</NALUSamples>") { break }
      if line.contains("<Sample ") { samples.append([]) }
      guard line.contains("<NALU "), let type = attribute("code").flatMap({ UInt8($0) }),
        let layerID = attribute("layer_id").flatMap({ UInt8($0) }),
        let size = attribute("size").flatMap({ Int($0) })
      else { continue }
      let unit = Unit(
        type: type, layerID: layerID, size: size, orderCount: attribute("poc").flatMap { Int($0) },
        slice: attribute("slice"))
      if isInSamples, !samples.isEmpty {
        samples[samples.count - 1].append(unit)
      } else {
        records.append(unit)
      }
    }
  }
}
