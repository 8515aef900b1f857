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

/// Files that are being written under a temporary name, and vanish where a signal ends the process.
///
/// A signal handler may touch next to nothing: it finds the names as C strings in slots that were allocated before.
package enum TemporaryFiles {
  static let slotCount = 16

  @safe
  private struct Slots: @unchecked Sendable {
    // `@safe`: every index is below `slotCount`. `@unchecked`: a slot is one word, which is written under the lock only; the handler reads it whole.
    let names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    init() {
      unsafe names = .allocate(capacity: slotCount)
      unsafe names.initialize(repeating: nil, count: slotCount)
    }
  }

  private static let slots = Slots()
  private static let lock = Locked(())

  /// Lets the file vanish where a signal ends the process, as far as ``removeOnSignals()`` was called.
  ///
  /// - Returns: what to hand to ``remove(_:)``; `nil` where there are too many.
  static func add(_ path: String) -> Int? {
    lock.withLock { _ in
      for index in 0..<slotCount where unsafe slots.names[index] == nil {
        guard let copy = unsafe strdup(path) else { return nil }
        unsafe slots.names[index] = copy
        return index
      }
      return nil
    }
  }

  /// The file has its name, or is gone.
  static func forget(_ slot: Int?) {
    guard let slot, (0..<slotCount).contains(slot) else { return }
    lock.withLock { _ in
      let name = unsafe slots.names[slot]
      unsafe slots.names[slot] = nil
      unsafe free(name)
    }
  }

  /// Has SIGINT, SIGTERM and SIGHUP remove what is being written before they end the process as they always do.
  package static func removeOnSignals() {
    // Made now: a handler must not be the first to ask for it.
    _ = slots
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // Where the signal is ignored (`nohup`), it stays ignored.
      let previous = signal(number, SIG_IGN)
      if unsafe unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { continue }
      _ = signal(number) { number in
        TemporaryFiles.removeAll()
        _ = signal(number, SIG_DFL)
        _ = kill(getpid(), number)
      }
    }
  }

  /// Called by the signal handler: only calls that a handler may make.
  private static func removeAll() {
    for index in 0..<slotCount {
      if let name = unsafe slots.names[index] { _ = unsafe unlink(name) }
    }
  }
}
