// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import Multiview

extension Input {
  /// The file as a movie.
  package func movie() throws(InputError) -> MovieFile {
    do throws(MovieError) {
      return try opened { () throws(MovieError) in try MovieFile(source: source, as: kind) }
    } catch {
      switch error {
      case .unreadable(let reason): throw InputError(reason)
      case .notAMovie(_, let reason): throw InputError(reason)
      }
    }
  }
}

extension Batch {
  /// Inputs of both kinds: movies, and raw HEVC streams.
  package static func ofMovies(_ invocation: Invocation) -> Batch {
    Batch(invocation, accepting: [.boxes, .hevcStream])
  }
}
