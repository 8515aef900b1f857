// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import TestSupport
import Testing

@testable import FileAccess

@Suite struct SafeOutputTests {
  private static func options(overwriting: Bool) -> SafeOutput.Options {
    var options = SafeOutput.Options()
    options.isOverwriting = overwriting
    return options
  }

  private static func names(_ folder: TemporaryFolder) -> [String] { filesBelow(folder.path) }

  /// A source of more than one kernel copy's smallest range, and an output of it with bytes before, between and after.
  private struct Job {
    let folder: TemporaryFolder
    let input: FileBytes
    let inputBytes: [UInt8]
    let path: String

    init(inputSize: Int = 200_000) throws {
      folder = try TemporaryFolder()
      inputBytes = patternedBytes(inputSize)
      let inputPath = folder.path + "/in"
      try Data(inputBytes).write(to: URL(fileURLWithPath: inputPath))
      input = try FileBytes(path: inputPath)
      path = folder.path + "/out"
    }

    var expected: [UInt8] {
      [1, 2, 3] + inputBytes[100..<150_000] + [4, 5] + inputBytes[20..<30] + [6]
    }

    func write(overwriting: Bool, _ system: any OutputSystem) throws {
      let output = try SafeOutput(
        path: path, inputs: [input], options: SafeOutputTests.options(overwriting: overwriting),
        system: system)
      try output.write([1, 2, 3])
      try output.copy(100..<150_000, of: input)
      try output.write([4, 5])
      try output.copy(20..<30, of: input)
      try output.write([6] as [UInt8])
      #expect(output.position == UInt64(expected.count))
      try output.finish { source throws(SourceError) in
        guard try source.read(at: 0, count: 3).array == [1, 2, 3] else {
          throw SourceError(.other("not as written"))
        }
      }
    }
  }

  /// Who waits is told how much is written, and when it is read again: of bytes from memory and of copied ones.
  @Test func progressIsTold() throws {
    let folder = try TemporaryFolder()
    let bytes = patternedBytes(9 << 20)
    let inputPath = folder.path + "/in"
    try Data(bytes).write(to: URL(fileURLWithPath: inputPath))
    let input = try FileBytes(path: inputPath)
    let size = UInt64(2 * bytes.count)
    let output = try SafeOutput(path: folder.path + "/out", inputs: [input])
    var told: [WritingProgress] = []
    output.progress = { told.append($0) }
    output.expectedSize = size
    try output.write(ByteView(bytes))
    #expect(told.count >= 2)
    try output.copy(0..<UInt64(bytes.count), of: input)
    try output.finish()
    #expect(zip(told, told.dropFirst()).allSatisfy { $0.bytesWritten <= $1.bytesWritten })
    #expect(told.last == WritingProgress(bytesWritten: size, expectedSize: size, isVerifying: true))
    #expect(told.dropLast().allSatisfy { !$0.isVerifying && $0.expectedSize == size })
  }

  /// A piece whose bytes are known last gets them before the file gets its name.
  @Test func aPieceCanBeReplaced() throws {
    let folder = try TemporaryFolder()
    let output = try SafeOutput(path: folder.path + "/out")
    #expect(output.canReplace)
    try output.write([1, 2, 3] as [UInt8])
    try output.writePiece(ByteView([0, 0, 0, 0]))
    let long = patternedBytes(600_000)
    try output.write(ByteView(long))
    #expect(throws: SourceError.self) { try output.replacePiece(at: 1, with: ByteView([9, 9])) }
    try output.replacePiece(at: 3, with: ByteView([4, 5, 6, 7]))
    #expect(try output.reader().read(at: 0, count: 9).array == [1, 2, 3, 4, 5, 6, 7] + long[..<2])
    #expect(output.position == 600_007)
    try output.finish()
    #expect(contents(folder.path + "/out") == [1, 2, 3, 4, 5, 6, 7] + long)
    // What is only written in order cannot go back.
    var ends: [Int32] = [0, 0]
    _ = unsafe Foundation.pipe(&ends)
    defer { for end in ends { close(end) } }
    let pipe = try SafeOutput(descriptor: ends[1], name: "pipe")
    try pipe.writePiece(ByteView([0, 0]))
    #expect(!pipe.canReplace)
    #expect(throws: SourceError.self) { try pipe.replacePiece(at: 0, with: ByteView([1, 1])) }
  }

  @Test func rangesAndBytesComeOutInOrder() throws {
    let job = try Job()
    try job.write(overwriting: false, RealOutputSystem())
    #expect(contents(job.path) == job.expected)
    #expect(Self.names(job.folder) == ["in", "out"])
  }

