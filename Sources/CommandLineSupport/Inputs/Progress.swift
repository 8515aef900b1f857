// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput

/// A line on standard error that says how far a command is, while a person waits and sees nothing else.
package final class Progress {
  private let channel: OutputChannel
  private let isWanted: Bool
  private let start = ContinuousClock.now
  private var last = ContinuousClock.now
  private var count = 0
  private var isShown = false

  /// Shown where standard error is a terminal.
  ///
  /// - Parameter answersMeanwhile: whether the answer is written to standard output while the command works, which a
  ///   terminal shows already.
  package init(_ surroundings: Surroundings, answersMeanwhile: Bool) {
    channel = surroundings.errors
    isWanted =
      surroundings.errors.isTerminal && !(answersMeanwhile && surroundings.output.isTerminal)
      && surroundings.environment("TERM") != "dumb"
  }

  /// Shows that the next of several files is being read.
  package func showNext(_ name: String) {
    count += 1
    show("\(count): ", name)
  }

  /// Shows a line: after half a second, and ten times a second at most.
  ///
  /// - Parameters:
  ///   - text: what is shown first.
  ///   - rest: what follows, cut at its beginning if there is no room.
  package func show(_ text: String, _ rest: String = "") {
    guard isWanted else { return }
    let now = ContinuousClock.now
    guard now - start > .milliseconds(500), now - last > .milliseconds(100) else { return }
    last = now
    isShown = true
    let columns = channel.columns ?? 80
    let room = max(20, columns - text.count - 1)
    let rest = ValueText.printable(rest)
    let shown = rest.count > room ? "…" + rest.suffix(room - 1) : rest
    // A line that the terminal breaks could not be cleared.
    channel.buffer.append("\r\u{1B}[K" + (ValueText.printable(text) + shown).prefix(max(1, columns - 1)))
    channel.buffer.flush()
  }

  /// Clears the line.
  package func clear() {
    guard isShown else { return }
    isShown = false
    channel.buffer.append("\r\u{1B}[K")
    channel.buffer.flush()
  }
}
