// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// Where pictures follow others that they were not coded after, and what a decoder must be told there.
///
/// A clean random access picture (CRA) that is not the first one takes its order count from the pictures before it, and those that are
/// shown before it may need some of these. As a broken link (BLA), which has another type of NAL unit and is the same otherwise, it begins
/// anew, and a decoder leaves out what needs pictures that are not there. ISO/IEC 23008-2, 7.4.2.2 and 8.1.3
///
/// An end of sequence before a CRA picture would do the same, but pictures that are not shown yet are discarded then (C.5.2.2).
enum Splice {
  /// Nothing: the pictures begin anew by themselves, or need no others.
  case plain
  /// The first picture must become a broken link.
  case brokenLink
  /// The sequence before must end: no picture begins one.
  case end

  /// What must be said before a sample.
  init(before sample: Int, of track: Track) throws(EditError) {
    guard track.mediaType.isVisual, track.isHEVC else {
      self = .plain
      return
    }
    var kind = Splice.plain
    do throws(SourceError) {
      try track.forEachAccessUnit(sample..<sample + 1) { places, _ in
        guard let first = places.units.first(where: { $0.header.type.isVideoCodingLayer })?.header else {
          return false
        }
        // 16 to 18 are BLA, 19 and 20 IDR, 21 CRA. Pictures of another layer begin anew where those of the base do. (F.8.1.3)
        switch first.type.rawValue {
        case 16...20: kind = .plain
        case 21: kind = first.layerID == 0 ? .brokenLink : .plain
        default: kind = .end
        }
        return false
      }
    } catch { throw EditError(.unreadable, error) }
    self = kind
  }

  /// The first byte of a unit of a CRA picture of the base layer (`nal_unit_type` 21), and that of a BLA picture with leading pictures (16).
  static let (randomAccessByte, brokenLinkByte): (UInt8, UInt8) = (21 << 1, 16 << 1)

  /// The bytes of a sample whose pictures are broken links.
  static func brokenLink(
    _ sample: Sample, of track: Track, in movie: MovieFile
  ) throws(EditError) -> [WritePlan.Piece] {
    var pieces: [WritePlan.Piece] = []
    var position = sample.range.lowerBound
    do throws(SourceError) {
      try track.forEachAccessUnit(sample.index..<sample.index + 1) { places, _ in
        // Those of an extractor are changed where they are.
        for unit in places.units
        where unit.header.type.rawValue == 21 && unit.header.layerID == 0 && unit.composed == nil {
          let place = unit.range.lowerBound
          guard place >= position, place < sample.range.upperBound else { continue }
          if place > position { pieces.append(.range(position..<place, of: movie.source)) }
          pieces.append(.bytes(ByteView([brokenLinkByte])))
          position = place + 1
        }
        return false
      }
    } catch { throw EditError(.unreadable, error) }
    if position < sample.range.upperBound {
      pieces.append(.range(position..<sample.range.upperBound, of: movie.source))
    }
    return pieces
  }

  /// An end of sequence for each layer of a sample.
  static func end(of sample: Sample, in track: Track) throws(EditError) -> [UInt8] {
    var layers = LayerIDSet()
    var lengthSize = 4
    let index = Int(clamping: sample.descriptionIndex) - 1
    if track.formatDescriptions.indices.contains(index) {
      lengthSize = track.formatDescriptions[index].lengthSize ?? 4
    }
    do throws(SourceError) {
      try track.forEachAccessUnit(sample.index..<sample.index + 1) { places, _ in
        for unit in places.units where unit.header.type.isVideoCodingLayer {
          layers.insert(unit.header.layerID)
        }
        return false
      }
    } catch { throw EditError(.unreadable, error) }
    var bytes: [UInt8] = []
    for layer in layers {
      // Type 36, the layer, the lowest temporal sub-layer.
      bytes += [UInt8](repeating: 0, count: lengthSize - 1) + [2, 36 << 1 | layer >> 5, layer << 3 | 1]
    }
    return bytes
  }
}
