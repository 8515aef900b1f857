// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Threads

/// Writes to a file on a thread of its own, in the order of the calls, while the caller prepares the next bytes.
final class BackgroundWriter: Sendable {
  private struct State {
    var waiting: [(bytes: ByteView, offset: UInt64)] = []
    var isWriting = false
    var isEnding = false
    var hasEnded = false
    var failure: SystemError?
  }

  /// The largest number of pieces in the queue: if it is full, the caller waits.
  private static let room = 16

  private let state = Monitor(State())

  /// Starts a thread; `nil` if the system cannot.
  init?(_ descriptor: Int32, _ system: any OutputSystem) {
    let state = state
    let failed = startThread { Self.run(state, descriptor, system) }
    if failed != nil { return nil }
  }

  private static func run(_ state: Monitor<State>, _ descriptor: Int32, _ system: any OutputSystem) {
    while true {
      let pieces = state.wait { state -> [(bytes: ByteView, offset: UInt64)]? in
        if state.waiting.isEmpty { return state.isEnding ? [] : nil }
        defer {
          state.waiting.removeAll(keepingCapacity: true)
          state.isWriting = true
        }
        return state.waiting
      }
      if pieces.isEmpty { break }
      var failure: SystemError?
      for (bytes, offset) in pieces where failure == nil {
        do throws(SystemError) { try system.store(bytes, to: descriptor, at: offset) } catch {
          failure = error
        }
      }
      state.change { [failure] state in
        state.isWriting = false
        state.failure = state.failure ?? failure
      }
      if failure != nil { break }
    }
    state.change { $0.hasEnded = true }
  }

  /// Queues bytes for writing; throws the error of earlier ones.
  func store(_ bytes: ByteView, at offset: UInt64) throws(SystemError) {
    let failure = state.wait { state -> SystemError?? in
      if let failure = state.failure { return .some(failure) }
      guard state.waiting.count < Self.room else { return nil }
      state.waiting.append((bytes, offset))
      return .some(nil)
    }
    if let failure { throw failure }
  }

  /// Returns when all bytes are written; throws if some could not be.
  func finishWriting() throws(SystemError) {
    let failure = state.read { state -> SystemError?? in
      if let failure = state.failure { return .some(failure) }
      return state.waiting.isEmpty && !state.isWriting ? .some(nil) : nil
    }
    if let failure { throw failure }
  }

  /// Returns when the thread has ended; bytes that are still in the queue are not written.
  func end() {
    state.change { state in
      state.isEnding = true
      state.waiting = []
    }
    state.read { $0.hasEnded ? () : nil }
  }
}
