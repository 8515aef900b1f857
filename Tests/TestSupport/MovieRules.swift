// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Rules that every movie file has to follow, checked on the bytes alone. They do not use the libraries, so
/// that they find what these read and write wrongly in the same way.
///
/// ISO/IEC 14496-12: sizes add up (4.2), the major brand is in the list (4.3), boxes occur as often as required
/// (table 1), tables agree with each other (8.6, 8.7), every chunk and run is inside media data (8.7.5, 8.8.8).
/// Apple's boxes: what `vexu` must contain.
package struct MovieRules {
  /// The violations, a line each, without offsets, so that those before an edit can be compared with those after it.
  package private(set) var breaches: [String] = []

  private struct Box {
    var type: String
    var start: Int
    var body: Int
    var end: Int
  }

  private let bytes: [UInt8]
  private var top: [Box] = []

  /// Checks a file.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    top = boxes(0..<bytes.count, in: "file")
    checkFile()
  }

  /// Returns the violations in one file that another does not have.
  package static func newBreaches(_ bytes: [UInt8], since old: [UInt8]) -> [String] {
    new(MovieRules(bytes).breaches, since: MovieRules(old).breaches)
  }

  /// Returns the violations that are not listed in `old`.
  package static func new(_ breaches: [String], since old: [String]) -> [String] {
    var known = old
    return breaches.filter { breach in
      guard let index = known.firstIndex(of: breach) else { return true }
      known.remove(at: index)
      return false
    }
  }

  // MARK: Reading

  private mutating func note(_ what: String) { if breaches.count < 200 { breaches.append(what) } }

  private func number(_ offset: Int, _ width: Int) -> Int {
    guard offset >= 0, offset + width <= bytes.count else { return 0 }
    var value: UInt64 = 0
    for index in offset..<(offset + width) { value = value << 8 | UInt64(bytes[index]) }
    // No file is that large, and sums of such numbers do not overflow.
    return Int(min(value, 1 << 44))
  }

  private func text(_ offset: Int) -> String {
    guard offset + 4 <= bytes.count else { return "" }
    return String(bytes[offset..<(offset + 4)].map { Character(Unicode.Scalar($0)) })
  }

  /// Returns the boxes in a range, which they must fill.
  private mutating func boxes(_ range: Range<Int>, in name: String) -> [Box] {
    var found: [Box] = []
    var position = range.lowerBound
    while position + 8 <= range.upperBound {
      var size = number(position, 4)
      var header = 8
      if size == 1, position + 16 <= range.upperBound { (size, header) = (number(position + 8, 8), 16) }
      if size == 0, name == "file" { size = range.upperBound - position }
      guard size >= header, size <= range.upperBound - position else { break }
      found.append(
        Box(type: text(position + 4), start: position, body: position + header, end: position + size))
      position += size
    }
    // QuickTime ends some lists of boxes with four zero bytes.
    let rest = range.upperBound - position
    let isTerminator = rest == 4 && number(position, 4) == 0 && name != "file"
    if rest > 0, !isTerminator { note("\(name): bytes that no box has") }
    return found
  }

  private mutating func children(_ box: Box, skipping fields: Int = 0) -> [Box] {
    boxes(min(box.body + fields, box.end)..<box.end, in: box.type)
  }

  /// Returns the boxes of a type, whose number must be in a range.
  @discardableResult
  private mutating func all(
    _ types: String..., from list: [Box], in name: String, _ allowed: ClosedRange<Int>
  ) -> [Box] {
    let found = list.filter { types.contains($0.type) }
    if !allowed.contains(found.count) {
      note("\(name): \(found.count) of \(types.joined(separator: "/"))")
    }
    return found
  }

  // MARK: The file

  private mutating func checkFile() {
    let fileTypes = all("ftyp", from: top, in: "file", 0...1)
    if let brands = fileTypes.first {
      let list = stride(from: brands.body + 8, to: brands.end - 3, by: 4).map { text($0) }
      if !list.contains(text(brands.body)) { note("ftyp: the major brand is not in the list") }
      if let first = top.first, first.type != "ftyp" { note("ftyp is not the first box") }
    }
    var extends: Set<Int> = []
    for moov in all("moov", from: top, in: "file", 0...1) { checkMovie(moov, &extends) }
    for moof in top where moof.type == "moof" { checkFragment(moof, extends) }
    if top.contains(where: { $0.type == "moof" }) {
      for (index, box) in top.enumerated() where box.type == "moov" {
        if top[..<index].contains(where: { $0.type == "moof" }) { note("moov after a fragment") }
      }
    }
    all("meta", from: top, in: "file", 0...1)
  }

  private mutating func checkMovie(_ moov: Box, _ extends: inout Set<Int>) {
    let list = children(moov)
    all("mvhd", from: list, in: "moov", 1...1)
    all("meta", from: list, in: "moov", 0...1)
    all("mvex", from: list, in: "moov", 0...1)
    var ids: Set<Int> = []
    for trak in list where trak.type == "trak" {
      let id = checkTrack(trak)
      if id == 0 || !ids.insert(id).inserted { note("trak: the ID \(id)") }
    }
    for header in list where header.type == "mvhd" {
      let next = number(header.end - 4, 4)
      if let last = ids.max(), next <= last, next != 0 { note("mvhd: the next track is \(next)") }
    }
    for mvex in list where mvex.type == "mvex" {
      for trex in children(mvex) where trex.type == "trex" {
        if !extends.insert(number(trex.body + 4, 4)).inserted { note("mvex: a second trex of a track") }
      }
      if !extends.isSuperset(of: ids) { note("mvex: no trex of a track") }
    }
  }

  private mutating func checkTrack(_ trak: Box) -> Int {
    let list = children(trak)
    for type in ["edts", "tref", "udta", "meta", "tapt"] { all(type, from: list, in: "trak", 0...1) }
    for edts in list where edts.type == "edts" { all("elst", from: children(edts), in: "edts", 0...1) }
    for mdia in all("mdia", from: list, in: "trak", 1...1) {
      let parts = children(mdia)
      all("mdhd", from: parts, in: "mdia", 1...1)
      all("hdlr", from: parts, in: "mdia", 1...1)
      for minf in all("minf", from: parts, in: "mdia", 1...1) { checkMedia(minf) }
    }
    guard let header = all("tkhd", from: list, in: "trak", 1...1).first else { return 0 }
    return number(header.body + (number(header.body, 1) == 1 ? 20 : 12), 4)
  }

  private mutating func checkMedia(_ minf: Box) {
    let list = children(minf)
    var isHere: [Bool] = []
    for dinf in all("dinf", from: list, in: "minf", 1...1) {
      for dref in all("dref", from: children(dinf), in: "dinf", 1...1) {
        let references = children(dref, skipping: 8)
        if references.count != number(dref.body + 4, 4) { note("dref: the number of entries") }
        isHere = references.map { number($0.body + 3, 1) & 1 == 1 }
      }
    }
    for stbl in all("stbl", from: list, in: "minf", 1...1) { checkTables(stbl, isHere) }
  }

  // MARK: Tables

  private mutating func checkTables(_ stbl: Box, _ isHere: [Bool]) {
    let list = children(stbl)
    for type in ["ctts", "stss", "stps", "cslg", "sdtp", "padb"] { all(type, from: list, in: "stbl", 0...1) }
    var externals: Set<Int> = []
    var entryCount = 0
    for stsd in all("stsd", from: list, in: "stbl", 1...1) {
      let entries = children(stsd, skipping: 8)
      entryCount = entries.count
      if entryCount != number(stsd.body + 4, 4) { note("stsd: the number of entries") }
      for (index, entry) in entries.enumerated() {
        let reference = number(entry.body + 6, 2)
        if !isHere.isEmpty, !isHere.indices.contains(reference - 1) { note("stsd: no such data reference") }
        if isHere.indices.contains(reference - 1), !isHere[reference - 1] { externals.insert(index + 1) }
        checkEntry(entry)
      }
    }
    let times = all("stts", from: list, in: "stbl", 1...1).first.map { runs($0, 8, of: "stts") } ?? []
    let sizes = all("stsz", "stz2", from: list, in: "stbl", 1...1).first.map { self.sizes($0) } ?? []
    let chunkRows = all("stsc", from: list, in: "stbl", 1...1).first.map { rows($0, 12, of: "stsc") } ?? []
    var offsets: [Int] = []
    for table in all("stco", "co64", from: list, in: "stbl", 1...1) {
      let width = table.type == "stco" ? 4 : 8
      offsets = rows(table, width, of: table.type).map { number($0, width) }
    }
    if times.reduce(0, +) != sizes.count { note("stts and stsz: the number of samples") }
    for table in list where table.type == "ctts" {
      if runs(table, 8, of: "ctts").reduce(0, +) != sizes.count {
        note("ctts and stsz: the number of samples")
      }
    }
    for table in list where table.type == "stss" {
      let numbers = rows(table, 4, of: "stss").map { number($0, 4) }
      if zip(numbers, numbers.dropFirst()).contains(where: { $0 >= $1 }) { note("stss: the order") }
      if numbers.contains(where: { $0 < 1 || $0 > sizes.count }) { note("stss: no such sample") }
    }
    checkChunks(chunkRows, offsets, sizes, entryCount, externals)
  }

  /// Returns where the rows of a table begin, which must fill it.
  private mutating func rows(_ table: Box, _ width: Int, of name: String) -> [Int] {
    let count = number(table.body + 4, 4)
    let room = max(0, table.end - table.body - 8)
    if count * width != room { note("\(name): \(count) rows in \(room) bytes") }
    return (0..<min(count, max(0, room) / width)).map { table.body + 8 + $0 * width }
  }

  private mutating func runs(_ table: Box, _ width: Int, of name: String) -> [Int] {
    rows(table, width, of: name).map { number($0, 4) }
  }

  private mutating func sizes(_ table: Box) -> [Int] {
    let count = number(table.body + 8, 4)
    let bytes = max(0, table.end - table.body - 12)
    if table.type == "stz2" {
      let bits = number(table.body + 7, 1)
      if (count * bits + 7) / 8 != bytes { note("stz2: the number of rows") }
      return (0..<min(count, bits == 0 ? 0 : bytes * 8 / bits)).map { index in
        guard bits == 4 else { return number(table.body + 12 + index * bits / 8, bits / 8) }
        return number(table.body + 12 + index / 2, 1) >> (index % 2 == 0 ? 4 : 0) & 15
      }
    }
    let same = number(table.body + 4, 4)
    let room = bytes / 4
    if same != 0 { return [Int](repeating: same, count: min(count, 1 << 20)) }
    if count != room { note("stsz: the number of rows") }
    return (0..<min(count, room)).map { number(table.body + 12 + $0 * 4, 4) }
  }

  private mutating func checkChunks(
    _ rows: [Int], _ offsets: [Int], _ sizes: [Int], _ entryCount: Int, _ externals: Set<Int>
  ) {
    let media = mediaRanges
    var sample = 0
    var row = 0
    for (chunk, offset) in offsets.enumerated() {
      while row + 1 < rows.count, number(rows[row + 1], 4) <= chunk + 1 { row += 1 }
      guard row < rows.count, number(rows[row], 4) <= chunk + 1 else {
        return note("stsc: a chunk without a row")
      }
      let (count, entry) = (number(rows[row] + 4, 4), number(rows[row] + 8, 4))
      if !(1...max(1, entryCount)).contains(entry) { note("stsc: no such sample entry") }
      var size = 0
      for index in min(sample, sizes.count)..<min(sample + count, sizes.count) { size += sizes[index] }
      sample += count
      guard size > 0, !externals.contains(entry) else { continue }
      if !media.contains(where: { $0.lowerBound <= offset && offset + size <= $0.upperBound }) {
        note("stco: a chunk is not in one mdat")
      }
    }
    if sample != sizes.count { note("stsc and stsz: the number of samples") }
  }

  private var mediaRanges: [Range<Int>] {
    top.filter { $0.type == "mdat" || $0.type == "imda" }.map { $0.body..<$0.end }
  }

  // MARK: Sample entries

  /// The number of bytes of the fields of visual sample entries.
  private static let visualFields = 78
  private static let visual: Set<String> = [
    "hvc1", "hev1", "avc1", "avc3", "av01", "mp4v", "vp09", "dvh1", "hvc2", "lhv1",
  ]

  private mutating func checkEntry(_ entry: Box) {
    guard Self.visual.contains(entry.type) else { return }
    let list = children(entry, skipping: Self.visualFields)
    for type in ["hvcC", "lhvC", "avcC", "av1C", "vexu", "hfov", "pasp", "clap"] {
      all(type, from: list, in: "sample entry", 0...1)
    }
    if ["hvc1", "hev1"].contains(entry.type) { all("hvcC", from: list, in: "sample entry", 1...1) }
    for field in list where field.type == "hfov" && field.end - field.body != 4 { note("hfov: its size") }
    for usage in list where usage.type == "vexu" {
      let parts = children(usage)
      for type in ["eyes", "proj", "pack"] { all(type, from: parts, in: "vexu", 0...1) }
      for eyes in parts where eyes.type == "eyes" {
        let inside = children(eyes)
        all("stri", from: inside, in: "eyes", 1...1)
        for type in ["hero", "cams", "cmfy"] { all(type, from: inside, in: "eyes", 0...1) }
        for (type, size) in [("stri", 5), ("hero", 5)] {
          for box in inside where box.type == type && box.end - box.body != size { note("\(type): its size") }
        }
        // Each may have unknown boxes in addition to that value, or instead of it.
        for (type, child) in [("cams", "blin"), ("cmfy", "dadj")] {
          for box in inside where box.type == type {
            for value in all(child, from: children(box), in: type, 0...1) where value.end - value.body != 8 {
              note("\(child): its size")
            }
          }
        }
      }
      for (type, child) in [("proj", "prji"), ("pack", "pkin")] {
        for box in parts where box.type == type {
          for value in all(child, from: children(box), in: type, 1...1) where value.end - value.body != 8 {
            note("\(child): its size")
          }
        }
      }
    }
  }

  // MARK: Fragments

  private mutating func checkFragment(_ moof: Box, _ extends: Set<Int>) {
    let list = children(moof)
    all("mfhd", from: list, in: "moof", 1...1)
    let media = mediaRanges
    for traf in list where traf.type == "traf" {
      let parts = children(traf)
      all("tfdt", from: parts, in: "traf", 0...1)
      guard let header = all("tfhd", from: parts, in: "traf", 1...1).first else { continue }
      let flags = number(header.body, 4) & 0xFF_FFFF
      if !extends.isEmpty, !extends.contains(number(header.body + 4, 4)) {
        note("tfhd: a track without trex")
      }
      var base = moof.start
      if flags & 1 != 0 { base = number(header.body + 8, 8) }
      for run in parts where run.type == "trun" {
        let fields = number(run.body, 4) & 0xFF_FFFF
        let width = (fields & 0xF00).nonzeroBitCount * 4
        let start = run.body + 8 + (fields & 1 != 0 ? 4 : 0) + (fields & 4 != 0 ? 4 : 0)
        if start + number(run.body + 4, 4) * width != run.end { note("trun: the number of rows") }
        // A run has an offset of its own only if its flags say so.
        guard fields & 1 != 0, number(run.body + 4, 4) > 0, fields & 0x200 != 0 else { continue }
        let place = base + Int(Int32(truncatingIfNeeded: number(run.body + 8, 4)))
        let inRow = fields & 0x100 != 0 ? 4 : 0
        var size = 0
        for index in 0..<min(number(run.body + 4, 4), max(0, run.end - start) / width) {
          size += number(start + index * width + inRow, 4)
        }
        if size > 0, !media.contains(where: { $0.lowerBound <= place && place + size <= $0.upperBound }) {
          note("trun: a run is not in one mdat")
        }
      }
    }
  }
}
