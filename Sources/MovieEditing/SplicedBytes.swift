// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess

/// A range of a source, as a source of its own.
struct PartOfSource: ByteSource {
  let source: any ByteSource
  let range: Range<UInt64>

  var size: UInt64? { range.upperBound - range.lowerBound }

  func read(_ wanted: Range<UInt64>) throws(SourceError) -> ByteView {
    let count = range.upperBound - range.lowerBound
    let end = min(wanted.upperBound, count)
    guard wanted.lowerBound < end else { return .empty(at: wanted.lowerBound) }
    return try source.read((range.lowerBound + wanted.lowerBound)..<(range.lowerBound + end))
      .copy(at: wanted.lowerBound)
  }
}
