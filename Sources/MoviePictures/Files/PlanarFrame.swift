// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

/// The planes of a picture as they were decoded, inside the conformance window: for Y4M files and raw planes.
/// They are neither rotated nor scaled, since programs that read planes want the samples themselves.
public struct PlanarFrame: Hashable, Sendable {
  /// The number of luma samples in a row.
  public private(set) var width: Int
  /// The number of rows of luma samples.
  public private(set) var height: Int
  /// The chroma format: 0 for luma alone, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4 (`ChromaArrayType`).
  public let chromaArrayType: Int
  /// The number of bits of a sample, the same in all planes.
  public let bitDepth: Int
  /// Whether samples use the full range of values; `nil` if not specified.
  public let isFullRange: Bool?
  /// Where chroma samples of 4:2:0 are located, 0 to 5 (`chroma_sample_loc_type`); 0 if not specified.
  public let chromaLocation: Int
  /// The shape of a pixel; square if not specified.
  public let pixelShape: DisplayGeometry.PixelShape
  /// The samples of each plane, row by row without gaps: one byte per sample of 8 bits, else two, least
  /// significant first.
  public private(set) var planes: [[UInt8]]
  /// Whether the planes are green, blue and red (`matrix_coeffs` 0).
  private let isGBR: Bool
  /// Whether they are one field of an interlaced picture.
  private let isField: Bool

  /// Makes a frame of the planes of a picture.
  ///
  /// - Throws: ``PictureError/unsupported(_:)`` if luma and chroma have different depths, which the file
  ///   formats cannot express, and for a half of a picture that shares chroma samples with the other one.
  public init(_ picture: Picture) throws(PictureError) {
    guard picture.hasOwnChroma else {
      throw .unsupported(
        "each eye is half of a \(picture.size) picture, and the halves share chroma samples, so they cannot be separated"
      )
    }
    let source = picture.planes
    guard source.chromaArrayType == 0 || source.bitDepthLuma == source.bitDepthChroma else {
      throw .unsupported(
        "luma has \(source.bitDepthLuma) bits and chroma \(source.bitDepthChroma): files of planes have one depth"
      )
    }
    width = source.width
    height = source.height
    chromaArrayType = source.chromaArrayType
    bitDepth = source.bitDepthLuma
    isFullRange = picture.colour.isFullRange
    chromaLocation = picture.chromaLocation ?? 0
    pixelShape = picture.geometry.pixelShape
    isGBR = picture.colour.matrix == 0
    isField = picture.isField
    planes = (0..<(source.chromaArrayType == 0 ? 1 : 3)).map { source.bytes($0) }
  }

  /// Combines the frames of both eyes into one, without changing a sample.
  ///
  /// - Throws: ``PictureError/eyesDiffer(_:)`` if the frames differ in format, and
  ///   ``PictureError/unsupported(_:)`` for an anaglyph, which needs colours.
  public static func combining(
    left: PlanarFrame, right: PlanarFrame, _ arrangement: StereoArrangement
  ) throws(PictureError) -> PlanarFrame {
    guard left.formatKey == right.formatKey else {
      throw .eyesDiffer(
        "the left eye's picture is \(left.width)x\(left.height) in \(left.bitDepth) bits, the right eye's "
          + "\(right.width)x\(right.height) in \(right.bitDepth) bits")
    }
    switch arrangement {
    case .anaglyph: throw .unsupported("an anaglyph can only be written as PNG")
    case .overUnder:
      return left.replacing(
        width: left.width, height: 2 * left.height, zip(left.planes, right.planes).map { $0 + $1 })
    case .sideBySide:
      let planes = left.planes.indices.map { component in
        sideBySide(left.planes[component], right.planes[component], row: max(1, left.rowBytes(component)))
      }
      return left.replacing(width: 2 * left.width, height: left.height, planes)
    }
  }

  private func replacing(width: Int, height: Int, _ planes: [[UInt8]]) -> PlanarFrame {
    var frame = self
    (frame.width, frame.height, frame.planes) = (width, height, planes)
    return frame
  }

  /// Returns a part of the frame, which begins and ends on whole chroma samples.
  package func cropped(to part: DisplayGeometry.Region) -> PlanarFrame {
    guard part.width != width || part.height != height else { return self }
    let size = bitDepth > 8 ? 2 : 1
    let cut = planes.indices.map { component -> [UInt8] in
      let isChroma = component > 0
      let columns = isChroma && (chromaArrayType == 1 || chromaArrayType == 2) ? 2 : 1
      let rows = isChroma && chromaArrayType == 1 ? 2 : 1
      let row = rowBytes(component), count = part.width / columns * size
      var cut: [UInt8] = []
      cut.reserveCapacity(part.height / rows * count)
      for y in 0..<(part.height / rows) {
        let start = (part.y / rows + y) * row + part.x / columns * size
        cut += planes[component][start..<(start + count)]
      }
      return cut
    }
    return replacing(width: part.width, height: part.height, cut)
  }

