// swift-multiview · SPDX-License-Identifier: Apache-2.0

public import ByteCoding

/// Where the bytes of a file come from: a disk, memory, a pipe, or a server that serves byte ranges.
///
/// Reading waits until the bytes arrive. A source may be read from several threads at once.
public protocol ByteSource: Sendable {
  /// How many bytes there are; `nil` while that is unknown.
  var size: UInt64? { get }

  /// The name to use in messages: the path of a file, the address on a server; `nil`, the default, for bytes
  /// without a name.
  var name: String? { get }

  /// The bytes of `range`; fewer only if the data ends before the range does.
  ///
  /// The view's `fileOffset` is the lower bound of `range`.
  func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView
}

extension Range where Bound == UInt64 {
  /// How many bytes the range has. `count` traps if that is more than an `Int` holds, which has 32 bits on some
  /// watches.
  package var length: UInt64 { upperBound &- lowerBound }
}

extension ByteSource {
  /// The source, if its type is exactly this one. A cast that fails would look for a bridge between the two types, which takes half a
  /// million instructions the first time: the runtime searches all conformances of the program.
  package func exactly<Source: ByteSource>(_: Source.Type) -> Source? {
    type(of: self) == Source.self ? self as? Source : nil
  }

  /// No name.
  public var name: String? { nil }

  /// `count` bytes from `offset` on; fewer only if the data ends before that.
  public func read(at offset: UInt64, count: Int) throws(SourceError) -> ByteView {
    let (end, overflow) = offset.addingReportingOverflow(UInt64(clamping: count))
    return try read(offset..<(overflow ? .max : end))
  }
}
