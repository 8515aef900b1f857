// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FieldOutput

/// A line on standard error that says what is being read, while a person waits and sees nothing else.
package final class Progress {
  private let channel: OutputChannel
  private let isWanted: Bool
  private let start = ContinuousClock.now
  private var last = ContinuousClock.now
  private var count = 0
  private var isShown = false

  /// Shown where standard error is a terminal and standard output is not.
  package init(_ surroundings: Surroundings) {
    channel = surroundings.errors
    isWanted =
      surroundings.errors.isTerminal && !surroundings.output.isTerminal
      && surroundings.environment("TERM") != "dumb"
  }

  /// Shows that a file is being read: after half a second, and ten times a second at most.
  package func show(_ name: String) {
    count += 1
    guard isWanted else { return }
    let now = ContinuousClock.now
    guard now - start > .milliseconds(500), now - last > .milliseconds(100) else { return }
    last = now
    isShown = true
    let room = max(20, (channel.columns ?? 80) - 12)
    let text = ValueText.printable(name)
    let shown = text.count > room ? "…" + text.suffix(room - 1) : text
    channel.buffer.append("\r\u{1B}[K\(count): \(shown)")
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
