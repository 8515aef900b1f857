// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import TestSupport
import Testing

@testable import FileAccess

/// What differs between systems, as far as any of them can show it.
@Suite struct SystemCallsTests {
  /// Darwin answers `EINVAL` to a request for more than `Int32.max` bytes, and other systems move fewer. No call
  /// touches the bytes here: only the lengths are real.
  @Test(arguments: [0, 1, 99, 100, 101, Int(Int32.max), Int(Int32.max) + 1, 5 << 30])
  func noCallIsAskedForMoreThanItsLimit(count: Int) throws {
    let asked = Locked<[Int]>([])
    let recording = unsafe SystemCalls(
      read: { _, buffer in
        asked.withLock { $0.append(buffer.count) }
        return buffer.count
      },
      readAt: { _, buffer, _ in
        asked.withLock { $0.append(buffer.count) }
        return buffer.count
      },
      write: { _, buffer in
        asked.withLock { $0.append(buffer.count) }
        return buffer.count
      },
      writeAt: { _, buffer, _ in
        asked.withLock { $0.append(buffer.count) }
        return buffer.count
      })
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    defer { unsafe memory.deallocate() }
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: memory, count: count)
    for most in [100, Int(Int32.max)] {
      let calls = recording.limited(to: most)
      let moved = unsafe [
        calls.read(0, buffer), calls.readAt(0, buffer, 0), calls.write(0, UnsafeRawBufferPointer(buffer)),
        calls.writeAt(0, UnsafeRawBufferPointer(buffer), 0),
      ]
      let expected = [Int](repeating: min(count, most), count: 4)
      #expect(moved == expected)
      #expect(asked.withLock { $0 } == expected)
      asked.withLock { $0 = [] }
    }
  }

  /// With the limit of a few bytes, what takes many calls arrives whole.
  @Test func limitedCallsMoveEverything() throws {
    let folder = try TemporaryFolder()
    let bytes = patternedBytes(1_000)
    let path = try folder.write("in", bytes)
    let calls = SystemCalls.standard.limited(to: 7)
    let descriptor = unsafe open(path, O_RDWR)
    defer { close(descriptor) }
    var read = [UInt8](repeating: 0, count: 1_000)
    let count = try unsafe read.withUnsafeMutableBytes { buffer in
      try unsafe calls.fill(buffer, from: descriptor, at: 0)
    }
    #expect(count == 1_000 && read == bytes)
    try unsafe bytes.withUnsafeBytes { buffer in
      try unsafe calls.store(buffer, to: descriptor, at: 500)
    }
    #expect(contents(path) == bytes[..<500] + bytes)
  }

  /// The length of a range need not fit an `Int`, which has 32 bits on some watches. On 64 bits only these are as long.
  @Test func rangesMayBeLongerThanAnInt() throws {
    let folder = try TemporaryFolder()
    let bytes = patternedBytes(2_000_000)
    let file = try FileBytes(path: try folder.write("in", bytes))
    let long: Range<UInt64> = 7..<(.max)
    #expect(long.length == UInt64.max - 7)
    let sources: [any ByteSource] = [
      file, MemoryBytes(ByteView(bytes)), try ConcatenatedBytes([file]), CachedBytes(file),
    ]
    for source in sources { #expect(try source.read(long).array == Array(bytes[7...]), "\(source)") }
    for policy in [PipeBytes.Policy.recent, .everything] {
      var ends: [Int32] = [0, 0]
      _ = unsafe Foundation.pipe(&ends)
      let pipe = PipeBytes(descriptor: ends[0], name: "pipe", owned: true, keeping: policy, limit: 1_000_000)
      let writer = DescriptorOutput(ends[1])
      writer.write(Array(bytes[..<10_000]))
      close(ends[1])
      // The first read decides how the rest is read.
      #expect(try pipe.read(at: 0, count: 7).array == Array(bytes[..<7]))
      #expect(try pipe.read(long).array == Array(bytes[7..<10_000]))
    }
    let output = try SafeOutput(path: folder.path + "/out", inputs: [file])
    let error = #expect(throws: SourceError.self) { try output.copy(long, of: file) }
    #expect(error?.description.contains("has become shorter") == true)
    #expect(filesBelow(folder.path) == ["in"])
  }

  /// A disk that could not write must not be taken for a file system without the call.
  @Test func onlyAFileSystemWithoutAFullFlushIsFlushedLess() {
    for number in [ENOTSUP, EINVAL, ENOTTY] { #expect(SystemError(number).meansNoFullFlush) }
    for number in [EIO, ENOSPC, EDQUOT, EBADF, EINTR, EROFS] {
      #expect(!SystemError(number).meansNoFullFlush)
    }
  }
}
