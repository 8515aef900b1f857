// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Foundation
import TestSupport
import Testing

@testable import FileAccess

@Suite struct DescriptorOutputTests {
  /// Calls that answer one after the other, and then write nothing for ever; a test that goes on does not end well.
  private static func calls(answering answers: [Int], into written: Locked<[UInt8]>) -> SystemCalls {
    let turn = Locked(0)
    var calls = SystemCalls.standard
    unsafe calls.write = { _, buffer in
      let number = turn.withLock {
        $0 += 1; return $0
      }
      precondition(number < 100, "written without end")
      let answer = number <= answers.count ? answers[number - 1] : 0
      written.withLock { unsafe $0.append(contentsOf: buffer.prefix(max(0, answer))) }
      return answer
    }
    let write = unsafe calls.write
    unsafe calls.writeAt = { descriptor, buffer, _ in unsafe write(descriptor, buffer) }
    return calls
  }

  @Test func shortWritesAndInterruptionsAreNotSeen() {
    let written = Locked<[UInt8]>([])
    let output = DescriptorOutput(
      -1, calls: Self.calls(answering: [3, -Int(EINTR), 1, -Int(EINTR), 6], into: written))
    output.write(patternedBytes(10))
    #expect(!output.isClosed && output.failure == nil)
    #expect(written.withLock { $0 } == patternedBytes(10))
  }

  @Test func aWriteOfNothingIsAnError() {
    let written = Locked<[UInt8]>([])
    let output = DescriptorOutput(-1, calls: Self.calls(answering: [4], into: written))
    output.write(patternedBytes(10))
    #expect(output.isClosed && output.failure == SystemError(EIO).reason)
    output.write([1])
    #expect(written.withLock { $0.count } == 4)
  }

  @Test func theReaderOfAPipeMayGoAway() {
    let output = DescriptorOutput(-1, calls: Self.calls(answering: [4, -Int(EPIPE)], into: Locked([])))
    output.write(patternedBytes(10))
    #expect(output.isClosed && output.failure == nil)
  }

  @Test func aTemporaryFileThatTakesNothingIsAnError() throws {
    var calls = Self.calls(answering: [4], into: Locked([]))
    unsafe calls.read = { _, buffer in
      unsafe buffer.copyBytes(from: patternedBytes(100))
      return 100
    }
    let pipe = PipeBytes(
      descriptor: -1, name: "pipe", owned: false, keeping: .everything, limit: 1_000, calls: calls)
    let error = sourceError { _ = try pipe.read(at: 0, count: 50) }
    #expect(error?.code == .system(number: EIO, name: "EIO"))
    #expect(error?.path == "pipe (temporary file)")
    #expect(error?.advice.description.contains("temporary file in \(temporaryFolder())") == true)
    #expect(pipe.readFailure == error)
  }
}
