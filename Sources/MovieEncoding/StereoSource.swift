// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess
import HEVC
public import HEVCEncoding
public import MovieEditing
public import Multiview

/// The pictures of both eyes at one time, or of the only one.
public struct StereoPictures: Sendable {
  /// The picture of the left eye, or the only one.
  public var left: SourcePicture
  /// The picture of the right eye; `nil` if there is one eye.
  public var right: SourcePicture?
  /// When they are shown; `nil` if all pictures are shown for the same time.
  public var time: MediaTime?
  /// How long they are shown if they are the last ones: others are shown until the next ones are. `nil` for as long as those
  /// before.
  public var duration: MediaTime?

  /// Makes pictures that are shown at a time.
  ///
  /// - Parameters:
  ///   - left: the picture of the left eye, or the only one.
  ///   - right: the picture of the right eye; `nil` if there is one eye.
  ///   - time: when they are shown; `nil` if all pictures are shown for the same time.
  ///   - duration: how long they are shown if they are the last ones; `nil` for as long as those before.
  public init(
    left: SourcePicture, right: SourcePicture? = nil, time: MediaTime? = nil, duration: MediaTime? = nil
  ) {
    self.left = left
    self.right = right
    self.time = time
    self.duration = duration
  }
}

/// Pictures of one or two eyes: from a Y4M stream, from raw planes, from two of either, from a movie, or from a function.
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
  /// Whether the eyes are swapped: the left eye of the layout is the right one.
  public var swapsEyes = false
  /// The frame rate; `nil` if the source does not specify it, or each picture has a time.
  public let frameRate: FrameRate?
  /// The approximate number of pictures; `nil` if the source does not specify it.
  public let expectedPictures: Int?
  /// The colour and light of the samples, if the source specifies them.
  public let meaning: SampleMeaning

  /// Where the pictures come from.
  private enum Origin {
    /// Whole pictures, or those of the left eye, and those of the right eye.
    case planes(any PlanarPictures, second: (any PlanarPictures)?)
    case function(() throws -> StereoPictures?)
  }

  private var origin: Origin
  private var count = 0
  /// The streams or the movie that the pictures are read from.
  private(set) var inputs: [any ByteSource] = []
  /// The movie that the pictures are of; `nil` for other sources.
  private(set) var sourceMovie: SourceMovie?
  /// The part of the pictures to show, if it is not all of them and cannot be cut out.
  private(set) var cleanAperture: CleanApertureBox?

  /// Makes a source of pictures that are made while the movie is written, by a renderer or a compositor.
  ///
  /// ```swift
  /// let source = try StereoSource(SourceFormat(size: size)) {
  ///   guard let frame = try renderer.next() else { return nil }
  ///   return StereoPictures(left: frame.left, right: frame.right, time: frame.time)
  /// }
  /// ```
  ///
  /// If they have times, the first one is when the movie begins to show something.
  ///
  /// - Parameters:
  ///   - format: the size and the sample format of each eye.
  ///   - eyes: how many eyes there are: 1 or 2.
  ///   - frameRate: the frame rate; `nil` if each picture has a time.
  ///   - next: returns the pictures of the next time; `nil` after the last ones. What it throws ends the movie, which is not
  ///     written then.
  public init(
    _ format: SourceFormat, eyes: Int = 2, frameRate: FrameRate? = nil,
    next: @escaping () throws -> StereoPictures?
  ) throws(EncodingError) {
    try format.check()
    guard eyes == 1 || eyes == 2 else {
      throw EncodingError(.unsupported, "\(eyes) eyes cannot be encoded: only one or two")
    }
    self.format = format
    self.frameRate = frameRate
    layout = eyes == 1 ? .mono : .separate
    origin = .function(next)
    expectedPictures = nil
    meaning = SampleMeaning()
  }

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
    inputs = [first] + [second].compactMap { $0 }
  }

  /// Makes a source of sequences of pictures.
  package init(
    _ first: any PlanarPictures, second: (any PlanarPictures)?, layout: SourceLayout
  ) throws(EncodingError) {
    origin = .planes(first, second: second)
    self.layout = layout
    frameRate = first.frameRate
    expectedPictures = first.expectedPictures
    meaning = first.meaning
    guard (second != nil) == (layout == .separate) else {
      throw EncodingError(
        .unlikePictures,
        layout == .separate ? "the source of the right eye is missing" : "only one source is needed")
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
        "pictures of \(first.format.size) cannot be divided into halves with an even number of "
          + (layout == .sideBySide ? "columns" : "rows"),
        advice: "Crop or pad the source.")
    }
    if let second, second.format != first.format {
      throw EncodingError(
        .unlikePictures,
        "the pictures of the left eye are \(first.format.size) with \(first.format.bitDepth) bits, those of the right eye "
          + "\(second.format.size) with \(second.format.bitDepth) bits")
    }
    try format.check()
    self.format = format
  }

  /// Makes a source of the pictures of a movie.
  init(
    _ first: any PlanarPictures, second: (any PlanarPictures)?, layout: SourceLayout, of movie: SourceMovie,
    cleanAperture: CleanApertureBox?
  ) throws(EncodingError) {
    try self.init(first, second: second, layout: layout)
    sourceMovie = movie
    inputs = [movie.movie.source]
    self.cleanAperture = cleanAperture
  }

  /// Refuses two sources that differ in what one movie has once, unless it is given.
  func checkEyes(isRateGiven: Bool, _ given: SampleMeaning) throws(EncodingError) {
    guard case .planes(let first, second: let second?) = origin else { return }
    func check<Value: Equatable>(
      _ isGiven: Bool, _ left: Value?, _ right: Value?, _ what: String, advice: Advice
    ) throws(EncodingError) {
      guard !isGiven, let left, let right, left != right else { return }
      throw EncodingError(.unlikePictures, "the eyes have different \(what)", advice: advice)
    }
    try check(
      isRateGiven, first.frameRate, second.frameRate,
      "frame rates (\(first.frameRate?.description ?? ""), \(second.frameRate?.description ?? ""))",
      advice: "Convert one of the sources, or give the frame rate of both.")
    try check(
      given.isFullRange != nil, first.meaning.isFullRange ?? false, second.meaning.isFullRange ?? false,
      "ranges of sample values", advice: "Convert one of the sources, or give the range of both.")
    let convert: Advice = "Convert one of the sources."
    func shape(_ meaning: SampleMeaning) -> String {
      meaning.pixelShape?.ratio.map { "\($0.width):\($0.height)" } ?? "1:1"
    }
    let shapes = (shape(first.meaning), shape(second.meaning))
    try check(
      given.pixelShape != nil, shapes.0, shapes.1, "shapes of pixels (\(shapes.0), \(shapes.1))",
      advice: convert)
    try check(
      given.chromaLocation != nil, first.meaning.chromaLocation, second.meaning.chromaLocation,
      "locations of chroma samples", advice: convert)
  }

  /// Returns the pictures at the next time; `nil` at the end.
  public mutating func next() throws(EncodingError) -> StereoPictures? {
    var pictures: StereoPictures?
    switch origin {
    case .function(let next):
      do { pictures = try next() } catch {
        throw error as? EncodingError ?? EncodingError(.unreadable, picture: count, "\(error)")
      }
    case .planes(var first, var second):
      pictures = try next(&first, &second)
      origin = .planes(first, second: second)
    }
    guard var result = pictures else { return nil }
    guard (result.right != nil) == (layout != .mono) else {
      throw EncodingError(
        .unlikePictures, picture: count,
        layout == .mono ? "only pictures of one eye are needed" : "the picture of the right eye is missing")
    }
    count += 1
    if swapsEyes, let right = result.right {
      result.right = result.left
      result.left = right
    }
    return result
  }

  private func next(
    _ first: inout any PlanarPictures, _ second: inout (any PlanarPictures)?
  ) throws(EncodingError) -> StereoPictures? {
    let picture = try first.next()
    let other = try second?.next()
    if layout == .separate, (picture == nil) != (other == nil) {
      throw EncodingError(
        .unlikePictures, picture: count,
        "the \(picture == nil ? "left" : "right") eye has no more pictures, but the other one has",
        advice: "Both sources need the same number of pictures.")
    }
    guard let picture else { return nil }
    let bytes = picture.bytes
    let left: SourcePicture
    var right: SourcePicture?
    switch layout {
    case .mono: left = try SourcePicture(format, bytes: bytes)
    case .separate:
      left = try SourcePicture(format, bytes: bytes)
      right = try other.map { other throws(EncodingError) in try SourcePicture(format, bytes: other.bytes) }
    case .sideBySide, .overUnder:
      left = try half(bytes, 0, of: first.format.size)
      right = try half(bytes, 1, of: first.format.size)
    }
    return StereoPictures(left: left, right: right, time: picture.time, duration: picture.duration)
  }

  /// A half of a picture that both eyes share.
  private func half(
    _ bytes: ByteView, _ index: Int, of whole: PictureSize
  ) throws(EncodingError) -> SourcePicture {
    let sample = format.bytesPerSample
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
