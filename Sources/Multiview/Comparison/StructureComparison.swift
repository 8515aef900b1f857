// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// Boxes, and fields of boxes, of which nothing else in a comparison speaks.
struct StructureComparison {
  /// Boxes that say where and how samples lie, or fill gaps, or whose meaning the others compare: layers, tags,
  /// parameter sets, times, groups, languages, references.
  private static let others: Set<FourCC> = [
    "mdat", "imda", "free", "skip", "wide", "btrt", "stts", "ctts", "cslg", "stsc", "stsz", "stz2", "stco",
    "co64", "stss", "stsh", "stps", "sdtp", "sgpd", "sbgp", "csgp", "subs", "edts", "mdhd", "elng", "hdlr",
    "stri",
    "hero", "blin", "dadj", "prji", "pkin", "must", "hfov", "tref", "moof", "mvex", "styp", "sidx", "ssix",
    "mfra", "prft", "trak", "ftyp", "pdin", "saiz", "saio", "senc", "dref",
  ]

  /// Boxes whose meaning has been compared already.
  private static let meanings: [FourCC: Set<String>] = [
    "colr": ["colour primaries", "transfer function", "colour matrix", "range of samples"],
    "mdcv": ["mastering display"], "clli": ["content light level"], "lnsc": ["lens collection"],
    "st3d": ["Google's stereo boxes"], "sv3d": ["Google's stereo boxes"],
  ]

  /// Containers without fields of their own, whose presence alone says nothing.
  private static let frames: Set<FourCC> = [
    "moov", "mdia", "minf", "stbl", "dinf", "gmhd", "udta", "meta", "vexu", "eyes", "cams", "cmfy", "proj",
    "pack",
  ]

  /// Fields that say how something is written, or whose meaning the others compare.
  private static let otherFields: [FourCC: Set<String>] = [
    "mvhd": ["creation_time", "modification_time", "timescale", "duration", "next_track_ID"],
    "tkhd": [
      "creation_time", "modification_time", "track_ID", "duration", "alternate_group", "width", "height",
      "matrix",
    ],
    "hvcC": [
      "configurationVersion", "general_profile_space", "general_tier_flag", "general_profile_idc",
      "general_profile_compatibility_flags", "general_constraint_indicator_flags", "general_level_idc",
      "lengthSizeMinusOne", "numOfArrays", "arrays",
    ],
    "lhvC": ["configurationVersion", "lengthSizeMinusOne", "numOfArrays", "arrays"],
    "colr": ["colour_type", "full_range_flag"],
  ]
  private static let entryFields: Set<String> = ["data_reference_index", "entry_count"]

  /// How many fields of one box are listed.
  private static let maximumFields = 6

  private let trackID: UInt32?
  private let sources: (first: any ByteSource, second: any ByteSource)
  private var found: FoundDifferences

  static func compare(
    _ first: MovieFile, _ second: MovieFile, _ pairs: [TrackPair], _ found: inout FoundDifferences
  ) throws(SourceError) {
    guard let left = first.tree, let right = second.tree else {
      if (first.tree == nil) != (second.tree == nil) {
        found.note("one is a movie and the other a raw stream: boxes are not compared")
      }
      return
    }
    if left["moov/mvex"] == nil, right["moov/mvex"] != nil {
      found.note("the samples of the second movie are in fragments")
    }
    if left["moov/mvex"] != nil, right["moov/mvex"] == nil {
      found.note("the samples of the first movie are in fragments")
    }
    found.add(.structure, "major brand", first.majorBrand, second.majorBrand)
    found.add(
      .structure, "bytes after the last box", try first.trailingText, try second.trailingText)
    let sources = (first.source, second.source)
    // Moved in and out: copies would take a product of tracks and differences.
    var comparison = StructureComparison(trackID: nil, sources: sources, found: found)
    found = FoundDifferences()
    try comparison.compare(left.boxes, right.boxes, "")
    found = comparison.found
    for pair in pairs {
      guard let before = pair.first, let after = pair.second, let old = before.box, let new = after.box else {
        continue
      }
      found.add(.structure, "handler name", before.handlerName, after.handlerName, before.id)
      found.add(.structure, "places of samples", before.placesText, after.placesText, before.id)
      var comparison = StructureComparison(trackID: before.id, sources: sources, found: found)
      found = FoundDifferences()
      try comparison.compare(old.children, new.children, "trak")
      found = comparison.found
    }
  }

