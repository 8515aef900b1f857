// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What `print` shows: a line for people to read, and not how a value is stored in memory.

extension Box: CustomStringConvertible {
  /// Type, size and offset: `hvcC, 126 bytes at 580`.
  public var description: String { "\(type), \(size) bytes at \(offset)" }
}

extension BoxTree: CustomStringConvertible {
  /// The types of the boxes at the top level: `ftyp moov mdat`; if there are many, of the first ones.
  public var description: String {
    let shown = boxes.prefix(16).map { "\($0.type)" }.joined(separator: " ")
    return boxes.count > 16 ? "\(shown) … (\(boxes.count) boxes)" : shown
  }
}
