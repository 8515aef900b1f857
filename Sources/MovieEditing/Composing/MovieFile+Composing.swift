// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import ISOBMFF
import Multiview

extension MovieFile {
  /// The timescale of the movie; 0 if it cannot be read.
  var movieTimescale: UInt32 { tree?.movieHeader?.timescale ?? 0 }

  /// The timescale in which the edits of the whole movie can be written as those of an ordinary movie, in which
  /// an empty edit expresses that fragments begin late. If no timescale expresses all of these exactly, that of
  /// the movie.
  var wholeTimescale: UInt32 {
    guard container.isFragmented else { return movieTimescale }
    var scales = [movieTimescale]
    for track in tracks {
      guard let samples = try? track.samples(), let first = samples.index(atCompositionRank: 0) else {
        continue
      }
      guard samples.startTime != 0 else { continue }
      let from = track.editListBox?.entries.first { $0.mediaTime >= 0 }?.mediaTime ?? 0
      let (wait, overflow) = samples.compositionTime(at: first).subtractingReportingOverflow(from)
      guard !overflow, wait > 0, wait < 1 << 60 else { continue }
      let time = MediaTime(value: wait, timescale: track.timescale)
      if time.converted(to: movieTimescale) != time { scales.append(time.reduced.timescale) }
    }
    return commonTimescale(scales) ?? movieTimescale
  }

  /// Returns when the last of some tracks, or of all, has been presented. Hints and tracks without samples present nothing.
  func presentationEnd(of tracks: [Track]? = nil, timescale: UInt32) throws(EditError) -> Int64 {
    var end: Int64 = 0
    for track in tracks ?? self.tracks where track.mediaType != .hint && track.sampleCount > 0 {
      end = max(end, try TrackCut.presentationEnd(of: track, in: self, timescale: timescale))
    }
    return end
  }

  /// Refuses files without times, and movies that cannot be edited.
  func checkComposable() throws(EditError) {
    guard tree != nil else {
      throw EditError(
        .notAMovie, "is a raw HEVC stream, which has no times",
        advice: "Make a movie of it first\(.makeMovie).")
    }
    // The editor refuses files that are not movies that can be edited.
    _ = try MovieEditor(self)
    guard movieTimescale > 0 else {
      throw EditError(.unreadable, "the header of the movie cannot be read (mvhd)")
    }
    for track in tracks where track.sampleCount > 0 {
      guard track.box?["mdia/mdhd"]?.payload(MediaHeaderBox.self)?.timescale != 0 else {
        throw EditError(
          .damaged, "the media of track \(track.id) have no timescale (0 in mdhd): their times are undefined")
      }
    }
  }
}

extension MovieFile {
  /// Refuses a movie whose media data are going to be rewritten, if boxes other than sample tables have offsets
  /// in the file, which would no longer be correct.
  func checkPlaces() throws(EditError) {
    if let place = tree?.firstUnfollowedPlace { throw place.refusal }
  }
}

extension UnfollowedPlace {
  /// The refusal of a movie with such a box.
  var refusal: EditError {
    .refused(
      "the box \(path) at byte \(offset) \(reason): in the new file, all positions change",
      advice: "Remove it first if it is not needed.")
  }
}

extension MovieFile {
  /// The brands without those of fragmented movies; `nil` if there are none of these.
  func plainFileType() throws(EditError) -> [UInt8]? {
    guard let tree, let box = tree.first("ftyp"),
      var brands = tree.whole(box).payload(FileTypeBox.self)
    else { return nil }
    // CMAF, DASH and HLS. ISO/IEC 23000-19, Annex A; ISO/IEC 23009-1, 6.3
    let ofFragments: Set<FourCC> = [
      "cmfc", "cmf2", "cmff", "cmfl", "cmfs", "dash", "dsms", "msdh", "msix", "lmsg", "sims", "risx", "hlsf",
    ]
    let old = brands
    brands.compatibleBrands.removeAll { ofFragments.contains($0) }
    if ofFragments.contains(brands.majorBrand) {
      brands.majorBrand = brands.compatibleBrands.first ?? "isom"
      brands.minorVersion = 0
    }
    guard brands.majorBrand != old.majorBrand || brands.compatibleBrands != old.compatibleBrands else {
      return nil
    }
    if brands.compatibleBrands.isEmpty { brands.compatibleBrands = [brands.majorBrand] }
    return try refusing(Box("ftyp", brands, in: .file, registry: .standard).encoded())
  }
}

extension Track {
  /// Hands each access unit to `body`, and refuses samples that are damaged or overlap.
  func forEachIntactAccessUnit(_ body: (AccessUnitPlaces) throws(EditError) -> Void) throws(EditError) {
    let iterator = try reading(AccessUnitIterator(self))
    while let (places, _) = try reading(iterator.next()) {
      if let error = places.error {
        throw EditError(.unreadable, because: error, of: "sample \(places.index) of track \(id) is damaged")
      }
      try body(places)
      guard !iterator.isExhausted else { throw EditError(.damaged, "the samples of track \(id) overlap") }
    }
  }

  /// The NAL units of a sample; empty if there is no such sample.
  func units(ofSample index: Int) throws(EditError) -> [NALUnitPlace] {
    try reading(AccessUnitIterator(self, index..<index + 1).next()?.0.units) ?? []
  }

  /// The width of NAL unit lengths in samples of a description, counted from 1.
  func lengthSize(ofDescription number: UInt32) -> Int {
    let index = Int(clamping: number) - 1
    return (formatDescriptions.indices.contains(index) ? formatDescriptions[index].lengthSize : nil) ?? 4
  }
}
