// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import TestSupport
import Testing

@testable import ISOBMFF

/// Every shape of damage that files are known to have: each is said with the way to the box and its offset, and what
/// surrounds it is still read.
@Suite struct BadInputTests {
  /// Where the damaged box of ``file(_:)`` begins: after `ftyp` and the headers of `moov` and of the first `trak`.
  static let place = 16 + 8 + 8

  /// A movie with `damaged` in the first of two tracks, and sound boxes around.
  static func file(_ damaged: [UInt8]) -> [UInt8] {
    BoxTreeTests.ftyp
      + rawBox("moov", rawBox("trak", damaged) + rawBox("trak", rawBox("free", [7])) + rawBox("udta"))
      + rawBox("mdat", [1, 2, 3])
  }

  /// What must hold of ``file(_:)`` whatever the damage.
  static func tree(_ damaged: [UInt8]) throws -> BoxTree {
    let bytes = file(damaged)
    let tree = BoxTree(ByteView(bytes), registry: .complete)
    #expect(try tree.encoded() == bytes)
    #expect(tree.boxes.map(\.type) == ["ftyp", "moov", "mdat"])
    #expect(tree["moov"]?.children.map(\.type) == ["trak", "trak", "udta"])
    #expect(tree["moov/trak[1]/free"]?.body == ByteView([7]))
    return tree
  }

  /// `code path offset` of each diagnostic.
  static func found(_ list: DiagnosticList) -> [String] {
    list.map { "\($0.code.rawValue) \($0.path) \($0.offset ?? -1)" }
  }

  // MARK: Sizes

  @Test(arguments: 0...17 as ClosedRange<UInt32>) func sizesFrom0To17(size: UInt32) throws {
    // After the size stand bytes that are not boxes either.
    let tree = try Self.tree(rawBox("free", [UInt8](repeating: 1, count: 40), size: size))
    let here = Self.place
    let odd = #"\x01\x01\x01\x01"#
    switch size {
    case 0: #expect(tree.diagnostics.isEmpty && tree["moov/trak[0]/free"]?.size == 48)
    case 1: #expect(Self.found(tree.diagnostics) == ["size-exceeds-container moov/trak[0]/free \(here)"])
    case 2..<8: #expect(Self.found(tree.diagnostics) == ["invalid-size moov/trak[0] \(here)"])
    default:
      #expect(tree["moov/trak[0]/free"]?.size == Int(size))
      let behind = here + Int(size)
      #expect(Self.found(tree.diagnostics) == ["size-exceeds-container moov/trak[0]/\(odd) \(behind)"])
    }
  }

