// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
import Threads

/// An asynchronous source for code that blocks, which it does only on dedicated threads.
///
/// A thread of the pool that runs tasks must not wait for another task: if as many wait as there are threads, none
/// is left to deliver the bytes. So work that reads is done by ``perform(_:)`` on a dedicated thread, and reading
/// from any other thread throws an error instead of waiting.
package final class AwaitedBytes: ByteSource {
  private let source: any AsyncByteSource
  /// The work in progress, by the number of its thread.
  private let working = Locked<[UInt: Work]>([:])

  /// Work on a dedicated thread.
  private final class Work: Sendable {
    struct State {
      var isCancelled = false
      var reading: Task<Void, Never>?
    }

    let state = Locked(State())

    func cancel() {
      let reading = state.withLock { state in
        state.isCancelled = true
        return state.reading
      }
      reading?.cancel()
    }
  }

  package init(_ source: some AsyncByteSource) { self.source = source }

  package var size: UInt64? { source.size }

  package var name: String? { source.name }

  private static let cancelled = SourceError(.other("the task was cancelled"))

  /// Whether this thread may wait for bytes.
  package func mayWait() throws(SourceError) {
    guard let work = working.withLock({ $0[currentThreadNumber] }) else {
      throw SourceError(
        .other("these bytes have not been read yet, and nothing may wait for them here"), path: source.name,
        advice: "Access them inside AsyncMovie.read.")
    }
    if work.state.withLock({ $0.isCancelled }) { throw Self.cancelled }
  }

  package func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    try mayWait()
    guard let work = working.withLock({ $0[currentThreadNumber] }) else { throw Self.cancelled }
    let answer = Monitor<Result<ByteView, SourceError>?>(nil)
    let source = source
    let reading = Task.detached {
      let result: Result<ByteView, SourceError>
      do throws(SourceError) { result = .success(try await source.read(range)) } catch {
        result = .failure(error)
      }
      answer.change { $0 = result }
    }
    // If the task was cancelled in the meantime, the work is cancelled here.
    let isCancelled = work.state.withLock { state in
      state.reading = reading
      return state.isCancelled
    }
    if isCancelled { reading.cancel() }
    let result = answer.read { $0 }
    work.state.withLock { $0.reading = nil }
    return try result.get()
  }

  /// Runs `work`, which reads, on a dedicated thread and returns its result. If the task is cancelled, reading
  /// ends with an error.
  package func perform<Answer: Sendable>(
    _ body: @escaping @Sendable () -> Answer
  ) async throws(SourceError) -> Answer {
    let work = Work()
    let result: Result<Answer, SourceError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let status = startThread {
          let number = currentThreadNumber
          self.working.withLock { $0[number] = work }
          let answer = body()
          self.working.withLock { $0[number] = nil }
          continuation.resume(returning: .success(answer))
        }
        if let status { continuation.resume(returning: .failure(SystemError(status).sourceError())) }
      }
    } onCancel: {
      work.cancel()
    }
    return try result.get()
  }
}
