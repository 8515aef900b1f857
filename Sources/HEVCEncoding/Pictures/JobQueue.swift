// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Threads

/// Pictures that wait to be encoded, in coding order, and the threads that encode them.
///
/// A picture is begun when all that it refers to are done, so what it becomes does not depend on how many threads there
/// are.
final class JobQueue: Sendable {
  private struct State: Sendable {
    var jobs: [PictureJob] = []
    var isClosed = false
  }

  private let state = Monitor(State())
  /// How many threads were started; with none, the caller's thread encodes.
  private let threads: Int

  /// Starts `threads` threads, unless it is one.
  init(threads: Int) {
    var started = 0
    if threads > 1 {
      for _ in 0..<threads {
        let state = state
        if startThread({ Self.work(state) }) == nil { started += 1 }
      }
    }
    self.threads = started
  }

  deinit { close() }

  /// Lets the threads end, without waiting for them.
  private func close() {
    state.change {
      $0.isClosed = true
      $0.jobs = []
    }
  }

  private static func work(_ state: Monitor<State>) {
    while let job = state.wait({ state -> PictureJob?? in
      if state.isClosed { return .some(nil) }
      guard let job = state.jobs.first(where: { !$0.isTaken && $0.needed.allSatisfy(\.isDone) }) else {
        return nil
      }
      job.isTaken = true
      return job
    }) {
      job.run()
      state.change { _ in job.end() }
    }
  }

  /// Adds a job after all others.
  func add(_ job: PictureJob) {
    state.change { $0.jobs.append(job) }
    guard threads == 0 else { return }
    job.isTaken = true
    job.run()
    state.change { _ in job.end() }
  }

  /// Removes the first `count` jobs when they are done, and returns them. If more than `limit` jobs are left, this waits for
  /// them; otherwise it returns `nil` if they are not done yet.
  func take(_ count: Int, unlessMoreThan limit: Int) -> [PictureJob]? {
    state.wait { state -> [PictureJob]?? in
      guard state.jobs.count >= count, count > 0 else { return .some(nil) }
      if state.jobs.prefix(count).allSatisfy(\.isDone) {
        let first = Array(state.jobs.prefix(count))
        state.jobs.removeFirst(count)
        return first
      }
      return state.jobs.count > limit ? nil : .some(nil)
    }
  }
}
