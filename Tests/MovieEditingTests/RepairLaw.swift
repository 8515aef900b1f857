// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview
import TestSupport
import Testing

@testable import MovieEditing

/// What a repair did, told from the boxes and the samples of both movies, without looking at its report; and whether
/// the report names exactly that.
struct RepairLaw {
  let before: MovieFile
  let after: MovieFile
  let report: RepairReport
  let name: String

  /// Tables that say where and how samples lie: samples are compared instead.
  private static let layout: Set<FourCC> = [
    "mdat", "free", "skip", "wide", "stco", "co64", "stsc", "stsz", "stz2", "moof", "mfra", "sidx",
  ]
  /// Containers, whose own bytes are those of their children.
  private static let containers: Set<FourCC> = [
    "moov", "trak", "mdia", "minf", "stbl", "dinf", "edts", "mvex", "udta", "tref",
  ]

  /// A box by its path and its bytes without those of its children; of a sample entry, with their order.
  private static func boxes(_ movie: MovieFile) throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    func collect(_ list: [Box], _ path: String) throws {
      var counts: [FourCC: Int] = [:]
      for box in list where !layout.contains(box.type) {
        let number = counts[box.type, default: 0]
        counts[box.type] = number + 1
        let place = (path.isEmpty ? "" : path + "/") + "\(box.type)" + (number > 0 ? "[\(number)]" : "")
        if containers.contains(box.type) {
          found[place] = []
          try collect(box.children, place)
        } else if box.type == "stsd" || box.isSampleEntry {
          let whole = movie.tree?.whole(box) ?? box
          let bytes = try whole.encoded()
          // The fields of an entry, without its size; its children follow.
          let children = try whole.children.reduce(0) { try $0 + $1.encoded().count }
          let order = box.type == "stsd" ? [] : whole.children.map(\.type).filter { !layout.contains($0) }
          var content = Array(bytes[8..<max(8, bytes.count - children)])
          for type in order { content += Array("\(type)".utf8) }
          found[place] = content
          try collect(box.children, place)
        } else {
          found[place] = try (movie.tree?.whole(box) ?? box).encoded()
        }
      }
    }
    try collect(movie.tree?.boxes ?? [], "")
    return found
  }

  /// The bytes and times of each sample of a track; `nil` if they cannot be read.
  private static func samples(_ track: Track, of movie: MovieFile) -> [[UInt64]]? {
    do {
      return try track.samples().map { sample in
        var hash = ContentHashForTests()
        if track.externalMedia.isEmpty { hash.add(try movie.source.read(sample.range)) }
        return [
          hash.value, UInt64(sample.size), UInt64(bitPattern: sample.decodeTime),
          UInt64(bitPattern: sample.compositionTime), sample.isSync ? 1 : 0,
        ]
      }
    } catch { return nil }
  }

  /// The places that the report names, with the numbers of tracks.
  private var named: [String] {
    report.steps.map(\.place)
      + report.changes.flatMap { change -> [String] in
        if let id = change.trackID, let track = before.tracks.first(where: { $0.id == id }) {
          let entry =
            track.formatDescriptions.indices.contains((change.entry ?? 1) - 1)
            ? track.formatDescriptions[(change.entry ?? 1) - 1].path : track.path
          let boxes =
            change.name == "layers" ? ["lhvC"] : change.name == "field-of-view" ? ["hfov"] : ["vexu"]
          return boxes.map { entry + "/" + $0 }
        }
        return [change.name == "creation-date" ? "moov/mvhd" : "moov/meta"]
      }
  }

  /// A path as boxes are called here: `trak[0]` and `trak` are the same.
  private static func plain(_ path: String) -> String {
    path.split(separator: "/").map { $0.hasSuffix("[0]") ? String($0.dropLast(3)) : String($0) }
      .joined(separator: "/")
  }

  private static func isBelow(_ path: String, _ other: String) -> Bool {
    (path + "/").hasPrefix(other + "/")
  }

  /// Whether a path is in or below a table or box, whatever its number there.
  private static func isWithin(_ path: String, _ place: String) -> Bool {
    isBelow(path, place) || path.hasPrefix(place + "[")
  }

  /// The steps that write the samples of a track anew, with all of its tables.
  private func isMade(_ step: RepairStep) -> Bool {
    if step.name == "composition times" {
      return before.container.isFragmented || !hasOneDuration(step.trackID)
    }
    return [
      "samples that hold", "units in samples", "samples with layers", "messages for single",
      "parameter sets in samples", "width of lengths", "picture duration",
    ].contains { step.name.hasPrefix($0) }
  }

  private func hasOneDuration(_ trackID: UInt32?) -> Bool {
    let track = before.tracks.first { $0.id == trackID }
    guard
      let rows = track?.box?["mdia/minf/stbl/stts"].flatMap({ before.tree?.whole($0) })?
        .payload(TimeToSampleBox.self)?.entries
    else { return false }
    return rows.count == 1 || rows.count == 2 && rows[1].sampleCount == 1
  }

  /// Whether the fragments of a movie are written anew.
  private var isFragmentedAnew: Bool {
    before.container.isFragmented
      && report.steps.contains { $0.place.hasPrefix("moof") || $0.rule?.id == "MV056" || isMade($0) }
  }

  private static func tables(_ track: String) -> [String] {
    ["stts", "ctts", "cslg", "stss", "sdtp", "sgpd", "sbgp"].map { track + "/mdia/minf/stbl/" + $0 }
  }

  /// What follows from a change that is named: where samples get other times, durations and edits do, and a list of
  /// edits that presents the same is not named.
  private func consequences(of step: RepairStep) -> [String] {
    let track = Self.plain(step.place).split(separator: "/").prefix(2).joined(separator: "/")
    var places: [String] = []
    let isAnew = isMade(step)
    if isAnew { places += Self.tables(track) + [track + "/mdia/mdhd"] }
    if ["edit list", "beginning of the video", "composition times"].contains(step.name) || isAnew {
      places += [track + "/edts", track + "/tkhd", "moov/mvhd"]
    }
    if step.name == "composition times" { places.append(track + "/mdia/minf/stbl/cslg") }
    if step.name == "track of timed metadata" { places.append("moov/mvhd") }
    if step.name == "track ID" { places.append("moov/mvhd") }
    // A box that is moved: the old value is where it was.
    if step.name.hasPrefix("place of '") {
      let type = step.name.split(separator: "'").last.map(String.init) ?? ""
      let old = Self.plain(step.old)
      places.append(old.hasSuffix("/" + type) ? old : old + "/" + type)
    }
    return places
  }

  /// Not covered: the brands, the defaults, the edits and the tables of a movie whose fragments are written anew. Its
  /// samples are compared.
  private var consequencesOfFragments: [String] {
    guard isFragmentedAnew else { return [] }
    return ["ftyp", "moov/mvex"]
      + after.tracks.map { Self.plain($0.path) }.flatMap { Self.tables($0) + [$0 + "/edts"] }
  }

  /// Whether a header has another date because that of the movie is restored.
  private func isDated(_ path: String) -> Bool {
    (path.hasSuffix("/mdhd") || path.hasSuffix("/tkhd")) && report.steps.contains { $0.name == "date" }
  }

  func verify() throws {
    let old = try Self.boxes(before), new = try Self.boxes(after)
    let changed = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
    let named = Set(named.map(Self.plain))
    let following = report.steps.flatMap(consequences) + consequencesOfFragments
    // A brand is of the file, not of a box that a movie without brands has.
    for path in changed.sorted() where path != "ftyp" || !named.contains("ftyp") {
      let isNamed =
        named.contains { Self.isBelow(path, $0) || Self.isBelow($0, path) }
        || following.contains { Self.isWithin(path, $0) } || isDated(path)
        // An entry of another type is another box.
        || report.steps.contains { $0.name == "type of the sample entry" && Self.isSameEntry(path, $0) }
      #expect(isNamed, "\(name): \(path) is changed and not named by \(named.sorted())")
    }
    for step in report.steps {
      let place = Self.plain(step.place)
      let types = place.split(separator: "/").map { String($0.prefix { $0 != "[" }) }
      guard !types.contains(where: { FourCC($0).map(Self.layout.contains) == true }) else { continue }
      let isChanged =
        changed.contains { Self.isBelow($0, place) || Self.isBelow(place, $0) }
        || sampleChanges.contains { Self.isBelow(place, $0) }
      #expect(isChanged, "\(name): \(step.name) at \(place) is named and not changed")
    }
    verifySamples()
    verifyRules()
  }

  private static func isSameEntry(_ path: String, _ step: RepairStep) -> Bool {
    let entries = plain(step.place).split(separator: "/").dropLast().joined(separator: "/")
    return isBelow(path, entries)
  }

  /// The paths of tracks whose samples differ.
  private var sampleChanges: [String] {
    zip(before.tracks, after.tracks).filter { old, new in
      Self.samples(old, of: before) != Self.samples(new, of: after)
    }.map { Self.plain($0.0.path) }
  }

  private func verifySamples() {
    #expect(before.tracks.count <= after.tracks.count, "\(name)")
    for path in sampleChanges {
      #expect(
        report.steps.contains { Self.isBelow(Self.plain($0.place), path) },
        "\(name): the samples of \(path) are changed, and nothing is said of them")
    }
  }

  /// Rules that are not broken any more are of tracks that were changed, and no rule is broken that was not.
  private func verifyRules() {
    struct Breach: Hashable {
      var rule: RuleID
      var track: Int?
    }
    func breaches(_ movie: MovieFile) -> [Breach: Finding] {
      Dictionary(
        movie.check().findings.map { finding in
          (
            Breach(rule: finding.rule.id, track: movie.tracks.firstIndex { $0.id == finding.trackID }),
            finding
          )
        }, uniquingKeysWith: { first, _ in first })
    }
    let old = breaches(before), new = breaches(after)
    if report.steps.isEmpty, report.changes.isEmpty {
      #expect(Set(old.keys) == Set(new.keys), "\(name)")
    }
    // What is wrong still is named.
    for (breach, finding) in new where finding.severity == .error {
      #expect(
        report.left.contains { $0.rule.id == breach.rule }, "\(name): \(breach.rule) is left, and not named")
    }
    // Not covered: what is wrong with a movie is told before its fragments are written anew, which cures some of it.
    for left in report.left where !isFragmentedAnew {
      #expect(
        new.keys.contains { $0.rule == left.rule.id }, "\(name): \(left.rule.id) is named, and not there")
    }
    for step in report.steps {
      guard let rule = step.rule?.id else { continue }
      let track = before.tracks.firstIndex { $0.id == step.trackID }
      let rules = Set(old.keys.map(\.rule))
      let isOfStream = (["MV006", "MV052", "MV054"] as [RuleID]).contains(rule)
      // Records that lack sets, and samples that are torn, hide what else is wrong.
      let isHidden = !rules.isDisjoint(with: ["MV013", "MV014", "MV015", "MV094", "MV101"])
      // Without a movie header, nobody knows how long tracks are.
      let isOfHeader = rule == "MV124" && rules.contains("MV083")
      #expect(
        rules.contains(rule) || isOfStream || isHidden || isOfHeader,
        "\(name): \(rule) is named, and was not broken")
      let isLeft = new.keys.contains { $0.rule == rule && $0.track == track }
      #expect(!isLeft || report.left.contains { $0.rule.id == rule }, "\(name): \(rule) is left")
    }
  }
}

/// FNV-1a, which has nothing to do with the hash of the library.
private struct ContentHashForTests {
  var value: UInt64 = 0xcbf2_9ce4_8422_2325
  mutating func add(_ bytes: ByteView) {
    for byte in bytes.array { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}

extension Box {
  fileprivate var isSampleEntry: Bool { !children.isEmpty && payload(VisualSampleEntry.self) != nil }
}
