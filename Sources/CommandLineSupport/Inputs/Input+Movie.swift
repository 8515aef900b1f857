// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
package import Multiview

extension Input {
  /// The file as a movie. Throws if parts of it could not be read.
  package func movie() throws(InputError) -> MovieFile {
    let movie = try partlyReadMovie()
    try checkWasRead()
    return movie
  }

  /// Throws if some bytes could not be read up to now: what was made of the others may be wrong.
  package func checkWasRead() throws(InputError) {
    if let failure = source.readFailure { throw InputError(failure) }
  }

  /// The file as a movie, as far as it can be read: for commands that show what there is, and what is wrong.
  package func partlyReadMovie() throws(InputError) -> MovieFile {
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
