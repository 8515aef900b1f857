// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
public import HEVCEncoding
public import MovieEditing
public import MoviePictures
public import Multiview

extension StereoSource {
  /// Makes a source of the pictures of a movie, which are decoded as they are needed.
  ///
  /// - Parameters:
  ///   - movie: a movie, or a raw stream, of HEVC.
  ///   - layout: how the eyes are arranged, if the movie does not signal it; ``SourceLayout/separate`` for a movie that has both.
  ///   - frameRate: the frame rate; `nil` for the times of the movie.
  public init(
    movie: MovieFile, layout: SourceLayout? = nil, frameRate: FrameRate? = nil
  ) throws(EncodingError) {
    guard let track = movie.mainVideoTrack else {
      throw EncodingError(
        .unreadable,
        movie.tracks.isEmpty && movie.items != nil
          ? "is an image file, not a movie" : "the movie has no video track")
    }
    if layout == .sideBySide || layout == .overUnder, track.packedEyes == nil, track.joined.hasLayersForEyes {
      throw EncodingError(
        .unsupported,
        "the movie has a layer for each eye, but a layout describes pictures that hold both eyes",
        advice: "Leave the layout out to encode the eyes as layers again. To get a movie of pictures side by "
          + "side, decode both eyes\(.renderSideBySide).")
    }
    try Self.check(layout, against: track.packedEyes)
    let source = try SourceMovie(movie, track, layout: layout)
    // Of halves of a picture, other layers are not needed, and may not be there.
    let usesLayers = layout == nil ? track.packedEyes == nil : layout == .separate
    let options = usesLayers ? PictureOptions() : PictureOptions(layers: [0])
    let feed = try MoviePictureFeed(track, options, frameRate, layout: layout)
    if feed.hasBothEyes, layout == nil || layout == .separate {
      let left = try MovieEyePictures(feed, eye: .left), right = try MovieEyePictures(feed, eye: .right)
      try self.init(
        left, second: right, layout: .separate, of: source, cleanAperture: feed.cleanAperture)
      return
    }
    guard let layout else {
      throw EncodingError(
        .unsupported, "the movie does not signal how the eyes are arranged",
        advice: "Give the layout: side-by-side, over-under or mono\(.setLayout).")
    }
    guard layout != .separate else {
      throw EncodingError(
        .unlikePictures,
        "the separate layout needs two sources, or a movie with a layer for each eye",
        advice: "Give another layout: side-by-side, over-under or mono\(.setLayout).")
    }
    try self.init(
      MovieEyePictures(feed, eye: nil), second: nil, layout: layout, of: source,
      cleanAperture: feed.cleanAperture)
  }

  /// Refuses another arrangement of the eyes than the movie signals.
  private static func check(_ layout: SourceLayout?, against eyes: PackedEyes?) throws(EncodingError) {
    let signalled: SourceLayout
    switch eyes?.packing {
    case .sideBySide: signalled = .sideBySide
    case .overUnder: signalled = .overUnder
    default: return
    }
    guard layout == .sideBySide || layout == .overUnder, layout != signalled else { return }
    throw EncodingError(
      .unlikePictures, "the movie signals that the eyes are \(signalled.words)",
      advice: "Leave the layout out. If the movie is wrong, correct its tags first.")
  }
}

extension Track {
  /// Whether one layer is for the left eye, and another one for the right.
  fileprivate var hasLayersForEyes: Bool {
    eyeAssignment.layer(of: .left) != nil && eyeAssignment.layer(of: .right) != nil
  }
}

extension PlanarFrame {
  /// Makes a frame of a picture that is encoded again.
  ///
  /// - Parameters:
  ///   - number: the number of the picture in errors; `nil` if there is none.
  ///   - isCropped: whether only the clean aperture is encoded.
  fileprivate init(
    toEncode picture: Picture, _ number: Int?, isCropped: Bool = false
  ) throws(EncodingError) {
    do {
      let whole = try PlanarFrame(picture)
      self = isCropped ? whole.cropped(to: picture.geometry.region(of: picture.size)) : whole
    } catch {
      throw EncodingError(.unsupported, picture: number, "\(error)")
    }
    guard chromaArrayType == 1 else {
      throw EncodingError(
        .unsupported, picture: number, "its samples are not 4:2:0", advice: "Convert the movie first.")
    }
    guard picture.problems.isEmpty else {
      throw EncodingError(
        .unreadable, picture: number, "it cannot be decoded completely: \(picture.problems[0])")
    }
  }
}

