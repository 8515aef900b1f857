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

/// Copies from file to file without the bytes passing through this process.
///
/// On Linux `copy_file_range` shares the blocks of the two files where the file system can (Btrfs, XFS, NFS), and copies in
/// the kernel elsewhere. Other systems have no such call for ranges.
enum KernelCopy {
  /// How much one call copies at most: little enough that a signal or a full disk is noticed soon.
  static let pieceBytes: UInt64 = 64 << 20

  /// Copies some of the range; `nil` if the system cannot do that for these files.
  static func copy(
    _ range: Range<UInt64>, of source: Int32, to descriptor: Int32, at offset: UInt64
  ) throws(SystemError) -> Int? {
    guard range.upperBound <= UInt64(Int64.max), offset <= UInt64(Int64.max) else { return nil }
    let count = Int(min(range.length, pieceBytes))
    while true {
      var from = Int64(range.lowerBound)
      var to = Int64(offset)
      let moved = unsafe withUnsafeMutablePointer(to: &from) { from in
        unsafe withUnsafeMutablePointer(to: &to) { to in
          unsafe LinuxCall.copyFileRange(
            Int(source), Int(bitPattern: from), Int(descriptor), Int(bitPattern: to), count)
        }
      }
      guard let moved else { return nil }
      // For some kinds of file this call returns 0 although they have bytes: those are read instead.
      if moved == 0 { return nil }
      if moved > 0 { return min(moved, count) }
      switch errno {
      case EINTR: continue
      case EXDEV, ENOSYS, EINVAL, EOPNOTSUPP, EPERM, EBADF, ETXTBSY, EOVERFLOW: return nil
      // Of which of the two files? Reading and writing them tells.
      case EIO: return nil
      case let number: throw SystemError(number)
      }
    }
  }
}

/// Asks the system to begin writing pages to the disk.
enum WriteBack {
  /// Begins with a range of a file. It cannot fail: pages that are not written now are written when the file is
  /// flushed.
  static func start(_ range: Range<UInt64>, of descriptor: Int32) {
    guard let start = Int(exactly: range.lowerBound), let count = Int(exactly: range.length) else { return }
    // SYNC_FILE_RANGE_WRITE
    _ = unsafe LinuxCall.syncFileRange(Int(descriptor), start, count, 2)
  }
}
