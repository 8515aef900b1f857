// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ISOBMFF

/// The format of an audio track: sample rate, channels, and the coding of MPEG-4 audio.
public struct AudioFormat: Sendable, Hashable {
  /// Samples of a channel in a second; `nil` if the file does not say.
  public var sampleRate: Double?
  /// The number of channels; `nil` if the file does not say.
  public var channelCount: Int?
  /// The kind of coding of an MPEG-4 stream: 0x40 is MPEG-4 audio, 0x6B MP3.
  public var objectType: DecoderConfigDescriptor.ObjectType?
  /// The kind of MPEG-4 audio: 2 is AAC-LC.
  public var audioObjectType: UInt8?

  /// Makes a format.
  public init(
    sampleRate: Double? = nil, channelCount: Int? = nil,
    objectType: DecoderConfigDescriptor.ObjectType? = nil, audioObjectType: UInt8? = nil
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.objectType = objectType
    self.audioObjectType = audioObjectType
  }

  init?(_ entry: Box) {
    guard let audio = entry.payload(AudioSampleEntry.self) else { return nil }
    sampleRate = audio.linearFormat?.sampleRate ?? Double(audio.sampleRate) / 65_536
    channelCount = audio.linearFormat.map { Int(clamping: $0.channelCount) } ?? Int(audio.channelCount)
    // QuickTime keeps the descriptor in a box of its own.
    if let stream = entry.first(ElementaryStreamDescriptorBox.self)
      ?? entry.first("wave")?.first(ElementaryStreamDescriptorBox.self)
    {
      objectType = stream.decoderConfig?.objectType
      if let config = stream.audioConfig {
        audioObjectType = config.objectType.number
        // The sample entry is often wrong; the decoder goes by its configuration.
        sampleRate = config.sampleRate.map(Double.init) ?? sampleRate
        channelCount = config.channelCount ?? channelCount
      }
    }
    // So it is for these: their number of channels is to be read from the box of the codec.
    channelCount = Self.dolbyChannelCount(entry) ?? channelCount
    if sampleRate == 0 { sampleRate = nil }
    if channelCount == 0 { channelCount = nil }
  }

  /// The channels that the boxes of AC-3 and Enhanced AC-3 give; `nil` without one. ETSI TS 102 366, F.3 and F.5
  private static func dolbyChannelCount(_ entry: Box) -> Int? {
    if let basic = entry.first(AC3SpecificBox.self) { return basic.channelCount }
    // Further independent substreams are other programmes.
    return entry.first(EnhancedAC3SpecificBox.self)?.substreams.first?.channelCount
  }

  /// What follows `mp4a.` in the name of the codec: `40.2`; of other streams than those of MPEG-4 audio the type
  /// alone. RFC 6381, 3.3
  var codecParameters: String? {
    guard let objectType else { return nil }
    // In capitals, as the registry of codecs has them.
    let text = String(objectType.rawValue, radix: 16, uppercase: true)
    guard objectType.rawValue == 0x40, let audioObjectType else { return text }
    return "\(text).\(audioObjectType)"
  }
}

extension FormatDescription {
  /// The audio format; `nil` for tracks without sound.
  public var audio: AudioFormat? { AudioFormat(box) }
}
