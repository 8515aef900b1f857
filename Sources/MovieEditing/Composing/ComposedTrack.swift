// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

/// A track of a movie that is made from parts of others.
struct ComposedTrack {
  /// The track whose boxes are used.
  let model: Track
  /// The movie of that track.
  let movie: MovieFile
  /// The cuts that it is made from, in order.
  var cuts: [TrackCut]
  /// The composer of its tables.
  var composer: TrackComposer
  /// Sample entries that the model does not have.
  var addedEntries: [Box] = []
  /// Whether its sample entries get the form of QuickTime movies or that of MP4; `nil` to keep their form.
  var isInQuickTimeForm: Bool?
  /// Whether it has all samples at their old times, so that its durations and edits are kept.
  var isWhole = false
  /// A further change of its box; `nil` for none.
  var change: (@Sendable (inout Box) throws(ParseError) -> Void)?
  /// The track ID in the new movie.
  var id: UInt32

  /// The tables that may be replaced by a table of another type.
  private static let places: [FourCC: FourCC] = ["stz2": "stsz", "co64": "stco", "csgp": "sbgp"]

  init(model: Track, movie: MovieFile, cuts: [TrackCut], composer: TrackComposer, id: UInt32) {
    self.model = model
    self.movie = movie
    self.cuts = cuts
    self.composer = composer
    self.id = id
  }

  /// Makes a track of all samples of another one, with its times and edits.
  ///
  /// - Parameters:
  ///   - track: the other track.
  ///   - movie: its movie.
  ///   - timescale: that of the whole movie (`MovieFile.wholeTimescale`).
  init(whole track: Track, of movie: MovieFile, timescale: UInt32) throws(EditError) {
    try Self.check(track, of: movie)
    self.init(
      model: track, movie: movie,
      cuts: [try TrackCut(whole: track, of: movie, timescale: timescale)],
      composer: TrackComposer(timescale: track.timescale), id: track.id)
    isWhole = !movie.container.isFragmented
  }

  /// Removes time from the beginning in which nothing is presented, so that everything is presented earlier.
  mutating func skip(_ wait: Int64) {
    guard !cuts.isEmpty, !cuts[0].isEmpty else { return }
    cuts[0].skip(wait)
    // Its own edits and durations no longer apply.
    (isWhole, change) = (false, nil)
  }

  /// Refuses tracks that cannot be cut correctly.
  static func check(_ track: Track, of movie: MovieFile) throws(EditError) {
    let name = "track \(track.id)"
    guard track.externalMedia.isEmpty else {
      throw EditError(
        .externalMedia, "the samples of \(name) are in another file",
        advice: "Make a movie of one file first.")
    }
    guard let table = track.box?["mdia/minf/stbl"] else {
      throw EditError(.damaged, "\(name) has no sample table")
    }
    guard !track.mayBeEncrypted else {
      throw EditError(.encrypted, "\(name) is encrypted, and cannot be cut", advice: "Decrypt it first.")
    }
    for box in table.children {
      let role = SampleTableRole(box.type)
      guard role == nil || role == .auxiliary else { continue }
      throw .refused(
        "\(name) has the box \(box.type) in its sample table, whose values cannot be assigned to samples",
        advice: "Look at it\(.showBox(path: "\(track.path)/mdia/minf/stbl/\(box.type)"))."
      )
    }
    try track.checkFragmentOrder(in: movie)
  }

  /// Returns the box of the track.
  ///
  /// - Parameters:
  ///   - ids: the new IDs of the tracks of each part, by their old IDs.
  ///   - timescale: the timescale of the new movie.
  ///   - mediaStart: the offset of the media data in the new movie.
  ///   - isQuickTime: whether the new movie is a QuickTime movie.
  mutating func box(
    ids: [[UInt32: UInt32]], timescale: UInt32, mediaStart: UInt64, isQuickTime: Bool
  ) throws(EditError) -> Box {
    guard var trak = model.box, let tree = movie.tree else {
      throw EditError(.damaged, "track \(model.id) cannot be read")
    }
    if let place = trak.unfollowedPlace(at: model.path) { throw place.refusal }
    let list = composer.editList(timescale)
    let edits = EditList(
      entries: list.entries, movieTimescale: timescale, mediaTimescale: composer.timescale)
    let duration = UInt64(clamping: composer.duration)
    do {
      try trak.editAll(TrackHeaderBox.self) { header in
        header.trackID = id
        // Players would show nothing of a track whose header says 0.
        guard !isWhole || header.duration == 0 || header.isDurationUnknown else { return }
        header.setDuration(duration)
      }
      try trak.editAll("mdia") { try edit(&$0, tree, mediaStart, edits, isQuickTime) }
    } catch let error as EditError { throw error } catch { throw .refused(error, of: "track \(model.id)") }
    try setReferences(of: &trak, ids)
    do throws(ParseError) { try change?(&trak) } catch { throw .refused(error, of: "track \(model.id)") }
    if !isWhole { trak.setEdits(list) }
    return trak
  }

