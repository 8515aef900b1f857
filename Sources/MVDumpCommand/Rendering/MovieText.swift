// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import Multiview

/// A movie at a glance, for people.
struct MovieText {
  let movie: MovieFile
  let input: Input
  let invocation: Invocation
  private var style: Style { invocation.style }
  private var out: OutputBuffer { invocation.out }

  init(_ movie: MovieFile, _ input: Input, _ invocation: Invocation) {
    self.movie = movie
    self.input = input
    self.invocation = invocation
  }

  func write() {
    writeContainer()
    for track in movie.tracks where track.mediaType.isVisual { writeVideo(track) }
    let others = movie.tracks.filter { !$0.mediaType.isVisual }
    if !others.isEmpty {
      out.append("\n")
      for track in others { writeOther(track) }
    }
    if let items = movie.items {
      ItemsText(items: items, photos: movie.stereoPhotos, invocation: invocation).write()
    }
    writeDiagnostics()
  }

  // MARK: The file

  private func writeContainer() {
    var parts = [containerName]
    if let duration = movie.duration { parts.append(Quantity.duration(duration)) }
    if let size = input.size {
      parts.append(Quantity.bytes(size))
      if let seconds = movie.duration?.seconds, seconds > 0 {
        parts.append(Quantity.bitRate(Double(size) * 8 / seconds))
      }
    }
    if movie.container.isFragmented, !isMediaSegment { parts.append("fragmented") }
    out.append(style.strong(ValueText.printable(input.name)) + "  " + parts.joined(separator: ", ") + "\n")
    if let origin { out.append("  " + style.faint(ValueText.printable(origin)) + "\n") }
    if let remark { out.append("  " + remark + "\n") }
    writeLocations()
  }

  /// Where it was made, in every form in which the file says so.
  private func writeLocations() {
    // Those of the movie come first, then those of tracks, those of files, and those that were replaced.
    let all = movie.personalData([.location])
    func rank(_ place: PersonalDatum) -> Int {
      place.isFormer ? 3 : place.trackID != nil ? 1 : place.place.path.hasPrefix("moov/") ? 0 : 2
    }
    let places = (0...3).flatMap { wanted in all.filter { rank($0) == wanted } }
    for place in places.prefix(8) {
      let track = place.trackID.map { "track \($0), " } ?? ""
      let what: String
      if let count = place.sampleCount {
        what =
          Quantity.count(count, "sample") + (place.isCertain ? " with positions" : " that may have positions")
      } else if !place.isCertain {
        what = "may be present"
      } else {
        what = place.location.map { "\($0)" } ?? place.value.map { $0.shortened } ?? "present"
      }
      out.append(
        "  " + style.faint("location") + "  " + ValueText.printable(what)
          + style.faint(" (" + track + ValueText.printable(place.form.shortened) + ")") + "\n")
    }
    if places.count > 8 { out.append("  \(places.count - 8) more: mvdump info --json lists all\n") }
  }

  private var containerName: String {
    switch movie.container.kind {
    case .annexB: return "raw HEVC stream"
    case .isobmff:
      if isMediaSegment { return "media segment" + brand }
      guard movie.container.majorBrand != nil else { return "QuickTime without a brand" }
      let name =
        movie.container.isQuickTime
        ? "QuickTime" : movie.container.hasItems || isMinimizedImage ? "HEIF" : "MP4"
      return name + brand
    }
  }

  private var brand: String { movie.container.majorBrand.map { " (\($0.description.trimmed))" } ?? "" }

  private var isMediaSegment: Bool {
    movie.tree?.first("moov") == nil && movie.tree?.first("moof") != nil
  }

  /// Whether all of an image is in one box.
  private var isMinimizedImage: Bool { movie.items == nil && movie.tree?.first("mini") != nil }

  /// What is not there, and where it is to be had.
  private var remark: String? {
    if isMediaSegment {
      return "its tracks are described by an init segment: cat init.mp4 segment.m4s | mvdump -"
    }
    if movie.tree?.first("moov")?.first("mvex") != nil, movie.tree?.first("moof") == nil,
      !movie.tracks.contains(where: { $0.sampleCount > 0 })
    {
      return "an init segment: the samples are in media segments"
    }
    if movie.items != nil, let motion = movie.tree?.first("mpvd") {
      return "a motion photo: it contains a movie of \(Quantity.bytes(UInt64(clamping: motion.size))) (mpvd)"
    }
    if isMinimizedImage { return "one minimized image (mini), which is not read" }
    let isPlain = movie.tree?["moov/cmov"] == nil
    return movie.tracks.isEmpty && movie.items == nil && isPlain ? "no tracks" : nil
  }

