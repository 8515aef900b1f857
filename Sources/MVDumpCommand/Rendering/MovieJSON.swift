// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import CommandLineSupport
import FieldOutput
import ISOBMFF
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
    return samplesJSON + [
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

extension Track {
  /// What the pixels of the track mean, and how its picture is to be shown.
  var pictureJSON: JSONObject {
    let entry = sampleEntry
    let boxed = entry?.first(PixelAspectRatioBox.self)
    let coded = boxed == nil ? DisplayGeometry.PixelShape(layers.first?.sps?.vui) : nil
    var colour = colour
    colour.iccProfile = nil
    return [
      "colour": colour == VideoColour() ? nil : colour.json.inline,
      "masteringDisplay": masteringDisplay?.json.inline,
      "contentLightLevel": contentLightLevel?.json.inline, "rotation": rotation,
      "pixelAspectRatio": boxed.map { [$0.hSpacing, $0.vSpacing].inline }
        ?? coded.map { [UInt32(clamping: $0.width), UInt32(clamping: $0.height)].inline },
      "cleanAperture": entry?.first(CleanApertureBox.self)?.json.inline,
    ]
  }
}

extension VideoColour {
  fileprivate var json: JSONObject {
    [
      "primaries": primaries, "transfer": transfer, "matrix": matrix, "fullRange": isFullRange,
      "videoRange": videoRange,
    ]
  }
}

extension MasteringDisplayColourVolumeBox {
  /// Numbers as the box has them.
  fileprivate var json: JSONObject {
    [
      "green": [green.x, green.y], "blue": [blue.x, blue.y], "red": [red.x, red.y],
      "white": [white.x, white.y], "maxLuminance": maxLuminance, "minLuminance": minLuminance,
    ]
  }
}

extension ContentLightLevelBox {
  fileprivate var json: JSONObject {
    ["maxContentLightLevel": maxCLL, "maxPicAverageLightLevel": maxFALL]
  }
}

extension CleanApertureBox {
  /// Numerator and denominator of each.
  fileprivate var json: JSONObject {
    [
      "width": [widthN, widthD], "height": [heightN, heightD],
      "horizontalOffset": [Int64(horizOffN), Int64(horizOffD)],
      "verticalOffset": [Int64(vertOffN), Int64(vertOffD)],
    ]
  }
}

extension QuickTimeMetadata {
  /// Names and values; of bytes only how many.
  var json: some JSONValue {
    JSONList(rows: items) { item in
      var item = item
      item.key.rawValue = item.key.rawValue.shortened
      return [
        "identifier": item.identifier, "value": item.stringValue, "size": item.dataRange.count,
        "language": item.languageCode,
      ]
    }
  }
}

extension ItemCollection {
  /// The items of HEIF.
  func json(_ photos: [StereoPhoto]) -> JSONObject {
    [
      "primary": primaryItemID, "list": JSONList(rows: items, \.json),
      "references": JSONList(rows: references) {
        ["type": $0.type.description, "from": $0.from, "to": $0.to.inline]
      },
      "groups": JSONList(rows: groups) {
        ["type": $0.type.description, "id": $0.id, "members": $0.members.inline]
      },
      "stereoPairs": JSONList(rows: photos, \.json),
    ]
  }
}

extension StereoPhoto {
  fileprivate var json: JSONObject {
    [
      "group": group, "left": left, "right": right, "spatial": isSpatial,
      "horizontalFieldOfView": leftCamera.horizontalFieldOfView.map { Int(($0 * 1_000).rounded()) },
      "baseline": baseline.map { Int($0.rounded()) }, "disparityAdjustment": disparityAdjustment,
    ]
  }
}

extension ItemCollection.Item {
  fileprivate var json: JSONObject {
    [
      "id": id, "type": type?.description,
      // Only the item itself has its name; a type is shared by any number of items.
      "name": name.shortened(to: 1_024), "hidden": isHidden, "size": byteCount, "width": width,
      "height": height, "auxiliaryType": auxiliaryType?.shortened, "layered": hasLayers,
    ]
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
