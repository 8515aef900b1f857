// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Where the bytes of a file come from, where they are waited for without a thread: a server, object storage, an actor.
///
/// One function is enough. Movies are opened from it by `AsyncMovie`, which reads ahead, keeps what it has read, and never
/// asks for a byte twice as long as there is room for it.
public protocol AsyncByteSource: Sendable {
  /// How many bytes there are; `nil` while that is not known. It may become known with the first answer, as on a server
  /// that says the size with each range.
  var size: UInt64? { get }

  /// What messages call it, such as its address; `nil`, the default, for bytes without a name.
  var name: String? { get }

  /// The bytes of `range`. Fewer only where the data ends before it does.
  func read(_ range: Range<UInt64>) async throws(SourceError) -> ByteView
}

extension AsyncByteSource {
  /// No name.
  public var name: String? { nil }
}