  /// Who made it, with what, and when: as cameras and programs say it.
  private var origin: String? {
    let metadata = movie.metadata
    func text(_ keys: MetadataKey...) -> String? {
      keys.lazy.compactMap { metadata[$0]?.stringValue }.first { !$0.isEmpty }
    }
    var parts: [String] = []
    if let title = text("com.apple.quicktime.title", "title", "©nam", "titl") { parts.append("“\(title)”") }
    let maker = [text(.make, "©mak"), text(.model, "©mod")].compactMap { $0 }
    if !maker.isEmpty { parts.append(maker.joined(separator: " ")) }
    if let software = text(.software, "©swr", "©too", "encoder") {
      parts.append(maker.isEmpty ? "made by \(software)" : "software \(software)")
    }
    if let date = text(.creationDate, "©day") {
      parts.append(date)
    } else if let created = movie.tree?.movieHeader?.creationTime, created > 0 {
      parts.append(ValueText.macTime(created))
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  // MARK: Video

  private func writeVideo(_ track: Track) {
    out.append("\n")
    writeLine(track.mediaType.words, track, facts(track))
    let sentence = ClassSentence.of(track)
    out.append("  ")
    out.append(track.classification == .spatial ? style.good(sentence) : sentence)
    out.append("\n")
    writeLayers(track, to: out)
    writeTags(track, to: out)
    writeOtherDescriptions(track)
    writeMetadata(track)
    if let absence = track.absence { out.append("  " + style.warning(absence.reason) + "\n") }
    if let remark = ClassSentence.remark(track, in: movie) { out.append("  " + style.warning(remark) + "\n") }
  }

  /// What is different in samples of other descriptions.
  private func writeOtherDescriptions(_ track: Track) {
    let first = description(of: track)
    for other in TrackVariant.others(of: track) {
      let text = description(of: other.track)
      guard text.facts != first.facts || text.body != first.body else { continue }
      let facts = [style.name(other.words)] + text.facts
      out.append("  " + facts.joined(separator: "  ") + "\n" + text.body)
    }
  }

  /// What a description says of its samples.
  private func description(of track: Track) -> (facts: [String], body: String) {
    let buffer = OutputBuffer()
    let facts = [
      track.codecWords, track.displaySize.map { Quantity.size($0.width, $0.height) }, track.dynamicRangeWords,
    ]
    buffer.append("  " + ClassSentence.of(track) + "\n")
    writeLayers(track, to: buffer)
    writeTags(track, to: buffer)
    return (facts.compactMap { $0 }, buffer.text)
  }

  private func writeLine(_ kind: String, _ track: Track, _ facts: [String]) {
    out.append(style.name("\(kind) track \(track.id)"))
    for (index, fact) in facts.enumerated() {
      out.append(index == 0 ? "  " : ", ")
      out.append(fact)
    }
    out.append("\n")
  }

  private func facts(_ track: Track) -> [String] {
    var facts: [String] = []
    facts.reserveCapacity(8)
    if let codec = track.codecWords { facts.append(codec) }
    if !track.isRawStream, let size = track.displaySize {
      facts.append(Quantity.size(size.width, size.height))
    }
    if let shown = track.otherShownSize {
      facts.append("shown at " + Quantity.size(shown.width, shown.height))
    }
    if let orientation = track.orientationWords { facts.append(orientation) }
    if let range = track.dynamicRangeWords { facts.append(range) }
    let count = track.sampleCount
    if let rate = track.nominalFrameRate { facts.append(Quantity.decimal(rate, 2) + " pictures/s") }
    if !track.isRawStream { facts.append(Quantity.count(count, "sample")) }
    if let sync = track.syncSampleCount, sync != count { facts.append("\(sync) sync") }
    if let duration = track.duration, movie.tracks.count > 1 { facts.append(Quantity.duration(duration)) }
    if !track.isEnabled { facts.append("disabled") }
    return facts + track.referenceWords
  }

  private func writeLayers(_ track: Track, to out: OutputBuffer) {
    let layers = track.layers
    guard !layers.isEmpty else { return }
    var table = Columns(
      ["layer", "shows", "size", "format", "profile", "level", "view", "needs", ""], right: [0])
    for layer in layers {
      let tier = layer.profileTierLevel
      table.add([
        "\(layer.layerID)", track.shows(layer.layerID),
        layer.croppedSize.map { Quantity.size($0.width, $0.height) } ?? "?",
        [layer.chromaFormat, layer.bitDepthLuma.map { "\($0) bit" }].compactMap { $0 }.joined(separator: " "),
        tier?.generalProfileIdc.map { $0.name ?? "profile \($0.rawValue)" } ?? "",
        tier?.generalLevelIdc.name ?? "", layer.viewID.map(String.init) ?? "",
        layer.directReferences.map { "layer \($0)" }.joined(separator: ", "), remark(layer),
      ])
    }
    out.append(table.text(indentation: 2, style))
  }

  private func remark(_ layer: VideoLayer) -> String {
    if layer.isInSamples == false { return "not in the first sample" }
    if !layer.hasParameterSets { return "no parameter sets" }
    return ""
  }

  /// The stereo tags of a track: with units, and the number in the file beside them.
  private func writeTags(_ track: Track, to out: OutputBuffer) {
    let layout = track.stereo
    guard layout.hasVideoExtendedUsage || layout.horizontalFieldOfView != nil else { return }
    for (name, value) in tagLines(layout) {
      out.append("  " + style.faint(name.padded(to: 14) + " ") + value + "\n")
    }
  }

  private func tagLines(_ layout: StereoLayout) -> [(name: String, value: String)] {
    let tags = StereoTags(layout)
    var lines = StereoTag.all.compactMap { tag -> (name: String, value: String)? in
      guard let label = tag.label, let value = tag.value(tags) else { return nil }
      return (label, value.words + (value.stored.map { style.faint(" (\($0))") } ?? ""))
    }
    if layout.eyeViewsReversed == true { lines.append(("eyes", "in reversed order")) }
    if !layout.lenses.isEmpty {
      lines.append(("lenses", Quantity.count(layout.lenses.count, "lens", "lenses")))
    }
    return lines
  }

  // MARK: Other tracks

  private func writeOther(_ track: Track) {
    let kind = track.mediaType == .audio ? "audio" : track.mediaType.words
    var facts: [String] = []
    if let codec = track.codecWords { facts.append(codec) }
    if let audio = track.audioFormat { facts += Self.words(audio) }
    if let keys = track.allTimedMetadataKeys, !keys.isEmpty {
      let names = keys.prefix(3).map { $0.name?.rawValue.shortened ?? "?" }.joined(separator: ", ")
      facts.append(ValueText.printable(names) + (keys.count > 3 ? " and \(keys.count - 3) more" : ""))
    }
    if let language = track.language { facts.append(ValueText.printable(language.shortened)) }
    facts.append(Quantity.count(track.sampleCount, "sample"))
    if let duration = track.duration { facts.append(Quantity.duration(duration)) }
    if !track.isEnabled { facts.append("disabled") }
    facts += track.referenceWords
    writeLine(kind, track, facts)
    writeMetadata(track)
  }

  /// The metadata of the track, such as the lens it was taken with.
  private func writeMetadata(_ track: Track) {
    let prefix = "com.apple.quicktime."
    for item in track.metadata.items where item.keySpace == .quickTimeMetadata {
      guard let value = item.stringValue, !value.isEmpty else { continue }
      let key = item.key.rawValue.shortened
      let name = key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : key
      out.append("  " + style.faint(ValueText.printable(name)) + "  " + ValueText.printable(value) + "\n")
    }
  }

  private static func words(_ audio: AudioFormat) -> [String] {
    var words: [String] = []
    if let rate = audio.sampleRate { words.append(Quantity.decimal(rate / 1_000, 3) + " kHz") }
    switch audio.channelCount {
    case 1?: words.append("mono")
    case 2?: words.append("stereo")
    case let count?: words.append("\(count) channels")
    case nil: break
    }
    return words
  }

  // MARK: What is wrong

  private func writeDiagnostics() {
    let all = movie.allDiagnostics
    let list = all.filter { $0.severity > .note }
    guard !list.isEmpty else { return }
    out.append("\n")
    for item in list.sorted(by: { $0.severity > $1.severity }).prefix(2) {
      let place = item.place
      out.append("\(style.word(item.severity))  \(place.isEmpty ? "" : place + ": ")\(item.message)\n")
    }
    let count = list.count + all.omitted
    let listed = all.omitted > 0 ? "\(all.count)" : "all"
    let rest = count > 2 ? "\(count - 2) more: mvdump info --json lists \(listed)" : ""
    // Rules say what a remark means for players, and how to fix the file.
    let advice =
      "mvdump check explains what this means and how to fix it"
    let pointer = [rest, advice].filter { !$0.isEmpty }.joined(separator: "; ")
    if !pointer.isEmpty { out.append(style.faint(pointer) + "\n") }
  }
}

extension String {
  /// A name of more than 128 bytes is cut: it is none, and any number of items of a few bytes may have it.
  var shortened: String { shortened(to: 128) }
}
