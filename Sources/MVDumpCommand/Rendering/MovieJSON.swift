// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Multiview

/// A movie at a glance, for programs. What the file does not say is `null`, never 0.
struct MovieJSON {
  let json: JSONWriter

  func write(_ movie: MovieFile, _ input: Input) {
    json.beginObject()
    member("schema", "mvdump.info/1")
    member("file", input.name)
    json.key("size")
    json.value(input.size)
    json.key("container")
    write(movie.container)
    json.key("duration")
    write(movie.duration)
    member("classification", movie.classification.rawValue)
    json.key("tracks")
    json.beginArray()
    for track in movie.tracks { write(track) }
    json.endArray()
    json.diagnostics(movie.allDiagnostics)
    json.endObject()
    json.endDocument()
  }

  private func member(_ name: String, _ value: String?) {
    json.key(name)
    json.value(value)
  }

  private func member<T: BinaryInteger>(_ name: String, _ value: T?) {
    json.key(name)
    json.value(value)
  }

  private func member(_ name: String, _ value: Bool?) {
    json.key(name)
    if let value { json.value(value) } else { json.null() }
  }

  private func write(_ container: Container) {
    json.beginObject()
    member("kind", container.kind.rawValue)
    member("majorBrand", container.majorBrand?.description)
    member("minorVersion", container.minorVersion)
    json.key("compatibleBrands")
    json.beginArray(inline: true)
    for brand in container.compatibleBrands { json.value(brand.description) }
    json.endArray()
    member("fragmented", container.isFragmented)
    member("quickTime", container.isQuickTime)
    json.endObject()
  }

  private func write(_ time: MediaTime?) {
    guard let time else { return json.null() }
    json.beginObject(inline: true)
    member("value", time.value)
    member("timescale", time.timescale)
    json.key("seconds")
    json.value((time.seconds * 100_000).rounded() / 100_000)
    json.endObject()
  }