  /// Compares boxes of one container: those of one kind in their order.
  private mutating func compare(_ left: [Box], _ right: [Box], _ path: String) throws(SourceError) {
    let before = grouped(left, in: path), after = grouped(right, in: path)
    for name in before.names + after.names.filter({ before.boxes[$0] == nil }) {
      let old = before.boxes[name] ?? [], new = after.boxes[name] ?? []
      let place = path.isEmpty ? name : "\(path)/\(name)"
      for index in 0..<max(old.count, new.count) {
        try compare(
          index < old.count ? old[index] : nil, index < new.count ? new[index] : nil,
          max(old.count, new.count) > 1 ? "\(place)[\(index)]" : place)
      }
    }
  }

  private mutating func compare(_ old: Box?, _ new: Box?, _ path: String) throws(SourceError) {
    guard let old, let new else {
      guard let only = old ?? new else { return }
      if Self.frames.contains(only.type) {
        return try compare(old?.children ?? [], new?.children ?? [], path)
      }
      // A media header says how to draw, and has a default.
      if ["vmhd", "smhd", "nmhd", "gmin"].contains(only.type) { return }
      // Parameter sets are reported with what became of them.
      if ["hvcC", "lhvC"].contains(only.type) { return }
      if let subjects = Self.meanings[only.type], found.has(.tags, subjects, trackID) { return }
      func text(_ box: Box?) -> String? { box.map { "a box of \($0.size) bytes" } }
      found.add(.structure, path, text(old), text(new), trackID)
      return
    }
    if !Self.frames.contains(old.type) { try compareFields(old, new, path) }
    if !(old.children.isEmpty && new.children.isEmpty) { try compare(old.children, new.children, path) }
  }

  private mutating func compareFields(_ old: Box, _ new: Box, _ path: String) throws(SourceError) {
    if let subjects = Self.meanings[old.type], found.has(.tags, subjects, trackID) { return }
    // A kind of box that is not known, or is large, is compared by its bytes.
    let isLeaf = old.children.isEmpty && new.children.isEmpty
    if isLeaf, try hasSameBytes(old, new) { return }
    let before = FieldTexts(old), after = FieldTexts(new)
    guard !isLeaf || before.isWhole && after.isWhole else {
      // Where sizes differ they say enough.
      let areAlike = old.size == new.size
      found.add(
        .structure, path, try bytesText(old, sources.first, areAlike),
        try bytesText(new, sources.second, areAlike), trackID)
      return
    }
    let skipped = Self.otherFields[old.type] ?? Self.entryFields
    let names = (before.names + after.names.filter { before.texts[$0] == nil }).filter { name in
      let first = name.prefix { $0 != "." && $0 != " " }
      return name != "version" && !skipped.contains(String(first)) && before.texts[name] != after.texts[name]
    }
    guard !names.isEmpty else { return }
    func text(_ fields: FieldTexts) -> String? {
      let known = names.prefix(Self.maximumFields).compactMap { name in
        fields.texts[name].map { "\(name) \($0)" }
      }
      let rest =
        names.count > Self.maximumFields ? " and \(names.count - Self.maximumFields) more fields" : ""
      return known.isEmpty ? nil : known.joined(separator: ", ") + rest
    }
    found.add(.structure, path, text(before) ?? "absent", text(after) ?? "absent", trackID)
  }

  // MARK: Bytes

  private static let pieceBytes = 1 << 20

  /// Calls `body` with the bytes of a box after its header, piece by piece, until that returns `false`.
  private static func forEachPiece(
    of box: Box, in source: any ByteSource, _ body: (ByteView) throws(SourceError) -> Bool
  ) throws(SourceError) {
    if box.isLoaded {
      _ = try body(box.body)
      return
    }
    var position = UInt64(clamping: box.offset + box.headerSize)
    let end = UInt64(clamping: box.fileRange.upperBound)
    while position < end {
      let piece = try source.read(position..<min(end, position + UInt64(pieceBytes)))
      guard !piece.isEmpty, try body(piece) else { return }
      position += UInt64(piece.count)
    }
  }

