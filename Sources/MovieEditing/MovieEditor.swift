// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
public import Multiview

/// Changes the stereo and spatial tags and the metadata of a movie, without touching a picture.
///
/// ```swift
/// var editor = try MovieEditor(path: "movie.mov")
/// editor.tracks[0].stereo.baseline = .millimeters(63)
/// editor.tracks[0].stereo.fieldOfView = .degrees(63.4)
/// try editor.write(to: "spatial.mov")
/// ```
///
/// Everything that is not changed stays as it is, byte for byte. Nothing is written that was not asked for.
public struct MovieEditor: Sendable {
  /// The movie as it is.
  public let movie: MovieFile
  /// The tracks, in the order of the movie, with the tags that they will have.
  public var tracks: [EditedTrack]
  /// The metadata keys of the movie, with the values that they will have.
  public var metadata: EditedMetadata
  /// When the movie was made, in seconds since 1904-01-01 00:00 UTC; `nil` leaves the dates as they are.
  var creationTime: UInt64?
  /// The date as text, for the metadata key where it is present.
  var creationDateText: String?
  /// Whether the movie is one that this library makes of others, with tables of its own.
  var hasOwnTables = false
  /// What was copied from: an output must not be one of these either.
  var donors: [any ByteSource] = []
  /// Whether values that contradict each other, or the bitstream, are written all the same.
  public var allowsContradictions = false

  /// Opens the movie at `path`.
  public init(path: String) throws(EditError) {
    let movie: MovieFile
    do { movie = try MovieFile(path: path) } catch {
      switch error {
      case .unreadable(let reason): throw EditError(.unreadable, reason)
      case .notAMovie: throw EditError(.unreadable, "\(error)")
      }
    }
    try self.init(movie)
  }

  /// Edits a movie that is open.
  public init(_ movie: MovieFile) throws(EditError) {
    guard let tree = movie.tree else {
      throw .refused(
        "is a raw HEVC stream, which has no tags", advice: "Tags are in boxes: make a movie of it first.")
    }
    if tree["moov/cmov"] != nil {
      throw .refused(
        "the boxes of the movie are compressed (cmov)", advice: "Copy the movie with any muxer first.")
    }
    guard let moov = tree.first("moov") else {
      if movie.items != nil {
        throw .refused(
          "is a file of images, without video (moov)",
          advice: "Tags of video are in sample entries; which image is for which eye is in groups of items.")
      }
      throw .refused(
        "there is no movie in the file (moov)",
        advice: "Tag the file that has one: of a stream, the init segment.")
    }
    if let problem = moov.structuralProblem {
      throw EditError(.unreadable, "the movie box is damaged: \(problem)")
    }
    self.movie = movie
    tracks = movie.tracks.map { EditedTrack($0) }
    metadata = EditedMetadata(movie)
  }

  /// What writing the movie changes. Empty where everything is as it should be already.
  public var changes: [TagChange] {
    var changes: [TagChange] = []
    for track in tracks {
      for (index, entry) in track.entries.enumerated() {
        changes += entry.changes.map { change in
          var change = change
          (change.trackID, change.entry) = (track.id, index + 1)
          return change
        }
      }
    }
    changes += metadata.changes
    if let creationTime, creationTime != movie.creationTime {
      changes.append(
        TagChange(
          name: "creation-date",
          old: movie.creationTime.flatMap { CreationDate(secondsSince1904: $0)?.description },
          new: CreationDate(secondsSince1904: creationTime)?.description))
    }
    return changes
  }
}

/// A track whose tags are changed.
public struct EditedTrack: Sendable {
  /// The number by which the file knows the track.
  public let id: UInt32
  /// What it holds.
  public let mediaType: MediaType
  /// How many layers show a view for an eye; more than one is stereo video in layers.
  public let eyeLayerCount: Int
  /// The sample entries: most tracks have one. Empty for tracks that have no pictures.
  public var entries: [EditedEntry]

  init(_ track: Track) {
    id = track.id
    mediaType = track.mediaType
    let isVisual = track.mediaType.isVisual
    eyeLayerCount = isVisual && track.isHEVC ? track.layers.count { $0.isTexture } : isVisual ? 1 : 0
    let baseEye = track.mediaType.isVisual ? track.layers.first { $0.isTexture }?.eye : nil
    entries =
      isVisual
      ? track.formatDescriptions.filter { $0.visual != nil }.map { EditedEntry($0, baseEye: baseEye) } : []
  }

  /// The tags of the first sample entry. What is changed here is changed in all entries, each of which keeps its other tags.
  public var stereo: StereoTags {
    get { entries.first?.stereo ?? StereoTags() }
    set {
      let old = stereo
      for field in StereoTagField.all where field.text(old) != field.text(newValue) {
        for index in entries.indices { field.copy(newValue, &entries[index].stereo) }
      }
    }
  }
}

