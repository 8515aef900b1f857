// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
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

  init(_ trak: Box) {
    box = trak
    header = trak.first(TrackHeaderBox.self)
    let media = trak.first("mdia")
    mediaHeader = media?.first(MediaHeaderBox.self)
    handler = media?.first("hdlr")?.body.fourCC(at: 8)
    sampleTable = media?.first("minf")?.first("stbl")
    sampleDescriptions = sampleTable?.first("stsd")
  }
}
