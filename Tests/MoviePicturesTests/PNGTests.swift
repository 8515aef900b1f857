// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Multiview
import TestSupport
import Testing

@testable import MoviePictures

/// A reader of PNG files of our kind: chunks, checks, filters.
struct ReadPNG {
  var width = 0
  var height = 0
  var depth = 0
  var chunks: [String] = []
  var contents: [String: [UInt8]] = [:]
  var samples: [UInt16] = []
  var filters: [UInt8] = []

  init?(_ bytes: [UInt8]) {
    guard Array(bytes.prefix(8)) == [137, 80, 78, 71, 13, 10, 26, 10] else { return nil }
    func number(_ place: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(bytes[place + $1]) } }
    var place = 8
    var data: [UInt8] = []
    while place + 12 <= bytes.count {
      let count = number(place), body = bytes[(place + 4)..<(place + 8 + count)]
      var check: UInt32 = .max
      for byte in body {
        check ^= UInt32(byte)
        for _ in 0..<8 { check = check & 1 == 1 ? check >> 1 ^ 0xEDB8_8320 : check >> 1 }
      }
      guard ~check == UInt32(number(place + 8 + count)) else { return nil }
      let type = String(decoding: body.prefix(4), as: UTF8.self)
      chunks.append(type)
      contents[type] = Array(body.dropFirst(4))
      if type == "IDAT" { data += body.dropFirst(4) }
      place += 12 + count
    }
    guard place == bytes.count, chunks.first == "IHDR", chunks.last == "IEND",
      let header = contents["IHDR"], header.count == 13, Array(header[9...]) == [2, 0, 0, 0],
      let raw = Inflation.zlib(data)?.output
    else { return nil }
    width = number(16)
    height = number(20)
    depth = Int(header[8])
    let step = 3 * depth / 8, row = width * step
    guard raw.count == height * (row + 1) else { return nil }
    var previous = [Int](repeating: 0, count: row)
    for y in 0..<height {
      let filter = raw[y * (row + 1)]
      filters.append(filter)
      var line = [Int](repeating: 0, count: row)
      for x in 0..<row {
        let a = x < step ? 0 : line[x - step], b = previous[x], c = x < step ? 0 : previous[x - step]
        let p = a + b - c
        let nearest = [(abs(p - a), a), (abs(p - b), b), (abs(p - c), c)].min { $0.0 < $1.0 }?.1 ?? 0
        let predicted = [0, a, b, (a + b) / 2, nearest][Int(filter)]
        line[x] = (Int(raw[y * (row + 1) + 1 + x]) + predicted) & 255
      }
      for x in stride(from: 0, to: row, by: depth / 8) {
        samples.append(UInt16(depth == 8 ? line[x] : line[x] << 8 | line[x + 1]))
      }
      previous = line
    }
  }
}

