// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
public import ISOBMFF

extension Track {
  /// The display on which the colours were chosen: from `mdcv`, or from the SEI message if that is absent;
  /// `nil` if neither is present.
  public var masteringDisplay: MasteringDisplayColourVolumeBox? {
    if let box = mainDescription?.box.first(MasteringDisplayColourVolumeBox.self) { return box }
    guard let message = firstMessage(MasteringDisplayColourVolume.self), message.primaries.count == 3 else {
      return nil
    }
    var display = MasteringDisplayColourVolumeBox()
    // In this order by the standard. ISO/IEC 23008-2, D.3.28
    (display.green.x, display.green.y) = (message.primaries[0].x, message.primaries[0].y)
    (display.blue.x, display.blue.y) = (message.primaries[1].x, message.primaries[1].y)
    (display.red.x, display.red.y) = (message.primaries[2].x, message.primaries[2].y)
    (display.white.x, display.white.y) = (message.whiteX, message.whiteY)
    (display.maxLuminance, display.minLuminance) = (message.maximumLuminance, message.minimumLuminance)
    return display
  }

  /// How bright the pictures become: from `clli`, or from the SEI message if that is absent; `nil` if neither
  /// is present.
  public var contentLightLevel: ContentLightLevelBox? {
    if let box = mainDescription?.box.first(ContentLightLevelBox.self) { return box }
    guard let message = firstMessage(ContentLightLevelInfo.self) else { return nil }
    var level = ContentLightLevelBox()
    level.maxCLL = message.maxCLL
    level.maxFALL = message.maxFALL
    return level
  }

  /// The first message of a kind in the configuration records and the first sample, if it can be read.
  private func firstMessage<Payload: SEIPayload>(_: Payload.Type) -> Payload? {
    for located in layerAnalysis.units where located.unit.type.isSEI {
      for message in located.unit.seiMessages().messages where message.payloadType == Payload.payloadType {
        let (payload, _, error) = message.payload.decode(Payload())
        return error == nil ? payload : nil
      }
    }
    return nil
  }
}