extension SourceFormat {
  fileprivate init(_ frame: PlanarFrame) {
    self.init(size: PictureSize(width: frame.width, height: frame.height), bitDepth: frame.bitDepth)
  }

  fileprivate var name: String { "\(size.width)×\(size.height), \(bitDepth) bit" }
}

extension SourcePicture {
  /// Makes a picture of one that was decoded, without what is cropped.
  ///
  /// - Throws: an ``HEVCEncoding/EncodingError`` if its samples are not 4:2:0 with 8 or 10 bits, or it has problems.
  public convenience init(_ picture: Picture) throws(EncodingError) {
    let frame = try PlanarFrame(toEncode: picture, nil)
    try self.init(SourceFormat(frame), bytes: ByteView(frame.bytes))
  }
}

/// Decodes the pictures of a track for two readers that take turns.
private final class MoviePictureFeed {
  let frameRate: FrameRate?
  let meaning: SampleMeaning
  let hasBothEyes: Bool
  /// How many samples the track has.
  let expectedPictures: Int?
  /// Whether the clean aperture is cut out: its sides are on whole chroma samples in all pictures. Halves for two eyes are encoded as
  /// they are: the aperture is one of both together.
  private let isCropped: Bool
  /// The part of the pictures to show if it is not cut out; `nil` for all of them.
  let cleanAperture: CleanApertureBox?

  private let reader: PictureGroupReader
  private var waiting: PictureGroup?
  /// Whether the pictures have the times of the movie.
  private let hasTimes: Bool
  private var number = 0
  /// The format of the pictures of each eye, that of the first ones.
  private var formats: [StereoEye?: SourceFormat] = [:]
  private let colour: VideoColour
  /// The display geometry of the first picture of each eye.
  private var geometries: [StereoEye?: DisplayGeometry] = [:]
  private let peak: Double?
  private var right: PlanarPicture?

  init(
    _ track: Track, _ options: PictureOptions, _ frameRate: FrameRate?, layout: SourceLayout?
  ) throws(EncodingError) {
    do {
      reader = try track.pictures(options: options)
      waiting = try reader.next()
    } catch { throw EncodingError(.unreadable, "\(error)") }
    guard let first = waiting, let picture = first.layers.first else {
      throw EncodingError(.unreadable, "the movie has no pictures")
    }
    expectedPictures = track.sampleCount
    hasBothEyes = first[.left] != nil && first[.right] != nil
    hasTimes = frameRate == nil
    let areHalves = layout == .sideBySide || layout == .overUnder || track.packedEyes != nil
    let isEven = first.layers.allSatisfy { picture in
      let region = picture.geometry.region(of: picture.size)
      return (region.x | region.y | region.width | region.height) & 1 == 0
    }
    isCropped = !areHalves && isEven
    cleanAperture = areHalves || isEven ? nil : picture.geometry.aperture
    colour = picture.colour
    peak = picture.peak
    let own = track.pictureRate.flatMap { rate -> FrameRate? in
      guard let numerator = UInt32(exactly: rate.numerator),
        let denominator = UInt32(exactly: rate.denominator)
      else { return nil }
      return FrameRate(numerator, denominator)
    }
    self.frameRate = frameRate ?? own
    var meaning = SampleMeaning()
    meaning.chromaLocation = picture.chromaLocation.flatMap { UInt8(exactly: $0) }
    meaning.masteringDisplay = track.masteringDisplay?.message
    meaning.contentLightLevel = track.contentLightLevel?.message
    meaning.isFullRange = picture.colour.isFullRange
    let colour = picture.colour
    if colour.primaries != nil || colour.transfer != nil || colour.matrix != nil {
      func code(_ number: Int?) -> UInt8 { number.flatMap { UInt8(exactly: $0) } ?? 2 }
      meaning.colour = ColourDescription(
        primaries: code(colour.primaries), transfer: code(colour.transfer), matrix: code(colour.matrix))
    }
    let shape = picture.geometry.pixelShape
    if shape.width != shape.height, let width = UInt16(exactly: shape.width),
      let height = UInt16(exactly: shape.height)
    {
      meaning.pixelShape = AspectRatio(width: width, height: height)
    }
    self.meaning = meaning
  }

