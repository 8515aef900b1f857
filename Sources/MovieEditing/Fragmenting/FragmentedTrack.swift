// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// A track whose samples are written in fragments.
struct FragmentedTrack {
  let track: Track
  let samples: TrackSamples
  /// The defaults of its samples in fragments (`trex`).
  let extends: TrackExtendsBox
  /// The descriptions of its sample groups, for its sample table.
  let groupDescriptions: [Box]
  private let groupings: [(grouping: SampleGrouping, runs: SampleGroupRuns)]
  private let subSamples: SubSamples
  /// The number of samples whose groups and sub-samples are in boxes.
  private var described = 0
  /// The amount added to composition offsets to make none negative; an edit begins later by the same time.
  let shift: Int64
  /// Its samples that are not in a fragment yet.
  var queue: SampleQueue

  /// - Parameter hasEdits: whether an edit takes the place of negative composition offsets.
  init(_ track: Track, of movie: MovieFile, hasEdits: Bool = false) throws(EditError) {
    try ComposedTrack.check(track, of: movie)
    try Self.check(track)
    guard movie.tree != nil else { throw EditError(.damaged, "track \(track.id) cannot be read") }
    self.track = track
    samples = try reading(track.samples())
    var extends = TrackExtendsBox()
    extends.trackID = track.id
    if let first = samples.sample(at: 0) {
      let second = samples.sample(at: 1) ?? first
      extends.defaultSampleDescriptionIndex = first.descriptionIndex
      extends.defaultSampleDuration = UInt32(clamping: first.duration)
      extends.defaultSampleSize = first.size == second.size ? first.size : 0
      extends.defaultSampleFlags = second.flags
    }
    self.extends = extends
    var least: Int64 = 0
    if hasEdits {
      var all = samples.makeIterator()
      while let sample = all.nextUniform()?.first {
        if !sample.isNeverComposed { least = min(least, sample.compositionOffset) }
      }
    }
    shift = -least
    if samples.count > 0 {
      let all = try TrackCut(whole: track, of: movie, timescale: movie.movieTimescale).keptSpans
      do throws(SourceError) {
        var groups = try SampleGroups(of: track).slice(all)
        let partial = Self.partialSyncSamples(samples)
        guard partial.count == 0 || groups.addOpenAccessPoints(partial) else {
          throw SourceError(
            .other(
              "track \(track.id) has partial sync samples (stps) and another list of them (group 'rap ')"))
        }
        (groupDescriptions, groupings) = (groups.descriptionBoxes, groups.listed)
        subSamples = try SubSamples(of: track).slice(all)
      } catch { throw .refused(error) }
    } else {
      (groupDescriptions, groupings, subSamples) = ([], [], SubSamples())
    }
    queue = SampleQueue(samples)
  }

  /// The partial sync samples (`stps`), as samples of group 1: fragments have no such list.
  private static func partialSyncSamples(_ samples: TrackSamples) -> SampleGroupRuns {
    var runs = SampleGroupRuns()
    var point = samples.partialSyncSample(atOrBefore: .max)
    var found: [Int] = []
    while let index = point {
      found.append(index)
      point = index > 0 ? samples.partialSyncSample(atOrBefore: index - 1) : nil
    }
    for index in found.reversed() {
      runs.extend(to: index, of: 0)
      runs.append(1, of: 1)
    }
    return runs
  }

  /// Refuses properties of samples that fragments cannot express.
  private static func check(_ track: Track) throws(EditError) {
    for box in track.box?["mdia/minf/stbl"]?.children ?? [] where SampleTableRole(box.type) == .priorities {
      throw .refused(
        "track \(track.id) has degradation priorities (\(box.type)), which cannot be written in fragments")
    }
  }

