// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding
public import FileAccess

/// A movie in a store with asynchronous access: on a server, in object storage, in an actor.
///
/// ```swift
/// let movie = try await AsyncMovie(source)
/// let codec = try await movie.read { $0.mainVideoTrack?.codecString }
/// ```
///
/// A ``MovieFile`` answers the requests in ``read(_:)``, on a separate thread that waits for the bytes. Threads of the task
/// pool never wait, so any number of movies can be read at once. Bytes are read ahead in large pieces and kept (`CachePolicy`):
/// reading them again takes no request.
public final class AsyncMovie: Sendable {
  private let awaited: AwaitedBytes
  private let cache: CachedBytes
  private let movie: MovieFile

  /// Opens a movie: its headers are read.
  public init(
    _ source: some AsyncByteSource, limits: Limits = .standard, cache policy: CachePolicy = .standard
  ) async throws {
    let awaited = AwaitedBytes(source)
    let cache = CachedBytes(awaited, policy: policy) { () throws(SourceError) in try awaited.mayWait() }
    let opened = try await awaited.perform { () -> Result<MovieFile, MovieError> in
      do throws(MovieError) { return .success(try MovieFile(source: cache, limits: limits)) } catch {
        return .failure(error)
      }
    }
    try Task.checkCancellation()
    self.awaited = awaited
    self.cache = cache
    movie = try opened.get()
  }

  /// Runs a closure on the movie, and returns its result.
  ///
  /// The closure can use everything that a ``MovieFile`` has; the bytes that it needs are read in the meantime.
  /// Use the movie only in the closure: outside it, access to bytes that were not read yet fails with an error
  /// that says so.
  ///
  /// - Throws: what `question` throws, and `CancellationError` where the task was cancelled.
  public func read<Answer: Sendable>(
    _ question: @escaping @Sendable (MovieFile) throws -> Answer
  ) async throws -> Answer {
    try Task.checkCancellation()
    let movie = movie
    let result = try await awaited.perform { Result { try question(movie) } }
    // What a cancelled question found is not all there is.
    try Task.checkCancellation()
    return try result.get()
  }

  /// How many requests the source has answered, and how many bytes they brought.
  public var statistics: (requests: Int, bytes: UInt64) { cache.statistics }
}
