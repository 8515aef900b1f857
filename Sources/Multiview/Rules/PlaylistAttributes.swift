// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
public import HEVC
import ISOBMFF

/// The attributes of a movie for `EXT-X-STREAM-INF` in an HLS playlist. HTTP Live Streaming, 2nd edition
/// (draft-pantos-hls-rfc8216bis), 4.4.6.2
public struct PlaylistAttributes: Sendable, Hashable, Codable {
  /// `CODECS`: a codec string for each kind of track; of video that of the base layer.
  public var codecs: [String] = []
  /// `SUPPLEMENTAL-CODECS`: what players that know more may take instead, with the brand that says so; empty where
  /// there is nothing.
  public var supplementalCodecs: [String] = []
  /// `VIDEO-RANGE`: `SDR`, `HLG` or `PQ`; `nil` if nothing says, which players take for SDR.
  public var videoRange: String?
  /// `REQ-VIDEO-LAYOUT`; `nil` if it should not be there.
  public var requiredVideoLayout: String?
  /// `RESOLUTION`: the size at which one view is shown, with square pixels and rotated.
  public var resolution: PictureSize?
  /// `FRAME-RATE`: the highest number of pictures a second for one eye.
  public var frameRate: Double?

  /// An empty list.
  public init() {}
}

extension PlaylistAttributes {
  init?(_ context: RuleContext) {
    guard let track = context.mainTrack, let description = track.description else { return nil }
    self.init()
    for candidate in [track.track] + context.movie.tracks.filter({ $0.mediaType == .audio }) {
      if let codec = candidate.playlistCodec, !codecs.contains(codec) { codecs.append(codec) }
    }
    if let vision = description.box.first(DolbyVisionConfigurationBox.self) {
      supplementalCodecs = vision.supplementalCodecs(sampleEntry: description.codec)
    }
    videoRange = track.track.videoRange
    requiredVideoLayout = track.report.requiredVideoLayout
    resolution = track.track.viewSize
    frameRate = track.pictureRate
  }

  /// The name of the session data that describe the venue of Apple Immersive Video.
  package static let venueDataID = "com.apple.hls.venue-description"

  /// Whether the pictures are for two eyes.
  package var isStereo: Bool {
    requiredVideoLayout?.split(separator: "/").contains("CH-STEREO") ?? false
  }

  /// The attributes as they are in a playlist, with the keys in the order of this type.
  public var entries: [(key: String, value: String)] {
    var entries: [(key: String, value: String)] = []
    if !codecs.isEmpty { entries.append(("CODECS", "\"\(codecs.joined(separator: ","))\"")) }
    if !supplementalCodecs.isEmpty {
      entries.append(("SUPPLEMENTAL-CODECS", "\"\(supplementalCodecs.joined(separator: ","))\""))
    }
    if let videoRange { entries.append(("VIDEO-RANGE", videoRange)) }
    if let requiredVideoLayout { entries.append(("REQ-VIDEO-LAYOUT", "\"\(requiredVideoLayout)\"")) }
    if let resolution { entries.append(("RESOLUTION", "\(resolution)")) }
    if let frameRate { entries.append(("FRAME-RATE", Self.thousandths(frameRate))) }
    return entries
  }

  /// A rate with three decimals, as playlists have it: `29.970`.
  static func thousandths(_ rate: Double) -> String {
    let count = Int64((min(max(rate, 0), 1e9) * 1_000).rounded())
    let rest = String(count % 1_000)
    return "\(count / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }
}

extension MovieFile {
  /// The attributes for a playlist; `nil` if there is nothing to stream. Headers, tables and the first samples
  /// are read, and no rule is checked: the report of ``check(_:)`` has the same attributes.
  public var playlistAttributes: PlaylistAttributes? { PlaylistAttributes(RuleContext(self, CheckOptions())) }
}

extension Track {
  /// The codec as `CODECS` names it.
  package var playlistCodec: String? {
    guard let description = mainDescription else { return nil }
    if description.codec == "mp4a", let decoder = description.box.elementaryStream?.decoderConfig {
      let type = String(decoder.objectType.rawValue, radix: 16)
      guard decoder.objectType.rawValue == 0x40,
        let info = description.box.elementaryStream?.decoderSpecificInfo, let first = info[0]
      else { return "mp4a.\(type)" }
      // Five bits of the AudioSpecificConfig; 31 is an escape. ISO/IEC 14496-3, 1.6.2.1
      var object = Int(first &>> 3)
      if object == 31, let second = info[1] { object = 32 + Int(first & 7) << 3 + Int(second &>> 5) }
      return "mp4a.\(type).\(object)"
    }
    return codecString
  }
}

extension Box {
  /// The descriptors of an MPEG-4 stream: in QuickTime sound within `wave`.
  var elementaryStream: ElementaryStreamDescriptorBox? {
    first(ElementaryStreamDescriptorBox.self) ?? first("wave")?.first(ElementaryStreamDescriptorBox.self)
  }
}

extension DolbyVisionConfigurationBox {
  /// Dolby Vision that looks right without it is named beside the plain codec. HLS authoring specification, 1.12
  func supplementalCodecs(sampleEntry: FourCC) -> [String] {
    let brands: [UInt8: String] = [1: "db1p", 2: "db2g", 4: "db4h"]
    guard profile == 8, sampleEntry == "hvc1" || sampleEntry == "hev1",
      let brand = brands[baseLayerSignalCompatibilityID]
    else { return [] }
    return ["dvh1.08.\(level < 10 ? "0" : "")\(level)/\(brand)"]
  }
}

extension TrackFacts {
  /// The highest number of pictures in a second: by the samples, or in an init segment by what fragments or the parameter sets promise.
  var pictureRate: Double? {
    if let rate = track.maximumFrameRate { return rate }
    if let duration = shared.defaultSampleDuration(ofTrack: track.id), duration > 0 {
      return Double(track.timescale) / Double(duration)
    }
    guard let rate = analysis.layers.first?.sps?.pictureRate else { return nil }
    return Double(rate.numerator) / Double(rate.denominator)
  }
}
