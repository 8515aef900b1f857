// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import HEVC

/// The messages about the colours and the light of a coded video sequence. They apply until the sequence ends.
/// ISO/IEC 23008-2, D.3.28, D.3.35 and D.3.38
package struct ColourMessages: Hashable, Sendable {
  /// The transfer function preferred to that of the VUI (`preferred_transfer_characteristics`).
  package var preferredTransfer: Int?
  /// The brightest light of the pictures, in candelas per square metre (`max_content_light_level`).
  package var maximumLight: Int?
  /// The brightest light of the mastering display, in units of 0.0001 candelas per square metre
  /// (`max_display_mastering_luminance`).
  package var displayLuminance: Int?

  /// Messages that say nothing.
  package init() {}

  /// The brightest light, in candelas per square metre: that of the pictures, else of the mastering display; `nil` if
  /// neither is specified.
  package var peak: Double? {
    [maximumLight.map(Double.init), displayLuminance.map { Double($0) / 10_000 }]
      .lazy.compactMap { $0 }.first { $0 > 0 }
  }

  /// Fills missing values from other messages.
  package func completed(by other: ColourMessages) -> ColourMessages {
    var all = self
    all.preferredTransfer = preferredTransfer ?? other.preferredTransfer
    all.maximumLight = maximumLight ?? other.maximumLight
    all.displayLuminance = displayLuminance ?? other.displayLuminance
    return all
  }

  /// Takes what a message says, if it is one of these and can be read. The first one of a kind holds.
  package mutating func note(_ message: SEIMessage) {
    func payload<Payload: SEIPayload>(_: Payload.Type) -> Payload? {
      let (payload, _, error) = message.payload.decode(Payload())
      return error == nil ? payload : nil
    }
    switch message.payloadType {
    case AlternativeTransferCharacteristics.payloadType:
      guard preferredTransfer == nil else { return }
      preferredTransfer = payload(AlternativeTransferCharacteristics.self).map { Int($0.preferred) }
    case ContentLightLevelInfo.payloadType:
      guard maximumLight == nil else { return }
      maximumLight = payload(ContentLightLevelInfo.self).map { Int($0.maxCLL) }
    case MasteringDisplayColourVolume.payloadType:
      guard displayLuminance == nil else { return }
      displayLuminance = payload(MasteringDisplayColourVolume.self).map { Int($0.maximumLuminance) }
    default: break
    }
  }
}
