// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// Boxes of which nothing else in a comparison speaks.
struct StructureComparison {
  /// Boxes that say where and how samples lie, or fill gaps, or of which the others compare what they mean: layers, tags,
  /// parameter sets, times, metadata.
  private static let others: Set<FourCC> = [
    "mdat", "imda", "free", "skip", "wide", "btrt", "stts", "ctts", "cslg", "stsc", "stsz", "stz2", "stco",
    "co64",
    "stss", "stsh", "edts", "mvhd", "tkhd", "mdhd", "hdlr", "hvcC", "lhvC", "vexu", "hfov", "st3d", "sv3d",
    "colr",
    "mdcv", "clli", "meta", "udta", "tref", "moof", "mvex", "styp", "sidx", "ssix", "mfra", "prft", "trak",
    "ftyp",
    "pdin", "saiz", "saio", "senc",
  ]

  /// Containers without fields of their own, whose presence alone says nothing.
  private static let frames: Set<FourCC> = [
    "moov", "mdia", "minf", "stbl", "dinf", "gmhd", "gmin", "vmhd", "smhd", "nmhd", "dref",
  ]

  /// How many fields of one box are listed.
  private static let maximumFields = 4

  private let trackID: UInt32?
  private var found: FoundDifferences

  static func compare(
    _ first: MovieFile, _ second: MovieFile, _ pairs: [TrackPair], _ found: inout FoundDifferences
  ) {
    guard let left = first.tree, let right = second.tree else {
      if (first.tree == nil) != (second.tree == nil) {
        found.note("one is a movie and the other a raw stream: boxes are not compared")
      }
      return
    }
    found.add(.structure, "major brand", first.majorBrand, second.majorBrand)
    found.add(.structure, "movie fragments", first.fragmentText, second.fragmentText)
    var comparison = StructureComparison(trackID: nil, found: found)
    comparison.compare(left.boxes, right.boxes, "")
    found = comparison.found
    for pair in pairs {
      guard let before = pair.first, let after = pair.second, let old = before.box, let new = after.box else {
        continue
      }
      var comparison = StructureComparison(trackID: before.id, found: found)
      comparison.compare(old.children, new.children, "trak")
      found = comparison.found
    }
  }

  /// Compares boxes of one container: those of one kind in their order.
  private mutating func compare(_ left: [Box], _ right: [Box], _ path: String) {
    let isList = path.hasSuffix("stsd")
    let before = grouped(left, areEntries: isList), after = grouped(right, areEntries: isList)
    for name in before.names + after.names.filter({ before.boxes[$0] == nil }) {
      let old = before.boxes[name] ?? [], new = after.boxes[name] ?? []
      let place = path.isEmpty ? name : "\(path)/\(name)"
      for index in 0..<max(old.count, new.count) {
        compare(
          index < old.count ? old[index] : nil, index < new.count ? new[index] : nil,
          max(old.count, new.count) > 1 ? "\(place)[\(index)]" : place)
      }
    }
  }

  private mutating func compare(_ old: Box?, _ new: Box?, _ path: String) {
    guard let old, let new else {
      guard let only = old ?? new, !Self.frames.contains(only.type) else { return }
      func text(_ box: Box?) -> String? { box.map { "a box of \($0.size) bytes" } }
      found.add(.structure, path, text(old), text(new), trackID)
      return
    }
    if Self.frames.contains(old.type) || !(old.children.isEmpty && new.children.isEmpty) {
      return compare(old.children, new.children, path)
    }
    // A kind of box that is not known, or is large, is compared by its bytes as far as they are loaded.
    guard old.body != new.body || old.size != new.size else { return }
    let before = FieldTexts(old), after = FieldTexts(new)
    guard before.isWhole, after.isWhole else {
      func text(_ box: Box) -> String { "\(box.size) bytes (\(ContentHash(box.body)))" }
      found.add(.structure, path, text(old), text(new), trackID)
      return
    }
    let names = (before.names + after.names.filter { before.texts[$0] == nil })
      .filter { $0 != "version" && before.texts[$0] != after.texts[$0] }
    for name in names.prefix(Self.maximumFields) {
      found.add(.structure, "\(path).\(name)", before.texts[name], after.texts[name], trackID)
    }
    if names.count > Self.maximumFields {
      found.note("\(names.count - Self.maximumFields) more fields of \(path) differ")
    }
  }

  /// Boxes by their names, in the order of the file; sample entries by their kind alone, which the track speaks of.
  private func grouped(_ boxes: [Box], areEntries: Bool) -> (names: [String], boxes: [String: [Box]]) {
    var names: [String] = []
    var groups: [String: [Box]] = [:]
    for box in boxes where !Self.others.contains(box.type) {
      var name = "\(box.type)"
      if let userType = box.userType { name += " \(userType.hexadecimalText())" }
      // The coding is compared with the track: whether it is 'hvc1' or 'hev1' does not make it another entry.
      if areEntries { name = "entry" }
      // Groups of samples are told apart by what they group.
      if box.type == "sgpd" || box.type == "sbgp" || box.type == "csgp",
        let kind = box.body.bigEndian(at: 4, width: 4)
      {
        name += " \(FourCC(rawValue: UInt32(truncatingIfNeeded: kind)))"
      }
      if groups[name] == nil { names.append(name) }
      groups[name, default: []].append(box)
    }
    return (names, groups)
  }
}

extension MovieFile {
  fileprivate var majorBrand: String? { tree?["ftyp"]?.payload(FileTypeBox.self).map { "\($0.majorBrand)" } }
  fileprivate var fragmentText: String? { tree?["moov/mvex"] == nil ? nil : "there are some" }
}

/// The fields of a box as text, by their names.
private final class FieldTexts: FieldSink {
  private(set) var names: [String] = []
  private(set) var texts: [String: String] = [:]
  /// Whether all of the box is in fields.
  private(set) var isWhole = false
  private var scopes: [String] = []

  /// As many rows as a comparison can show anybody.
  let tableRows = 256

  init(_ box: Box) {
    let (unread, error) = box.describeFields(into: self)
    finish()
    isWhole = unread.isEmpty && error == nil && !texts.isEmpty && box.isLoaded
  }

  private func add(_ name: StaticString, _ text: String) {
    let path = (scopes + ["\(name)"]).joined(separator: ".")
    var unique = path, number = 1
    while texts[unique] != nil {
      number += 1
      unique = "\(path) (\(number))"
    }
    names.append(unique)
    texts[unique] = text
  }

  func unsigned(_ note: FieldNote, _ value: UInt64) { add(note.name, "\(value)") }
  func signed(_ note: FieldNote, _ value: Int64) { add(note.name, "\(value)") }
  func reserved(_ note: FieldNote, _ value: UInt64, expected: UInt64) { add(note.name, "\(value)") }
  func bytes(_ note: FieldNote, _ value: ByteView, _ format: BytesFormat) {
    add(note.name, value.hexadecimalText(limit: 32) + (value.count > 32 ? "… (\(ContentHash(value)))" : ""))
  }
  func text(_ note: FieldNote, _ value: TerminatedString) { add(note.name, value.text) }
  func bitString(_ note: FieldNote, _ value: BitString) {
    add(note.name, "\(value.bitCount) bits \(ByteView(value.bytes).hexadecimalText(limit: 32))")
  }
  func beginStructure(_ name: StaticString) { scopes.append("\(name)") }
  func beginArray(_ name: StaticString, count: Int) { scopes.append("\(name)") }
  func endScope(omitted: Int) { _ = scopes.popLast() }
}
