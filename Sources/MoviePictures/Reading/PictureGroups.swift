// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import Multiview

extension Track {
  /// The pictures that the track shows from a time on, as a sequence to wait for.
  ///
  /// ```swift
  /// for try await group in track.pictureGroups() {
  ///   guard let left = group[.left] else { continue }
  ///   print(left.size)
  /// }
  /// ```
  ///
  /// A picture is decoded when it is asked for, and no earlier: a slow reader holds the decoder back. Where the task is
  /// cancelled, the sequence ends with `CancellationError`.
  public func pictureGroups(
    from time: MediaTime = .zero, options: PictureOptions = PictureOptions()
  ) -> PictureGroups {
    PictureGroups(track: self, time: time, options: options)
  }
}

/// The pictures of a track one moment after the other: see `Track.pictureGroups(from:options:)`.
public struct PictureGroups: AsyncSequence, Sendable {
  public typealias Element = PictureGroup

  let track: Track
  let time: MediaTime
  let options: PictureOptions

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Decodes on the executor of whoever waits for the next picture.
  public struct Iterator: AsyncIteratorProtocol {
    private let groups: PictureGroups
    private var reader: PictureGroupReader?
    private var isAtEnd = false

    init(_ groups: PictureGroups) { self.groups = groups }

    /// The pictures of the next moment; `nil` after the last one.
    public mutating func next() async throws -> PictureGroup? {
      try Task.checkCancellation()
      guard !isAtEnd else { return nil }
      // What was decoded last is handed out before anything else runs for long.
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
