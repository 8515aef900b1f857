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

/// Which file it is, whatever its names, and its state when that was determined.
package struct FileIdentity: Hashable, Sendable {
  /// A point in time as the file system keeps it.
  package struct Time: Hashable, Sendable {
    package var seconds: Int
    package var nanoseconds: Int
  }

  private var device: UInt64
  private var number: UInt64
  /// The file's length in bytes.
  package var size: UInt64
  /// When its contents last changed.
  package var modified: Time
  /// When it was last read.
  package var accessed: Time
  /// Its access permissions: the lower twelve bits of its mode.
  package var permissions: UInt32

  /// The file that a descriptor has open; `nil` if that cannot be determined.
  package init?(descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file that a path leads to, through links; `nil` if nothing exists there.
  package init?(path: String) {
    var status = stat()
    guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The file that an input names by its path or a `file:` URL.
  package init?(input: String) {
    do { self.init(path: try filePath(ofPathOrURL: input)) } catch { return nil }
  }

  /// The same for all states of a file.
  package var stateless: FileIdentity {
    var file = self
    (file.size, file.permissions) = (0, 0)
    file.modified = Time(seconds: 0, nanoseconds: 0)
    file.accessed = file.modified
    return file
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    size = UInt64(clamping: status.st_size)
    permissions = UInt32(status.st_mode) & 0o7777
    #if canImport(Darwin)
    modified = Time(seconds: status.st_mtimespec.tv_sec, nanoseconds: status.st_mtimespec.tv_nsec)
    accessed = Time(seconds: status.st_atimespec.tv_sec, nanoseconds: status.st_atimespec.tv_nsec)
    #else
    modified = Time(seconds: Int(status.st_mtim.tv_sec), nanoseconds: Int(status.st_mtim.tv_nsec))
    accessed = Time(seconds: Int(status.st_atim.tv_sec), nanoseconds: Int(status.st_atim.tv_nsec))
    #endif
  }

  /// Whether both are the same file, whatever its state.
  package func isSameFile(as other: FileIdentity) -> Bool { device == other.device && number == other.number }

  /// Whether the file was not written to between the two states.
  package func isUnchanged(since other: FileIdentity) -> Bool {
    isSameFile(as: other) && size == other.size && modified == other.modified
  }

  /// Gives an open file the dates and the permissions of this one.
  package func copyDatesAndPermissions(to descriptor: Int32) throws(SystemError) {
    var times = [accessed, modified].map { time in
      var value = timespec()
      value.tv_sec = time.seconds
      value.tv_nsec = time.nanoseconds
      return value
    }
    guard unsafe futimens(descriptor, &times) == 0, fchmod(descriptor, mode_t(permissions & 0o777)) == 0
    else {
      throw SystemError(errno)
    }
  }
}