  private func hasSameBytes(_ old: Box, _ new: Box) throws(SourceError) -> Bool {
    guard old.size - old.headerSize == new.size - new.headerSize else { return false }
    if old.isLoaded, new.isLoaded { return old.body == new.body }
    return try hash(old, sources.first) == hash(new, sources.second)
  }

  private func hash(_ box: Box, _ source: any ByteSource) throws(SourceError) -> ContentHash {
    var hash = ContentHash()
    try Self.forEachPiece(of: box, in: source) { piece throws(SourceError) in
      hash.add(piece)
      return true
    }
    return hash
  }

  private func bytesText(
    _ box: Box, _ source: any ByteSource, _ withHash: Bool
  ) throws(SourceError) -> String {
    "\(box.size) bytes" + (withHash ? " (\(try hash(box, source)))" : "")
  }

  /// Boxes by their names, in the order of the file; sample entries by their kind alone, which the track speaks of.
  private func grouped(_ boxes: [Box], in path: String) -> (names: [String], boxes: [String: [Box]]) {
    var names: [String] = []
    var groups: [String: [Box]] = [:]
    for box in boxes where !Self.others.contains(box.type) {
      // Names and values are compared as metadata.
      if path.hasSuffix("udta"), box.isMetadata { continue }
      if path.hasSuffix("meta"),
        ["keys", "ilst"].contains(box.type) || ItemComparison.types.contains(box.type)
      {
        continue
      }
      var name = "\(box.type)"
      if let userType = box.userType { name += " \(userType.hexadecimalText())" }
      // An entry may have code points, in either of two forms, and a profile.
      if box.type == "colr", let kind = box.body.bigEndian(at: 0, width: 4) {
        let kind = FourCC(UInt32(truncatingIfNeeded: kind))
        if kind != "nclx", kind != "nclc" { name += " \(kind)" }
      }
      // The coding is compared with the track: whether it is 'hvc1' or 'hev1' does not make it another entry.
      if path.hasSuffix("stsd") { name = "entry" }
      if groups[name] == nil { names.append(name) }
      groups[name, default: []].append(box)
    }
    return (names, groups)
  }
}

extension Box {
  /// Whether its values are among the metadata of its container.
  fileprivate var isMetadata: Bool {
    switch decodeLoadedPayload()?.payload {
    case is UserDataTextBox, is UserDataNameBox, is LocalizedTextBox: true
    default: false
    }
  }
}

extension MovieFile {
  /// What belongs to no box; `nil` if every byte does.
  fileprivate var trailingText: String? {
    get throws(SourceError) {
      guard let range = tree?.trailingRange, !range.isEmpty else { return nil }
      let start = UInt64(clamping: range.lowerBound), end = UInt64(clamping: range.upperBound)
      return "\(range.count) bytes (\(try ContentHash(bytesIn: start..<max(start, end), of: source)))"
    }
  }

  fileprivate var majorBrand: String? { tree?["ftyp"]?.payload(FileTypeBox.self).map { "\($0.majorBrand)" } }
}

extension Track {
  /// The name that people may see, in whatever form it is written.
  fileprivate var handlerName: String? {
    guard let name = box?["mdia/hdlr"]?.payload(HandlerBox.self)?.name.text, !name.isEmpty else { return nil }
    return name
  }

  /// Where samples are, if they are not in the file itself: however that is expressed.
  fileprivate var placesText: String? {
    let others = (dataReferencesBox?.children ?? []).filter { box in
      // The lowest bit of the flags says that they are in the file.
      (box.body.bigEndian(at: 0, width: 4) ?? 1) & 1 == 0
    }
    guard !others.isEmpty else { return nil }
    return others.map { "\($0.type) \($0.body.suffix(from: 4).hexadecimalText(limit: 64))" }.joined(
      separator: ", ")
  }
}
