// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import HEVC
import ISOBMFF
import Multiview

/// Tracks in words.
extension Track {
  /// The eye that a layer shows, or its other purpose; empty for a view whose eye is not known.
  func shows(_ layerID: UInt8) -> String {
    guard let layer = layers.first(where: { $0.layerID == layerID }) else { return "unknown" }
    if packedEyes != nil, layer.isTexture { return "both eyes" }
    if let eye = layer.eye { return "\(eye) eye" }
    return layer.role == "view" ? "" : layer.role
  }

  /// The codec in words and as programs name it: `HEVC (hvc1.1.6.L60.90)`.
  var codecWords: String? {
    guard let codec else { return nil }
    let parameters = (codecString ?? "\(codec)").trimmed
    var words = streamName ?? Self.codecNames[codec] ?? parameters
    if words != parameters { words += " (\(parameters))" }
    if isRawStream { words = "HEVC" + (codecString.map { " (\($0))" } ?? "") }
    guard let description = mainDescription else { return words }
    if description.isProtected { return words + ", encrypted" }
    return description.sampleEntryType == "resv" ? words + ", restricted" : words
  }

  /// The codec of a stream of MPEG-4 systems, whose sample entry has the same type for many; `nil` for others.
  private var streamName: String? {
    guard let entry = sampleEntry else { return nil }
    let stream =
      entry.first(ElementaryStreamDescriptorBox.self)
      ?? entry.first("wave")?.first(ElementaryStreamDescriptorBox.self)
    guard let type = stream?.decoderConfig?.objectType else { return nil }
    let sound = mediaType == .audio ? audioFormat : nil
    if let layer = sound?.mpegLayer { return layer == 3 ? "MP3" : "MPEG audio layer \(layer)" }
    if type.rawValue == 0x40 {
      guard let number = sound?.audioObjectType else { return nil }
      return Self.audioObjectNames[number] ?? "MPEG-4 audio, type \(number)"
    }
    return Self.objectNames[type.rawValue] ?? type.name
      ?? "MPEG-4 stream of type 0x" + String(type.rawValue, radix: 16, uppercase: true)
  }

  /// Kinds of MPEG-4 audio. ISO/IEC 14496-3, table 1.17
  private static let audioObjectNames: [UInt8: String] = [
    1: "AAC Main", 2: "AAC", 3: "AAC SSR", 4: "AAC LTP", 5: "HE-AAC", 6: "AAC Scalable", 7: "TwinVQ",
    8: "CELP", 9: "HVXC", 17: "ER AAC", 19: "ER AAC LTP", 20: "ER AAC Scalable", 21: "ER TwinVQ",
    22: "ER BSAC", 23: "AAC-LD", 24: "ER CELP", 25: "ER HVXC", 29: "HE-AAC v2", 32: "MPEG audio layer 1",
    33: "MPEG audio layer 2", 34: "MP3", 36: "MPEG-4 ALS", 37: "MPEG-4 SLS", 38: "MPEG-4 SLS",
    39: "AAC-ELD", 42: "xHE-AAC",
  ]

  /// Streams by their object type, in the words that people use. mp4ra.org
  private static let objectNames: [UInt8: String] = [
    0x20: "MPEG-4 video", 0x21: "H.264", 0x23: "HEVC", 0x69: "MPEG-2 audio", 0x6B: "MPEG-1 audio",
    0x6D: "PNG", 0x6E: "JPEG 2000", 0xA0: "EVRC", 0xA1: "SMV", 0xA3: "VC-1", 0xA4: "Dirac",
    0xA5: "Dolby Digital", 0xA6: "Dolby Digital Plus", 0xA9: "DTS", 0xAA: "DTS-HD High Resolution",
    0xAB: "DTS-HD Master", 0xAC: "DTS Express", 0xB1: "VP9", 0xE1: "QCELP",
  ]

  /// The references to other tracks: `timecode in track 2`. A track may name itself, which says nothing here.
  var referenceWords: [String] {
    references.compactMap { reference in
      let others = reference.trackIDs.filter { $0 != id }
      guard !others.isEmpty else { return nil }
      let ids = others.map(String.init).joined(separator: ", ")
      return
        "\(Self.referenceNames[reference.type] ?? "'\(reference.type.description.trimmed)' to") track \(ids)"
    }
  }

  /// By how many degrees the picture is turned clockwise to be shown; `nil` if the matrix does more than that, or
  /// there is none.
  var rotation: Int? {
    guard let matrix = shownMatrix else { return nil }
    let one: Int32 = 0x0001_0000
    switch (matrix.a, matrix.b, matrix.c, matrix.d) {
    case (one, 0, 0, one): return 0
    case (0, one, -one, 0): return 90
    case (-one, 0, 0, -one): return 180
    case (0, -one, one, 0): return 270
    default: return nil
    }
  }

