// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The calls that read and write bytes, so that a test can make them fail.
///
/// Each returns how many bytes it moved, or the negated error number.
@safe
struct SystemCalls: Sendable {
  // `@safe`: the buffers are lent for the call and are as long as they say.
  typealias Read = @Sendable (_ descriptor: Int32, _ into: UnsafeMutableRawBufferPointer) -> Int
  typealias PositionedRead =
    @Sendable (_ descriptor: Int32, _ into: UnsafeMutableRawBufferPointer, _ offset: UInt64) -> Int
  typealias Write = @Sendable (_ descriptor: Int32, _ from: UnsafeRawBufferPointer) -> Int
  typealias PositionedWrite =
    @Sendable (_ descriptor: Int32, _ from: UnsafeRawBufferPointer, _ offset: UInt64) -> Int

  var read: Read
  var readAt: PositionedRead
  var write: Write
  var writeAt: PositionedWrite

  /// The calls of the system, with up to `Int32.max` bytes per call: Darwin refuses more (`EINVAL`).
  static let standard = system.limited(to: Int(Int32.max))

  private static let system = unsafe SystemCalls(
    read: { descriptor, buffer in
      unsafe orError(systemRead(descriptor, buffer.baseAddress, buffer.count))
    },
    readAt: { descriptor, buffer, offset in
      unsafe orError(pread(descriptor, buffer.baseAddress, buffer.count, off_t(clamping: offset)))
    },
    write: { descriptor, buffer in
      unsafe orError(systemWrite(descriptor, buffer.baseAddress, buffer.count))
    },
    writeAt: { descriptor, buffer, offset in
      unsafe orError(pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(clamping: offset)))
    })

  /// The same calls, each for the first `most` bytes of a longer buffer: callers repeat what moves too little.
  func limited(to most: Int) -> SystemCalls {
    unsafe SystemCalls(
      read: { descriptor, buffer in
        unsafe read(descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(most)))
      },
      readAt: { descriptor, buffer, offset in
        unsafe readAt(descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(most)), offset)
      },
      write: { descriptor, buffer in
        unsafe write(descriptor, UnsafeRawBufferPointer(rebasing: buffer.prefix(most)))
      },
      writeAt: { descriptor, buffer, offset in
        unsafe writeAt(descriptor, UnsafeRawBufferPointer(rebasing: buffer.prefix(most)), offset)
      })
  }

  /// Fills `buffer` from `offset` on, despite interruptions and short reads; with fewer bytes at the end of the
  /// file.
  func fill(
    _ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: UInt64
  ) throws(SystemError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let moved = unsafe readAt(descriptor, rest, offset &+ UInt64(done))
      if moved == 0 { break }
      if moved > 0 {
        done += min(moved, rest.count)
      } else if moved != -Int(EINTR) {
        throw SystemError(Int32(clamping: -moved))
      }
    }
    return done
  }

  /// Reads the next bytes of a pipe: at least one, or none at its end.
  func next(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) throws(SystemError) -> Int {
    while true {
      let moved = unsafe read(descriptor, buffer)
      if moved >= 0 { return min(moved, buffer.count) }
      switch Int32(clamping: -moved) {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: waitUntilReadable(descriptor)
      case let number: throw SystemError(number)
      }
    }
  }
}

extension SystemCalls {
  /// Writes some of the bytes at `offset`, despite interruptions; returns how many: at least one.
  func storeSome(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: UInt64
  ) throws(SystemError) -> Int {
    while true {
      let moved = unsafe writeAt(descriptor, bytes, offset)
      if moved > 0 { return min(moved, bytes.count) }
      // Zero of some bytes: it would be zero forever.
      if moved == 0 { throw SystemError(EIO) }
      if moved != -Int(EINTR) { throw SystemError(Int32(clamping: -moved)) }
    }
  }

  /// Writes all bytes at `offset`.
  func store(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: UInt64
  ) throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
      done += try unsafe storeSome(rest, to: descriptor, at: offset &+ UInt64(done))
    }
  }
}

/// The result of a call, or the negated error number.
private func orError(_ result: Int) -> Int { result >= 0 ? result : -Int(errno) }

private func systemRead(_ descriptor: Int32, _ address: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(descriptor, address, count)
}

private func systemWrite(_ descriptor: Int32, _ address: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, address, count)
}

/// Sleeps until a non-blocking descriptor is readable.
private func waitUntilReadable(_ descriptor: Int32) {
  var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  _ = unsafe poll(&request, 1, -1)
}

/// Sets the capacity of a pipe to the largest that is allowed, so that both ends wait less often. Has no effect
/// on other descriptors, or if the pipe has its limit already.
func widenPipe(_ descriptor: Int32) {
  #if os(Linux)
  // F_SETPIPE_SZ, and the limit for anybody's pipes unless the machine has another one.
  _ = fcntl(descriptor, 1031, 1 << 20)
  #endif
}

/// The type and properties of what a descriptor refers to.
struct FileStatus {
  enum Kind {
    case regular, blockDevice, directory, fifo, socket, characterDevice, other

    /// For messages.
    var words: String {
      switch self {
      case .regular: "a file"
      case .blockDevice: "a block device"
      case .directory: "a folder"
      case .fifo: "a pipe"
      case .socket: "a socket"
      case .characterDevice: "a device"
      case .other: "something unknown"
      }
    }
  }

