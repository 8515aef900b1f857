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

/// What a new thread is to do.
private final class ThreadBody {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// How much address space a thread has for its stack: as much as the first one of a program, because movies nest.
private let threadStackBytes = 8 << 20

/// Does work on a thread of its own, which may wait for as long as it likes: threads of the pool on which tasks run may not.
package func startThread(_ work: @escaping @Sendable () -> Void) throws(SourceError) {
  let body = unsafe Unmanaged.passRetained(ThreadBody(work))
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  unsafe pthread_attr_setstacksize(&attributes, threadStackBytes)
  #if canImport(Darwin)
  var thread: pthread_t?
  let status = unsafe pthread_create(&thread, &attributes, runThread, body.toOpaque())
  #else
  var thread = pthread_t()
  let status = unsafe pthread_create(&thread, &attributes, runThread, body.toOpaque())
  #endif
  guard status == 0 else {
    unsafe body.release()
    throw SystemError(status).sourceError()
  }
}

#if canImport(Darwin)
@_cdecl("mv_run_thread")
private func runThread(_ body: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  unsafe Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run()
  return nil
}
#else
private func runThread(_ body: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let body = unsafe body { unsafe Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run() }
  return nil
}
#endif

/// A number that no other running thread has.
package var currentThreadNumber: UInt {
  #if canImport(Darwin)
  unsafe UInt(bitPattern: pthread_self())
  #else
  UInt(pthread_self())
  #endif
}

/// A value that one thread waits for and another brings.
@safe
package final class Awaited<Value: Sendable>: @unchecked Sendable {
  // `@unchecked`: `value` is touched under the mutex only. `@safe`: both pointers live as long as this does.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value?

  /// Nothing has been brought.
  package init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe condition = .allocate(capacity: 1)
    unsafe condition.initialize(to: pthread_cond_t())
    unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Brings the value; a second one is too late.
  package func bring(_ value: Value) {
    unsafe pthread_mutex_lock(mutex)
    if self.value == nil { self.value = value }
    unsafe pthread_cond_broadcast(condition)
    unsafe pthread_mutex_unlock(mutex)
  }

  /// Waits for the value.
  package func wait() -> Value {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let value { return value }
      unsafe pthread_cond_wait(condition, mutex)
    }
  }
}
