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
      // A stream that was joined may change its codec.
      for variant in candidate.variants {
        if let codec = variant.playlistCodec, !codecs.contains(codec) { codecs.append(codec) }
      }
    }
    if let vision = description.box.first(DolbyVisionConfigurationBox.self) {
      supplementalCodecs = vision.supplementalCodecs(sampleEntry: description.codec)
    }
    videoRange = track.track.videoRange
    requiredVideoLayout = track.report.requiredVideoLayout
    for variant in track.track.variants { add(size: variant.viewSize) }
    frameRate = track.pictureRate
  }

  /// Takes the size of a part of the stream if it is the largest. RFC 8216, 4.3.4.2: the optimal size for all of it.
  private mutating func add(size: PictureSize?) {
    guard let size, size.width &* size.height > resolution.map({ $0.width &* $0.height }) ?? 0 else { return }
    resolution = size
  }

  /// Adds the codecs and the size of another part of the same stream.
  mutating func add(_ part: PlaylistAttributes) {
    codecs += part.codecs.filter { !codecs.contains($0) }
    add(size: part.resolution)
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
    decimal(Int64((min(max(rate, 0), 1e9) * 1_000).rounded()), over: 1_000, places: 3)
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

/// The name of a codec in `CODECS`, which may be written in several ways.
struct CodecName: Hashable {
  /// The parts between the points. The case of hexadecimal digits does not count (RFC 6381, 3.3), and zero bytes at the end
  /// of the constraints of HEVC may be left out (ISO/IEC 14496-15, E.3).
  private var parts: [String]

  init(_ name: some StringProtocol) {
    let text = String(name).filter { $0 != " " }
    parts = text.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
    for index in parts.indices.dropFirst() where parts[index].allSatisfy(\.isHexDigit) {
      parts[index] = parts[index].uppercased()
    }
    guard isHEVC else { return }
    while parts.count > 4, parts.last.flatMap({ UInt8($0, radix: 16) }) == 0 { parts.removeLast() }
  }

  private var isHEVC: Bool { ["hvc1", "hev1"].contains(parts[0]) }

  /// Whether a player that reads this name in a playlist expects that codec.
  ///
  /// Apple's tools write the compatibility flags of HEVC in the order of the bitstream: `60000000` for 6. AAC that a decoder
  /// extends by itself (SBR and parametric stereo, with implicit signalling) is named by what the decoder makes of it.
  /// ISO/IEC 14496-3, 1.6.5
  func names(_ codec: CodecName) -> Bool {
    if self == codec || withReversedFlags == codec { return true }
    return codec.parts == ["mp4a", "40", "2"]
      && (parts == ["mp4a", "40", "5"] || parts == ["mp4a", "40", "29"])
  }

  private var withReversedFlags: CodecName? {
    guard isHEVC, parts.count > 2, parts[2].count == 8, var flags = UInt32(parts[2], radix: 16) else {
      return nil
    }
    var reversed: UInt32 = 0
    for _ in 0..<32 {
      reversed = reversed &<< 1 | flags & 1
      flags &>>= 1
    }
    var name = self
    name.parts[2] = String(reversed, radix: 16, uppercase: true)
    return name
  }
}

/// The bit rates of the segments of a stream.
package struct StreamRates {
  /// The size of each segment in bytes, and its duration.
  package var segments: [(size: UInt64, seconds: Double)] = []

  /// Makes rates of no segments.
  package init() {}

  /// Makes the rates of some segments.
  package init(_ segments: [(size: UInt64, seconds: Double)]) { self.segments = segments }

  /// The average bit rate of all segments, in bits per second.
  package var average: Int {
    let seconds = segments.reduce(0) { $0 + $1.seconds }
    let bits = segments.reduce(0.0) { $0 + Double($1.size) * 8 }
    return whole(seconds > 0 ? bits / seconds : bits)
  }

  /// Returns the highest bit rate of consecutive segments that last together between 0.5 and 1.5 times the
  /// target duration. HTTP Live Streaming, 2nd edition (draft-pantos-hls-rfc8216bis), 4.4.6.2
  package func peak(target: Int) -> Int {
    var peak: Double?
    let (least, most) = (Double(target) * 0.5, Double(target) * 1.5)
    for first in segments.indices {
      var (bits, seconds) = (0.0, 0.0)
      for part in segments[first...] {
        bits += Double(part.size) * 8
        seconds += part.seconds
        if seconds > most { break }
        if seconds >= least, seconds > 0 { peak = max(peak ?? 0, bits / seconds) }
        // Segments without a duration would never reach the limit.
        if part.seconds <= 0 { break }
      }
    }
    // In a short stream, no segments last that long together.
    return peak.map(whole) ?? average
  }

  private func whole(_ rate: Double) -> Int { Int(clamping: Int64(min(rate.rounded(.up), 9e15))) }
}
