// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What libFuzzer calls; the same in every fuzzer.

import FuzzEntries

private let target = FuzzTarget.named(targetName)

@_silgen_name("LLVMFuzzerMutate")
private func plainMutation(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximumSize: Int) -> Int

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> CInt {
  target?.writeSeedsIfAsked()
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe target?.runOrTrap(start, count)
  return target == nil ? -1 : 0
}

@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximumSize: Int, _ seed: UInt32
) -> Int {
  unsafe target?.mutate(data, count, maximumSize, seed: seed) { unsafe plainMutation($0, $1, $2) } ?? count
}
