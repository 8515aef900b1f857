// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Threads

/// Threads that decode pictures.
///
/// They start pictures in the order of ``DecodingOrder``, and a picture waits only for those started before it, row by
/// row. So the earliest one in progress never waits, and all are completed.
final class DecodingThreads {
  private struct Queue: Sendable {
    var work: [PictureWork] = []
    var isOver = false
  }

  private let queue = Monitor(Queue())
  private let count: Int
  private var order = DecodingOrder<PictureWork>()

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

  /// Adds a picture. It starts after the next one is added, or when something is about to wait for it.
  func add(_ work: PictureWork) {
    guard let number = work.frame.number else { return start(work) }
    let next = order.add(
      work, number: number, layerID: work.frame.buffer.layerID, references: work.references)
    for work in next { start(work) }
  }

  /// Starts a picture if it was added but not started. Call this before waiting for it.
  func prepareToWait(for frame: Frame) {
    if let number = frame.number, let work = order.take(number) { start(work) }
  }

  /// Discards the picture that was added but not started.
  func discardHeld() { order.removeAll() }

  /// Passes a picture to the threads; waits while as many pictures as there are threads have not been started.
  private func start(_ work: PictureWork) {
    queue.wait { [count] queue -> Void? in
      guard queue.work.count < count else { return nil }
      return queue.work.append(work)
    }
  }
}