  /// Changes the media box.
  private mutating func edit(
    _ mdia: inout Box, _ tree: BoxTree, _ mediaStart: UInt64, _ edits: EditList, _ isQuickTime: Bool
  ) throws {
    guard let old = mdia.first("minf")?.first("stbl") else {
      throw EditError(.damaged, "track \(model.id) has no sample table")
    }
    let mediaDuration = UInt64(clamping: composer.samples.endTime)
    let lacksDuration = model.mediaHeader.map { $0.duration == 0 || $0.isDurationUnknown } ?? false
    if !isWhole || lacksDuration {
      try mdia.editAll(MediaHeaderBox.self) { header in
        header.timescale = composer.timescale
        header.setDuration(mediaDuration)
      }
    }
    let made = try composer.tables(form(like: old, isQuickTime), mediaStart: mediaStart, edits)
    var new = try joinedTables() + made
    var tables: [Box] = []
    for child in old.children {
      switch SampleTableRole(child.type) {
      case let role? where role.isMade:
        // What follows a box that is too long, such as other tables, may be hidden in it.
        if role == .groups || role == .subSamples, let problem = child.structuralProblem {
          throw EditError(
            .damaged, because: problem, of: "\(model.path)/mdia/minf/stbl/\(child.type)")
        }
        // The new table takes the position of the old one.
        let kind = Self.kind(of: child)
        if let index = new.firstIndex(where: { Self.kind(of: $0) == kind }) {
          tables.append(new.remove(at: index))
        }
      case .priorities:
        tables.append(try priorities(child, tree))
      case .entries:
        var child = child
        for index in child.children.indices {
          child.children[index] = try model.newEntry(child.children[index], forQuickTime: isInQuickTimeForm)
        }
        child.children += addedEntries
        tables.append(child)
      default: tables.append(child)
      }
    }
    mdia.editFirst("minf", "stbl") { $0.children = tables + new }
  }

  /// What a table is about: its type, or that of the table that may replace it, and the kind of its groups.
  private static func kind(of table: Box) -> [FourCC?] {
    let type = places[table.type] ?? table.type
    guard SampleTableRole(type) == .groups else { return [type] }
    let grouping =
      table.body.fourCC(at: 4) ?? table.payload(SampleGroupDescriptionBox.self)?.groupingType
      ?? table.payload(SampleToGroupBox.self)?.groupingType
      ?? table.payload(CompactSampleToGroupBox.self)?.groupingType
    return [type, grouping]
  }

  /// Returns the boxes with the groups and the sub-samples of all cuts.
  private mutating func joinedTables() throws(EditError) -> [Box] {
    var (groups, subSamples): (SampleGroups?, SubSamples?)
    var read: (movie: MovieFile, trackID: UInt32, groups: SampleGroups, subSamples: SubSamples)?
    do {
      for cut in cuts {
        let (movie, track) = (cut.movie, cut.track)
        guard movie.tree != nil else { continue }
        composer.open.use(movie)
        if cuts.count > 1 || movie.container.isFragmented, let box = track.box?["mdia/minf/stbl/stdp"] {
          throw EditError.refused("track \(track.id) has the box \(box.type), which cannot be joined")
        }
        // Cuts of one track that follow one another are cut from what is read once.
        if read?.trackID != track.id || read?.movie.isSame(as: movie) != true {
          read = (movie, track.id, try SampleGroups(of: track), try SubSamples(of: track))
        }
        guard let read else { continue }
        let own = (read.groups.slice(cut.keptSpans), read.subSamples.slice(cut.keptSpans))
        if groups == nil {
          (groups, subSamples) = own
        } else {
          try groups?.append(own.0)
          subSamples?.append(own.1)
        }
      }
      return try (groups?.boxes() ?? []) + (subSamples?.boxes(in: "stbl") ?? [])
    } catch let error as EditError { throw error } catch { throw .refused(error) }
  }

