// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import TestSupport
import Testing

/// One number of a box of about 64 KiB is changed, and read in the bytes: of every kind of table that `EditingTests` does not have, in
/// movies and in fragments. Expected is the file with that one byte counted up.
@Suite struct LargeBoxEditingTests {
  /// A kind of table, made without the library.
  struct Kind: Sendable, CustomTestStringConvertible {
    let type: FourCC
    /// The boxes around it, from the outermost.
    let path: [FourCC]
    /// The fields before the rows, of a box with so many rows.
    let head: @Sendable (Int) -> [UInt8]
    /// How many bytes a row takes.
    let stride: Int
    /// How far from the start of the box the byte is that the edit counts up.
    let changed: Int
    let edit: @Sendable (inout BoxTree, BoxPath) throws -> Void

    var testDescription: String { "\(path.last ?? "") \(type)" }

    /// A box of `total` bytes: rows, and after them bytes that no field takes.
    func box(_ total: Int) -> [UInt8] {
      let rows = (total - 8 - head(0).count) / stride
      var body = head(rows)
      // No row has a count in it but those of `subs`, which are in the head.
      for row in 0..<rows { body += (0..<stride).map { $0 == stride - 1 ? UInt8(row % 3) : 0 } }
      if type == "subs" {
        body = Array(body[..<8]) + (0..<rows).flatMap { [0, 0, 0, UInt8($0 % 250), 0, 0] }
      }
      while body.count < total - 8 { body.append(0xEE) }
      return rawBox(type, body)
    }

    func file(_ box: [UInt8]) -> [UInt8] {
      rawBox("ftyp", Array("isom".utf8) + big(0)) + path.reversed().reduce(box) { rawBox($1, $0) }
        + rawBox("mdat", [UInt8](repeating: 3, count: 64))
    }
  }

  private static let table: [FourCC] = ["moov", "trak", "mdia", "minf", "stbl"]
  private static let fragment: [FourCC] = ["moof", "traf"]

  static let kinds: [Kind] =
    [table, fragment].flatMap { path in
      [
        Kind(
          type: "saiz", path: path, head: { big(0) + [0] + big(UInt32($0)) }, stride: 1, changed: 17
        ) { tree, path in
          try tree.edit(path, SampleAuxiliaryInformationSizesBox.self) { box in
            var sizes = box.sampleInfoSizes?.array ?? []
            sizes[0] += 1
            box.sampleInfoSizes = ByteView(sizes)
          }
        },
        Kind(type: "saio", path: path, head: { big(0) + big(UInt32($0)) }, stride: 4, changed: 19) {
          tree, path in
          try tree.edit(path, SampleAuxiliaryInformationOffsetsBox.self) { $0.offsets[0] += 1 }
        },
        Kind(
          type: "sbgp", path: path, head: { big(0) + Array("roll".utf8) + big(UInt32($0)) }, stride: 8,
          changed: 27
        ) { tree, path in
          try tree.edit(path, SampleToGroupBox.self) { (box) throws(ParseError) in
            var rows = Array(box.entries)
            rows[0].groupDescriptionIndex += 1
            box.entries = try PackedTable(rows)
          }
        },
        // One pattern as long as there are rows: lengths of 32 bits, counts and numbers of groups of 8.
        Kind(
          type: "csgp", path: path,
          head: { big(0x35) + Array("roll".utf8) + big(1) + big(UInt32($0)) + [1] }, stride: 1, changed: 25
        ) { tree, path in
          try tree.edit(path, CompactSampleToGroupBox.self) { $0.indices[0] += 1 }
        },
        Kind(type: "senc", path: path, head: { big(0) + big(UInt32($0)) }, stride: 8, changed: 23) {
          tree, path in
          try tree.edit(path, SampleEncryptionBox.self) { box in
            var bytes = box.entries.array
            bytes[7] += 1
            box.entries = ByteView(bytes)
          }
        },
        Kind(type: "subs", path: path, head: { big(0) + big(UInt32($0)) }, stride: 6, changed: 19) {
          tree, path in
          try tree.edit(path, SubSampleInformationBox.self) { $0.entries[0].sampleDelta += 1 }
        },
        Kind(type: "sdtp", path: path, head: { _ in big(0) }, stride: 1, changed: 12) { tree, path in
          try tree.edit(path, SampleDependencyTypeBox.self) { (box) throws(ParseError) in
            var rows = Array(box.entries)
            rows[0].sampleHasRedundancy += 1
            box.entries = try PackedTable(rows)
          }
        },
      ]
    } + [
      Kind(
        type: "stz2", path: table, head: { big(0) + [0, 0, 0, 8] + big(UInt32($0)) }, stride: 1, changed: 20
      ) { tree, path in
        try tree.edit(path, CompactSampleSizeBox.self) { (box) throws(ParseError) in
          var rows = Array(box.entries)
          rows[0].size += 1
          box.entries = try FormattedTable(rows, as: 8)
        }
      },
      // The data offset, then rows of a size.
      Kind(
        type: "trun", path: fragment, head: { big(0x201) + big(UInt32($0)) + big(40) }, stride: 4, changed: 23
      ) { tree, path in
        try tree.edit(path, TrackRunBox.self) { (box) throws(ParseError) in
          var rows = Array(box.rows)
          rows[0].sampleSize = (rows[0].sampleSize ?? 0) + 1
          box.rows = try FormattedTable(rows, as: .size)
        }
      },
      Kind(
        type: "tfra", path: ["mfra"], head: { big(0) + big(1) + big(0) + big(UInt32($0)) }, stride: 11,
        changed: 27
      ) { tree, path in
        try tree.edit(path, TrackFragmentRandomAccessBox.self) { (box) throws(ParseError) in
          var rows = Array(box.entries)
          rows[0].time += 1
          box.entries = try FormattedTable(rows, as: box.entries.format)
        }
      },
    ]

