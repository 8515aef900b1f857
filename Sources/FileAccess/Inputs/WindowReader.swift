// swift-multiview · SPDX-License-Identifier: Apache-2.0

package import ByteCoding

/// Reads headers that are close together with few requests, and skips what lies between them without reading it.
///
/// After a jump the window is small; while reading continues at its end, or little after it, it doubles.
package final class WindowReader {
  static let firstWindow = 64 * 1024
  static let smallestWindow = 4 * 1024
  static let largestWindow = 256 * 1024
  /// The maximum number of bytes that are read instead of skipped: reading them takes as long as another call.
  static let shortSkip = 8 * 1024

  package let source: any ByteSource
  private var window = ByteView()
  private var windowStart = 0
  private var nextLength = WindowReader.firstWindow
  /// Where the data was found to end: nothing after it is requested again.
  private var knownEnd = Int.max

  package init(_ source: any ByteSource) { self.source = source }

  /// How many bytes there are, if that is known yet.
  package var size: Int? { source.size.map { Int(clamping: $0) } }

  /// The eight bytes at `offset` as a number if they have already been read; otherwise, and at the end of the
  /// data, `nil`. Nothing is counted or copied, so that millions of headers can be examined.
  package func knownWord(at offset: Int) -> UInt64? { window.bigEndian(at: offset &- windowStart, width: 8) }

  /// `count` bytes at `offset`, fewer at the end of the data.
  package func bytes(at offset: Int, count: Int) throws(SourceError) -> ByteView {
    try bytes(at: offset, atLeast: count).prefix(count)
  }

  /// `count` bytes at `offset`, fewer at the end of the data, and those after them that have been read.
  package func bytes(at offset: Int, atLeast count: Int) throws(SourceError) -> ByteView {
    let end = windowStart + window.count
    if offset >= windowStart, count <= end - offset { return window.suffix(from: offset - windowStart) }
    guard offset < knownEnd else { return ByteView() }
    let continues = offset >= windowStart && offset - end <= Self.shortSkip
    if !window.isEmpty {
      nextLength = continues ? min(nextLength * 2, Self.largestWindow) : Self.smallestWindow
    }
    guard offset >= 0, !offset.addingReportingOverflow(count).overflow else { return ByteView() }
    // Of a small file not much more is asked for than there is, because memory is made for it: one byte more shows the end.
    var length = nextLength
    if let size, size - offset < length { length = max(Self.smallestWindow, size - offset + 1) }
    // The window may be cut where numbers overflow; the requested bytes are in it.
    let (sum, overflow) = offset.addingReportingOverflow(max(count, length))
    let last = overflow ? Int.max : sum
    window = try source.read(UInt64(offset)..<UInt64(last))
    windowStart = offset
    if window.count < last - offset { knownEnd = offset + window.count }
    return window
  }
}