  private func write(_ track: Track) {
    json.beginObject()
    member("id", track.id)
    member("handler", track.isRawStream ? "vide" : track.mediaType.rawValue.description)
    member("codec", track.codec?.description)
    member("codecString", track.codecString)
    member("sampleCount", track.isRawStream ? nil : track.sampleCount)
    member("syncSampleCount", track.syncSampleCount)
    json.key("duration")
    write(track.duration)
    member("language", track.language)
    member("enabled", track.isEnabled)
    member("timescale", track.isRawStream ? nil : track.timescale)
    let size = track.displaySize
    member("width", size?.width)
    member("height", size?.height)
    json.key("frameRate")
    if let rate = track.nominalFrameRate { json.value((rate * 1_000).rounded() / 1_000) } else { json.null() }
    let isVisual = track.mediaType.isVisual
    member("classification", isVisual ? track.classification.rawValue : "none")
    json.key("mediaCharacteristics")
    json.beginArray(inline: true)
    for name in track.mediaCharacteristics.map(\.shortName).sorted(by: MediaCharacteristic.order) {
      json.value(name)
    }
    json.endArray()
    json.key("references")
    json.beginArray(inline: true)
    for reference in track.references {
      json.beginObject(inline: true)
      member("type", reference.type.description)
      json.key("trackIDs")
      json.beginArray(inline: true)
      for id in reference.trackIDs { json.value(id) }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    if isVisual { writeVideo(track) }
    json.endObject()
  }

  private func writeVideo(_ track: Track) {
    json.key("tagCollections")
    json.beginArray(inline: true)
    for tags in track.tagCollections {
      json.beginArray(inline: true)
      for tag in tags { write(tag) }
      json.endArray()
    }
    json.endArray()
    json.key("layers")
    json.beginArray()
    for layer in track.layers { write(layer) }
    json.endArray()
    json.key("missingLayers")
    json.beginArray(inline: true)
    for layer in track.layerAnalysis.missingLayers { json.value(layer) }
    json.endArray()
    json.key("stereo")
    writeStereo(track)
  }

  private func write(_ tag: VideoTag) {
    json.beginObject(inline: true)
    if let layer = tag.value(onlyIfMatching: .videoLayerID) {
      member("category", "videoLayerID")
      member("value", layer)
    } else if let view = tag.value(onlyIfMatching: .stereoView) {
      member("category", "stereoView")
      let names = [(view.contains(.leftEye), "left"), (view.contains(.rightEye), "right")].filter(\.0).map(
        \.1)
      member("value", names.joined(separator: "+"))
    } else {
      member("category", tag.rawCategory.rawValue.description)
      member("value", tag.rawValue)
    }
    json.endObject()
  }

  private func write(_ layer: VideoLayer) {
    json.beginObject(inline: true)
    member("layerID", layer.layerID)
    member("viewOrderIndex", layer.viewOrderIndex)
    member("viewID", layer.viewID)
    member("auxiliaryID", layer.auxiliaryID)
    member("dependencyID", layer.dependencyID)
    member("depth", layer.isDepth)
    member("eye", layer.eye?.rawValue)
    member("codedWidth", layer.codedSize?.width)
    member("codedHeight", layer.codedSize?.height)
    member("width", layer.croppedSize?.width)
    member("height", layer.croppedSize?.height)
    member("chromaFormat", layer.chromaFormat)
    member("bitDepthLuma", layer.bitDepthLuma)
    member("bitDepthChroma", layer.bitDepthChroma)
    member("profileIDC", layer.profileTierLevel?.generalProfileIdc?.rawValue)
    member("levelIDC", layer.profileTierLevel?.generalLevelIdc.rawValue)
    numbers("directReferences", layer.directReferences)
    numbers("outputLayerSets", layer.outputLayerSets)
    member("hasParameterSets", layer.hasParameterSets)
    member("inSamples", layer.isInSamples)
    json.endObject()
  }

  private func numbers(_ name: String, _ values: [some BinaryInteger]) {
    json.key(name)
    json.beginArray(inline: true)
    for value in values { json.value(value) }
    json.endArray()
  }

  private func writeStereo(_ track: Track) {
    let layout = track.formatDescriptions.first?.stereo ?? StereoLayout()
    let report = track.classificationReport
    json.beginObject()
    member("kind", report.stereoKind.rawValue)
    member("hasLeftEye", layout.hasLeftEyeView)
    member("hasRightEye", layout.hasRightEyeView)
    member("eyesReversed", layout.eyeViewsReversed)
    member("hasAdditionalViews", layout.hasAdditionalViews)
    member("heroEye", layout.heroEye.map { $0.description })
    member("baselineMicrometers", layout.baseline?.rawValue)
    member("disparityAdjustment", layout.disparityAdjustment?.rawValue)
    member("horizontalFieldOfViewMillidegrees", layout.horizontalFieldOfView?.rawValue)
    member("projection", layout.projection?.rawValue.description)
    member("packing", layout.packing?.rawValue.description)
    member("eyesDecidedBy", track.eyes.decidedBy?.rawValue)
    member("lensCount", layout.lensCollection == true ? layout.lenses.count : nil)
    json.endObject()
  }
}

extension MediaCharacteristic {
  /// The name as programs of this library know it.
  var shortName: String {
    switch self {
    case .visual: "visual"
    case .audible: "audible"
    case .legible: "legible"
    case .frameBased: "frameBased"
    case .containsAlphaChannel: "containsAlphaChannel"
    case .containsHDRVideo: "containsHDRVideo"
    case .usesWideGamutColorSpace: "usesWideGamutColorSpace"
    case .containsStereoMultiviewVideo: "containsStereoMultiviewVideo"
    case .carriesVideoStereoMetadata: "carriesVideoStereoMetadata"
    case .indicatesHorizontalFieldOfView: "indicatesHorizontalFieldOfView"
    case .indicatesNonRectilinearProjection: "indicatesNonRectilinearProjection"
    default: rawValue
    }
  }

  /// The general ones first.
  static func order(_ left: String, _ right: String) -> Bool {
    func rank(_ name: String) -> Int {
      ["visual", "audible", "legible", "frameBased", "containsStereoMultiviewVideo"].firstIndex(of: name) ?? 9
    }
    return (rank(left), left) < (rank(right), right)
  }
}
