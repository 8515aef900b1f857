// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
public import Multiview

/// Splits a track of several layers into two: one of the base layer, which any player shows, and one of the
/// other layers, which refers to it. Nothing is re-encoded.
///
/// ```swift
/// let splitter = try MovieSplitter(movie)
/// try splitter.write(to: "two-tracks.mp4")
/// ```
///
/// ``MovieMerger`` restores the samples, byte for byte. Both keep times, sync samples, other tracks and metadata.
public struct MovieSplitter: MovieConversion {
  /// The original movie.
  public let movie: MovieFile
  /// The track that is split.
  public let track: Track
  /// Whether the second track refers to the base layer in the first one by extractors (`hvc2`), so that it can
  /// be decoded as if it had all layers. That takes 17 bytes per sample (with NAL unit lengths of 4 bytes).
  /// Otherwise, the track has the other layers alone (`lhv1`), which fewer players support.
  public var usesExtractors = false

  /// Makes a splitter of the main video track of a movie.
  ///
  /// - Throws: ``EditError`` if the track is not HEVC, has one layer or is already split.
  public init(_ movie: MovieFile) throws(EditError) {
    try movie.checkComposable()
    guard let track = movie.mainVideoTrack else { throw .lacksVideo }
    guard track.isHEVC else {
      throw .refused(
        track.codec.map { "track \(track.id) is \($0), which has no layers" }
          ?? "track \(track.id) has an unknown codec; its layers cannot be split")
    }
    guard !track.joined.isJoined else {
      throw EditError(
        .nothingToDo, "the layers are already in several tracks", advice: "Merge them first\(.mergeTracks).")
    }
    guard track.layers.count > 1 else {
      throw EditError(.nothingToDo, "track \(track.id) has only one layer")
    }
    for description in track.formatDescriptions {
      let codec = description.codec
      guard codec == "hvc1" || codec == "hev1" else {
        throw .refused("tracks of the codec '\(codec)' cannot be split")
      }
      // Parameter sets may be in the samples of `hev1`.
      guard codec == "hev1" || description.box.first("lhvC") != nil else {
        throw EditError(
          .damaged, "the sample entry lacks the record of the other layers (lhvC), which their track needs",
          advice: "Restore it from the original\(.restore).")
      }
    }
    self.movie = movie
    self.track = track
  }

  /// The original movie, as the only one.
  public var movies: [MovieFile] { [movie] }

  /// Plans the movie with two tracks.
  public func plan() throws(EditError) -> ConversionPlan<LayerTracksReport> {
    let halves = try LayerHalves(track, of: movie, usesExtractors: usesExtractors)
    guard halves.count > 0 else {
      throw EditError(.nothingToDo, "the samples of track \(track.id) have only the base layer")
    }
    let newID = (movie.tracks.map(\.id).max() ?? 0) &+ 1
    guard newID > track.id else { throw EditError(.exceedsLimit, "every possible track ID is in use") }
    var composer = try MovieComposer(wholeOf: movie) { other, timescale throws(EditError) in
      let base = try ComposedTrack(whole: other, of: movie, timescale: timescale)
      guard other.id == track.id else { return [base] }
      return [self.base(base, halves), self.others(base, halves, id: newID)]
    }
    let editor = try MovieEditor(draft: try composer.draft(), of: [movie])
    let others = track.layers.filter { $0.layerID > 0 }
    var report = LayerTracksReport(
      tracks: [
        LayerTracksReport.LayerTrack(id: track.id, layers: [0], samples: track.sampleCount),
        LayerTracksReport.LayerTrack(
          id: newID, layers: others.map(\.layerID),
          samples: usesExtractors ? track.sampleCount : halves.count,
          extractsFrom: usesExtractors ? track.id : nil),
      ], eye: track.layers.first { $0.layerID == 0 }?.eye)
    report.leftOut = try composer.leftOutMessages()
    return ConversionPlan(editor, report, of: movies, like: movie, written: \.written)
  }

  private func base(_ whole: ComposedTrack, _ halves: LayerHalves) -> ComposedTrack {
    var composed = whole
    composed.cuts[0].kept = halves.base
    let types = halves.syncTypes.base
    composed.change = { (trak: inout Box) throws(ParseError) in try trak.keepBaseLayer(syncTypes: types) }
    return composed
  }

  private func others(
    _ whole: ComposedTrack, _ halves: LayerHalves, id: UInt32
  ) -> ComposedTrack {
    var composed = whole
    composed.id = id
    composed.cuts[0].kept = halves.extracting ?? halves.others
    let (base, types) = (track.id, halves.syncTypes.others)
    let size = track.layers.first { $0.layerID > 0 }?.croppedSize
    let usesExtractors = usesExtractors
    composed.change = { (trak: inout Box) throws(ParseError) in
      try trak.keepOtherLayers(base: base, size: size, syncTypes: types, extracting: usesExtractors)
    }
    return composed
  }
}

/// The report on a track that was split by layer, or on tracks that were merged.
public struct LayerTracksReport: Sendable {
  /// A track with layers of one stream.
  public struct LayerTrack: Hashable, Sendable {
    /// The track ID.
    public let id: UInt32
    /// The layers of the track (`nuh_layer_id`).
    public let layers: [UInt8]
    /// The number of samples.
    public let samples: Int
    /// The ID of the track that its extractors refer to; `nil` if it has no extractors.
    public var extractsFrom: UInt32?
  }

  /// The separate tracks, after splitting or before merging. The first has the base layer.
  public internal(set) var tracks: [LayerTrack]
  /// The eye that the base layer shows; `nil` if not known.
  public internal(set) var eye: StereoEye?
  /// What fragments of the original have that the movie does not, in words.
  public internal(set) var leftOut: [String] = []
  /// Damage in the pictures of the merged track: pictures that others refer to are missing, or slices cannot be read.
  public internal(set) var damage: [String] = []
  /// What was written; `nil` if nothing was.
  public internal(set) var written: MovieWriteReport?
}
