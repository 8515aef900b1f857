// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import FileAccess
import HEVC
public import HEVCEncoding
public import MovieEditing
public import Multiview

/// How a movie is made from pictures.
public struct SpatialMovieSettings {
  /// How the pictures are encoded.
  public var compression = EncoderConfiguration()
  /// How the movie is made. Its `MuxOptions.frameRate` comes before that of the source and before the times of pictures.
  public var movie = MuxOptions()
  /// Whether every picture is decoded again and compared with the one that the encoder has.
  public var checksPictures = false
  /// The maximum number of pictures to encode for each eye; `nil` for all.
  public var maximumPictures: Int?

  /// Makes the default settings.
  public init() {}
}

/// The result of encoding a source.
public struct SpatialMovieReport: Sendable {
  /// What the encoder has made.
  public var encoding: EncodingProgress
  /// The pictures of each eye.
  public var format: SourceFormat
  /// How long all pictures together are shown; `nil` for a raw stream of a source that does not specify it.
  public var duration: MediaTime?
  /// How the movie was made; `nil` for a raw stream.
  public var movie: MuxReport?
  /// The tags of the movie for eyes, cameras and projection; `nil` for a raw stream.
  public var tags: StereoTags?
  /// The number of bytes of the file.
  public var size: UInt64
  /// The properties of the source that the movie lacks.
  public var notices: [EncodingNotice] = []
}

/// Encodes pictures of one or two eyes into a movie. Apple's devices are predicted to show two eyes as spatial video if
/// ``edit`` sets the baseline, the field of view and the disparity of their cameras.
///
/// ```swift
/// let source = try StereoSource(path: "side-by-side.y4m", layout: .sideBySide)
/// var writer = SpatialMovieWriter(source)
/// writer.edit = { editor in
///   editor.tracks[0].stereo.baseline = .millimeters(63)
///   editor.tracks[0].stereo.fieldOfView = .degrees(63.4)
///   editor.tracks[0].stereo.disparityAdjustment = .fraction(0)
/// }
/// let report = try writer.write(to: "spatial.mov")
/// ```
///
/// The movie appears when it is complete and verified, or not at all.
public struct SpatialMovieWriter {
  /// How the movie is made.
  public var settings: SpatialMovieSettings
  /// Sets the tags and the metadata of the movie; called when its tracks are known, and before that once for a movie of one
  /// picture, so that what is refused is refused before encoding. The tags for both eyes are set before.
  public var edit: ((inout MovieEditor) throws -> Void)?
  /// A movie whose audio tracks are added, with their edits; `nil` for none.
  public var soundSource: MovieFile?
  /// A movie whose orientation, and whose tags of cameras, comfort and projection are taken before ``edit`` is called; `nil` for
  /// none. Which eye is where is not taken.
  public var tagSource: MovieFile?
  /// A movie whose metadata is added; `nil` for none.
  public var metadataSource: MovieFile?
  /// Movies that ``edit`` reads: the output must not be one of them.
  public var consultedMovies: [MovieFile] = []
  /// Called after each picture.
  public var progress: ((EncodingProgress) -> Void)?
  private let source: StereoSource

  /// Makes a writer of a source.
  public init(_ source: StereoSource, settings: SpatialMovieSettings = SpatialMovieSettings()) {
    self.source = source
    self.settings = settings
  }

  /// Writes the movie to a file.
  @discardableResult
  public func write(to path: String) throws(EncodingError) -> SpatialMovieReport {
    try make { muxer throws(EditError) in try muxer.write(to: path) }
  }

  /// Writes the movie to an output that cannot seek, such as a pipe; see
  /// `StreamMuxer.write(to:by:)`.
  package func write(to output: SafeOutput, by path: String) throws(EncodingError) -> SpatialMovieReport {
    try make { muxer throws(EditError) in try muxer.write(to: output, by: path) }
  }

  /// The sources that the output must not overwrite.
  package var inputs: [any ByteSource] {
    source.inputs + [soundSource, tagSource, metadataSource].compactMap { $0?.source }
      + consultedMovies.map(\.source)
  }

