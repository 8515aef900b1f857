// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Threads

/// Threads that decode pictures.
///
/// They begin them in the order in which these are handed in, and a picture waits for none but those before it, row by row.
/// So the earliest that is at work never waits, and all get done.
final class DecodingThreads {
  private struct Queue: Sendable {
    var work: [PictureWork] = []
    var isOver = false
  }

  private let queue = Monitor(Queue())
  private let count: Int

  /// Starts so many threads; `nil` where the system has none to give.
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
    // What is at work refers to earlier pictures only, and ends by itself.
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

  /// Hands in a picture; waits while there are as many that nobody has begun.
  func add(_ work: PictureWork) {
    queue.wait { [count] queue -> Void? in
      guard queue.work.count < count else { return nil }
      return queue.work.append(work)
    }
  }
}
