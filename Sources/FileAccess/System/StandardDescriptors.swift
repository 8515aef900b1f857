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

/// Keeps the numbers of standard input, output and error from files that are opened later, where the process began
/// without one of them: what is meant for standard output would end in such a file.
///
/// What takes the number cannot serve, so that reading and writing still fail as on a closed descriptor (`EBADF`).
package func occupyStandardDescriptors() {
  for (descriptor, wrongMode) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] as [(Int32, Int32)] {
    guard fcntl(descriptor, F_GETFD) < 0 else { continue }
    // The system gives the lowest number that is free: this one, as those before it are taken by now.
    _ = unsafe open("/dev/null", wrongMode)
  }
}
