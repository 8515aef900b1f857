// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import MovieEditing
import Multiview

/// What a command line of `mvedit tag` asks to change, understood before any file is opened.
struct TagRequest {
  /// Changes of the tags of one sample entry, in the order in which they are made.
  private var edits: [StereoTag.Edit] = []
  private let swapsEyes: Bool
  private let rewritesMessage: Bool
  private var removesAll = false
  private var removedKeys: [MetadataKey] = []
  /// The tags to remove.
  private var removedTags: [StereoTag] = []
  /// The personal data to remove, by what the command line calls them.
  private var removedData: [PersonalDataName] = []
  private var keys: [(key: MetadataKey, text: String)] = []
  private var date: CreationDate?
  private let trackID: UInt32?
  private let entry: Int?
  private let allowsContradictions: Bool
  /// The movie to copy from.
  let donor: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    swapsEyes = arguments.has(TagOptions.swapEyes)
    rewritesMessage = arguments.has(TagOptions.rewriteMessage)
    guard swapsEyes || !rewritesMessage else { throw UsageError("--rewrite-message needs --swap-eyes") }
    donor = arguments.text(TagOptions.copyFrom)
    trackID = arguments.number(TagOptions.track).flatMap { UInt32(exactly: $0) }
    entry = arguments.number(TagOptions.entry)
    allowsContradictions = arguments.has(TagOptions.forceValues)
    for names in arguments.texts(TagOptions.remove) {
      for name in names.split(separator: ",", omittingEmptySubsequences: false) { try remove(String(name)) }
    }
    guard removedData.isEmpty || !arguments.has(WritingOptions.keepFree) else {
      throw UsageError("--keep-free keeps former boxes, which may contain personal data: leave it out")
    }
    // What sets each tag; tags that have several names in another tool are set by those together.
    var setters: [StereoTag: String] = [:]
    for (tag, option) in zip(StereoTag.all, TagOptions.tags) {
      guard let text = arguments.text(option) else { continue }
      setters[tag] = "--\(option.name)"
      edits.append(try Self.edit(text, "--\(option.name)", tag.edit))
    }
    var names: Set<String> = []
    for text in arguments.texts(TagOptions.set) {
      for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
        let (tag, name) = try set(String(pair))
        guard names.insert(name).inserted else { throw UsageError("--set gives '\(name)' twice") }
        if let other = setters[tag] { throw UsageError("--set \(name) and \(other) set the same tag") }
      }
    }
    for text in arguments.texts(TagOptions.key) { try setKey(text) }
    if let text = arguments.text(TagOptions.creationDate) {
      guard let date = CreationDate(text) else {
        throw UsageError("--creation-date needs a date such as 2024-05-01T12:30:00Z, not '\(text)'")
      }
      self.date = date
    }
  }

  /// Returns the edit that the text of a value asks for.
  ///
  /// - Parameters:
  ///   - text: the value.
  ///   - name: what the command line calls the tag.
  ///   - edit: makes the edit.
  private static func edit(
    _ text: String, _ name: String, _ edit: (String) throws(StereoTag.Problem) -> StereoTag.Edit
  ) throws(UsageError) -> StereoTag.Edit {
    do throws(StereoTag.Problem) { return try edit(text) } catch {
      throw UsageError(
        "\(name) \(error.reason)"
          + (error.words.isEmpty ? "" : didYouMean(text, among: error.words, orList: true)))
    }
  }

  private mutating func setKey(_ text: String) throws(UsageError) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
      throw UsageError("--key needs KEY=VALUE, not '\(text)'")
    }
    let key = MetadataKey(rawValue: String(text[..<equals]))
    let value = String(text[text.index(after: equals)...])
    guard !keys.contains(where: { $0.key == key }) else { throw UsageError("--key gives '\(key)' twice") }
    let force = "; --\(TagOptions.forceValues.name) writes it anyway"
    if key == .locationISO6709, GeographicLocation(iso6709: value) == nil, !allowsContradictions {
      throw UsageError(
        "--key \(key) needs a position by ISO 6709 such as +52.4597+013.3220/, not '\(value)'" + force)
    }
    if key == .creationDate, CreationDate(value) == nil, !allowsContradictions {
      throw UsageError("--key \(key) needs a date such as 2024-05-01T12:30:00Z, not '\(value)'" + force)
    }
    keys.append((key, value))
  }

  private mutating func remove(_ name: String) throws(UsageError) {
    if name == "all" {
      removesAll = true
    } else if let tag = StereoTag.all.first(where: { $0.name == name }) {
      edits.append(tag.remove)
      removedTags.append(tag)
    } else if let data = PersonalDataName(rawValue: name) {
      removedData.append(data)
    } else {
      guard !name.isEmpty else { throw UsageError("--remove needs a name") }
      // As with --key, any other name is one of a metadata key.
      removedKeys.append(MetadataKey(rawValue: name))
    }
  }

  /// Whether personal data are removed, which files of images have, too.
  var removesPersonalData: Bool { !removedData.isEmpty }
  /// Whether samples are changed: of a movie that is being made this is only known when they are written.
  var changesSamples: Bool { removedData.contains(where: \.includesSamples) }

  /// Sets a tag by a name and a value as the tool `spatial` has them, and returns the tag and the name.
  private mutating func set(_ text: String) throws(UsageError) -> (tag: StereoTag, name: String) {
    let equals = text.firstIndex(of: "=")
    guard let equals, text.hasPrefix("vexu:") else {
      throw UsageError("--set needs vexu:NAME=VALUE, not '\(text)'")
    }
    let name = String(text[..<equals].dropFirst(5))
    let value = String(text[text.index(after: equals)...])
    let known = StereoTag.all.flatMap { tag in tag.spatialNames.map { (tag: tag, name: $0) } }
    guard let found = known.first(where: { $0.name.name == name }) else {
      throw UsageError(
        "--set does not know 'vexu:\(name)'" + didYouMean(name, among: known.map(\.name.name), orList: true))
    }
    edits.append(
      try Self.edit(value, "--set vexu:\(name)") { text throws(StereoTag.Problem) in
        try found.name.edit(text, of: found.tag)
      })
    return (found.tag, "vexu:\(name)")
  }

  /// The forms of the dates in a movie that a new date of creation leaves as they are, each once.
  func otherDates(in movie: MovieFile) -> [String] {
    guard date != nil, !removedData.contains(where: { $0.kinds.contains(.date) }) else { return [] }
    var forms: [String] = []
    for datum in movie.personalData([.date])
    where datum.isCertain && !datum.isFormer && datum.sampleCount == nil
      && !["mvhd", "tkhd", "mdhd", MetadataKey.creationDate.rawValue].contains(datum.form)
      && !forms.contains(datum.form)
    {
      forms.append(datum.form)
    }
    return forms
  }

  /// Whether any change is requested.
  var asksForChanges: Bool { asksForMore || !removedData.isEmpty }

  /// Makes the changes. `donor` is the movie to copy from.
  ///
  /// - Returns: the removals that match nothing, each as a message.
  func apply(to editor: inout MovieEditor, copyingFrom donor: MovieFile?) throws(EditError) -> [String] {
    editor.allowsContradictions = allowsContradictions
    // A tag that is copied and removed was there to be removed.
    let tagged = try taggedEntries(editor)
    var unmatched = try unmatchedRemovals(editor)
    for data in removedData {
      try editor.removePersonalData(data.kinds, inSamples: data.includesSamples)
    }
    guard !editor.tracks.isEmpty || removedData.isEmpty || asksForMore else { return unmatched }
    if trackID == nil, entry == nil {
      if removesAll { editor.removeAllTags() }
      if let donor { try editor.copyTags(from: donor) }
    } else if removesAll || donor != nil {
      let (targets, index) = (try targets(in: editor), entry.map { $0 - 1 })
      if removesAll { editor.removeTags(of: targets, entry: index) }
      if let donor { try editor.copyTags(from: donor, to: targets, entry: index) }
    }
    let copied = donor == nil ? [] : try taggedEntries(editor)
    unmatched =
      removedTags.filter { !tagged.contains($0) && !copied.contains($0) }.map {
        "there is no '\($0.name)' tag to remove"
      } + unmatched
    if !edits.isEmpty || swapsEyes {
      for track in try targets(in: editor) {
        for index in entry.map({ [$0 - 1] }) ?? editor.entriesForTags(of: track)
        where editor.tracks[track].entries.indices.contains(index) {
          // The layers of both eyes are described with the base layer.
          let isAbove = editor.movie.tracks[track].mainDescription?.isEnhancementOnly == true
          if swapsEyes, trackID != nil || !isAbove {
            editor.tracks[track].entries[index].swapEyes(inMessage: rewritesMessage)
          }
          for edit in edits { edit(&editor.tracks[track].entries[index].stereo) }
        }
      }
    }
    for key in removedKeys { editor.metadata[key] = nil }
    if let date { editor.setCreationDate(date) }
    // A date that is given as a key counts for the key.
    for (key, text) in keys { editor.metadata[key] = editor.metadata.value(of: text, for: key) }
    return unmatched
  }

  /// Whether anything but personal data is to be changed.
  private var asksForMore: Bool {
    removesAll || donor != nil || swapsEyes || date != nil || !edits.isEmpty || !keys.isEmpty
      || !removedKeys.isEmpty
  }

  /// The tags to be removed that an entry has.
  private func taggedEntries(_ editor: MovieEditor) throws(EditError) -> [StereoTag] {
    guard !removedTags.isEmpty else { return [] }
    let entries = try targets(in: editor).flatMap { track in
      editor.tracks[track].entries.indices.filter { entry == nil || entry == $0 + 1 }
        .map { editor.tracks[track].entries[$0] }
    }
    return removedTags.filter { tag in entries.contains { tag.text($0.stereo) != nil } }
  }

  /// The other names to remove that match nothing. Removing all tags always succeeds, even if there are none.
  private func unmatchedRemovals(_ editor: MovieEditor) throws(EditError) -> [String] {
    var unmatched: [String] = []
    // In samples, everything goes that is asked for.
    let kinds = removedData.reduce(into: Set<PersonalDataKind>()) { $0.formUnion($1.kinds) }
    for data in removedData {
      let found = editor.movie.personalData(data.includesSamples ? kinds : data.kinds)
      let isMatched = found.contains { datum in
        datum.sampleCount == nil ? !data.includesSamples : changesSamples
      }
      if !isMatched { unmatched.append("\(data.absence) was found") }
    }
    let known = editor.metadata.keys.map(\.rawValue)
    for key in removedKeys where editor.metadata[key] == nil {
      var text = "neither moov/meta nor moov/udta/meta has the key '\(key)'"
      if PersonalDataKind(ofKey: key) == .location,
        let other = editor.movie.personalData([.location]).first(where: { $0.sampleCount == nil })
      {
        text +=
          "; the movie has a location in another form (\(other.form)): --remove location removes all forms"
      } else {
        let names =
          ["all"] + StereoTag.all.map(\.name) + PersonalDataName.allCases.map(\.rawValue) + known
        text += didYouMean(key.rawValue, among: names)
      }
      unmatched.append(text)
    }
    return unmatched
  }

  private func targets(in editor: MovieEditor) throws(EditError) -> [Int] {
    var indices = editor.stereoTracks()
    if let trackID {
      guard let index = editor.tracks.firstIndex(where: { $0.id == trackID }) else {
        let ids = editor.tracks.map { String($0.id) }
        throw EditError(
          .missingTrack, "there is no track \(trackID)", advice: "The tracks are \(listed(ids, "and")).")
      }
      guard !editor.tracks[index].entries.isEmpty else {
        throw EditError(
          .missingTrack, "track \(trackID) is not video", advice: "Stereo tags belong to video.")
      }
      indices = [index]
    }
    guard !indices.isEmpty else { throw editor.noVideo }
    if let entry {
      let most = indices.map { editor.tracks[$0].entries.count }.max() ?? 0
      indices = indices.filter { editor.tracks[$0].entries.count >= entry }
      guard !indices.isEmpty else {
        throw EditError(
          .outOfRange, "there is no sample entry \(entry)",
          advice: "There \(most == 1 ? "is 1" : "are \(most)"), counted from 1.")
      }
    }
    return indices
  }
}
