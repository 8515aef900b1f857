// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import Multiview

// A movie at a glance, for programs: docs/schema/info.json. What the file does not say is `null`, never 0.

extension MovieFile {
  /// The document of `mvdump info`.
  func json(_ input: Input) -> JSONObject {
    [
      "schema": "mvdump.info/1", "file": input.name, "size": input.size, "container": container.json,
      "duration": duration?.json, "classification": classification.rawValue,
      "tracks": JSONList(tracks, \.json), "metadata": metadata.json,
      "locations": JSONList(rows: personalData([.location]), \.json),
      "items": items?.json(stereoPhotos),
    ] + allDiagnostics.json
  }
}

extension Container {
  fileprivate var json: JSONObject {
    [
      "kind": kind.rawValue, "majorBrand": majorBrand?.description, "minorVersion": minorVersion,
      "compatibleBrands": compatibleBrands.map(\.description).inline, "fragmented": isFragmented,
      "quickTime": isQuickTime,
    ]
  }
}

extension MediaTime {
  fileprivate var json: JSONObject {
    .inline(["value": value, "timescale": timescale, "seconds": seconds.rounded(toParts: 100_000)])
  }
}

extension Track {
  fileprivate var json: JSONObject {
    let (size, audio, isVisual) = (displaySize, audioFormat, mediaType.isVisual)
    let all: JSONObject = [
      "id": id, "handler": isRawStream ? "vide" : mediaType.rawValue.description,
      "codec": codec?.description, "codecString": codecString,
      "sampleCount": isRawStream ? nil : sampleCount, "syncSampleCount": syncSampleCount,
      "duration": duration?.json, "language": language, "enabled": isEnabled,
      "timescale": isRawStream ? nil : timescale, "width": size?.width, "height": size?.height,
      "frameRate": nominalFrameRate?.rounded(toParts: 1_000), "sampleRate": audio?.sampleRate,
      "channelCount": audio?.channelCount, "classification": isVisual ? classification.rawValue : "none",
      "mediaCharacteristics": mediaCharacteristics.map(\.shortName).sorted(by: MediaCharacteristic.order)
        .inline,
      "references": JSONList(references) {
        ["type": $0.type.description, "trackIDs": $0.trackIDs.inline]
      }.inline,
      "metadata": metadata.json,
    ]
    guard isVisual else { return all }
    // The same of samples that have other descriptions than the first.
    let others = TrackVariant.others(of: self)
    guard !others.isEmpty else { return all + videoJSON }
    return all + videoJSON + ["otherDescriptions": JSONList(others, \.json)]
  }

  /// The members of video.
  fileprivate var videoJSON: JSONObject {
    pictureJSON + [
      "tagCollections": tagCollections.map { JSONList($0, \.json) }.inline,
      "layers": JSONList(rows: layers, \.json), "missingLayers": layerAnalysis.missingLayers.inline,
      "stereo": stereoJSON,
    ]
  }

  private var stereoJSON: JSONObject {
    let layout = stereo
    let tags = StereoTags(layout)
    let all: JSONObject = [
      "kind": classificationReport.stereoKind.rawValue, "hasLeftEye": layout.hasLeftEyeView,
      "hasRightEye": layout.hasRightEyeView,
    ]
    return all
      + JSONObject(
        StereoTag.all.compactMap { tag in
          guard let key = tag.jsonKey else { return nil }
          let value: any JSONValue =
            switch tag.value(tags)?.json {
            case .boolean(let value): value
            case .integer(let value): value
            case .string(let value): value
            default: String?.none
            }
          return ("\(key)", value)
        }) + [
        "eyesDecidedBy": eyeAssignment.decidedBy?.rawValue,
        "lensCount": layout.hasLensCollection ? layout.lenses.count : nil,
      ]
  }
}

extension TrackVariant {
  fileprivate var json: JSONObject {
    let size = track.displaySize
    return [
      "description": number, "firstSample": firstSample, "sampleCount": sampleCount,
      "codec": track.codec?.description, "codecString": track.codecString, "width": size?.width,
      "height": size?.height, "classification": track.classification.rawValue,
    ] + track.videoJSON
  }
}

extension VideoTag {
  fileprivate var json: JSONObject {
    if let layer = value(onlyIfMatching: .videoLayerID) {
      return ["category": "videoLayerID", "value": layer]
    }
    guard let view = value(onlyIfMatching: .stereoView) else {
      return ["category": rawCategory.rawValue.description, "value": rawValue]
    }
    let names = [(view.contains(.leftEye), "left"), (view.contains(.rightEye), "right")].filter(\.0).map(\.1)
    return ["category": "stereoView", "value": names.joined(separator: "+")]
  }
}

extension VideoLayer {
  fileprivate var json: JSONObject {
    [
      "layerID": layerID, "viewOrderIndex": viewOrderIndex, "viewID": viewID, "auxiliaryID": auxiliaryID,
      "dependencyID": dependencyID, "depth": isDepth, "eye": eye?.rawValue,
      "codedWidth": codedSize?.width, "codedHeight": codedSize?.height, "width": croppedSize?.width,
      "height": croppedSize?.height, "chromaFormat": chromaFormat, "bitDepthLuma": bitDepthLuma,
      "bitDepthChroma": bitDepthChroma, "profileIDC": profileTierLevel?.generalProfileIdc?.rawValue,
      "levelIDC": profileTierLevel?.generalLevelIdc.rawValue, "directReferences": directReferences.inline,
      "outputLayerSets": outputLayerSets.inline, "hasParameterSets": hasParameterSets,
      "inSamples": isInSamples,
    ]
  }
}
