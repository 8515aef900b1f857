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

  /// The text; what is not valid UTF-8 is replaced.
  public var text: String { bytes.utf8Text }
}

/// Bits in any number, kept exactly as they were.
public struct BitString: Hashable, Sendable {
  /// The bits, most significant first; the last byte is filled with zeros.
  public var bytes: [UInt8]
  /// How many bits count.
  public var bitCount: Int

  /// Makes a string of no bits.
  public init() {
    bytes = []
    bitCount = 0
  }

  /// Whether there are none.
  public var isEmpty: Bool { bitCount == 0 }
}
