// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What libFuzzer calls. `MV_FUZZ_TARGET` names the target.

import FuzzEntries

private let target = FuzzTarget.selected

@_silgen_name("LLVMFuzzerMutate")
private func plainMutation(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximumSize: Int) -> Int

@_cdecl("LLVMFuzzerInitialize")
public func initialize(_: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) -> CInt {
  target.writeSeedsIfAsked()
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  unsafe target.runOrTrap(start, count)
  return 0
}

@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximumSize: Int, _ seed: UInt32
) -> Int {
  unsafe target.mutate(data, count, maximumSize, seed: seed) { unsafe plainMutation($0, $1, $2) }
}
