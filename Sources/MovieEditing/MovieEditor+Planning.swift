// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

extension MovieEditor {
  /// Plans the edited movie in the layout of the original: ranges of it, and bytes in memory between them.
  func plan(_ options: MovieWriteOptions) throws(EditError) -> CheckedPlan {
    guard movie.source.size != nil else {
      throw .refused("the size of the movie is not known", advice: "Give it as a file.")
    }
    let tree = try editedTree()
    let plan: WritePlan
    do {
      plan = try tree.writePlan(WriteOptions(moviePlace: options.putsMovieFirst ? .first : .unchanged))
    } catch {
      let canStay = !movie.container.isFragmented && movie.source is FileBytes
      throw .refused(error, advice: canStay ? "A change in place\(.changeInPlace) moves nothing." : "")
    }
    // Without changes, it is the movie that is already open.
    let planned = CheckedPlan(plan: plan, movie: try hasBytesOfMovie(plan) ? movie : opened(plan))
    guard !options.keepsFreeSpace else { return planned }
    let free = FreeSpace(planned.movie).ranges
    guard !free.isEmpty else { return planned }
    // What free space has from earlier times: zeros take its place, so that nothing moves.
    let blank: WritePlan
    do { blank = try plan.blanking(free) } catch { throw .refused(error) }
    return CheckedPlan(plan: blank, movie: try opened(blank))
  }

  /// Returns the boxes as they will be.
  func editedTree() throws(EditError) -> BoxTree {
    guard var tree = movie.tree else { throw .lacksMovie }
    guard let index = tree.boxes.firstIndex(where: { $0.type == "moov" }) else {
      guard movie.items != nil, !removal.kinds.isEmpty, metadata.edits.isEmpty, metadata.copied.isEmpty,
        creationTime == nil
      else {
        throw .lacksMovie
      }
      removePersonalData(from: &tree)
      return tree
    }
    try metadata.checkPlace(in: tree.boxes[index])
    var hasRoom = true
    do throws(ParseError) {
      for entry in tracks.flatMap(\.entries) where entry.isChanged {
        guard let path = BoxPath(entry.path) else {
          throw ParseError(.missing("the sample entry"), offset: tree.boxes[index].offset, path: entry.path)
        }
        try tree.edit(path) { (box) throws(ParseError) in try entry.write(to: &box) }
      }
      removePersonalData(from: &tree)
      guard let place = tree.boxes.firstIndex(where: { $0.type == "moov" }) else { return tree }
      var moov = tree.boxes[place]
      try metadata.write(to: &moov)
      if let creationTime { hasRoom = try moov.setCreationTime(creationTime, keepingOthers: keepsOtherDates) }
      if moov.isEdited { tree.boxes[place] = moov }
    } catch { throw EditError(.unreadable, because: error) }
    guard hasRoom else {
      throw EditError(
        .exceedsLimit, "the headers of the movie have 32 bits for dates, which end in February 2040")
    }
    return tree
  }

  /// Refuses changes that the movie does not allow.
  ///
  /// - Parameter planned: the movie as it would be.
  func checkRequest(_ planned: MovieFile) throws(EditError) {
    for track in tracks {
      for (index, entry) in track.entries.enumerated() where entry.isChanged {
        guard let damage = entry.damage else { continue }
        throw EditError(
          .damaged, because: damage,
          of: "sample entry \(index + 1) of track \(track.id) is damaged, and cannot be changed",
          advice: "See how far it can be read\(.showBox(path: entry.path)).")
      }
      for entry in track.entries where entry.isChanged && !entry.replacesAllTags {
        guard let obstacle = entry.obstacle else { continue }
        throw EditError(
          .damaged, "tags of track \(track.id) cannot be found: \(obstacle.message)",
          advice: "Repair the movie first, or remove all tags\(.removeTag("all")).")
      }
      for (index, entry) in track.entries.enumerated()
      where entry.isChanged && entry.isProtected && !allowsContradictions {
        throw EditError(
          .encrypted,
          "sample entry \(index + 1) of track \(track.id) is encrypted: it is not known what its layers show",
          advice: "Tag the movie before it is encrypted, or write the values anyway\(.forceValues).")
      }
    }
    // If no entry changes, there can be no new contradiction.
    guard !allowsContradictions, tracks.contains(where: { $0.entries.contains(where: \.isChanged) }) else {
      return
    }
    var rules = Set(Rule.all.filter { $0.traits.contains(.contradictsTags) })
    // A layer whose configuration is restored must be in the samples.
    if tracks.contains(where: { $0.entries.contains { $0.restoredLayers != nil } }) {
      rules.formUnion([.layerNotInSamples, .layerInSomeSamples])
    }
    let before = breaches(of: rules)
    try checkSwappedEyes(planned)
    // Messages about eyes are in the first samples.
    let found = planned.findings(of: rules, maximumSamples: 2).first { !before.contains(Breach($0)) }
    guard let found else { return }
    let place = found.trackID.map { "track \($0): " } ?? ""
    let words = ContradictionWords(found)
    throw EditError(
      .contradiction, place + words.reason,
      advice: (words.advice.isEmpty ? "" : words.advice + " ")
        + "Write it anyway\(.forceValues), or read why it matters\(.explain(rule: found.rule.id.rawValue))."
    )
  }

