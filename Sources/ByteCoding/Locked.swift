// swift-multiview · SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#else
#error(
  "swift-multiview needs POSIX threads and files. It does not support this system yet: see docs/platforms.md."
)
#endif

/// A mutex that never moves. Its owner destroys it.
///
/// The standard library's `Mutex` would do, but exists only from macOS 15 on (see Package.swift).
@safe @usableFromInline
struct ThreadLock: @unchecked Sendable {
  // `@safe`, `@unchecked`: the mutex is made for many threads, and only the owner's `deinit` destroys it.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
  }

  @usableFromInline
  func lock() { unsafe pthread_mutex_lock(mutex) }

  @usableFromInline
  func unlock() { unsafe pthread_mutex_unlock(mutex) }

  func destroy() {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }
}

/// A value that only one thread at a time may access.
@usableFromInline
package final class Locked<Value: Sendable>: @unchecked Sendable {
  // `@unchecked`: `value` is touched under the lock only.
  @usableFromInline let lock = ThreadLock()
  // Unchecked: the lock already rules out the overlapping accesses that the runtime would look for each time, which would take a
  // fiftieth of a check of a small movie.
  @usableFromInline @exclusivity(unchecked) var value: Value

  /// Starts with `value`.
  package init(_ value: Value) { unsafe self.value = value }

  deinit { lock.destroy() }

  /// Lends the value to `body` while other threads wait.
  @inlinable
  package func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    lock.lock()
    defer { lock.unlock() }
    return try unsafe body(&value)
  }
}

/// A value that is computed on first use.
///
/// It is not computed under the lock, so that any code may run. If two threads request it at once, both may
/// compute it, and both get the result of the first that is ready.
///
/// What returns a known value is inlined: the runtime would look up generic types at every use.
@usableFromInline
package final class Lazy<Value: Sendable>: @unchecked Sendable {
  // `@unchecked`: `made` is touched under the lock only.
  @usableFromInline let lock = ThreadLock()
  @usableFromInline @exclusivity(unchecked) var made: Made?

  /// The value in memory of its own: one that is never used takes none.
  @usableFromInline
  final class Made {
    @usableFromInline let value: Value
    @inlinable
    init(_ value: Value) { self.value = value }
  }

  /// Starts without making the value.
  package init() {}

  deinit { lock.destroy() }

  /// Returns the value; `make` is called if there is none yet.
  @inlinable @inline(__always)
  package func value<E: Error>(_ make: () throws(E) -> Value) throws(E) -> Value {
    if let known { return known.value }
    return keep(Made(try make())).value
  }

  /// The value, if it was made.
  package var valueIfMade: Value? { known?.value }

  /// Discards the value: the next caller makes it again.
  package func forget() {
    lock.lock()
    defer { lock.unlock() }
    unsafe made = nil
  }

  @inlinable @inline(__always)
  var known: Made? {
    lock.lock()
    defer { lock.unlock() }
    return unsafe made
  }

  @inlinable @inline(__always)
  func keep(_ new: Made) -> Made {
    lock.lock()
    defer { lock.unlock() }
    if let made = unsafe made { return made }
    unsafe made = new
    return new
  }
}

/// A structure of optionals, each of which is computed on first use by ``Locked/value(_:_:)``.
package typealias Memo<Values: Sendable> = Locked<Values>

/// No value is computed under the lock, so that any code may run, and request other values of the same
/// structure. If two threads request a value at once, both may compute it, and both get the result of the first
/// that is ready.
///
/// What returns a known value is inlined, so that the compiler replaces the key path by the offset of the property. Key paths
/// that are followed at run time, and the look-ups of generic types for them, took a seventh of the time of a check.
extension Locked {
  /// Returns the value at `place`; `make` is called if there is none yet.
  @inlinable @inline(__always)
  package func value<Part: Sendable, E: Error>(
    _ place: WritableKeyPath<Value, Part?>, _ make: () throws(E) -> Part
  ) throws(E) -> Part {
    if let known = known(place) { return known }
    return keep(try make(), at: place)
  }

  @inlinable @inline(__always)
  func keep<Part: Sendable>(_ new: Part, at place: WritableKeyPath<Value, Part?>) -> Part {
    lock.lock()
    defer { lock.unlock() }
    if let known = unsafe value[keyPath: place] { return known }
    unsafe value[keyPath: place] = new
    return new
  }

  /// Discards a value, so that the next caller computes it again.
  @inlinable @inline(__always)
  package func forget<Part: Sendable>(_ place: WritableKeyPath<Value, Part?>) {
    lock.lock()
    defer { lock.unlock() }
    unsafe value[keyPath: place] = nil
  }

  @inlinable @inline(__always)
  func known<Part: Sendable>(_ place: WritableKeyPath<Value, Part?>) -> Part? {
    lock.lock()
    defer { lock.unlock() }
    return unsafe value[keyPath: place]
  }
}
