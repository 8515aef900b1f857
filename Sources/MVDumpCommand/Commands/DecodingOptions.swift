// swift-multiview · SPDX-License-Identifier: Apache-2.0

import CommandLineSupport
import Threads

/// Options of the commands that decode pictures.
enum DecodingOptions {
  static let threads = Option(
    "threads", .number("N", 1...64),
    "Number of decoding threads (default: as many as the machine runs)")

  /// How many threads decode the pictures of a track.
  static func threads(_ arguments: ParsedArguments) -> Int { arguments.number(threads) ?? processorCount }
}
