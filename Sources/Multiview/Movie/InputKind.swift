// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
import ISOBMFF

/// What the first bytes of a file say it is.
package enum InputKind: Hashable, Sendable {
  /// Boxes: MP4, QuickTime, HEIF, a fragment.
  case boxes
  /// A raw HEVC stream with start codes.
  case hevcStream
  /// An HLS playlist.
  case playlist
  /// No bytes at all.
  case empty
  /// Something else; in words if it is well known.
  case other(String?)

  /// Pictures for an encoder.
  package static let y4m = InputKind.other("a Y4M stream")
  /// Something that people can read.
  package static let text = InputKind.other("text")

  /// The number of bytes that are examined.
  package static let lookahead = 512

  /// Recognises the beginning of a file that has `size` bytes, if that is known.
  package static func of(_ head: ByteView, size: UInt64?) -> InputKind {
    if head.isEmpty { return .empty }
    if head.prefix(7).array == Array("#EXTM3U".utf8) { return .playlist }
    // What is well known comes first: four bytes of anything may look like the type of a box.
    if let known = wellKnown(head) { return .other(known) }
    if isBox(head, size: size) { return .boxes }
    if let startCode = startCode(head) {
      return isHEVC(head, after: startCode) ? .hevcStream : .other("a raw stream of a codec other than HEVC")
    }
    return isText(head) ? .text : .other(nil)
  }

  /// Why a command for other kinds cannot use it, as the end of a sentence.
  package var whyUnusable: String {
    switch self {
    case .empty: "is empty"
    case .other(let what?): "is \(what), not an MP4 or QuickTime movie or an HEVC stream"
    case .other(nil): "is neither a movie nor an HEVC stream"
    case .hevcStream: "is a raw HEVC stream: it has no boxes"
    case .boxes: "is not a raw HEVC stream"
    case .playlist: "is an HLS playlist, not an MP4 or QuickTime movie or an HEVC stream"
    }
  }

  /// A box header of a type that is at the top level of files; or of another that could be one, if its size fits.
  private static func isBox(_ head: ByteView, size: UInt64?) -> Bool {
    guard let boxSize = head.bigEndian(at: 0, width: 4), let type = head.fourCC(at: 4) else { return false }
    guard boxSize < 2 || boxSize >= 8 else { return false }
    if commonTypes.contains(type) { return true }
    guard type.isPrintable else { return false }
    if BoxRegistry.standard.registration(for: type, in: .file) != nil { return true }
    guard let size, boxSize >= 8, boxSize <= size else { return false }
    // The type is not known: the next header, or the end of the file, must be where the size says.
    guard boxSize < size, boxSize <= UInt64(head.count) else { return boxSize == size }
    guard let next = head.fourCC(at: Int(boxSize) + 4) else { return false }
    return next.isPrintable
  }

  /// The types with which files begin; these need no registry.
  private static let commonTypes: Set<FourCC> = [
    "ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "pnot", "sidx", "emsg", "prft", "uuid",
    "meta",
  ]

  /// Where the first NAL unit begins: after a start code, and at most a few zero bytes before it.
  private static func startCode(_ head: ByteView) -> Int? {
    var zeros = 0
    while zeros < head.count, head[zeros] == 0 { zeros += 1 }
    return zeros >= 2 && zeros < 64 && head[zeros] == 1 ? zeros + 1 : nil
  }

  /// Whether the first NAL unit is one with which an HEVC stream begins: the headers of other codecs read as none.
  private static func isHEVC(_ head: ByteView, after start: Int) -> Bool {
    guard let header = head.bigEndian(at: start, width: 2) else { return false }
    let type = header >> 9 & 63, layer = header >> 3 & 63, temporal = header & 7
    guard header >> 15 == 0, layer < 63, temporal > 0 else { return false }
    switch type {
    case 32...35, 39: return temporal == 1
    // Slices: a stream that was cut out of another may begin with one. Those of AVC read as a layer above 31.
    case 16...21: return layer < 8 && temporal == 1
    default: return false
    }
  }

  private static func isText(_ head: ByteView) -> Bool {
    for byte in head.array where byte < 0x20 {
      guard byte == 0x09 || byte == 0x0A || byte == 0x0D || byte == 0x0C || byte == 0x1B else { return false }
    }
    // Samples of pictures are seldom below 0x20, either. A character may be cut off at the end.
    let characters = String(decoding: head.array, as: UTF8.self).unicodeScalars
    let isCut = head.count >= lookahead
    guard !characters.dropLast(isCut ? 3 : 0).contains("\u{FFFD}") else { return false }
    return !isCut || characters.contains(" ") || characters.contains("\n") || characters.contains("\r")
  }

  /// Whether another program may find sound in it, and no movie that this library reads.
  package var mayHaveForeignSound: Bool {
    guard case .other(let what?) = self else { return false }
    return Self.namesOfSound.contains(what) || hasForeignPictures
  }

  /// Whether it is a movie that only other programs read, which may have sound.
  package var hasForeignPictures: Bool {
    guard case .other(let what?) = self else { return false }
    return Self.namesOfMovies.contains(what)
  }

  private static let namesOfMovies: Set<String> = [
    "an AVI movie", "a Matroska or WebM movie", "a Windows Media file", "an Ogg file", "a Flash movie",
    "an MXF file", "an MPEG program stream", "an MPEG transport stream",
  ]

  private static let namesOfSound: Set<String> = [
    "a WAVE file", "a FLAC file", "an MP3 file", "an AAC stream (ADTS)",
  ]

  private static let signatures: [(offset: Int, bytes: [UInt8], name: String)] = [
    (0, [0xFF, 0xD8, 0xFF], "a JPEG picture"),
    (0, [0x89, 0x50, 0x4E, 0x47], "a PNG picture"),
    (0, Array("GIF8".utf8), "a GIF picture"),
    (0, Array("II*\0".utf8), "a TIFF or raw picture"),
    (0, Array("MM\0*".utf8), "a TIFF or raw picture"),
    (8, Array("AVI ".utf8), "an AVI movie"),
    (8, Array("WAVE".utf8), "a WAVE file"),
    (8, Array("WEBP".utf8), "a WebP picture"),
    (0, [0x1A, 0x45, 0xDF, 0xA3], "a Matroska or WebM movie"),
    (0, [0x30, 0x26, 0xB2, 0x75], "a Windows Media file"),
    (0, Array("OggS".utf8), "an Ogg file"),
    (0, Array("fLaC".utf8), "a FLAC file"),
    (0, Array("ID3".utf8), "an MP3 file"),
    (0, Array("FLV".utf8), "a Flash movie"),
    (0, [0x06, 0x0E, 0x2B, 0x34], "an MXF file"),
    (0, [0x00, 0x05, 0x16, 0x07], "an AppleDouble file (metadata that macOS keeps beside a file)"),
    (0, [0x00, 0x00, 0x01, 0xBA], "an MPEG program stream"),
    (0, [0x00, 0x00, 0x01, 0xB3], "an MPEG-2 video stream"),
    (0, Array("PK\u{3}\u{4}".utf8), "a ZIP archive"),
    (0, Array("%PDF".utf8), "a PDF document"),
    (0, [0x1F, 0x8B], "a gzip archive"),
    (0, [0x7F, 0x45, 0x4C, 0x46], "a program"),
    (0, Array("<?xml".utf8), "an XML document"),
    (0, Array("YUV4MPEG2 ".utf8), "a Y4M stream"),
    (0, [0xFF, 0xFB], "an MP3 file"), (0, [0xFF, 0xF3], "an MP3 file"), (0, [0xFF, 0xF2], "an MP3 file"),
    (0, [0xFF, 0xF1], "an AAC stream (ADTS)"), (0, [0xFF, 0xF9], "an AAC stream (ADTS)"),
  ]

  private static func wellKnown(_ head: ByteView) -> String? {
    // By the first byte first: to slice and copy for each signature took as long as the rest of opening a file.
    for signature in signatures
    where head[signature.offset] == signature.bytes.first
      && head.slice(signature.offset..<(signature.offset + signature.bytes.count))?.array == signature.bytes
    {
      return signature.name
    }
    if head[0] == 0x47, head[188] == 0x47, head[376] == 0x47 { return "an MPEG transport stream" }
    return nil
  }
}