  private func make(
    _ write: (StreamMuxer) throws(EditError) -> MuxReport
  ) throws(EncodingError) -> SpatialMovieReport {
    var options = settings.movie
    options.frameRate = options.frameRate ?? source.frameRate
    let units = try EncodedUnits(source, settings, report: progress)
    try units.readFirst()
    guard options.frameRate != nil || units.presentation != nil else {
      throw EncodingError(
        .unsupported, "the source does not specify a frame rate",
        advice: "Give the frame rate\(.setFrameRate).")
    }
    var muxer = StreamMuxer(units: units, options: options)
    let hasBothEyes = source.layout.eyes > 1
    let tags = tagSource?.mainVideoTrack?.mainDescription.map { StereoTags($0.stereo) }
    if [.mono, .separate].contains(source.layout) {
      // The pictures are encoded as they are: how they are turned depends on nothing else.
      let track = source.sourceMovie.map(\.track) ?? tagSource?.mainVideoTrack
      muxer.matrix = track?.header?.matrix
    }
    muxer.cleanAperture = source.cleanAperture
    if let movie = source.sourceMovie {
      muxer.labels = TrackLabels(movie.track, isQuickTime: movie.movie.tree?.isQuickTime == true)
      // At another rate, too, pictures that begin after the sound still do.
      if settings.movie.frameRate != nil { muxer.startDelay = movie.start(of: 0) ?? .zero }
    }
    muxer.copiedEnd = copiedEnd(options.frameRate, units)
    var written: StereoTags?
    muxer.edit = { editor in
      // Without these, players show one eye.
      if hasBothEyes { editor.tracks[0].stereo.eyes = [.leftEye, .rightEye] }
      if let tags { editor.tracks[0].stereo.takeCameras(of: tags, hasBothEyes: hasBothEyes) }
      try edit?(&editor)
      written = editor.tracks[0].stereo
    }
    muxer.soundSource = soundSource
    muxer.metadataSource = metadataSource
    muxer.consultedMovies = consultedMovies + [tagSource].compactMap { $0 }
    muxer.otherInputs = source.inputs
    let trial = units.progress.pictures == 0 ? nil : try units.trial()
    do {
      if let trial { _ = try muxer.with(units: trial).plannedReport() }
      let report = try write(muxer)
      return SpatialMovieReport(
        encoding: units.progress, format: source.format, duration: units.duration, movie: report,
        tags: written, size: report.written?.size ?? 0,
        notices: (source.sourceMovie?.notices ?? []) + (source.sourceMovie?.tracksLeftOut ?? [])
          + report.uncutTracks.map { .trackNotCut(trackID: $0) }
          + report.quickTimeSound.map { .quickTimeSound(trackID: $0) }
          + [lengthChange(units), source.squeezedEyes].compactMap { $0 })
    } catch {
      if let failure = units.failure { throw failure }
      try units.checkPictures()
      throw EncodingError(
        error.isRefusal ? .unsupported : .unwritable, error.reason, advice: error.advice)
    }
  }

  /// The notice that pictures and copied tracks differ in length; `nil` if they do not differ.
  private func lengthChange(_ units: EncodedUnits) -> EncodingNotice? {
    let isCopied =
      soundSource?.tracks.contains { $0.mediaType == .audio } == true
      || metadataSource?.tracks.contains { $0.mediaType == .metadata } == true
    guard isCopied, settings.movie.frameRate != nil, let new = units.duration,
      let old = source.sourceMovie?.duration(of: units.progress.pictures)
    else { return nil }
    // Less is not noticed.
    return abs(new.seconds - old.seconds) < 0.02 ? nil : .lengthChanges(pictures: new, before: old)
  }

  /// When sound and timed metadata end, if not all pictures are encoded; `nil` for where they do.
  private func copiedEnd(_ rate: FrameRate?, _ units: EncodedUnits) -> MediaTime? {
    guard let count = settings.maximumPictures else { return nil }
    guard units.presentation == nil else { return source.sourceMovie?.start(of: count) }
    return rate.flatMap { rate in
      let (value, overflow) = Int64(count).multipliedReportingOverflow(by: Int64(rate.denominator))
      let start = source.sourceMovie?.start(of: 0) ?? .zero
      return overflow ? nil : start + MediaTime(value: value, timescale: rate.numerator)
    }
  }

  // MARK: Raw streams

  /// Writes the units as a byte stream with start codes, without a movie. ISO/IEC 23008-2, annex B
  @discardableResult
  public func writeStream(to path: String) throws(EncodingError) -> SpatialMovieReport {
    var options = SafeOutput.Options()
    options.isOverwriting = settings.movie.isOverwriting
    let output: SafeOutput
    do { output = try SafeOutput(path: path, inputs: inputs, options: options) } catch {
      throw EncodingError(.unwritable, "\(error)")
    }
    return try writeStream(to: output)
  }

  /// Writes the byte stream to an open output.
  package func writeStream(to output: SafeOutput) throws(EncodingError) -> SpatialMovieReport {
    var settings = settings
    let rate = settings.movie.frameRate ?? source.frameRate
    settings.compression.timing = rate.map { rate in
      var timing = VUITiming()
      (timing.numUnitsInTick, timing.timeScale) = (rate.denominator, rate.numerator)
      return timing
    }
    let units = try EncodedUnits(source, settings, report: progress)
    do {
      while let unit = try units.nextUnit() {
        try output.write(ByteView(AnnexBNALUnits.join(CollectionOfOne(unit))))
      }
      try units.checkPictures()
      try output.finish()
    } catch {
      output.cancel()
      if let failure = units.failure ?? error as? EncodingError { throw failure }
      throw EncodingError(.unwritable, "\(error)")
    }
    let isEven = units.presentation.map { times in rate.map(times.isEven) ?? false } ?? true
    return SpatialMovieReport(
      encoding: units.progress, format: source.format, duration: units.duration, movie: nil, tags: nil,
      size: output.position,
      notices: (source.sourceMovie?.notices ?? []) + (source.sourceMovie?.tracksLeftOut(except: []) ?? [])
        + (isEven ? [] : [.timesLeftOut]) + [source.squeezedEyes].compactMap { $0 })
  }
}

extension StereoTags {
  /// Takes what does not depend on how the pictures are coded, as far as it can be true.
  fileprivate mutating func takeCameras(of other: StereoTags, hasBothEyes: Bool) {
    if let angle = other.fieldOfView, angle.rawValue > 0, angle.rawValue <= 360_000 { fieldOfView = angle }
    projection = other.projection
    guard hasBothEyes else { return }
    heroEye = other.heroEye
    if let distance = other.baseline, distance.rawValue > 0 { baseline = distance }
    if let ratio = other.disparityAdjustment, ratio.isLegal { disparityAdjustment = ratio }
  }
}
