// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// The changes that a decoder needs at a splice, where pictures follow others that they were not coded after.
///
/// A clean random access picture (CRA) that is not the first one derives its order count from preceding
/// pictures, and pictures that are shown before it may need some of these. As a broken link (BLA), which
/// differs only in the type of its NAL units, it restarts the order count, and a decoder leaves out pictures
/// that need missing ones. ISO/IEC 23008-2, 7.4.2.2 and 8.1.3
///
/// An end of sequence before a CRA picture would have the same effect, but pictures that are not output yet
/// would be discarded (C.5.2.2).
enum Splice {
  /// Nothing: the pictures restart decoding by themselves, or need no others.
  case plain
  /// The first picture must become a broken link.
  case brokenLink
  /// The preceding sequence must be ended, because no picture begins a new one.
  case end

  /// Determines what is needed before a sample.
  init(before sample: Int, of track: Track) throws(EditError) {
    guard track.mediaType.isVisual, track.isHEVC,
      let first = try track.units(ofSample: sample).first(where: { $0.header.type.isVideoCodingLayer })?
        .header
    else {
      self = .plain
      return
    }
    // 16 to 18 are BLA, 19 and 20 IDR, 21 CRA. Pictures of other layers restart where those of the base layer do.
    // F.8.1.3
    switch first.type.rawValue {
    case 16...20: self = .plain
    case 21: self = first.layerID == 0 ? .brokenLink : .plain
    default: self = .end
    }
  }

  /// The first bytes of the NAL units of a CRA picture of the base layer (`nal_unit_type` 21) and of a BLA picture
  /// with leading pictures (16).
  static let (randomAccessByte, brokenLinkByte): (UInt8, UInt8) = (21 << 1, 16 << 1)

  /// Returns the bytes of a sample with its CRA pictures changed to broken links.
  static func brokenLink(
    _ sample: Sample, of track: Track, in movie: MovieFile
  ) throws(EditError) -> [WritePlan.Piece] {
    var pieces: [WritePlan.Piece] = []
    var position = sample.range.lowerBound
    // Units that an extractor refers to are changed in their own track.
    for unit in try track.units(ofSample: sample.index)
    where unit.header.type.rawValue == 21 && unit.header.layerID == 0 && unit.composed == nil {
      let place = unit.range.lowerBound
      guard place >= position, place < sample.range.upperBound else { continue }
      if place > position { pieces.append(.range(position..<place, of: movie.source)) }
      pieces.append(.bytes(ByteView([brokenLinkByte])))
      position = place + 1
    }
    if position < sample.range.upperBound {
      pieces.append(.range(position..<sample.range.upperBound, of: movie.source))
    }
    return pieces
  }

  /// Returns an end of sequence for each layer of a sample.
  static func end(of sample: Sample, in track: Track) throws(EditError) -> [UInt8] {
    var layers = LayerIDSet()
    let lengthSize = track.lengthSize(ofDescription: sample.descriptionIndex)
    for unit in try track.units(ofSample: sample.index) where unit.header.type.isVideoCodingLayer {
      layers.insert(unit.header.layerID)
    }
    var bytes: [UInt8] = []
    for layer in layers {
      // `nal_unit_type` 36, the layer, and the lowest temporal sub-layer.
      bytes += [UInt8](repeating: 0, count: lengthSize - 1) + [2, 36 << 1 | layer >> 5, layer << 3 | 1]
    }
    return bytes
  }
}
