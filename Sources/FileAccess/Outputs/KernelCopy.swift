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
    #if os(Linux) || os(Android)
    guard let call = unsafe call, range.upperBound <= UInt64(Int64.max), offset <= UInt64(Int64.max) else {
      return nil
    }
    let count = Int(min(range.length, pieceBytes))
    while true {
      var from = Int64(range.lowerBound)
      var to = Int64(offset)
      let moved = unsafe call(source, &from, descriptor, &to, count, 0)
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
    #else
    return nil
    #endif
  }

  #if os(Linux) || os(Android)
  private typealias Call =
    @convention(c) (
      Int32, UnsafeMutablePointer<Int64>, Int32, UnsafeMutablePointer<Int64>, Int, UInt32
    ) -> Int

  /// Libraries older than 2018 do not have it.
  private static let call = unsafe NamedCall.find("copy_file_range", as: Call.self)
  #endif
}

/// Asks the system to begin writing pages to the disk.
enum WriteBack {
  /// Begins with a range of a file. It cannot fail: pages that are not written now are written when the file is
  /// flushed.
  static func start(_ range: Range<UInt64>, of descriptor: Int32) {
    #if os(Linux)
    guard let call, range.upperBound <= UInt64(Int64.max) else { return }
    // SYNC_FILE_RANGE_WRITE
    _ = call(descriptor, Int64(range.lowerBound), Int64(range.length), 2)
    #endif
  }

  #if os(Linux)
  private typealias Call = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32

  private static let call = unsafe NamedCall.find("sync_file_range", as: Call.self)
  #endif
}
