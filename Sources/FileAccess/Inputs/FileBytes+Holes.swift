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

/// Holes: parts of a file that were never written. They take no room on the disk, and read as zeros.
extension FileBytes {
  /// Whether the file has fewer blocks on the disk than bytes, and holes can be looked for.
  var isSparse: Bool {
    #if os(Linux) || os(Android)
    // Looking for holes moves the position of the descriptor, which others may use where it is theirs as well.
    guard ownsDescriptor else { return false }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return false }
    return status.st_blocks < status.st_size / 512
    #else
    return false
    #endif
  }

  /// The first part of a range that has data, up to a hole of `least` bytes or more: what precedes it is a hole of
  /// such a size, or nothing. Empty, at the end of the range, if only a hole is left.
  func data(in range: Range<UInt64>, holesFrom least: Int) -> Range<UInt64> {
    #if os(Linux) || os(Android)
    // Of what has been cut off since the file was opened nothing is known: whoever reads it finds out.
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
      // A file system that contradicts itself: everything else is data.
      guard end > data || data == range.upperBound else { return start..<range.upperBound }
    }
    return start..<end
    #else
    return range
    #endif
  }

  #if os(Linux) || os(Android)
  /// What is looked for, by the numbers of the system, which headers hide.
  private enum Sought: Int32 {
    case data = 3
    case hole = 4
  }

  /// Where the next data or the next hole begins, at most at the end of the range.
  private func next(_ sought: Sought, after offset: UInt64, in range: Range<UInt64>) -> UInt64 {
    guard offset < range.upperBound, let start = off_t(exactly: offset) else { return range.upperBound }
    let found = lseek(descriptor, start, sought.rawValue)
    if found >= 0 { return min(max(UInt64(found), offset), range.upperBound) }
    // Beyond the last data there is a hole; a system that cannot tell has data everywhere.
    return sought == .data && errno != ENXIO ? offset : range.upperBound
  }
  #endif
}
