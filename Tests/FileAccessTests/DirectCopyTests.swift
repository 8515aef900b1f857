// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import TestSupport
import Testing

@testable import FileAccess

/// Long ranges go straight to the disk where that is faster. What is in the file must not depend on it.
@Suite struct DirectCopyTests {
  /// A source, and the descriptor of a new file beside it.
  private final class Job {
    let folder: TemporaryFolder
    let bytes: Data
    let input: FileBytes
    let output: Int32

    init(size: Int) throws {
      folder = try TemporaryFolder()
      // Random bytes, repeated at a length that no piece is a multiple of.
      var state: UInt64 = 1
      let period = Data(
        (0..<1_000_003).map { _ in
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          return UInt8(truncatingIfNeeded: state >> 56)
        })
      var bytes = Data(capacity: size + period.count)
      while bytes.count < size { bytes.append(period) }
      self.bytes = bytes.prefix(size)
      try self.bytes.write(to: URL(fileURLWithPath: folder.path + "/in"))
      input = try FileBytes(path: folder.path + "/in")
      output = try RealOutputSystem().create(folder.path + "/out", permissions: 0o600)
    }

    deinit { close(output) }

    /// Whether this file system is one where the way is used.
    var isTested: Bool {
      let isUsed = DirectCopy.isUsed(for: output)
      if !isUsed { print("skipped: on this file system copies go through memory") }
      return isUsed
    }

    func written() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder.path + "/out")) }
  }

  /// What an output gets: a few bytes, and a range.
  struct Contents: Sendable {
    var before: Int
    var range: Range<Int>
  }

  private static let contents = [
    // Whole blocks; a byte less and more than the shortest; places and sources within a block.
    Contents(before: 0, range: 0..<(8 << 20)),
    Contents(before: 0, range: 1..<(8 << 20)),
    Contents(before: 0, range: 0..<(8 << 20) + 1),
    Contents(before: 3, range: 100..<(9 << 20) + 5),
    Contents(before: 4095, range: 4097..<(9 << 20)),
    Contents(before: 70_000, range: 512..<(10 << 20)),
    Contents(before: 1 << 20, range: 0..<(10 << 20)),
  ]

  @Test(arguments: contents) func outputsHoldTheSameBytes(_ contents: Contents) throws {
    let job = try Job(size: 10 << 20)
    let path = job.folder.path + "/whole"
    let output = try SafeOutput(path: path, inputs: [job.input])
    let first = patternedBytes(contents.before)
    try output.write(ByteView(first))
    try output.copy(UInt64(contents.range.lowerBound)..<UInt64(contents.range.upperBound), of: job.input)
    try output.write([1, 2, 3] as [UInt8])
    try output.finish()
    var expected = Data(first)
    expected.append(job.bytes[contents.range])
    expected.append(contentsOf: [1, 2, 3])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == expected)
  }

  /// One call after the other, as an output makes them: up to a block, then blocks, and the rest as usual.
  @Test func callsGoFromBlockToBlock() throws {
    let size = 70 << 20
    let job = try Job(size: size)
    guard job.isTested else { return }
    let flags = fcntl(job.output, F_GETFL)
    _ = try RealOutputSystem().write(ByteView([9, 8, 7, 6, 5]), to: job.output, at: 0)
    var position = 5
    var counts: [Int] = []
    while let count = try DirectCopy.copy(
      UInt64(position)..<UInt64(size), of: job.input.descriptor, to: job.output, at: UInt64(position))
    {
      counts.append(count)
      position += count
      #expect(fcntl(job.output, F_GETFL) == flags)
    }
    #expect(counts == [4091, 64 << 20])
    let rest = try RealOutputSystem().copy(
      UInt64(position)..<UInt64(size), of: job.input.descriptor, to: job.output, at: UInt64(position))
    #expect(rest == size - position)
    let written = try job.written()
    #expect(Array(written.prefix(5)) == [9, 8, 7, 6, 5])
    #expect(written.dropFirst(5) == job.bytes.dropFirst(5))
  }

  @Test func whatIsNotWrittenThisWayIsLeftToTheUsualOne() throws {
    let job = try Job(size: 9 << 20)
    let all: Range<UInt64> = 0..<(9 << 20)
    guard job.isTested else { return }
    // Too short.
    #expect(try DirectCopy.copy(0..<(8 << 20) - 1, of: job.input.descriptor, to: job.output, at: 0) == nil)
    // Pipes, and what is no file.
    var ends: [Int32] = [0, 0]
    _ = unsafe Foundation.pipe(&ends)
    defer { for end in ends { close(end) } }
    #expect(try DirectCopy.copy(all, of: job.input.descriptor, to: ends[1], at: 0) == nil)
    #expect(try DirectCopy.copy(all, of: job.input.descriptor, to: -1, at: 0) == nil)
    #expect(try job.written().isEmpty)
    // A file that must not be written to.
    let error = #expect(throws: SystemError.self) {
      try DirectCopy.copy(all, of: job.input.descriptor, to: job.input.descriptor, at: 0)
    }
    #expect(error?.number == EBADF)
  }

  /// The usual way reads it again, and then the error is one of the source, not of the output.
  @Test func aSourceThatCannotBeReadIsLeftToTheUsualWay() throws {
    let job = try Job(size: 1)
    // A process has no memory at address 0: reading there is an error of the device.
    let memory = unsafe open("/proc/self/mem", O_RDONLY)
    defer { close(memory) }
    guard job.isTested, memory >= 0 else { return }
    var byte: UInt8 = 0
    #expect(unsafe pread(memory, &byte, 1, 0) == -1 && errno == EIO)
    let all: Range<UInt64> = 0..<(9 << 20)
    #expect(try DirectCopy.copy(all, of: memory, to: job.output, at: 0) == nil)
    #expect(try RealOutputSystem().copy(all, of: memory, to: job.output, at: 0) == nil)
    #expect(try job.written().isEmpty)
  }

  @Test func aSourceThatHasBecomeShorterIsCopiedUpToItsLastBlock() throws {
    let job = try Job(size: 9 << 20)
    guard job.isTested else { return }
    _ = unsafe truncate(job.folder.path + "/in", 10_000)
    let range: Range<UInt64> = 100..<(9 << 20)
    #expect(try DirectCopy.copy(range, of: job.input.descriptor, to: job.output, at: 0) == 8192)
    #expect(try job.written() == job.bytes[100..<8292])
    let end: Range<UInt64> = 10_000..<(9 << 20)
    #expect(try DirectCopy.copy(end, of: job.input.descriptor, to: job.output, at: 8192) == nil)
  }
}
