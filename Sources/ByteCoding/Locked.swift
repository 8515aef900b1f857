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

/// A mutex that never moves. Its owner destroys it.
///
/// The standard library's `Mutex` would do, but exists only from macOS 15 on (see Package.swift).
@safe
private struct ThreadLock: @unchecked Sendable {
  // `@safe`, `@unchecked`: the mutex is made for many threads, and only the owner's `deinit` destroys it.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  func lock() { unsafe pthread_mutex_lock(mutex) }

  func unlock() { unsafe pthread_mutex_unlock(mutex) }

  func destroy() {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }
}

/// A value that one thread at a time may touch.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  // `@unchecked`: `value` is touched under the lock only.
  private let lock = ThreadLock()
  private var value: Value

  /// Starts with `value`.
  package init(_ value: Value) { self.value = value }

  deinit { lock.destroy() }

  /// Lends the value to `body`, while others wait.
  package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

/// A value that is made when it is first asked for, once, whoever asks.
package final class Lazy<Value: Sendable>: @unchecked Sendable {
  // `@unchecked`: `made` is touched under the lock only.
  private let lock = ThreadLock()
  private var made: Made?

  /// The value in memory of its own: one that nobody asks for takes none, and the runtime need not look up the type of
  /// an optional at every use. A movie of thousands of tracks has tens of thousands of these.
  private final class Made {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  /// Nothing is made yet.
  package init() {}

  deinit { lock.destroy() }

  /// The value; `make` is called for the first caller, while others wait.
  package func value<E: Error>(_ make: () throws(E) -> Value) throws(E) -> Value {
    lock.lock()
    defer { lock.unlock() }
    if let made { return made.value }
    let new = Made(try make())
    made = new
    return new.value
  }

  /// Gives the value up: it is made again for the next caller.
  package func forget() {
    lock.lock()
    defer { lock.unlock() }
    made = nil
  }
}
