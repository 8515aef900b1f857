// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

/// Which samples of a track are not found by offsets into its file. Readers and writers ask here, so that what is read from this
/// file also moves with it. ISO/IEC 14496-12, 8.7.2
///
/// A sample entry without a valid data reference counts as this file. A sample whose description is not among the entries goes
/// with the first entry, and without any entry with the first data reference.
package struct ExternalMedia: Sendable {
  /// The data references of the track; `nil` for those that name this file.
  private let targets: [Box?]
  /// The data references of external sample entries, by the number of the entry, counted from 1.
  private var references: [UInt32: Box] = [:]
  /// The numbers of the entries whose samples are in this file.
  private var internalEntries: Set<UInt32> = []
  /// The data reference of samples whose description is not among the entries; `nil` if they are in this file.
  package private(set) var otherReference: Box?

  /// - Parameter minf: the media information of the track; `nil` if there is none.
  package init(_ minf: Box?) {
    targets = (minf?.first("dinf")?.first("dref")?.children ?? []).map {
      $0.namesAnotherFile || $0.namesIdentifiedMedia ? $0 : nil
    }
    guard let firstTarget = targets.first, targets.contains(where: { $0 != nil }) else { return }
    var first: UInt32?
    for (index, entry) in (minf?.first("stbl")?.first("stsd")?.children ?? []).enumerated() {
      // Not a description, or one of samples that are yet to be written.
      if entry.isNew || entry.type == "free" || entry.type == "skip" { continue }
      let number = UInt32(clamping: index) + 1
      if first == nil { first = number }
      if let target = reference(of: entry) {
        references[number] = target
      } else {
        internalEntries.insert(number)
      }
    }
    otherReference = first.map { references[$0] } ?? firstTarget
  }

  /// The data reference that takes the samples of a sample entry out of this file; `nil` if it does not.
  package func reference(of entry: Box) -> Box? {
    guard let number = entry.body.bigEndian(at: 6, width: 2), number > 0, number <= UInt64(targets.count)
    else { return nil }
    return targets[Int(number) - 1]
  }

  /// The numbers of the external sample entries, counted from 1.
  package var entries: Set<UInt32> { Set(references.keys) }

  /// Whether all samples are found by offsets into this file.
  package var isEmpty: Bool { references.isEmpty && otherReference == nil }

  /// Whether no sample is found by offsets into this file.
  package var includesAll: Bool { internalEntries.isEmpty && otherReference != nil }

  /// Whether samples of a description are external.
  package func contains(_ number: UInt32) -> Bool {
    references[number] != nil || otherReference != nil && !internalEntries.contains(number)
  }
}

/// The external samples of all tracks of a movie, by which fragments are examined.
struct ExternalTracks {
  private var tracks: [UInt32: (media: ExternalMedia, description: UInt32)] = [:]

  /// - Parameter boxes: the boxes at the top level.
  init(_ boxes: [Box]) {
    for movie in boxes where movie.type == "moov" {
      for track in movie.all("trak") {
        let media = ExternalMedia(track.first("mdia")?.first("minf"))
        guard !media.isEmpty, let id = track.first(TrackHeaderBox.self)?.trackID, tracks[id] == nil else {
          continue
        }
        let extends = movie.first("mvex")?.all("trex").lazy.compactMap { $0.payload(TrackExtendsBox.self) }
        let description = extends?.first { $0.trackID == id }?.defaultSampleDescriptionIndex
        tracks[id] = (media, description ?? 1)
      }
    }
  }

  /// Whether the samples of a track fragment are external.
  func contain(_ header: TrackFragmentHeaderBox) -> Bool {
    guard let track = tracks[header.trackID] else { return false }
    return track.media.contains(header.sampleDescriptionIndex ?? track.description)
  }
}
