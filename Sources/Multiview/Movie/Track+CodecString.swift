// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import ISOBMFF

extension Track {
  /// The codec as programs name it: `hvc1.2.4.L123.B0`. RFC 6381; of codecs whose parameters are not known the type alone.
  public var codecString: String? {
    guard let codec else { return nil }
    if isRawStream {
      return layers.first { $0.layerID == 0 }?.profileTierLevel?.codecString(sampleEntry: "hvc1")
    }
    guard let description = mainDescription else { return nil }
    if Self.dolbyVisionCodecs.contains(codec), let configuration = description.dolbyVision {
      return "\(codec).\(configuration.profile.twoDigits).\(configuration.level.twoDigits)"
    }
    // An empty record says nothing of the stream, and no stream has level 0.
    if let record = description.hevcConfiguration, record.generalLevelIdc.rawValue > 0 {
      return "\(codec)." + record.profileTier.codecParameters(level: record.generalLevelIdc)
    }
    if description.isEnhancementOnly, let layer = layers.first {
      return layer.profileTierLevel?.codecString(sampleEntry: "\(codec)")
    }
    if let avc = description.box.first("avcC")?.body, avc.count >= 4 {
      return "\(codec)." + (avc.slice(1..<4)?.hexadecimalText() ?? "")
    }
    if let av1 = description.box.first(AV1CodecConfigurationBox.self) {
      return "\(codec).\(av1.codecParameters)"
    }
    if let vp = description.box.first(VPCodecConfigurationBox.self) {
      return "\(codec).\(vp.profile.twoDigits).\(vp.level.twoDigits).\(vp.bitDepth.twoDigits)"
    }
    if codec == "mp4a", let parameters = description.audio?.codecParameters {
      return "\(codec).\(parameters)"
    }
    if codec == "mp4v", let decoder = description.box.elementaryStream?.decoderConfig {
      let type = decoder.objectType.rawValue
      let text = "\(codec)." + String(type, radix: 16, uppercase: true)
      // The profile and level follow the code of the visual object sequence. ISO/IEC 14496-2, 6.2.2
      guard type == 0x20, let info = description.box.elementaryStream?.decoderSpecificInfo,
        info.bigEndian(at: 0, width: 4) == 0x1B0, let profile = info[4]
      else { return text }
      return text + ".\(profile)"
    }
    return "\(codec)"
  }

  /// The sample entries that name Dolby Vision; the parameters of others are those of the codec below it.
  private static let dolbyVisionCodecs: Set<FourCC> = ["dvh1", "dvhe", "dva1", "dvav", "dav1"]
}

extension FormatDescription {
  fileprivate var dolbyVision: DolbyVisionConfigurationBox? { box.first(DolbyVisionConfigurationBox.self) }
}

extension AV1CodecConfigurationBox {
  /// Profile, level and tier, bits of a sample. AV1 Codec ISO Media File Format Binding, 5
  fileprivate var codecParameters: String {
    let bits: UInt8 = isHighBitdepth ? (isTwelveBit ? 12 : 10) : 8
    return "\(seqProfile).\(seqLevelIdx0.twoDigits)\(seqTier0 == 0 ? "M" : "H").\(bits.twoDigits)"
  }
}

extension UInt8 {
  /// In decimal, with at least two digits.
  fileprivate var twoDigits: String { (self < 10 ? "0" : "") + "\(self)" }
}

extension DecoderConfigurationRecord {
  /// Profile, tier and constraints as the parameter sets have them.
  public var profileTier: ProfileTier {
    var tier = ProfileTier()
    tier.profileSpace = generalProfileSpace
    tier.tierFlag = generalTierFlag
    tier.profileIdc = generalProfileIdc
    tier.compatibilityFlags = generalProfileCompatibilityFlags
    tier.constraintFlags = generalConstraintIndicatorFlags
    return tier
  }
}
