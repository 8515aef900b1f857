// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import HEVC
import HEVCDecoding
import HEVCEncoding
import MovieEditing
import Multiview

/// The output of an encoder so far.
public struct EncodingProgress: Hashable, Sendable {
  /// How many pictures of each eye are encoded.
  public var pictures = 0
  /// How many there will be; `nil` if the source does not specify it.
  public var expectedPictures: Int?
  /// How many bytes each layer takes, without parameter sets.
  public var layerBytes: [Int] = []
  /// The sums of the squared differences of the samples of each layer from those of the source, by plane.
  public var squaredErrors: [[Int]] = []
}

/// Encodes a source while its units are read.
final class EncodedUnits: UnitReader {
  let entry: Int? = nil
  let shortUnits = 0
  let hasLeadingBytes = false

  private var source: StereoSource
  private let encoder: HEVCEncoder
  private let configuration: EncoderConfiguration
  private let settings: SpatialMovieSettings
  private let report: ((EncodingProgress) -> Void)?
  private(set) var progress = EncodingProgress()
  /// Why the units ended early; `nil` if they did not.
  private(set) var failure: EncodingError?
  /// When the pictures so far are shown; `nil` if all are shown for the same time.
  private(set) var presentation: PresentationTimes?

  private var waiting: ArraySlice<NALUnit> = []
  private var isAtEnd = false
  /// The decoder that checks every picture; `nil` for none.
  private let decoder: HEVCDecoder?

  init(
    _ source: StereoSource, _ settings: SpatialMovieSettings, report: ((EncodingProgress) -> Void)?
  ) throws(EncodingError) {
    self.source = source
    self.settings = settings
    self.report = report
    try source.checkEyes(
      isRateGiven: settings.movie.frameRate != nil, settings.compression.meaning)
    var configuration = settings.compression
    configuration.writesPictureHashes = configuration.writesPictureHashes || settings.checksPictures
    configuration.meaning = configuration.meaning.completed(by: source.meaning)
    if configuration.expectedFrameRate == nil, let rate = settings.movie.frameRate ?? source.frameRate {
      configuration.expectedFrameRate = Double(rate.numerator) / Double(rate.denominator)
    }
    self.configuration = configuration
    encoder = try HEVCEncoder(source.format, views: source.layout.eyes, configuration)
    waiting = encoder.parameterSets[...]
    progress.expectedPictures = source.expectedPictures.map { min($0, settings.maximumPictures ?? $0) }
    progress.layerBytes = Array(repeating: 0, count: source.layout.eyes)
    progress.squaredErrors = Array(repeating: [0, 0, 0], count: source.layout.eyes)
    decoder = settings.checksPictures ? HEVCDecoder() : nil
    decoder?.insert(parameterSets: encoder.parameterSets)
  }

  func nextUnit() throws(EditError) -> NALUnit? {
    do throws(EncodingError) {
      while waiting.isEmpty {
        if isAtEnd { return nil }
        try fill()
      }
      return waiting.popFirst()
    } catch {
      failure = error
      throw EditError(.failed, error.reason, advice: error.advice)
    }
  }

  /// Reads the first pictures, so that it is known whether they have times.
  func readFirst() throws(EncodingError) {
    if progress.pictures == 0, !isAtEnd { try fill() }
    try checkPictures()
  }

  /// The units of one black picture, coded like those of the source and shown like the first.
  func trial() throws(EncodingError) -> TrialUnits {
    let encoder = try HEVCEncoder(source.format, views: source.layout.eyes, configuration)
    let samples = source.format.size.width * source.format.size.height * 3 / 2
    let black = try SourcePicture(
      source.format, bytes: ByteView([UInt8](repeating: 0, count: samples * source.format.bytesPerSample)))
    var units = encoder.parameterSets
    units += try encoder.encode(Array(repeating: black, count: source.layout.eyes)).flatMap(\.units)
    units += try encoder.finish().flatMap(\.units)
    return TrialUnits(presentation: presentation, waiting: units[...])
  }

  /// Refuses a source that ended without a picture.
  func checkPictures() throws(EncodingError) {
    if isAtEnd, progress.pictures == 0 {
      throw EncodingError(.unreadable, "the source has no pictures")
    }
  }

