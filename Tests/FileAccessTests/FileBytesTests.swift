// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import TestSupport
import Testing

@testable import FileAccess

/// A folder that vanishes with the test.
struct ScratchFolder: ~Copyable {
  let path = NSTemporaryDirectory() + "multiview-" + UUID().uuidString
  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }
}

func sourceError(_ body: () throws -> Void) -> SourceError? {
  do { try body() } catch { return error as? SourceError }
  return nil
}

@Suite struct FileBytesTests {
  @Test func everyRangeIsRightAndKnowsItsPlace() throws {
    let folder = try ScratchFolder()
    let bytes = patternedBytes(20_000)
    let file = try FileBytes(path: folder.file("a", bytes))
    #expect(file.size == 20_000)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let start = Int.random(in: 0..<21_000, using: &generator)
      let count = Int.random(in: 0..<(Bool.random(using: &generator) ? 40 : 9_000), using: &generator)
      let view = try file.read(at: UInt64(start), count: count)
      #expect(view.array == Array(bytes.dropFirst(start).prefix(count)))
      #expect(view.fileOffset == start)
    }
    #expect(try file.read(UInt64.max - 1..<UInt64.max).isEmpty)
    #expect(try file.read(5..<5).isEmpty)
    #expect(try file.read(0..<UInt64.max).array == bytes)
  }

  @Test func headersInARowShareAWindow() throws {
    let folder = try ScratchFolder()
    let file = try FileBytes(path: folder.file("a", patternedBytes(1 << 20)))
    for index in 0..<100 { _ = try file.read(at: UInt64(index * 32), count: 16) }
    #expect(file.statistics.calls == 1)
    #expect(file.statistics.bytes <= UInt64(FileBytes.windowBytes))
    _ = try file.read(at: 500_000, count: 8)
    #expect(file.statistics.calls == 2)
    #expect(file.statistics.bytes <= 2 * UInt64(FileBytes.windowBytes))
  }

  @Test func aFileThatShrinksOrGrowsGivesWhatThereIs() throws {
    let folder = try ScratchFolder()
    let path = try folder.file("a", patternedBytes(100_000))
    let file = try FileBytes(path: path)
    #expect(try file.read(at: 50_000, count: 20_000).count == 20_000)
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    try handle.truncate(atOffset: 60_000)
    #expect(try file.read(at: 50_000, count: 20_000).count == 10_000)
    #expect(try file.read(at: 80_000, count: 20_000).isEmpty)
    #expect(try file.read(at: 59_990, count: 20).count == 10)
    try handle.truncate(atOffset: 200_000)
    #expect(try file.read(at: 150_000, count: 20_000).isAllZero)
    #expect(try file.read(at: 59_990, count: 20).count == 20)
    try handle.close()
  }

  @Test func whatIsNoFileIsNamed() throws {
    let folder = try ScratchFolder()
    let directory = sourceError { _ = try FileBytes(path: "/tmp") }
    #expect(directory?.code == .notAFile(kind: "a folder"))
    let missing = sourceError { _ = try FileBytes(path: "/no/such/file") }
    guard case .system(_, "ENOENT")? = missing?.code else { throw Failure("\(String(describing: missing))") }
    #expect(
      missing?.description == "/no/such/file: no such file (ENOENT). Check the spelling of the path.")
    #expect(sourceError { _ = try FileBytes(path: "/dev/null") }?.code == .notAFile(kind: "a device"))
    let pipe = folder.path + "/pipe"
    let made = unsafe mkfifo(pipe, 0o600)
    #expect(made == 0)
    #expect(sourceError { _ = try FileBytes(path: pipe) }?.code == .notAFile(kind: "a pipe"))
    let file = try folder.file("b", [1])
    guard case .system(_, "ENOTDIR")? = sourceError({ _ = try FileBytes(path: file + "/c") })?.code
    else { throw Failure("a file is not a folder") }
    if geteuid() != 0 {
      let changed = unsafe chmod(file, 0)
      #expect(changed == 0)
      guard case .system(_, "EACCES")? = sourceError({ _ = try FileBytes(path: file) })?.code
      else { throw Failure("a file without permission") }
    }
    #expect(sourceError { _ = try FileBytes(path: "") } != nil)
    #expect(sourceError { _ = try FileBytes(path: "a\0b") } != nil)
  }

  @Test func shortReadsAndInterruptionsAreNotSeen() throws {
    let folder = try ScratchFolder()
    let bytes = patternedBytes(10_000)
    let path = try folder.file("a", bytes)
    let count = Locked(0)
    var calls = SystemCalls.standard
    let real = unsafe calls.readAt
    unsafe calls.readAt = { descriptor, buffer, offset in
      let turn = count.withLock {
        $0 += 1; return $0
      }
      if turn % 3 == 0 { return -Int(EINTR) }
      return unsafe real(
        descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(turn % 7 + 1)), offset)
    }
    let descriptor = unsafe open(path, O_RDONLY)
    let file = try FileBytes(descriptor: descriptor, path: path, owned: true, calls: calls)
    #expect(try file.read(at: 100, count: 9_000).array == Array(bytes[100..<9_100]))
    #expect(try file.read(at: 9_990, count: 100).array == Array(bytes[9_990...]))
  }

  @Test func aDiskErrorTellsWhere() throws {
    let folder = try ScratchFolder()
    let path = try folder.file("a", patternedBytes(10_000))
    var calls = SystemCalls.standard
    let real = unsafe calls.readAt
    unsafe calls.readAt = { descriptor, buffer, offset in
      unsafe offset >= 5_000 ? -Int(EIO) : real(descriptor, buffer, offset)
    }
    let descriptor = unsafe open(path, O_RDONLY)
    let file = try FileBytes(descriptor: descriptor, path: path, owned: true, calls: calls)
    #expect(try file.read(at: 0, count: 5_000).count == 5_000)
    let error = sourceError { _ = try file.read(at: 6_000, count: 10) }
    #expect(error?.code == .system(number: EIO, name: "EIO"))
    #expect(error?.offset == 6_000)
    #expect(error?.path == path)
    #expect(error?.advice.isEmpty == false)
  }

  @Test func manyThreadsReadAtOnce() async throws {
    let folder = try ScratchFolder()
    let bytes = patternedBytes(300_000)
    let file = try FileBytes(path: folder.file("a", bytes))
    let wrong = await withTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          var generator = SeededGenerator(seed: UInt64(task))
          var wrong = 0
          for _ in 0..<300 {
            let start = Int.random(in: 0..<bytes.count, using: &generator)
            let count = Int.random(in: 1..<6_000, using: &generator)
            let view = try? file.read(at: UInt64(start), count: count)
            if view?.array != Array(bytes.dropFirst(start).prefix(count)) { wrong += 1 }
          }
          return wrong
        }
      }
      return await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }
}

