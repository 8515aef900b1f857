// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
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
  /// The layer of MPEG-1 or MPEG-2 audio, according to the stream: 3 is MP3. `nil` for other codecs, and if the
  /// stream was not examined.
  public var mpegLayer: Int?

  init?(_ entry: Box) {
    guard let audio = entry.payload(AudioSampleEntry.self) else { return nil }
    // The rate of Dolby TrueHD is a whole number.
    let divisor: Double = entry.type == "mlpa" ? 1 : 65_536
    sampleRate = audio.linearFormat?.sampleRate ?? Double(audio.sampleRate) / divisor
    channelCount = audio.linearFormat.map { Int(clamping: $0.channelCount) } ?? Int(audio.channelCount)
    let coded = Self.codedFormat(entry)
    (sampleRate, channelCount) = (coded.rate ?? sampleRate, coded.channels ?? channelCount)
    // QuickTime keeps the descriptor in a box of its own.
    if let stream = entry.elementaryStream {
      objectType = stream.decoderConfig?.objectType
      if let config = stream.audioConfig {
        audioObjectType = config.objectType.number
        // The sample entry is often wrong; the decoder goes by its configuration.
        sampleRate = config.sampleRate.map(Double.init) ?? sampleRate
        // Where the configuration lists the channels, in a way that is not read, nothing else tells their number.
        channelCount = config.channelCount ?? (config.channelConfiguration == 0 ? nil : channelCount)
      }
    }
    if let fixed = Self.fixedFormat(entry, objectType) {
      (sampleRate, channelCount) = (fixed.rate, fixed.channels)
    }
    if let stream = entry.elementaryStream, objectType?.rawValue == 0xDD,
      let vorbis = Self.vorbisFormat(stream.decoderSpecificInfo)
    {
      (sampleRate, channelCount) = (vorbis.rate, vorbis.channels)
    }
    // So it is for these: their number of channels is to be read from the box of the codec.
    channelCount = Self.dolbyChannelCount(entry) ?? channelCount
    if sampleRate == 0 { sampleRate = nil }
    if channelCount == 0 { channelCount = nil }
  }

  /// The values that are the same in all streams of a speech codec, regardless of the fields of its sample entry.
  /// 3GPP TS 26.244, 6.5; 3GPP2 C.S0050, 8
  private static func fixedFormat(
    _ entry: Box, _ objectType: DecoderConfigDescriptor.ObjectType?
  ) -> (rate: Double, channels: Int)? {
    switch entry.type {
    case "samr", "sevc", "sqcp", "ssmv", "Qclp": (8_000, 1)
    case "sawb": (16_000, 1)
    default:
      switch objectType?.rawValue {
      // EVRC, SMV, QCELP
      case 0xA0, 0xA1, 0xE1: (8_000, 1)
      default: nil
      }
    }
  }

  /// The values in the box of a codec, if the fields of the sample entry are a template or cannot express the rate.
  /// ISO/IEC 14496-12, 12.2.3; the encapsulations of FLAC, Opus, Apple Lossless and DTS (ETSI TS 102 114, E.2.2.3)
  private static func codedFormat(_ entry: Box) -> (rate: Double?, channels: Int?) {
    func number(_ box: Box?, at offset: Int, _ width: Int) -> Int? {
      box?.body.bigEndian(at: offset, width: width).map { Int(clamping: $0) }
    }
    func rate(_ hertz: Int?) -> Double? { hertz.flatMap { $0 > 0 ? Double($0) : nil } }
    switch entry.type {
    case "fLaC":
      // After the header of the first block, STREAMINFO: 20 bits of the rate, three of the channels less 1.
      guard let box = entry.first("dfLa"), let bits = number(box, at: 18, 4) else { return (nil, nil) }
      return (rate(bits >> 12), (bits >> 9 & 7) + 1)
    case "alac":
      let box = entry.first("alac") ?? entry.first("wave")?.first("alac")
      return (rate(number(box, at: 24, 4)), number(box, at: 13, 1))
    case "Opus":
      return (nil, number(entry.first("dOps"), at: 1, 1))
    case "dtsc", "dtse", "dtsh", "dtsl", "dtsx":
      return (rate(number(entry.first("ddts"), at: 0, 4)), nil)
    default:
      return (rate(number(entry.first("srat"), at: 4, 4)), nil)
    }
  }

  /// What the identification header of Vorbis says. Vorbis I specification, 4.2.2
  private static func vorbisFormat(_ info: ByteView?) -> (rate: Double, channels: Int)? {
    guard let info else { return nil }
    // It is the first of three headers, after their lengths.
    let name = [1] + Array("vorbis".utf8)
    guard
      let start = (0..<min(64, info.count)).first(where: { start in
        name.indices.allSatisfy { info[start + $0] == name[$0] }
      }), let channels = info[start + 11], let rate = info.bigEndian(at: start + 12, width: 4)
    else { return nil }
    let hertz = UInt32(truncatingIfNeeded: rate).byteSwapped
    return channels > 0 && hertz > 0 ? (Double(hertz), Int(channels)) : nil
  }

  /// Takes rate, channels and layer from the header of a frame of MPEG-1 or MPEG-2 audio, whose sample entry need
  /// not have them. ISO/IEC 11172-3, 2.4.1.3; ISO/IEC 13818-3, 2.4.2.3
  mutating func read(frame bytes: ByteView) {
    guard let word = bytes.bigEndian(at: 0, width: 4), word >> 21 == 0x7FF else { return }
    let version = word >> 19 & 3, layer = word >> 17 & 3, rate = word >> 10 & 3
    guard version != 1, layer != 0, rate != 3 else { return }
    let rates: [Double] = [44_100, 48_000, 32_000]
    sampleRate = rates[Int(rate)] / (version == 3 ? 1 : version == 2 ? 2 : 4)
    // Streams with more channels have several frames in a sample.
    if channelCount ?? 0 <= 2 { channelCount = word >> 6 & 3 == 3 ? 1 : 2 }
    mpegLayer = 4 - Int(layer)
  }

  /// The channels that the boxes of AC-3 and Enhanced AC-3 give; `nil` without one. ETSI TS 102 366, F.3 and F.5
  private static func dolbyChannelCount(_ entry: Box) -> Int? {
    if let basic = entry.first(AC3SpecificBox.self) { return basic.channelCount }
    // Further independent substreams are other programmes.
    return entry.first(EnhancedAC3SpecificBox.self)?.substreams.first?.channelCount
  }

  /// The part after `mp4a.` in the name of the codec: `40.2`; for streams other than MPEG-4 audio, only the type.
  /// RFC 6381, 3.3
  var codecParameters: String? {
    guard let objectType else { return nil }
    // In capitals, as the registry of codecs has them.
    let text = String(objectType.rawValue, radix: 16, uppercase: true)
    guard objectType.rawValue == 0x40, let audioObjectType else { return text }
    return "\(text).\(audioObjectType)"
  }
}

extension FormatDescription {
  /// The audio format according to the sample entry; `nil` for tracks without sound.
  public var audio: AudioFormat? { AudioFormat(box) }
}

extension Track {
  /// The audio format of the main sample entry; for MPEG-1 and MPEG-2 audio, also according to the first sample,
  /// which is read. `nil` for tracks without sound.
  public var audioFormat: AudioFormat? {
    guard let description = mainDescription, var format = description.audio else { return nil }
    let isFramed =
      description.codec == ".mp3" || format.objectType.map { [0x69, 0x6B].contains($0.rawValue) } ?? false
      || format.audioObjectType.map { (32...34).contains($0) } ?? false
    guard isFramed, !description.isProtected, externalMedia.isEmpty, let sample = firstSample,
      sample.size >= 4
    else {
      return format
    }
    // A stream that cannot be read says nothing.
    do throws(SourceError) { format.read(frame: try context.source.read(at: sample.offset, count: 4)) } catch
    {}
    return format
  }
}
