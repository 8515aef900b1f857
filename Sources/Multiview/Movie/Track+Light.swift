// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import HEVC
public import ISOBMFF

extension Track {
  /// The display on which the colours were chosen: from `mdcv`, or from the SEI message if that is absent;
  /// `nil` if neither is present.
  public var masteringDisplay: MasteringDisplayColourVolumeBox? {
    if let box = sampleEntry?.first(MasteringDisplayColourVolumeBox.self) { return box }
    return layerAnalysis.firstMessage(MasteringDisplayColourVolume.self).flatMap(
      MasteringDisplayColourVolumeBox.init)
  }

  /// How bright the pictures become: from `clli`, or from the SEI message if that is absent; `nil` if neither
  /// is present.
  public var contentLightLevel: ContentLightLevelBox? {
    if let box = sampleEntry?.first(ContentLightLevelBox.self) { return box }
    return layerAnalysis.firstMessage(ContentLightLevelInfo.self).map(ContentLightLevelBox.init)
  }
}

extension MasteringDisplayColourVolumeBox {
  /// Makes the box that says what a message does; `nil` if that has not three primaries.
  package init?(_ message: MasteringDisplayColourVolume) {
    guard message.primaries.count == 3 else { return nil }
    self.init()
    // In this order by the standard. ISO/IEC 23008-2, D.3.28
    (green.x, green.y) = (message.primaries[0].x, message.primaries[0].y)
    (blue.x, blue.y) = (message.primaries[1].x, message.primaries[1].y)
    (red.x, red.y) = (message.primaries[2].x, message.primaries[2].y)
    (white.x, white.y) = (message.whiteX, message.whiteY)
    (maxLuminance, minLuminance) = (message.maximumLuminance, message.minimumLuminance)
  }

  /// The message that says the same.
  package var message: MasteringDisplayColourVolume {
    var message = MasteringDisplayColourVolume()
    for (index, primary) in [green, blue, red].enumerated() {
      (message.primaries[index].x, message.primaries[index].y) = (primary.x, primary.y)
    }
    (message.whiteX, message.whiteY) = (white.x, white.y)
    (message.maximumLuminance, message.minimumLuminance) = (maxLuminance, minLuminance)
    return message
  }
}

extension ContentLightLevelBox {
  /// Makes the box that says what a message does.
  package init(_ message: ContentLightLevelInfo) {
    self.init()
    (maxCLL, maxFALL) = (message.maxCLL, message.maxFALL)
  }

  /// The message that says the same.
  package var message: ContentLightLevelInfo {
    var message = ContentLightLevelInfo()
    (message.maxCLL, message.maxFALL) = (maxCLL, maxFALL)
    return message
  }
}
