// swift-multiview · SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// Holes: parts of a file that were never written. They use no space on the disk, and read as zeros.
extension FileBytes {
  /// Whether the file uses fewer blocks on the disk than its size needs, and its holes can be found.
  var isSparse: Bool {
    #if os(Linux) || os(Android)
    // Finding holes moves the position of the descriptor, which a caller who owns it may use as well.
    guard ownsDescriptor else { return false }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    return status.st_blocks < status.st_size / 512
    #else
    return false
    #endif
  }

  /// Returns the first part of a range that has data; it ends at a hole of at least `least` bytes, or with the
  /// range. The part begins the range, or follows a hole of at least that size. It is empty, at the end of the
  /// range, if the range is one hole.
  func data(in range: Range<UInt64>, holesFrom least: Int) -> Range<UInt64> {
    #if os(Linux) || os(Android)
    // The file has been shortened since it was opened: reading reports that.
    guard let now = FileIdentity(descriptor: descriptor)?.size, range.upperBound <= now else { return range }
    var start = range.lowerBound
    var end = start
    while end < range.upperBound {
      let data = next(.data, after: end, in: range)
      if data - end >= UInt64(least) {
        if end > start { return start..<end }
        start = data
      }
      end = next(.hole, after: data, in: range)
      // The file system contradicts itself: the rest is taken as data.
      guard end > data || data == range.upperBound else { return start..<range.upperBound }
    }
    return start..<end
    #else
    return range
    #endif
  }

  #if os(Linux) || os(Android)
  /// What to find. The values are those of `SEEK_DATA` and `SEEK_HOLE`, which are not imported.
  private enum Sought: Int32 {
    case data = 3
    case hole = 4
  }

  /// Returns the offset of the next data or the next hole, at most the end of the range.
  private func next(_ sought: Sought, after offset: UInt64, in range: Range<UInt64>) -> UInt64 {
    guard offset < range.upperBound, let start = off_t(exactly: offset) else { return range.upperBound }
    let found = lseek(descriptor, start, sought.rawValue)
    if found >= 0 { return min(max(UInt64(found), offset), range.upperBound) }
    // ENXIO: there is no data after the offset. A system that reports another error has data everywhere.
    return sought == .data && errno != ENXIO ? offset : range.upperBound
  }
  #endif
}
