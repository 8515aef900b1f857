// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput
import ISOBMFF
import Multiview

extension MovieJSON {
  /// What the pixels of a track mean, and how its picture is to be shown.
  func writePicture(_ track: Track) {
    let entry = track.mainDescription?.box
    write(track.colour)
    write(track.masteringDisplay)
    write(track.contentLightLevel)
    json.member("rotation", track.rotation)
    write(entry?.first(PixelAspectRatioBox.self))
    write(entry?.first(CleanApertureBox.self))
  }

  private func write(_ colour: VideoColour) {
    json.key("colour")
    guard colour != VideoColour() else { return json.null() }
    json.beginObject(inline: true)
    json.member("primaries", colour.primaries)
    json.member("transfer", colour.transfer)
    json.member("matrix", colour.matrix)
    json.member("fullRange", colour.isFullRange)
    json.member("videoRange", colour.videoRange)
    json.endObject()
  }

  /// Numbers as the box has them.
  private func write(_ display: MasteringDisplayColourVolumeBox?) {
    json.key("masteringDisplay")
    guard let display else { return json.null() }
    json.beginObject(inline: true)
    for (name, colour) in [
      ("green", display.green), ("blue", display.blue), ("red", display.red), ("white", display.white),
    ] {
      json.key(name)
      numbers([colour.x, colour.y])
    }
    json.member("maxLuminance", display.maxLuminance)
    json.member("minLuminance", display.minLuminance)
    json.endObject()
  }

  private func write(_ level: ContentLightLevelBox?) {
    json.key("contentLightLevel")
    guard let level else { return json.null() }
    json.beginObject(inline: true)
    json.member("maxContentLightLevel", level.maxCLL)
    json.member("maxPicAverageLightLevel", level.maxFALL)
    json.endObject()
  }

  private func write(_ ratio: PixelAspectRatioBox?) {
    json.key("pixelAspectRatio")
    guard let ratio else { return json.null() }
    numbers([ratio.hSpacing, ratio.vSpacing])
  }

  /// Numerator and denominator of each.
  private func write(_ aperture: CleanApertureBox?) {
    json.key("cleanAperture")
    guard let aperture else { return json.null() }
    json.beginObject(inline: true)
    json.key("width")
    numbers([aperture.widthN, aperture.widthD])
    json.key("height")
    numbers([aperture.heightN, aperture.heightD])
    json.key("horizontalOffset")
    numbers([Int64(aperture.horizOffN), Int64(aperture.horizOffD)])
    json.key("verticalOffset")
    numbers([Int64(aperture.vertOffN), Int64(aperture.vertOffD)])
    json.endObject()
  }

  private func numbers(_ values: [some BinaryInteger]) {
    json.beginArray(inline: true)
    for value in values { json.value(value) }
    json.endArray()
  }
}
