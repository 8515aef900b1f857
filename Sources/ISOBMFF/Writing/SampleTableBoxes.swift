// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess

/// Properties of sample tables that are taken from those of another track.
package struct SampleTableForm: Sendable {
  /// The version of `ctts`; `nil` for the one that is necessary.
  package var compositionVersion: UInt8?
  /// Whether offsets of version 0 may be negative, as in QuickTime. ISO/IEC 14496-12, 8.6.1.3
  package var hasSignsInVersion0 = false
  /// Whether negative composition offsets are accompanied by a box that gives their range (`cslg`).
  package var hasCompositionSpan = true

  package init() {}
}

/// What precedes the rows of a sample table.
struct SampleTableHead {
  let kind: SampleTableKind
  let type: FourCC
  /// The header of the box, and the fields before the rows.
  private(set) var bytes: [UInt8] = []
  let headerSize: Int
  let rowBytes: Int
  let rowCount: Int

  /// The size of the box.
  var size: UInt64 { UInt64(bytes.count) &+ UInt64(rowCount) &* UInt64(rowBytes) }

  fileprivate init(
    _ kind: SampleTableKind, _ summary: SampleTableSummary, _ form: SampleTableForm, rowCount: Int
  ) {
    self.kind = kind
    type = kind.boxType(summary)
    rowBytes = kind == .chunkOffset && !summary.needsWidePlaces ? 4 : kind.widestRow
    self.rowCount = kind == .sampleSize && summary.writtenSize > 0 ? 0 : rowCount
    // The version and the flags.
    var fields: [UInt8] = [0, 0, 0, 0]
    switch kind {
    case .compositionOffset:
      let needed: UInt8 = summary.hasNegativeOffsets ? 1 : 0
      let isPossible = needed == 0 || form.hasSignsInVersion0
      fields[0] = form.compositionVersion.flatMap { $0 > 0 || isPossible ? $0 : nil } ?? needed
      fields.appendBigEndian(UInt64(clamping: rowCount), width: 4)
    case .sampleSize:
      fields.appendBigEndian(UInt64(summary.writtenSize), width: 4)
      fields.appendBigEndian(UInt64(clamping: summary.count), width: 4)
    case .dependency: break
    default: fields.appendBigEndian(UInt64(clamping: rowCount), width: 4)
    }
    let size = UInt64(self.rowCount) &* UInt64(rowBytes) &+ UInt64(fields.count + 8)
    let isLarge = size > UInt64(UInt32.max)
    bytes.appendBigEndian(isLarge ? 1 : size, width: 4)
    bytes.appendBigEndian(UInt64(type.rawValue), width: 4)
    if isLarge { bytes.appendBigEndian(size &+ 8, width: 8) }
    headerSize = bytes.count
    bytes += fields
  }
}

extension SampleTableSummary {
  /// Returns the boxes, in the order used by Apple's writers. Tables without information are omitted.
  ///
  /// - Parameters:
  ///   - form: their form.
  ///   - rowCounts: returns how many rows a table has.
  ///   - make: makes the box with its rows.
  func boxes<E: Error>(
    _ form: SampleTableForm, rowCounts: (SampleTableKind) -> Int, _ make: (SampleTableHead) throws(E) -> Box
  ) throws(E) -> [Box] {
    var boxes: [Box] = []
    for kind in kinds {
      boxes.append(try make(SampleTableHead(kind, self, form, rowCount: rowCounts(kind))))
      if kind == .compositionOffset, hasNegativeOffsets, form.hasCompositionSpan {
        boxes.append(Box("cslg", compositionSpan, in: .box("stbl")))
      }
    }
    return boxes
  }
}

extension SampleTableKind {
  fileprivate func boxType(_ summary: SampleTableSummary) -> FourCC {
    switch self {
    case .timeToSample: "stts"
    case .compositionOffset: "ctts"
    case .syncSample: "stss"
    case .partialSync: "stps"
    case .dependency: "sdtp"
    case .sampleToChunk: "stsc"
    case .sampleSize: "stsz"
    case .chunkOffset: summary.needsWidePlaces ? "co64" : "stco"
    }
  }

  /// How many bytes a row takes at most.
  var widestRow: Int {
    switch self {
    case .timeToSample, .compositionOffset, .chunkOffset: 8
    case .syncSample, .partialSync, .sampleSize: 4
    case .dependency: 1
    case .sampleToChunk: 12
    }
  }
}

extension [UInt8] {
  /// Appends a row of a sample table: of the three numbers, as many as it has.
  @inline(__always)
  mutating func appendRow(
    of kind: SampleTableKind, width: Int, _ first: UInt64, _ second: UInt32, _ third: UInt32
  ) {
    switch kind {
    case .dependency: append(UInt8(truncatingIfNeeded: first))
    case .chunkOffset: appendBigEndian(first, width: width)
    default:
      appendBigEndian(first, width: 4)
      if width >= 8 { appendBigEndian(UInt64(second), width: 4) }
      if width == 12 { appendBigEndian(UInt64(third), width: 4) }
    }
  }
}

extension Box {
  /// A table with its head and rows.
  ///
  /// - Parameters:
  ///   - bytes: the bytes that are in memory, at least the head.
  ///   - source: all bytes, and nothing else.
  init(_ head: SampleTableHead, _ bytes: ByteView, of source: any ByteSource) {
    let scope = BoxScope.box("stbl")
    let kind = BoxKind(
      head.type, BoxSurroundings(scope: scope), isQuickTime: false,
      BoxRegistry.iso.registration(for: head.type, in: scope, userType: nil),
      BoxOrigin(source: source, registry: .iso))
    self.init(
      offset: 0, size: Int(head.size), bytes: bytes, sizeForm: head.headerSize == 16 ? .large : .compact,
      headerSize: head.headerSize, kind: kind)
  }
}
