// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
public import Multiview

extension MovieEditor {
  /// Copies all stereo and spatial tags of another movie: those of its sample entries, and the metadata keys of
  /// spatial captures. Boxes that this library does not know are copied, too, and tags that the other movie
  /// lacks are removed.
  ///
  /// The tracks of both movies that have tags, or layers for two eyes, are paired in their order; if the other
  /// movie has only one, its tags are copied to all.
  ///
  /// If the configuration of the other layers (`lhvC`) is missing, it is restored with the tags, provided that
  /// both movies have the same parameter sets of the base layer, so that they are of one stream.
  public mutating func copyTags(from other: MovieFile) throws(EditError) {
    let targets = stereoTracks()
    guard !targets.isEmpty else { throw noVideo }
    try copyTags(from: other, to: targets, entry: nil)
    metadata.copySpatialKeys(from: other)
  }

  /// Copies tags as ``copyTags(from:)`` does, to some tracks only, and to one of their sample entries if
  /// `chosen` is given, counted from 0. Metadata keys, which belong to the movie, are not copied.
  package mutating func copyTags(
    from other: MovieFile, to targets: [Int], entry chosen: Int?
  ) throws(EditError) {
    let donors = other.taggedEntries
    guard let first = donors.first else {
      throw EditError(
        .nothingToDo, "\(other.source.name ?? "the movie to copy from") has no stereo tags to copy",
        advice: "See which tags the movie has\(.showSummary).")
    }
    for (number, index) in targets.enumerated() {
      let donor = number < donors.count ? donors[number] : first
      for entry in tracks[index].entries.indices where chosen == nil || chosen == entry {
        guard mayHaveFurtherLayers(index, entry) else { continue }
        tracks[index].entries[entry].restoreLayers(from: donor, description(of: index, entry))
      }
      for entry in chosen.map({ [$0] }) ?? entriesForTags(of: index)
      where tracks[index].entries.indices.contains(entry) {
        tracks[index].entries[entry].copy(CopiedTags(donor))
        guard mayHaveFurtherLayers(index, entry) else { continue }
        try checkConfiguration(description(of: index, entry), of: index, entry, donor, other)
      }
    }
    self.donors.append(other.source)
  }

  /// Takes tags that the movie lacks from another one, and returns whether there are any. Values that the movie
  /// has are kept.
  @discardableResult
  mutating func completeTags(from other: MovieFile, onlyTracks chosen: Set<UInt32>? = nil) -> Bool {
    let donors = other.taggedEntries
    guard let first = donors.first else { return false }
    var isChanged = false
    for (number, index) in stereoTracks().enumerated() where chosen?.contains(tracks[index].id) != false {
      let values = StereoTags((number < donors.count ? donors[number] : first).stereo)
      for entry in entriesForTags(of: index)
      where !tracks[index].entries[entry].isProtected && tracks[index].entries[entry].damage == nil {
        for tag in StereoTag.all
        where tag.text(tracks[index].entries[entry].stereo) == nil && tag.text(values) != nil {
          tag.copy(values, &tracks[index].entries[entry].stereo)
          isChanged = true
        }
      }
    }
    if isChanged { self.donors.append(other.source) }
    return isChanged
  }

  /// The sample entries of a track that tags apply to if none is chosen: those with tags, and those whose samples have layers
  /// for two eyes; all if there are none with such layers.
  package func entriesForTags(of index: Int) -> [Int] {
    let entries = tracks[index].entries
    func hasLayers(_ entry: Int) -> Bool {
      entries[entry].restoredLayers != nil || description(of: index, entry)?.box.first("lhvC") != nil
    }
    guard entries.indices.contains(where: hasLayers) else { return Array(entries.indices) }
    return entries.indices.filter { hasLayers($0) || !entries[$0].original.isEmpty }
  }

  /// Whether samples of an entry have pictures of layers above the base layer, or cannot be read.
  private func mayHaveFurtherLayers(_ index: Int, _ entry: Int) -> Bool {
    let number = movie.tracks[index].formatDescriptions.firstIndex {
      $0.path == tracks[index].entries[entry].path
    }
    let track = movie.tracks[index]
    return (number.map { track.described(byDescription: UInt32(clamping: $0 + 1)) } ?? track)
      .mayHaveFurtherLayers
  }

