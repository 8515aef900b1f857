// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// The sample tables and the edit list of a track that is made of parts of others.
struct TrackComposer {
  /// How long a chunk lasts at most, in seconds, where nothing else ends it.
  private static let chunkSeconds: Int64 = 1

  /// The units of its media in a second.
  let timescale: UInt32
  private(set) var table = SampleTableBuilder()
  /// Samples that `stps` lists.
  private var partialSync: [UInt32] = []
  /// The edits, with media times from the first decoding time on.
  private var edits: [TrackCut.Edit] = []
  /// The last sample, which may have to last longer.
  private var pending: Sample?
  /// The decoding time of the pending sample.
  private var time: Int64 = 0
  /// When the last composition ends.
  private var reached: Int64 = 0
  private var chunkStart: Int64 = 0
  /// Bytes of samples that are in no source.
  private(set) var ownBytes: [UInt8] = []
  /// Where these begin.
  let ownStart: UInt64

  init(timescale: UInt32, ownStart: UInt64 = 0) {
    self.timescale = timescale
    self.ownStart = ownStart
  }

  /// Adds what a part takes of a track.
  ///
  /// - Parameters:
  ///   - layout: where the bytes of its movie are.
  ///   - movie: the movie.
  ///   - descriptions: the numbers of its sample entries in the new track; empty where they stay.
  ///   - endsSequence: whether the sequence of coded pictures must end with its last sample: see ``SequenceEnd``.
  mutating func append(
    _ cut: TrackCut, _ layout: MediaLayout, of movie: MovieFile, descriptions: [UInt32] = [],
    endsSequence: Bool = false
  ) throws(EditError) {
    guard cut.track.timescale > 0, timescale % cut.track.timescale == 0 else {
      throw .refused("the times of track \(cut.track.id) are not whole in the timescale \(timescale)")
    }
    let units = Int64(timescale / cut.track.timescale)
    /// Where media time 0 of each run is now.
    var shifts: [Int64] = []
    for (index, run) in cut.runs.enumerated() {
      shifts.append(try append(run, of: cut, units, layout, movie, descriptions))
      var endsHere = endsSequence
      if index + 1 < cut.runs.count {
        endsHere = try SequenceEnd.isNeeded(before: cut.runs[index + 1].samples.lowerBound, of: cut.track)
      }
      if endsHere { try endSequence(of: cut, run.samples.upperBound - 1, movie) }
      try finishPending()
    }
    for var edit in cut.edits {
      switch edit.content {
      case .nothing: break
      case .media(let run, let time): edit.content = .media(run: 0, from: time &* units &+ shifts[run])
      case .dwell(let run, let time): edit.content = .dwell(run: 0, at: time &* units &+ shifts[run])
      }
      edits.append(edit)
    }
  }

  private mutating func append(
    _ run: TrackCut.Run, of cut: TrackCut, _ units: Int64, _ layout: MediaLayout, _ movie: MovieFile,
    _ descriptions: [UInt32]
  ) throws(EditError) -> Int64 {
    let samples = cut.samples
    var start = run.start
    var timecode: [UInt8]?
    if run.clip != nil, cut.track.mediaType == .timecode {
      (timecode, start) = try Timecode.moved(run, cut, movie)
    }
    // Nothing of what came before may be composed where this is.
    var earliest = Int64.max
    samples.forEachCompositionTime(run.samples) { time in
      if let time { earliest = min(earliest, max(time, run.clip == nil ? .min : start) &- start) }
    }
    try finishPending()
    if earliest < .max, table.count > 0 {
      let wanted = time &+ earliest &* units
      if wanted < reached { try lengthenLast(by: reached &- wanted) }
    }
    let base = time
    let shift = base &- start &* units
    var iterator = samples.makeIterator(at: run.samples.lowerBound)
    var next = iterator.next()
    while let sample = next, run.samples.contains(sample.index) {
      next = iterator.next()
      var sample = sample
      let isLast = sample.index == run.samples.upperBound - 1
      // Where a fragment begins later than the one before it ends, the sample before is held. ISO/IEC 14496-12, 8.8.12.1
      var end = sample.decodeTime &+ sample.duration
      if !isLast, let next { end = next.decodeTime }
      if let clip = run.clip {
        sample.decodeTime = max(sample.decodeTime, start)
        end = max(sample.decodeTime, min(end, clip.upperBound))
      }
      sample.duration = (end &- sample.decodeTime) &* units
      if !sample.isNeverComposed {
        sample.compositionOffset = sample.compositionOffset &* units
        let composed = sample.decodeTime &* units &+ shift &+ sample.compositionOffset
        if isLast {
          // What was shown until the next sample came is shown as long without it.
          let wanted = run.end &* units &+ shift
          if max(reached, composed &+ sample.duration) < wanted { sample.duration = wanted &- composed }
        }
        reached = max(reached, composed &+ sample.duration)
      }
      if !descriptions.isEmpty {
        let index = Int(sample.descriptionIndex) - 1
        guard descriptions.indices.contains(index) else {
          throw .refused("sample \(sample.index) of track \(cut.track.id) has no sample entry")
        }
        sample.descriptionIndex = descriptions[index]
      }
      var isComposed = false
      if let kept = cut.kept {
        // Its parts follow each other in the new movie.
        let parts = kept.parts(of: sample.index)
        let size = parts.reduce(UInt64(0)) { $0 &+ ($1.upperBound - $1.lowerBound) }
        guard let size = UInt32(exactly: size) else {
          throw .refused("sample \(sample.index) of track \(cut.track.id) has more bytes than a sample can")
        }
        if size == 0, var last = pending {
          // Nothing is decoded here: what came before lasts until something is.
          last.duration &+= sample.duration
          pending = last
          continue
        }
        (sample.offset, sample.size) = (parts.first?.lowerBound ?? 0, size)
        isComposed = kept.areTogether && parts.count > 1
      }
      if cut.notSync.contains(sample.index) { sample.flags.rawValue |= 0x1_0000 }
      if let bytes = timecode {
        sample.offset = ownStart &+ UInt64(ownBytes.count)
        ownBytes += bytes
        timecode = nil
      } else if sample.size > 0 {
        guard let place = layout.place(of: sample.offset, ofComposed: isComposed ? sample.index : nil) else {
          throw .refused("sample \(sample.index) of track \(cut.track.id) is beyond all that can be copied")
        }
        sample.offset = place
      } else {
        sample.offset = table.count == 0 ? layout.start : lastEnd
      }
      try finishPending()
      pending = sample
    }
    return shift
  }

