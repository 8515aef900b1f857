// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF

extension MovieFile {
  /// The metadata of the movie, and of the file around it. AVFoundation: `AVAsset.metadata`
  public var metadata: QuickTimeMetadata {
    guard let tree else { return QuickTimeMetadata() }
    var metadata = tree.first("moov").map { QuickTimeMetadata($0, in: tree) } ?? QuickTimeMetadata()
    metadata.append(QuickTimeMetadata(tree.boxes, in: tree))
    return metadata
  }
}

extension MovieFile {
  /// Notes that a playlist names the description of the venue of immersive video, which this segment of it lacks.
  func noteVenueOutside() { tracks.first?.context.noteVenueOutside() }

  /// The description of the venue of Apple Immersive Video, in the metadata of the movie or of a track; `nil` if there is none.
  package var immersiveVenue: MetadataItem? {
    metadata[.immersiveVenue] ?? tracks.lazy.compactMap { $0.metadata[.immersiveVenue] }.first
  }
}

extension Track {
  /// The metadata of the track. AVFoundation: `AVAssetTrack.metadata`
  public var metadata: QuickTimeMetadata {
    box.map { QuickTimeMetadata($0, path: path, in: context.tree) } ?? QuickTimeMetadata()
  }

  /// The keys of timed metadata, of the first sample entry; `nil` for tracks of another kind.
  public var timedMetadataKeys: TimedMetadataKeyTable? {
    guard let description = mainDescription, description.codec == "mebx" else { return nil }
    return TimedMetadataKeyTable(sampleEntry: description.box, path: description.path)
  }

  /// The keys of timed metadata of each sample entry, with none for entries of another kind; `nil` if no entry is of timed
  /// metadata.
  var timedMetadataTables: [TimedMetadataKeyTable]? {
    guard formatDescriptions.contains(where: { $0.codec == "mebx" }) else { return nil }
    return TimedMetadataKeyTable.tables(formatDescriptions)
  }

  /// The keys of timed metadata of all sample entries, each once; `nil` if no entry is of timed metadata.
  package var allTimedMetadataKeys: [TimedMetadataKeyTable.Key]? {
    var identifiers: Set<String> = []
    return timedMetadataTables?.flatMap(\.keys).filter { identifiers.insert($0.identifier).inserted }
  }
}

extension MovieContext {
  /// Whether the metadata of the movie or of a track describes an immersive venue.
  var hasImmersiveVenue: Bool {
    guard let moov = tree?.first("moov") else { return false }
    return QuickTimeMetadata(moov, in: tree)[.immersiveVenue] != nil
      || trackBoxes.compactMap(\.box).contains { QuickTimeMetadata($0, in: tree)[.immersiveVenue] != nil }
  }

  /// Whether a track of timed metadata says how immersive video is to be presented.
  var hasImmersivePresentation: Bool {
    trackBoxes.contains { track in
      guard let entry = track.sampleDescriptions?.first("mebx") else { return false }
      return TimedMetadataKeyTable(sampleEntry: whole(entry))[.immersivePresentation] != nil
    }
  }
}
