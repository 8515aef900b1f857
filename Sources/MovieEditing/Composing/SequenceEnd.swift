// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF
import Multiview

/// Where pictures follow others that they were not coded after.
///
/// A clean random access picture (CRA) that is not the first takes its order count from the pictures before it, and so would be
/// put in order among those of another movie. An end of sequence before it makes it begin anew, and lets a decoder leave out
/// the pictures that need what is not there. ISO/IEC 23008-2, 7.4.2.4.4 and 8.1.3
enum SequenceEnd {
  /// Whether the sequence before a sample must be ended: it is HEVC, and does not begin with an IDR picture.
  static func isNeeded(before sample: Int, of track: Track) throws(EditError) -> Bool {
    guard track.mediaType.isVisual, track.isHEVC else { return false }
    var isNeeded = false
    do throws(SourceError) {
      try track.forEachAccessUnit(sample..<sample + 1) { places, _ in
        let first = places.units.first { $0.header.type.isVideoCodingLayer }
        // 16 to 18 are BLA, 19 and 20 IDR, 21 CRA.
        isNeeded = first.map { $0.header.type.rawValue != 19 && $0.header.type.rawValue != 20 } ?? false
        return false
      }
    } catch { throw EditError(.unreadable, error) }
    return isNeeded
  }

  /// The bytes of a sample with an end of sequence for each of its layers.
  static func bytes(of sample: Sample, in track: Track, of movie: MovieFile) throws(EditError) -> [UInt8] {
    var layers = LayerIDSet()
    var lengthSize = 4
    var bytes: [UInt8]
    let index = Int(clamping: sample.descriptionIndex) - 1
    if track.formatDescriptions.indices.contains(index) {
      lengthSize = track.formatDescriptions[index].lengthSize ?? 4
    }
    do throws(SourceError) {
      bytes = try movie.source.read(sample.range).array
      try track.forEachAccessUnit(sample.index..<sample.index + 1) { places, _ in
        for unit in places.units where unit.header.type.isVideoCodingLayer {
          layers.insert(unit.header.layerID)
        }
        return false
      }
    } catch { throw EditError(.unreadable, error) }
    guard bytes.count == Int(sample.size) else {
      throw EditError(
        .unreadable, "sample \(sample.index) of track \(track.id) is beyond the end of the file")
    }
    for layer in layers {
      // Type 36, the layer, the lowest temporal sub-layer.
      bytes += [UInt8](repeating: 0, count: lengthSize - 1) + [2, 36 << 1 | layer >> 5, layer << 3 | 1]
    }
    return bytes
  }
}
