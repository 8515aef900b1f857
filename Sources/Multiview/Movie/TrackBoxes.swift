// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF

/// The boxes of one track, and what the headers among them say: found once for all that ask.
final class TrackBoxes: Sendable {
  /// `trak`
  let box: Box
  /// `tkhd`
  let header: TrackHeaderBox?
  /// `mdhd`
  let mediaHeader: MediaHeaderBox?
  /// What `hdlr` says that the media are: the four bytes by which the tree has read the sample entries, alone.
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
  /// The sample descriptions, kept here because a track is made again for each request by its ID.
  let formatDescriptions: [FormatDescription]
  /// Those of them, counted from 1, whose samples are not read as those of the first are.
  let otherDescriptions: [UInt32: FormatDescription]
  /// The samples, when somebody asks: extractors of thousands of tracks may take bytes from one, whose tables are long.
  let samples = Lazy<Result<ReadSamples, SourceError>>()

  init(_ trak: Box, path: String, in context: MovieContext, atMost count: Int) {
    box = trak
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
}
