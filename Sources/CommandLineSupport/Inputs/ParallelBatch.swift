// swift-multiview · SPDX-License-Identifier: Apache-2.0

import FileAccess
import Threads

extension Batch {
  /// Calls `work` with each input that can be used, several at a time and each on some thread, and `report` on this one with what
  /// it answers, in the order of the inputs.
  ///
  /// - Parameters:
  ///   - threads: how many inputs are read at a time; 1 for one after the other, on this thread.
  ///   - work: must not write to standard output and standard error.
  /// - Returns: the worst of what `report` answers and of what went wrong.
  package func forEach<Answer: Sendable>(
    threads: Int, _ work: @escaping @Sendable (Input) throws(InputError) -> Answer,
    _ report: (Answer) -> ExitCode
  ) -> ExitCode {
    guard threads > 1 else {
      return forEach { input throws(InputError) in report(try work(input)) }
    }
    let team = Team(threads: threads, work)
    var worst = ExitCode.success
    /// Reports what was finished, in order, until no more than `count` inputs are left.
    func finish(downTo count: Int, _ progress: Progress) {
      while team.count > count, let finished = team.next() {
        do throws(InputError) {
          worst = max(worst, report(try finished.answer.get()))
          if let unread = finished.unread { throw InputError(unread) }
        } catch {
          worst = max(worst, complain(Fault(finished.name, error), progress))
        }
      }
    }
    var last: Progress?
    let code = walk { found, progress in
      last = progress
      switch found {
      case .success(let input):
        // Few inputs wait at a time, so messages appear soon.
        finish(downTo: 4 * threads - 1, progress)
        team.add(input.releasedAfterUse)
        return .success
      case .failure(let fault):
        finish(downTo: 0, progress)
        return complain(fault, progress)
      }
    }
    if let last { finish(downTo: 0, last) }
    return max(code, worst)
  }
}

/// Several threads, one of them the owner's, that read inputs.
private final class Team<Answer: Sendable> {
  typealias Work = @Sendable (Input) throws(InputError) -> Answer

  struct Finished: Sendable {
    let name: String
    let answer: Result<Answer, InputError>
    /// Why bytes of the input could not be read.
    var unread: SourceError?
  }

  private struct State: Sendable {
    var waiting: [(number: Int, input: Input)] = []
    var finished: [Int: Finished] = [:]
    var isOver = false

    mutating func takeWaiting() -> (number: Int, input: Input)? {
      waiting.isEmpty ? nil : waiting.removeFirst()
    }
  }

  private let state = Monitor(State())
  private let work: Work
  private var added = 0
  private var taken = 0

  /// How many inputs were added and have not been taken.
  var count: Int { added - taken }

  init(threads: Int, _ work: @escaping Work) {
    self.work = work
    // Where no thread can be started, the owner reads all.
    for _ in 1..<max(1, threads) {
      _ = startThread { [state] in
        while let (number, input) = Self.next(in: state) {
          let finished = Self.finish(input, work)
          state.change { $0.finished[number] = finished }
        }
      }
    }
  }

  deinit { state.change { $0.isOver = true } }

  private static func next(in state: Monitor<State>) -> (number: Int, input: Input)? {
    state.wait { state -> (number: Int, input: Input)?? in
      if let next = state.takeWaiting() { return next }
      return state.isOver ? .some(nil) : nil
    }
  }

  private static func finish(_ input: Input, _ work: Work) -> Finished {
    do throws(InputError) {
      let answer = try work(input)
      return Finished(name: input.name, answer: .success(answer), unread: input.source.readFailure)
    } catch {
      return Finished(name: input.name, answer: .failure(error))
    }
  }

  func add(_ input: Input) {
    let number = added
    added += 1
    state.change { $0.waiting.append((number, input)) }
  }

  /// The input that comes next in the order in which they were added, once it is finished; `nil` if none is left.
  ///
  /// Reads other inputs meanwhile: a thread that only waits would be woken for each small movie, which took a tenth of the time.
  func next() -> Finished? {
    guard taken < added else { return nil }
    defer { taken += 1 }
    while true {
      let (finished, other) = state.change { state in
        let finished = state.finished.removeValue(forKey: taken)
        return (finished, finished == nil ? state.takeWaiting() : nil)
      }
      if let finished { return finished }
      guard let (number, input) = other else {
        return state.wait { $0.finished.removeValue(forKey: self.taken) }
      }
      let new = Self.finish(input, work)
      if number == taken { return new }
      state.change { $0.finished[number] = new }
    }
  }
}
