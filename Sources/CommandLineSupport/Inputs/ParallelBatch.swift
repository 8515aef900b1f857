// swift-multiview · SPDX-License-Identifier: Apache-2.0

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
        do throws(InputError) { worst = max(worst, report(try finished.answer.get())) } catch {
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

/// Threads that read inputs.
private final class Team<Answer: Sendable> {
  typealias Work = @Sendable (Input) throws(InputError) -> Answer

  struct Finished: Sendable {
    let name: String
    let answer: Result<Answer, InputError>
  }

  private struct State: Sendable {
    var waiting: [(number: Int, input: Input)] = []
    var finished: [Int: Finished] = [:]
    var isOver = false
  }

  private let state = Monitor(State())
  private let work: Work
  private let hasThreads: Bool
  private var added = 0
  private var taken = 0

  /// How many inputs were added and have not been taken.
  var count: Int { added - taken }

  init(threads: Int, _ work: @escaping Work) {
    self.work = work
    var started = 0
    for _ in 0..<threads {
      let status = startThread { [state] in
        while let (number, input) = Self.next(in: state) {
          let finished = Self.finish(input, work)
          state.change { $0.finished[number] = finished }
        }
      }
      if status == nil { started += 1 }
    }
    hasThreads = started > 0
  }

  deinit { state.change { $0.isOver = true } }

  private static func next(in state: Monitor<State>) -> (number: Int, input: Input)? {
    state.wait { state -> (number: Int, input: Input)?? in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      return state.isOver ? .some(nil) : nil
    }
  }

  private static func finish(_ input: Input, _ work: Work) -> Finished {
    do throws(InputError) {
      return Finished(name: input.name, answer: .success(try work(input)))
    } catch {
      return Finished(name: input.name, answer: .failure(error))
    }
  }

  func add(_ input: Input) {
    let number = added
    added += 1
    if hasThreads {
      state.change { $0.waiting.append((number, input)) }
    } else {
      let finished = Self.finish(input, work)
      state.change { $0.finished[number] = finished }
    }
  }

  /// Waits for the input that comes next in the order in which they were added; `nil` if none is left.
  func next() -> Finished? {
    guard taken < added else { return nil }
    defer { taken += 1 }
    return state.wait { $0.finished.removeValue(forKey: self.taken) }
  }
}
