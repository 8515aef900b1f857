// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// Text that should end with a zero byte, and sometimes does not.
public struct TerminatedString: Hashable, Sendable {
  /// The bytes without the terminator.
  public var bytes: ByteView
  /// Whether a zero byte follows them.
  public var isTerminated: Bool

  /// Makes terminated text.
  public init(_ text: String = "", isTerminated: Bool = true) {
    bytes = ByteView(text.utf8.filter { $0 != 0 })
    self.isTerminated = isTerminated
  }

  init(bytes: ByteView, isTerminated: Bool) {
    self.bytes = bytes
    self.isTerminated = isTerminated
  }

  /// The text; invalid UTF-8 is replaced.
  public var text: String { bytes.utf8Text }
}

/// A string of any number of bits, kept exactly as it was.
public struct BitString: Hashable, Sendable {
  /// The bits, most significant first; the last byte is padded with zeros.
  public var bytes: [UInt8]
  /// The number of bits.
  public var bitCount: Int

  /// Makes an empty string, without any bits.
  public init() {
    bytes = []
    bitCount = 0
  }

  /// Whether the string has no bits.
  public var isEmpty: Bool { bitCount == 0 }
}
