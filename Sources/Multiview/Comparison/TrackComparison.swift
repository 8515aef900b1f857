// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// A fact as a person reads it; `nil` where nothing is said.
struct Fact {
  let name: String
  let text: String?

  init(_ name: String, _ text: String?) {
    self.name = name
    self.text = text
  }
}

/// What is said of tracks: layers, eyes, tags, and what holds for a whole track.
enum TrackComparison {
  /// Tracks that only one of the movies has.
  static func compareTracks(_ pairs: [TrackPair], _ found: inout FoundDifferences) {
    for pair in pairs where pair.first == nil || pair.second == nil {
      let name = pair.first?.comparedName ?? pair.second?.comparedName ?? ""
      func text(_ track: Track?) -> String? { track.map { "\($0.sampleCount) samples" } }
      found.add(.tracks, name, text(pair.first), text(pair.second), pair.first?.id ?? pair.second?.id)
    }
  }

  static func compare(_ first: Track, _ second: Track, _ found: inout FoundDifferences) {
    if first.mediaType.isVisual {
      if first.isHEVC || second.isHEVC { compareLayers(first, second, &found) }
      compare(.tags, tags(first), tags(second), first, &found)
    }
    // What says how the pictures are packed into samples, and nothing of them, differs between a stream and a movie.
    guard !first.isRawStream, !second.isRawStream else { return }
    compare(.tracks, properties(first), properties(second), first, &found)
  }

  private static func compare(
    _ kind: MovieDifference.Kind, _ left: [Fact], _ right: [Fact], _ track: Track,
    _ found: inout FoundDifferences
  ) {
    let others = Dictionary(right.map { ($0.name, $0.text) }) { first, _ in first }
    for fact in left { found.add(kind, fact.name, fact.text, others[fact.name] ?? nil, track.id) }
  }

  // MARK: Layers and eyes

  /// A layer counts where its pictures can be decoded: they are in the samples, and their parameter sets in reach.
  private static func compareLayers(_ first: Track, _ second: Track, _ found: inout FoundDifferences) {
    let left = first.joined, right = second.joined
    let (before, after) = (left.layers, right.layers)
    for id in Set((before + after).map(\.layerID)).sorted() {
      let old = before.first { $0.layerID == id }, new = after.first { $0.layerID == id }
      let subject = "layer \(id)"
      found.add(.layers, subject, old.map(text), new.map(text), first.id)
      guard old != nil, new != nil else { continue }
      found.add(
        .eyes, subject, left.eyeAssignment.eyes[id]?.rawValue, right.eyeAssignment.eyes[id]?.rawValue,
        first.id)
    }
  }

  private static func text(_ layer: VideoLayer) -> String {
    var parts = [layer.role]
    if let size = layer.croppedSize { parts.append("\(size.width)x\(size.height)") }
    if let format = layer.chromaFormat { parts.append(format) }
    if let bits = layer.bitDepthLuma { parts.append("\(bits) bit") }
    if !layer.hasParameterSets { parts.append("without its parameter sets") }
    if layer.isInSamples == false { parts.append("not in the samples") }
    return parts.joined(separator: ", ")
  }

  // MARK: Tags

  private static func tags(_ track: Track) -> [Fact] {
    let layout = track.mainDescription?.stereo ?? StereoLayout()
    let colour = track.colour
    func text(_ value: (some CustomStringConvertible)?) -> String? { value.map { "\($0)" } }
    var views: String?
    if let signalled = layout.viewInformation {
      let names = [
        signalled.hasLeftEyeView ? "left" : nil, signalled.hasRightEyeView ? "right" : nil,
        signalled.hasAdditionalViews ? "additional" : nil, signalled.eyeViewsReversed ? "reversed" : nil,
      ]
      views = names.compactMap { $0 }.joined(separator: ", ")
    }
    let display = track.masteringDisplay.map { box in
      "red \(box.red.x),\(box.red.y) green \(box.green.x),\(box.green.y) blue \(box.blue.x),\(box.blue.y) "
        + "white \(box.white.x),\(box.white.y) light \(box.minLuminance)-\(box.maxLuminance)"
    }
    return [
      Fact("signalled eyes", views), Fact("hero eye", text(layout.heroEye)),
      Fact("baseline", text(layout.baseline)), Fact("disparity adjustment", text(layout.disparityAdjustment)),
      Fact("horizontal field of view", text(layout.horizontalFieldOfView)),
      Fact("projection", text(layout.projection)), Fact("packing", text(layout.packing)),
      Fact("lens collection", layout.hasLensCollection ? "\(layout.lenses.count) lenses" : nil),
      Fact("required boxes", layout.requiredBoxTypes.map { $0.map { "\($0)" }.joined(separator: ", ") }),
      Fact(
        "Google's stereo boxes",
        layout.googleSphericalBoxes.isEmpty ? nil : "\(layout.googleSphericalBoxes.count)"),
      Fact("colour primaries", text(colour.primaries)), Fact("transfer function", text(colour.transfer)),
      Fact("colour matrix", text(colour.matrix)),
      Fact("range of samples", colour.isFullRange.map { $0 ? "full" : "limited" }),
      Fact("mastering display", display),
      Fact(
        "content light level",
        track.contentLightLevel.map { "MaxCLL \($0.maxCLL), MaxFALL \($0.maxFALL)" }),
    ]
  }

  // MARK: The whole track

  private static func properties(_ track: Track) -> [Fact] {
    let size = track.mediaType.isVisual ? track.displaySize : nil
    let audio = track.mainDescription?.audio
    let references = track.references.map { "\($0.type)" }.sorted()
    return [
      Fact("codec", track.codecString), Fact("language", track.language),
      Fact("enabled", track.isEnabled ? "yes" : "no"),
      Fact("display size", size.map { "\($0.width)x\($0.height)" }),
      Fact("orientation", track.mediaType.isVisual ? track.orientation.map { "\($0)" } ?? "a matrix" : nil),
      Fact("alternate group", track.header.flatMap { $0.alternateGroup == 0 ? nil : "\($0.alternateGroup)" }),
      Fact("sample rate", audio?.sampleRate.map { "\($0)" }),
      Fact("channels", audio?.channelCount.map { "\($0)" }),
      Fact("references", references.isEmpty ? nil : references.joined(separator: ", ")),
      Fact("encrypted", track.isProtected ? "yes" : nil),
    ]
  }
}

extension Track {
  /// `video (hevc)`
  var comparedName: String {
    "\(mediaType) track" + (codec.map { " ('\($0)')" } ?? "")
  }
}