  /// The picture at the first time, without taking it.
  func format(_ eye: StereoEye?) throws(EncodingError) -> SourceFormat {
    guard let group = waiting, let picture = eye.map({ group[$0] }) ?? group.layers.first else {
      throw EncodingError(.unlikePictures, picture: 0, "an eye is missing")
    }
    let format = SourceFormat(try PlanarFrame(toEncode: picture, 0, isCropped: isCropped))
    formats[eye] = format
    geometries[eye] = picture.geometry
    return format
  }

  /// The samples that an eye sees next; the left eye, or the only one, comes first.
  func next(_ eye: StereoEye?) throws(EncodingError) -> PlanarPicture? {
    if eye == .right {
      defer { right = nil }
      return right
    }
    let group: PictureGroup?
    if let waiting {
      group = waiting
      self.waiting = nil
    } else {
      do { group = try reader.next() } catch { throw EncodingError(.unreadable, picture: number, "\(error)") }
    }
    if let problem = reader.takeProblems().first {
      throw EncodingError(
        .unreadable, picture: number, problem, advice: Advice("Repair the movie first, if that is possible."))
    }
    guard let group else { return nil }
    defer { number += 1 }
    func planes(_ picture: Picture, _ eye: StereoEye?) throws(EncodingError) -> PlanarPicture {
      let frame = try PlanarFrame(toEncode: picture, number, isCropped: isCropped)
      if let first = formats[eye], first != SourceFormat(frame) {
        throw unlike("it is \(SourceFormat(frame).name), but the first picture is \(first.name)")
      }
      guard picture.colour == colour else {
        throw unlike("its colour coding differs from that of the first picture")
      }
      if let first = geometries[eye] { try compare(picture.geometry, with: first) }
      // Messages of light need not be repeated.
      if let first = peak, let light = picture.peak, light != first {
        throw unlike("the light level of its sequence differs from that of the first picture")
      }
      return PlanarPicture(
        bytes: ByteView(frame.bytes), time: hasTimes ? group.presentationTime : nil,
        duration: hasTimes ? group.duration : nil)
    }
    guard let eye else {
      return try group.layers.first.map { picture throws(EncodingError) in try planes(picture, nil) }
    }
    guard let left = group[eye], let other = group[.right] else {
      throw EncodingError(.unlikePictures, picture: number, "an eye is missing")
    }
    right = try planes(other, .right)
    return try planes(left, .left)
  }

  private func compare(_ geometry: DisplayGeometry, with first: DisplayGeometry) throws(EncodingError) {
    let shape = geometry.pixelShape, other = first.pixelShape
    guard shape == other else {
      throw unlike(
        "its pixel shape is \(shape.width):\(shape.height), but that of the first picture is "
          + "\(other.width):\(other.height)")
    }
    guard geometry.aperture == first.aperture || !isCropped && cleanAperture == nil else {
      throw unlike("its clean aperture differs from that of the first picture")
    }
  }

  private func unlike(_ reason: String) -> EncodingError {
    EncodingError(
      .unlikePictures, picture: number, reason,
      advice: Advice("Cut the movie there, and encode its parts one by one."))
  }
}

/// The pictures of one eye of a movie, or its whole pictures.
private struct MovieEyePictures: PlanarPictures {
  let format: SourceFormat
  private let feed: MoviePictureFeed
  private let eye: StereoEye?

  init(_ feed: MoviePictureFeed, eye: StereoEye?) throws(EncodingError) {
    self.feed = feed
    self.eye = eye
    format = try feed.format(eye)
  }

  var frameRate: FrameRate? { feed.frameRate }
  var expectedPictures: Int? { feed.expectedPictures }
  var meaning: SampleMeaning { feed.meaning }

  mutating func next() throws(EncodingError) -> PlanarPicture? { try feed.next(eye) }
}