  @Test(arguments: kinds) func oneNumberOfATableChanges(kind: Kind) throws {
    // Offsets in these tables point anywhere.
    var options = WriteOptions()
    options.relocatesOffsets = false
    for size in EditingTests.sizes {
      let box = kind.box(size)
      try #require(box.count == size)
      let movie = kind.file(box)
      let path = try #require(BoxPath((kind.path + [kind.type]).map { "\($0)" }.joined(separator: "/")))
      var tree = try opened(movie)
      #expect(tree[path]?.isLoaded == (size <= 65_536))
      try kind.edit(&tree, path)
      var changed = box
      changed[kind.changed] += 1
      #expect(try bytes(tree.writePlan(options)) == kind.file(changed), "\(size) bytes")
      // With what it has already nothing changes, wherever offsets point.
      var same = try opened(movie)
      try same.edit(path) { (box) throws(ParseError) in try box.editAsItIs() }
      #expect(try bytes(same.writePlan(options)) == movie, "\(size) bytes")
    }
  }

  /// A container of about 64 KiB: which it is, and the fields before its children; free space is not counted.
  private static let containers: [(path: [FourCC], fields: [UInt8])] = [
    (["moov"], []), (["moov", "trak"], []), (["moov", "trak", "mdia"], []),
    (["moov", "trak", "mdia", "minf"], []), (table, []),
    (table + ["stsd"], big(0) + big(0)),
    (["moov", "trak", "mdia", "minf", "dinf"], []),
    (["moov", "trak", "mdia", "minf", "dinf", "dref"], big(0) + big(0)),
    (["moov", "trak", "edts"], []), (["moov", "trak", "tref"], []),
    (["moov", "mvex"], []),
    (["moov", "udta"], []), (["moof"], []), (fragment, []), (["mfra"], []),
  ]

  /// A box is put into a container; the boxes beside it, and the bytes after them, stay.
  @Test(arguments: EditingTests.sizes) func aBoxIsPutIntoAContainer(size: Int) throws {
    for (path, fields) in Self.containers {
      func file(_ inner: [UInt8]) -> [UInt8] {
        let box = path.dropLast().reversed().reduce(rawBox(path[path.count - 1], fields + inner)) {
          rawBox($1, $0)
        }
        return rawBox("ftyp", Array("isom".utf8) + big(0)) + box + rawBox("mdat", [1, 2, 3])
      }
      let filler = rawBox("skip", [UInt8](repeating: 5, count: size - 16 - fields.count))
      let movie = file(filler)
      let name = path.map { "\($0)" }.joined(separator: "/")
      var tree = try opened(movie)
      let container = try #require(BoxPath(name))
      #expect(tree[container]?.size == size)
      try tree.insert(Box("free"), in: container, at: 0)
      #expect(try bytes(tree.writePlan()) == file(rawBox("free") + filler), "\(name) of \(size)")
      try tree.remove(try #require(BoxPath(name + "/free")))
      #expect(try bytes(tree.writePlan()) == movie, "\(name) of \(size)")
    }
  }
}