  private func fill() throws(EncodingError) {
    var made: [EncodedAccessUnit]
    let isEnough = settings.maximumPictures.map { progress.pictures >= $0 } ?? false
    if !isEnough, let pictures = try source.next() {
      try noteTime(pictures)
      let ordered = [pictures.left, pictures.right].compactMap { $0 }
      made = try encoder.encode(
        settings.compression.isBaseLeft ? ordered : ordered.reversed(),
        at: settings.movie.frameRate == nil ? pictures.time?.seconds : nil)
      progress.pictures += 1
    } else {
      made = try encoder.finish()
      isAtEnd = true
    }
    var units: [NALUnit] = []
    for unit in made {
      try check(unit)
      for (layer, bytes) in unit.layerBytes.enumerated() { progress.layerBytes[layer] += bytes }
      for (layer, planes) in unit.squaredErrors.enumerated() {
        for (plane, errors) in planes.enumerated() { progress.squaredErrors[layer][plane] += errors }
      }
      // Hashes that only the check needs stay out of the movie.
      units +=
        settings.compression.writesPictureHashes ? unit.units : unit.units.filter { $0.type != .suffixSEI }
    }
    if isAtEnd { try finishCheck() }
    waiting += units
    report?(progress)
  }

  /// Keeps the time of the next pictures, unless all are to be shown for the same time.
  private func noteTime(_ pictures: StereoPictures) throws(EncodingError) {
    guard settings.movie.frameRate == nil else { return }
    let number = progress.pictures
    if number == 0, pictures.time != nil { presentation = PresentationTimes() }
    guard (pictures.time != nil) == (presentation != nil) else {
      throw EncodingError(
        .unlikePictures, picture: number,
        pictures.time == nil
          ? "it has no time, but other pictures do" : "it has a time, but other pictures do not")
    }
    guard let time = pictures.time else { return }
    if let duration = pictures.duration, duration <= .zero {
      throw EncodingError(.unsupported, picture: number, "it is shown for \(duration.words)")
    }
    guard presentation?.append(time, duration: pictures.duration) ?? false else {
      throw EncodingError(
        .unsupported, picture: number,
        number == 0
          ? "it is shown before time 0"
          : "it is shown at \(time.words), which is not after the previous picture",
        advice: number == 0 ? "" : "Pictures must come in the order in which they are shown.")
    }
  }

  /// How long all pictures together are shown; `nil` if the source does not specify it.
  var duration: MediaTime? {
    if let presentation { return presentation.duration }
    return (settings.movie.frameRate ?? source.frameRate).map { rate in
      MediaTime(value: Int64(progress.pictures) * Int64(rate.denominator), timescale: rate.numerator)
    }
  }

  /// Decodes an access unit and compares its pictures with those of the encoder.
  private func check(_ unit: EncodedAccessUnit) throws(EncodingError) {
    guard let decoder else { return }
    try compare(decoder.decode(unit.units, tag: unit.presentationIndex))
  }

  private func finishCheck() throws(EncodingError) {
    guard let decoder else { return }
    try compare(decoder.finish())
    guard decoder.takeFailures().isEmpty else {
      throw EncodingError(
        .failed, "the encoded stream cannot be decoded",
        advice: "This is a bug in the library: report it.")
    }
  }

  private func compare(_ pictures: [DecodedPicture]) throws(EncodingError) {
    for picture in pictures where picture.hash != .match || !picture.problems.isEmpty {
      throw EncodingError(
        .failed, picture: picture.tag,
        "layer \(picture.layerID) does not decode to the picture of the encoder",
        advice: "This is a bug in the library: report it.")
    }
  }
}

/// Units of a picture that stands for all: what is refused because of the tags is refused before an hour is spent on encoding.
struct TrialUnits: UnitReader {
  let entry: Int? = nil
  let shortUnits = 0
  let hasLeadingBytes = false
  let presentation: PresentationTimes?
  fileprivate var waiting: ArraySlice<NALUnit>

  mutating func nextUnit() throws(EditError) -> NALUnit? { waiting.popFirst() }
}
