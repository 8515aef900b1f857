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

/// A value that threads change one at a time, and for which others may wait.
@safe
package final class Monitor<Value>: @unchecked Sendable {
  // `@unchecked`: `value` is touched under the mutex only. `@safe`: both pointers live as long as this does.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  package init(_ value: sending Value) {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe condition = .allocate(capacity: 1)
    unsafe condition.initialize(to: pthread_cond_t())
    unsafe pthread_cond_init(condition, nil)
    self.value = value
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Changes the value and wakes the threads that wait for it.
  @discardableResult
  package func change<Answer>(_ body: (inout Value) -> Answer) -> Answer {
    unsafe pthread_mutex_lock(mutex)
    defer {
      unsafe pthread_cond_broadcast(condition)
      unsafe pthread_mutex_unlock(mutex)
    }
    return body(&value)
  }

  /// Calls `body` now and after each change until it returns an answer. It changes nothing, so nobody is woken.
  package func read<Answer>(_ body: (Value) -> Answer?) -> Answer {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let answer = body(value) { return answer }
      unsafe pthread_cond_wait(condition, mutex)
    }
  }

  /// Calls `body` now and after each change until it returns a value. What `body` changes counts as a change as
  /// well.
  @discardableResult
  package func wait<Answer>(_ body: (inout Value) -> Answer?) -> Answer {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let answer = body(&value) {
        unsafe pthread_cond_broadcast(condition)
        return answer
      }
      unsafe pthread_cond_wait(condition, mutex)
    }
  }
}
