// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
public import Multiview

extension MovieEditor {
  /// Removes everything that shows where, by whom, with what or when the movie was recorded, in all forms that
  /// `MovieFile.personalData` lists: metadata keys, user data of movie and tracks, Exif, XMP, notes of makers.
  ///
  /// Values inside documents and pictures are overwritten where they are; boxes are removed. With `inSamples`, the
  /// values in the samples of timed metadata are overwritten, too, and tracks of nothing else are removed.
  ///
  /// - Returns: what is removed.
  @discardableResult
  public mutating func removePersonalData(
    _ kinds: Set<PersonalDataKind>, inSamples: Bool = false
  ) throws(EditError) -> [PersonalDatum] {
    var request = removal
    request.kinds.formUnion(kinds)
    request.includesSamples = request.includesSamples || inSamples
    var pass = PersonalDataPass(unpatched, request)
    pass.scan()
    guard !pass.hasDamaged else {
      throw EditError(
        .damaged, "personal data are in a damaged box, and cannot be removed from it",
        advice: "Repair the movie first: see what is wrong\(.check).")
    }
    guard pass.isComplete else {
      throw EditError(
        .refused, "some items or samples could not be searched: they are unreadable, or overlap too much"
      )
    }
    removal = request
    removed = pass.found.filter { $0.sampleCount == nil || request.includesSamples }
    patches = pass.patches.ordered
    do {
      movie =
        try patches.isEmpty
        ? unpatched : MovieFile(source: unpatched.source.patched(patches), limits: unpatched.limits)
    } catch { throw EditError(.unreadable, because: error) }
    return removed
  }

  /// Whether a change in place overwrites the boxes that it replaces, and all free space: personal data are removed, which
  /// nothing may bring back.
  package var erasesFormerBoxes: Bool {
    !removal.kinds.isEmpty
      || metadata.edits.contains { $0.value == nil && PersonalDataKind(ofKey: $0.key) != nil }
  }

  /// The personal data that stay in samples although data of the same kind are removed elsewhere.
  public var personalDataLeft: [PersonalDatum] {
    guard !removal.kinds.isEmpty else { return [] }
    var pass = PersonalDataPass(movie, removal)
    pass.scan()
    return pass.found.filter { $0.sampleCount != nil && !removal.includesSamples }
  }

  /// Removes the boxes of personal data from a tree.
  func removePersonalData(from tree: inout BoxTree) {
    guard !removal.kinds.isEmpty else { return }
    var pass = PersonalDataPass(movie, removal)
    pass.remove(from: &tree)
  }

  /// The IDs of the tracks that are removed because they have nothing but personal data in their samples.
  var removedTrackIDs: Set<UInt32> {
    guard removal.includesSamples else { return [] }
    var pass = PersonalDataPass(movie, removal)
    pass.scan()
    return pass.wholeTrackIDs
  }

  /// Looks for personal data in a written movie that should no longer be there.
  func verifyRemoval(_ written: MovieFile) throws(SourceError) {
    guard !removal.kinds.isEmpty else { return }
    let keys = Set(metadata.edits.filter { $0.value != nil }.map(\.key.rawValue))
    var pass = PersonalDataPass(written, removal)
    pass.scan()
    // A key that was set again has the new value, and a date of creation, too.
    let left = pass.found.first { datum in
      !keys.contains(datum.form) && (datum.kind != .date || creationTime == nil)
        && (datum.sampleCount == nil || removal.includesSamples)
    }
    guard let left else { return }
    throw SourceError(
      .other("the written file still has personal data (\(left.form)) in \(left.place.path)"),
      advice: "This is a bug in the library: report it.")
  }

  /// The removals as changes.
  var removalChanges: [TagChange] {
    removed.map { datum in
      var change = TagChange(name: "\(datum.kind.rawValue) (\(datum.form))")
      change.trackID = datum.trackID
      change.old =
        datum.sampleCount.map { "in \($0) samples" } ?? datum.location?.description ?? datum.value
        ?? (datum.isCertain ? "present" : "possible")
      return change
    }
  }
}
