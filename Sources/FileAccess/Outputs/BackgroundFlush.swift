// swift-multiview · SPDX-License-Identifier: Apache-2.0

import Threads

/// A flush on a thread of its own, while the data are read again: one waits for the disk, the other for memory.
struct BackgroundFlush {
  private enum State: Sendable {
    case running
    case done(SystemError?)
  }

  private let state: Monitor<State>

  /// Begins the flush.
  init(_ descriptor: Int32, _ system: any OutputSystem) {
    let state = Monitor(State.running)
    self.state = state
    let flush = { @Sendable in
      var failure: SystemError?
      do throws(SystemError) { try system.flush(descriptor) } catch { failure = error }
      state.change { [failure] state in state = .done(failure) }
    }
    // If no thread can be started, flushes on this one.
    if startThread(beginsAtOnce: true, flush) != nil { flush() }
  }

  /// Returns when everything written before the beginning would survive a loss of power; throws if it would not.
  func wait() throws(SystemError) {
    let failure = state.read { state -> SystemError?? in
      guard case .done(let failure) = state else { return nil }
      return .some(failure)
    }
    if let failure { throw failure }
  }
}
