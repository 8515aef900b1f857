// swift-multiview · SPDX-License-Identifier: Apache-2.0

import HEVCCoding
import Threads

/// Which pictures wait for a thread, which are in progress, and how many are in memory.
///
/// Threads begin pictures in the order in which they were added. A picture takes memory when it begins, after all
/// those begun before it; if as many pictures as the decoder may keep are in memory, it waits until one is released.
/// If everything waits, the earliest picture in progress takes memory nevertheless. So nothing waits forever, and how
/// much memory is taken does not depend on timing.
final class DecodingSchedule: Sendable {
  /// What the caller of the decoder waits for, as long as it does not have it.
  enum Need: Equatable {
    case room
    case picture(Int)
  }

  struct State: Sendable {
    /// The pictures that wait for a thread.
    var waiting: [PictureWork] = []
    /// The pictures in progress, in the order in which they began.
    var inProgress: [(number: Int, hasMemory: Bool)] = []
    var need: Need?
    /// How many pictures have memory.
    var inMemory = 0
    /// How many may have memory, besides those that the caller keeps.
    var capacity = Int.max
    /// How many of those that were returned to the caller it keeps, and how many it kept when it called last.
    var lent = 0, kept = 0
    /// How many had memory at most.
    var mostInMemory = 0
    var isOver = false
    var threads: Int

    /// Whether a picture that was added is not finished.
    func isUnfinished(_ number: Int) -> Bool {
      waiting.contains { $0.number == number } || inProgress.contains { $0.number == number }
    }

    /// Whether the caller waits for a picture that is in progress, or that waits itself.
    var isCallerBlocked: Bool {
      // A thread that is about to take the next picture makes room.
      need != nil && (need != .room || inProgress.count == threads)
    }

    /// Whether a picture in progress may take memory now.
    func mayTakeMemory(_ index: Int) -> Bool {
      if isOver || index == 0 && isCallerBlocked { return true }
      return inMemory - kept < capacity && inProgress[..<index].allSatisfy(\.hasMemory)
    }
  }

  private let state: Monitor<State>

  /// Makes a schedule for a number of threads. As many pictures can wait.
  init(threads: Int) { state = Monitor(State(threads: threads)) }

  /// How many pictures may have memory, and how many had it at most.
  var memory: (capacity: Int, most: Int) { state.change { ($0.capacity, $0.mostInMemory) } }

  // MARK: The caller of the decoder

  /// Sets how many pictures may be in memory.
  func setCapacity(_ capacity: Int) { state.change { $0.capacity = capacity } }

  /// Begins a call: the pictures that the caller keeps although it calls again do not count.
  func beginCall() { state.change { $0.kept = $0.lent } }

  /// Adds a picture; waits while as many pictures as there are threads wait for one.
  func add(_ work: PictureWork) {
    state.change { state in
      if state.waiting.count >= state.threads { state.need = .room }
    }
    state.wait { state -> Void? in
      guard state.waiting.count < state.threads else { return nil }
      return state.waiting.append(work)
    }
  }

  /// Waits until a picture that was added is finished.
  func wait(for number: Int) {
    state.change { state in
      if state.isUnfinished(number) { state.need = .picture(number) }
    }
    state.read { $0.isUnfinished(number) ? nil : () }
  }

  /// Counts a picture that was returned to the caller, until it is released.
  func lend() { state.change { $0.lent += 1 } }

  /// Counts a returned picture as released.
  func takeBack() { state.change { $0.lent -= 1 } }

  /// Sets the number of threads, if fewer could be started.
  func setThreads(_ count: Int) { state.change { $0.threads = count } }

  /// Ends the threads, once they have finished the pictures in progress.
  func end() {
    // Pictures give their memory back to the schedule: they must not be released while it is locked.
    _ = state.change { state in
      defer { state.waiting = [] }
      state.isOver = true
      return state.waiting
    }
  }

  // MARK: The threads

  /// Waits for the next picture to begin; `nil` if there will be no more.
  func next() -> PictureWork? {
    state.wait { state -> PictureWork?? in
      if state.isOver { return .some(nil) }
      guard !state.waiting.isEmpty else { return nil }
      let work = state.waiting.removeFirst()
      state.inProgress.append((work.number, false))
      if state.need == .room { state.need = nil }
      return work
    }
  }

  /// Marks a picture as finished. Its thread must have released the others that it referred to.
  func finish(_ number: Int) {
    state.change { state in
      state.inProgress.removeAll { $0.number == number }
      if state.need == .picture(number) { state.need = nil }
    }
  }

  // MARK: Memory

  /// Lets a pool of pictures follow the schedule.
  var memoryLimit: PictureMemoryLimit {
    PictureMemoryLimit(take: { self.takeMemory(for: $0) }, release: { self.releaseMemory() })
  }

  func takeMemory(for number: Int?) {
    state.wait { state -> Void? in
      if let index = state.inProgress.firstIndex(where: { $0.number == number }) {
        guard state.mayTakeMemory(index) else { return nil }
        state.inProgress[index].hasMemory = true
      }
      state.inMemory += 1
      state.mostInMemory = max(state.mostInMemory, state.inMemory)
    }
  }

  func releaseMemory() { state.change { $0.inMemory -= 1 } }
}
