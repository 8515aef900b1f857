// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

// The boxes of the whole movie, when it is made from parts of others.

extension MovieComposer {
  mutating func finish(_ moov: inout Box) throws(EditError) {
    // Tracks refer to each other by the IDs of their own movie.
    let ids = parts.indices.map { part in
      Dictionary(
        tracks.compactMap { track in
          track.cuts.first { $0.part == part }.map { ($0.track.id, track.id) }
        }
      ) { first, _ in first }
    }
    var longest: UInt64 = 0
    var boxes: [Box] = []
    for index in tracks.indices {
      boxes.append(
        try tracks[index].box(
          ids: ids, timescale: timescale, mediaStart: media.start,
          isQuickTime: base.container.isQuickTime))
      longest = max(longest, UInt64(clamping: tracks[index].composer.duration))
    }
    let place = moov.children.firstIndex { $0.type == "trak" } ?? moov.children.count
    moov.children.removeAll { $0.type == "trak" || $0.type == "mvex" }
    moov.children.insert(contentsOf: boxes, at: min(place, moov.children.count))
    do throws(ParseError) {
      try moov.editAll(MovieHeaderBox.self) { header in
        let lastID = tracks.map(\.id).max() ?? 0
        if header.nextTrackID <= lastID { header.nextTrackID = lastID &+ 1 }
        // In a fragmented movie it is the duration of the samples in `moov`.
        guard !isWhole || base.container.isFragmented || header.duration == 0 || header.isDurationUnknown
        else { return }
        let keepsTimescale = header.timescale == timescale
        header.timescale = timescale
        header.setDuration(longest)
        header.nextTrackID = max(header.nextTrackID, (tracks.map(\.id).max() ?? 0) &+ 1)
        guard !isWhole || !keepsTimescale else { return }
        // These have times of the old presentation, or in its timescale.
        (header.previewTime, header.previewDuration, header.posterTime) = (0, 0, 0)
        (header.selectionTime, header.selectionDuration, header.currentTime) = (0, 0, 0)
      }
      if !isWhole { try joinChapters(in: &moov) }
      if !isWhole, !keepsSoundLength {
        moov.editAll("udta", "meta", "ilst") { list in
          let count = list.children.count
          list.children.removeAll { $0.iTunesName == Self.soundLength }
          if list.children.count < count { leftOutSoundLength = true }
        }
      }
    } catch { throw .refused(error) }
  }

  /// The item of iTunes with the numbers of samples of sound before, in and after a whole file. Players cut the sound there.
  static let soundLength = "iTunSMPB"

  /// Joins the lists of chapters of all movies, if any of them has one.
  private mutating func joinChapters(in moov: inout Box) throws(ParseError) {
    let place = moov.children.firstIndex { $0.type == "udta" }
    if let place, moov.children[place].first("chpl") != nil {
      try moov.children[place].editAll(ChapterListBox.self) { cut(&$0) }
      return
    }
    let lists = presentations.segments.lazy.compactMap { segment in
      segment.movie?.tree.flatMap { tree in
        tree["moov/udta/chpl"].flatMap { tree.whole($0).payload(ChapterListBox.self) }
      }
    }
    guard var list = lists.first else { return }
    cut(&list)
    guard !list.chapters.isEmpty else { return }
    let box = Box("chpl", list, in: .box("udta"), registry: .standard)
    if let place {
      moov.children[place].children.append(box)
    } else {
      moov.children.append(Box("udta", nil, children: [box], in: .box("moov"), registry: .standard))
    }
  }

  /// Replaces the chapters of a list by those of all movies that are in the parts taken.
  private mutating func cut(_ list: inout ChapterListBox) {
    func units(_ time: MediaTime) -> UInt64 { UInt64(clamping: time.converted(to: 10_000_000).value) }
    var chapters: [ChapterListBox.Chapter] = []
    for segment in presentations.segments {
      guard let range = segment.sourceRange, let tree = segment.movie?.tree, let box = tree["moov/udta/chpl"],
        let own = tree.whole(box).payload(ChapterListBox.self)?.chapters
      else { continue }
      let (start, end) = (units(range.lowerBound), units(range.upperBound))
      let (first, last) = (units(segment.timeRange.lowerBound), units(segment.timeRange.upperBound))
      // The chapter that is playing at the beginning of the part comes first.
      let current = own.lastIndex { $0.start <= start } ?? 0
      for (index, chapter) in own.enumerated() where index >= current && chapter.start < end {
        var chapter = chapter
        let ahead = Double(chapter.start > start ? chapter.start - start : 0) / segment.rate
        chapter.start = first &+ min(last &- first, UInt64(min(ahead.rounded(), 1e18)))
        chapters.append(chapter)
      }
    }
    // Their count has 8 bits.
    list.chapters = Array(chapters.prefix(255))
    chaptersLeftOut = chapters.count - list.chapters.count
  }
}

extension Box {
  /// The name of an item of iTunes that has one (`----`).
  fileprivate var iTunesName: String? {
    guard type == "----" else { return nil }
    return children.first { $0.type == "name" }?.payload(MetadataNameBox.self)?.text
  }
}
