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

/// A value that one thread at a time may touch.
///
/// The standard library's `Mutex` would do, but exists only from macOS 15 on (see Package.swift).
@safe
package final class Locked<Value: Sendable>: @unchecked Sendable {
  // `@safe`, `@unchecked`: `value` is touched under the mutex only, and the mutex never moves.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  /// Starts with `value`.
  package init(_ value: Value) {
    self.value = value
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Lends the value to `body`, while others wait.
  package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

/// A value that is made when it is first asked for, once, whoever asks.
package final class Lazy<Value: Sendable>: Sendable {
  /// In memory of its own, so that a value that nobody asks for takes none: there may be thousands.
  private final class Made: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private let made = Locked<Made?>(nil)

  /// Nothing is made yet.
  package init() {}

  /// The value; `make` is called for the first caller, while others wait.
  package func value<E: Error>(_ make: () throws(E) -> Value) throws(E) -> Value {
    try made.withLock { made throws(E) in
      if let made { return made.value }
      let new = try make()
      made = Made(new)
      return new
    }
  }
}
