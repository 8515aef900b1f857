// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF

// What `print` shows: a line for people, and not how a value is kept in memory.

extension MovieFile: CustomStringConvertible {
  /// Kind, brand and tracks in a line: `movie (qt), 2 tracks`. Nothing is read or computed for it.
  public var description: String {
    let kind = container.kind == .annexB ? "raw HEVC stream" : "movie"
    let brand =
      container.majorBrand.map { " (\($0.description.split(separator: " ").joined(separator: " ")))" } ?? ""
    return "\(kind)\(brand), \(tracks.count) \(tracks.count == 1 ? "track" : "tracks")"
  }
}

extension Track: CustomStringConvertible {
  /// Number, kind and codec: `track 1: vide hvc1`. Nothing is read or computed for it.
  public var description: String {
    let codec = isRawStream ? "hevc" : formatDescriptions.first.map { "\($0.codec)" }
    return "track \(id): \(mediaType)" + (codec.map { " \($0)" } ?? "")
  }
}

extension FormatDescription: CustomStringConvertible {
  /// The codec and the path: `hvc1 (moov/trak/mdia/minf/stbl/stsd/hvc1)`.
  public var description: String { "\(codec) (\(path))" }
}

extension VideoLayer: CustomStringConvertible {
  /// Number, eye or role, and size: `layer 1: right eye, 1920x1080`.
  public var description: String {
    "layer \(layerID): \(eye.map { "\($0) eye" } ?? role)" + (croppedSize.map { ", \($0)" } ?? "")
  }
}

extension EyeAssignment: CustomStringConvertible {
  /// The eye of each layer: `layer 0 left, layer 1 right (referenceDisplays)`.
  public var description: String {
    guard !eyes.isEmpty else { return "no eyes" }
    let layers = eyes.sorted { $0.key < $1.key }.map { "layer \($0.key) \($0.value)" }
    return layers.joined(separator: ", ") + (decidedBy.map { " (\($0))" } ?? "")
  }
}

extension SampleCursor: CustomStringConvertible {
  /// Place and time of the sample: `sample 3 at 100/600`.
  public var description: String {
    "sample \(index)" + (presentationTimeStamp.map { " at \($0)" } ?? ", not presented")
  }
}

extension TaggedNALUnits: CustomStringConvertible {
  /// Layer, eye and size: `layer 1, right eye: 2 NAL units, 1234 bytes`.
  public var description: String {
    "layer \(layerID)\(eye.map { ", \($0) eye" } ?? ""): "
      + "\(places.count) \(places.count == 1 ? "NAL unit" : "NAL units"), \(byteCount) bytes"
  }
}

extension StereoLayout: CustomStringConvertible {
  /// The values in the order of the boxes, or `no stereo boxes`.
  public var description: String {
    var parts: [String] = []
    if let stereoView { parts.append("\(stereoView)") }
    let tags = StereoTags(self)
    for tag in StereoTag.all {
      if let label = tag.label, let value = tag.value(tags) { parts.append("\(label) \(value.words)") }
    }
    if hasLensCollection { parts.append("\(lenses.count) lenses") }
    return parts.isEmpty ? "no stereo boxes" : parts.joined(separator: ", ")
  }
}

extension ClassificationReport: CustomStringConvertible {
  /// The class, and how two views are carried.
  public var description: String {
    stereoKind == .notStereo ? "\(classification)" : "\(classification) (\(stereoKind))"
  }
}

extension SpatialVerdict: CustomStringConvertible {
  /// `spatial`, or what is missing.
  public var description: String {
    isSpatial ? "spatial" : "lacks " + lacking.map(\.rawValue).joined(separator: ", ")
  }
}

extension PlaylistAttributes: CustomStringConvertible {
  /// The attributes as they are in a playlist.
  public var description: String { entries.map { "\($0.key)=\($0.value)" }.joined(separator: ",") }
}

extension Finding: CustomStringConvertible {
  /// Rule, severity, message and place: `MV022 warning: … (moov/trak at 36)`.
  public var description: String {
    let place = (path.isEmpty ? "" : path) + (offset.map { "\(path.isEmpty ? "" : " ")at \($0)" } ?? "")
    return "\(rule) \(severity): \(message)" + (place.isEmpty ? "" : " (\(place))")
  }
}

extension TargetVerdict: CustomStringConvertible {
  /// Target, outcome and words.
  public var description: String { "\(target): \(outcome), \(words)" }
}

extension CheckReport: CustomStringConvertible {
  /// The class, and how many findings there are.
  public var description: String {
    "\(classification), \(findings.count) \(findings.count == 1 ? "finding" : "findings")"
  }
}

extension TimedMetadataGroup: CustomStringConvertible {
  /// The time and the names with their values.
  public var description: String {
    let values = items.map { "\($0.key.name?.rawValue ?? "key \($0.key.localID)"): \($0.value)" }
    return "\(presentationTime.map { "\($0)" } ?? "not presented"): " + values.joined(separator: ", ")
  }
}

extension ItemCollection.Item: CustomStringConvertible {
  /// Number, type and size: `item 1: hvc1, 4032x3024`.
  public var description: String {
    var text = "item \(id)"
    if let type { text += ": \(type)" }
    if let width, let height { text += ", \(width)x\(height)" }
    return text
  }
}

// Of enumerations with names, the name: in an array the compiler's description would have the module in front.

extension CheckTarget: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

extension CheckConfidence: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

extension TargetVerdict.Outcome: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

extension EyeAssignment.Source: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

extension EyeAssignment.Evidence: CustomStringConvertible {
  /// The source and the statement.
  public var description: String { "\(source): \(statement)" }
}

extension Container: CustomStringConvertible {
  /// The kind and the brand: `isobmff, qt  `.
  public var description: String { kind.rawValue + (majorBrand.map { ", \($0)" } ?? "") }
}

extension SpatialVerdict.Requirement: CustomStringConvertible {
  /// The name.
  public var description: String { rawValue }
}

extension AudioFormat: CustomStringConvertible {
  /// Rate and channels: `48000 Hz, 2 channels`.
  public var description: String {
    let parts = [sampleRate.map { "\($0) Hz" }, channelCount.map { "\($0) channels" }]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }
}
