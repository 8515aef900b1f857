// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// What is read in pictures of AVC: the types of their NAL units. ISO/IEC 14496-10, 7.3.1
enum AVCPictures {
  private static let codecs: Set<FourCC> = ["avc1", "avc2", "avc3", "avc4"]
  /// The number of NAL units that are read in search of the first slice.
  private static let mostUnits = 64

  /// Whether the pictures of a track are coded in AVC.
  static func areCoded(in track: Track) -> Bool {
    track.codec.map(codecs.contains) ?? false
  }

  /// Whether the first slice of a sample is one of an IDR picture, which needs no others and begins a new count of
  /// pictures. If there is none, or the sample cannot be told, it is not.
  static func restartDecoding(
    at sample: Sample, of track: Track, in source: any ByteSource
  ) throws(EditError) -> Bool {
    let index = Int(clamping: sample.descriptionIndex) - 1
    guard track.formatDescriptions.indices.contains(index), !track.formatDescriptions[index].isProtected,
      let record = track.formatDescriptions[index].box.first("avcC")?.payload(AVCConfigurationBox.self)
    else { return false }
    let width = Int(record.lengthSizeMinusOne) + 1
    var place = sample.range.lowerBound
    for _ in 0..<mostUnits {
      let (body, overflow) = place.addingReportingOverflow(UInt64(width))
      guard !overflow, body < sample.range.upperBound else { return false }
      let bytes = try reading(source.read(at: place, count: width + 1)).array
      guard bytes.count == width + 1 else { return false }
      // 1 is a slice of another picture, 2 its first partition, 5 a slice of an IDR picture.
      switch bytes[width] & 31 {
      case 5: return true
      case 1, 2: return false
      default: break
      }
      let length = bytes.prefix(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      place = body &+ length
    }
    return false
  }
}
