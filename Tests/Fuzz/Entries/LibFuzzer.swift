// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension FuzzTarget {
  /// Writes the seeds into the folder that `MV_FUZZ_SEEDS` names, if it does, and ends the process.
  public func writeSeedsIfAsked() {
    guard let folder = unsafe getenv("MV_FUZZ_SEEDS") else { return }
    let path = unsafe String(cString: folder)
    for (index, (name, bytes)) in seeds().enumerated() {
      guard let file = unsafe fopen("\(path)/\(index)-\(name)", "wb") else {
        fatalError("cannot write to \(path)")
      }
      unsafe fwrite(bytes, 1, bytes.count, file)
      unsafe fclose(file)
    }
    exit(0)
  }

  /// Runs an input of the fuzzer; what does not hold ends the process, which the fuzzer takes for a find.
  @unsafe
  public func runOrTrap(_ start: UnsafePointer<UInt8>?, _ count: Int) {
    let findings = unsafe run(ByteView(UnsafeBufferPointer(start: start, count: count)))
    guard findings.problems.isEmpty else {
      fatalError("\(name):\n" + findings.problems.joined(separator: "\n"))
    }
  }

  /// Changes an input of the fuzzer in place, and answers how long it is then.
  ///
  /// - Parameter plain: the fuzzer's own mutator, which uses its dictionary.
  @unsafe
  public func mutate(
    _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximumSize: Int, seed: UInt32,
    plain: @escaping (UnsafeMutablePointer<UInt8>, Int, Int) -> Int
  ) -> Int {
    let input = unsafe [UInt8](UnsafeBufferPointer(start: data, count: count))
    let output = mutated(input, maximumSize: maximumSize, seed: UInt64(seed)) { bytes, _ in
      let room = max(bytes.count * 2, 64)
      bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, written in
        guard let base = buffer.baseAddress else { return }
        unsafe base.initialize(repeating: 0, count: room)
        _ = unsafe buffer.update(fromContentsOf: bytes)
        written = unsafe plain(base, bytes.count, room)
      }
    }
    _ = unsafe UnsafeMutableBufferPointer(start: data, count: maximumSize).update(fromContentsOf: output)
    return output.count
  }
}
