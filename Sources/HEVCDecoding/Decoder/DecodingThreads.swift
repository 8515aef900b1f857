// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding
import Threads

/// Threads that decode pictures.
///
/// They begin pictures in the order of ``DecodingOrder``, and a picture waits only for those begun before it, row by
/// row. So the earliest one in progress never waits for another, and all are completed.
final class DecodingThreads {
  private let schedule: DecodingSchedule
  private var order = DecodingOrder<PictureWork>()

  /// Starts `count` threads that follow a schedule; `nil` if the system cannot provide any.
  init?(count: Int, _ schedule: DecodingSchedule) {
    self.schedule = schedule
    var started = 0
    for _ in 0..<count {
      let status = startThread { while let number = Self.runNext(schedule) { schedule.finish(number) } }
      if status == nil { started += 1 }
    }
    guard started > 0 else { return nil }
    schedule.setThreads(started)
  }

  // Pictures in progress refer only to earlier ones, and end by themselves.
  deinit { schedule.end() }

  /// Decodes the next picture; returns its number when all that it referred to is released.
  private static func runNext(_ schedule: DecodingSchedule) -> Int? {
    guard let work = schedule.next() else { return nil }
    work.run()
    return work.number
  }

  /// Adds a picture. It starts after the next one is added, or when something is about to wait for it.
  func add(_ work: PictureWork) {
    let next = order.add(
      work, number: work.number, layerID: work.frame.buffer.layerID, references: work.references)
    for work in next { schedule.add(work) }
  }

  /// Waits until a picture is finished, if it is to be decoded.
  func wait(for frame: Frame) {
    guard let number = frame.number else { return }
    start(frame)
    schedule.wait(for: number)
  }

  /// Starts a picture if it was added but not started: something is about to wait for it.
  func start(_ frame: Frame) {
    if let number = frame.number, let work = order.take(number) { schedule.add(work) }
  }

  /// Discards the picture that was added but not started.
  func discardHeld() { order.removeAll() }
}