  @Test(arguments: [1, 7, 4096]) func shortWritesAreNotSeen(most: Int) throws {
    let job = try Job(inputSize: most == 1 ? 150_000 : 200_000)
    if most == 1 {
      // A call for each byte: of a short file.
      let output = try SafeOutput(
        path: job.path, options: Self.options(overwriting: false),
        system: FaultyOutputSystem(.shortWrites(1)))
      try output.copy(0..<500, of: job.input)
      try output.finish()
      #expect(contents(job.path) == Array(job.inputBytes.prefix(500)))
    } else {
      try job.write(overwriting: false, FaultyOutputSystem(.shortWrites(most)))
      #expect(contents(job.path) == job.expected)
    }
  }

  @Test(arguments: [false, true], [ENOSPC, EIO]) func aFailureAtAnyCallLeavesTheOldFile(
    overwriting: Bool, number: Int32
  ) throws {
    let job = try Job()
    let counting = FaultyOutputSystem(.error(call: .max, number: 0))
    try job.write(overwriting: false, counting)
    #expect(counting.callCount >= 7)
    for call in 0..<counting.callCount {
      try? FileManager.default.removeItem(atPath: job.path)
      if overwriting { try Data([9, 9]).write(to: URL(fileURLWithPath: job.path)) }
      let system = FaultyOutputSystem(.error(call: call, number: number))
      do {
        try job.write(overwriting: overwriting, system)
        // A file system without links renames instead.
        #expect(!overwriting && contents(job.path) == job.expected, "call \(call)")
      } catch let error as SourceError {
        #expect(error.path == job.path, "call \(call): \(error)")
        #expect(!"\(error)".contains("TMPDIR"))
        #expect(contents(job.path) == (overwriting ? [9, 9] : nil), "call \(call)")
      }
      #expect(contents(job.input.path) == job.inputBytes)
      #expect(!Self.names(job.folder).contains { $0.hasSuffix(".part") }, "call \(call)")
    }
  }

  @Test(arguments: [false, true]) func afterACrashTheFileIsOldOrNew(overwriting: Bool) throws {
    let job = try Job()
    var initial = [job.folder.path + "/in": job.inputBytes]
    if overwriting {
      try Data([9, 9]).write(to: URL(fileURLWithPath: job.path))
      initial[job.path] = [9, 9]
    }
    let recorder = OutputRecorder()
    try job.write(overwriting: overwriting, recorder)
    var olds = 0
    var news = 0
    CrashReplay(recorder.events, initial: initial).forEachState { files, state in
      #expect(files[job.folder.path + "/in"] == job.inputBytes)
      if files[job.path] == job.expected {
        news += 1
      } else {
        olds += 1
        if files[job.path] != initial[job.path] { Issue.record("\(state): neither old nor new") }
      }
    }
    #expect(olds > 300 && news > 1)
  }

  /// How many bytes a file takes on the disk.
  private static func allocated(_ path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
  }

