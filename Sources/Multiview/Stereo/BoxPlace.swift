// swift-multiview · SPDX-License-Identifier: Apache-2.0

/// The box of a value in a file.
public struct BoxPlace: Hashable, Sendable, CustomStringConvertible {
  /// The path of the box: `moov/trak[0]/…/hvc1/vexu/eyes/stri`.
  public var path: String
  /// The file offset of the box.
  public var offset: Int

  /// Makes a place.
  public init(path: String, offset: Int) {
    self.path = path
    self.offset = offset
  }

  /// The path and the offset.
  public var description: String { "\(path) at \(offset)" }
}