  /// Returns the violations of the original movie. The tables that are read for this are not kept.
  private func breaches(of rules: Set<Rule>) -> Set<Breach> {
    defer { movie.releaseSamples() }
    return Set(movie.findings(of: rules, maximumSamples: 2).map(Breach.init))
  }

  /// A finding without its words, which include the value.
  private struct Breach: Hashable {
    let rule: Rule
    let trackID: UInt32?
    init(_ finding: Finding) { (rule, trackID) = (finding.rule, finding.trackID) }
  }
}

extension EditedEntry {
  /// Writes the tags to the sample entry.
  func write(to entry: inout Box) throws(ParseError) {
    if replacesAllTags {
      entry.children.removeAll { $0.type == "vexu" || $0.type == "hfov" }
      if let replacement { entry.children.append(contentsOf: replacement.boxes) }
    }
    if let restoredLayers {
      let place = entry.children.firstIndex { $0.type == "hvcC" } ?? entry.children.endIndex - 1
      entry.children.insert(restoredLayers, at: place + 1)
    }
    if swapsMessage { try entry.swapEyesInMessages() }
    let wanted = stereo.completed
    if wanted != base { wanted.write(to: &entry, replacing: base) }
  }
}

extension Box {
  /// Sets the dates in the headers of the movie, of its tracks and of their media.
  ///
  /// - Parameter keepingOthers: whether headers that have a date keep it.
  /// - Returns: whether all headers have room for it.
  fileprivate mutating func setCreationTime(
    _ time: UInt64, keepingOthers: Bool
  ) throws(ParseError) -> Bool {
    var hasRoom = true
    func date(_ box: inout Box) throws(ParseError) {
      guard let decoding = box.decodePayload() else { return }
      if let error = decoding.error { throw error }
      guard var header = decoding.payload as? any TimedHeader else { return }
      if !keepingOthers || header.creationTime == 0 { header.creationTime = time }
      if header.version == 0, header.creationTime > UInt64(UInt32.max) { return hasRoom = false }
      box.replacePayload(header)
    }
    try editFirst("mvhd", change: date)
    try editAll("trak") { (trak) throws(ParseError) in
      try trak.editFirst("tkhd", change: date)
      try trak.editAll("mdia") { (mdia) throws(ParseError) in try mdia.editFirst("mdhd", change: date) }
    }
    return hasRoom
  }
}

/// The reason why a value of a tag is refused, in words for somebody who gave a value, not for one who reads boxes.
struct ContradictionWords {
  /// What is wrong, without the location.
  let reason: String
  /// What to give instead; empty if there is no advice.
  let advice: Advice

  /// Makes the words for a finding: its own message, followed by the identifier of its rule, if there are none for
  /// the rule.
  init(_ finding: Finding) {
    guard let words = Self.words[finding.rule] else {
      reason = finding.message + " (\(finding.rule.id))"
      advice = ""
      return
    }
    reason = words.reason + " (\(finding.rule.id): \(finding.message))"
    advice = words.advice
  }

  private static let words: [Rule: (reason: String, advice: Advice)] = [
    .layerNotInSamples: ("the second layer that the other movie configures is not in the samples", ""),
    .layerInSomeSamples: ("some samples lack the second layer that the other movie configures", ""),
    .fieldOfViewZero: (
      "no picture has a field of view of 0",
      "Give the degrees of the lens, or remove the tag\(.remove(.fieldOfView))."
    ),
    .baselineZero: (
      "two lenses cannot be 0 mm apart",
      "Give the baseline in millimetres, or remove the tag\(.remove(.baseline))."
    ),
    .fieldOfViewRange: (
      "the field of view is out of range",
      "It is in degrees: from 1 to less than 180 for flat pictures, and up to 360 for others."
    ),
    .disparityRange: (
      "the disparity is out of range", "It is a fraction of the width, from -1 to 1: 0.02 is 2 %."
    ),
    .oneEyeForTwoLayers: (
      "the track has a layer for each eye, but the tags would not name both eyes",
      "Name both eyes\(.set(.eyes, "left,right"))."
    ),
    .auxiliaryLayerAsEye: ("the second layer is not a picture for an eye", ""),
    .packedWithoutPacking: (
      "the tags would signal two eyes, but according to the movie each picture holds one view",
      "Name the packing\(.set(.packing, "side")), or one eye\(.set(.eyes, "left"))."
    ),
    .packedLayers: (
      "the track has a layer for each eye, but the packing would signal that each picture holds both",
      "Leave the packing\(.set(.packing)) out."
    ),
    .packedEyes: (
      "the packing would signal that each picture holds two views, but the tags do not name both eyes",
      "Name both eyes\(.set(.eyes, "left,right"))."
    ),
    .baselineRange: ("no camera has such a baseline", "It is in millimetres."),
    .additionalViews: (
      "the tags would signal more than two views, but there are two",
      "Leave the views for more\(.set(.additionalViews)) out."
    ),
  ]
}
