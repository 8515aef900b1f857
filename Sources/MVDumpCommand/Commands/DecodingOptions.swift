// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Multiview
import Threads

/// Options of the commands that decode pictures.
enum DecodingOptions {
  static let threads = Option(
    "threads", .number("N", 1...64),
    "How many threads decode: as many as the machine runs, if not said, and twice as many for several layers")

  /// How many threads decode a track. Pictures of a further layer often wait for those of the preceding layer,
  /// so that more threads are needed to keep processors busy.
  static func threads(_ arguments: ParsedArguments, for track: Track) -> Int {
    arguments.number(threads) ?? usualThreads(for: track)
  }

  /// How many threads decode a track by default.
  static func usualThreads(for track: Track) -> Int {
    track.joined.layers.count > 1 ? 2 * processorCount : processorCount
  }
}