  /// How the picture is turned to be shown; `nil` for one that is as it was coded.
  var orientationWords: String? {
    guard let matrix = shownMatrix, !matrix.isUnity else { return nil }
    switch rotation {
    case 0?: return nil
    case 90?: return "rotated 90° clockwise"
    case 180?: return "rotated 180°"
    case 270?: return "rotated 90° anticlockwise"
    default: break
    }
    let one: Int32 = 0x0001_0000
    switch (matrix.a, matrix.b, matrix.c, matrix.d) {
    case (-one, 0, 0, one): return "mirrored left to right"
    case (one, 0, 0, -one): return "mirrored top to bottom"
    default: return "transformed by a matrix"
    }
  }

  /// The size at which the picture is shown before it is rotated, where the shape of its pixels or the part to show make it
  /// another than the coded one.
  var otherShownSize: PictureSize? {
    guard mediaType == .video, let size = displaySize else { return nil }
    var geometry = displayGeometry
    geometry.orientation = .upright
    let shown = geometry.displaySize(of: size)
    return shown == size ? nil : shown
  }

  /// How light is coded, where that is for more than ordinary screens: `HDR (PQ)`.
  var dynamicRangeWords: String? {
    let colour = colour
    return colour.isHDR ? colour.videoRange.map { "HDR (\($0))" } : nil
  }

  private static let referenceNames: [FourCC: String] = [
    "chap": "chapters in", "tmcd": "timecode in", "cdsc": "describes", "cdep": "depends on",
    "sbas": "base layer in", "scal": "extracts from", "oref": "operating points in", "auxl": "auxiliary of",
    "vdep": "depth of", "vplx": "parallax of", "subt": "subtitles in", "font": "fonts in",
    "hint": "hints for",
    "sync": "synchronised with", "folw": "subtitles in", "fall": "falls back to",
    "forc": "forced subtitles in",
    "rndr": "rendered from",
  ]

  /// Codecs, by the type of the sample entry.
  static let codecNames: [FourCC: String] = [
    "hvc1": "HEVC", "hev1": "HEVC", "hvc2": "HEVC", "hev2": "HEVC", "hvc3": "HEVC", "hev3": "HEVC",
    "lhv1": "layered HEVC", "lhe1": "layered HEVC", "hvt1": "HEVC tiles", "dvh1": "Dolby Vision HEVC",
    "dvhe": "Dolby Vision HEVC", "avc1": "H.264", "avc2": "H.264", "avc3": "H.264", "avc4": "H.264",
    "vvc1": "VVC", "vvi1": "VVC", "av01": "AV1", "vp08": "VP8", "vp09": "VP9", "mp4v": "MPEG-4 video",
    "jpeg": "JPEG", "mjpa": "Motion JPEG", "mjpb": "Motion JPEG", "mjp2": "JPEG 2000", "png ": "PNG",
    "apch": "ProRes 422 HQ", "apcn": "ProRes 422", "apcs": "ProRes 422 LT", "apco": "ProRes 422 Proxy",
    "ap4h": "ProRes 4444", "ap4x": "ProRes 4444 XQ", "aprn": "ProRes RAW", "aprh": "ProRes RAW HQ",
    "s263": "H.263", "uncv": "uncompressed", "resv": "restricted video",
    "mp4a": "AAC", ".mp3": "MP3", "alac": "Apple Lossless", "ac-3": "Dolby Digital",
    "ec-3": "Dolby Digital Plus", "ac-4": "Dolby AC-4", "Opus": "Opus", "fLaC": "FLAC",
    "apac": "APAC spatial",
    "mhm1": "MPEG-H", "mhm2": "MPEG-H", "mha1": "MPEG-H", "mha2": "MPEG-H", "iamf": "IAMF", "dtsc": "DTS",
    "dtsh": "DTS-HD", "dtsl": "DTS-HD", "dtse": "DTS", "mlpa": "Dolby TrueHD", "samr": "AMR",
    "sawb": "AMR wideband",
    "lpcm": "PCM", "ipcm": "PCM", "fpcm": "PCM", "twos": "PCM", "sowt": "PCM", "in24": "PCM", "in32": "PCM",
    "fl32": "PCM", "fl64": "PCM", "ulaw": "µ-law PCM", "alaw": "A-law PCM", "ima4": "IMA ADPCM",
    "tx3g": "timed text", "text": "QuickTime text", "wvtt": "WebVTT", "stpp": "TTML", "c608": "CEA-608",
    "c708": "CEA-708",
  ]
}
