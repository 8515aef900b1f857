// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import TestSupport
import Testing

@testable import FileAccess

/// Outputs whose temporary file is elsewhere: in a sandbox, a program may write a file that was chosen in a panel, and
/// nothing beside it.
@Suite struct TemporaryFolderTests {
  /// A system that permits one file of a folder and nothing else in it, as a sandbox does. The superuser, who runs
  /// tests in containers, is stopped by no permission of a folder.
  private struct Sandbox: OutputSystem {
    let granted: String
    let folder: String
    private let real = RealOutputSystem()

    init(granting path: String) {
      granted = path
      folder = splitPath(path).folder
    }

    private func check(_ path: String) throws(SystemError) {
      if path.hasPrefix(folder), path != granted { throw SystemError(EPERM) }
    }

    func create(_ path: String, permissions: UInt32) throws(SystemError) -> Int32 {
      try check(path)
      return try real.create(path, permissions: permissions)
    }
    func openForUpdate(_ path: String) throws(SystemError) -> Int32 { throw SystemError(EPERM) }
    func write(_ bytes: ByteView, to descriptor: Int32, at offset: UInt64) throws(SystemError) -> Int {
      try real.write(bytes, to: descriptor, at: offset)
    }
    func copy(
      _ range: Range<UInt64>, of source: Int32, to descriptor: Int32, at offset: UInt64
    ) throws(SystemError) -> Int? { try real.copy(range, of: source, to: descriptor, at: offset) }
    func resize(_ descriptor: Int32, to size: UInt64) throws(SystemError) {
      try real.resize(descriptor, to: size)
    }
    func flush(_ descriptor: Int32) throws(SystemError) { try real.flush(descriptor) }
    /// The real one ignores a folder that it may not open.
    func flushFolder(_ path: String) throws(SystemError) {}
    func close(_ descriptor: Int32) throws(SystemError) { try real.close(descriptor) }
    func rename(_ path: String, to other: String) throws(SystemError) {
      try check(path)
      try check(other)
      try real.rename(path, to: other)
    }
    func link(_ path: String, to other: String) throws(SystemError) { throw SystemError(EPERM) }
    func remove(_ path: String) throws(SystemError) {
      try check(path)
      try real.remove(path)
    }
  }

  private let folder: TemporaryFolder
  private let scratch: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    scratch = try TemporaryFolder()
  }

  private var path: String { folder.path + "/out" }

  private func options(overwriting: Bool = false, in temporary: String?) -> SafeOutput.Options {
    var options = SafeOutput.Options()
    options.isOverwriting = overwriting
    options.temporaryFolder = temporary
    return options
  }

  @Test(arguments: [false, true], [false, true])
  func aFileOfASandboxIsWritten(exists: Bool, endsWithSlash: Bool) throws {
    if exists { try folder.write("out", [9, 9, 9]) }
    let bytes = patternedBytes(200_000)
    let temporary = scratch.path + (endsWithSlash ? "/" : "")
    let output = try SafeOutput(
      path: path, options: options(overwriting: exists, in: temporary), system: Sandbox(granting: path))
    try output.write(bytes)
    // What exists stays until the new file is complete.
    #expect(contents(path) == (exists ? [9, 9, 9] : nil))
    #expect(filesBelow(folder.path) == (exists ? ["out"] : []))
    #expect(filesBelow(scratch.path).count == 1)
    try output.finish()
    #expect(contents(path) == bytes)
    #expect(filesBelow(folder.path) == ["out"] && filesBelow(scratch.path).isEmpty)
  }

  /// This is what happens without the option.
  @Test func besideTheFileNothingIsAllowed() {
    let error = #expect(throws: SourceError.self) {
      try SafeOutput(path: path, options: options(in: nil), system: Sandbox(granting: path))
    }
    #expect(error?.reason.contains("EPERM") == true || error?.description.contains("EPERM") == true)
    #expect(filesBelow(folder.path).isEmpty)
  }

  @Test func whatIsGivenUpLeavesNothing() throws {
    try folder.write("out", [9])
    let output = try SafeOutput(path: path, options: options(overwriting: true, in: scratch.path))
    try output.write([1, 2, 3] as [UInt8])
    output.cancel()
    #expect(filesBelow(scratch.path).isEmpty && contents(path) == [9])
    let failing = try SafeOutput(path: path, options: options(overwriting: true, in: scratch.path))
    try failing.write([1, 2, 3] as [UInt8])
    #expect(throws: SourceError.self) {
      try failing.finish { _ throws(SourceError) in throw SourceError(.other("not as written")) }
    }
    #expect(filesBelow(scratch.path).isEmpty && contents(path) == [9])
  }

  @Test func aFolderThatDoesNotExistIsNamed() {
    let missing = scratch.path + "/missing"
    for make in [
      { _ = try SafeOutput(path: self.path, options: self.options(in: missing)) },
      { _ = try SafeFolder(path: self.path, temporaryFolder: missing) },
    ] {
      let error = #expect(throws: SourceError.self) { try make() }
      #expect(error?.description.contains("folder for temporary files, \(missing), does not exist") == true)
    }
  }

  /// A file cannot be moved to another disk, and is not copied there: a copy may end half way.
  @Test func anotherDiskIsRefused() throws {
    let other = "/dev/shm/multiview-\(UUID().uuidString)"
    var status = stat()
    var here = stat()
    guard unsafe stat("/dev/shm", &status) == 0, unsafe stat(folder.path, &here) == 0,
      status.st_dev != here.st_dev, unsafe mkdir(other, 0o700) == 0
    else {
      return print("skipped: no second disk on this machine")
    }
    defer { unsafe rmdir(other) }
    let output = try SafeOutput(path: path, options: options(in: other))
    try output.write([1, 2, 3] as [UInt8])
    let error = #expect(throws: SourceError.self) { try output.finish() }
    #expect(error?.description.contains("is on a different disk from the folder for temporary files") == true)
    let whole = try SafeFolder(path: path, temporaryFolder: other)
    try whole.addFile("file") { output throws(SourceError) in try output.write([1]) }
    let second = #expect(throws: SourceError.self) { try whole.finish() }
    #expect(second?.description.contains("is on a different disk") == true)
    #expect(filesBelow(other).isEmpty && filesBelow(folder.path).isEmpty)
  }

  @Test func aFolderIsMadeElsewhere() throws {
    let made = try SafeFolder(path: path + "/", temporaryFolder: scratch.path)
    try made.makeFolder("part")
    try made.addFile("part/file") { output throws(SourceError) in try output.write([1, 2, 3]) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(filesBelow(scratch.path).count == 1)
    try made.finish()
    #expect(contents(path + "/part/file") == [1, 2, 3])
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
  }
}
