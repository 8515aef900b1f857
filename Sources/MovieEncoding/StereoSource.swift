// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess
public import HEVC
public import HEVCEncoding
public import MovieEditing

/// The pictures of both eyes at one time, or of the only one.
public struct StereoPictures: Sendable {
  /// The picture of the left eye, or the only one.
  public var left: SourcePicture
  /// The picture of the right eye; `nil` if there is one eye.
  public var right: SourcePicture?
}

/// Pictures of one or two eyes from a Y4M stream, from raw planes, or from two of either.
///
/// ```swift
/// var source = try StereoSource(path: "side-by-side.y4m", layout: .sideBySide)
/// while let pictures = try source.next() { … }
/// ```
public struct StereoSource {
  /// How the eyes are arranged.
  public let layout: SourceLayout
  /// The size and the sample format of each eye.
  public let format: SourceFormat
  /// Whether the eyes are exchanged: what the layout says is the left eye is the right one.
  public var swapsEyes = false

  private var first: any PlanarPictures
  private var second: (any PlanarPictures)?
  private var count = 0

  /// Opens a source.
  ///
  /// - Parameters:
  ///   - path: the file or the pipe; for ``SourceLayout/separate``, that of the left eye.
  ///   - second: the file or the pipe of the right eye, for ``SourceLayout/separate``.
  ///   - layout: how the eyes are arranged.
  ///   - raw: the format of the pictures, if they are raw planes.
  public init(
    path: String, second: String? = nil, layout: SourceLayout, raw: SourceFormat? = nil
  ) throws(EncodingError) {
    try self.init(
      Self.open(path), second: second.map { path throws(EncodingError) in try Self.open(path) },
      layout: layout, raw: raw)
  }

  private static func open(_ path: String) throws(EncodingError) -> any ByteSource {
    do { return try openInput(path: path, keeping: .recent) } catch {
      throw EncodingError(.unreadable, "\(error)")
    }
  }

  /// Makes a source of open streams.
  package init(
    _ first: any ByteSource, second: (any ByteSource)? = nil, layout: SourceLayout, raw: SourceFormat? = nil
  ) throws(EncodingError) {
    try self.init(
      PlanarReader(first, raw: raw),
      second: second.map { second throws(EncodingError) in try PlanarReader(second, raw: raw) },
      layout: layout)
  }

  /// Makes a source of sequences of pictures.
  package init(
    _ first: any PlanarPictures, second: (any PlanarPictures)?, layout: SourceLayout
  ) throws(EncodingError) {
    self.first = first
    self.second = second
    self.layout = layout
    guard (second != nil) == (layout == .separate) else {
      throw EncodingError(
        .unlikePictures,
        layout == .separate ? "the source of the right eye is missing" : "there is a second source")
    }
    var format = first.format
    switch layout {
    case .sideBySide: format.size.width /= 2
    case .overUnder: format.size.height /= 2
    case .separate, .mono: break
    }
    let isWhole =
      layout == .sideBySide
      ? first.format.size.width % 4 == 0 : layout != .overUnder || first.format.size.height % 4 == 0
    guard isWhole else {
      throw EncodingError(
        .unsupported,
        "pictures of \(first.format.size) have no halves with an even number of "
          + (layout == .sideBySide ? "columns" : "rows"),
        advice: "Crop or pad the source.")
    }
    if let second, second.format != first.format {
      throw EncodingError(
        .unlikePictures,
        "the left eye has pictures of \(first.format.size) with \(first.format.bitDepth) bits, the right eye of "
          + "\(second.format.size) with \(second.format.bitDepth)")
    }
    try format.check()
    self.format = format
  }

  /// About how many pictures there are; `nil` if the source does not say it.
  public var expectedPictures: Int? { first.expectedPictures }
  /// How many pictures there are in a second; `nil` if the source does not say it.
  public var frameRate: FrameRate? { first.frameRate }
  /// What the samples mean; `nil` if the source does not say it.
  public var videoSignal: VideoSignalType? { first.videoSignal }
  /// Where chroma samples are; `nil` if the source does not say it.
  public var chromaLocation: UInt8? { first.chromaLocation }

  /// Returns the pictures at the next time; `nil` at the end.
  public mutating func next() throws(EncodingError) -> StereoPictures? {
    let bytes = try first.next()
    let other = try second?.next()
    if layout == .separate, (bytes == nil) != (other == nil) {
      throw EncodingError(
        .unlikePictures, picture: count,
        "the \(bytes == nil ? "left" : "right") eye has no more pictures, the other one has",
        advice: "Both sources need the same number of pictures.")
    }
    guard let bytes else { return nil }
    count += 1
    switch layout {
    case .mono: return StereoPictures(left: try SourcePicture(format, bytes: bytes), right: nil)
    case .separate:
      guard let other else { return nil }
      return pictures(try SourcePicture(format, bytes: bytes), try SourcePicture(format, bytes: other))
    case .sideBySide, .overUnder: return pictures(try half(bytes, 0), try half(bytes, 1))
    }
  }

  private func pictures(_ one: SourcePicture, _ other: SourcePicture) -> StereoPictures {
    swapsEyes ? StereoPictures(left: other, right: one) : StereoPictures(left: one, right: other)
  }

  /// A half of a picture that both eyes share.
  private func half(_ bytes: ByteView, _ index: Int) throws(EncodingError) -> SourcePicture {
    let whole = first.format.size, sample = format.bytesPerSample
    let rows = [whole.width * sample, whole.width / 2 * sample, whole.width / 2 * sample]
    let luma = rows[0] * whole.height
    var offsets = [0, luma, luma + luma / 4]
    for component in 0..<3 where index > 0 {
      let height = component == 0 ? whole.height : whole.height / 2
      offsets[component] += layout == .sideBySide ? rows[component] / 2 : rows[component] * (height / 2)
    }
    return try SourcePicture(format, planes: bytes, offsets: offsets, strides: rows)
  }
}