  /// Returns the degradation priorities (`stdp`) of the samples that are taken.
  private func priorities(_ box: Box, _ tree: BoxTree) throws(EditError) -> Box {
    guard var list = tree.whole(box).payload(DegradationPriorityBox.self) else {
      throw .refused("the box \(box.type) of track \(model.id) cannot be read")
    }
    let old = list.priorities
    do throws(ParseError) {
      list.priorities = try PackedTable(
        (cuts.first?.keptSpans ?? []).flatMap { span in span.clamped(to: 0..<old.count).map { old[$0] } })
    } catch { throw .refused(error) }
    return Box("stdp", list, in: .box("stbl"), registry: .standard)
  }

  /// Sets the references of the track to those of the tracks that it is made from, as far as their targets are
  /// in the new movie.
  ///
  /// - Parameters:
  ///   - trak: the box of the track.
  ///   - ids: the new IDs of the tracks of each part, by their old IDs.
  private func setReferences(of trak: inout Box, _ ids: [[UInt32: UInt32]]) throws(EditError) {
    var lists: [(type: FourCC, ids: [UInt32])] = []
    for cut in cuts {
      let boxes = cut.track.box?.first("tref")?.children ?? []
      for box in boxes {
        guard let own = box.payload(TrackReferenceTypeBox.self)?.trackIDs else { continue }
        let new = own.compactMap { $0 == 0 ? 0 : ids[cut.part][$0] }
        guard !new.isEmpty else { continue }
        guard let index = lists.firstIndex(where: { $0.type == box.type }) else {
          lists.append((box.type, new))
          continue
        }
        // Extractors refer to tracks by their index in this list. ISO/IEC 14496-15, A.3
        guard box.type != "scal" || lists[index].ids == new else {
          throw .refused(
            "the extractors of track \(id) would have to refer to other tracks in each movie",
            advice: "Merge the tracks of each movie first\(.mergeTracks).")
        }
        lists[index].ids += new.filter { !lists[index].ids.contains($0) }
      }
    }
    let place = trak.children.firstIndex { $0.type == "tref" }
    var references =
      place.map { trak.children[$0] } ?? Box("tref", nil, children: [], in: .box("trak"), registry: .standard)
    func named(_ box: Box) -> [UInt32]? { box.payload(TrackReferenceTypeBox.self)?.trackIDs }
    let isSame =
      references.children.count == lists.count
      && zip(references.children, lists).allSatisfy { $0.type == $1.type && named($0) == $1.ids }
    guard !isSame else { return }
    references.children = lists.map { list in
      if let same = references.children.first(where: { $0.type == list.type && named($0) == list.ids }) {
        return same
      }
      var reference = TrackReferenceTypeBox()
      reference.trackIDs = list.ids
      return Box(list.type, reference, in: .box("tref"), registry: .standard)
    }
    trak.children.removeAll { $0.type == "tref" }
    guard !lists.isEmpty else { return }
    let first = trak.children.firstIndex { $0.type == "tkhd" }.map { $0 + 1 } ?? 0
    trak.children.insert(references, at: min(place ?? first, trak.children.count))
  }

  /// The forms of the old tables that new ones keep.
  private func form(like old: Box, _ isQuickTime: Bool) -> SampleTableForm {
    var form = SampleTableForm()
    form.hasCompositionSpan = old.first("cslg") != nil
    if let version = old.first("ctts")?.body[0], version <= 1 { form.compositionVersion = version }
    form.hasSignsInVersion0 = isQuickTime
    // With version 0, `cslg` implies signed offsets; a movie that is kept whole has that box already if it needs it.
    if isQuickTime, !isWhole, form.compositionVersion == 0 { form.hasCompositionSpan = true }
    return form
  }
}