  @Test(arguments: [1 << 31, .max] as [UInt32]) func sizesOf32Bits(size: UInt32) throws {
    let tree = try Self.tree(rawBox("mdia", rawBox("free"), size: size))
    #expect(
      Self.found(tree.diagnostics) == ["size-exceeds-container moov/trak[0]/mdia \(Self.place)"])
    #expect(tree["moov/trak[0]/mdia"]?.children.map(\.type) == ["free"])
  }

  @Test(arguments: [1 << 31, (1 << 32) - 1, 1 << 62, (1 << 63) - 1] as [UInt64])
  func sizesOf64Bits(size: UInt64) throws {
    let tree = try Self.tree(rawBox("mdia", rawBox("free"), large: size))
    #expect(
      Self.found(tree.diagnostics) == ["size-exceeds-container moov/trak[0]/mdia \(Self.place)"])
    #expect(tree["moov/trak[0]/mdia"]?.children.map(\.type) == ["free"])
  }

  @Test(arguments: [1 << 63, .max] as [UInt64]) func sizesThatNoFileHas(size: UInt64) throws {
    let tree = try Self.tree(rawBox("mdia", rawBox("free"), large: size))
    #expect(Self.found(tree.diagnostics) == ["invalid-size moov/trak[0] \(Self.place)"])
    #expect(tree["moov/trak[0]"]?.children.isEmpty == true)
  }

  @Test(arguments: 0...15 as ClosedRange<UInt64>) func largeSizesBelowTheirHeader(size: UInt64) throws {
    let tree = try Self.tree(rawBox("mdia", rawBox("free"), large: size))
    #expect(Self.found(tree.diagnostics) == ["invalid-size moov/trak[0] \(Self.place)"])
  }

  @Test func aChildLargerThanItsParent() throws {
    let tree = try Self.tree(rawBox("mdia", rawBox("minf", rawBox("free"), size: 500)))
    #expect(
      Self.found(tree.diagnostics) == ["size-exceeds-container moov/trak[0]/mdia/minf \(Self.place + 8)"])
    #expect(tree["moov/trak[0]/mdia/minf/free"] != nil)
    #expect(tree["moov/trak[0]/mdia/minf"]?.size == 16)
  }

  // MARK: Counts

  /// Boxes whose first fields are version, flags and a count, with the start of a table after it.
  static let counted: [(type: FourCC, rowBytes: Int)] = [
    ("stts", 8), ("ctts", 8), ("stsc", 12), ("stco", 4), ("co64", 8), ("stss", 4), ("stps", 4), ("stsh", 8),
    ("subs", 6), ("elst", 12),
  ]

  @Test(arguments: [2, 0x1000_0000, 0x7FFF_FFFF, 0xFFFF_FFFF] as [UInt32]) func countsThatLie(count: UInt32)
    throws
  {
    for (type, rowBytes) in Self.counted {
      let table = rawBox(type, big(0) + big(count) + [UInt8](repeating: 0, count: rowBytes))
      let isEdit = type == "elst"
      let inside = isEdit ? rawBox("edts", table) : Self.sampleTable(table + rawBox("free"))
      let tree = try Self.tree(inside)
      let path = isEdit ? "moov/trak[0]/edts/elst" : Self.stbl + "/\(type)"
      let box = try #require(tree[BoxPath(path) ?? "free"])
      #expect(tree.diagnostics.isEmpty)
      let problems = tree.payloadDiagnostics()
      #expect(problems.count == 1 && problems.first?.path == path, "\(type): \(Self.found(problems))")
      #expect(problems.first?.code == "count-exceeds-data", "\(type)")
      // In the box, or where the rows that are in it end.
      let offset = try #require(problems.first?.offset)
      #expect((box.offset...box.fileRange.upperBound).contains(offset), "\(type)")
      if !isEdit { #expect(tree[BoxPath(Self.stbl + "/free") ?? "free"] != nil) }
    }
  }

  /// A count in a container does not decide how many boxes are read.
  @Test(arguments: [0, 7, 0xFFFF_FFFF] as [UInt32]) func countsOfBoxesThatLie(count: UInt32) throws {
    let table = rawBox("stsd", big(0) + big(count) + rawBox("abcd", [UInt8](repeating: 0, count: 8)))
    let tree = try Self.tree(Self.sampleTable(table))
    #expect(tree[BoxPath(Self.stbl + "/stsd") ?? "free"]?.children.map(\.type) == ["abcd"])
  }

  static let stbl = "moov/trak[0]/mdia/minf/stbl"

  static func sampleTable(_ boxes: [UInt8]) -> [UInt8] {
    rawBox("mdia", rawBox("minf", rawBox("stbl", boxes)))
  }

  @Test func tablesThatDisagreeAboutTheNumberOfSamples() throws {
    let times = rawBox("stts", big(0) + big(1) + big(3) + big(10))
    let sizes = rawBox("stsz", big(0) + big(100) + big(5))
    let chunks = rawBox("stsc", big(0) + big(1) + big(1) + big(2) + big(1))
    let offsets = rawBox("stco", big(0) + big(2) + big(16) + big(16))
    let compositions = rawBox("ctts", big(0) + big(1) + big(4) + big(5))
    let sync = rawBox("stss", big(0) + big(1) + big(9))
    let tree = try Self.tree(Self.sampleTable(times + sizes + chunks + offsets + compositions + sync))
    #expect(tree.diagnostics.isEmpty && tree.payloadDiagnostics().isEmpty)
    let box = try #require(tree[BoxPath(Self.stbl) ?? "free"])
    var list = DiagnosticList()
    let contents = try SampleTableContents(box, in: tree, path: Self.stbl, diagnostics: &list)
    let table = SampleTable(contents)
    #expect(list.isEmpty && table.count == 3)
    #expect(Array(table).map(\.size) == [100, 100, 100])
    func place(_ type: FourCC) -> String { "\(Self.stbl)/\(type) \(box.first(type)?.offset ?? -1)" }
    #expect(
      Set(Self.found(table.diagnostics())).isSuperset(of: [
        "sample-count-mismatch " + place("stts"), "sample-count-mismatch " + place("stsc"),
        "sample-count-mismatch " + place("ctts"), "sample-number-out-of-range " + place("stss"),
      ]))
  }

  /// Of tables in two forms, the first counts: it still does when a writer gives it the other form.
  @Test func tablesInTwoForms() throws {
    let times = rawBox("stts", big(0) + big(1) + big(2) + big(10))
    let chunks = rawBox("stsc", big(0) + big(1) + big(1) + big(2) + big(1))
    let stsz = rawBox("stsz", big(0) + big(0) + big(2) + big(3) + big(4))
    let stz2 = rawBox("stz2", big(0) + big(8) + big(2) + [5, 6])
    let stco = rawBox("stco", big(0) + big(1) + big(16))
    let co64 = rawBox("co64", big(0) + big(1) + big(0) + big(20))
    let orders: [([UInt8], sizes: [Int], place: UInt64, unused: Set<String>)] = [
      (stsz + stz2 + stco + co64, [3, 4], 16, ["co64", "stz2"]),
      (stz2 + stsz + co64 + stco, [5, 6], 20, ["stco", "stsz"]),
    ]
    for order in orders {
      let tree = try Self.tree(Self.sampleTable(times + chunks + order.0))
      let box = try #require(tree[BoxPath(Self.stbl) ?? "free"])
      var list = DiagnosticList()
      for contents in [
        try SampleTableContents(box, in: tree, path: Self.stbl, diagnostics: &list),
        SampleTableContents(loadedPartsOf: box),
      ] {
        let table = SampleTable(contents)
        #expect(Array(table).map { Int($0.size) } == order.sizes)
        #expect(Array(table).first?.range.lowerBound == order.place)
        let found = table.diagnostics().filter { $0.code == "duplicate-sample-table" }
        #expect(Set(found.map { String($0.path.suffix(4)) }) == order.unused)
        #expect(found.allSatisfy { $0.offset != nil })
      }
    }
  }

  // MARK: Too much

  @Test func nestingTenThousandDeep() throws {
    // `otyp` may hold another one, as the standard has it.
    var nest: [UInt8] = []
    for depth in 0..<10_000 { nest += big(UInt32(8 * (10_000 - depth))) + big(FourCC("otyp").rawValue) }
    let bytes = BoxTreeTests.ftyp + nest + rawBox("moov", rawBox("udta"))
    let tree = BoxTree(ByteView(bytes), registry: .complete)
    #expect(try tree.encoded() == bytes)
    let depth = Limits.maximumDepth
    let path = Array(repeating: "otyp", count: depth + 1).joined(separator: "/")
    #expect(Self.found(tree.diagnostics) == ["limit-exceeded \(path) \(16 + 8 * depth)"])
    #expect(tree["moov/udta"] != nil)
  }

  @Test func aMillionTinyBoxesInAMovie() throws {
    let tiny = rawBox("free")
    var body: [UInt8] = []
    body.reserveCapacity(8_000_000)
    for _ in 0..<1_000_000 { body += tiny }
    let bytes = BoxTreeTests.ftyp + rawBox("moov", body)
    let tree = BoxTree(ByteView(bytes), registry: .complete)
    // One for each 80 bytes, beside `ftyp` and `moov`.
    let limit = 200_000 + bytes.count / 80 - 2
    #expect(tree["moov"]?.children.count == limit)
    #expect(Self.found(tree.diagnostics) == ["limit-exceeded moov \(16 + 8 + 8 * limit)"])
    #expect(try tree.encoded() == bytes)
  }

  /// A pipe does not say how long it is: what came so far counts.
  @Test(arguments: [(0, 222_222), (400_000, 227_777)])
  func pipesListFewerBoxes(_ media: Int, _ expected: Int) throws {
    struct Pipe: ByteSource {
      let bytes: ByteView
      var size: UInt64? { nil }
      func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
        let range = range.clamped(to: 0..<UInt64(bytes.count))
        return bytes.suffix(from: Int(range.lowerBound)).prefix(range.count)
      }
    }
    // While boxes of eight bytes come, each ten of them allow for one more.
    var bytes = rawBox("mdat", [UInt8](repeating: 0, count: media))
    for _ in 0..<300_000 { bytes += rawBox("free") }
    let tree = try BoxTree(Pipe(bytes: ByteView(bytes)))
    #expect(tree.boxes.count == expected)
    #expect(tree.diagnostics.map(\.code) == ["limit-exceeded"])
  }

  /// The brand decides how boxes are read that QuickTime and ISO have in common; it may change any number of times.
  @Test func brandsThatChange() {
    let movies = ["qt  ", "isom", "qt  "].map { brand in
      rawBox("ftyp", Array(brand.utf8) + big(0)) + rawBox("moov", rawBox("free"))
    }
    let tree = BoxTree(ByteView(movies.flatMap { $0 }))
    let boxes = tree.boxes.filter { $0.type == "moov" }.map { $0.first("free") }
    #expect(boxes.map { $0?.context.isQuickTime } == [true, false, true])
  }

  @Test func aLimitOfBoxesHolds() {
    var limits = Limits()
    limits.maximumBoxes = 10_000
    let tree = BoxTree(ByteView((0..<12_000).flatMap { _ in rawBox("free") }), limits: limits)
    #expect(tree.boxes.count == 10_000)
    #expect(tree.diagnostics.map(\.code) == ["limit-exceeded"])
  }

  /// As many complaints as are kept, each among hundreds of thousands of siblings.
  @Test func manyComplaintsAmongManyBoxes() throws {
    let tiny = rawBox("free"), damaged = rawBox("trak", big(500) + big(FourCC("mdia").rawValue))
    var body: [UInt8] = []
    for _ in 0..<200_000 { body += tiny }
    for _ in 0..<2_000 { body += damaged }
    let tree = BoxTree(ByteView(rawBox("moov", body) + rawBox("mdat")))
    #expect(tree.boxes.map(\.type) == ["moov", "mdat"])
    let kept = DiagnosticList().limit
    #expect(tree.diagnostics.count == kept && tree.diagnostics.omitted == 2_000 - kept)
    #expect(
      Self.found(tree.diagnostics).last
        == "size-exceeds-container moov/trak[\(kept - 1)]/mdia \(8 + 8 * 200_000 + 16 * (kept - 1) + 8)")
  }
}
