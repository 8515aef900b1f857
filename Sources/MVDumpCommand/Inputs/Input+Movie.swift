// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Multiview

extension Input {
  /// The file as a movie.
  func movie() throws(InputError) -> MovieFile {
    do throws(MovieError) {
      return try opened { () throws(MovieError) in try MovieFile(source: source) }
    } catch {
      switch error {
      case .unreadable(let reason): throw InputError(reason)
      case .notAMovie: throw InputError(error.description)
      }
    }
  }
}

extension Batch {
  /// Inputs of both kinds: movies, and raw HEVC streams.
  static func ofMovies(_ invocation: Invocation) -> Batch {
    Batch(invocation, accepting: [.boxes, .hevcStream])
  }
}