  /// Holes of the input are holes of the output, whether the kernel copies what is between them or not, and at another place too.
  @Test(arguments: [false, true]) func holesStayHoles(copiesInMemory: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/in"
    let size = 24 << 20
    let pieces = [0: 70_001, 9 << 20: 4_096, (9 << 20) + 8_192: 90_000, 15 << 20: 1]
    try Data().write(to: URL(fileURLWithPath: path))
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: UInt64(size))
    for (offset, count) in pieces {
      try handle.seek(toOffset: UInt64(offset))
      try handle.write(contentsOf: Data(patternedBytes(count)))
    }
    try handle.close()
    guard Self.allocated(path) < 1 << 20 else {
      return print("skipped: this file system has no holes")
    }
    let input = try FileBytes(path: path)
    let before = contents(path) ?? []
    for range in [0..<size, 100_000..<(8 << 20), 5..<(9 << 20) + 100_000, (16 << 20)..<size] {
      let out = folder.path + "/out"
      let system: any OutputSystem =
        copiesInMemory ? FaultyOutputSystem(.shortWrites(1 << 16)) : RealOutputSystem()
      let output = try SafeOutput(
        path: out, inputs: [input], options: Self.options(overwriting: true), system: system)
      try output.write([1, 2, 3])
      try output.copy(UInt64(range.lowerBound)..<UInt64(range.upperBound), of: input)
      #expect(output.position == UInt64(range.count + 3))
      try output.finish()
      #expect(contents(out) == [1, 2, 3] + before[range], "\(range)")
      #if os(Linux)
      #expect(Self.allocated(out) < 1 << 20, "\(range)")
      #endif
    }
    // What is cut off while it is read is no hole.
    let output = try SafeOutput(path: folder.path + "/out", options: Self.options(overwriting: true))
    _ = unsafe truncate(path, 20 << 20)
    #expect(throws: SourceError.self) { try output.copy(0..<UInt64(size), of: input) }
  }

  @Test func anOutputIsNeverAnInput() throws {
    let job = try Job()
    let hard = job.folder.path + "/hard"
    let soft = job.folder.path + "/soft"
    try FileManager.default.linkItem(atPath: job.input.path, toPath: hard)
    try FileManager.default.createSymbolicLink(atPath: soft, withDestinationPath: "in")
    for path in [job.input.path, hard, soft, job.folder.path + "/./in"] {
      #expect(throws: SourceError.self) {
        _ = try SafeOutput(path: path, inputs: [job.input], options: Self.options(overwriting: true))
      }
      let joined = try ConcatenatedBytes([job.input, MemoryBytes([1])])
      #expect(throws: SourceError.self) {
        _ = try SafeOutput(path: path, inputs: [joined], options: Self.options(overwriting: true))
      }
    }
    #expect(contents(job.input.path) == job.inputBytes)
    #expect(Self.names(job.folder) == ["hard", "in"])
  }

  /// Standard output may be an input that the shell has opened for writing.
  @Test func anOpenInputIsNotWrittenToEither() throws {
    let job = try Job()
    let descriptor = unsafe open(job.input.path, O_RDWR)
    defer { close(descriptor) }
    let error = #expect(throws: SourceError.self) {
      _ = try SafeOutput(descriptor: descriptor, name: "standard output", inputs: [job.input])
    }
    #expect(error?.reason == "is the same file as the input \(job.input.path)")
    _ = try SafeOutput(descriptor: descriptor, name: "standard output", inputs: [MemoryBytes([1])])
    #expect(throws: SourceError.self) {
      _ = try FileOutput(path: job.input.path, overwriting: true, inputs: [job.input])
    }
    #expect(contents(job.input.path) == job.inputBytes)
  }

  /// What was made of the rest may lack what those bytes have.
  @Test func anInputThatCouldNotBeReadIsNoticed() throws {
    let job = try Job()
    var calls = SystemCalls.standard
    unsafe calls.readAt = { _, _, _ in -Int(EIO) }
    let descriptor = unsafe open(job.input.path, O_RDWR)
    let input = try FileBytes(descriptor: descriptor, path: job.input.path, owned: true, calls: calls)
    let output = try SafeOutput(path: job.path, inputs: [try ConcatenatedBytes([input])])
    try output.write([1, 2, 3])
    #expect(input.readFailure == nil)
    #expect(throws: SourceError.self) { _ = try input.read(at: 7, count: 2) }
    #expect(input.readFailure?.code == .system(number: EIO, name: "EIO"))
    let error = #expect(throws: SourceError.self) { try output.finish() }
    #expect(error == input.readFailure && Self.names(job.folder) == ["in"])
    #expect(throws: SourceError.self) { _ = try InPlaceOutput(changing: input) }
  }

  @Test func pipesAndDevicesNeedNoForce() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path + "/pipe"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let reader = unsafe open(pipe, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "pipe")
    for path in [pipe, folder.path + "/link", "/dev/null"] {
      let output = try SafeOutput(path: path)
      try output.write([1, 2, 3])
      try output.finish()
    }
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(unsafe read(reader, &bytes, 10) == 6 && bytes.prefix(6) == [1, 2, 3, 1, 2, 3])
    // Folders, files, and links to them or to nothing are there.
    try folder.write("file", [1])
    for (link, target) in [("to-file", "file"), ("to-nothing", "nothing"), ("to-folder", ".")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.path + "/" + link, withDestinationPath: target)
    }
    for name in ["file", "to-file", "to-nothing", "to-folder", "."] {
      #expect(throws: SourceError.self, "\(name)") { _ = try SafeOutput(path: folder.path + "/" + name) }
    }
  }

  /// Zeros in place of what free space had are a hole, as what they replace may be.
  @Test func longRunsOfZerosAreHoles() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/out"
    let count: UInt64 = 24 << 20
    for isSpoilt in [false, true] {
      let output = try SafeOutput(path: path)
      try output.write([1, 2, 3])
      try output.copy(0..<count, of: ZeroBytes(count: count))
      try output.copy(3..<60_000, of: ZeroBytes(count: count))
      try output.write([4] as [UInt8])
      if isSpoilt {
        let part = try #require(Self.names(folder).first { $0.hasSuffix(".part") })
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: folder.path + "/" + part))
        try handle.seek(toOffset: 3)
        try handle.write(contentsOf: Data([9]))
        try handle.close()
        #expect(throws: SourceError.self) { try output.finish() }
        #expect(Self.names(folder).isEmpty)
        continue
      }
      try output.finish()
      #expect(contents(path) == [1, 2, 3] + [UInt8](repeating: 0, count: Int(count) + 59_997) + [4])
      #if os(Linux)
      #expect(Self.allocated(path) < 1 << 20)
      #endif
      try FileManager.default.removeItem(atPath: path)
    }
    // The source ends before the range does.
    let output = try SafeOutput(path: path)
    #expect(throws: SourceError.self) { try output.copy(0..<count, of: ZeroBytes(count: count - 1)) }
  }

  @Test func anErrorInAFolderNamesTheFileThatWasWanted() throws {
    let folder = try TemporaryFolder()
    let whole = try SafeFolder(path: folder.path + "/out")
    let error = #expect(throws: SourceError.self) { try whole.addFile("gone/file") { _ in } }
    #expect(error?.path == folder.path + "/out/gone/file")
  }

  @Test func anInputThatChangesIsNoticed() throws {
    let job = try Job()
    let output = try SafeOutput(path: job.path, inputs: [job.input])
    try output.copy(0..<200_000, of: job.input)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: job.input.path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([1]))
    try handle.close()
    #expect(throws: SourceError.self) { try output.finish() }
    #expect(Self.names(job.folder) == ["in"])
  }

  @Test func anInputThatIsTooShortIsNoticed() throws {
    let job = try Job()
    let output = try SafeOutput(path: job.path, inputs: [job.input])
    #expect(throws: SourceError.self) { try output.copy(0..<200_001, of: job.input) }
    #expect(Self.names(job.folder) == ["in"])
  }

  /// A process that was killed leaves its file, and process IDs are used again: in containers by every run.
  @Test func whatAKilledProcessLeftIsNotInTheWay() throws {
    let job = try Job()
    let left = "out.\(ProcessInfo.processInfo.processIdentifier).part"
    try Data([9]).write(to: URL(fileURLWithPath: job.folder.path + "/" + left))
    let output = try SafeOutput(path: job.path)
    try output.write([1, 2])
    try output.finish()
    #expect(contents(job.path) == [1, 2] && contents(job.folder.path + "/" + left) == [9])
    #expect(Self.names(job.folder).sorted() == ["in", "out", left].sorted())
  }

  @Test func whatIsNotAsWrittenGetsNoName() throws {
    let job = try Job()
    let output = try SafeOutput(path: job.path, inputs: [job.input])
    try output.write([1, 2, 3])
    try output.copy(0..<100_000, of: job.input)
    try output.write(patternedBytes(300_000))
    // Somebody overwrites a byte of what was written.
    let part = try #require(Self.names(job.folder).first { $0.hasSuffix(".part") })
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: job.folder.path + "/" + part))
    try handle.seek(toOffset: 120_000)
    try handle.write(contentsOf: Data([0xFF, 0xFE, 0xFD]))
    try handle.close()
    #expect(throws: SourceError.self) { try output.finish() }
    #expect(Self.names(job.folder) == ["in"])
  }

  /// A disk that keeps another byte, loses some, or copies from another place: the output gets no name.
  @Test(arguments: [
    FaultyOutputSystem.Fault.otherByte(at: 1), .otherByte(at: 3), .otherByte(at: 149_902),
    .otherByte(at: 149_903),
    .lost(from: 149_914), .lost(from: 100_000), .copies(shiftedBy: 1), .copies(shiftedBy: 4_096),
  ]) func whatADiskKeepsOtherwiseGetsNoName(fault: FaultyOutputSystem.Fault) throws {
    let job = try Job()
    #expect(throws: SourceError.self) { try job.write(overwriting: false, FaultyOutputSystem(fault)) }
    #expect(Self.names(job.folder) == ["in"])
  }

  /// A file that has grown is not what was written, either.
  @Test func whatFollowsTheLastByteIsNoticed() throws {
    let job = try Job()
    let output = try SafeOutput(path: job.path, inputs: [job.input])
    try output.write(patternedBytes(70_000))
    let part = try #require(Self.names(job.folder).first { $0.hasSuffix(".part") })
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: job.folder.path + "/" + part))
    try handle.seek(toOffset: 70_000)
    try handle.write(contentsOf: Data([0]))
    try handle.close()
    #expect(throws: SourceError.self) { try output.finish() }
    #expect(Self.names(job.folder) == ["in"])
  }

  @Test func datesAndPermissionsAreKeptWhereAsked() throws {
    let job = try Job()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640, .modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
      ofItemAtPath: job.input.path)
    let input = try FileBytes(path: job.input.path)
    var options = SafeOutput.Options()
    options.datesAndPermissions = input.identity
    let output = try SafeOutput(path: job.path, inputs: [input], options: options)
    try output.copy(0..<10, of: input)
    try output.finish()
    let kept = try #require(FileIdentity(path: job.path))
    #expect(kept.permissions == 0o640 && kept.modified.seconds == 1_000_000_000 && kept.size == 10)
  }

  @Test func anOutputThatIsGivenUpLeavesNothing() throws {
    let job = try Job()
    do {
      let output = try SafeOutput(path: job.path)
      try output.write(patternedBytes(400_000))
      #expect(Self.names(job.folder).count == 2)
    }
    #expect(Self.names(job.folder) == ["in"])
  }
}
