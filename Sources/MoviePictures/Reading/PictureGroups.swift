// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

extension Track {
  /// Returns the pictures that the track shows from a time on, as an asynchronous sequence.
  ///
  /// ```swift
  /// for try await group in track.pictureGroups() {
  ///   guard let left = group[.left] else { continue }
  ///   print(left.size)
  /// }
  /// ```
  ///
  /// Decoding advances only when the next picture is requested, so a slow consumer slows the decoder down. If
  /// the task is cancelled, the sequence throws `CancellationError`.
  public func pictureGroups(
    from time: MediaTime = .zero, options: PictureOptions = PictureOptions()
  ) -> PictureGroups {
    PictureGroups(track: self, time: time, options: options)
  }
}

/// The pictures of a track, time by time: see `Track.pictureGroups(from:options:)`.
public struct PictureGroups: AsyncSequence, Sendable {
  public typealias Element = PictureGroup

  let track: Track
  let time: MediaTime
  let options: PictureOptions

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Decodes the pictures, not on the actor that requests them: the main actor is not blocked.
  public struct Iterator: AsyncIteratorProtocol {
    private let groups: PictureGroups
    private var reader: PictureGroupReader?
    private var isAtEnd = false

    init(_ groups: PictureGroups) { self.groups = groups }

    /// Returns the pictures of the next time; `nil` after the last ones.
    public mutating func next() async throws -> PictureGroup? {
      try Task.checkCancellation()
      guard !isAtEnd else { return nil }
      // Lets other tasks run between two pictures, since decoding one can take long.
      await Task.yield()
      do {
        let reader = try reader ?? groups.track.pictures(from: groups.time, options: groups.options)
        self.reader = reader
        let group = try reader.next()
        isAtEnd = group == nil
        return group
      } catch {
        isAtEnd = true
        throw error
      }
    }
  }
}
