// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess
import ISOBMFF
import Multiview

/// The movies whose samples were requested last. The tables of all others are released, so that any number of
/// movies takes the memory of a few.
final class OpenMovies: Sendable {
  /// The number of movies whose tables are kept: one track may be read at several positions at a time.
  private static let capacity = 4

  private let movies = Locked<[MovieFile]>([])

  /// Returns the samples of a track.
  func samples(of track: Track, in movie: MovieFile) throws(SourceError) -> TrackSamples {
    use(movie)
    return try track.samples()
  }

  /// Records that samples of a movie are requested, and releases those of the movie that was used least recently.
  func use(_ movie: MovieFile) {
    let old = movies.withLock { movies -> MovieFile? in
      if let index = movies.firstIndex(where: { $0.isSame(as: movie) }) { movies.remove(at: index) }
      movies.append(movie)
      return movies.count > Self.capacity ? movies.removeFirst() : nil
    }
    old?.releaseSamples()
  }
}
