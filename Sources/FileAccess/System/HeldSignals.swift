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

/// Blocks signals that would end the process until a short change is complete.
struct HeldSignals {
  private var previous = sigset_t()

  init() {
    var held = sigset_t()
    unsafe sigemptyset(&held)
    for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&held, number) }
    unsafe pthread_sigmask(SIG_BLOCK, &held, &previous)
  }

  func release() {
    var before = previous
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }
}
