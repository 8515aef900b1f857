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

/// The work of a new thread.
private final class ThreadBody {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// How much address space the stack of a thread may take: as much as that of a program's first thread, because
/// movies nest deeply.
private let threadStackBytes = 8 << 20

/// Does work on a new thread, which may block as long as it needs to: threads of the pool that runs tasks must
/// not.
///
/// Signals that end the process are left to the threads of the program. If a thread of this library received one, the
/// program would continue on its own thread, and create files that the handler of the signal no longer removes.
///
/// - Parameter beginsAtOnce: whether this thread gives way to the new one on Linux, which may queue that behind this one, where it waits for
///   the rest of this one's turn: 4 ms were measured, with another processor idle. Worth it if the new thread soon waits for a disk.
/// - Returns: `nil`, or the error number of the system if it could not start a thread.
package func startThread(beginsAtOnce: Bool = false, _ work: @escaping @Sendable () -> Void) -> Int32? {
  // Retained for the thread, which releases it; below if there is none.
  let body = unsafe Unmanaged.passRetained(ThreadBody(work))
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  unsafe pthread_attr_setstacksize(&attributes, threadStackBytes)
  // A new thread has the signal mask of the one that starts it.
  var held = sigset_t(), before = sigset_t()
  unsafe sigemptyset(&held)
  for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&held, number) }
  unsafe pthread_sigmask(SIG_BLOCK, &held, &before)
  // The quality of service of this thread: one of the default class may wait behind others while a thread that the
  // user waits for needs its result. Every SDK of Apple has Dispatch, whose classes these are.
  #if canImport(Darwin) && canImport(Dispatch)
  _ = unsafe pthread_attr_set_qos_class_np(&attributes, qos_class_self(), 0)
  #endif
  #if canImport(Darwin) || canImport(Musl)
  var thread: pthread_t?
  #else
  var thread = pthread_t()
  #endif
  // What goes in comes out: the headers disagree on whether either may be nil, and a closure takes their types.
  let status = unsafe pthread_create(
    &thread, &attributes,
    { body in
      unsafe runThread(body)
      return unsafe body
    }, body.toOpaque())
  unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  guard status == 0 else {
    unsafe body.release()
    return status
  }
  #if os(Linux) || os(Android)
  if beginsAtOnce { sched_yield() }
  #endif
  return nil
}

private func runThread(_ body: UnsafeMutableRawPointer?) {
  if let body = unsafe body { unsafe Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run() }
}

/// A number that identifies the current thread among all running ones.
package var currentThreadNumber: UInt {
  #if canImport(Darwin) || canImport(Musl)
  unsafe UInt(bitPattern: pthread_self())
  #else
  UInt(truncatingIfNeeded: pthread_self())
  #endif
}

/// How many threads the machine can run at the same time; 1 if unknown.
package var processorCount: Int {
  max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
}
