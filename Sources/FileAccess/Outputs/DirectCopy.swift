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

/// Copies long ranges straight to the disk, past the memory in which the system keeps the contents of files.
///
/// An output is flushed before it gets its name. Where the kernel copies through that memory, all pages of the copy
/// have to be found there, filled, and written to the disk afterwards: that takes twice as long as sending them there
/// at once, and four times the processor time (docs/performance.md). Used on Ext4, where it was measured and whose
/// files cannot share blocks.
enum DirectCopy {
  /// Shorter ranges are not worth the change between both ways of writing.
  static let leastBytes: UInt64 = 8 << 20
  /// Positions, lengths and addresses must be multiples of this. Disks with blocks of 512 bytes would accept less.
  static let alignment: UInt64 = 4096
  /// How much is read and written at a time.
  private static let pieceBytes = 2 << 20

  /// Copies some of the range; `nil` if that is not possible for these files, or not worthwhile.
  static func copy(
    _ range: Range<UInt64>, of source: Int32, to descriptor: Int32, at offset: UInt64
  ) throws(SystemError) -> Int? {
    guard range.upperBound - range.lowerBound >= leastBytes, range.upperBound <= UInt64(Int64.max),
      offset <= UInt64(Int64.max) - KernelCopy.pieceBytes, isUsed(for: descriptor)
    else { return nil }
    let past = offset % alignment
    if past != 0 {
      // Up to the next block as usual; the next call begins there.
      let first = range.lowerBound..<(range.lowerBound + alignment - past)
      return try KernelCopy.copy(first, of: source, to: descriptor, at: offset)
    }
    let flags = fcntl(descriptor, F_GETFL)
    guard let direct, flags >= 0, fcntl(descriptor, F_SETFL, flags | direct) == 0 else { return nil }
    defer { _ = fcntl(descriptor, F_SETFL, flags) }
    let count = min(range.length, KernelCopy.pieceBytes) / alignment * alignment
    return try copyBlocks(
      range.lowerBound..<(range.lowerBound + count), of: source, to: descriptor, at: offset)
  }

  private static func copyBlocks(
    _ range: Range<UInt64>, of source: Int32, to descriptor: Int32, at offset: UInt64
  ) throws(SystemError) -> Int? {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceBytes, alignment: Int(alignment))
    defer { unsafe memory.deallocate() }
    let calls = SystemCalls.standard
    var done = 0
    while done < range.length {
      let wanted = Int(min(range.length - UInt64(done), UInt64(pieceBytes)))
      let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<wanted])
      // Of a source that cannot be read, or has become shorter, the rest is left to the usual way, which names it.
      let count = (try? unsafe calls.fill(piece, from: source, at: range.lowerBound + UInt64(done))) ?? 0
      let whole = count - count % Int(alignment)
      guard whole > 0 else { break }
      let blocks = unsafe UnsafeRawBufferPointer(rebasing: piece[..<whole])
      do throws(SystemError) {
        let moved = try unsafe calls.storeSome(blocks, to: descriptor, at: offset + UInt64(done))
        done += moved
        guard moved == whole else { break }
      } catch {
        // What has been copied counts; the next call meets the error again.
        if done > 0 { return done }
        // Some disks have larger blocks, and the pages of some files must be written from memory.
        if error.number == EINVAL || error.number == EOPNOTSUPP { return nil }
        throw error
      }
    }
    return done > 0 ? done : nil
  }

  /// Whether long ranges are copied to this file past that memory.
  static func isUsed(for descriptor: Int32) -> Bool {
    // `struct statfs` has 120 bytes where a word has 64 bits, and begins with the type of the file system.
    var status = [Int](repeating: 0, count: 64)
    let result = unsafe status.withUnsafeMutableBytes { bytes in
      unsafe LinuxCall.fstatfs(Int(descriptor), Int(bitPattern: bytes.baseAddress))
    }
    // EXT4_SUPER_MAGIC, which Ext2 and Ext3 have too.
    return result == 0 && status[0] == 0xEF53
  }

  /// The flag `O_DIRECT`, which headers hide; `nil` for systems and processors where this way is not used.
  static let direct: Int32? = {
    #if os(Linux) && arch(x86_64)
    return 0x4000
    #elseif os(Linux) && arch(arm64)
    return 0x10000
    #else
    return nil
    #endif
  }()
}
