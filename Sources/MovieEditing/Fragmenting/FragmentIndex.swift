// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

/// The index of the fragments of a movie (`sidx`). ISO/IEC 14496-12, 8.16.3
struct FragmentIndex {
  private let trackID: UInt32
  private let timescale: UInt32
  /// By how much the presentation begins later in the media than at 0.
  private let shift: Int64
  private var references: [SegmentIndexBox.Reference] = []
  private var first: Int64?
  /// When the last fragment begins, and ends, in composition and in decoding.
  private var last: (start: Int64, length: Int64)?

  init(_ track: Track, of movie: MovieFile) {
    trackID = track.id
    timescale = track.timescale
    let list = track.box?["edts/elst"].flatMap { movie.tree?.whole($0).payload(EditListBox.self) }
    shift = list?.entries.first { $0.mediaTime >= 0 }?.mediaTime ?? 0
  }

  /// Adds a fragment.
  mutating func add(_ fragment: MovieFragment, size: UInt64) throws(EditError) {
    let start = fragment.firstComposition ?? fragment.decodeTime
    finishLast(at: start)
    guard let size = UInt32(exactly: size), size < 1 << 31 else {
      throw .refused(
        "fragment \(references.count + 1) has more than 2 GiB, which an index cannot say",
        advice: "Make fragments shorter: --duration SECONDS.")
    }
    guard references.count < Int(UInt16.max) else {
      throw .refused(
        "there are more than 65535 fragments, which an index cannot list",
        advice: "Make fragments longer: --duration SECONDS.")
    }
    if first == nil { first = start }
    last = (start, fragment.decodeEnd &- fragment.decodeTime)
    // What is composed before the sync sample and decoded after it can be decoded all the same. ISO/IEC 14496-12, Annex I
    let leads = fragment.firstSample.map { start < $0.compositionTime } ?? false
    references.append(.init(size: size, duration: 0, startsWithSAP: true, sapType: leads ? 2 : 1))
  }

  private mutating func finishLast(at time: Int64?) {
    guard let last, let index = references.indices.last else { return }
    references[index].subsegmentDuration = UInt32(clamping: time.map { $0 &- last.start } ?? last.length)
  }

  /// The box.
  mutating func box() throws(ParseError) -> Box {
    finishLast(at: nil)
    var index = SegmentIndexBox()
    index.referenceID = trackID
    index.timescale = timescale
    index.earliestPresentationTime = UInt64(clamping: (first ?? 0) &- shift)
    index.version = index.earliestPresentationTime > UInt64(UInt32.max) ? 1 : 0
    index.references = try PackedTable(references)
    return Box("sidx", index, in: .file)
  }
}
