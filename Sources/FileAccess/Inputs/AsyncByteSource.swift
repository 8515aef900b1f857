// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Where the bytes of a file come from if waiting for them must not block a thread: a server, object storage, an
/// actor.
///
/// One function is enough. `AsyncMovie` opens movies from it, reads ahead, keeps what it has read, and requests no
/// byte twice while there is room to keep it.
public protocol AsyncByteSource: Sendable {
  /// How many bytes there are; `nil` while that is unknown. It may become known with the first read, as on a
  /// server that reports the size with each range.
  var size: UInt64? { get }

  /// The name to use in messages, such as an address; `nil`, the default, for bytes without a name.
  var name: String? { get }

  /// The bytes of `range`; fewer only if the data ends before the range does.
  func read(_ range: Range<UInt64>) async throws(SourceError) -> ByteView
}

extension AsyncByteSource {
  /// No name.
  public var name: String? { nil }
}
