// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

/// A fact as a person reads it; `nil` if it is absent.
struct Fact {
  let name: String
  let text: String?

  init(_ name: String, _ text: String?) {
    self.name = name
    self.text = text
  }
}

/// The facts of tracks: layers, eyes, tags, and properties of the whole track.
enum TrackComparison {
  /// Tracks that only one of the movies has.
  static func compareTracks(_ pairs: [TrackPair], _ found: inout FoundDifferences) {
    for pair in pairs where pair.first == nil || pair.second == nil {
      let name = pair.first?.comparedName ?? pair.second?.comparedName ?? ""
      func text(_ track: Track?) -> String? {
        track.map { $0.sampleCount == 1 ? "1 sample" : "\($0.sampleCount) samples" }
      }
      found.add(.tracks, name, text(pair.first), text(pair.second), pair.first?.id ?? pair.second?.id)
    }
  }

  static func compare(
    _ first: Track, _ second: Track, _ pairs: [TrackPair], _ found: inout FoundDifferences
  ) {
    if first.mediaType.isVisual {
      if first.isHEVC || second.isHEVC { compareLayers(first, second, &found) }
      compare(.tags, tags(first) + pictures(first), tags(second) + pictures(second), first, &found)
    }
    // What says how the pictures are packed into samples, and nothing of them, differs between a stream and a movie.
    guard !first.isRawStream, !second.isRawStream else { return }
    let references = references(of: first, second, pairs)
    found.add(.tracks, "references", references.first, references.second, first.id)
    compare(.tracks, properties(first), properties(second), first, &found)
  }

