// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding
package import FileAccess

/// A file in memory that adds up a number for each read, such as that of its bytes.
package final class CountedReads: ByteSource {
  private let bytes: MemoryBytes
  private let number: @Sendable (Range<UInt64>) -> Int
  private let counted = Locked(0)

  /// The sum so far.
  package var count: Int { counted.withLock { $0 } }

  package init(_ bytes: [UInt8], number: @escaping @Sendable (Range<UInt64>) -> Int = { $0.count }) {
    self.bytes = MemoryBytes(bytes)
    self.number = number
  }

  package var size: UInt64? { bytes.size }

  package func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    counted.withLock { $0 += number(range) }
    return try bytes.read(range)
  }
}