@Suite struct PNGTests {
  static func noise(_ count: Int, _ values: UInt64, seed: UInt64 = 1) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: (state >> 33) % values)
    }
  }

  /// An ICC profile of red, green and blue, as far as its header goes.
  static func profile(_ space: String = "RGB ", size: Int = 200) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    bytes.replaceSubrange(0..<4, with: [0, 0, UInt8(size >> 8), UInt8(size & 0xFF)])
    bytes.replaceSubrange(16..<20, with: Array(space.utf8))
    bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
    return bytes
  }

  /// The profile takes precedence: no other chunk says what the colours are.
  @Test func profilesAreWritten() throws {
    var picture = try #require(
      RGBPicture(width: 1, height: 1, samples: [1, 2, 3], primaries: 1, transfer: 13))
    #expect(ReadPNG(picture.png())?.chunks == ["IHDR", "cICP", "sRGB", "IDAT", "IEND"])
    picture.iccProfile = Self.profile()
    let read = try #require(ReadPNG(picture.png()))
    #expect(read.chunks == ["IHDR", "iCCP", "IDAT", "IEND"])
    let chunk = try #require(read.contents["iCCP"])
    let name = Array("ICC profile".utf8) + [0, 0]
    #expect(chunk.starts(with: name))
    #expect(Inflation.zlib(Array(chunk.dropFirst(name.count)))?.output == Self.profile())
    // It stays with the colours, and goes with them.
    #expect(
      picture.oriented(.upright).iccProfile != nil
        && picture.replacing(width: 1, height: 1, [0, 0, 0]).iccProfile != nil)
    let mapping = try #require(ToneMapping(transfer: 16, primaries: 9))
    #expect(mapping.apply(to: picture).iccProfile == nil)
  }

  /// Something like a photo: soft shades with some noise.
  static func shades(_ width: Int, _ height: Int, _ depth: RGBPicture.Depth) -> RGBPicture? {
    let grain = noise(3 * width * height, 7)
    var samples: [UInt16] = []
    for y in 0..<height {
      for x in 0..<width {
        for (part, shade) in [x + 2 * y, 255 - (x * y >> 4), (x * x + y * y) >> 6].enumerated() {
          let value = (shade & 0xFF) * (depth == .eight ? 1 : 257)
          samples.append(UInt16(min(depth.maximum, value + Int(grain[3 * (y * width + x) + part]))))
        }
      }
    }
    return RGBPicture(width: width, height: height, depth: depth, samples: samples)
  }

  static let contents: [(name: String, bytes: [UInt8])] = [
    ("nothing", []), ("one byte", [7]), ("two", [7, 7]), ("three", [1, 2, 3]),
    ("a long run", [UInt8](repeating: 9, count: 100_000)),
    ("a short run", [UInt8](repeating: 9, count: 258)), ("noise", noise(200_000, 256)),
    ("few values", noise(70_000, 3)), ("two values", noise(40_000, 2)),
    ("repeated from far", noise(32_768, 256) + noise(32_768, 256)),
    ("repeated from too far", noise(32_769, 256) + noise(32_769, 256)),
    ("rare bytes", (0..<60_000).map { UInt8(truncatingIfNeeded: ($0 &* $0) >> 7 & ($0 >> 9)) }),
    ("text", Array(String(repeating: "the picture of each eye, and ", count: 3_000).utf8)),
    ("Fibonacci", fibonacci),
  ]

  /// Frequencies for which the best code is longer than 15 bits.
  private static var fibonacci: [UInt8] {
    var bytes: [UInt8] = []
    var (a, b) = (1, 1)
    for value in 0..<22 {
      bytes += [UInt8](repeating: UInt8(value * 11), count: a)
      (a, b) = (b, a + b)
    }
    // Shuffled, or there would be nothing but runs.
    var state: UInt64 = 5
    for index in stride(from: bytes.count - 1, to: 0, by: -1) {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      bytes.swapAt(index, Int(state >> 33) % (index + 1))
    }
    return bytes
  }

  @Test func deflatedIsInflated() throws {
    var kinds: Set<Int> = []
    for content in Self.contents {
      let packed = Deflate.zlib(content.bytes)
      let found = Inflation.zlib(packed)
      #expect(found?.output == content.bytes, "\(content.name)")
      kinds.formUnion(found?.kinds ?? [])
      #expect(packed.count <= content.bytes.count + content.bytes.count / 1_000 + 30, "\(content.name)")
    }
    #expect(kinds == [0, 1, 2])
  }

  @Test func codesAreNoLongerThanAllowed() {
    var frequencies: [Int] = []
    var (a, b) = (1, 1)
    for _ in 0..<40 {
      frequencies.append(a)
      (a, b) = (b, a + b)
    }
    for limit in [7, 15] {
      let code = HuffmanCode(frequencies: frequencies, limit: limit)
      #expect(code.lengths.allSatisfy { (1...limit).contains(Int($0)) })
      #expect(code.lengths.reduce(0) { $0 + 1 << (limit - Int($1)) } == 1 << limit)
    }
    #expect(HuffmanCode(frequencies: [0, 0, 0, 0, 5], limit: 15).lengths == [1, 0, 0, 0, 1])
  }

  @Test(arguments: [RGBPicture.Depth.eight, .sixteen]) func picturesAreReadAgain(_ depth: RGBPicture.Depth)
    throws
  {
    for (width, height) in [(1, 1), (3, 2), (64, 48), (131, 77)] {
      let picture = try #require(Self.shades(width, height, depth))
      let read = try #require(ReadPNG(picture.png()))
      #expect(read.width == width && read.height == height && read.depth == depth.rawValue)
      #expect(read.samples == picture.samples)
      #expect(read.chunks == ["IHDR", "IDAT", "IEND"])
    }
  }

  @Test func coloursAreNamed() throws {
    var picture = try #require(Self.shades(8, 8, .sixteen))
    (picture.primaries, picture.transfer) = (9, 16)
    let hdr = try #require(ReadPNG(picture.png()))
    #expect(hdr.contents["cICP"] == [9, 16, 0, 1] && hdr.contents["sRGB"] == nil)
    #expect(Array(hdr.chunks.prefix(2)) == ["IHDR", "cICP"])
    (picture.primaries, picture.transfer) = (1, 13)
    let plain = try #require(ReadPNG(picture.png()))
    #expect(plain.contents["cICP"] == [1, 13, 0, 1] && plain.contents["sRGB"] == [0])
    (picture.primaries, picture.transfer) = (1, 2)
    #expect(try #require(ReadPNG(picture.png())).contents["cICP"] == nil)
  }

  /// Python's zlib reads what is written here, and level 6 of it makes it no smaller than by a tenth.
  @Test func asSmallAsZlib() throws {
    let hasPython = try shell("python3 -c 'import zlib'").status == 0
    guard hasPython else {
      print("skipped: there is no python3 with zlib to compare with")
      return
    }
    let folder = try TemporaryFolder()
    var contents = Self.contents.filter { $0.bytes.count > 1_000 }
    for depth in [RGBPicture.Depth.eight, .sixteen] {
      let picture = try #require(Self.shades(320, 200, depth))
      contents.append(("shades in \(depth.rawValue) bits", PNGFilters(picture).bytes))
    }
    for group in try Track.picturesOfFixture("spatial.mov").prefix(1) {
      for picture in group.layers {
        contents.append(("eye \(picture.layerID)", PNGFilters(try picture.rgb()).bytes))
        contents.append(("eye \(picture.layerID), deep", PNGFilters(try picture.rgb(depth: .sixteen)).bytes))
      }
    }
    for content in contents {
      let packed = Deflate.zlib(content.bytes)
      try folder.write("raw", content.bytes)
      try folder.write("packed", packed)
      let found = try shell(
        "python3 -c \"import zlib; r=open('raw','rb').read(); p=open('packed','rb').read(); "
          + "print(zlib.decompress(p)==r, len(zlib.compress(r,6)))\"", in: folder.path)
      let words = found.output.split(whereSeparator: \.isWhitespace)
      #expect(words.first == "True", "\(content.name): \(found.errors)")
      let size = try #require(words.last.flatMap { Int($0) })
      #expect(packed.count * 10 <= size * 11 + 200, "\(content.name): \(packed.count) instead of \(size)")
    }
  }
}

extension Track {
  /// All pictures of the first track of a fixture.
  static func picturesOfFixture(_ name: String) throws -> [PictureGroup] {
    let movie = try MovieFile(path: Fixtures.path(name))
    let track = try #require(movie.tracks.first { $0.isHEVC })
    let reader = try track.pictures()
    var groups: [PictureGroup] = []
    while let group = try reader.next() { groups.append(group) }
    #expect(reader.takeProblems() == [])
    return groups
  }
}
