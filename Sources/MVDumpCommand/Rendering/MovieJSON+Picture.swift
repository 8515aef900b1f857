// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import ISOBMFF
import Multiview

extension Track {
  /// What the pixels of the track mean, and how its picture is to be shown.
  var pictureJSON: JSONObject {
    let entry = mainDescription?.box
    let ratio = entry?.first(PixelAspectRatioBox.self)
    var colour = colour
    colour.iccProfile = nil
    return [
      "colour": colour == VideoColour() ? nil : colour.json.inline,
      "masteringDisplay": masteringDisplay?.json.inline,
      "contentLightLevel": contentLightLevel?.json.inline, "rotation": rotation,
      "pixelAspectRatio": ratio.map { [$0.hSpacing, $0.vSpacing].inline },
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
