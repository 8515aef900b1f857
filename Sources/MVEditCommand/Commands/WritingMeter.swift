// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import FileAccess

/// Says how much of a file is written, where a person waits.
final class WritingMeter {
  private let line: Progress

  init(_ invocation: Invocation) { line = Progress(invocation.surroundings, answersMeanwhile: false) }

  /// What is called while a file is written.
  var show: (WritingProgress) -> Void {
    { [line] in line.show(Self.text($0)) }
  }

  /// Clears the line.
  func clear() { line.clear() }

  /// `43 %, 1.2 GB of 2.8 GB`, or what is known of it.
  static func text(_ progress: WritingProgress) -> String {
    let written = Quantity.bytes(progress.bytesWritten)
    if progress.isVerifying { return "\(written) written, now reading the file to check it" }
    guard let size = progress.expectedSize, size > 0 else { return "\(written) written" }
    let share = min(99, Int(Double(progress.bytesWritten) / Double(size) * 100))
    return "\(share) %, \(written) of \(Quantity.bytes(size))"
  }
}
