// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess
import HEVC
package import HEVCEncoding
package import MovieEditing
import Multiview

/// A sequence of pictures whose samples are planes in 4:2:0.
package protocol PlanarPictures {
  /// The size and the sample format of its pictures.
  var format: SourceFormat { get }
  /// How many pictures there are in a second; `nil` if that is not known.
  var frameRate: FrameRate? { get }
  /// What the samples mean.
  var meaning: SampleMeaning { get }
  /// Returns the next picture; `nil` at the end.
  mutating func next() throws(EncodingError) -> PlanarPicture?
  /// About how many pictures there are; `nil` if that is not known.
  var expectedPictures: Int? { get }
}

/// A picture whose samples are planes.
package struct PlanarPicture {
  /// The samples, plane by plane without gaps.
  var bytes: ByteView
  /// When it is shown; `nil` if all pictures are shown for the same time.
  var time: MediaTime?
  /// How long it is shown; `nil` if that is not known.
  var duration: MediaTime?
}

/// Reads pictures from a Y4M stream, or from a stream of raw planes.
package struct PlanarReader: PlanarPictures {
  package let format: SourceFormat
  package private(set) var frameRate: FrameRate?
  package private(set) var meaning = SampleMeaning()
  private var reader: ForwardReader
  private let isY4M: Bool
  private var count = 0

  /// The longest first line, and the longest line before a picture: real ones have a tenth of that.
  private static let longestLine = 4_096

  /// Opens a stream.
  ///
  /// - Parameters:
  ///   - source: the stream.
  ///   - raw: the format of a stream that does not begin like Y4M.
  package init(_ source: any ByteSource, raw: SourceFormat?) throws(EncodingError) {
    reader = ForwardReader(source)
    let signature = Array("YUV4MPEG2 ".utf8)
    let start: ByteView
    do { start = try reader.peek(signature.count) } catch { throw Self.unreadable(error) }
    isY4M = start.array == signature
    guard isY4M else {
      guard let raw else {
        throw Self.undescribed(start)
      }
      if Self.isMovie(start) {
        throw EncodingError(
          .unsupported, "the source is a movie, not raw planes",
          advice: "Leave out the size and the sample format of raw planes.")
      }
      try raw.check()
      format = raw
      return
    }
    let line: String?
    do { line = try reader.line(limit: Self.longestLine) } catch { throw Self.unreadable(error) }
    guard let line else { throw EncodingError(.unreadable, "the first line of \(reader.name) has no end") }
    let header = try Y4MHeader(line)
    format = header.format
    frameRate = header.frameRate
    meaning = header.meaning
    if let raw, raw != format {
      throw EncodingError(
        .unsupported,
        "the Y4M source has pictures of \(format.size) with \(format.bitDepth) bits, but raw planes of \(raw.size) "
          + "with \(raw.bitDepth) bits are specified",
        advice: "Leave out the size and the sample format of raw planes.")
    }
    try format.check()
  }

  private static func isMovie(_ start: ByteView) -> Bool {
    let kind = InputKind.of(start, size: nil)
    return kind == .boxes || kind == .hevcStream
  }

  /// Why a stream without a description is not read.
  private static func undescribed(_ start: ByteView) -> EncodingError {
    switch InputKind.of(start, size: nil) {
    case .empty: EncodingError(.unreadable, "there are no pictures: the source is empty")
    case .playlist:
      EncodingError(
        .unreadable, "the source is an HLS playlist", advice: "Encode one of the movies that it lists.")
    case .boxes:
      EncodingError(
        .unreadable, "the source is a movie, which cannot be read from a pipe", advice: "Name its file.")
    case .hevcStream:
      EncodingError(
        .unreadable, "the source is a raw HEVC stream, which cannot be read from a pipe",
        advice: "Name its file.")
    case .other:
      EncodingError(
        .unreadable, "the source is not Y4M, and the size of raw planes is not known",
        advice: "For raw planes, give the size and the frame rate\(.describePlanes).")
    }
  }

  package var expectedPictures: Int? {
    // Before a picture, Y4M has a line, mostly of the shortest kind.
    reader.size.map { Int(clamping: $0 / UInt64(format.pictureBytes + (isY4M ? "FRAME\n".utf8.count : 0))) }
  }

  private static func unreadable(_ error: SourceError, picture: Int? = nil) -> EncodingError {
    var error = error
    let advice = error.advice
    error.advice = ""
    return EncodingError(.unreadable, picture: picture, "\(error)", advice: advice)
  }

  package mutating func next() throws(EncodingError) -> PlanarPicture? {
    do throws(SourceError) {
      if isY4M {
        guard try !reader.peek(1).isEmpty else { return nil }
        let offset = reader.offset
        guard let line = try reader.line(limit: Self.longestLine), line == "FRAME" || line.hasPrefix("FRAME ")
        else {
          throw SourceError(.other("FRAME is missing at the beginning of a picture"), offset: offset)
        }
      }
      let bytes = try reader.take(format.pictureBytes)
      if bytes.isEmpty, !isY4M { return nil }
      guard bytes.count == format.pictureBytes else {
        throw SourceError(
          .other("it ends after \(bytes.count) of its \(format.pictureBytes) bytes"),
          advice: "The source is truncated, or the given size is wrong.")
      }
      count += 1
      return PlanarPicture(bytes: bytes)
    } catch { throw Self.unreadable(error, picture: count) }
  }
}

