// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// The boxes that precede the fragments of a movie: its brands, and its `moov` without samples.
struct InitSegment {
  let movie: MovieFile
  let tree: BoxTree
  private let moov: Box

  init(_ movie: MovieFile) throws(EditError) {
    guard let tree = movie.tree, let moov = tree.first("moov") else {
      throw .lacksMovie
    }
    try movie.checkPlaces()
    self.movie = movie
    self.tree = tree
    self.moov = moov
  }

  /// Returns the brands, with those of fragmented movies added.
  ///
  /// - Parameter isPlain: whether that of QuickTime movies is left out.
  func fileType(
    isSegment: Bool = false, tracks: Int, isPlain: Bool = false
  ) throws(EditError) -> [UInt8] {
    var brands =
      tree.first("ftyp").flatMap { tree.whole($0).payload(FileTypeBox.self) }
      ?? FileTypeBox("isom", minorVersion: 512, compatibleBrands: ["isom"])
    if isPlain {
      brands.compatibleBrands.removeAll { $0 == "qt  " }
      if brands.majorBrand == "qt  " {
        (brands.majorBrand, brands.minorVersion) = (brands.compatibleBrands.first ?? "isom", 0)
      }
    }
    // This brand has signed composition offsets and decoding times of fragments. ISO/IEC 14496-12, Annex E
    var added: [FourCC] = ["iso6"]
    // CMAF requires one track per file, and the boxes of MP4. ISO/IEC 23000-19, 7.3.1
    if tracks == 1, !tree.isQuickTime { added.append("cmfc") }
    if isSegment { (brands.majorBrand, brands.minorVersion) = ("msdh", 0) }
    if isSegment, !brands.compatibleBrands.contains("msdh") { added.insert("msdh", at: 0) }
    for brand in added where !brands.compatibleBrands.contains(brand) {
      brands.compatibleBrands.append(brand)
    }
    return try refusing(Box(isSegment ? "styp" : "ftyp", brands, in: .file, registry: .standard).encoded())
  }

  /// Returns the movie box without samples.
  ///
  /// - Parameters:
  ///   - tracks: the tracks of the fragments.
  ///   - duration: the duration of the movie in its timescale; 0 if not known.
  ///   - isPlain: whether sound gets the form of MP4.
  func movieBox(
    _ tracks: [FragmentedTrack], duration: UInt64, isPlain: Bool = false
  ) throws(EditError) -> Box {
    var box = moov
    var traks: [Box] = []
    for track in tracks { traks.append(try track.emptyBox(forQuickTime: isPlain ? false : nil)) }
    // Tracks come before metadata: FFmpeg's reader of HLS looks for all that it needs in the first 32 KiB, and a
    // cover is longer.
    let place = (box.children.firstIndex { $0.type == "mvhd" } ?? -1) + 1
    let old = box.children.first { $0.type == "mvex" }
    box.children.removeAll { $0.type == "trak" || $0.type == "mvex" }
    let next = min(place, box.children.count)
    box.children.insert(contentsOf: traks, at: next)
    try refusing(box.editAll(MovieHeaderBox.self) { $0.duration = 0 })
    var extends: [Box] = []
    if duration > 0 {
      var header = MovieExtendsHeaderBox()
      header.fragmentDuration = duration
      header.version = duration > UInt64(UInt32.max) ? 1 : 0
      extends.append(Box("mehd", header, in: .box("mvex")))
    }
    extends += tracks.map { Box("trex", $0.extends, in: .box("mvex")) }
    for child in old?.children ?? [] where !["mehd", "trex", "leva", "free"].contains(child.type) {
      guard let id = child.payload(TrackExtensionPropertiesBox.self)?.trackID else {
        extends.append(child)
        continue
      }
      guard let track = tracks.first(where: { $0.track.id == id }) else { continue }
      var properties = child
      if !track.keepsCompositionSpan { properties.children.removeAll { $0.type == "cslg" } }
      if !properties.children.isEmpty { extends.append(properties) }
    }
    // It follows the last track. RFC 8216, 3.3
    box.children.insert(
      Box("mvex", nil, children: extends, in: .box("moov"), registry: .standard), at: next + traks.count)
    return box
  }

  /// The duration of the movie in its timescale, including existing fragments; 0 if not known.
  var duration: UInt64 {
    if let header = tree["moov/mvex/mehd"]?.payload(MovieExtendsHeaderBox.self) {
      return header.fragmentDuration
    }
    // If others follow in fragments, this is the duration of the samples in the movie box.
    return movie.container.isFragmented ? 0 : moov.first(MovieHeaderBox.self)?.knownDuration ?? 0
  }

  /// The top-level boxes that are not copied: those with media data or offsets, free space, and event messages, which
  /// precede the fragments.
  private static let media: Set<FourCC> = [
    "ftyp", "styp", "moov", "mdat", "moof", "mfra", "sidx", "ssix", "prft", "imda", "pdin", "free", "skip",
    "wide", "emsg",
  ]

  /// The other top-level boxes, before the media data and after them.
  var others: (before: [WritePlan.Piece], after: [WritePlan.Piece]) {
    var (before, after): ([WritePlan.Piece], [WritePlan.Piece]) = ([], [])
    let place = tree.boxes.firstIndex { $0.type == "mdat" || $0.type == "moof" } ?? tree.boxes.count
    for (index, box) in tree.boxes.enumerated() where !Self.media.contains(box.type) {
      let range = UInt64(box.offset)..<UInt64(clamping: box.fileRange.upperBound)
      guard !range.isEmpty else { continue }
      if index < place {
        before.append(.range(range, of: movie.source))
      } else {
        after.append(.range(range, of: movie.source))
      }
    }
    return (before, after)
  }
}