  private static func compare(
    _ kind: MovieDifference.Kind, _ left: [Fact], _ right: [Fact], _ track: Track,
    _ found: inout FoundDifferences
  ) {
    let others = Dictionary(right.map { ($0.name, $0.text) }) { first, _ in first }
    for fact in left { found.add(kind, fact.name, fact.text, others[fact.name] ?? nil, track.id) }
    let known = Set(left.map(\.name))
    for fact in right where !known.contains(fact.name) {
      found.add(kind, fact.name, nil, fact.text, track.id)
    }
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
      guard let old, let new else { continue }
      found.add(.eyes, subject, text(left, id), text(right, id), first.id)
      func picture(_ layer: VideoLayer) -> String {
        var parts = [layer.role]
        if let size = layer.croppedSize { parts.append("\(size)") }
        if let format = layer.chromaFormat { parts.append(format) }
        if let bits = layer.bitDepthLuma { parts.append("\(bits) bit") }
        return parts.joined(separator: ", ")
      }
      // Of one that cannot be decoded nothing more is known.
      if old.isDecodable, new.isDecodable {
        found.add(.layers, subject, picture(old), picture(new), first.id)
      }
    }
  }

  private static func text(_ track: Track, _ layer: UInt8) -> String? {
    track.eyeAssignment.eyes[layer].map { "\($0) eye" }
  }

  private static func text(_ layer: VideoLayer) -> String {
    if layer.isInSamples == false { return "not in the first sample" }
    return layer.hasParameterSets ? "can be decoded" : "cannot be decoded without its parameter sets"
  }

  // MARK: Tags

  /// The facts about eyes and cameras in the boxes of each sample description.
  private static func tags(_ track: Track) -> [Fact] {
    guard let main = track.mainDescription else { return [] }
    let several = track.formatDescriptions.count > 1
    // That of the first sample stands for the track.
    let all = several ? track.formatDescriptions : [main]
    return all.enumerated().flatMap { index, description in
      tags(description.stereo).map { fact in
        Fact(several ? "\(fact.name), sample description \(index + 1)" : fact.name, fact.text)
      }
    }
  }

  private static func tags(_ layout: StereoLayout) -> [Fact] {
    var views: String?
    if let signalled = layout.viewInformation {
      let names = [
        signalled.hasLeftEyeView ? "left" : nil, signalled.hasRightEyeView ? "right" : nil,
        signalled.hasAdditionalViews ? "additional" : nil, signalled.eyeViewsReversed ? "reversed" : nil,
      ]
      views = names.compactMap { $0 }.joined(separator: ", ")
    }
    let google = layout.googleSphericalBoxes.map { $0.path.split(separator: "/").last.map(String.init) ?? "" }
    let tags = StereoTags(layout)
    let values = StereoTag.all.compactMap { tag in tag.label.map { Fact($0, tag.value(tags)?.words) } }
    return [Fact("signalled eyes", views)] + values + [
      Fact("lens collection", layout.hasLensCollection ? "\(layout.lenses.count) lenses" : nil),
      Fact("required boxes", layout.requiredBoxTypes.map { $0.map { "\($0)" }.joined(separator: ", ") }),
      Fact("Google's stereo boxes", google.isEmpty ? nil : google.joined(separator: ", ")),
    ]
  }

  /// The colours of a track, from its boxes or its stream.
  private static func pictures(_ track: Track) -> [Fact] {
    let colour = track.colour
    func name(_ code: Int?, _ name: (Int64) -> String?) -> String? {
      code.map { code in name(Int64(code)).map { "\($0) (\(code))" } ?? "\(code)" }
    }
    let display = track.masteringDisplay.map { box in
      "red \(box.red.x),\(box.red.y) green \(box.green.x),\(box.green.y) blue \(box.blue.x),\(box.blue.y) "
        + "white \(box.white.x),\(box.white.y) light \(box.minLuminance)-\(box.maxLuminance)"
    }
    return [
      Fact("colour primaries", name(colour.primaries, ColourCodes.primaries)),
      Fact("transfer function", name(colour.transfer, ColourCodes.transfer)),
      Fact("colour matrix", name(colour.matrix, ColourCodes.matrix)),
      // If no range is specified, players assume the limited one: nclc and nclx without range are the same.
      Fact("range of samples", colour.isFullRange == true ? "full" : "limited"),
      Fact("mastering display", display),
      Fact(
        "content light level",
        track.contentLightLevel.map { "MaxCLL \($0.maxCLL), MaxFALL \($0.maxFALL)" }),
    ]
  }

  // MARK: References

  /// To which tracks two tracks refer, with the numbers that those have in the first movie. What becomes of a reference to a track
  /// that only one of the movies has follows from that.
  private static func references(
    of first: Track, _ second: Track, _ pairs: [TrackPair]
  ) -> (first: String?, second: String?) {
    var own: [UInt32: UInt32?] = [:], other: [UInt32: UInt32?] = [:]
    for pair in pairs {
      if let id = pair.first?.id, own[id] == nil { own[id] = pair.second == nil ? UInt32?.none : id }
      if let id = pair.second?.id, other[id] == nil { other[id] = pair.first?.id }
    }
    return (text(first.references, own), text(second.references, other))
  }

  private static func text(
    _ references: [(type: FourCC, trackIDs: [UInt32])], _ numbers: [UInt32: UInt32?]
  ) -> String? {
    guard !references.isEmpty else { return nil }
    return references.map { type, ids in
      let targets = ids.compactMap { id -> String? in
        guard let known = numbers[id] else { return "\(id), which is missing" }
        return known.map { "\($0)" }
      }
      return targets.isEmpty ? "\(type)" : "\(type) to track " + targets.joined(separator: ", ")
    }.sorted().joined(separator: "; ")
  }

  // MARK: The whole track

  private static func sizeText(_ track: Track) -> String? {
    track.header.map {
      "\(decimal(Int64($0.width) * 10_000 / 65_536, over: 10_000))x"
        + decimal(Int64($0.height) * 10_000 / 65_536, over: 10_000)
    }
  }

  private static func orientationText(_ track: Track) -> String? {
    if let orientation = track.orientation { return "\(orientation)" }
    return track.header.map { header in
      let matrix = header.matrix
      let numbers = [matrix.a, matrix.b, matrix.c, matrix.d, matrix.x, matrix.y]
      return "a matrix of "
        + numbers.map { decimal(Int64($0) * 10_000 / 65_536, over: 10_000) }.joined(separator: ", ")
    }
  }

  private static func properties(_ track: Track) -> [Fact] {
    let size = track.mediaType.isVisual ? track.displaySize : nil
    let audio = track.audioFormat
    return [
      Fact("codec", track.codecString), Fact("language", track.language),
      Fact("enabled", track.isEnabled ? "yes" : "no"),
      Fact("display size", size.map { "\($0.width)x\($0.height)" }),
      Fact("size in the track header", track.mediaType.isVisual ? sizeText(track) : nil),
      Fact("orientation", track.mediaType.isVisual ? orientationText(track) : nil),
      Fact("alternate group", track.header.flatMap { $0.alternateGroup == 0 ? nil : "\($0.alternateGroup)" }),
      Fact("sample rate", audio?.sampleRate.map { "\($0)" }),
      Fact("channels", audio?.channelCount.map { "\($0)" }),
      Fact("encrypted", track.isProtected ? "yes" : nil),
    ]
  }
}

extension VideoLayer {
  fileprivate var isDecodable: Bool { hasParameterSets && isInSamples != false }
}

extension Track {
  /// `video track ('hvc1')`
  var comparedName: String {
    mediaType.words + " track" + (codec.map { " ('\($0)')" } ?? "")
  }
}
