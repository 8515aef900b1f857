// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
public import Multiview

/// Merges the tracks that have the layers of one stream into one track, as Apple platforms require: each sample
/// has the picture of the base layer, followed by those of the other layers. Nothing is re-encoded.
///
/// ```swift
/// let merger = try MovieMerger(movie)
/// try merger.write(to: "one-track.mov")
/// ```
///
/// It is the opposite of ``MovieSplitter``. Extractors are removed, since the samples have the units that these
/// refer to.
public struct MovieMerger: MovieConversion {
  /// The original movie.
  public let movie: MovieFile
  /// The tracks that are merged, that of the base layer first.
  public let tracks: [Track]

  /// Makes a merger of the tracks that have the layers of the main video track; if it has all its layers, of
  /// the first other video whose layers are in several tracks.
  ///
  /// - Throws: ``EditError`` if no layers are in several tracks.
  public init(_ movie: MovieFile) throws(EditError) {
    try movie.checkComposable()
    guard let main = movie.mainVideoTrack else { throw .lacksVideo }
    var tracks = main.joined.joinedTracks
    if tracks.count < 2 {
      tracks = movie.tracks.lazy.map(\.joined.joinedTracks).first { $0.count > 1 } ?? []
    }
    guard let base = tracks.first, tracks.count > 1 else {
      throw EditError(
        .nothingToDo, "no two tracks have layers of the same stream",
        advice: main.layers.count > 1 ? "Track \(main.id) already has all layers." : "")
    }
    guard !base.formatDescriptions.contains(where: \.isEnhancementOnly), base.references("scal").isEmpty
    else {
      throw .refused("track \(base.id) comes first, but does not contain the base layer itself")
    }
    self.movie = movie
    self.tracks = tracks
  }

  /// The original movie, as the only one.
  public var movies: [MovieFile] { [movie] }

  /// Plans the movie with one track.
  public func plan() throws(EditError) -> ConversionPlan<LayerTracksReport> {
    let ids = Set(tracks.map(\.id))
    for track in tracks { try ComposedTrack.check(track, of: movie) }
    let merged = try MergedSamples(tracks, of: movie)
    var composer = try MovieComposer(wholeOf: movie) { other, timescale throws(EditError) in
      let isLayer = ids.contains(other.id)
      guard !isLayer || other.id == tracks[0].id else { return [] }
      var composed = try ComposedTrack(whole: other, of: movie, timescale: timescale)
      guard isLayer else { return [composed] }
      composed.cuts[0].kept = merged.kept
      composed.cuts[0].notSync = merged.notSync
      composed.change = change(merged)
      return [composed]
    }
    let editor = try MovieEditor(draft: try composer.draft(), of: [movie])
    var report = LayerTracksReport(
      tracks: tracks.map { track in
        LayerTracksReport.LayerTrack(
          id: track.id, layers: track.layers.map(\.layerID), samples: track.sampleCount)
      }, eye: tracks[0].joined.layers.first { $0.layerID == 0 }?.eye)
    report.leftOut = try composer.leftOutMessages()
    if let track = editor.movie.tracks.first(where: { $0.id == tracks[0].id }) {
      report.damage = TrackDamage(track, of: editor.movie).messages
    }
    return ConversionPlan(editor, report, of: movies, like: movie, written: \.written)
  }

  /// The changes of the track of the base layer.
  private func change(_ merged: MergedSamples) -> @Sendable (inout Box) throws(ParseError) -> Void {
    let others = tracks.dropFirst().map { track in track.formatDescriptions.map(\.box) }
    let tables = tracks.dropFirst().map { $0.box?["mdia/minf/stbl"]?.children ?? [] }
    let areAllThere = tracks.allSatisfy { $0.sampleCount == tracks[0].sampleCount }
    let tree = movie.tree
    let areSetsComplete = !tracks.contains { $0.mayHaveSetsInSamples }
    return { (trak: inout Box) throws(ParseError) in
      try trak.checkHasNoParts()
      trak.removeLayerReferences()
      try trak.editSampleEntries { (index, entry) throws(ParseError) in
        var own: [Box] = []
        for (track, entries) in others.enumerated() {
          if let number = merged.descriptions[track][UInt32(clamping: index + 1)], number > 0,
            Int(number) <= entries.count
          {
            own.append(entries[Int(number) - 1])
          }
        }
        if !own.isEmpty {
          try entry.addLayers(of: own)
          if areSetsComplete { try entry.markSetsComplete() }
        }
      }
      trak.editSampleTable { (boxes) in
        if let own = boxes.layerInformation {
          boxes.setLayerInformation(own + tables.flatMap { $0.layerInformation ?? [] })
        }
        // Apple's writers specify the type of the pictures of the second layer.
        let sync = tables[0].filter { $0.groupingType == "sync" }
        if areAllThere, !sync.isEmpty {
          let place = boxes.firstIndex { $0.groupingType == "sync" } ?? boxes.count
          boxes.removeAll { $0.groupingType == "sync" }
          boxes.insert(contentsOf: sync.map { tree?.whole($0) ?? $0 }, at: min(place, boxes.count))
        }
      }
    }
  }
}

extension Track {
  /// Whether a sample holds parameter sets, or one cannot be read.
  fileprivate var mayHaveSetsInSamples: Bool {
    do {
      return try !forEachAccessUnit { places, _ in
        places.error == nil && !places.units.contains { $0.header.type.isParameterSet }
      }
    } catch { return true }
  }
}
