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

/// Reserves the numbers of standard input, output and error if the process began without one of them, so that no
/// file opened later gets such a number: output meant for standard output would end up in it.
///
/// The files that take these numbers cannot be used, so reading and writing still fail as on a closed descriptor
/// (`EBADF`).
package func occupyStandardDescriptors() {
  for (descriptor, wrongMode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] as [(Int32, Int32)] {
    guard fcntl(descriptor, F_GETFD) < 0 else { continue }
    // The system assigns the lowest free number: this one, because all lower numbers are taken by now.
    _ = unsafe open("/dev/null", wrongMode)
  }
}
