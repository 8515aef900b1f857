// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding
import Testing

/// Values that are worked out when they are first asked for run no code under a lock.
@Suite struct MemoTests {
  private struct Known: Sendable {
    var first: Int?
    var second: Int?
    var missing: Int??
  }

  private struct Failure: Error {}

  @Test func aValueMayAskForOthersOfTheSameStructure() {
    let memo = Memo(Known())
    let sum = memo.value(\.first) { 1 + memo.value(\.second) { 41 } }
    #expect(sum == 42)
    #expect(memo.value(\.second) { 0 } == 41)
  }

  @Test func aValueMayGiveItselfUpWhileItIsMade() {
    let lazy = Lazy<Int>()
    #expect(
      lazy.value {
        lazy.forget()
        return 7
      } == 7)
    #expect(lazy.value { 8 } == 7)
    lazy.forget()
    #expect(lazy.value { 9 } == 9)
  }

  @Test func whatIsKnownToBeMissingIsNotLookedForAgain() {
    let memo = Memo(Known())
    #expect(memo.value(\.missing) { nil } == nil)
    #expect(memo.value(\.missing) { 5 } == nil)
    memo.forget(\.missing)
    #expect(memo.value(\.missing) { 5 } == 5)
  }

  @Test func failuresAreNotKept() {
    let memo = Memo(Known())
    #expect(throws: Failure.self) { try memo.value(\.first) { throw Failure() } }
    #expect(memo.value(\.first) { 3 } == 3)
  }

  /// Of objects all callers get the same one, whichever thread made it.
  @Test func allThreadsGetOneValue() async {
    final class Object: Sendable {}
    for _ in 0..<50 {
      let lazy = Lazy<Object>()
      let identities = await withTaskGroup(of: ObjectIdentifier.self) { group in
        for _ in 0..<8 { group.addTask { ObjectIdentifier(lazy.value { Object() }) } }
        return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
      }
      #expect(identities == [ObjectIdentifier(lazy.value { Object() })])
    }
  }
}