/// The first line of a Y4M stream.
private struct Y4MHeader {
  var format = SourceFormat(size: PictureSize(width: 0, height: 0))
  var frameRate: FrameRate?
  var meaning = SampleMeaning()

  init(_ line: String) throws(EncodingError) {
    for word in line.split(separator: " ").dropFirst() {
      let value = word.dropFirst()
      switch word.first {
      case "W": format.size.width = try Self.number(value, word)
      case "H": format.size.height = try Self.number(value, word)
      case "F":
        let parts = value.split(separator: ":").map { UInt32($0) }
        if parts.count == 2, let numerator = parts[0], let denominator = parts[1] {
          frameRate = FrameRate(numerator, denominator)
        }
      case "A":
        let parts = value.split(separator: ":").map { UInt64($0) }
        if parts.count == 2, let width = parts[0], let height = parts[1], width > 0, height > 0 {
          meaning.pixelShape = try Self.shape(width, height, word)
        }
      case "I":
        guard value == "p" || value == "?" else {
          throw EncodingError(.unsupported, "the source is interlaced", advice: "Deinterlace it first.")
        }
      case "C": try setColourSpace(value)
      case "X":
        if value == "COLORRANGE=FULL" { meaning.isFullRange = true }
        if value == "COLORRANGE=LIMITED" { meaning.isFullRange = false }
      default: break
      }
    }
    guard format.size.width > 0, format.size.height > 0 else {
      throw EncodingError(
        .unreadable, "the first line of the Y4M source does not specify the picture size")
    }
  }

  /// The shape of a pixel, in lowest terms if it does not fit otherwise; `nil` for a square.
  private static func shape(
    _ width: UInt64, _ height: UInt64, _ word: Substring
  ) throws(EncodingError) -> AspectRatio? {
    guard width != height else { return nil }
    if let width = UInt16(exactly: width), let height = UInt16(exactly: height) {
      return AspectRatio(width: width, height: height)
    }
    let divisor = MediaTime.divisor(width, height)
    guard let width = UInt16(exactly: width / divisor), let height = UInt16(exactly: height / divisor) else {
      throw EncodingError(
        .unsupported, "the shape of pixels in the Y4M source, \(word), cannot be expressed in a stream",
        advice: "Express it in numbers up to 65535.")
    }
    return AspectRatio(width: width, height: height)
  }

  private static func number(_ text: Substring, _ word: Substring) throws(EncodingError) -> Int {
    guard let number = Int(text), number > 0, number <= 65_535 else {
      throw EncodingError(.unreadable, "the first line of the Y4M source has the size '\(word)'")
    }
    return number
  }

  private mutating func setColourSpace(_ name: Substring) throws(EncodingError) {
    switch name {
    case "420": break
    case "420mpeg2": meaning.chromaLocation = 0
    case "420jpeg": meaning.chromaLocation = 1
    case "420paldv": meaning.chromaLocation = 2
    case "420p10": format.bitDepth = 10
    default:
      throw EncodingError(
        .unsupported, "the samples of the source are C\(name), which cannot be encoded",
        advice: "Convert it to 4:2:0 with 8 or 10 bits.")
    }
  }
}