  /// Adds to the last sample that its sequence ends there.
  private mutating func endSequence(
    of cut: TrackCut, _ index: Int, _ movie: MovieFile
  ) throws(EditError) {
    guard var sample = pending, let old = cut.samples.sample(at: index) else { return }
    let bytes = try SequenceEnd.bytes(of: old, in: cut.track, of: movie)
    guard let size = UInt32(exactly: bytes.count) else { return }
    sample.offset = ownStart &+ UInt64(ownBytes.count)
    sample.size = size
    ownBytes += bytes
    pending = sample
  }

  /// Where the last sample ends.
  private var lastEnd: UInt64 = 0

  private mutating func finishPending() throws(EditError) {
    guard let sample = pending else { return }
    pending = nil
    do throws(ParseError) {
      if time &- chunkStart >= Self.chunkSeconds &* Int64(timescale) {
        table.endChunk()
        chunkStart = time
      }
      try table.append(sample)
    } catch { throw .refused("\(error)") }
    if sample.isPartialSync { partialSync.append(UInt32(clamping: table.count)) }
    time &+= sample.duration
    lastEnd = sample.offset &+ UInt64(sample.size)
  }

  private mutating func lengthenLast(by gap: Int64) throws(EditError) {
    do throws(ParseError) { try table.lengthenLast(by: gap) } catch { throw .refused("\(error)") }
    time &+= gap
  }

  /// Adds time in which nothing is presented.
  mutating func appendNothing(_ duration: Int64) {
    guard duration > 0 else { return }
    edits.append(TrackCut.Edit(content: .nothing, duration: duration))
  }

  // MARK: Boxes

  /// Whether anything is presented.
  var isEmpty: Bool {
    table.count == 0 || edits.allSatisfy { if case .nothing = $0.content { true } else { false } }
  }

  /// How long the edits last, in ticks of the movie.
  var duration: Int64 { shownEdits.reduce(0) { $0 &+ $1.duration } }

  /// The edits without those at the end that present nothing, which the standard does not have. ISO/IEC 14496-12, 8.6.6.1
  private var shownEdits: ArraySlice<TrackCut.Edit> {
    let last = edits.lastIndex { if case .nothing = $0.content { false } else { true } }
    return edits[..<(last.map { $0 + 1 } ?? 0)]
  }

  /// The edit list. Composition offsets become greater where an edit would begin before 0.
  mutating func editList() throws(EditError) -> Box {
    var least: Int64 = 0
    for edit in edits {
      switch edit.content {
      case .nothing: break
      case .media(_, let time), .dwell(_, let time): least = min(least, time)
      }
    }
    if least < 0 {
      do throws(ParseError) { try table.shiftCompositionOffsets(by: -least) } catch {
        throw .refused("\(error)")
      }
    }
    var list = EditListBox()
    for edit in shownEdits {
      var entry = EditListBox.Entry(editDuration: UInt64(clamping: edit.duration), mediaTime: -1)
      switch edit.content {
      case .nothing:
        if let last = list.entries.indices.last, list.entries[last].mediaTime == -1 {
          list.entries[last].editDuration += entry.editDuration
          continue
        }
      case .media(_, let time):
        entry.mediaTime = time &- least
        entry.mediaRateInteger = Int16(truncatingIfNeeded: edit.rate >> 16)
        entry.mediaRateFraction = Int16(truncatingIfNeeded: edit.rate)
      case .dwell(_, let time):
        entry.mediaTime = time &- least
        entry.mediaRateInteger = 0
      }
      list.entries.append(entry)
    }
    let isWide = list.entries.contains {
      $0.editDuration > UInt64(UInt32.max) || $0.mediaTime > Int64(Int32.max)
    }
    list.version = isWide ? 1 : 0
    return Box("elst", list, in: .box("edts"), registry: .standard)
  }

  /// The tables of samples, `stsd` and groups apart. They are not kept here.
  ///
  /// - Parameter old: those of the track, whose forms they take over.
  mutating func tables(like old: Box) throws(EditError) -> [Box] {
    var boxes: [Box]
    do throws(ParseError) { boxes = try table.takeBoxes() } catch { throw .refused("\(error)") }
    let hasSpan = old.first("cslg") != nil
    boxes.removeAll { $0.type == "cslg" && !hasSpan }
    if let place = boxes.firstIndex(where: { $0.type == "ctts" }),
      let version = old.first("ctts")?.body[0], version <= 1,
      var offsets = boxes[place].payload(CompositionOffsetBox.self)
    {
      // QuickTime has offsets with a sign in version 0.
      offsets.version = version
      boxes[place].replacePayload(offsets)
    }
    if !partialSync.isEmpty {
      var box = PartialSyncSampleBox()
      do throws(ParseError) { box.entries = try PackedTable(partialSync.lazy.map { UInt32Record($0) }) } catch
      {
        throw .refused("\(error)")
      }
      boxes.append(Box("stps", box, in: .box("stbl"), registry: .standard))
    }
    return boxes
  }
}
