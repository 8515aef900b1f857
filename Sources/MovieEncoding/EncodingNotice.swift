// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCEncoding
import MoviePictures
public import Multiview

/// Something of a source that the encoded movie does not have. New kinds may be added: handle them with a `default`.
public enum EncodingNotice: Hashable, Sendable {
  /// A track of the source is not copied.
  case trackLeftOut(trackID: UInt32, mediaType: MediaType)
  /// A copied track cannot be cut where the pictures end: it is whole.
  case trackNotCut(trackID: UInt32)
  /// The alpha layer of the source is not encoded: the pictures are opaque.
  case alphaLeftOut
  /// The orientation of the source is not kept, because each half of its pictures is for another eye.
  case orientationLeftOut(PictureOrientation)
  /// The clean aperture of the source is not kept, because each half of its pictures is for another eye.
  case apertureLeftOut
  /// What each eye sees has an unusual shape: the pictures may be squeezed, so that two fit into one of the usual size.
  case eyesMayBeSqueezed(PictureSize, SourceLayout)
  /// The pictures last longer or shorter than in the source, and copied tracks last as long as before.
  case lengthChanges(pictures: MediaTime, before: MediaTime)
  /// Pictures of the source have times of their own, which a raw stream does not have.
  case timesLeftOut
  /// A copied track has sound in a form of QuickTime that MP4 does not have.
  case quickTimeSound(trackID: UInt32)

  /// The kind of the notice, as it is called in JSON.
  public var kind: String {
    switch self {
    case .trackLeftOut: "trackLeftOut"
    case .trackNotCut: "trackNotCut"
    case .alphaLeftOut: "alphaLeftOut"
    case .orientationLeftOut: "orientationLeftOut"
    case .apertureLeftOut: "apertureLeftOut"
    case .eyesMayBeSqueezed: "eyesMayBeSqueezed"
    case .lengthChanges: "lengthChanges"
    case .timesLeftOut: "timesLeftOut"
    case .quickTimeSound: "quickTimeSound"
    }
  }

  /// The notice in words.
  public var message: String {
    switch self {
    case .trackLeftOut(let id, let type): "track \(id) (\(type.words)) is not copied"
    case .trackNotCut(let id): "track \(id) cannot be cut, and lasts longer than the pictures"
    case .alphaLeftOut: "the alpha layer is not encoded: the pictures are opaque"
    case .orientationLeftOut(let orientation):
      "the orientation of the source (\(orientation.words)) is not kept: each picture holds both eyes"
    case .apertureLeftOut:
      "the clean aperture of the source (clap) is not kept: each picture holds both eyes"
    case .eyesMayBeSqueezed(let size, let layout):
      "each eye is shown as \(size); "
        + (layout == .overUnder
          ? "if the source is half-height, it must specify a pixel shape of 1:2"
          : "if the source is half-width, it must specify a pixel shape of 2:1")
    case .lengthChanges(let new, let old):
      "the pictures last \(new.words) at the given rate, and \(old.words) in the source: copied tracks keep their "
        + "length, and get out of sync"
    case .timesLeftOut:
      "the raw stream does not contain the times of the pictures: players show every picture equally long"
    case .quickTimeSound(let id):
      "the sound of track \(id) is in a QuickTime format that many MP4 players do not support"
    }
  }
}

extension StereoSource {
  /// The notice that the picture of each eye has the shape of one that was squeezed to half its width or height: narrower than
  /// high for side by side, wider than 3:1 for over-under.
  var squeezedEyes: EncodingNotice? {
    guard layout == .sideBySide || layout == .overUnder else { return nil }
    var geometry = DisplayGeometry()
    if let ratio = meaning.pixelShape?.ratio {
      geometry.pixelShape = .init(width: Int(ratio.width), height: Int(ratio.height)) ?? .square
    }
    let shown = geometry.displaySize(of: format.size)
    let isUnusual = layout == .sideBySide ? shown.width < shown.height : shown.width > 3 * shown.height
    return isUnusual ? .eyesMayBeSqueezed(shown, layout) : nil
  }
}