  /// The properties that all frames of one file have in common.
  package var formatKey: [Int] {
    [
      width, height, chromaArrayType, bitDepth, chromaLocation, pixelShape.width, pixelShape.height,
      isFullRange.map { $0 ? 2 : 1 } ?? 0,
    ]
  }

  private func rowBytes(_ component: Int) -> Int {
    let isHalf = component > 0 && (chromaArrayType == 1 || chromaArrayType == 2)
    return (isHalf ? (width + 1) / 2 : width) * (bitDepth > 8 ? 2 : 1)
  }

  /// The samples of all planes, plane by plane: a frame of a file of raw planes.
  public var bytes: [UInt8] { Self.joined(planes) }

  private static func joined(_ pieces: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
    for piece in pieces { bytes += piece }
    return bytes
  }

  // MARK: Y4M

  /// Returns the first line of a Y4M file of frames like this one, with its line feed.
  ///
  /// - Parameter rate: the number of pictures per second, as a fraction; `nil` if not known.
  /// - Throws: ``PictureError/unsupported(_:)`` for a sample format that Y4M has no name for.
  public func y4mHeader(rate: (numerator: Int, denominator: Int)?) throws(PictureError) -> [UInt8] {
    let rate = rate ?? (0, 0)
    var line = "YUV4MPEG2 W\(width) H\(height) F\(rate.numerator):\(rate.denominator)"
    // A field is not a whole picture, and Y4M has no word for one: "unknown".
    line += isField ? " I?" : " Ip"
    line += " A\(pixelShape.width):\(pixelShape.height) C\(try y4mFormat())"
    if let isFullRange { line += " XCOLORRANGE=" + (isFullRange ? "FULL" : "LIMITED") }
    return Array((line + "\n").utf8)
  }

  private func y4mFormat() throws(PictureError) -> String {
    let deep = bitDepth > 8 ? "p\(bitDepth)" : ""
    switch chromaArrayType {
    case 0: return bitDepth > 8 ? "mono\(bitDepth)" : "mono"
    case 1:
      guard deep.isEmpty else { return "420" + deep }
      switch chromaLocation {
      case 0: return "420mpeg2"
      case 1: return "420jpeg"
      case 2: return "420paldv"
      default:
        throw .unsupported("Y4M has no name for chroma location \(chromaLocation): write raw planes (.yuv)")
      }
    case 2: return "422" + deep
    default:
      guard !isGBR else {
        throw .unsupported(
          "Y4M has no name for samples of green, blue and red: write PNG or raw planes (.yuv)")
      }
      return "444" + deep
    }
  }

  /// The frame as it is written to a Y4M file, after the first line or another frame.
  public var y4mFrame: [UInt8] { Self.joined(y4mPieces) }

  /// The pieces of ``y4mFrame``, to be written without being copied.
  package var y4mPieces: [[UInt8]] { [Array("FRAME\n".utf8)] + planes }
}

extension Track {
  /// The number of pictures per second, as a fraction: by the duration that most samples of a movie have, of the first
  /// ten thousand, or by the timing information of a raw stream. `nil` if not known.
  public var pictureRate: (numerator: Int, denominator: Int)? {
    if isRawStream {
      guard let rate = layers.first?.sps?.pictureRate else { return nil }
      return (Int(clamping: rate.numerator), Int(clamping: rate.denominator))
    }
    do {
      guard let duration = try samples().prefix(10_000).mostFrequentDuration else { return nil }
      let divisor = Int(MediaTime.divisor(UInt64(timescale), UInt64(clamping: duration)))
      return (Int(timescale) / divisor, Int(clamping: duration) / divisor)
    } catch { return nil }
  }
}

extension Sequence<Sample> {
  /// The duration that most of them have, of several the one that comes first; `nil` if none has one.
  fileprivate var mostFrequentDuration: Int64? {
    var counts: [Int64: (count: Int, first: Int)] = [:]
    for sample in self where sample.duration > 0 {
      counts[sample.duration, default: (0, sample.index)].count += 1
    }
    return counts.max { ($0.value.count, $1.value.first) < ($1.value.count, $0.value.first) }?.key
  }
}
