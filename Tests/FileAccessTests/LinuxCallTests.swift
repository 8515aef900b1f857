// swift-multiview · SPDX-License-Identifier: Apache-2.0

#if os(Linux) && (arch(x86_64) || arch(arm64))
import ByteCoding
import Foundation
import TestSupport
import Testing

@testable import FileAccess

/// Calls by number: a wrong number would make another call, and what they speed up works without them.
@Suite struct LinuxCallTests {
  private let folder: TemporaryFolder
  private let input: FileBytes
  private let output: Int32

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("in", (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
    input = try FileBytes(path: folder.path + "/in")
    output = try RealOutputSystem().create(folder.path + "/out", permissions: 0o600)
  }

  /// Some sandboxes refuse calls that they do not know.
  private func isRefused(_ result: Int?) -> Bool {
    guard result == -1, errno == ENOSYS || errno == EPERM else { return false }
    print("skipped: the system refuses this call")
    return true
  }

  @Test func aRangeIsCopied() throws {
    defer { close(output) }
    var from: Int64 = 1000
    var to: Int64 = 10
    let moved = unsafe withUnsafeMutablePointer(to: &from) { from in
      unsafe withUnsafeMutablePointer(to: &to) { to in
        unsafe LinuxCall.copyFileRange(
          Int(input.descriptor), Int(bitPattern: from), Int(output), Int(bitPattern: to), 150_000)
      }
    }
    if isRefused(moved) { return }
    #expect(moved == 150_000 && from == 151_000 && to == 150_010)
    let written = contents(folder.path + "/out") ?? []
    #expect(
      written == [UInt8](repeating: 0, count: 10) + (contents(folder.path + "/in") ?? [])[1000..<151_000])
  }

  @Test func aFileSystemIsDescribed() throws {
    defer { close(output) }
    var status = [Int](repeating: 0, count: 64)
    let result = unsafe status.withUnsafeMutableBytes {
      unsafe LinuxCall.fstatfs(Int(output), Int(bitPattern: $0.baseAddress))
    }
    if isRefused(result) { return }
    var other = statvfs()
    #expect(unsafe fstatvfs(output, &other) == 0)
    // After the type: the size of a block, and how many there are.
    #expect(result == 0 && status[0] != 0)
    #expect(status[1] == Int(other.f_bsize) && status[2] == Int(other.f_blocks))
  }

  /// Only a file with positions can be written to the disk in part.
  @Test func writingBegins() throws {
    defer { close(output) }
    let result = unsafe LinuxCall.syncFileRange(Int(output), 0, 4096, 2)
    if isRefused(result) { return }
    #expect(result == 0)
    var ends: [Int32] = [0, 0]
    #expect(unsafe pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    #expect(unsafe LinuxCall.syncFileRange(Int(ends[1]), 0, 4096, 2) == -1)
    #expect(errno == ESPIPE)
  }
}
#endif