extension PictureOrientation {
  fileprivate var words: String {
    let turn = rotation == 0 ? "" : "rotated by \(rotation) degrees"
    return isMirrored ? turn + (turn.isEmpty ? "" : ", ") + "mirrored" : turn
  }
}

/// What a source takes from the movie whose pictures it has.
struct SourceMovie {
  let movie: MovieFile
  let track: Track
  /// The parts that the encoded movie lacks, whatever else is copied.
  let notices: [EncodingNotice]

  /// - Parameter layout: how the eyes are arranged in the pictures; `nil` if the movie signals it.
  init(_ movie: MovieFile, _ track: Track, layout: SourceLayout?) throws(EncodingError) {
    self.movie = movie
    self.track = track
    guard !track.isInterlaced else {
      throw EncodingError(.unsupported, "the source is interlaced", advice: "Deinterlace it first.")
    }
    var notices: [EncodingNotice] = []
    if track.layers.contains(where: { $0.auxiliaryID == 1 }) { notices.append(.alphaLeftOut) }
    let areHalves = layout == .sideBySide || layout == .overUnder
    if areHalves, let orientation = track.orientation, orientation != .upright {
      notices.append(.orientationLeftOut(orientation))
    }
    if areHalves || track.packedEyes != nil, track.displayGeometry.aperture != nil {
      notices.append(.apertureLeftOut)
    }
    self.notices = notices
  }

  /// The tracks that are never copied: all but sound, timed metadata, and what belongs to the pictures.
  var tracksLeftOut: [EncodingNotice] { tracksLeftOut(except: [.audio, .metadata]) }

  /// The tracks that are not copied.
  ///
  /// - Parameter copied: the types of tracks that are.
  func tracksLeftOut(except copied: Set<MediaType>) -> [EncodingNotice] {
    // Layers of the pictures may be in other tracks.
    let others = Set(
      track.references.flatMap { ["sbas", "scal", "tbas"].contains($0.type) ? $0.trackIDs : [] })
    return movie.tracks.compactMap { other in
      guard other.id != track.id, !copied.contains(other.mediaType), !others.contains(other.id),
        other.sampleCount > 0,
        !other.references.contains(where: {
          ["sbas", "scal", "tbas"].contains($0.type) && $0.trackIDs.contains(track.id)
        })
      else { return nil }
      return .trackLeftOut(trackID: other.id, mediaType: other.mediaType)
    }
  }

  /// When the picture with a number, in the order of presentation, begins; `nil` if there are fewer.
  func start(of number: Int) -> MediaTime? {
    guard let samples = try? track.samples(), let shown = samples.presentation(at: number) else { return nil }
    return MediaTime(value: shown.range.lowerBound, timescale: track.timescale)
  }

  /// How long the first pictures are shown; `nil` if that is not known.
  func duration(of count: Int) -> MediaTime? {
    guard count > 0, let samples = try? track.samples(), let first = samples.presentation(at: 0),
      let last = samples.presentation(at: count - 1)
    else { return nil }
    let (length, overflow) = last.range.upperBound.subtractingReportingOverflow(first.range.lowerBound)
    return overflow ? nil : MediaTime(value: length, timescale: track.timescale)
  }
}

extension Track {
  /// Whether its pictures are fields, or frames of fields that were captured at different times.
  fileprivate var isInterlaced: Bool {
    let sps = layers.first?.sps
    if sps?.vui?.fieldSeqFlag == true { return true }
    if let profile = sps?.profileTierLevel?.general, profile.interlacedSourceFlag,
      !profile.progressiveSourceFlag
    {
      return true
    }
    return sampleEntry?.first(FieldHandlingBox.self)?.fieldCount == 2
  }
}
