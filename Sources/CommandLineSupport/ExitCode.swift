// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How the command ended, in the manner of grep. Scripts rely on the numbers.
package enum ExitCode: Int32, Comparable, Sendable {
  /// Done; for a question: yes.
  case success = 0
  /// The answer is no.
  case no = 1
  /// An input could not be read, or is neither a movie nor an HEVC stream.
  case unreadable = 2
  /// The command line makes no sense.
  case usage = 64

  package static func < (left: ExitCode, right: ExitCode) -> Bool { left.rawValue < right.rawValue }
}
