// swift-multiview · SPDX-License-Identifier: Apache-2.0

import ByteCoding

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Darwin
#endif

extension FuzzTarget {
  /// The target that `MV_FUZZ_TARGET` names; ends the process where it names none.
  public static var selected: FuzzTarget {
    let name = unsafe getenv("MV_FUZZ_TARGET").map { unsafe String(cString: $0) } ?? ""
    guard let target = named(name) else {
      let names = all.map(\.name).joined(separator: " ")
      fatalError("MV_FUZZ_TARGET is '\(name)', not one of: \(names)")
    }
    return target
  }

  /// Writes the seeds and the dictionary into the folder that `MV_FUZZ_SEEDS` names, if it does, and ends the process.
  public func writeSeedsIfAsked() {
    guard let folder = unsafe getenv("MV_FUZZ_SEEDS") else { return }
    let path = unsafe String(cString: folder)
    for (index, (name, bytes)) in seeds().enumerated() { write(bytes, to: "\(path)/seeds/\(index)-\(name)") }
    write(Array(FuzzSeeds.dictionary().utf8), to: path + "/dictionary")
    exit(0)
  }

  private func write(_ bytes: [UInt8], to path: String) {
    guard let file = unsafe fopen(path, "wb") else { fatalError("cannot write \(path)") }
    unsafe fwrite(bytes, 1, bytes.count, file)
    unsafe fclose(file)
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