  /// Returns the boxes with the groups and the sub-samples of the next `count` samples.
  mutating func takeGroupBoxes(_ count: Int) throws(EditError) -> [Box] {
    let span = described..<(described + count)
    described = span.upperBound
    var boxes: [Box] = []
    do throws(ParseError) {
      for (grouping, runs) in groupings {
        var own = runs.slice([span])
        // Samples that are not listed are not in a group. ISO/IEC 14496-12, 8.9.2
        own.removeRest()
        if own.count > 0 { boxes.append(try own.box(grouping, in: "traf")) }
      }
    } catch { throw .refused(error) }
    return boxes + subSamples.slice([span]).boxes(in: "traf")
  }

  // MARK: The init segment

  /// Whether what a fragmented movie says of the composition times of all fragments (`cslg`) is true of the new ones: not
  /// if they are moved, or the movie box had samples of its own. ISO/IEC 14496-12, 8.6.1.4
  var keepsCompositionSpan: Bool {
    shift == 0 && track.box?["mdia/minf/stbl/stts"]?.payload(TimeToSampleBox.self)?.entries.isEmpty == true
  }

  /// Returns the box of the track, without samples.
  ///
  /// - Parameter isQuickTime: whether its sound gets the form of QuickTime movies or that of MP4; `nil` to keep its form.
  func emptyBox(forQuickTime isQuickTime: Bool?) throws(EditError) -> Box {
    guard var trak = track.box else { throw EditError(.damaged, "track \(track.id) cannot be read") }
    do {
      try trak.editAll(TrackHeaderBox.self) { $0.duration = 0 }
      try trak.editAll("edts", change: changeEdits)
      try trak.editAll("mdia") { mdia in try empty(&mdia, forQuickTime: isQuickTime) }
    } catch let error as EditError { throw error } catch { throw .refused(error, of: "track \(track.id)") }
    if shift > 0, trak.first("edts") == nil {
      // Without a duration, an edit lasts to the end of the fragments. ISO/IEC 14496-12, 8.6.6.1
      trak.setEdits(EditListBox([.init(editDuration: 0, mediaTime: shift)]))
    }
    return trak
  }

  /// Lets the last edit last to the end of the fragments, if it lasts to the end of the samples of the movie box;
  /// and lets all begin later, if the samples are composed later.
  private func changeEdits(_ edts: inout Box) throws(ParseError) {
    guard let list = track.editListBox else { return }
    for index in edts.children.indices where edts.children[index].type == "elst" {
      guard shift > 0 || edts.children[index].payload(EditListBox.self)?.entries != list.entries else {
        continue
      }
      try edts.children[index].edit(EditListBox.self) { box in
        box.entries = list.entries
        for entry in box.entries.indices where box.entries[entry].mediaTime >= 0 {
          box.entries[entry].mediaTime &+= shift
        }
        box.widen()
      }
    }
  }

  private func empty(_ mdia: inout Box, forQuickTime isQuickTime: Bool?) throws {
    try mdia.editAll(MediaHeaderBox.self) { $0.duration = 0 }
    guard var tables = mdia.first("minf")?.first("stbl")?.children else { return }
    tables.removeAll { SampleTableRole($0.type)?.isMade == true }
    let place = (tables.firstIndex { $0.type == "stsd" } ?? -1) + 1
    if place > 0 {
      for entry in tables[place - 1].children.indices {
        tables[place - 1].children[entry] = try track.newEntry(
          tables[place - 1].children[entry], forQuickTime: isQuickTime)
      }
    }
    // These four tables are required, without rows. ISO/IEC 23000-19, 7.5.10
    let empty: [any BoxPayload] = [
      TimeToSampleBox(), SampleToChunkBox(), SampleSizeBox(sampleSize: 0, sampleCount: 0), ChunkOffsetBox(),
    ]
    let boxes = zip(["stts", "stsc", "stsz", "stco"] as [FourCC], empty).map { type, payload in
      Box(type, payload, in: .box("stbl"))
    }
    tables.insert(contentsOf: boxes + groupDescriptions, at: place)
    mdia.editFirst("minf", "stbl") { $0.children = tables }
  }
}
