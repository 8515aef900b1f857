// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
public import Multiview

/// Changes the stereo and spatial tags and the metadata of a movie, without changing its media data.
///
/// ```swift
/// var editor = try MovieEditor(path: "movie.mov")
/// editor.tracks[0].stereo.baseline = .millimeters(63)
/// editor.tracks[0].stereo.fieldOfView = .degrees(63.4)
/// try editor.write(to: "spatial.mov")
/// ```
///
/// Everything that you do not change is kept, byte for byte.
public struct MovieEditor: Sendable {
  /// The original movie; once personal data are removed, without those that are inside other data.
  public internal(set) var movie: MovieFile
  /// The movie as it was opened.
  let unpatched: MovieFile
  /// The personal data to remove.
  var removal = PersonalDataRequest()
  /// What ``removal`` found.
  var removed: [PersonalDatum] = []
  /// The patches that make ``movie`` of ``unpatched``.
  var patches: [BytePatch] = []
  /// The tracks, in the order of the movie, with the tags to write.
  public var tracks: [EditedTrack]
  /// The metadata of the movie by key, with the values to write.
  public var metadata: EditedMetadata
  /// The creation date to write, in seconds since 1904-01-01 00:00 UTC; `nil` to keep the dates.
  var creationTime: UInt64?
  /// Whether ``creationTime`` is written only to headers that have no date.
  var keepsOtherDates = false
  /// The creation date as text, for the metadata key if it is present.
  var creationDateText: String?
  /// Whether the movie is one that this library makes from others, with new tables.
  var hasOwnTables = false
  /// The sources that were copied from: an output must not be one of these, either.
  var donors: [any ByteSource] = []
  /// Whether values that contradict each other, or the bitstream, are written anyway. By default, they are refused.
  public var allowsContradictions = false

  /// Opens the movie at a path.
  public init(path: String) throws(EditError) {
    let movie: MovieFile
    do { movie = try MovieFile(path: path) } catch {
      switch error {
      case .unreadable(let reason): throw EditError(.unreadable, reason)
      case .notAMovie: throw EditError(.unreadable, because: error)
      }
    }
    try self.init(movie)
  }

  /// Makes an editor of an open movie.
  ///
  /// - Throws: ``EditError`` if it is not a movie, or its boxes cannot be edited.
  public init(_ movie: MovieFile) throws(EditError) { try self.init(movie, allowsImages: false) }

  /// Makes an editor, also of a file of images, from which only personal data can be removed.
  package init(_ movie: MovieFile, allowsImages: Bool) throws(EditError) {
    guard let tree = movie.tree else {
      throw EditError(
        .notAMovie, "is a raw HEVC stream, which has no tags",
        advice: "Tags are in boxes: make a movie of it first.")
    }
    // What could not be read would be missing in what is written.
    if let failure = tree.readFailure { throw EditError(.unreadable, failure) }
    if tree["moov/cmov"] != nil {
      throw .refused(
        "the boxes of the movie are compressed (cmov)", advice: "Remux the movie with another tool first.")
    }
    self.movie = movie
    unpatched = movie
    tracks = movie.tracks.map { EditedTrack($0) }
    metadata = EditedMetadata(movie)
    guard let moov = tree.first("moov") else {
      if movie.items != nil {
        if allowsImages { return }
        throw EditError(
          .notAMovie, "is an image file, not a movie",
          advice:
            "From image files, only personal data can be removed; their stereo tags can be read, but not changed."
        )
      }
      throw EditError(
        .notAMovie, "there is no movie in the file (moov)",
        advice: "Use the file that has one. For a stream, this is the init segment.")
    }
    if let problem = moov.structuralProblem {
      throw EditError(.unreadable, because: problem, of: "the movie box is damaged")
    }
  }

  /// The changes that writing the movie makes; empty if there is nothing to change.
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
    changes += removalChanges + metadata.changes
    if let creationTime, creationTime != movie.creationTime {
      changes.append(
        TagChange(
          name: "creation-date",
          // 0 is what headers without a date have.
          old: movie.creationTime.flatMap { $0 == 0 ? nil : CreationDate(secondsSince1904: $0)?.description },
          new: CreationDate(secondsSince1904: creationTime)?.description))
    }
    return changes
  }
}

/// A track with the tags to write.
public struct EditedTrack: Sendable {
  /// The track ID.
  public let id: UInt32
  /// The media type of the track.
  public let mediaType: MediaType
  /// The number of layers with pictures (not alpha or depth), which is above 1 for stereo video in layers; 1
  /// for video of other codecs than HEVC, and 0 for other tracks.
  public let eyeLayerCount: Int
  /// The sample entries; most tracks have one. Empty for tracks that are not visual.
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

