// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// How far the writing of a file is.
public struct WritingProgress: Hashable, Sendable {
  /// How many bytes are written.
  public var bytesWritten: UInt64
  /// How many bytes the file will have; `nil` if that is not known yet.
  public var expectedSize: UInt64?
  /// Whether everything is written, and is now read again and compared.
  public var isVerifying: Bool

  /// Makes a value.
  public init(bytesWritten: UInt64, expectedSize: UInt64? = nil, isVerifying: Bool = false) {
    self.bytesWritten = bytesWritten
    self.expectedSize = expectedSize
    self.isVerifying = isVerifying
  }
}
