// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import TestSupport
import Testing

@testable import FileAccess

@Suite struct InPlaceOutputTests {
  private static let old = patternedBytes(5_000)
  private static let added = patternedBytes(3_000).reversed().map { $0 ^ 0x55 }

  private static func file(_ folder: TemporaryFolder) throws -> FileBytes {
    let path = folder.path + "/movie"
    try Data(old).write(to: URL(fileURLWithPath: path))
    return try FileBytes(path: path)
  }

  private static let new = {
    var new = old + added
    new.replaceSubrange(1_022..<1_026, with: [7, 7, 7, 7])
    return new
  }()

  @Test func afterACrashOldBytesCountOrNewOnes() throws {
    let folder = try TemporaryFolder()
    let file = try Self.file(folder)
    let recorder = OutputRecorder()
    do {
      let output = try InPlaceOutput(changing: file, system: recorder)
      try output.append(MemoryBytes(Self.added), thenOverwriteAt: 1_022, with: [7, 7, 7, 7])
      #expect(contents(file.path) == Self.new)
      #expect(output.bytesWritten == 3_004)
    }
    CrashReplay(recorder.events, initial: [file.path: Self.old]).forEachState { files, state in
      guard let found = files[file.path] else {
        Issue.record("\(state): gone")
        return
      }
      // Once the first byte is overwritten, everything appended must be there.
      if Array(found.prefix(5_000)) != Self.old {
        #expect(Array(found.suffix(3_000)) == Self.added, "\(state)")
      }
    }
    let undoing = OutputRecorder()
    let undo = try InPlaceOutput(changing: FileBytes(path: file.path), system: undoing)
    try undo.overwrite(at: 1_022, with: Array(Self.old[1_022..<1_026]), thenCutTo: 5_000)
    #expect(contents(file.path) == Self.old)
    CrashReplay(undoing.events, initial: [file.path: Self.new]).forEachState { files, state in
      guard let found = files[file.path] else { return }
      if found.count < Self.new.count { #expect(found == Self.old, "\(state)") }
    }
  }

  /// Both would append at the same place, and the one that fails would cut off what the other has appended.
  @Test func twoChangesAtOnceAreRefused() throws {
    let folder = try TemporaryFolder()
    let file = try Self.file(folder)
    let other = try FileBytes(path: file.path)
    do {
      let output = try InPlaceOutput(changing: file)
      let error = #expect(throws: SourceError.self) { _ = try InPlaceOutput(changing: other) }
      #expect(error?.reason == "is locked by another program, which may be changing it")
      try output.append(MemoryBytes(Self.added), thenOverwriteAt: 1_022, with: [7, 7, 7, 7])
    }
    // What was seen of the file before is old now.
    let error = #expect(throws: SourceError.self) { _ = try InPlaceOutput(changing: other) }
    #expect(error?.reason == "was changed while it was read")
    _ = try InPlaceOutput(changing: FileBytes(path: file.path))
    #expect(contents(file.path) == Self.new)
  }

  @Test(arguments: [ENOSPC, EIO]) func aFailureLeavesTheOldFile(number: Int32) throws {
    let folder = try TemporaryFolder()
    // Opening, writing and flushing what is appended, then writing and flushing what makes it count.
    for call in 0..<5 {
      let file = try Self.file(folder)
      #expect(throws: SourceError.self) {
        let output = try InPlaceOutput(
          changing: file, system: FaultyOutputSystem(.error(call: call, number: number)))
        try output.append(MemoryBytes(Self.added), thenOverwriteAt: 1_022, with: [7, 7, 7, 7])
      }
      #expect(contents(file.path) == Self.old, "call \(call)")
    }
  }

  /// A disk that fails for good: what is there is the old file, or the new one whole.
  @Test(arguments: [ENOSPC, EIO]) func aDiskThatFailsForGoodLeavesOldOrNew(number: Int32) throws {
    let folder = try TemporaryFolder()
    for call in 0..<6 {
      let file = try Self.file(folder)
      do {
        let output = try InPlaceOutput(
          changing: file, system: FaultyOutputSystem(.errors(from: call, number: number)))
        try output.append(MemoryBytes(Self.added), thenOverwriteAt: 1_022, with: [7, 7, 7, 7])
        #expect(call == 5)
      } catch { #expect(call < 5) }
      let found = contents(file.path) ?? []
      #expect(found == Self.old || found == Self.new || found == Self.old + Self.added, "call \(call)")
    }
  }

  @Test(arguments: [1, 7, 4_096]) func shortWritesAreNotSeen(most: Int) throws {
    let folder = try TemporaryFolder()
    let file = try Self.file(folder)
    let output = try InPlaceOutput(changing: file, system: FaultyOutputSystem(.shortWrites(most)))
    try output.append(MemoryBytes(Self.added), thenOverwriteAt: 1_022, with: [7, 7, 7, 7])
    #expect(contents(file.path) == Self.new)
  }

  /// A disk that keeps another byte: the file is as it was, whether that byte was appended or overwritten.
  @Test(arguments: [5_000, 6_499, 7_999, 1_022, 1_025]) func anotherByteIsTakenBack(place: UInt64) throws {
    let folder = try TemporaryFolder()
    let file = try Self.file(folder)
    let error = #expect(throws: SourceError.self) {
      let output = try InPlaceOutput(changing: file, system: FaultyOutputSystem(.otherByte(at: place)))
      try output.append(MemoryBytes(Self.added), thenOverwriteAt: 1_022, with: [7, 7, 7, 7])
    }
    #expect(error.map { "\($0)" }?.contains("has different bytes than were written") == true)
    #expect(contents(file.path) == Self.old)
  }

  /// Bytes that never reach the disk, although the system says so.
  @Test(arguments: [5_000, 7_999]) func lostBytesAreTakenBack(place: UInt64) throws {
    let folder = try TemporaryFolder()
    let file = try Self.file(folder)
    #expect(throws: SourceError.self) {
      let output = try InPlaceOutput(changing: file, system: FaultyOutputSystem(.lost(from: place)))
      try output.append(MemoryBytes(Self.added), thenOverwriteAt: 1_022, with: [7, 7, 7, 7])
    }
    #expect(contents(file.path) == Self.old)
  }

  /// More than is held in memory at a time.
  @Test func manyBytesAreAppended() throws {
    let folder = try TemporaryFolder()
    let file = try Self.file(folder)
    let added = patternedBytes((5 << 19) + 3)
    let output = try InPlaceOutput(changing: file)
    try output.append(MemoryBytes(added), thenOverwriteAt: 0, with: [7])
    #expect(contents(file.path) == [7] + Self.old.dropFirst() + added)
    #expect(output.bytesWritten == UInt64(added.count + 1))
  }

  /// What is erased is read again, too.
  @Test(arguments: [100, 1_500, 2_999_999]) func anErasedByteThatStaysIsReported(place: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/movie"
    try Data(patternedBytes(3_000_000)).write(to: URL(fileURLWithPath: path))
    let file = try FileBytes(path: path)
    let patch = (offset: UInt64(100), bytes: ByteView([1, 2, 3]))
    #expect(throws: SourceError.self) {
      let output = try InPlaceOutput(changing: file, system: FaultyOutputSystem(.otherByte(at: place)))
      try output.erase([1_000..<3_000_000], patching: [patch])
    }
    let output = try InPlaceOutput(changing: FileBytes(path: path))
    try output.erase([1_000..<3_000_000], patching: [patch])
    #expect(
      contents(path) == patternedBytes(100) + [1, 2, 3] + patternedBytes(1_000)[103...]
        + [UInt8](repeating: 0, count: 2_999_000))
  }
}