@Suite struct JoinedSourceTests {
  /// A source whose answers are cut short, or that fails after a point.
  struct Faulty: ByteSource {
    var inner: MemoryBytes
    var end: UInt64
    var failsFrom = UInt64.max
    var size: UInt64? { inner.size }
    func read(_ range: Range<UInt64>) throws(SourceError) -> ByteView {
      if range.upperBound > failsFrom { throw SourceError(.other("the line is dead"), offset: failsFrom) }
      return try inner.read(min(range.lowerBound, end)..<min(range.upperBound, end))
    }
  }

  @Test func memoryStartsAtZero() throws {
    let moved = MemoryBytes(ByteView([1, 2, 3], fileOffset: 77))
    #expect(try moved.read(1..<9).array == [2, 3])
    #expect(try moved.read(1..<9).fileOffset == 1)
    #expect(try moved.read(3..<9).isEmpty)
    #expect(try moved.read(9..<UInt64.max).isEmpty)
    #expect(moved.size == 3)
  }

  @Test func partsReadAsOneFile() throws {
    let bytes = patternedBytes(1_000)
    let cuts = [0, 10, 10, 300, 999, 1_000]
    let parts = zip(cuts, cuts.dropFirst()).map { MemoryBytes(bytes[$0..<$1]) }
    let joined = try ConcatenatedBytes(parts)
    #expect(joined.size == 1_000)
    for start in stride(from: 0, through: 1_010, by: 7) {
      for count in [0, 1, 9, 290, 2_000] {
        let view = try joined.read(at: UInt64(start), count: count)
        #expect(view.array == Array(bytes.dropFirst(start).prefix(count)))
        #expect(view.isEmpty || view.fileOffset == start)
      }
    }
    #expect(try ConcatenatedBytes([]).read(0..<5).isEmpty)
    #expect(try ConcatenatedBytes([]).size == 0)
  }

  @Test func aPartThatFailsIsNotCoveredUp() throws {
    let bytes = MemoryBytes(patternedBytes(100))
    let short = try ConcatenatedBytes([bytes, Faulty(inner: bytes, end: 50), bytes])
    #expect(try short.read(90..<210).count == 60)
    let dead = try ConcatenatedBytes([bytes, Faulty(inner: bytes, end: 100, failsFrom: 20)])
    let error = sourceError { _ = try dead.read(90..<130) }
    #expect(error?.code == .other("the line is dead"))
    #expect(error?.offset == 120)
  }
}

struct Failure: Error {
  let words: String
  init(_ words: String) { self.words = words }
}
