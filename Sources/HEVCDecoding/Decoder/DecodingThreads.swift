// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Threads

/// Threads that decode pictures.
///
/// They start pictures in the order in which these are added, and a picture waits only for earlier ones, row by
/// row. So the earliest one in progress never waits, and all are completed.
final class DecodingThreads {
  private struct Queue: Sendable {
    var work: [PictureWork] = []
    var isOver = false
  }

  private let queue = Monitor(Queue())
  private let count: Int

  /// Starts `count` threads; `nil` if the system cannot provide any.
  init?(count: Int) {
    var started = 0
    for _ in 0..<count {
      let status = startThread { [queue] in
        while let work = Self.next(in: queue) { work.run() }
      }
      if status == nil { started += 1 }
    }
    guard started > 0 else { return nil }
    self.count = started
  }

  deinit {
    // Pictures in progress refer only to earlier ones, and end by themselves.
    queue.change { queue in
      queue.isOver = true
      queue.work = []
    }
  }

  private static func next(in queue: Monitor<Queue>) -> PictureWork? {
    queue.wait { queue -> PictureWork?? in
      if queue.isOver { return .some(nil) }
      return queue.work.isEmpty ? nil : .some(queue.work.removeFirst())
    }
  }

  /// Adds a picture; waits while as many pictures as there are threads have not been started.
  func add(_ work: PictureWork) {
    queue.wait { [count] queue -> Void? in
      guard queue.work.count < count else { return nil }
      return queue.work.append(work)
    }
  }
}