  /// Refuses tags of eyes for layers that have no configuration: players would not find the second eye.
  private func checkConfiguration(
    _ own: FormatDescription?, of index: Int, _ entry: Int, _ donor: FormatDescription, _ other: MovieFile
  ) throws(EditError) {
    guard !allowsContradictions, let own, own.box.first("lhvC") == nil, own.box.first("hvcC") != nil,
      tracks[index].entries[entry].restoredLayers == nil, !movie.tracks[index].joined.isJoined,
      donor.box.first("lhvC") != nil, StereoTags(donor.stereo).eyes?.isEmpty == false
    else { return }
    throw EditError(
      .contradiction,
      "the second layer of track \(tracks[index].id) has no configuration (lhvC), and that of "
        + "\(other.source.name ?? "the other movie") belongs to another stream: tags for two eyes would be wrong",
      advice: "Copy both from the original of this movie.")
  }

  private func description(of track: Int, _ entry: Int) -> FormatDescription? {
    let path = tracks[track].entries[entry].path
    return movie.tracks[track].formatDescriptions.first { $0.path == path }
  }

  /// Returns the indices of the tracks that tags apply to by default: those with layers for two eyes; if there
  /// are none, those that have tags; if there are none, those that are visual. A track whose sample entries are
  /// damaged is among them only if all are.
  package func stereoTracks() -> [Int] {
    let all = tracks.indices.filter { !tracks[$0].entries.isEmpty }
    let readable = all.filter { tracks[$0].entries.contains { $0.damage == nil } }
    let visual = readable.isEmpty ? all : readable
    let layered = visual.filter { tracks[$0].eyeLayerCount > 1 }
    if !layered.isEmpty { return layered }
    let tagged = visual.filter { index in tracks[index].entries.contains { !$0.original.isEmpty } }
    return tagged.isEmpty ? visual : tagged
  }

  /// Removes the stereo and spatial tags of all tracks, and the metadata keys of spatial captures.
  public mutating func removeAllTags() {
    removeTags(of: Array(tracks.indices), entry: nil)
    metadata.removeSpatialKeys()
  }

  /// Removes the stereo and spatial tags of some tracks, or of one of their sample entries if `chosen` is
  /// given, counted from 0.
  package mutating func removeTags(of targets: [Int], entry chosen: Int?) {
    for track in targets {
      for entry in tracks[track].entries.indices where chosen == nil || chosen == entry {
        guard tracks[track].entries[entry].hasTagBoxes(in: movie) else { continue }
        tracks[track].entries[entry].removeAllTags()
      }
    }
  }

  /// Sets the dates of the movie, of its tracks and of their media, and the metadata key of the date if it is
  /// present.
  public mutating func setCreationDate(_ date: CreationDate) {
    creationTime = date.secondsSince1904
    keepsOtherDates = false
    creationDateText = date.description
    if metadata[.creationDate] != nil { metadata[.creationDate] = .text(date.description) }
  }

  /// Sets the date in headers that have none. Other headers, and the metadata key of the date, which may be in
  /// another time zone or more exact, are kept.
  mutating func restoreCreationTime(_ seconds: UInt64) {
    creationTime = seconds
    keepsOtherDates = true
  }

  package var noVideo: EditError {
    EditError(
      .missingTrack, "there is no video track", advice: "Stereo tags are stored in video sample entries.")
  }
}

extension MovieFile {
  /// The first sample entry with tags of each track that has one.
  fileprivate var taggedEntries: [FormatDescription] {
    tracks.compactMap { track in
      track.formatDescriptions.first { $0.visual != nil && !StereoTags($0.stereo).isEmpty }
    }
  }
}

extension EditedEntry {
  /// Returns whether there are tags to remove, even if they cannot be read.
  func hasTagBoxes(in movie: MovieFile) -> Bool {
    let boxes = movie.tracks.lazy.flatMap(\.formatDescriptions).first { $0.path == path }?.box.children ?? []
    return boxes.contains { $0.type == "vexu" || $0.type == "hfov" }
  }
}

extension Track {
  /// Whether the first sample has pictures of layers above the base layer, or cannot be read. The other layer of
  /// a movie may be in another track.
  fileprivate var mayHaveFurtherLayers: Bool {
    let layers = layers
    return layers.first?.isInSamples != true || layers.contains { $0.layerID > 0 && $0.isInSamples == true }
  }
}