  /// The tags of the first sample entry. A tag that you change is changed in all entries, which keep their
  /// other tags.
  public var stereo: StereoTags {
    get { entries.first?.stereo ?? StereoTags() }
    set {
      let old = stereo
      for tag in StereoTag.all where tag.text(old) != tag.text(newValue) {
        for index in entries.indices { tag.copy(newValue, &entries[index].stereo) }
      }
    }
  }
}

/// A sample entry with the tags to write.
public struct EditedEntry: Sendable {
  /// The type of the sample entry: `hvc1`, `avc1`, …
  public let codec: String
  /// Whether the samples are encrypted.
  public let isProtected: Bool
  /// The tags in the movie.
  public let original: StereoTags
  /// The tags to write.
  public var stereo: StereoTags
  /// The path of its box.
  let path: String
  /// Boxes of another movie that replace `vexu` and `hfov` before ``stereo`` is written; `nil` for none.
  private(set) var replacement: CopiedTags?
  /// Whether `vexu` and `hfov` are removed completely, with boxes that this library does not know.
  private(set) var isCleared = false
  /// The configuration of the other layers (`lhvC`) that is restored from another movie of the same stream;
  /// `nil` for none.
  private(set) var restoredLayers: Box?
  /// Whether the eyes are swapped, by `stri` or also by the messages.
  var swapsEyes = false
  /// Whether the views of the eyes are exchanged in the messages of the configuration record.
  var swapsMessage = false
  /// The number of units in the configuration record that have a reference displays message.
  let eyeMessageCount: Int
  /// The eye that the base layer shows; `nil` if not known.
  let originalBaseEye: StereoEye?
  /// What is wrong with the size or the fields of its box, which make it impossible to write boxes into it;
  /// `nil` if nothing is.
  let damage: ParseError?
  /// What hides tags from readers, so that new ones would be written beside them or over them; `nil` if nothing does.
  let obstacle: Diagnostic?

  init(_ description: FormatDescription, baseEye: StereoEye? = nil) {
    originalBaseEye = baseEye
    damage = description.box.structuralProblem ?? description.box.decodePayload()?.error
    // Entries of encrypted samples are not repaired.
    obstacle =
      description.isProtected ? nil : description.stereo.diagnostics.first { $0.code == "full-box-header" }
    eyeMessageCount = (description.hevcConfiguration?.nalUnits ?? []).count { $0.hasEyeMessage }
    codec = description.sampleEntryType.description
    isProtected = description.isProtected
    path = description.path
    original = StereoTags(description.stereo)
    stereo = original
  }

  /// Replaces all tags by those of another entry, including boxes that this library does not know. Tags that
  /// the other entry does not have are removed.
  mutating func copy(_ tags: CopiedTags) {
    replacement = tags
    isCleared = false
    stereo = tags.values
  }

  /// Restores the configuration of the other layers (`lhvC`) from another entry, if this one lacks it, and both
  /// have the same parameter sets of the base layer and NAL unit lengths of the same width.
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

  /// Removes all tags, and everything else in `vexu`.
  public mutating func removeAllTags() {
    replacement = nil
    isCleared = true
    stereo = StereoTags()
  }

  /// The tags in the boxes before ``stereo`` is written to them.
  var base: StereoTags { replacement?.values ?? (isCleared ? StereoTags() : original) }

  /// Whether all tags are removed or replaced by those of another entry.
  var replacesAllTags: Bool { isCleared || replacement != nil }

  /// Whether writing the entry changes it.
  var isChanged: Bool {
    swapsMessage || replacement != nil || restoredLayers != nil || isCleared
      || stereo.completed != original.completed
  }

  var changes: [TagChange] {
    let (old, new) = (original, stereo.completed)
    var changes = StereoTag.all.compactMap { tag -> TagChange? in
      let (before, after) = (tag.text(old), tag.text(new))
      return before == after ? nil : TagChange(name: tag.name, old: before, new: after)
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

/// The boxes `vexu` and `hfov` of a sample entry, unchanged, with their values.
struct CopiedTags: Sendable {
  let boxes: [Box]
  let values: StereoTags
  init(_ description: FormatDescription) {
    boxes = description.box.children.filter { $0.type == "vexu" || $0.type == "hfov" }
    values = StereoTags(description.stereo)
  }
}

extension MovieFile {
  /// The creation date in the movie header, in seconds since 1904; `nil` if there is no header.
  var creationTime: UInt64? {
    tree?.movieHeader?.creationTime
  }
}

/// A single change that writing an edited movie makes.
public struct TagChange: Hashable, Sendable {
  /// The ID of the track; `nil` for a change of the whole movie.
  public var trackID: UInt32?
  /// The sample entry, counted from 1; `nil` if the value is not in a sample entry.
  public var entry: Int?
  /// What is changed: the name of a tag (`StereoTag.name`), or a metadata key.
  public var name: String
  /// The value before the change; `nil` if there was none.
  public var old: String?
  /// The value after the change; `nil` if it is removed.
  public var new: String?
}
