// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// A file of zeros.
package struct ZeroBytes: ByteSource {
  let count: UInt64

  /// Makes a source of that many zeros.
  package init(count: UInt64) { self.count = count }

  package var size: UInt64? { count }

  package func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    let end = min(range.upperBound, count)
    guard range.lowerBound < end else { return .empty(at: range.lowerBound) }
    let number = Int(clamping: end - range.lowerBound)
    return ByteView([UInt8](repeating: 0, count: number), fileOffset: Int(clamping: range.lowerBound))
  }
}
