// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import FileAccess

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#elseif canImport(Darwin)
import Darwin
#endif

/// The kinds of movies that `make-movie` makes, and what their number counts.
let movieKinds: [(name: String, meaning: String, make: @Sendable (Int) -> MadeMovie)] = [
  ("samples", "one track of N samples, tables of full size, a hole for the media", { MadeMovie.samples($0) }),
  (
    "sound", "N samples of uncompressed sound in a few rows of tables, a hole for the media",
    { MadeMovie.sound($0) }
  ),
  ("tracks", "N tracks of ten samples", { MadeMovie.tracks($0) }),
  ("fragments", "N fragments of thirty samples", { MadeMovie.fragments($0) }),
  (
    "layers", "N samples of 64 KiB with two layers, a NAL unit each",
    { MadeMovie.twoViews(sampleCount: $0, sampleSize: 65_536, units: 2) }
  ),
  (
    "slices", "N samples of 64 KiB with two layers, in 64 slices of 1 KiB",
    { MadeMovie.twoViews(sampleCount: $0, sampleSize: 65_536, units: 64) }
  ),
]

extension MadeMovie {
  /// Writes the movie to a file, and returns whether that was possible.
  func write(to path: String) -> Bool {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    let output = DescriptorOutput(descriptor)
    output.write(head)
    media? { piece in output.write(piece) }
    return ftruncate(descriptor, off_t(size)) == 0 && !output.isClosed
  }
}

/// A made movie as a source that counts what is read of it. Media data reads as zeros.
final class CountedMovie: ByteSource {
  let size: UInt64?
  private let head: ByteView
  private let counted = Locked(UInt64(0))

  init(_ movie: MadeMovie) {
    size = movie.size
    head = ByteView(movie.head)
  }

  /// The number of bytes that were read.
  var bytesRead: UInt64 { counted.withLock { $0 } }

  func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
    let range = range.clamped(to: 0..<(size ?? 0))
    counted.withLock { $0 += UInt64(range.count) }
    if let slice = head.slice(Int(range.lowerBound)..<Int(range.upperBound)) { return slice }
    var bytes = head.suffix(from: Int(range.lowerBound)).array
    bytes.append(contentsOf: repeatElement(0, count: range.count - bytes.count))
    return ByteView(bytes, fileOffset: Int(range.lowerBound))
  }
}