  var kind: Kind
  var size: UInt64

  /// Queries the system.
  init(descriptor: Int32) throws(SystemError) {
    var status = stat()
    while unsafe fstat(descriptor, &status) != 0 {
      if errno != EINTR { throw SystemError(errno) }
    }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFBLK: .blockDevice
      case S_IFDIR: .directory
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      case S_IFCHR: .characterDevice
      default: .other
      }
    size = UInt64(clamping: status.st_size)
    if kind == .blockDevice { size = UInt64(clamping: lseek(descriptor, 0, SEEK_END)) }
  }
}

/// Opens a file for reading. A pipe without a writer does not block.
func openForReading(_ path: String) throws(SystemError) -> Int32 {
  if path.utf8.contains(0) { throw SystemError(ENOENT) }
  while true {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor >= 0 { return descriptor }
    if errno != EINTR { throw SystemError(errno) }
  }
}

/// The folder for temporary files: `TMPDIR`, unless it is not set, or empty.
package func temporaryFolder(_ environment: (String) -> String? = { environmentValue($0) }) -> String {
  environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
}

/// Locks an open file until it is closed; `false` if another process, or another descriptor, has locked it. Where the file system has
/// no locks, as on some servers, and on Apple's systems, where this is untried, the file counts as locked for this process.
func lockForChange(_ descriptor: Int32) -> Bool {
  #if !canImport(Darwin)
  while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
    if errno == EWOULDBLOCK { return false }
    if errno != EINTR { return true }
  }
  #endif
  return true
}

/// Opens a new unnamed file for reading and writing, which vanishes with the process.
func openScratchFile(in folder: String) throws(SystemError) -> Int32 {
  var template = ContiguousArray((folder + "/multiview.XXXXXX").utf8CString)
  let descriptor = unsafe template.withUnsafeMutableBufferPointer { name in
    guard let start = name.baseAddress else { return Int32(-1) }
    let made = unsafe mkstemp(start)
    if made >= 0 { unsafe unlink(start) }
    return made
  }
  guard descriptor >= 0 else { throw SystemError(errno) }
  return descriptor
}

/// Closes a descriptor.
func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

/// Whether a descriptor leads to a terminal.
func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

/// An error of the operating system, identified by its number.
package struct SystemError: Error {
  package let number: Int32
  package init(_ number: Int32) { self.number = number }

  /// The error to throw from a source, with matching advice.
  func sourceError(offset: UInt64? = nil, path: String? = nil) -> SourceError {
    SourceError(.system(number: number, name: name), offset: offset, path: path, advice: Advice(advice))
  }

  /// The name of the constant; the digits of the number if it is not a common one.
  var name: String { Self.known[number]?.name ?? "errno \(number)" }
  /// The reason in words.
  var reason: String { Self.known[number]?.reason ?? "the system refused" }
  /// What to do about it; empty if nothing is known.
  var advice: String { Self.known[number]?.advice ?? "" }

  private static let known: [Int32: (name: String, reason: String, advice: String)] = [
    EPERM: ("EPERM", "not permitted", "Ask the owner of the file for permission to read it."),
    EACCES: ("EACCES", "no permission", "Ask the owner of the file for permission to read it."),
    ENOENT: ("ENOENT", "no such file", "Check the spelling of the path."),
    ENOTDIR: ("ENOTDIR", "a part of the path is not a folder", "Check the spelling of the path."),
    EISDIR: ("EISDIR", "is a folder", "Name a file in it."),
    ELOOP: ("ELOOP", "too many symbolic links", "Name the file that the links should lead to."),
    ENAMETOOLONG: ("ENAMETOOLONG", "the path is too long", "Open it by a shorter, relative path."),
    EMFILE: ("EMFILE", "too many open files", "Close some, or raise the limit (ulimit -n)."),
    ENFILE: ("ENFILE", "too many open files in the system", "Try again when other programs have ended."),
    EIO: ("EIO", "the disk or its connection failed", "Copy the file elsewhere and try the copy."),
    ESTALE: ("ESTALE", "the file on the server was replaced", "Open it again."),
    ETIMEDOUT: ("ETIMEDOUT", "the server did not answer in time", "Try again."),
    EBADF: ("EBADF", "is not open", "Open it for reading first."),
    ENXIO: ("ENXIO", "no program is at the other end", "Start the program that writes into it first."),
    EINVAL: ("EINVAL", "cannot be read", ""),
    EILSEQ: ("EILSEQ", "its name, or one that it leads to, is not UTF-8", "Give it another name."),
    EEXIST: ("EEXIST", "already exists", ""),
    ENOSPC: ("ENOSPC", "no space left", "Set TMPDIR to a folder with more room."),
    EDQUOT: ("EDQUOT", "the quota is used up", "Set TMPDIR to a folder with more room."),
    EROFS: ("EROFS", "the file system is read-only", "Set TMPDIR to a folder that can be written."),
    EFBIG: ("EFBIG", "the file would be too large", ""),
    ENOMEM: ("ENOMEM", "no memory left", ""),
    EOVERFLOW: ("EOVERFLOW", "the file is too large for this system", ""),
    ECONNRESET: ("ECONNRESET", "the other end broke the connection", "Try again."),
  ]
}