/// A sample entry whose tags are changed.
public struct EditedEntry: Sendable {
  /// The type of the sample entry: `hvc1`, `avc1`, …
  public let codec: String
  /// Whether the samples are encrypted.
  public let isProtected: Bool
  /// The tags that the entry has.
  public let original: StereoTags
  /// The tags that the entry will have.
  public var stereo: StereoTags
  /// The way to its box.
  let path: String
  /// Boxes of another movie that take the place of `vexu` and `hfov` before ``stereo`` is written.
  private(set) var replacement: CopiedTags?
  /// Whether `vexu` and `hfov` are removed whole, with what this library does not know.
  private(set) var isCleared = false
  /// The configuration of the second layer, which comes back from another movie of the same stream.
  private(set) var restoredLayers: Box?
  /// Whether the views of the eyes are exchanged in the messages of the configuration record.
  var swapsMessage = false
  /// How many messages of the configuration record name the views of the eyes.
  let eyeMessageCount: Int
  /// The eye that the base layer shows, as far as that is known.
  let originalBaseEye: StereoEye?

  init(_ description: FormatDescription, baseEye: StereoEye? = nil) {
    originalBaseEye = baseEye
    eyeMessageCount = (description.hevcConfiguration?.nalUnits ?? []).count { unit in
      unit.type.isSEI
        && unit.seiMessages().messages.contains {
          $0.payloadType == ThreeDimensionalReferenceDisplaysInfo.payloadType
        }
    }
    codec = description.sampleEntryType.description
    isProtected = description.isProtected
    path = description.path
    original = StereoTags(description.stereo)
    stereo = original
  }

  /// Takes all tags over from another entry: boxes that this library does not know come with them, and what is not there is
  /// removed here.
  mutating func copy(_ tags: CopiedTags) {
    replacement = tags
    isCleared = false
    stereo = tags.values
  }

  /// Takes the configuration of the second layer over where this entry has lost it, and the other one has the same parameter sets of
  /// the base layer, with lengths of NAL units as wide.
  mutating func restoreLayers(from donor: FormatDescription, _ own: FormatDescription?) {
    restoredLayers = nil
    guard let own, own.box.first("lhvC") == nil, !own.isProtected, let box = donor.box.first("lhvC"),
      let base = own.hevcConfiguration, let other = donor.hevcConfiguration,
      base.lengthSize == other.lengthSize
    else { return }
    func sets(_ record: DecoderConfigurationRecord) -> Set<ByteView> {
      Set(record.nalUnits.filter(\.type.isParameterSet).map(\.bytes))
    }
    guard !sets(base).isEmpty, sets(base) == sets(other) else { return }
    restoredLayers = box
  }

  /// Removes all tags, and everything else that is in `vexu`.
  public mutating func removeAllTags() {
    replacement = nil
    isCleared = true
    stereo = StereoTags()
  }

  /// The tags that the boxes have before ``stereo`` is written to them.
  var base: StereoTags { replacement?.values ?? (isCleared ? StereoTags() : original) }

  /// Whether something is changed.
  var isChanged: Bool {
    swapsMessage || replacement != nil || restoredLayers != nil || isCleared
      || stereo.completed != original.completed
  }

  var changes: [TagChange] {
    let (old, new) = (original, stereo.isEmpty ? stereo : stereo.completed)
    var changes = StereoTagField.all.compactMap { field -> TagChange? in
      let (before, after) = (field.text(old), field.text(new))
      return before == after ? nil : TagChange(name: field.name, old: before, new: after)
    }
    if restoredLayers != nil {
      changes.insert(
        TagChange(name: "layers", old: nil, new: "configuration of the second layer (lhvC)"), at: 0)
    }
    if swapsMessage {
      let eye = originalBaseEye?.rawValue
      changes.append(
        TagChange(
          name: "eye-message", old: eye ?? "unknown", new: originalBaseEye?.opposite.rawValue ?? "unknown"))
    }
    return changes
  }
}

extension StereoTags {
  /// Whether no value is there.
  var isEmpty: Bool { self == StereoTags() }
}

/// The boxes `vexu` and `hfov` of a sample entry, as they are.
struct CopiedTags: Sendable {
  let boxes: [Box]
  let values: StereoTags
  /// What comes with them, for the report: whether `vexu` has more than the values say.
  init(_ description: FormatDescription) {
    boxes = description.box.children.filter { $0.type == "vexu" || $0.type == "hfov" }
    values = StereoTags(description.stereo)
  }
}

extension MovieFile {
  /// When the movie was made, as its header says, in seconds since 1904.
  var creationTime: UInt64? {
    tree?.first("moov")?.first(MovieHeaderBox.self)?.creationTime
  }
}
