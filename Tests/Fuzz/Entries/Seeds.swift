// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF
import Multiview
import TestSupport

/// Inputs to begin with: what is in the fixtures, and an example of every box.
enum FuzzSeeds {
  private static let movies = Fixtures.media.filter { !$0.hasSuffix(".hevc") }.map {
    ($0, Fixtures.bytes($0))
  }
  private static let streams = Fixtures.media.filter { $0.hasSuffix(".hevc") }.map {
    ($0, Fixtures.bytes($0))
  }

  /// What libFuzzer puts in where it knows nothing better: the types of all boxes, and start codes with the NAL unit
  /// headers that come after them.
  static func dictionary() -> String {
    func entry(_ bytes: [UInt8]) -> String {
      let digits = Array("0123456789ABCDEF")
      return "\"" + bytes.map { "\\x\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined() + "\"\n"
    }
    let types = Set(BoxRegistry.standard.all.flatMap(\.types)).sorted { $0.rawValue < $1.rawValue }
    let units: [[UInt8]] = [32, 33, 34, 35, 36, 37, 39, 40, 0, 1, 19, 21].flatMap { type in
      [0, 1].map { layer in [0, 0, 1, UInt8(type << 1), UInt8(layer << 3 | 1)] }
    }
    let codes = [[0, 0, 1], [0, 0, 0, 1], [0, 0, 3], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 0]] + units
    let userTypes = BoxRegistry.catalogueUserTypes.map { ByteView(hex: $0.uuid).array }
    return types.map { type in
      let bytes = type.bytes
      return entry([bytes.0, bytes.1, bytes.2, bytes.3])
    }.joined() + (userTypes + codes).map(entry).joined()
  }

  /// The movies, whole or with little of their media data.
  static func movies(whole: Bool) -> [(String, [UInt8])] {
    movies.map { name, bytes in
      guard !whole else { return (name, bytes.array) }
      var tree = BoxTree(bytes, registry: .standard)
      for index in tree.boxes.indices where tree.boxes[index].type == "mdat" && tree.boxes[index].size > 128 {
        tree.boxes[index].replacePayload(RawPayload(bytes: tree.boxes[index].body.prefix(96)))
      }
      return (name, (try? tree.encodedAsItIs()) ?? bytes.array)
    }
  }

  /// Movies of the first track of each, without what is not needed to read layers and tags: quick to run.
  static func smallMovies() -> [(String, [UInt8])] {
    movies(whole: false).compactMap { name, bytes in
      var tree = BoxTree(ByteView(bytes), registry: .standard)
      tree.boxes.removeAll { $0.type == "free" || $0.type == "wide" || $0.type == "mfra" }
      guard let moov = tree.boxes.firstIndex(where: { $0.type == "moov" }) else { return nil }
      let first = tree.boxes[moov].children.firstIndex { $0.type == "trak" }
      for index in tree.boxes[moov].children.indices.reversed() {
        let isNeeded = index == first || ["mvhd", "mvex"].contains(tree.boxes[moov].children[index].type)
        if !isNeeded { tree.boxes[moov].children.remove(at: index) }
      }
      let fragments = tree.boxes.indices.filter { tree.boxes[$0].type == "moof" }
      for index in fragments.dropFirst(2).reversed() { tree.boxes.remove(at: index) }
      return (try? tree.encodedAsItIs()).map { ("small-" + name, $0) }
    }
  }

  /// The NAL units of the streams, and of the configuration records of the movies.
  static func units(_ isWanted: (NALUnitType) -> Bool) -> [(String, NALUnit)] {
    var found: [(String, NALUnit)] = []
    for (name, bytes) in streams {
      for case .success(let unit) in AnnexBNALUnits(bytes) where isWanted(unit.type) {
        found.append((name, unit))
      }
    }
    for (name, record) in records() {
      let body = ByteView(record).suffix(from: 1)
      let units =
        record.first == 0
        ? body.decode(DecoderConfigurationRecord()).value.nalUnits
        : body.decode(LayeredConfigurationRecord()).value.nalUnits
      found += units.filter { isWanted($0.type) }.map { (name, $0) }
    }
    return found
  }

  /// The configuration records of the movies: 0 and `hvcC`, or 1 and `lhvC`.
  static func records() -> [(String, [UInt8])] {
    var found: [(String, [UInt8])] = []
    for (name, bytes) in movies {
      let tree = BoxTree(bytes, registry: .standard)
      found += tree.matches("**/hvcC").map { (name, [0] + $0.box.body.array) }
      found += tree.matches("**/lhvC").map { (name, [1] + $0.box.body.array) }
    }
    return found
  }

  /// The first units of the streams as byte streams, at most `size` bytes.
  static func streams(prefix: [UInt8], size: Int) -> [(String, [UInt8])] {
    streams.map { name, bytes in
      var units: [NALUnit] = []
      var left = size
      for case .success(let unit) in AnnexBNALUnits(bytes) where left > 0 {
        // Of slices the headers are enough.
        let short = NALUnit(unit.bytes.prefix(unit.type.isVideoCodingLayer ? 48 : left)) ?? unit
        units.append(short)
        left -= short.bytes.count
      }
      return (name, prefix + AnnexBNALUnits.join(units, longStartCodes: false))
    }
  }
}
