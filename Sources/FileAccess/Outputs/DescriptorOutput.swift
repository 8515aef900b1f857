// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// A file descriptor that is written to until its reader goes away.
package final class DescriptorOutput {
  private let descriptor: Int32
  private let calls: SystemCalls
  /// Whether nothing more can be written.
  package private(set) var isClosed = false
  /// Why nothing more can be written; `nil` if the reader of a pipe went away, which is not a failure.
  package private(set) var failure: String?

  /// Writes to an open descriptor, which stays open.
  package convenience init(_ descriptor: Int32) { self.init(descriptor, calls: .standard) }

  init(_ descriptor: Int32, calls: SystemCalls) {
    self.descriptor = descriptor
    self.calls = calls
  }

  /// Writes all bytes; after a failure, nothing.
  package func write(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { buffer in unsafe write(buffer) } }

  /// Writes all bytes; after a failure, nothing.
  package func write(_ bytes: ByteView) { unsafe bytes.withUnsafeBytes { buffer in unsafe write(buffer) } }

  private func write(_ buffer: UnsafeRawBufferPointer) {
    guard !isClosed else { return }
    var done = 0
    while done < buffer.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[done...])
      let written = unsafe calls.write(descriptor, rest)
      if written > 0 {
        done += min(written, rest.count)
      } else if !isWorthRepeating(written == 0 ? EIO : Int32(clamping: -written)) {
        // A result of 0 for a write of some bytes would repeat forever: it is an error, too.
        return
      }
    }
  }

  private func isWorthRepeating(_ number: Int32) -> Bool {
    switch number {
    case EINTR: return true
    case EAGAIN, EWOULDBLOCK:
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&request, 1, -1)
      return true
    case EPIPE: break
    default: failure = SystemError(number).reason
    }
    isClosed = true
    return false
  }

  /// Whether the descriptor is a terminal.
  package var isTerminal: Bool { FileAccess.isTerminal(descriptor) }

  /// How many columns the terminal has; `nil` if unknown.
  package var columns: Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// Makes a write fail, instead of ending the process, when the pipe has no reader or the file exceeds its size
/// limit.
package func ignoreSignalsOfWrites() {
  _ = signal(SIGPIPE, SIG_IGN)
  _ = signal(SIGXFSZ, SIG_IGN)
}

/// The value of an environment variable.
package func environmentValue(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// Ends the process.
package func endProcess(_ status: Int32) -> Never { exit(status) }
