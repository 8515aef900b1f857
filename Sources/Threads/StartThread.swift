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
///
/// Answers `nil`, or the error number of the system where it has no thread to give.
package func startThread(_ work: @escaping @Sendable () -> Void) -> Int32? {
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
    return status
  }
  return nil
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

/// How many threads the machine runs at the same time; 1 where it does not say.
package var processorCount: Int {
  max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
