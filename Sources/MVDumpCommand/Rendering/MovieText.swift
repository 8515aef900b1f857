// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
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
    writeDiagnostics()
  }

  private func writeContainer() {
    var parts = [containerName]
    if let duration = movie.duration { parts.append(Quantity.duration(duration)) }
    if let size = input.size { parts.append(Quantity.bytes(size)) }
    if movie.container.isFragmented { parts.append("fragmented") }
    out.append(style.strong(ValueText.printable(input.name)) + "  " + parts.joined(separator: ", ") + "\n")
    if movie.tracks.isEmpty {
      out.append(movie.container.hasItems ? "  images as items: mvdump tree shows them\n" : "  no tracks\n")
    }
  }

  private var containerName: String {
    switch movie.container.kind {
    case .annexB: return "raw HEVC stream"
    case .isobmff:
      guard let brand = movie.container.majorBrand else { return "QuickTime without a brand" }
      let name = movie.container.isQuickTime ? "QuickTime" : movie.container.hasItems ? "HEIF" : "MP4"
      return "\(name) (\(brand.description.trimmed))"
    }
  }

  // MARK: Video

  private func writeVideo(_ track: Track) {
    out.append(
      "\n" + style.name("video track \(track.id)") + "  " + facts(track).joined(separator: ", ") + "\n")
    let sentence = ClassSentence.of(track)
    out.append("  " + (track.classification == .spatial ? style.good(sentence) : sentence) + "\n")
    writeLayers(track)
    writeTags(track)
  }

  private func facts(_ track: Track) -> [String] {
    var facts: [String] = []
    if let codec = track.codec, !track.isRawStream {
      let parameters = track.codecString ?? codec.description
      facts.append(
        track.formatDescriptions.first?.isProtected == true ? parameters + " (encrypted)" : parameters)
    }
    if let visual = track.formatDescriptions.first?.visual, visual.width > 0 {
      facts.append(Quantity.size(visual.width, visual.height))
    }
    let count = track.sampleCount
    if let rate = track.nominalFrameRate { facts.append(Quantity.decimal(rate, 2) + " pictures/s") }
    if !track.isRawStream { facts.append(Quantity.count(count, "sample")) }
    if let sync = track.syncSampleCount, sync != count { facts.append("\(sync) sync") }
    if let duration = track.duration { facts.append(Quantity.duration(duration)) }
    if !track.isEnabled { facts.append("disabled") }
    for reference in track.references where !reference.trackIDs.isEmpty {
      let ids = reference.trackIDs.map(String.init).joined(separator: ", ")
      facts.append("\(reference.type) → track \(ids)")
    }
    return facts
  }

  private func writeLayers(_ track: Track) {
    let layers = track.layers
    guard !layers.isEmpty else { return }
    var table = Columns(
      ["layer", "shows", "size", "format", "profile", "level", "view", "needs", ""], right: [0])
    for layer in layers {
      let tier = layer.profileTierLevel
      table.add([
        "\(layer.layerID)", layer.eye.map { "\($0) eye" } ?? (layer.role == "view" ? "" : layer.role),
        layer.croppedSize.map { Quantity.size($0.width, $0.height) } ?? "?",
        [layer.chromaFormat, layer.bitDepthLuma.map { "\($0) bit" }].compactMap { $0 }.joined(separator: " "),
        tier?.generalProfileIdc.map { $0.name ?? "profile \($0.rawValue)" } ?? "",
        tier?.generalLevelIdc.name ?? "", layer.viewID.map(String.init) ?? "",
        layer.directReferences.map(String.init).joined(separator: " "), remark(layer),
      ])
    }
    out.append(table.text(indentation: 2, style))
  }

  private func remark(_ layer: VideoLayer) -> String {
    if layer.isInSamples == false { return "not in the first sample" }
    if !layer.hasParameterSets { return "no parameter sets" }
    return ""
  }

  private func writeTags(_ track: Track) {
    guard let layout = track.formatDescriptions.first?.stereo,
      layout.videoExtendedUsage == true
        || layout.horizontalFieldOfView != nil
    else { return }
    func line(_ name: String, _ value: String) {
      out.append(
        "  " + style.faint(name + String(repeating: " ", count: max(1, 15 - name.count))) + value + "\n")
    }
    if let hero = layout.heroEye { line("hero eye", "\(hero)") }
    if let baseline = layout.baseline {
      line(
        "baseline",
        Quantity.decimal(baseline.millimeters, 3) + " mm" + style.faint(" (\(baseline.rawValue) µm)"))
    }
    if let disparity = layout.disparityAdjustment {
      line("disparity", Quantity.percent(disparity.fraction) + style.faint(" (\(disparity.rawValue)/10000)"))
    }
    if let view = layout.horizontalFieldOfView {
      line(
        "field of view", Quantity.decimal(view.degrees, 3) + "°" + style.faint(" (\(view.rawValue)/1000°)"))
    }
    if let projection = layout.projection { line("projection", "\(projection)") }
    if let packing = layout.packing { line("packing", "\(packing)") }
    if !layout.lenses.isEmpty { line("lenses", Quantity.count(layout.lenses.count, "lens", "lenses")) }
    let missing = track.classificationReport.strict?.lacking ?? []
    if track.classification == .stereo, !missing.isEmpty {
      let list = missing.map(\.rawValue).joined(separator: ", ")
      out.append("  " + style.warning("not spatial: \(list) missing") + "\n")
    }
  }

  // MARK: Other tracks

  private func writeOther(_ track: Track) {
    let kind = track.mediaType == .audio ? "audio" : track.mediaType.words
    var facts: [String] = []
    if let codec = track.codecString { facts.append(codec.trimmed) }
    if let language = track.language { facts.append(language) }
    facts.append(Quantity.count(track.sampleCount, "sample"))
    if let duration = track.duration { facts.append(Quantity.duration(duration)) }
    for reference in track.references where !reference.trackIDs.isEmpty {
      facts.append("\(reference.type) → track \(reference.trackIDs.map(String.init).joined(separator: ", "))")
    }
    out.append(style.name("\(kind) track \(track.id)") + "  " + facts.joined(separator: ", ") + "\n")
  }

  // MARK: What is wrong

  private func writeDiagnostics() {
    let list = movie.allDiagnostics.filter { $0.severity > .note }
    guard !list.isEmpty else { return }
    out.append("\n")
    for item in list.sorted(by: { $0.severity > $1.severity }).prefix(2) {
      let word = item.severity == .error ? style.problem("error") : style.warning("warning")
      var place = item.path
      if let offset = item.offset { place += (place.isEmpty ? "at " : " at ") + "\(offset)" }
      out.append("\(word)  \(place.isEmpty ? "" : place + ": ")\(item.message)\n")
    }
    if list.count > 2 { out.append(style.faint("\(list.count - 2) more: mvdump info --json lists all\n")) }
  }
}

extension String {
  /// Without spaces at the end, as types of three letters have them.
  var trimmed: String {
    var text = self
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}

extension MediaType {
  /// A word for people; of kinds that are not known, the code.
  var words: String {
    switch self {
    case .video: "video"
    case .audio: "audio"
    case .metadata: "timed metadata"
    case .timecode: "timecode"
    case .text: "text"
    case .subtitle, .subtitleDocument: "subtitle"
    case .closedCaption: "closed caption"
    case .hint: "hint"
    case .auxiliaryPicture: "auxiliary video"
    case .picture: "picture"
    default: rawValue.rawValue == 0 ? "unknown" : "'\(rawValue.description.trimmed)'"
    }
  }
}
