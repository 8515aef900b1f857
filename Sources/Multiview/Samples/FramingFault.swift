// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import HEVC
import ISOBMFF

/// A single fault that explains why samples cannot be read as NAL units, although their bytes are present.
package enum FramingFault: Sendable, Hashable {
  /// The width of lengths differs from that in the record.
  case lengthSize(Int)
  /// Units are preceded by start codes, as in a byte stream, and not by their lengths.
  case startCodes
  /// All chunk offsets of the movie are wrong by the same distance, because something was inserted before the
  /// media data, or removed.
  case moved(by: Int)

  /// The number of samples, distributed over the track, that have to agree.
  private static let samples = 64

  /// Finds the fault that explains all samples that are read; `nil` if there is none, or the samples are intact.
  package static func find(in track: Track, of movie: MovieFile) -> FramingFault? {
    guard track.isHEVC, !track.isProtected, track.externalMedia.isEmpty else { return nil }
    do throws(SourceError) {
      let all = try track.samples()
      let step = max(1, all.count / samples)
      var places: [Sample] = []
      for index in stride(from: 0, to: all.count, by: step) {
        if let sample = all.sample(at: index), sample.size > 0 { places.append(sample) }
      }
      guard !places.isEmpty, places.allSatisfy({ Int($0.size) <= movie.limits.maximumSampleBytes }) else {
        return nil
      }
      func fits(_ shift: Int, _ isWhole: (ByteView) -> Bool) throws(SourceError) -> Bool {
        for sample in places {
          let (start, overflow) = Int(clamping: sample.offset).addingReportingOverflow(shift)
          guard start >= 0, !overflow else { return false }
          let bytes = try movie.source.read(at: UInt64(start), count: Int(sample.size))
          guard bytes.count == Int(sample.size), isWhole(bytes) else { return false }
        }
        return true
      }
      let own = track.lengthSize
      if try fits(0, { isWhole($0, own) }) { return nil }
      for size in [4, 2, 1] where size != own {
        if try fits(0, { isWhole($0, size) }) { return .lengthSize(size) }
      }
      if try fits(0, isByteStream) { return .startCodes }
      for shift in try shifts(of: movie) {
        if try fits(shift, { isWhole($0, own) }) { return .moved(by: shift) }
      }
    } catch { return nil }
    return nil
  }

  /// Returns whether the samples of a track are in this file, whatever its data references say.
  package static func hasSamplesHere(_ track: Track, of movie: MovieFile) -> Bool {
    guard track.isHEVC, !track.isProtected else { return false }
    do throws(SourceError) {
      let all = try track.samples()
      let step = max(1, all.count / samples)
      for index in stride(from: 0, to: all.count, by: step) {
        guard let sample = all.sample(at: index), Int(sample.size) <= movie.limits.maximumSampleBytes,
          isWhole(try movie.source.read(sample.range), track.lengthSize)
        else { return false }
      }
      return all.count > 0
    } catch { return false }
  }

  /// Returns whether lengths and units fill a sample.
  private static func isWhole(_ bytes: ByteView, _ lengthSize: Int) -> Bool {
    var position = 0
    while position < bytes.count {
      guard let length = bytes.bigEndian(at: position, width: lengthSize), length >= 2,
        length <= UInt64(bytes.count - position - lengthSize),
        isHeader(bytes.suffix(from: position + lengthSize))
      else { return false }
      position += lengthSize + Int(length)
    }
    return position == bytes.count
  }

  private static func isByteStream(_ bytes: ByteView) -> Bool {
    var hasUnits = false
    for unit in AnnexBNALUnits(bytes) {
      guard case .success(let unit) = unit, unit.header.isValid else { return false }
      hasUnits = true
    }
    return hasUnits
  }

  private static func isHeader(_ bytes: ByteView) -> Bool { NALUnit(bytes.prefix(2))?.header.isValid == true }

  /// The distances by which chunks could be wrong: so that the first begins with the media data, or the last
  /// ends with them.
  private static func shifts(of movie: MovieFile) throws(SourceError) -> [Int] {
    guard !movie.container.isFragmented else { return [] }
    var first = Int.max, last = 0
    for track in movie.tracks where track.externalMedia.isEmpty {
      for chunk in try track.samples() {
        first = min(first, Int(clamping: chunk.offset))
        last = max(last, Int(clamping: chunk.range.upperBound))
      }
    }
    guard last > first else { return [] }
    var shifts: [Int] = []
    for box in movie.tree?.boxes ?? [] where box.type == "mdat" {
      for shift in [box.offset + box.headerSize - first, box.fileRange.upperBound - last]
      where shift != 0 && !shifts.contains(shift) {
        shifts.append(shift)
      }
    }
    return Array(shifts.prefix(8))
  }
}
