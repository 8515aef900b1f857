// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Where the bytes of a file come from: a disk, the memory, a pipe, or a server that answers byte ranges.
///
/// Reading waits until the bytes are there. A source may be asked from several threads at once.
public protocol ByteSource: Sendable {
  /// How many bytes there are, as far as that is known; `nil` while it is not.
  var size: UInt64? { get }

  /// What messages call it: the path of a file, the address on a server; `nil`, the default, for bytes without a name.
  var name: String? { get }

  /// The bytes of `range`. Fewer only where the data ends before it does.
  ///
  /// The view's `fileOffset` is the lower bound of `range`.
  func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView
}

extension ByteSource {
  /// No name.
  public var name: String? { nil }

  /// `count` bytes from `offset` on. Fewer only where the data ends.
  public func read(at offset: UInt64, count: Int) throws(SourceError) -> ByteView {
    let (end, overflow) = offset.addingReportingOverflow(UInt64(clamping: count))
    return try read(offset..<(overflow ? .max : end))
  }
}
