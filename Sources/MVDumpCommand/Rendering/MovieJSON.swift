// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import Multiview

/// A movie at a glance, for programs. What the file does not say is `null`, never 0.
struct MovieJSON {
  let json: JSONWriter

  func write(_ movie: MovieFile, _ input: Input) {
    json.beginObject()
    json.member("schema", "mvdump.info/1")
    json.member("file", input.name)
    json.key("size")
    json.value(input.size)
    json.key("container")
    write(movie.container)
    json.key("duration")
    write(movie.duration)
    json.member("classification", movie.classification.rawValue)
    json.key("tracks")
    json.beginArray()
    for track in movie.tracks { write(track) }
    json.endArray()
    write(movie.metadata)
    json.key("locations")
    json.beginArray()
    for place in movie.personalData([.location]) { json.write(place) }
    json.endArray()
    writeItems(movie.items, movie.stereoPhotos)
    json.diagnostics(movie.allDiagnostics)
    json.endObject()
    json.endDocument()
  }

  private func write(_ container: Container) {
    json.beginObject()
    json.member("kind", container.kind.rawValue)
    json.member("majorBrand", container.majorBrand?.description)
    json.member("minorVersion", container.minorVersion)
    json.key("compatibleBrands")
    json.beginArray(inline: true)
    for brand in container.compatibleBrands { json.value(brand.description) }
    json.endArray()
    json.member("fragmented", container.isFragmented)
    json.member("quickTime", container.isQuickTime)
    json.endObject()
  }

  private func write(_ time: MediaTime?) {
    guard let time else { return json.null() }
    json.beginObject(inline: true)
    json.member("value", time.value)
    json.member("timescale", time.timescale)
    json.key("seconds")
    json.value((time.seconds * 100_000).rounded() / 100_000)
    json.endObject()
  }

  private func write(_ track: Track) {
    json.beginObject()
    json.member("id", track.id)
    json.member("handler", track.isRawStream ? "vide" : track.mediaType.rawValue.description)
    json.member("codec", track.codec?.description)
    json.member("codecString", track.codecString)
    json.member("sampleCount", track.isRawStream ? nil : track.sampleCount)
    json.member("syncSampleCount", track.syncSampleCount)
    json.key("duration")
    write(track.duration)
    json.member("language", track.language)
    json.member("enabled", track.isEnabled)
    json.member("timescale", track.isRawStream ? nil : track.timescale)
    let size = track.displaySize
    json.member("width", size?.width)
    json.member("height", size?.height)
    json.key("frameRate")
    if let rate = track.nominalFrameRate { json.value((rate * 1_000).rounded() / 1_000) } else { json.null() }
    let audio = track.audioFormat
    json.key("sampleRate")
    if let rate = audio?.sampleRate { json.value(rate) } else { json.null() }
    json.member("channelCount", audio?.channelCount)
    let isVisual = track.mediaType.isVisual
    json.member("classification", isVisual ? track.classification.rawValue : "none")
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
      json.member("type", reference.type.description)
      json.key("trackIDs")
      json.beginArray(inline: true)
      for id in reference.trackIDs { json.value(id) }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    write(track.metadata)
    if isVisual {
      writeVideo(track)
      writeOtherDescriptions(track)
    }
    json.endObject()
  }

  /// The same of samples that have other descriptions than the first.
  private func writeOtherDescriptions(_ track: Track) {
    let others = TrackVariant.others(of: track)
    guard !others.isEmpty else { return }
    json.key("otherDescriptions")
    json.beginArray()
    for other in others {
      json.beginObject()
      json.member("description", other.number)
      json.member("firstSample", other.firstSample)
      json.member("sampleCount", other.sampleCount)
      json.member("codec", other.track.codec?.description)
      json.member("codecString", other.track.codecString)
      let size = other.track.displaySize
      json.member("width", size?.width)
      json.member("height", size?.height)
      json.member("classification", other.track.classification.rawValue)
      writeVideo(other.track)
      json.endObject()
    }
    json.endArray()
  }

  private func writeVideo(_ track: Track) {
    writePicture(track)
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
      json.member("category", "videoLayerID")
      json.member("value", layer)
    } else if let view = tag.value(onlyIfMatching: .stereoView) {
      json.member("category", "stereoView")
      let names = [(view.contains(.leftEye), "left"), (view.contains(.rightEye), "right")].filter(\.0).map(
        \.1)
      json.member("value", names.joined(separator: "+"))
    } else {
      json.member("category", tag.rawCategory.rawValue.description)
      json.member("value", tag.rawValue)
    }
    json.endObject()
  }

  private func write(_ layer: VideoLayer) {
    json.beginObject(inline: true)
    json.member("layerID", layer.layerID)
    json.member("viewOrderIndex", layer.viewOrderIndex)
    json.member("viewID", layer.viewID)
    json.member("auxiliaryID", layer.auxiliaryID)
    json.member("dependencyID", layer.dependencyID)
    json.member("depth", layer.isDepth)
    json.member("eye", layer.eye?.rawValue)
    json.member("codedWidth", layer.codedSize?.width)
    json.member("codedHeight", layer.codedSize?.height)
    json.member("width", layer.croppedSize?.width)
    json.member("height", layer.croppedSize?.height)
    json.member("chromaFormat", layer.chromaFormat)
    json.member("bitDepthLuma", layer.bitDepthLuma)
    json.member("bitDepthChroma", layer.bitDepthChroma)
    json.member("profileIDC", layer.profileTierLevel?.generalProfileIdc?.rawValue)
    json.member("levelIDC", layer.profileTierLevel?.generalLevelIdc.rawValue)
    numbers("directReferences", layer.directReferences)
    numbers("outputLayerSets", layer.outputLayerSets)
    json.member("hasParameterSets", layer.hasParameterSets)
    json.member("inSamples", layer.isInSamples)
    json.endObject()
  }

  func numbers(_ name: String, _ values: [some BinaryInteger]) {
    json.key(name)
    json.beginArray(inline: true)
    for value in values { json.value(value) }
    json.endArray()
  }

  private func writeStereo(_ track: Track) {
    let layout = track.stereo
    let report = track.classificationReport
    json.beginObject()
    json.member("kind", report.stereoKind.rawValue)
    json.member("hasLeftEye", layout.hasLeftEyeView)
    json.member("hasRightEye", layout.hasRightEyeView)
    let tags = StereoTags(layout)
    for tag in StereoTag.all {
      guard let key = tag.jsonKey else { continue }
      switch tag.value(tags)?.json {
      case .boolean(let value): json.member(key, value)
      case .integer(let value): json.member(key, value)
      case .string(let value): json.member(key, value)
      default: json.member(key, String?.none)
      }
    }
    json.member("eyesDecidedBy", track.eyeAssignment.decidedBy?.rawValue)
    json.member("lensCount", layout.hasLensCollection ? layout.lenses.count : nil)
    json.endObject()
  }
}
