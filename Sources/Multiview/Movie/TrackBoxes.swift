// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// The boxes of one track, and what the headers among them say: found once for all that ask. A raw stream has none.
final class TrackBoxes: Sendable {
  /// `trak`
  let box: Box?
  /// The index of the track in the movie.
  let index: Int
  /// `tkhd`
  let header: TrackHeaderBox?
  /// `mdhd`
  let mediaHeader: MediaHeaderBox?
  /// The handler type in `hdlr`. The tree reads sample entries by these four bytes alone.
  let handler: FourCC?
  /// `stbl`
  let sampleTable: Box?
  /// `stsd`
  let sampleDescriptions: Box?
  /// `dref`
  let dataReferences: Box?
  /// The samples that are not found by offsets into this file.
  let externalMedia: ExternalMedia
  /// The path of the track.
  let path: String
  /// The sample descriptions.
  let formatDescriptions: [FormatDescription]
  /// The descriptions, counted from 1, whose samples are not read in the same way as those of the first description.
  let otherDescriptions: [UInt32: FormatDescription]
  /// The samples, read once: extractors of thousands of tracks may refer to one track with long tables.
  let samples = Lazy<Result<ReadSamples, SourceError>>()

  /// Those of a raw stream.
  init() {
    box = nil
    index = 0
    header = nil
    mediaHeader = nil
    handler = MediaType.video.rawValue
    sampleTable = nil
    sampleDescriptions = nil
    dataReferences = nil
    externalMedia = ExternalMedia(nil)
    path = ""
    formatDescriptions = []
    otherDescriptions = [:]
  }

  init(_ trak: Box, index: Int, path: String, in context: MovieContext, atMost count: Int) {
    box = trak
    self.index = index
    self.path = path
    header = trak.first(TrackHeaderBox.self)
    let media = trak.first("mdia")
    mediaHeader = media?.first(MediaHeaderBox.self)
    handler = media?.first("hdlr")?.body.fourCC(at: 8)
    let information = media?.first("minf")
    sampleTable = information?.first("stbl")
    dataReferences = information?.first("dinf")?.first("dref")
    externalMedia = ExternalMedia(information)
    sampleDescriptions = sampleTable?.first("stsd")
    formatDescriptions =
      sampleDescriptions.map {
        FormatDescription.all(in: $0, of: context, path: path + "/mdia/minf/stbl/stsd", atMost: count)
      } ?? []
    var others: [UInt32: FormatDescription] = [:]
    let lengthSize = FormatDescription.lengthSize(of: formatDescriptions)
    let hasHEVC = formatDescriptions.contains { $0.isHEVC }
    for (index, description) in formatDescriptions.enumerated()
    where description.isProtected
      || (description.lengthSize ?? lengthSize) != lengthSize || description.isHEVC != hasHEVC
    {
      others[UInt32(clamping: index) + 1] = description
    }
    otherDescriptions = others
  }

  /// Reports which structures the track has not, and which of its descriptions were not read.
  func reportMissing(in diagnostics: inout DiagnosticList) {
    if header == nil {
      diagnostics.append(.error, "missing-structure", path: path, "the track has no header (tkhd)")
    }
    guard let sampleDescriptions else {
      return diagnostics.append(
        .error, "missing-structure", path: path, offset: box?.offset,
        "the track has no sample descriptions (stsd)")
    }
    let count = sampleDescriptions.children.count
    if count > formatDescriptions.count {
      diagnostics.append(
        .error, "limit-exceeded", path: path, offset: sampleDescriptions.offset,
        "only the first \(formatDescriptions.count) of \(count) sample descriptions are read")
    }
  }
}
